"""Letters to this game: what is written, and no more, is done; a fault or a deadline costs nothing but what
it must."""

from __future__ import annotations

from pathlib import Path

import pytest
from one_order import read_line
from postbox import ID, PLAYERS, Postbox, placed

from pbem import render
from pbem.games.normandy71 import GAME, combat, movement, reinforcement
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.notes import FilledIn
from pbem.games.normandy71.orders import Attack, Land
from pbem.games.normandy71.setup import setup
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import BEACHES, DEFAULTS
from pbem.games.normandy71.view import view
from pbem.service.record.store import Store
from pbem.service.time import deadline
from pbem.service.tools import queries
from tests.games.normandy71.kit import game
from tests.games.playing import opening, play


def at_phase(path: Path, phase: str, text: str, seed: str = "1", **fields: object) -> Postbox:
    """A game by mail that stands at the start of a phase, with these units (kit.py)."""
    state: State = game(text, **{"phase": phase, "order_of_battle": "C", **fields})  # type: ignore[arg-type]
    return placed(path / f"{phase}.pbem", state, seed)


def begun(path: Path) -> Postbox:
    """A game by mail that begins with the secret deployment."""
    return Postbox.started(Store.create(path / "begun.pbem"))


def written(box: Postbox, seat: str, text: str) -> str:
    """Mail a letter, and give all that is written to its sender because of it."""
    before = box.last()
    box.mail(seat, text)
    return "\n".join(" ".join(letter.split()) for letter in box.texts(PLAYERS[seat].address, before))


def time_is_up(box: Postbox, seat: str) -> str:
    """Let a deadline pass, and give what its seat is told."""
    before = box.last()
    deadline.act(box.store, ID, box.now, force=True)
    return "\n".join(" ".join(letter.split()) for letter in box.texts(PLAYERS[seat].address, before))


def where(box: Postbox) -> dict[str, str | None]:
    """Where every unit on the map is."""
    seen = queries.view_of(box.store, ID, "umpire")
    return {unit.id: unit.hex for unit in seen.units if unit.place == "map"}  # type: ignore[attr-defined]


def kept(box: Postbox, seat: str) -> dict[str, list[str]]:
    """The lines on a seat's sheet by section, faulty ones with a mark."""
    found: dict[str, list[str]] = {}
    for line in box.seat(seat).sheet.get("lines", ()):
        mark = "NO " if line.get("state") == "faulty" else ""
        found.setdefault(line["section"], []).append(mark + line["text"].strip())
    return found


def closed(box: Postbox, seat: str) -> list[str]:
    return list(box.seat(seat).sheet.get("closed", ()))


# --- gliders ------------------------------------------------------------------------------------------------

GLIDERS = (
    "8/4 allied 7-4 5030, 505/82 allied 5-4 paratroop 5328, "
    "325/82 allied 5-4 glider later entry:glider turn:1,"
    "12/4 allied 7-4 later entry:reinforcement turn:1, g german 4-1 1010"
)


@pytest.mark.parametrize("late", [False, True])
def test_a_glider_that_does_not_land_stops_nothing(tmp_path: Path, late: bool) -> None:
    """INV.4 A glider unit that is forgotten is lost, without a place on the map, and the game goes on, by
    letter or by deadline."""
    box = at_phase(tmp_path, "allied_reinforcement", GLIDERS, turn=1, supply=["3 Utah"])
    if late:
        told = time_is_up(box, "allied")
    else:
        told = written(box, "allied", "[reinforcement]\nland 12/4 at 3 Utah\ndone")
    assert "Allied 325/82 is lost" in told
    assert (box.row().status, box.phase().label) == ("running", "t1.allied_second_movement")


def test_a_loss_off_the_map_is_not_drawn() -> None:
    """INV.4 The map of the phase in which a glider unit is lost can be drawn, and shows only hexes of the
    map."""
    state = game(GLIDERS, turn=1, supply=["3 Utah"], phase="allied_reinforcement")
    play(reinforcement.allied_reinforcement, state)
    board = GAME.report.board(view(state, "allied"), tuple(state.log))
    assert "<svg" in render.scene_svg(render.layout(board))
    assert "" not in board.focus and "" not in {mark.hex for mark in board.marks}


