"""The Pocket at Falaise, as the rest of pbem sees it. One chapter of the rulebook in each module:

* sequence.py                                  4
* setup.py victory.py                          3.0 to 3.3, 11.8
* placing.py victory.py                        3.4
* stacking.py                                  5, 11.7
* zones.py opfire.py communication.py          6
* activation.py movement.py march.py           7
* bombardment.py                               8, 12.3
* ratings.py recovery.py                       9, 2.2, 11.6
* assault.py retreat.py advance.py             10, 11.9.1, 11.9.2
* attaching.py                                 11.1, 12.2
* activation.py                                which command acts: 11.2, 11.10, 12.1; night: 12.4
* counterattack.py entering.py                 11.3, 12.2
* zone86.py entering.py                        11.4
* command.py                                   11.5, 11.6, and what fills the cup
* restrictions.py                              11.9, and where else units may not go
* paris.py                                     12.5
* solitaire.py                                 13
* view.py report.py preview.py                 2.1; what a side may know, what letters show of it,
                                               chances beforehand
* forecast.py standing.py bot.py plan.py            conditions, standing orders, the bots
* invariants.py                                what must always hold
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.engine.game import Game, Option, Report, Scenario, Seat
from pbem.engine.language import Grammar, Order
from pbem.games.falaise import (
    activation,
    assault,
    bombardment,
    bot,
    counterattack,
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
from pbem.games.falaise.sequence import PHASES
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import CHARTS, COMMAND_NAMES, COMMAND_TITLES

SECTIONS: Mapping[str, tuple[type[Order], ...]] = {
    "set-up": setup.SetUp.takes,
    "redeployment": setup.Redeployment.takes,
    "counterattack": counterattack.Gathering.takes,
    "bombardment": bombardment.Bombardment.takes,
    **dict.fromkeys(COMMAND_NAMES, activation.Round.takes),
}

GRAMMAR = Grammar(
    respelt=phrasing.RESPELT,
    sayings=phrasing.SAYINGS,
    conditions=orders.CONDITIONS,
    policies=standing.POLICIES,
    words={**standing.WORDS, "odds": assault.ODDS},
    sections=SECTIONS,
    titles=COMMAND_TITLES,
    formations=COMMAND_NAMES,
    writers={key: (activation.side_of(key),) for key in COMMAND_NAMES},
)

GAME: Game[State] = Game(
    key="falaise",
    title="The Pocket at Falaise",
    rules="2",
    seats=(
        Seat("german", "German", "german"),
        Seat("allied", "Allied", "allied", system=lambda options: options.get("players") == "one"),
    ),
    scenarios={"campaign": Scenario("17 to 21 August 1944", CHARTS.turns.number)},
    options=(
        Option("players", ("two", "one"), "one: a solitaire game, the system plays the Allies", "13.0"),
        Option(
            "better_command", ("no", "yes"), "the Germans choose which command begins turns 1 to 4", "12.1"
        ),
        Option(
            "stronger_counterattack", ("no", "yes"), "the counterattack attaches three more units", "12.2"
        ),
        Option("sunny_skies", ("no", "yes"), "at least three airstrikes on every day turn", "12.3"),
        Option(
            "better_coordination",
            ("no", "yes"),
            "US guns fire at hexes adjacent to Commonwealth units, and US commands are less slow at night",
            "12.4",
        ),
        Option("paris", ("no", "yes"), "the French division may leave for Paris", "12.5"),
        Option(
            "prepared",
            ("both", "allied"),
            "whose units help in the assault rounds of other commands",
            "11.9.2",
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
            "Map, charts, sectors and most values of the counters are reconstructed; "
            "coast GSHHG (LGPL), places GeoNames (CC BY 4.0)."
        ),
    ),
    judge=bot.judge,
    plan=plan.PLAN,
    invariants=invariants.invariants,
)
