"""N15 What a side cannot know changes nothing of what it is told, not by one byte: the other side's supply
until it turns into chits, interdiction and offensive until both have written, standing orders, drafts,
and orders that wait."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from postbox import Postbox
from sizes import some

from pbem.engine.desk import Desk
from pbem.engine.play import Ask, Request
from pbem.games.france44.state import ENEMY, State
from pbem.service.tools import queries
from tests.correspondence import Watch, closed, looked_up, waited_for, wanted
from tests.games.france44.correspondence import GAME

PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[commitment]\ncommit 2\ninterdict with 1 marker\n",
    "try\n[commitment]\ncommit 1\ndeclare the offensive\n",
    (
        "try\n[initiative]\nactivate US1 with VII/US, VIII/US, 2AD/US\n"
        "inc 4: attack 1209 with VII/US, VIII/US\ninc 8: move 2AD/US to 1209\n"
    ),
    "try\n[initiative]\nactivate AOK7 with 1SS, 12SS, IIFJ\ninc 4: attack 1409 with 1SS, 12SS\n",
    "try\n[reaction]\nreact as ordered\npiece US1\ninc 1: move US1 to 1207\n",
    "try\n[reaction]\nreact as ordered\nactivate PzWest\ninc 1: attack 1510 with 1SS\n",
    "try\n[administration]\nreplace VII/US\n[arrival]\nenter 4AD/US at 1409\n",
    "draft\n[reaction]\nreact with a point\n",
)
WATCH = Watch("france44", "gap", PROBES, "crusade")
"""With this seed an Allied chit is drawn first; with "2" a German one."""
FIRST = {"allied": WATCH, "german": replace(WATCH, seed="2")}
SIDES = pytest.mark.parametrize(("writer", "reader"), list(ENEMY.items()))
FORM = pytest.mark.parametrize("form", some(["", "draft\n"], 1))


# --- the beginning of a turn ------------------------------------------------------------------------------

COMMITMENTS = ("[commitment]\ncommit 1\ndone\n", "[commitment]\ncommit 2\ndone\n")


@pytest.mark.dear
@FORM
@SIDES
def test_2_0_8_what_the_other_side_is_writing(tmp_path: Path, writer: str, reader: str, form: str) -> None:
    """2.0.8 While it commits, be it closed or a draft, the other side cannot tell how much."""
    WATCH.alike(tmp_path, reader, (), [(writer, form + text) for text in COMMITMENTS])


def turn(number: int, allied: int, german: int) -> State:
    """The first set-up as it would stand at the beginning of a later turn, with this many chits."""
    state: State = GAME.start("crusade")
    state.turn, state.committed = number, {"allied": allied, "german": german}
    return state


def passing(box: Postbox, request: Request | None, seat: str) -> str:
    """The letter of a seat that does nothing."""
    if isinstance(request, Ask):
        (number,) = box.questions(seat)
        return f"Q{number}: none"
    return f"no orders: {wanted(request, seat).section}"


def pass_on(box: Postbox) -> None:
    """Both sides do nothing through August, up to its last reaction."""
    while (here := looked_up(box)[1]).label != "t2.allied_final":
        seat = waited_for(box)[0]
        assert box.mail(seat, passing(box, here.waiting, seat)).outcome == "accepted"


SHORT = replace(WATCH, opening=lambda: turn(2, 1, 1))
"""From an August of two chits."""


@pytest.mark.dear
@SIDES
def test_2_0_8_what_the_other_side_has_committed(tmp_path: Path, writer: str, reader: str) -> None:
    """2.0.6, 2.0.8 Through the whole turn, to its last reaction, nothing tells how much the other side
    has set aside."""
    secret = [(writer, text) for text in COMMITMENTS]
    SHORT.alike(tmp_path, reader, [(reader, COMMITMENTS[0])], secret, then=pass_on)


def test_2_0_6_chits_are_known(tmp_path: Path) -> None:
    """2.0.6, 2.0.8 With the chits of the next turn it lies open."""
    box = SHORT.club(tmp_path / "gap.pbem", [("allied", COMMITMENTS[0]), ("german", COMMITMENTS[1])])
    pass_on(box)
    assert box.mail("allied", passing(box, looked_up(box)[1].waiting, "allied")).outcome == "accepted"
    assert looked_up(box)[1].turn == 3
    for reader in ENEMY:
        cup = queries.view_of(box.store, "gap", reader).model_dump()["cup"]
        assert (cup["allied"], cup["german"]) == (1, 2)
    box.store.close()


@FORM
def test_2_0_3_where_aircraft_go(tmp_path: Path, form: str) -> None:
    """2.0.3 Until both have written, the Germans do not know how many markers interdict,
    and their points are untouched."""
    watch = replace(WATCH, opening=lambda: turn(2, 3, 2))
    texts = (
        f"{form}[commitment]\ncommit 3\ndone\n",
        f"{form}[commitment]\ncommit 3\ninterdict with 2 markers\ndone\n",
    )
    box = watch.club(tmp_path / "air.pbem", [("allied", texts[1])])
    assert queries.view_of(box.store, "gap", "allied").model_dump()["air"]
    box.store.close()
    watch.alike(tmp_path, "german", (), [("allied", text) for text in texts])


@FORM
def test_12_5_an_offensive_in_preparation(tmp_path: Path, form: str) -> None:
    """12.5 Until both have written, the Allies do not know whether an offensive is declared."""
    texts = (
        f"{form}[commitment]\ncommit 1\ndone\n",
        f"{form}[commitment]\ncommit 1\ndeclare the offensive\ndone\n",
    )
    watch = replace(WATCH, opening=lambda: turn(4, 3, 2))
    watch.alike(tmp_path, "allied", (), [("german", text) for text in texts])


# --- orders that wait -------------------------------------------------------------------------------------

BEGUN = (("allied", "[commitment]\ncommit 3\ndone\n"), ("german", "[commitment]\ncommit 2\ndone\n"))
STANDING = {
    "allied": (
        "standing reaction: react with 1 point: US1\nstanding retreat: stay\nstanding losses: evenly\n",
        "standing reaction: never\nstanding retreat: give ground toward 1207\nstanding lead: infantry\n",
    ),
    "german": (
        (
            "standing reaction: react with 3 points: PzWest if Caen falls\nstanding lead: armour\n"
            "standing retreat: stay\n"
        ),
        (
            "standing reaction: spend one point to deny\nstanding lead: with LXXXIV\n"
            "standing retreat: give ground toward 1512\n"
        ),
    ),
}
REACTIONS = {
    "allied": (
        "[reaction]\nreact as ordered\npiece 2AD/US\nif 1209 is empty, inc 1: move 2AD/US to 1209\n",
        "[reaction]\nreact with a point\n",
    ),
    "german": (
        "[reaction]\nreact as ordered\nactivate PzWest with 1SS, 12SS\ninc 1: attack 1409 with 1SS, 12SS\n",
        "[reaction]\nif at least 4 reaction points, react with a point\n",
    ),
}
LATER = {
    "allied": (
        (
            "[initiative]\nactivate US1\ninc 4: attack 1209 with VII/US air heavy\n[arrival]\n"
            "enter 4AD/US at 1409\n"
        ),
        "[administration]\nreplace VII/US with 1 point\n[arrival]\nenter 6AD/US at 1207 then to 1108\n",
    ),
    "german": (
        "[initiative]\nactivate AOK7\nif 1309 is empty, inc 1: move Lehr to 1309 else stay\n",
        "[administration]\nreplace LXXXIV with 1 point\n[commitment]\ncommit 1\n",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("begun", [(), BEGUN], ids=["begin", "chit"])
@SIDES
def test_5_2_standing_orders(
    tmp_path: Path, writer: str, reader: str, begun: tuple[tuple[str, str], ...]
) -> None:
    """5.2, 9.3, 9.6, 9.7 How the other side reacts and defends by standing orders is not known,
    also not from the chances of an attack."""
    FIRST[reader].alike(tmp_path, reader, begun, [(writer, text) for text in STANDING[writer]])


@pytest.mark.dear
@FORM
@SIDES
def test_5_2_reactions_written_ahead(tmp_path: Path, writer: str, reader: str, form: str) -> None:
    """5.2 What waits under [reaction] while the enemy plays his chit is not known to him."""
    FIRST[reader].alike(
        tmp_path, reader, BEGUN, [(writer, form + closed(text)) for text in REACTIONS[writer]]
    )


@SIDES
def test_5_1_orders_that_wait_for_their_chit(tmp_path: Path, writer: str, reader: str) -> None:
    """5.1, 10.1 Nor what is written ahead for the next chit, the administrative one and the next turn."""
    FIRST[reader].alike(tmp_path, reader, BEGUN, [(writer, closed(text)) for text in LATER[writer]])


def test_the_chits_are_drawn_as_they_are_wanted(tmp_path: Path) -> None:
    """2.0.9 In the games above the chit of the reader is the first, so that all these orders wait."""
    for side, watch in FIRST.items():
        box = watch.club(tmp_path / f"{side}.pbem", BEGUN)
        waiting = looked_up(box)[1].waiting
        assert isinstance(waiting, Desk) and (waiting.seat, waiting.section) == (side, "initiative")
        box.store.close()
