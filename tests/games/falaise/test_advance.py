"""Advances (10.4): who goes where after an assault, and what of it is decided by orders or asked about.

0624 is open country: north-east 0524, then clockwise 0623, 0724, 0725, 0625, 0525. The bridge 0818-0718 leads
over the Dives, 0432-0431 lies a stream.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

import pytest

from pbem.engine.play import Phase
from pbem.games.falaise.advance import AdvanceWay, advance
from pbem.games.falaise.assault import Assaults
from pbem.games.falaise.notes import Advanced, Assaulted, Eliminated, OpFired
from pbem.games.falaise.orders import Assault, Attack, MechAssault
from pbem.games.falaise.state import State
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, play

HEX = "0624"


def advanced(
    text: str,
    *ids: str,
    retreats: Sequence[Sequence[str]] = (),
    hex: str = HEX,
    answers: dict[str, str] | None = None,
    pinned: Container[str] = (),
    words: dict[str, Any] | None = None,
    **fields: Any,
) -> Played:
    """The units named have won a hex; `answers` are those of the units, `words` what the order says
    of the advance."""

    async def phase(state: State) -> None:
        order: Attack = Assault(hex, ids, **(words or {}))
        await advance(state, hex, [state.units[id] for id in ids], retreats, order, pinned)

    def choose(ask: Any) -> Any:
        return (answers or {}).get(ask.unit)

    played = play(phase, game(text, **fields), choose=choose)
    assert played.ended
    return played


def offered(played: Played, id: str) -> tuple[str, ...] | None:
    """What a unit was asked."""
    return next((ask.options for ask in played.asked("advance") if ask.unit == id), None)


WAY = ("0525", "0424")
TABLE = [
    ("infantry goes into the hex alone", "71/53 0623", "71/53", HEX, (WAY,), ("stay", "0624")),
    ("armour on the heels of the defenders", "29AB 0623", "29AB", HEX, (WAY,), ("stay", "0624", "0624 0525")),
    ("leg units have one hex, be they battalions", "KG/275 0623", "KG/275", HEX, (WAY,), ("stay", "0624")),
    (
        "two ways of retreat",
        "29AB 0623",
        "29AB",
        HEX,
        (WAY, ("0625", "0626")),
        ("stay", "0624", "0624 0525", "0624 0625"),
    ),
    (
        "two defenders by one way",
        "29AB 0623",
        "29AB",
        HEX,
        (WAY, ("0525", "0425")),
        ("stay", "0624", "0624 0525"),
    ),
    ("all were eliminated", "29AB 0623", "29AB", HEX, (), ("stay", "0624")),
    (
        "the defender was halted in the first hex",
        "29AB 0623, 941/353 0525",
        "29AB",
        HEX,
        (("0525",),),
        ("stay", "0624"),
    ),
    ("an enemy stays in the hex", "29AB 0623, 941/353 0624", "29AB", HEX, (), None),
    (
        "zones are ignored",
        "29AB 0623, 941/353 0424, 942/353 0526",
        "29AB",
        HEX,
        (WAY,),
        ("stay", "0624", "0624 0525"),
    ),
    ("a full hex further on", "29AB 0623, 71/53 0525", "29AB", HEX, (WAY,), ("stay", "0624")),
    (
        "room for one more further on",
        "29AB 0623, 44RTR/4AB 0525",
        "29AB",
        HEX,
        (WAY,),
        ("stay", "0624", "0624 0525"),
    ),
    (
        "over a bridge, no further",
        "KG/17SS 0818, 71/53 0616",
        "KG/17SS",
        "0718",
        (("0617", "0616"),),
        ("stay", "0718"),
    ),
    (
        "from beside it, further",
        "KG/17SS 0717, 71/53 0616",
        "KG/17SS",
        "0718",
        (("0617", "0616"),),
        ("stay", "0718", "0718 0617"),
    ),
    ("across a stream, on foot", "71/53 0432", "71/53", "0431", ((),), ("stay", "0431")),
    ("not across a stream on wheels", "29AB 0432", "29AB", "0431", (), None),
    (
        "a bridge in the second hex is crossed",
        "29AB 0819",
        "29AB",
        "0818",
        (("0918", "1017"),),
        ("stay", "0818", "0818 0918"),
    ),
]


@pytest.mark.parametrize(
    ("text", "id", "hex", "retreats", "options"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_10_4_where_a_unit_may_advance(
    text: str,
    id: str,
    hex: str,
    retreats: tuple[tuple[str, ...], ...],
    options: tuple[str, ...] | None,
) -> None:
    """10.4 The options of a single attacker."""
    found = [way for way in retreats if way]
    played = advanced(text, id, retreats=found, hex=hex, zone_86="open", zone_entered=True)
    assert offered(played, id) == options
    assert not played.of(Advanced), "without an answer it stays"


def test_10_4_the_way_is_gone_hex_by_hex() -> None:
    """10.4, 3.4 Both hexes are entered: who passes through Argentan has taken it."""
    played = advanced(
        "CCA/3A 3220", "CCA/3A", hex="3219", retreats=[("3119", "3018")], answers={"CCA/3A": "3219 3119"}
    )
    assert at(played.state, "CCA/3A") == "3119"
    assert played.state.argentan == "allied" and played.state.argentan_fell
    assert played.of(Advanced) == [Advanced(case="10.4", names=("CCA/3A",), path=("3220", "3219", "3119"))]


def test_10_4_the_withdrawal_line_stops_an_advance() -> None:
    """7.2.2, 11.4 No Allied unit follows across the Withdrawal Line."""
    played = advanced("29AB 1109", "29AB", hex="1108", retreats=[("1107", "1006")])
    assert offered(played, "29AB") == ("stay", "1108", "1108 1107")
    played = advanced("29AB 1108", "29AB", hex="1107", retreats=[("1106", "1105")])
    assert offered(played, "29AB") == ("stay", "1107")


def test_11_9_limits_of_movement_do_not_bind_advances() -> None:
    """7.2.2, 11.9 The French may follow the enemy to the Dives."""
    played = advanced("Dio 1516", "Dio", hex="1617", retreats=[("1718", "1818")], turn=3)
    assert offered(played, "Dio") == ("stay", "1617", "1617 1718")


# --- several attackers ------------------------------------------------------------------------------------


def test_10_4_stacking_limits_hold_for_each_in_turn() -> None:
    """10.4, 5.3 One brigade takes the hex, the other one stays; a battalion still finds room."""
    played = advanced(
        "71/53 0623, 158/53 0724, Greys/4AB 0725",
        "71/53",
        "158/53",
        "Greys/4AB",
        answers={"71/53": HEX, "Greys/4AB": HEX},
    )
    assert [ask.unit for ask in played.asked("advance")] == ["Greys/4AB", "71/53"]
    assert [at(played.state, id) for id in ("71/53", "158/53", "Greys/4AB")] == [HEX, "0724", HEX]


def test_10_4_stacking_limits_hold_on_the_way() -> None:
    """10.4 Who would pass through a full hex cannot go on."""
    text = "29AB 0623, 8AB 0724"
    played = advanced(text, "29AB", "8AB", retreats=[WAY], answers={"29AB": HEX, "8AB": HEX})
    assert at(played.state, "29AB") == HEX and at(played.state, "8AB") == "0724"
    played = advanced(text, "29AB", "8AB", retreats=[WAY], answers={"29AB": "0624 0525", "8AB": HEX})
    assert at(played.state, "29AB") == "0525" and at(played.state, "8AB") == HEX


def test_6_3_who_covers_others_does_not_advance() -> None:
    """6.3 Units that must stay all through the activation stay."""
    played = advanced("71/53 0623, Greys/4AB 0623", "71/53", "Greys/4AB", pinned=("Greys/4AB",))
    assert offered(played, "Greys/4AB") is None and offered(played, "71/53") == ("stay", HEX)


# --- what the order says ----------------------------------------------------------------------------------

ORDERED = [
    ("nobody", {"stay": True}, ["0623", "0724", "0725"]),
    ("one, and the others stay", {"advance": ("71/53",)}, [HEX, "0724", "0725"]),
    ("as they are named", {"advance": ("158/53", "71/53")}, ["0623", HEX, "0725"]),
    ("armour further", {"advance": ("Greys/4AB",), "onward": "0525"}, ["0623", "0724", "0525"]),
    (
        "armour first and further, infantry into the hex",
        {"advance": ("71/53", "Greys/4AB"), "onward": "0525"},
        [HEX, "0724", "0525"],
    ),
    (
        "no further than the hex where the way leads elsewhere",
        {"advance": ("Greys/4AB",), "onward": "0625"},
        ["0623", "0724", HEX],
    ),
]


@pytest.mark.parametrize(("words", "where"), [row[1:] for row in ORDERED], ids=[row[0] for row in ORDERED])
def test_10_4_what_is_ordered_is_not_asked(words: dict[str, Any], where: list[str]) -> None:
    """10.4 The order of the assault goes before questions."""
    played = advanced(
        "71/53 0623, 158/53 0724, Greys/4AB 0725",
        "71/53",
        "158/53",
        "Greys/4AB",
        retreats=[WAY],
        words=words,
    )
    assert not played.asked("advance")
    assert [at(played.state, id) for id in ("71/53", "158/53", "Greys/4AB")] == where


def test_10_4_without_an_answer_nobody_advances() -> None:
    """10.4 The default is to stay; the question names the unit, where it stands and where it would go."""
    played = advanced("71/53 0623", "71/53")
    (ask,) = played.asked("advance")
    assert ask.fallback == "stay" and ask.seat == "allied"
    assert isinstance(ask, AdvanceWay) and (ask.unit, ask.start) == ("71/53", "0623")
    assert ask.intro == "71/53 (3-3 brigade, 2 of 2 steps) is in 0623."
    assert ask.says("stay").startswith("0623, clear; ") and ask.says(HEX) == f"{HEX}, clear; in no enemy zone"
    assert at(played.state, "71/53") == "0623"


# --- after real assaults ----------------------------------------------------------------------------------


def assaulted(order: Attack, command: str, **fields: Any) -> Callable[[State], Phase[Any]]:
    async def phase(state: State) -> None:
        await Assaults(state, "allied", command, isinstance(order, MechAssault), **fields).carry_out(order)

    return phase


def test_10_4_a_pursuit() -> None:
    """10.2, 10.3, 10.4 A mechanised assault drives a defender out, and armour follows on its heels
    without op-fire."""
    order = MechAssault(HEX, ("29AB",), advance=("29AB",), onward="0525")
    state = game("29AB 0623, 978/271 0624, 979/271 0426")
    played = play(
        assaulted(order, "30C"),
        state,
        dice=[4],
        choose=lambda ask: {"ter": "keep", "retreat": "0525 0424"}.get(ask.kind),
    )
    assert played.of(Assaulted)[0].result == "DR"
    assert at(state, "978/271") == "0424" and at(state, "29AB") == "0525"
    assert not played.of(OpFired)


def test_10_4_nobody_goes_further_when_all_were_eliminated() -> None:
    """10.4 With every defender dead the advance ends in the hex: the one killed by fire on its way left
    no way to follow."""
    order = MechAssault(HEX, ("29AB",), advance=("29AB",), onward="0525")
    state = game("29AB 0623, 978/271 0624 disrupted, 129/43 0425")
    played = play(
        assaulted(order, "30C"),
        state,
        dice=[4, 6],
        choose=lambda ask: {"ter": "keep", "retreat": "0525 0424"}.get(ask.kind),
    )
    assert played.of(Eliminated)[0].cut_off
    assert at(state, "29AB") == HEX


def test_10_4_dead_attackers_and_contact() -> None:
    """10.4 Without a cleared hex nobody is asked."""
    state = game("71/53 0623, 941/353 0624")
    played = play(assaulted(Assault(HEX, ("71/53",)), "12C"), state, dice=[3])
    assert played.of(Assaulted)[0].result == "CON"
    assert not played.asked("advance")


def test_6_3_pinned_units_may_attack() -> None:
    """6.3, 10.4 Who covers others attacks, and stays where it is."""
    order = MechAssault(HEX, ("29AB",), advance=("29AB",))
    state = game("29AB 0623, 978/271 0624")
    play(
        assaulted(order, "30C", pinned=("29AB",)),
        state,
        dice=[4],
        choose=lambda ask: {"ter": "keep"}.get(ask.kind),
    )
    assert at(state, "29AB") == "0623" and state.units["29AB"].finished
