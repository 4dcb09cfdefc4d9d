"""The program `pbem`, and what of it has to be quick: a mail that a pipe of a mail server brings is handed to
the service where one runs (serve/doorway.py). Nothing else of pbem is loaded for that.

A pipe bounces a player's letter for every exit code but 75. So `pbem mail receive` ends with 75 for all that
a host can mend, a broken installation too."""

import os
import sys

TEMPORARY = 75


def run() -> None:
    """Run a command."""
    if sys.argv[1:3] != ["mail", "receive"]:
        from pbem.cli import run as command

        command()
        return
    if (path := socket_path(sys.argv[3:])) and (code := handed_over(path)) is not None:
        sys.exit(code)
    try:
        from pbem.cli import run as command

        command()
    except Exception as error:  # what the command itself runs into it has dealt with
        sys.stderr.write(f"pbem: this installation does not work: {type(error).__name__}: {error}\n")
        sys.exit(TEMPORARY)


def socket_path(words: "list[str]") -> str:
    """The path at which the service takes mail, from the words of the command line or the environment; ""
    without one."""
    if words[:1] == ["--socket"] and len(words) == 2:
        return words[1]
    return "" if words else os.environ.get("PBEM_INTAKE__SOCKET__PATH", "")


def handed_over(path: str) -> "int | None":
    """Hand the mail on standard input to the service, and return the exit code it gives; None if no service
    is there, in which case nothing has been read."""
    import shutil
    import socket
    import tempfile

    with socket.socket(socket.AF_UNIX) as service:
        try:
            service.connect(path)
        except OSError:
            return None
        try:
            with tempfile.TemporaryFile() as mail:  # the service knows how large one may be
                shutil.copyfileobj(sys.stdin.buffer, mail)
                size = mail.tell()
                mail.seek(0)
                service.sendall(b"%d\n" % size)
                service.sendfile(mail)
            answer = service.makefile("rb").readline().decode()
        except OSError as error:
            answer = f"{TEMPORARY} the mail could not be handed over: {error}"
    code, _, why = answer.partition(" ")
    if code != "0":
        sys.stderr.write(f"pbem: {why.strip()}\n")
        return int(code) if code.isdecimal() else TEMPORARY
    sys.stdout.write(f"-: {why.strip()}\n")
    return 0
