"""What a player is told of a pocket before it is sealed: against the rules themselves,
walked through for every die and lot."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.wording import percent
from pbem.games.rampage import control, pockets
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.breakout import forecast
from pbem.games.rampage.operations import Operations
from pbem.games.rampage.orders import Drop, Move
from pbem.games.rampage.state import State
from pbem.service.intake.trial import check_file
from pbem.service.intake.trial import preview as odds
from pbem.testing.odds import distribution
from tests.games.rampage.kit import by_mail, game, previewed
from tests.games.rampage.kit import told as written

RING = "1503 1703 1702 1502 1602"
POOLS = ("17L 6FJ PzLr", "17L", "", "17L 18L 21Pz PzLr")


def sealing(text: str, hex: str, ring: str, **fields: Any) -> State:
    """A state in which the fall of `hex` will close a pocket."""
    return game(text, allied=ring, **fields)


def told(state: State, hex: str) -> tuple[tuple[str, dict[int, Fraction], Fraction], ...]:
    """What is foretold of each pocket that the fall of a hex makes."""
    found = []
    for pocket in pockets.made_by(state, (hex,)):
        each = forecast(state, pocket, hex, state.at("1704"))
        assert each is not None
        found.append((each.case, each.sizes, each.lost))
    return tuple(found)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("steps", ["", " reduced"])
def test_12_5_the_chance_to_be_lost_is_that_of_the_rules(pool: str, steps: str) -> None:
    """12.5, 12.6 For every die, lot and fire of a breakout, the chance that nobody is left of the force is,
    to the last digit, what was told."""

    def start() -> tuple[State, Any]:
        state = sealing(f"3A 1604{steps}", "1604", RING, pool=pool)
        control.pass_to_allies(state, ("1604",), "3.6", "battle")
        return state, pockets.after_switch(state, "1604", ("reduced first",))

    walked = distribution(start, lambda state: not state.at("1604"))
    state = sealing(f"3A 1704{steps}", "1604", RING, pool=pool)
    ((case, sizes, lost),) = told(state, "1604")
    assert (case, lost) == ("12.5", walked.get(True, Fraction(0)))
    assert sum(sizes.values()) == 1 and max(sizes) <= min(3, len(pool.split()))


def test_12_9_a_garrison_leaves_the_pool_first() -> None:
    """12.9 The unit that garrisons a fortress of the pocket cannot break out as well."""

    def start() -> tuple[State, Any]:
        state = game("3A 1903", allied="1902 1903 2005 1904 2105 2104", pool="17L 6FJ PzLr")
        return state, pockets.after_switch(state, "1903", ("reduced first",))

    walked = distribution(start, lambda state: not state.at("1903"))
    state = game("3A 1902", allied="1902 2005 1904 2105 2104", pool="17L 6FJ PzLr")
    (pocket,) = pockets.made_by(state, ("1903",))
    found = forecast(state, pocket, "1903", state.at("1902"))
    assert found is not None and found.lost == walked[True] and max(found.sizes) == 2


def test_14_2_bombers_are_weighed_too() -> None:
    """11.2, 14.2 All 22 divisions without bombers; after them as many fewer as two dice say, drawn blind."""
    state = game(
        "3A 1703, 1Inf 1703",
        turn=1,
        allied="1502 1702 1703",
        afp="standing",
        options={"heavy_bombers": "yes"},
    )
    (pocket,) = pockets.made_by(state, ("1603",))
    found = forecast(state, pocket, "1603", state.at("1703"))
    assert found is not None and found.bombed is not None
    assert (found.case, found.sizes) == ("11.2", {22: 1})
    assert {size: found.bombed.sizes[size] for size in (10, 15, 20)} == {
        10: Fraction(1, 36),
        15: Fraction(1, 6),
        20: Fraction(1, 36),
    }
    assert 0 < found.bombed.lost < found.lost < 1


# --- in letters -----------------------------------------------------------------------------------------

FATAL = "1502 1702"


def test_11_2_the_check_of_the_fatal_move_says_so() -> None:
    """11.2, 12.4 Which hex is cut off by an entry, how many break out against whom,
    and the chance to lose them."""
    state = game("2A 1702, 9Inf 1702", turn=1, allied=FATAL, afp="standing", phase="operations")
    lines = previewed(Operations(state, "allied"), Move(("2A", "9Inf"), ("1603",)))
    assert "taking 1603 cuts off 1602 [12.4]" in lines
    (pocket,) = pockets.made_by(state, ("1603",))
    found = forecast(state, pocket, "1603", state.at("1702"))
    assert found is not None
    assert (
        "at once 22 Germans break out through 1603 against 2A, 9Inf (4 steps at present): "
        f"{percent(found.lost)} to lose all these units [11.2]"
    ) in lines
    assert not any(
        "cuts off" in line for line in previewed(Operations(state, "allied"), Move(("2A", "9Inf"), ("1703",)))
    )


def test_11_2_odds_say_so_as_well(tmp_path: Any) -> None:
    """11.2 `pbem odds` and a check of a letter tell it, also of a line that waits for the dice of another."""
    state = game("2A 1702, 9Inf 1702", turn=1, allied=FATAL, afp="standing", phase="operations")
    box = by_mail(tmp_path, state=state)
    assert "taking 1603 cuts off 1602 [12.4]" in odds(box.store, None, "allied", "2A, 9Inf to 1603")
    text = "[set-up]\ndefault\n[operations]\n2A to 1502\n11BrA to 1702\n50BrInf, 53BrInf to 1603\n"
    lines = {line["text"]: line for line in check_file("rampage", "allied", text).facts["lines"]}
    assert "taking 1603 cuts off 1602 [12.4]" in lines["50BrInf, 53BrInf to 1603"]["says"]


def test_9_4_a_line_behind_a_die_counts_the_points_that_are_left(tmp_path: Any) -> None:
    """9.4, 9.12 The second leg of a force has spent the points of the first one."""
    text = "[set-up]\ndefault\n[operations]\n50BrInf, 53BrInf to 1702\n50BrInf, 53BrInf to 1703\n"
    facts = check_file("rampage", "allied", text).facts["lines"]
    within = [say for line in facts for say in line["says"] if say.startswith("chance to win within")]
    assert [say.split(",")[0] for say in within] == [
        "chance to win within 6 rounds",
        "chance to win within 5 rounds",
    ]


def test_12_4_a_second_hex_of_a_way_seals_it() -> None:
    """12.4 The hexes that the force has won before count: the entry that closes the ring is named,
    and no other."""
    state = game("2A 1701, 9Inf 1701", turn=1, allied="1502", afp="standing", phase="operations")
    lines = previewed(Operations(state, "allied"), Move(("2A", "9Inf"), ("1702", "1603")))
    assert [line for line in lines if "cuts off" in line] == ["taking 1603 cuts off 1602 [12.4]"]


def test_12_8_a_lone_fortress_does_not_break_out() -> None:
    """12.8 Of a fortress that is cut off by itself its garrison is told."""
    state = game("3A 2005", allied="1902 1903 2005", phase="operations")
    lines = previewed(Operations(state, "allied"), Move(("3A",), ("2004",)))
    assert "taking 2004 cuts off Le Havre (2003) [12.4]" in lines
    assert any("does not break out [12.8]" in line for line in lines)


def test_12_4_a_landing_may_seal_a_pocket() -> None:
    """12.4, 13.5 A drop that cuts hexes off is told like an attack."""
    desk = Assault(game(allied=RING, phase="airborne"), "allied")
    assert "taking 1604 cuts off 1603 [12.4]" in desk.preview(Drop(("82AB",), "1604"))


def test_13_5_a_drop_counts_those_that_jump_into_the_same_hex() -> None:
    """13.5 Divisions that an earlier line has sent into a hex land there together with those of the next one,
    which names them all."""
    desk = Assault(game(allied=RING, phase="airborne"), "allied")
    desk.obey(Drop(("101AB",), "1604"))
    lines = tuple(desk.preview(Drop(("82AB",), "1604")))
    assert lines[0].startswith("101AB, 82AB at 1604: ")
    assert any("against 101AB, 82AB (4 steps" in line for line in lines)


def test_12_8_a_check_names_no_garrison_that_it_has_imagined(tmp_path: Any) -> None:
    """12.8 Behind the dice of a line that cuts a fortress off, a line that attacks it reads
    that its garrison is not known: no German is named in the reply. Who stands there already is named."""
    text = "[operations]\n3A to 2004\n4Inf to 2003\n"
    state = game("3A 1903, 1Inf 1903, 4Inf 1902", allied="1902 1903", phase="operations")
    reply = written(by_mail(tmp_path, state=state), "allied", text)
    reply = " ".join(reply.split())
    assert "defended by a garrison that is not known yet [12.8]" in reply
    assert not any(re.search(rf"\b{id}\b", reply) for id in state.germans)
    there = game("3A 1903, 1Inf 1903, 4Inf 1902, 70Inf 2003", allied="1902 1903", phase="operations")
    assert "defended by 70Inf;" in written(by_mail(tmp_path, state=there, id="there"), "allied", text)
