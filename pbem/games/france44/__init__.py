"""France 1944, from the breakout of July 1944 to the end in May 1945, as the rest of pbem sees it.
One chapter of the rulebook in each module:

* sequence.py setup.py begin.py cycle.py                    1, 2, 13
* zones.py command.py headquarters.py                       3.3, 4
* activation.py reaction.py series.py commanded.py track.py  5, 6
* movement.py stacking.py control.py                        7, 11.3
* odds.py combat.py losses.py retreat.py advance.py         8, 9
* administration.py attrition.py replacement.py             10.1.1, 10.1.2
* south.py arrivals.py                                      10.1.3 to 10.1.6
* supply.py                                                 11
* airborne.py crossing.py advantage.py                      12.3, 12.4, 12.6 to 12.10
* victory.py milestones.py                                  2.0.12, 13
* view.py report.py preview.py                              what a side may know, what letters show of it,
                                                            chances beforehand
* reference.py outcomes.py                                  charts and what wins in words;
                                                            what comes of a combat, in chances and words
* state.py tables.py orders.py idioms.py notes.py           what is on the map, data, order verbs, other words
                                                            for them, what the log can say
* desk.py forecast.py standing.py bot.py invariants.py           what all desks share, lines written ahead,
                                                            standing orders, the bot, what must always hold
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.language import Grammar, Order
from pbem.engine.verbs import HOLDERS
from pbem.games.france44 import (
    activation,
    bot,
    cycle,
    idioms,
    invariants,
    orders,
    reaction,
    reference,
    report,
    setup,
    standing,
    victory,
    view,
)
from pbem.games.france44.plan import PLAN
from pbem.games.france44.sequence import PHASES
from pbem.games.france44.state import State
from pbem.games.france44.tables import SCENARIOS, place_name

SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    "commitment": (orders.Commit, orders.Interdict, orders.Offensive),
    "initiative": activation.VERBS["allied"],
    "reaction": (*reaction.AHEAD, *reaction.VERBS),
    "administration": (orders.Replace,),
    "south": (orders.Place,),
    "arrival": (orders.Enter,),
}

GRAMMAR = Grammar(
    conditions=orders.CONDITIONS,
    policies=standing.POLICIES,
    words={
        "air": ("tactical", "heavy"),
        "holder": HOLDERS,
        **standing.WORDS,
    },
    respelt=idioms.RESPELT,
    sayings=idioms.SAYINGS,
    sections=SECTIONS,
    titles=cycle.TITLES,
    turns=orders.TURNS,
    idioms=idioms.IDIOMS,
    stages=idioms.STAGES,
    commanded=idioms.commanded,
)

GAME: Game[State] = Game(
    key="france44",
    title="France 1944",
    rules="3",
    seats=(Seat("allied", "Allied", "allied"), Seat("german", "German", "german")),
    scenarios={
        "falaise": Scenario("Falaise Gap, July 1944", SCENARIOS.of("falaise").last_turn),
        "westwall": Scenario(
            "Breakout to the West Wall, July to September 1944", SCENARIOS.of("westwall").last_turn
        ),
        "rhine": Scenario("To the Rhine, July 1944 to March 1945", SCENARIOS.of("rhine").last_turn),
        "crusade": Scenario("Crusade in Europe, July 1944 to May 1945", SCENARIOS.of("crusade").last_turn),
    },
    options=(
        Option(
            "advantage",
            ("no", "yes"),
            "yes: the side with the Advantage may have a die rerolled (never in Falaise Gap)",
            "12.10",
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
        charts=reference.charts,
        place=place_name,
        credits=(
            "Map, placements, charts and most values of the counters are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    judge=bot.judge,
    plan=PLAN,
    invariants=invariants.invariants,
)