# --- breaking down ------------------------------------------------------------------------------------------

REGIMENT = "12/4 allied 7-4 2424, p allied 7-4 3024, g german 4-1 1010"


def test_a_unit_is_broken_down_and_its_parts_move_in_one_letter(tmp_path: Path) -> None:
    """STK.B, STK.C The parts may be named in the letter that breaks their unit down, before or after that
    line."""
    box = at_phase(tmp_path, "allied_movement", REGIMENT, supply=["11 Gold"])
    written(box, "allied", "[movement]\n12/4a to 2324\nbreak 12/4\n12/4b to 2425\ndone")
    assert {id: hex for id, hex in where(box).items() if id.startswith("12/4")} == {
        "12/4a": "2324",
        "12/4b": "2425",
        "12/4c": "2424",
    }


def test_parts_are_rebuilt_where_their_moves_end(tmp_path: Path) -> None:
    """STK.E A line that rebuilds a unit is played where it is written: behind the moves of its parts, or
    before."""
    box = at_phase(tmp_path, "allied_movement", REGIMENT, supply=["11 Gold"])
    lines = "break 12/4\n12/4a, 12/4b to 2324\n12/4c to 2324\nbuild 12/4a, 12/4b, 12/4c"
    written(box, "allied", f"[movement]\n{lines}\ndone")
    assert {id: hex for id, hex in where(box).items() if id.startswith("12/4")} == {"12/4": "2324"}
    (tmp_path / "two").mkdir()
    broken = "a allied 2-4 infantry 2424, b allied 2-4 infantry 2424, c allied 2-4 infantry 2424"
    state = game(f"{broken}, g german 4-1 1010", phase="allied_movement", supply=["11 Gold"])
    for part in ("a", "b", "c"):
        unit = state.units.pop(part)
        unit.id, unit.part_of, unit.whole = f"12/4{part}", "12/4", "7-4"
        state.units[unit.id] = unit
    state.order_of_battle = "C"
    box = placed(tmp_path / "two" / "game.pbem", state)
    written(box, "allied", "[movement]\nbuild 12/4a, 12/4b, 12/4c\n12/4 to 2324\ndone")
    assert {id: hex for id, hex in where(box).items() if id.startswith("12/4")} == {"12/4": "2324"}


def test_parts_of_a_unit_that_is_not_broken_down_are_known(tmp_path: Path) -> None:
    """STK.D An order to a part says that its unit is whole, and offers to break it down; it is ready once
    that is ordered too."""
    box = at_phase(tmp_path, "allied_movement", REGIMENT, supply=["11 Gold"])
    told = written(box, "allied", "[movement]\n12/4a to 2324")
    assert "12/4 is not broken down [STK.D]" in told and "legal: break 12/4" in told
    written(box, "allied", "[movement]\nbreak 12/4")
    assert kept(box, "allied") == {"movement": ["break 12/4", "12/4a to 2324"]}


def test_a_broken_unit_is_told_from_one_that_never_was(tmp_path: Path) -> None:
    """STK.D An order to a unit that another line breaks down names its parts."""
    box = at_phase(tmp_path, "allied_movement", REGIMENT, supply=["11 Gold"])
    told = written(box, "allied", "[movement]\n12/4 to 2324\nbreak 12/4")
    assert "12/4 is broken down into 12/4a, 12/4b, 12/4c [STK.D]" in told


def test_a_regiment_still_to_come_is_not_taken_for_its_parts() -> None:
    """STK.B The parts of a unit that is not there yet are no answer to the question which unit is meant."""
    roster = GAME.roster(game("130Pz/Lehr german 16-6 later turn:4 edge:south"), "german")
    assert read_line(GAME.grammar, "move 130Pz to 0902", roster).actors() == ("130Pz/Lehr",)


