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
* command.py standing.py bot.py plan.py paths.py invariants.py
                                  seats, standing orders, the bots, what must always hold
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.language import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.rampage import (
    administration,
    airborne,
    bot,
    invariants,
    operations,
    orders,
    phrasing,
    plan,
    replacement,
    report,
    setup,
    standing,
    supply_die,
    victory,
    view,
)
from pbem.games.rampage.command import two_commanders
from pbem.games.rampage.sequence import PHASES
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import CAMPAIGN, place_name

SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    desk.section: desk.takes
    for desk in (
        setup.SetUp,
        supply_die.Grounding,
        replacement.Replacement,
        airborne.Assault,
        operations.Operations,
        administration.Arrival,
    )
}

GRAMMAR = Grammar(
    respelt=phrasing.RESPELT,
    sayings=phrasing.SAYINGS,
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
        Option(
            "command", ("one", "two"), "one = a single commander; two = a player for each army group", "1.1"
        ),
        Option(
            "airborne",
            ("us", "british", "both"),
            "with two commanders, which of them orders the airborne army; both = either",
            "13.1",
        ),
        Option(
            "heavy_bombers", ("no", "yes"), "allow heavy bombers against the Argentan-Falaise Pocket", "14.2"
        ),
        Option("montgomery", ("no", "yes"), "a win also requires Arnhem", "14.1"),
        Option(
            "afp",
            ("half", "round"),
            "breakout from the Argentan-Falaise Pocket: half = only the Germans fire; round = "
            "the Allies fire back",
            "11.3",
        ),
        Option(
            "v1",
            ("six", "seven"),
            "the launching sites: the six listed in the rules, or also 2206",
            "4.1",
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
            "Map, charts and much of the order of battle are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    judge=bot.judge,
    plan=plan.PLAN,
    invariants=invariants.invariants,
)
