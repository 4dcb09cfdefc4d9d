"""N14, N15 What a side cannot know changes nothing of what it is told, not by one byte: orders that wait
for their draw, standing orders, second thoughts that are not final, and who is among the unknown forces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.correspondence import Watch

PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[bombardment]\nartillery 2CC on 1625\nairstrike on 3219\n",
    "try\n[2CC]\nmove 4/2C to 1524\nassault 1625 with 4/2C\nif D/2SS is alive, move 7/3C to 1421\n",
    "try\n[1SS]\nmove 25/12SS to 1622\nenter D/2SS at 1805\nattach 501SS\n",
    "draft\n[15C]\nmove 357/90 to 3314\n",
)


WATCH = Watch("falaise", "pocket", PROBES)
SET_UP = (("german", "[set-up]\ndefault\ndone\n"), ("allied", "[set-up]\ndefault\ndone\n"))
READY = (*SET_UP, ("german", "[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\ndone\n"))


def test_second_thoughts_that_are_not_final(tmp_path: Path) -> None:
    """3.1 What the Germans only consider to withhold is theirs."""
    secret = (
        ("german", "draft\n[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\n"),
        ("german", "draft\n[redeployment]\nwithhold Pz/2SS, 25/12SS\nredeploy 501SS to 2216\n"),
    )
    WATCH.alike(tmp_path, "allied", SET_UP, secret)


@pytest.mark.dear
@pytest.mark.parametrize("form", ["", "draft\n"])
def test_german_orders_that_wait_for_their_draw(tmp_path: Path, form: str) -> None:
    """4.0 What is written ahead for commands in the cup, with its conditions,
    is not known before they act."""
    secret = (
        ("german", f"{form}when 1SS: move 25/12SS to 1622\nwhen 2SS: hold\nstanding opfire: never\n"),
        (
            "german",
            (
                f"{form}when 1SS: if first this turn, move Pz/12SS to 1720\n[84]\nhold\n"
                "standing opfire: always\n"
            ),
        ),
    )
    WATCH.alike(tmp_path, "allied", READY, secret)


def test_allied_orders_that_wait_for_their_draw(tmp_path: Path) -> None:
    """4.0 Nor are those of the Allies, whose bombardment is still to be ordered."""
    secret = (
        ("allied", "[2CC]\nmove 4/2C to 1524\n[7C]\nhold\nstanding ter: never\n"),
        (
            "allied",
            "[15C]\nif 3219 is held by the enemy, mech assault 3229 with Billotte\nstanding ter: always\n",
        ),
    )
    WATCH.alike(tmp_path, "german", READY, secret)


def test_3_1_only_their_number_is_told_of_unknown_forces(tmp_path: Path) -> None:
    """3.1 Nothing that the Allied player is told names a unit as one of the unknown forces;
    where none has stood on the map before, nothing names it at all."""
    box = WATCH.club(tmp_path / "pocket.pbem", READY)
    pages = b"\n".join(
        text for name, text in WATCH.told(box, "allied") if name in ("view", "status", "log", "board")
    )
    for id in (b"D/2SS", b"DF/2SS", b"19/9SS", b"20/9SS"):
        assert b'"' + id + b'"' not in pages and b"'" + id + b"'" not in pages
    german = next(text for name, text in WATCH.told(box, "german") if name == "view")
    assert b'"D/2SS"' in german
    box.store.close()