# --- deadlines ----------------------------------------------------------------------------------------------

CROWD = (
    "p allied 7-4 3024, q allied 7-4 2826, 70 allied 6-10 armour 2626, 18/1 allied 7-4 2324, "
    "26/1 allied 7-4 2324,"
    "12/4 allied 7-4 2424, g german 4-1 1010"
)


def test_at_a_deadline_the_line_that_overfills_a_hex_is_left_out(tmp_path: Path) -> None:
    """STK.A Where a draft would overfill a hex, its last line is not played, and nobody else moves."""
    box = at_phase(tmp_path, "allied_movement", CROWD, supply=["11 Gold"])
    before = where(box)
    told = written(box, "allied", "[movement]\n12/4 to 2324")
    assert "Still missing in [movement]: 2324 exceeds its stacking limit" in told
    assert "passed over L1 12/4 to 2324" in time_is_up(box, "allied")
    assert where(box) == before and box.phase().label != "t2.allied_movement"


def test_at_a_deadline_the_last_to_come_leaves_an_overfull_hex_by_the_cheapest_way(tmp_path: Path) -> None:
    """STK.A, INV.1C Where a hex is overfull from the start, the last to come goes as few points as it can,
    the lines are played all the same, and nobody else moves."""
    text = CROWD.replace("12/4 allied 7-4 2424", "12/4 allied 7-4 2324, 9/3 allied 7-4 2424")
    box = at_phase(tmp_path, "allied_movement", text, supply=["11 Gold"])
    before = where(box)
    written(box, "allied", "[movement]\n9/3 to 2425")
    told = time_is_up(box, "allied")
    assert "[movement] move 12/4 to 2225 (default: 2324 exceeds its stacking limit" in told
    assert where(box) == before | {"12/4": "2225", "9/3": "2425"}
    ways = opening(movement.allied_first_movement, game(text, supply=["11 Gold"])).least()
    first = next(iter(ways))
    assert (first.units, first.path) == (("12/4",), ("2225",))


def test_at_a_deadline_inverted_units_leave_first() -> None:
    """INV.1C Of a hex that holds too many, the unit that came down in excess of the limit is the first to
    leave."""
    text = "a allied 5-4 paratroop inverted 2324, b allied 7-4 2324, c allied 7-4 2324"
    request = opening(movement.allied_second_movement, game(text, supply=["11 Gold"]))
    assert next(iter(request.least())).units == ("a",)


def test_at_a_deadline_the_default_plan_completes_what_is_missing_only(tmp_path: Path) -> None:
    """INV.1A A draft of the plan with a supply area where nobody lands keeps its landings and its other
    supply areas; all else is the default plan."""
    box = begun(tmp_path)
    box.mail("german", "[set-up]\ndefault\ndone")
    told = written(box, "allied", "[plan]\nland 8/4, 70 at 4 Utah\ndrop 505/82 at 5530\nsupply 4, 17")
    assert (
        "Still missing in [plan]: 17 Sword: a supply area must be a beach where units land [INV.1A]" in told
    )
    assert "[plan] default" in time_is_up(box, "allied")
    plan = queries.view_of(box.store, ID, "umpire").plan  # type: ignore[attr-defined]
    assert plan.beaches["4 Utah"] == ("8/4", "70")
    others = {beach: tuple(units) for beach, units in DEFAULTS.plan.beaches.items() if "8/4" not in units}
    assert {beach: units for beach, units in plan.beaches.items() if beach != "4 Utah"} == others
    assert plan.drops == DEFAULTS.plan.drops | {"505/82": "5530"}
    assert plan.commandos == DEFAULTS.plan.commandos
    seen = queries.view_of(box.store, ID, "umpire")
    areas = [area.beach for area in seen.supply_areas]  # type: ignore[attr-defined]
    assert len(areas) == 2 and areas[0] == "4 Utah" and "17 Sword" not in areas


