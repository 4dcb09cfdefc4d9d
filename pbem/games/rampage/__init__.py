"""Rampage, the solitaire campaign from Normandy to the German border, as the rest of pbem sees it.
One chapter of the rulebook in each module:

* sequence.py                               5, 1.3
* setup.py control.py                       3, 12.1
* victory.py                                4, 14.1
* replacement.py administration.py          7, 8.9, 10.6
* defence.py                                8
* movement.py operations.py supply_die.py   6, 9
* battle.py                                 10
* pockets.py breakout.py                    11, 12, 14.2
* airborne.py                               13
* view.py report.py preview.py    what a seat knows, what letters show of it, chances beforehand
* writing.py standing.py bot.py invariants.py    seats, standing orders, the bot, what must always hold
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.orders import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.rampage import (
    administration,
    airborne,
    bot,
    invariants,
    operations,
    orders,
    preview,
    replacement,
    report,
    setup,
    standing,
    supply_die,
    victory,
    view,
)
from pbem.games.rampage.sequence import PHASES
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import CAMPAIGN, place_name
from pbem.games.rampage.writing import two_commanders

SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    "set-up": setup.VERBS,
    "grounding": supply_die.VERBS,
    "replacement": replacement.VERBS,
    "airborne": airborne.VERBS,
    "operations": operations.VERBS,
    "reinforcement": administration.VERBS,
}

GRAMMAR = Grammar(
    conditions=(orders.Held, orders.Alive, orders.Full),
    policies=standing.POLICIES,
    words={
        "lossorder": orders.LOSS_WORDS,
        "killorder": orders.KILL_WORDS,
        "holder": HOLDERS,
        **standing.WORDS,
    },
    sections=SECTIONS,
)

GAME: Game[State] = Game(
    key="rampage",
    title="Rampage",
    rules="1",
    seats=(
        Seat("allied", "Allied", "allied", played=lambda options: not two_commanders(options)),
        Seat("us", "US army group", "allied", played=two_commanders),
        Seat("british", "British army group", "allied", played=two_commanders),
    ),
    scenarios={"campaign": Scenario(CAMPAIGN.title, CAMPAIGN.turns)},
    options=(
        Option("command", ("one", "two"), "one: one commander; two: a player for each army group", "1.1"),
        Option(
            "airborne",
            ("us", "british", "both"),
            "which of two commanders orders the airborne army; both: either may",
            "13.1",
        ),
        Option("heavy_bombers", ("no", "yes"), "heavy bombers against the Argentan-Falaise Pocket", "14.2"),
        Option("montgomery", ("no", "yes"), "Arnhem is needed for a win as well", "14.1"),
        Option(
            "afp",
            ("half", "round"),
            "the breakout of the Argentan-Falaise Pocket: half: the Germans fire alone; round: "
            "the Allies fire back",
            "11.3",
        ),
        Option(
            "v1",
            ("six", "seven"),
            "the launching sites: the six that are listed, or 2206 as the seventh",
            "4.1",
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
        place=place_name,
        credits=(
            "Map, charts and much of the order of battle are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    preview=preview.preview,
    judge=bot.judge,
    invariants=invariants.invariants,
)
