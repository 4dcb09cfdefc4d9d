"""How players say things who know the rulebook and not the usage lines: each idiom takes every word of a
line, and stands for canonical lines (`pbem.engine.language.heads`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine.language import Idiom
from pbem.games.normandy71.tables import OOB, Entry

PLAN = ("plan",)
SET_UP = ("set-up",)
DEPLOYMENT = PLAN + SET_UP


ENTRIES: Mapping[str, Entry] = {name: line.entry for line in OOB.allied for name in line.names}
"""How the Allied units of the order of battle come into play."""


def _entering(entry: Entry) -> Callable[[Mapping[str, Any]], bool]:
    """Whether all units of a line come into play in this way."""

    def check(values: Mapping[str, Any]) -> bool:
        units = [unit for name in ("units", "others", "more") for unit in values.get(name, ())]
        return all(ENTRIES.get(unit) == entry for unit in units)

    return check


_AT = '(at|on|in|to|":")'
_COME = (
    "(land|lands|come ashore|comes ashore|go ashore|goes ashore|go in|goes in|arrive|arrives|come in"
    "|comes in)"
)
_JUMP = "(drop|drops|jump|jumps|land|lands|are dropped|is dropped)"
_SIT = (
    "(go|goes|start|starts|set up|sets up|sit|sits|stand|stands|deploy|deploys|begin|begins|is|are|defend"
    "|defends)"
)
_REST = "(the rest|rest|the others|all others|all the others|everyone else|everybody else|everything else)"
_ANYWHERE = (
    "(wherever you like|where you like|wherever you want|where you want|anywhere|anywhere you like"
    "|as you like|as default|by default|default|as the computer likes|where the computer likes)"
)

IDIOMS = (
    # --- plan
    Idiom('[beach] <beach:beach> [beach] ":" <units>', "land {units} at {beach}", PLAN),
    Idiom(
        "[(we draw|we get|draw|our)] (supply|supplies|supply areas|supply area|supply beaches)"
        ' [(are|is|come from|comes from|will be)] [(at|on|from|":")] [the] [(beach|beaches)]'
        " <beaches:beach...>",
        "supply from {beaches}",
        PLAN,
    ),
    Idiom(
        f"<units> [{_COME}] {_AT} <hex> [[and] <others:units> [{_COME}] {_AT} <way:hex>]"
        f" [[and] <more:units> [{_COME}] {_AT} <third:hex>]",
        "commando {units} at {hex}\ncommando {others} at {way}\ncommando {more} at {third}",
        PLAN,
        check=_entering("commando"),
    ),
    Idiom(
        f"<units> [{_JUMP}] {_AT} <hex> [[and] <others:units> [{_JUMP}] {_AT} <way:hex>]"
        f" [[and] <more:units> [{_JUMP}] {_AT} <third:hex>]",
        "drop {units} at {hex}\ndrop {others} at {way}\ndrop {more} at {third}",
        PLAN,
        check=_entering("paradrop"),
    ),
    # --- set-up
    Idiom(
        f"<units> {_SIT} [(to|at|in|on)] [the] [(fort|fortress)] [(at|in|on)] <hex>",
        "place {units} at {hex}",
        SET_UP,
    ),
    Idiom("<units> (to|at|in|on) [the] (fort|fortress) [(at|in|on)] <hex>", "place {units} at {hex}", SET_UP),
    Idiom(f"[put] {_REST} [(go|goes|is|are|drop|land)] {_ANYWHERE}", "default", DEPLOYMENT),
)