def test_a_deadline_in_the_plan_plays_the_plan_alone(tmp_path: Path) -> None:
    """INV.1A Who lets the time for the plan pass is asked for the first movement."""
    box = begun(tmp_path)
    box.mail("german", "[set-up]\ndefault\ndone")
    told = time_is_up(box, "allied")
    assert "You: orders for [movement]" in told
    assert box.phase().label == "t1.allied_movement"


def test_at_a_deadline_the_attacks_that_are_written_stand(tmp_path: Path) -> None:
    """INV.3 Where a compulsory attack is missing, it is added to those that are written, and none of these is
    lost."""
    text = (
        "8/4 allied 7-4 5031, 231/50 allied 7-4 2527, g german 4-1 5130, h german 4-1 2526, z german 4-1 1010"
    )
    state = game(text, turn=1, phase="allied_combat", supply=["3 Utah", "10 Gold"], order_of_battle="C")
    beaches = {hex: beach for beach, hex in BEACHES.items()}
    state.plan.beaches = {beaches["5031"]: ["8/4"], beaches["2527"]: ["231/50"]}
    box = placed(tmp_path / "game.pbem", state)
    written(box, "allied", "[combat]\nattack 5130 with 8/4 naval medium")
    told = time_is_up(box, "allied")
    assert "carried out L1 attack 5130 with 8/4 naval medium" in told
    assert "Decided for you" in told and "attack 2526 with 231/50" in told


# --- forms, headings, corrections ---------------------------------------------------------------------------

FRONT = "8/4 allied 7-4 2424, 70 allied 6-10 2424, 22/4 allied 7-4 2626, g german 4-1 2625, z german 4-1 1010"


def test_an_order_form_with_one_line_filled_in_plays_nothing(tmp_path: Path) -> None:
    """An order form that comes back with one line under its first heading is a draft of that section, and of
    no other."""
    box = at_phase(tmp_path, "allied_movement", FRONT, supply=["11 Gold"])
    written(
        box,
        "allied",
        "[movement]\n8/4 to 2324\n\n[combat]\n\n[reinforcement]\n\n[movement 2]\n\n[entrenchment]\n",
    )
    assert kept(box, "allied") == {"movement": ["8/4 to 2324"]} and closed(box, "allied") == []
    assert box.phase().label == "t2.allied_movement"
    written(box, "allied", "done")
    assert box.phase().label == "t2.allied_combat"


def test_a_line_for_a_later_section_closes_nothing_before_it(tmp_path: Path) -> None:
    """A line that is written for the end of the turn, under its heading or without, leaves the sections
    before it open."""
    for heading in ("", "[entrenchment]\n"):
        folder = tmp_path / (heading.strip("[]\n") or "none")
        folder.mkdir()
        box = at_phase(folder, "allied_movement", FRONT, supply=["11 Gold"])
        written(box, "allied", "[movement]\n8/4 to 2324")
        written(box, "allied", f"{heading}entrench 22/4")
        assert kept(box, "allied") == {"movement": ["8/4 to 2324"], "entrenchment": ["entrench 22/4"]}
        assert closed(box, "allied") == [] and box.phase().label == "t2.allied_movement"
        written(box, "allied", "done entrenchment")
        assert closed(box, "allied") == ["entrenchment"] and box.phase().label == "t2.allied_movement"


def test_the_heading_of_a_section_that_is_over_never_means_the_next_turn(tmp_path: Path) -> None:
    """[movement] after the first movement is neither [movement 2] nor the movement of the next turn: the line
    is told to be of no use, and nothing is played."""
    box = at_phase(tmp_path, "allied_movement", FRONT, supply=["11 Gold"])
    written(box, "allied", "no orders: movement, combat")
    assert box.phase().label == "t2.allied_reinforcement"
    told = written(box, "allied", "[movement]\n8/4 to 2324\ndone")
    assert box.phase().label == "t2.allied_reinforcement"
    assert "refused: 8/4 to 2324 [movement] of turn 2 was played" in told
    assert closed(box, "allied") == [] and "movement" not in kept(box, "allied")


