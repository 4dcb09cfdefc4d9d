"""Mails that stop, slow or break a program that reads mail: built here, not stored.

Most are from lists of what mail parsers have died of; some once stopped or slowed pbem itself. `POISONS` has
them by name. Each is built for a seat (`Post`), so that it gets as far as a letter can.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from serve.kit import Club
from sqlmodel import select, update

from pbem.engine.game import game
from pbem.mail.address import reply_address
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record.rows import LetterRow, SeatRow, StaffRow
from pbem.service.record.store import now_utc

Reader = Literal["player", "moderator"]

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

SIZE = 900_000
"""Bytes of a poison that is as long as a mail may be that pbem reads."""


@dataclass(frozen=True, slots=True)
class Post:
    """Whose mail it is, where it goes, and a number that makes it new."""

    sender: str
    to: str
    number: int = 1

    def mail(self, body: str | bytes, *headers: str, subject: str = "orders", without: str = "") -> bytes:
        """A mail with a body as given. `headers` are added, the one called `without` is left out."""
        known = {
            "From": self.sender,
            "To": self.to,
            "Subject": subject,
            "Date": f"Fri, 20 Nov 2026 10:{self.number // 60 % 60:02}:{self.number % 60:02} +0000",
            "Message-ID": f"<poison.{self.number}@mail.example>",
        }
        names = [name for name in known if name != without]
        head = [*(f"{name}: {known[name]}" for name in names), *headers]
        raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        return "".join(f"{line}\n" for line in head).encode("utf-8", "surrogatepass") + b"\n" + raw

    def multipart(self, *parts: str | bytes, kind: str = "mixed") -> bytes:
        """A multipart of parts that bring their own headers."""
        raw = [part.encode() if isinstance(part, str) else part for part in parts]
        body = b"".join(b"--b\n" + part + b"\n" for part in raw) + b"--b--\n"
        return self.mail(body, f"Content-Type: multipart/{kind}; boundary=b")


Build = Callable[[Post], bytes]


@dataclass(frozen=True, slots=True)
class Poison:
    """How it is built, which game it is for, and whether its line ends are part of it."""

    build: Build
    game: str = "clash"
    to: Reader = "player"
    bare: bool = False

    def mail(self, post: Post) -> bytes:
        """The mail, with the line ends that a mail server uses."""
        raw = self.build(post)
        return raw if self.bare else re.sub(rb"\r?\n", b"\r\n", raw)


POISONS: dict[str, Poison] = {}


def poison(game: str = "clash", *, bare: bool = False) -> Callable[[Build], Build]:
    """Enter a builder into POISONS under its name."""

    def entered(build: Build) -> Build:
        POISONS[build.__name__.strip("_")] = Poison(build, game, bare=bare)
        return build

    return entered


def _enter(name: str, body: str, game: str = "clash", *headers: str) -> None:
    POISONS[name] = Poison(lambda post: post.mail(body, *headers), game)


def _order(name: str, line: str, game: str = "normandy71") -> None:
    """Enter one line, in full and as often as a letter may have it."""
    _enter(name, f"[movement]\n{line}\n" * 3, game)


# --- parts --------------------------------------------------------------------------------------------------


@poison()
def nested_1000(post: Post) -> bytes:
    levels = (f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(1000))
    return post.mail("".join(levels), "Content-Type: multipart/mixed; boundary=b0")


@poison()
def nested_in_one_boundary(post: Post) -> bytes:
    return post.mail(
        "--b\nContent-Type: multipart/alternative; boundary=b\n\n" * 10_000,
        "Content-Type: multipart/mixed; boundary=b",
    )


@poison()
def nested_messages(post: Post) -> bytes:
    return post.mail("Content-Type: message/rfc822\n\n" * 1000, "Content-Type: message/rfc822")


@poison()
def nested_wide(post: Post) -> bytes:
    """Every part of 30 has 30 parts, four levels deep."""
    body = "move R1 to 0201\n"
    for level in range(3):
        mark = f"--n{level}\nContent-Type: multipart/mixed; boundary=n{level - 1}\n\n{body}\n"
        body = mark * 30 + f"--n{level}--\n"
    return post.mail(body[:SIZE], "Content-Type: multipart/mixed; boundary=n2")


@poison()
def parts_10000(post: Post) -> bytes:
    return post.multipart(*["\nmove R1 to 0201\n"] * 10_000)


@poison()
def alternatives_in_html(post: Post) -> bytes:
    part = "Content-Type: text/html\n\n" + "<table><tr><td>" * 300
    return post.multipart(*[part] * 180, kind="alternative")


@poison()
def files_200(post: Post) -> bytes:
    head = "Content-Type: application/zip\nContent-Disposition: attachment; filename="
    return post.multipart("\nmove R1 to 0201\n", *[f"{head}{n}.zip\n\n{'x' * 4000}" for n in range(190)])


@poison()
def calendars_200(post: Post) -> bytes:
    return post.multipart(*["Content-Type: text/calendar\n\n" + "METHOD:\n" * 500] * 190)


@poison()
def boundary_never_ends(post: Post) -> bytes:
    return post.mail(
        "--b\n\nmove R1 to 0201\n" + "--b x\n" * 100_000, "Content-Type: multipart/mixed; boundary=b"
    )


@poison()
def boundary_of_60_kb(post: Post) -> bytes:
    mark = "b" * 60_000
    return post.mail(f"--{mark}\n\nx\n--{mark}--\n", f'Content-Type: multipart/mixed; boundary="{mark}"')


@poison()
def boundary_is_missing(post: Post) -> bytes:
    return post.mail("--b\n\nmove R1 to 0201\n--b--\n" * 3000, "Content-Type: multipart/mixed")


@poison()
def boundary_is_blank(post: Post) -> bytes:
    return post.mail("--\n" * 100_000 + "-- \n" * 100_000, 'Content-Type: multipart/mixed; boundary=" "')


@poison()
def endless_parameters(post: Post) -> bytes:
    pieces = "".join(f"; name*{n % 1000}*=utf-8''%ff" for n in range(3000))
    return post.mail(
        "x\n", f"Content-Type: text/plain{pieces}", 'Content-Disposition: a; filename="' + '\\"' * 9000
    )


@poison()
def base64_that_is_none(post: Post) -> bytes:
    return post.mail("=" * 70 + "\nA\n" + "!?" * 300_00 + "\n", "Content-Transfer-Encoding: base64")


@poison()
def base64_of_a_megabyte(post: Post) -> bytes:
    return post.mail(base64.encodebytes(b"move R1 to 0201, " * 38_000), "Content-Transfer-Encoding: base64")


@poison()
def quoted_printable_of_marks(post: Post) -> bytes:
    return post.mail("=\n" * 300_000 + "==" * 20_000, "Content-Transfer-Encoding: quoted-printable")


@poison()
def stray_quoted_printable(post: Post) -> bytes:
    return post.mail(("=20" * 25 + "=\n") * 10_000)


@poison()
def zip_bomb_as_text(post: Post) -> bytes:
    packed = base64.encodebytes(gzip.compress(bytes(50_000_000)))
    head = b"Content-Type: text/plain; name=orders.txt\nContent-Encoding: gzip\n"
    part = head + b"Content-Transfer-Encoding: base64\n\n" + packed
    return post.multipart(part, part)


@poison()
def unknown_encodings(post: Post) -> bytes:
    names = [
        "utf-7",
        "rot13",
        "zip",
        "bz2",
        "idna",
        "punycode",
        "unicode_escape",
        "undefined",
        "hz",
        "x" * 1000,
    ]
    return post.multipart(
        *[f"Content-Type: text/plain; charset={name}\n\n+AAAA\\u{'9' * 3000}" for name in names]
    )


@poison()
def broken_charsets(post: Post) -> bytes:
    """Escapes of Japanese mail without end, half a sign of UTF-16, and UTF-8 that is none."""
    body = [
        b"\x1b$B" * 30_000,
        b"\xff\xfe" + b"\x00\xd8" * 10_000 + b"x",
        b"\xc0\x80\xed\xa0\x80\xf8" * 9_000,
    ]
    names = [b"iso-2022-jp", b"utf-16", b"utf-8"]
    heads = [b"Content-Type: text/plain; charset=" + name + b"\n\n" for name in names]
    return post.multipart(*map(bytes.__add__, heads, body))


# --- headers ------------------------------------------------------------------------------------------------


@poison()
def header_of_a_megabyte(post: Post) -> bytes:
    return post.mail("move R1 to 0201\n", "X-Long: " + "a b " * 230_000)


@poison()
def header_folded_100000_times(post: Post) -> bytes:
    return post.mail("move R1 to 0201\n", "X-Long: a" + "\n b" * 100_000)


@poison()
def headers_100000(post: Post) -> bytes:
    return post.mail("move R1 to 0201\n", *["X: y"] * 100_000)


@poison()
def headers_50000_by_name(post: Post) -> bytes:
    return post.mail("move R1 to 0201\n", *[f"X-{n}: y" for n in range(50_000)])


@poison()
def lines_that_are_no_headers(post: Post) -> bytes:
    return post.mail("move R1 to 0201\n", *["no header", "X: y"] * 50_000)


@poison()
def encoded_words_by_the_thousand(post: Post) -> bytes:
    return post.mail(
        "status\n", *["Cc: " + "=?utf-8?b?8J+Y?= " * 5000] * 3, subject="=?utf-8?q?=ED=A0=80?= " * 5000
    )


@poison()
def encoded_words_unended(post: Post) -> bytes:
    return post.mail("status\n", subject="=?utf-8?q?" * 9000)


@poison()
def encoded_words_of_lines(post: Post) -> bytes:
    """Line ends and headers within encoded words, which would come out in the reply."""
    return post.mail("status\n", subject="=?utf-8?q?a=0D=0ABcc:_eve@evil.example=0D=0A=0D=0Abody=00?=")


@poison()
def message_id_of_100_kb(post: Post) -> bytes:
    return post.mail("status\n", f"Message-ID: <{'a' * 90_000}@mail.example>", without="Message-ID")


@poison()
def message_id_of_signs(post: Post) -> bytes:
    return post.mail(
        "status\n", "Message-ID: <\x01\x7f\u202e\ud800\u2028é@mail.example>", without="Message-ID"
    )


@poison()
def message_id_with_nul(post: Post) -> bytes:
    return post.mail("status\n", "Message-ID: <n\0l@mail.example>", without="Message-ID")


@poison()
def references_by_the_thousand(post: Post) -> bytes:
    ids = " ".join(f"<{n}@mail.example>" for n in range(4000))
    return post.mail("status\n", f"References: {ids}", f"In-Reply-To: {ids}", "References: " + "<" * 90_000)


@poison()
def sender_with_nul(post: Post) -> bytes:
    return post.mail("hello\n", "From: Eve <e\0ve@evil.example>", without="From")


@poison()
def sender_in_nested_comments(post: Post) -> bytes:
    return post.mail("status\n", f"From: {'(' * 1000}x{')' * 1000} <{post.sender}>", without="From")


@poison()
def sender_of_backslashes(post: Post) -> bytes:
    return post.mail("status\n", 'From: "' + "\\" * 90_000, without="From")


@poison()
def senders_by_the_hundred(post: Post) -> bytes:
    return post.mail("status\n", "From: " + ", ".join(f"a{n}@x.example" for n in range(900)), without="From")


@poison()
def sender_of_signs(post: Post) -> bytes:
    return post.mail("hello\n", "From: \u202e\ud800\U000e0001 <\ud800\ufeff@\u202eexample>", without="From")


@poison()
def no_sender(post: Post) -> bytes:
    return post.mail("status\n", "From:", without="From")


@poison()
def recipients_by_the_hundred(post: Post) -> bytes:
    more = [re.sub(r"\.(\w+)@", rf".\g<1>{n}@", post.to) for n in range(900)]
    return post.mail("status\n", f"Cc: {', '.join(more)}", *[f"Delivered-To: {each}" for each in more])


@poison()
def recipients_of_groups(post: Post) -> bytes:
    return post.mail(
        "status\n", "Cc: " + "g:" * 9000 + ";" * 9000, "Cc: " + "a@" * 9000, 'To: "' + '"@' * 9000
    )


@poison()
def date_of_year_0(post: Post) -> bytes:
    return post.mail("status\n", "Date: Sat, 01 Jan 0000 00:00:00 +0000", without="Date")


@poison()
def date_of_year_1(post: Post) -> bytes:
    """In UTC it is before all time."""
    return post.mail("status\n", "Date: Mon, 01 Jan 0001 00:00:00 +2359", without="Date")


@poison()
def date_of_year_99999(post: Post) -> bytes:
    return post.mail("status\n", "Date: Sat, 01 Jan 99999 00:00:00 +0000", without="Date")


@poison()
def date_of_year_9999(post: Post) -> bytes:
    return post.mail("status\n", "Date: Fri, 31 Dec 9999 23:59:59 -2359", without="Date")


@poison()
def date_of_digits(post: Post) -> bytes:
    return post.mail(
        "status\n", "Date: " + "9" * 90_000, "Date: Fri, 20 Nov 2026 99:99:99 +999999", without="Date"
    )


@poison()
def daemons_letter_of_ids(post: Post) -> bytes:
    return post.mail(
        "<pbem." * 100_000, "Content-Type: multipart/report; report-type=delivery-status; boundary=b"
    )


# --- wholes -------------------------------------------------------------------------------------------------


@poison()
def empty_mail(post: Post) -> bytes:
    return b"\n"


@poison()
def only_headers(post: Post) -> bytes:
    return post.mail("").rstrip(b"\n") + b"\n"


@poison()
def only_a_body(post: Post) -> bytes:
    return b"\nmove R1 to 0201\n"


@poison(bare=True)
def line_ends_of_cr(post: Post) -> bytes:
    return post.mail("move R1 to 0201\ndone\n").replace(b"\n", b"\r") + b"\r\n"


@poison(bare=True)
def line_ends_mixed(post: Post) -> bytes:
    return post.mail("\r\n\n\r\r\n".join(["move R1 to 0201"] * 3000))


@poison()
def nul_in_the_text(post: Post) -> bytes:
    return post.mail("mo\0ve R1 to 0201\0\n" * 300 + "\0" * 50_000)


@poison()
def bytes_of_all_kinds(post: Post) -> bytes:
    return post.mail(bytes(range(256)) * 3000)


@poison()
def text_of_30_mb(post: Post) -> bytes:
    return post.mail("move R1 to 0201 and then some more words\n" * 740_000)


@poison()
def headers_of_30_mb(post: Post) -> bytes:
    return post.mail("status\n", *["X-Y: " + "z" * 70] * 400_000)


@poison()
def line_of_a_megabyte(post: Post) -> bytes:
    return post.mail("move R1 to 0201" + " R1" * 300_000)


# --- text ---------------------------------------------------------------------------------------------------


@poison()
def surrogates_and_bidi(post: Post) -> bytes:
    line = "move \u202eR1\ud800 \u2066to\udfff 0201\u2029 \ufeff\u200d\u0000\ufffe\U0010ffff"
    return post.mail(f"{line}\npress blue: {line}\n", "Content-Type: text/plain; charset=utf-8", subject=line)


@poison()
def surrogates_in_html(post: Post) -> bytes:
    body = "<p>press blue: &#xD800;&#xDFFF;&#0;&#8238;&#1114112;&#99999999999;" + "&#x" * 9000
    return post.mail(body, "Content-Type: text/html")


@poison()
def combining_signs(post: Post) -> bytes:
    return post.mail(
        "move R1" + "\u0301\u0323" * 400 + " to 0201\n" + ("a" + "\u0316\u0300" * 490 + "\n") * 500
    )


@poison()
def signs_that_unfold(post: Post) -> bytes:
    """A sign of Arabic that compatibility makes 18."""
    return post.mail(("\ufdfa" * 900 + "\n") * 300)


@poison()
def digits_that_are_none(post: Post) -> bytes:
    return post.mail(
        "Q²: a\nanswer ①: b\nmove R¹ to ０２０１\n൧ ൨ ٣\ndispute R²\nwithdraw L³\nlog ²\nextend ²d\n"
    )


@poison()
def html_nested_100000(post: Post) -> bytes:
    return post.mail("<blockquote><div>" * 50_000, "Content-Type: text/html")


@poison()
def html_unended(post: Post) -> bytes:
    return post.mail("<!-- <![CDATA[ <a b=\"' <? " * 30_000, "Content-Type: text/html")


@poison()
def html_of_tables(post: Post) -> bytes:
    return post.mail(
        "<table><tr><td>x" * 5000 + "<script>" * 5000 + "<style>" * 5000, "Content-Type: text/html"
    )


@poison()
def flowed_without_end(post: Post) -> bytes:
    return post.mail("> x \n" * 80_000 + " " * 90_000, "Content-Type: text/plain; format=flowed; delsp=yes")


@poison()
def quoted_100_levels(post: Post) -> bytes:
    lines = (">" * (n % 100) + f" move R1 to 0201 {n}\n" for n in range(5000))
    return post.mail("".join(lines) + "On 1 Nov 2026, x wrote:\n" * 3000)


@poison()
def introductions_by_the_thousand(post: Post) -> bytes:
    block = (
        "From: x\nSent: y\nTo: z\n-----Original Message-----\na@b\n1.1.26 20:00\n> ---------+---------->\n"
    )
    return post.mail((block + "--\n\n" + "_" * 20 + "\n") * 2000)


@poison()
def armour_unended(post: Post) -> bytes:
    return post.mail("-----BEGIN PGP SIGNED MESSAGE-----\n- -- \n-----BEGIN PGP SIGNATURE-----\n" * 9000)


@poison()
def passwords_by_the_hundred(post: Post) -> bytes:
    return post.mail("".join(f"password {n}{'x' * 600}\n" for n in range(1000)))


# --- orders -------------------------------------------------------------------------------------------------

for _name in ("clash", "normandy71", "rampage", "falaise", "normandy44", "france44"):
    _enter(f"orders_20000_{_name}", "move 8/4 to 4918\n" * 20_000, _name)

_order("line_of_50000_commas", "move 8/4" + "," * 50_000)
_order("line_of_commas", "move " + ", ".join(f"{n}/4" for n in range(90)) + " to 4918")
_order("if_if_if", "if " * 230)
_order("if_and_if", "if 3120 is empty and " * 30)
_order("and_and_and", "move 8/4 " + "and " * 170)
_order("not_not_not", "if " + "not " * 90 + "3120 is empty: move 8/4 to 4918")
_order("else_else_else", "try move 8/4 to 4918 " + "else " * 120)
_order("try_try_try", "try " * 160 + "move 8/4 to 4918")
_order("then_then_then", "move 8/4 to 4918 " + "then " * 130)
_order("or_or_or", "move 8/4 or " * 50)
_order("parens", "move " + "(" * 300 + "8/4" + ")" * 300)
_order("brackets", "[" * 300 + "movement" + "]" * 300)
_order("when_when", "when movement: " * 40)
_order("standing_standing", "standing " * 70)
_order("numbers_of_690_digits", "move " + "9" * 330 + "/" + "9" * 330)
_order("all_but_all_but", "all but " * 50)
_order("stages", "4918 > " * 90)
_order("letters_of_one_word", "a " * 99)
_order("one_word", "a" * 690)
_order("slashes", "/" * 690)
_order("hyphens", "move 8/4-" + "4918-" * 120)
_order("quotes", 'move "' + "' \"" * 200)

_enter("nothing_before_a_colon", "[operations]\n(now): we are ready\n", "rampage")
_enter("conditions_45000", ("if " + "3120 is empty and " * 50 + " 22/4 to 3120\n") * 900, "normandy71")
_enter("conditions_just_read", ("if " + "3120 is empty and " * 12 + "22/4 to 3120\n") * 300, "normandy71")
_enter("mistyped_2000", "[movement]\n" + "mvoe 8/4 ot 4918\n" * 2000, "normandy71")
_enter("mistyped_falaise", "mvoe 25/12SS ot 1525\natack 1542 wiht 2CC\n" * 150, "falaise")
_enter("units_900_lines", ("move " + "8/4, 22/4, 12/4, " * 30 + "to 4918\n") * 900, "normandy71")
_enter("help_300", "help status map log history orders\n" * 300, "normandy71")
_enter(
    "help_each_line",
    "help\nstatus\nmap\nmap text\nlog\nhistory\norders\nrules\ncalendar\nplaying\n" * 30,
    "falaise",
)
_enter("press_2000", "".join(f"press german: {n} {'x' * 400}\n" for n in range(2000)), "normandy71")
_enter("press_without_end", "press german:\n" + "words of mine\n" * 20_000, "normandy71")
_enter("answers_2000", "".join(f"Q{n}: a\n" for n in range(2000)), "normandy71")
_enter("answers_in_one_line", "Q1: a, " * 90 + "\n", "normandy71")
_enter("headings_5000", "[movement]\n[combat]\n[plan]\n[x]\n" * 5000, "normandy71")
_enter("standing_2000", "standing retreat: away from the roads\n" * 2000, "normandy71")
_enter("salt_2000", "".join(f"salt {'x' * 500} {n}\n" for n in range(2000)), "normandy71")
_enter(
    "courtesies_2000", "Dear Anna, thank you very much for 8/4 and 4918, kind regards\n" * 2000, "normandy71"
)
_enter(
    "withdraw_L_of_digits",
    f"withdraw L{'9' * 600}\nL{'9' * 90} before L{'9' * 90}\nlog {'9' * 90}\n",
    "normandy71",
)
_enter(
    "extend_for_ever",
    "extend 999d999h: please\nabsent until 31 Feb 99999\nagree 9999\nrefuse 9999: no\n",
    "normandy71",
)
_enter("names_of_blanks", "move \xa0\u2003\u200b8/4\xad\u2060 to\u3000４９１８\n" * 300, "normandy71")

for _line in ("release {}", "discard {}", "show {}", "set R{} 5", "uphold R{}", "strike J{}", "back R{}"):
    POISONS["staff_" + _line.partition(" ")[0]] = Poison(
        lambda post, line=_line: post.mail("".join(f"{line.format('9' * n)}\n" for n in (19, 20, 500)) * 20),  # type: ignore[misc]
        to="moderator",
    )


# --- whom they go to ----------------------------------------------------------------------------------------

CALM = "calm"
"""A game to which no poison goes."""

GAMES = ("normandy71", "falaise", "normandy44", "france44", "rampage")


class Addressed:
    """The seats of a club to which poison is sent: those of its small games, of one of each real game, and
    the moderators."""

    def __init__(self, club: Club, games: tuple[str, ...] = GAMES) -> None:
        self.club, self.count = club, 0
        for key in games:
            rules = game(key)
            seats = [seat.key for seat in rules.seats_of(rules.chosen({}))]
            people = {seat: Player(seat.title(), f"{seat}@{key}.example") for seat in seats}
            terms = {"address": club.address, "clock_hours": 72, "moderator": "mod@host.example"}
            start(club.store, NewGame(key, key, players=people, settings=terms, seed=key), now_utc())
        with club.store.transaction() as session:
            rows = [*session.exec(select(SeatRow)), *session.exec(select(StaffRow))]
            self.rows = {(row.game, row.key): row for row in rows if row.address}
            self.staff = {key for key, row in self.rows.items() if isinstance(row, StaffRow)}
        club.seats |= {key: row for key, row in self.rows.items() if isinstance(row, SeatRow)}

    def post(self, kind: str = "clash", to: Reader = "player") -> Post:
        """The next seat of a game of this kind."""
        self.count += 1
        fits = [
            key
            for key in sorted(self.rows)
            if key[0] != CALM
            and (key in self.staff) == (to == "moderator")
            and (key[0] == kind if kind in GAMES else key[0] not in GAMES)
        ]
        name, seat = fits[self.count % len(fits)]
        row = self.rows[name, seat]
        return Post(row.address, reply_address(self.club.address, name, seat, row.token_key), self.count)

    def let_an_hour_pass(self) -> None:
        """Let the letters so far count no longer: a seat that sends many without an order is not read."""
        with self.club.store.transaction() as session:
            session.execute(update(LetterRow).values(received=LONG_AGO))
