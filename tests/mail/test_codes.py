"""Codes in the subject, for providers without addresses with a `+`."""

from __future__ import annotations

from email.header import Header

import pytest

from pbem.mail.address import Claim, check, read_codes, reply_address, reply_to, without_codes
from pbem.mail.letter import parse

SECRET = bytes(range(32))
BASE = "Pbem@club.example"
SUBJECT = "[g-1] Your move by Tue 9 Jun 18:00 - T1"
BACK = reply_to(BASE, "g-1", "allied", SECRET, in_subject=True)
OTHER = reply_to(BASE, "g-1", "german", SECRET, in_subject=True)
WHOLE = BACK.subject(SUBJECT)


def test_a_code_has_the_words_of_the_address() -> None:
    """The same secret, at the end of a subject or below the address."""
    address = reply_address(BASE, "g-1", "allied", SECRET)
    assert address == f"pbem+{BACK.code}@club.example"
    assert BACK.address == "pbem@club.example"
    assert f"{SUBJECT} ({BACK.code})" == WHOLE
    plus = reply_to(BASE, "g-1", "allied", SECRET)
    assert (plus.address, plus.subject(SUBJECT)) == (address, SUBJECT)


def test_a_code_given_out_is_recognised() -> None:
    """It holds for its seat alone, and a scoped one for its scope alone."""
    (claim,) = read_codes(WHOLE)
    assert (claim.game, claim.seat) == ("g-1", "allied")
    assert check(claim, SECRET) and not check(claim, SECRET, "turn-2") and not check(claim, SECRET[::-1])
    (scoped,) = read_codes(reply_to(BASE, "g-1", "allied", SECRET, "turn-2", in_subject=True).subject("x"))
    assert check(scoped, SECRET, "turn-2") and not check(scoped, SECRET)


@pytest.mark.parametrize(
    ("base", "game", "seat"), [(BASE, "g 1", "a"), (BASE, "g", "a.b"), ("pbem", "g", "a")]
)
def test_a_code_that_cannot_be_is_refused(base: str, game: str, seat: str) -> None:
    with pytest.raises(ValueError):
        reply_to(base, game, seat, SECRET, in_subject=True)


def headers(subject: str) -> bytes:
    return f"From: a@x.example\nTo: pbem@club.example\nSubject: {subject}\n\ndone\n".encode()


FOLDED = Header(f"Réponse : {WHOLE} – à demain", "utf-8", maxlinelen=60, header_name="Subject").encode()
CUT_INSIDE = WHOLE.replace(" ", "_").replace(BACK.code, f"{BACK.code[:20]}?=\n =?utf-8?q?{BACK.code[20:]}")


@pytest.mark.parametrize(
    "subject",
    [
        WHOLE,
        f"Re: {WHOLE}",
        f"AW: Re: AW: {WHOLE}",
        f"Fwd: [list] RE: {WHOLE}",
        f"回复：{WHOLE}",
        f"Re: [SPAM?] {WHOLE} (was: something)",
        WHOLE.upper(),
        f"Re: {WHOLE} Re: {WHOLE}",
        WHOLE.replace(" (", "\n\t("),
        WHOLE.replace(" ", "\r\n "),
        FOLDED,
        f"=?utf-8?q?SV:_{CUT_INSIDE}?=",
        f"({BACK.code})",
    ],
)
def test_a_code_survives_mail_programs(subject: str) -> None:
    """Prefixes of all languages, folding and encoding leave it alone, and the subject is kept without it."""
    letter = parse(headers(subject))
    (claim,) = letter.codes
    assert check(claim, SECRET)
    assert BACK.code not in letter.subject.lower() and "allied" not in letter.subject.lower()


@pytest.mark.parametrize(
    "subject",
    [
        SUBJECT,
        WHOLE.replace("(", "").replace(")", ""),
        WHOLE.replace("(", "[").replace(")", "]"),
        WHOLE.replace(")", ""),
        WHOLE.replace("(", "( "),
        WHOLE[:-2],
        WHOLE.replace("g-1.", "", 1),
        WHOLE.replace("allied.", "allied. "),
        WHOLE[:-6] + " " + WHOLE[-6:],
        WHOLE[:-1] + "a)",
    ],
)
def test_only_the_exact_form_is_a_code(subject: str) -> None:
    """A code that was changed on the way claims nothing."""
    assert parse(headers(subject)).codes == ()


@pytest.mark.parametrize("cut", range(1, 12))
def test_what_is_left_of_a_code_is_not_shown(cut: int) -> None:
    """A broken code is cut out as well."""
    for broken in (WHOLE[:-cut], WHOLE[: -cut - 1] + " " + WHOLE[-cut - 1 :], WHOLE.replace("(", "")):
        assert without_codes(broken).strip() == SUBJECT


@pytest.mark.parametrize(
    "text",
    ["Re: [g-1] Report - T2", "(e.g. we could move)", "see a.b.c (v1.2.3)", "anna@mail.example.org (x.y.z)"],
)
def test_other_words_stay(text: str) -> None:
    assert without_codes(text) == text


def test_two_codes_are_two_claims() -> None:
    """Each once, in their order."""
    found = read_codes(f"{WHOLE} {OTHER.subject('and')} {WHOLE}")
    assert [claim.seat for claim in found] == ["allied", "german"]
    assert isinstance(found[0], Claim)


def test_a_long_subject_is_read_at_once() -> None:
    """No subject makes the search slow."""
    for text in ("a." * 30_000, "(a.a." * 12_000, "(a.a.aaaaaa" * 5_000, "(" * 60_000, "a" * 60_000):
        assert read_codes(text) == ()
        assert len(without_codes(text)) <= len(text)