def test_lines_of_one_letter_never_replace_one_another(tmp_path: Path) -> None:
    """MOV.H, COM.C A second line for a unit or a hex is faulty and names why; the first one stands, with all
    its units, and nothing is played."""
    box = at_phase(tmp_path, "allied_movement", FRONT, supply=["11 Gold"])
    told = written(box, "allied", "[movement]\n8/4 to 2324\n8/4, 70 to 2325\ndone")
    assert kept(box, "allied") == {"movement": ["8/4 to 2324", "NO 8/4, 70 to 2325"]}
    assert "8/4 has already moved [MOV.H]" in told and box.phase().label == "t2.allied_movement"
    (tmp_path / "two").mkdir()
    box = at_phase(tmp_path / "two", "allied_combat", FRONT, supply=["11 Gold"])
    told = written(box, "allied", "[combat]\nattack 2625 with 22/4 naval medium\nattack 2625 with 8/4\ndone")
    assert kept(box, "allied") == {
        "combat": ["attack 2625 with 22/4 naval medium", "NO attack 2625 with 8/4"]
    }
    assert "2625 is already under attack in this phase [COM.C]" in told
    assert box.phase().label == "t2.allied_combat"


@pytest.mark.parametrize(
    "words", ["withdraw 22/4", "withdraw 2625", "withdraw attack on 2625", "withdraw L1"]
)
def test_one_attack_can_be_taken_back(tmp_path: Path, words: str) -> None:
    """An attack is taken back by its unit, its hex, or its name, and the others stay."""
    text = f"{FRONT}, 231/50 allied 7-4 2124, h german 4-1 2123"
    box = at_phase(tmp_path, "allied_combat", text, supply=["11 Gold"])
    written(box, "allied", "[combat]\nattack 2625 with 22/4\nattack 2123 with 231/50")
    told = written(box, "allied", words)
    assert "L1 is withdrawn: attack 2625 with 22/4" in told
    assert kept(box, "allied") == {"combat": ["attack 2123 with 231/50"]}


# --- set-up -------------------------------------------------------------------------------------------------


def test_a_set_up_that_lacks_units_is_not_closed(tmp_path: Path) -> None:
    """INV.1B DONE under one line of the set-up leaves it open and names the units without a place; DONE
    ANYWAY leaves them to the default."""
    box = begun(tmp_path)
    told = written(box, "german", "[set-up]\nplace FJR6 at 5918\ndone")
    assert "[set-up] stays open:" in told and "are not set up yet; DEFAULT sets up the rest [INV.1B]" in told
    assert closed(box, "german") == []
    told = written(box, "german", "done anyway")
    assert closed(box, "german") == ["set-up"] and "Left to the default in [set-up]" in told
    box.mail("allied", "[plan]\ndefault\ndone")
    assert where(box)["FJR6/2FJ"] == "5918" and box.phase().label == "t1.allied_movement"


def test_a_plan_that_lacks_units_is_not_closed(tmp_path: Path) -> None:
    """INV.1A DONE under a plan that forgets units, or supply areas, leaves it open and says so."""
    box = begun(tmp_path)
    told = written(box, "allied", "[plan]\nland 8/4 at 3 Utah\ndone")
    assert "are not in the plan yet; DEFAULT completes it [INV.1A]" in told and closed(box, "allied") == []


def test_the_default_shows_where_it_puts_units(tmp_path: Path) -> None:
    """INV.1A, INV.1B The reply to DEFAULT names each unit that it places, and where,
    to its own player alone."""
    box = begun(tmp_path)
    told = written(box, "german", "[set-up]\nplace FJR6 at 5918\ndefault")
    assert "Placed by default [INV.1B]" in told and closed(box, "german") == []
    box.mail("german", "done")
    plan = written(box, "allied", "[plan]\nland 8/4 at 4 Utah\ndefault\ndone")
    listed = told.split("Placed by default")[1].split("Waiting")[0]
    seen = queries.view_of(box.store, ID, "german")
    own = {unit.id: unit.hex for unit in seen.units if unit.place == "map"}  # type: ignore[attr-defined]
    assert "FJR6" not in listed and own.pop("FJR6/2FJ") == "5918"
    for unit, hex in own.items():
        assert unit in listed and f"{hex}:" in listed
        assert unit not in plan
    assert "5131: 919/709" in listed and "8 Omaha: 16/1, 741" in plan


