"""Normandy: The Invasion of Europe 1944 (1971), as the rest of pbem sees it.
One chapter of the rulebook in each module:

* sequence.py                               SEQ, LEN
* setup.py planning.py deployment.py invasion.py    OOB, INV
* movement.py march.py stacking.py zones.py MOV, STK, ZOC
* allotment.py odds.py combat.py retreat.py naval.py    COM, NAV
* supply.py entrenchment.py paratroops.py reinforcement.py    SUP, ENT, PAR, OOB.R
* victory.py                                VIC
* view.py report.py preview.py    what a side may know, what letters show of it, odds beforehand
* standing.py bot.py invariants.py     standing orders, the bot, what must always hold
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.orders import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.normandy71 import bot, invariants, orders, preview, report, setup, standing, victory, view
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
    "plan": (orders.Land, orders.Supply, orders.Drop, orders.Commando, orders.UseDefault),
    "set-up": (orders.Place, orders.UseDefault),
    "movement": MOVEMENT,
    "combat": (orders.Attack, orders.Disentrench),
    "reinforcement": (orders.Land, orders.Glide),
    "movement 2": MOVEMENT,
    "entrenchment": (orders.Entrench,),
}

GRAMMAR = Grammar(
    conditions=(orders.Empty, orders.Held, orders.Alive),
    policies=standing.POLICIES,
    words={
        "mission": MISSIONS,
        "beach": (*BEACHES, *(name.split()[0] for name in BEACHES)),
        "holder": HOLDERS,
        "odds": CHARTS.combat.columns,
    },
    sections=SECTIONS,
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
            "literal: medium gunfire adds 25 and heavy 10, as the rulebook's example has it; monotone: "
            "the other way round",
            "NAV",
        ),
        Option(
            "lift",
            ("resolution", "allocation"),
            "when markers of attacked hexes are lifted: when the combat is resolved, "
            "or before gunfire is allotted",
            "ENT.B",
        ),
        Option(
            "thirty",
            ("lower", "upper"),
            "whether 30 points, which stand in two rows of the table, are an Allied Marginal "
            "(lower) or Provisional victory",
            "VIC.L",
        ),
    ),
    state=State,
    setup=setup.setup,
    phases=PHASES,
    grammar=GRAMMAR,
    roster=view.roster,
    view=view.view,
    report=Report(
        board=report.board,
        summary=report.summary,
        result=victory.result,
        credits=(
            "Map, charts, counters and the Allied order of battle are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    preview=preview.preview,
    judge=bot.judge,
    invariants=invariants.invariants,
)
