"""N15 What a side cannot know changes nothing of what it is told, not by one byte: the other side's
allocation until both are in, drafts, orders that wait for their phase, and standing orders."""

from __future__ import annotations

from pathlib import Path

import pytest
from sizes import some

from tests.correspondence import Watch

PROBES = (
    "status\nlog\nhistory\nmap\norders\nstanding\n",
    "try\n[allocation]\nsupport VII/US\ncover VII/US\n",
    "try\n[allocation]\nsupport LXXXIV\n",
    "try\n[phase A]\nmove 101AB to 0718\nif we have the initiative, attack 0519 with 4US\n",
    "try\n[phase A]\nmove FJR6 to 1019\nif LXXXIV is supported, move 243ID to 0622\n",
    "draft\n[phase B]\nmove 709ID to 0518\nmove 4US to 0517\n",
    "try\n[phase A]\nmove 271ID to 1605\n[phase B]\nmove 271ID to 1605\nmove 3BR to 0909\n",
    "try\n[phase B]\nattack 1216 with 352ID\nattack 1111 with 277ID\n",
)


WATCH = Watch("normandy44", "cherbourg", PROBES, "cherbourg")
ALLIED = (
    "[allocation]\nsupport VII/US\nstanding support: always\n",
    "[allocation]\nif weather is clear, cover VII/US\nstanding advance: never\n",
)
GERMAN = (
    "[allocation]\nsupport LXXXIV\nstanding losses: lose steps before ground in bocage\n",
    "[allocation]\ntry support Schn30\nstanding support: with LXXXIV when it changes the column\n",
)


@pytest.mark.parametrize("done", some(["", "done all\n"], 1))
@pytest.mark.parametrize(("writer", "reader"), [("allied", "german"), ("german", "allied")])
def test_2_3_what_the_other_side_allocates(tmp_path: Path, writer: str, reader: str, done: str) -> None:
    """2.3 Until both have allocated, neither knows what the other has, be it closed or a draft;
    nor its standing orders."""
    letters = ALLIED if writer == "allied" else GERMAN
    WATCH.alike(tmp_path, reader, (), [(writer, text + done) for text in letters])


def test_2_4_where_aircraft_and_bombers_go(tmp_path: Path) -> None:
    """2.4, 10.3, 10.4 The same of the air plan of the Cobra scenario: zones, boxes and targets."""
    plans = (
        "draft\n[allocation]\nsupport VII/US\ninterdict zone II with UK\ndelay Paris\n",
        "draft\n[allocation]\ninterdict zone III with US\ndelay Le Mans\n",
    )
    WATCH.alike(tmp_path, "german", (), [("allied", text) for text in plans], scenario="cobra")


def test_10_2_a_way_is_no_dearer_for_a_fighter_that_nobody_has_seen(tmp_path: Path) -> None:
    """2.4, 10.2 What moves would cost is told as if no air zone were interdicted,
    until both sides have allocated."""
    bombs = "carpet 1108 with UK"
    plans = (
        f"[allocation]\n{bombs}\ninterdict zone IV\ncover XIX/US with 2 fighters\n",
        f"[allocation]\n{bombs}\ninterdict zone I\n",
    )
    WATCH.alike(tmp_path, "german", (), [("allied", text) for text in plans], scenario="cobra")


@pytest.mark.parametrize("done", some(["", "done all\n"], 1))
@pytest.mark.parametrize(("writer", "reader"), [("allied", "german"), ("german", "allied")])
def test_2_6_orders_that_wait_for_their_phase(tmp_path: Path, writer: str, reader: str, done: str) -> None:
    """2.6 What is written ahead for phases A and B, with its conditions, is not known before it is played."""
    ahead = {
        "allied": (
            "[phase A]\nif we have the initiative, move 101AB to 0718\n[phase B]\nmove 4US to 0517\n",
            "[phase B]\nif 0519 is held by the enemy, attack 0519 with 4US\n",
        ),
        "german": (
            "[phase A]\nif not we have the initiative, move FJR6 to 1019\n",
            "[phase B]\nif weather is clear, move 243ID to 0622\n",
        ),
    }
    WATCH.alike(tmp_path, reader, (), [(writer, text + done) for text in ahead[writer]])