def test_the_default_plan_names_its_supply_areas() -> None:
    """INV.1A Where the plan names no supply area, the default chooses, and tells the Allied player alone."""
    desk = InvasionPlan(setup("campaign", {}))
    desk.carry_out(Land(("8/4",), "3"))
    desk.fill_in()
    (note,) = [note for note in desk.state.log if isinstance(note, FilledIn)]
    assert note.readers == ("allied",) and note.supply == tuple(desk.plan.supply)
    assert "8/4" not in [id for _, ids in note.places for id in ids]
    assert {id for _, ids in note.places for id in ids} == desk.planned() - {"8/4"}


# --- questions, deaths, counts ------------------------------------------------------------------------------

BEATEN = "8/4 allied 7-4 1216, 22/4 allied 7-4 1216, g german 4-1 1215, z german 4-1 1010"


def asked_for_a_retreat(tmp_path: Path) -> Postbox:
    """The Allied player is asked which way a German retreats."""
    box = at_phase(tmp_path, "allied_combat", BEATEN, supply=["11 Gold", "16 Sword"])
    box.mail("allied", "[combat]\nattack 1215 with 8/4, 22/4\ndone")
    assert box.questions("allied") == [1]
    return box


def test_an_answer_that_cannot_be_read_keeps_a_standing_order_from_deciding(tmp_path: Path) -> None:
    """A letter with a standing order and an answer that is none decides nothing; the next answer does."""
    box = asked_for_a_retreat(tmp_path)
    told = written(box, "allied", "standing retreat: away from roads\nQ1: retreat him to 4029")
    assert '"retreat him to 4029" is none of the choices of Q1' in told and "Open: Q1." in told
    assert box.questions("allied") == [1] and box.phase().label == "t2.allied_combat"
    written(box, "allied", "status")
    assert box.questions("allied") == [1]
    written(box, "allied", "Q1: d please")
    assert where(box)["g"] == "1015" and box.questions("allied") == []


def test_a_standing_order_without_a_faulty_answer_decides(tmp_path: Path) -> None:
    """A standing order sent alone answers the question, and so does one that is sent anew after a faulty
    answer."""
    box = asked_for_a_retreat(tmp_path)
    written(box, "allied", "standing retreat: away from roads\nQ1: sideways")
    told = written(box, "allied", "standing retreat: away from roads")
    assert "Decided for you" in told and box.questions("allied") == []


def test_an_order_for_a_unit_that_has_died_is_passed_over(tmp_path: Path) -> None:
    """Lines that were closed for a unit that falls in battle are passed over with the reason, and stop
    nothing."""
    text = "8/4 allied 2-4 commando 1216, 12/4 allied 7-4 3024, g german 15-6 1215, z german 4-1 1010"
    box = at_phase(tmp_path, "allied_combat", text, supply=["11 Gold", "16 Sword"])
    attack = "[combat]\nattack 1215 with 8/4\n[movement 2]\n8/4 to 1217"
    lines = f"{attack}\n[entrenchment]\nentrench 8/4\nentrench 12/4"
    told = written(box, "allied", f"{lines}\ndone all\nno orders: reinforcement")
    assert "8/4" not in where(box) and box.phase().label == "t2.german_movement"
    assert "passed over L2 8/4 to 1217 8/4 is no longer on the map [MOV]" in told
    assert "passed over L3 entrench 8/4 8/4 is lost [ENT]" in told
    assert "carried out L4 entrench 12/4" in told


