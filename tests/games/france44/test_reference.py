"""The charts that HELP sends (1.5, 1.6, 6.0, 13): whole, true to the data,
and marked where they are reconstructed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from postbox import Postbox

from pbem.games.france44 import reference
from pbem.games.france44.tables import GERMAN_CITIES, SCENARIOS, TRACK, TURNS
from tests.correspondence import begun
from tests.games.france44.correspondence import GAME, SCRIPT
from tests.games.france44.kit import game


def chart(name: str, scenario: str = "crusade") -> str:
    return "\n".join(reference.charts(game(scenario=scenario))[name])


def test_6_0_the_track_has_every_box_with_its_points_and_those_that_follow() -> None:
    """6.0 Twenty boxes, and nothing reconstructed that is not marked."""
    lines = [line for line in chart("track").splitlines() if line.startswith("box ")]
    assert len(lines) == len(TRACK) == 20
    assert lines[3] == "box 4: first box, 2/2/2/2 points, attack from allowance 2 on; then 8, 9, 10 ~"
    assert lines[5] == "box 6: 0/0/0/2 points, attack from allowance 6 on; the end ~"
    for line, box in zip(lines, TRACK.values(), strict=True):
        assert line.endswith("~") == ("reconstructed" in box.source)


def test_9_6_the_matrix_and_the_ground() -> None:
    """7.0, 9.4, 9.6 Costs, morale by terrain, hit changes by strength and by morale tests."""
    ground, combat = chart("terrain"), chart("combat")
    assert "clear 1, rough 2" in ground and "fortress: +2, +1 ~" in ground
    assert "triple or more, at least 3 times the defender's: -1, +1 ~" in combat
    assert "half at most, otherwise: +2, -1 ~" in combat and "a hit costs a step" in combat
    assert "cadres (units that have lost 2 steps) have none [3.2, 3.3]" in ground
    assert "(repulse): +1, -1; +1, -1; the defender may retreat ~" in combat
    assert "1, 1, 1, 2, 2, 3 [9.5]" in combat


def test_2_0_the_months() -> None:
    """2.0.3 to 2.0.5, 10.1.2 Every turn with air, supply, reaction and replacements."""
    lines = [line for line in chart("turns").splitlines() if re.match(r"\d+ ", line)]
    assert len(lines) == len(TURNS) and all(line.endswith("~") for line in lines)
    assert "supply Allied 3 (+1 with Antwerp), German 2" in lines[3]
    assert "0 and 1; surrounded 1 and 2 [10.1.1]" in chart("supply")


def test_11_2_the_sources_of_supply_are_those_of_the_position() -> None:
    """11.2, 11.3 Where each side is fed now, the southern row once it is open."""
    state = game("VII/US 3510", control={"1207": "allied", "1609": "german"}, south_open=True)
    *_, ours, theirs = reference.charts(state)["supply"]
    assert ours == "Allied sources now: Cherbourg (1207), the southern row [11.2, 11.3]."
    assert "Le Havre (1609)" in theirs and "Aachen (3310)" in theirs and "Cologne" not in theirs


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        ("falaise", ("Falaise (1410)", "9 or more: Allied decisive victory. 5 or more: Allied marginal")),
        ("falaise", ("  +1 for each German unit out of supply at the end", "  -2 for each Allied unit elim")),
        ("westwall", ("Paris (2113) +2", "8 or more: Allied victory. 4 or more: a draw", "in supply on it")),
        ("rhine", ("At the end 4 or more: Allied decisive", "From September 1944 on")),
        ("crusade", ("3 bridgeheads", "8 of these cities", *GERMAN_CITIES.values())),
    ],
)
def test_13_what_wins_is_told_for_the_scenario_that_is_played(scenario: str, told: tuple[str, ...]) -> None:
    """13.1, 13.2 Towns, points and levels, with their source, and no other scenario."""
    text = chart("victory", scenario)
    assert all(words in text for words in told)
    assert f"Source: {SCENARIOS.of(scenario).source}." in text
    assert sum(other.title in text for other in map(SCENARIOS.of, GAME.scenarios)) == 1


def test_help_sends_the_charts(tmp_path: Path) -> None:
    """1.5 HELP with the name of a chart sends it; HELP and a topic that is unknown say which there are."""
    box: Postbox = begun(tmp_path / "gap.pbem", SCRIPT, {}, "1")
    for asked, told in (
        ("HELP track", "box 20: 0/0/0/1 points"),
        ("HELP Victory", "Avranches (1111)"),
        (
            "HELP nonsense",
            "Charts: HELP track, HELP terrain, HELP combat, HELP supply, HELP turns, HELP victory",
        ),
    ):
        after = box.last()
        box.mail("allied", f"{asked}\n")
        text = " ".join(" ".join(box.texts(box.address("allied"), after)).split())
        assert told in text
