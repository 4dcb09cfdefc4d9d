"""Normandy 1944, from D-Day to the end of August, as the rest of pbem sees it.
One chapter of the rulebook in each module:

* sequence.py setup.py                                1, 2, scenarios
* weather.py allocation.py administration.py          2.1 to 2.4 (2.2 in weather.py), 2.7, 8.5
* stacking.py zones.py                                3.1, 4
* reach.py movement.py activation.py offensive.py     3.2, 5, 6.2
* headquarters.py support.py                          6.4; 6.3 and fighters in combat (10.1)
* odds.py combat.py losses.py retreat.py advance.py   7; 9 in combat.py and support.py
* supply.py                                           8
* carpet.py naval.py                                  10.3, 12; interdiction (10.2) in reach.py and retreat.py
* reinforcement.py ports.py replacement.py            2.5, 10.4, 11, 13, 14
* landing.py                                          15
* control.py victory.py                               2.8, scenarios
* view.py report.py                                   what a side may know, what letters show of it
* desk.py preview.py forecast.py                      what desks share, what they say of an order,
                                                      lines that can never act
* standing.py bot.py invariants.py                         standing orders, the bot, what must always hold
* plan.py                                             the planner's ways to play
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.language import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.normandy44 import (
    activation,
    administration,
    allocation,
    bot,
    invariants,
    landing,
    orders,
    phrasing,
    plan,
    report,
    setup,
    standing,
    victory,
    view,
)
from pbem.games.normandy44.sequence import PHASES
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import AIR_ZONES, BOX_NAMES, CHARTS, place_name

SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    "landing": landing.FirstWave.takes,
    "reaction": activation.VERBS["reaction"],
    "allocation": allocation.Allocation.verbs,
    "phase A": activation.VERBS["A"],
    "phase B": activation.VERBS["B"],
    "end": administration.EndOfTurn.verbs,
}

GRAMMAR = Grammar(
    respelt=phrasing.RESPELT,
    turns=phrasing.TURNS,
    sayings=phrasing.SAYINGS,
    conditions=orders.CONDITIONS,
    policies=standing.POLICIES,
    words={
        "zone": tuple(AIR_ZONES),
        "box": BOX_NAMES,
        "army": ("US", "UK"),
        "weather": ("clear", "overcast", "adverse"),
        "odds": CHARTS.combat.columns,
        "holder": HOLDERS,
        **standing.WORDS,
    },
    aliases={"army": dict.fromkeys(phrasing.AMERICAN, ("US",)) | dict.fromkeys(phrasing.BRITISH, ("UK",))},
    sections=SECTIONS,
)

GAME: Game[State] = Game(
    key="normandy44",
    title="Normandy 1944",
    rules="2",
    seats=(Seat("allied", "Allied", "allied"), Seat("german", "German", "german")),
    scenarios={
        "campaign": Scenario("From D-Day to the end of August 1944", victory.LAST_TURN["campaign"]),
        "cherbourg": Scenario(
            "The drive on Cherbourg, 6 June to 3 July 1944", victory.LAST_TURN["cherbourg"]
        ),
        "cobra": Scenario("Operation Cobra, 18 July to the end of August 1944", victory.LAST_TURN["cobra"]),
    },
    options=(
        Option(
            "allocation",
            ("simultaneous", "in order"),
            "simultaneous: both sides allocate in secret; in order: the Allies first, and the Germans see it",
            "2.3",
        ),
        Option("carpet", ("yes", "no"), "whether armies may carpet bomb in the campaign", "10.3"),
        Option(
            "retreat",
            ("free", "two"),
            "free: a defender may take a whole result in hexes; two: at most 2 hexes",
            "7.3",
        ),
        Option(
            "lines",
            ("depot", "headquarters"),
            "depot: units trace supply to a depot; headquarters: to a headquarters that traces it to a depot",
            "8.2",
        ),
        Option(
            "caen",
            ("one", "both"),
            "how many hexes of Caen the Germans must hold at the end of turn 10 of Cobra",
            "S2",
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
        place=place_name,
        credits=(
            "Map, charts, placements and most values of the counters are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    judge=bot.judge,
    plan=plan.PLAN,
    invariants=invariants.invariants,
)