COUNTED = (
    "731/711 german 4-1 later turn:2 edge:south, 744/711 german 4-1 later turn:2 edge:south,"
    "763/711 german 4-1 2524, 919/709 german 4-1 2524, 8/4 allied 7-4 2626, z allied 7-4 3013"
)


def test_units_that_come_onto_the_map_are_counted(tmp_path: Path) -> None:
    """OOB.R ``enter 2x 4-1 at <hex>`` counts units that may come now: the hex is where they enter."""
    box = at_phase(tmp_path, "german_movement", COUNTED, supply=["11 Gold"])
    written(box, "german", "[movement]\nenter 2x 4-1 at 0801\ndone")
    assert [id for id, hex in where(box).items() if hex == "0801"] == ["731/711", "744/711"]


def test_all_units_of_a_hex_are_those_that_will_be_there(tmp_path: Path) -> None:
    """``with all at <hex>`` in an attack means those whom the lines before it send there; ``2x 4-1 at <hex>``
    passes over those who leave it."""
    box = at_phase(tmp_path, "german_movement", COUNTED, supply=["11 Gold"])
    told = written(
        box,
        "german",
        "[movement]\n1x 4-1 at 2524 to 2525\n1x 4-1 at 2524 to 2625\n[combat]\nattack 2626 with all at 2525",
    )
    lines = box.seat("german").sheet["lines"]
    orders = {line["name"]: line["line"]["order"].get("units") for line in lines}
    assert sorted(unit for name in (1, 2) for unit in orders[name]) == ["763/711", "919/709"]
    assert orders[3] == orders[1] and "NO" not in told.split("Your lines")[1].split("Waiting")[0]


# --- who is asked -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "supply"),
    [
        ("8/4 allied 7-4 2626, g german 10d6 2625", ["3 Utah"]),
        ("70 allied 6-10 2626, g german 4-1 2625", ["3 Utah"]),
    ],
)
def test_who_stands_next_to_an_enemy_is_asked_to_attack(text: str, supply: list[str]) -> None:
    """COM Both sides are asked for attacks whenever enemies stand side by side, whether anybody can attack or
    not; and never else."""
    for phase in (combat.allied_combat, combat.german_combat):
        request = opening(phase, game(text, supply=supply))
        assert request is not None and request.section == "combat"
        request.check(None)
        assert opening(phase, game(text.replace("2625", "1010"), supply=supply)) is None


def test_movement_and_reinforcement_are_always_asked_for() -> None:
    """MOV, INV.4 Whether anybody can move or land depends on supply and on units that nobody sees: the side
    is asked in any case."""
    state = "8/4 allied 7-4 2626, g german 4-1 2625"
    for phase in (
        movement.allied_first_movement,
        movement.allied_second_movement,
        reinforcement.allied_reinforcement,
        movement.german_first_movement,
        movement.german_second_movement,
    ):
        assert opening(phase, game(state)) is not None, phase


def test_a_side_that_cannot_attack_may_still_say_so() -> None:
    """COM.I An attack by units without supply is refused with its reason, not with the news that no phase was
    there for it."""
    request = opening(combat.allied_combat, game("8/4 allied 7-4 2626, g german 4-1 2625"))
    with pytest.raises(Exception, match="out of supply"):
        request.check(Attack(("2625",), ("8/4",)))


def test_a_standing_order_is_cleared_by_its_kind(tmp_path: Path) -> None:
    """`standing clear losses` takes off the lines of that kind, those that name units too, and no other."""
    box = at_phase(tmp_path, "allied_movement", "70 allied 6-10 2626, 8/4 allied 7-4 2626, g german 4-1 2424")
    box.mail("allied", "standing losses: spare 70, 8/4\nstanding retreat: away from roads\n")
    assert [line["kind"] for line in box.seat("allied").standing] == ["losses", "retreat"]
    box.mail("allied", "standing clear losses\n")
    assert [line["kind"] for line in box.seat("allied").standing] == ["retreat"]
