"""Normandy: The Invasion of Europe 1944 (1971), as the rest of pbem sees it.
One chapter of the rulebook in each module:

* sequence.py                                               SEQ, LEN
* setup.py deployment.py invasion_plan.py invasion.py       OOB, INV
* movement.py reach.py stacking.py zones.py                 MOV, STK, ZOC
* allocation.py odds.py combat.py retreat.py naval.py       COM, NAV
* supply.py entrenchment.py paradrop.py paratroops.py reinforcement.py    SUP, ENT, PAR, OOB.R
* victory.py                                                VIC
* view.py disclosure.py report.py preview.py    what a side may know, what letters show, odds of an order
* standing.py bot.py invariants.py                   standing orders, the bot, what must always hold
* plan.py guess.py                         the planner's ways to play, and what it makes of what it cannot see
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.language import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.normandy71 import (
    bot,
    idioms,
    invariants,
    orders,
    phrasing,
    plan,
    report,
    setup,
    standing,
    victory,
    view,
)
from pbem.games.normandy71.allocation import Allocation
from pbem.games.normandy71.deployment import GermanSetup
from pbem.games.normandy71.entrenchment import Announcement
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.reinforcement import Landing
from pbem.games.normandy71.sequence import PHASES
from pbem.games.normandy71.state import LAST_TURN, State
from pbem.games.normandy71.tables import BEACHES, CHARTS

MISSIONS = ("heavy", "medium", "light", "any", "none")
MOVEMENT: tuple[type[Order], ...] = (
    orders.Move,
    orders.Exit,
    orders.Enter,
    orders.Break,
    orders.Build,
    orders.Disentrench,
)
SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    InvasionPlan.section: InvasionPlan.takes,
    GermanSetup.section: GermanSetup.takes,
    "movement": MOVEMENT,
    Allocation.section: Allocation.takes,
    Landing.section: Landing.takes,
    "movement 2": MOVEMENT,
    Announcement.section: Announcement.takes,
}


def beach_names() -> dict[str, tuple[str, ...]]:
    """What invasion beaches go by: number, name or hex, in any order."""
    found: dict[str, tuple[str, ...]] = {}
    for beach, hex in BEACHES.items():
        number, name = beach.split()
        for words in (
            hex,
            f"{name} {number}",
            f"{name} beach {number}",
            f"{name} {hex}",
            f"{hex} {name}",
            f"{beach} {hex}",
        ):
            found[words] = found[f"beach {words}"] = (beach,)
        found[f"beach {number}"] = found[f"beach {beach}"] = (beach,)
        for words in (name, f"{name} beach"):
            found[words] = (*found.get(words, ()), beach)
    return found


def mission_names() -> dict[str, tuple[str, ...]]:
    """``heavy naval gunfire``, ``medium ships``: a mission with the word for the guns."""
    guns = (
        "gunfire",
        "naval gunfire",
        "ngs",
        "ships",
        "guns",
        "mission",
        "naval support",
        "naval",
        "support",
    )
    return {f"{mission} {word}": (mission,) for mission in MISSIONS for word in guns}


GRAMMAR = Grammar(
    idioms=idioms.IDIOMS,
    respelt=phrasing.RESPELT,
    sayings=phrasing.SAYINGS,
    conditions=(orders.Empty, orders.Held, orders.Alive),
    policies=standing.POLICIES,
    words={
        "mission": MISSIONS,
        "beach": (*BEACHES, *(name.split()[0] for name in BEACHES)),
        "holder": HOLDERS,
        "odds": CHARTS.combat.columns,
    },
    aliases={"beach": beach_names(), "mission": mission_names()},
    sections=SECTIONS,
    writers={
        InvasionPlan.section: ("allied",),
        GermanSetup.section: ("german",),
        Landing.section: ("allied",),
    },
)

GAME: Game[State] = Game(
    key="normandy71",
    title="Normandy: The Invasion of Europe 1944 (1971)",
    rules="1",
    seats=(Seat("allied", "Allied", "allied"), Seat("german", "German", "german")),
    scenarios={"campaign": Scenario("The first six days, 6 to 11 June 1944", LAST_TURN)},
    options=(
        Option(
            "naval",
            ("literal", "monotone"),
            "literal: medium gunfire adds 25 and heavy 10, as in the rulebook's example; monotone: "
            "the other way round",
            "NAV",
        ),
        Option(
            "lift",
            ("resolution", "allocation"),
            "when markers of attacked hexes are lifted: when the combat is resolved, "
            "or before gunfire is allocated",
            "ENT.B",
        ),
        Option(
            "thirty",
            ("lower", "upper"),
            "whether 30 points, which are in two rows of the table, are an Allied Marginal "
            "(lower) or Provisional victory",
            "VIC.L",
        ),
    ),
    state=State,
    setup=setup.setup,
    phases=PHASES,
    grammar=GRAMMAR,
    roster=view.roster,
    where=State.hex_of,
    heading=view.title,
    view=view.view,
    report=Report(
        board=report.board,
        summary=report.summary,
        story=report.story,
        result=victory.result,
        figures=attrgetter("figures"),
        credits=(
            "Map, charts, counters and the Allied order of battle are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    judge=bot.judge,
    plan=plan.PLAN,
    invariants=invariants.invariants,
)
