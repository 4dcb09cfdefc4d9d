"""How players of France 1944 say things who know the rulebook and not the usage lines: each idiom takes every
word of a line, and stands for canonical lines (`pbem.engine.language.heads`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.engine.language import ATTACK, GOES, Idiom, Stages
from pbem.games.france44.tables import CHARTS, UNITS

COMMITMENT = ("commitment",)
INITIATIVE = ("initiative",)
REACTION = ("reaction",)
SERIES = ("initiative", "reaction")
ADMINISTRATION = ("administration",)
ARRIVAL = ("arrival",)

NICKNAMES = {
    "US1": "Bradley, Hodges",
    "US3": "Patton",
    "US9": "Simpson",
    "US7": "Patch",
    "BR2": "Dempsey",
    "CA1": "Crerar",
    "FR1": "De Lattre, de Lattre",
    "AOK7": "Hausser, Dollmann",
    "PzWest": "Eberbach, PGW, Pz Gr West",
    "AOK15": "Salmuth, von Salmuth, Zangen, von Zangen",
    "AOK1": "Knobelsdorff",
    "AOK19": "Wiese",
    "AOK1FJ": "Student",
    "V/US": "Gerow",
    "VII/US": "Collins, Lightning Joe",
    "VIII/US": "Middleton",
    "XIX/US": "Corlett",
    "XV/US": "Haislip",
    "XX/US": "Walker",
    "XII/US": "Eddy",
    "XVIII/US": "Ridgway",
    "I/BR": "Crocker",
    "VIII/BR": "O'Connor",
    "XII/BR": "Ritchie",
    "XXX/BR": "Bucknall, Horrocks",
    "II/CA": "Simonds",
    "2AD/US": "Hell on Wheels",
    "3AD/US": "Spearhead",
    "6AD/US": "Super Sixth",
    "GdsAD/BR": "Guards",
    "7AD/BR": "Desert Rats",
    "11AD/BR": "Black Bull",
    "1AD/PO": "Maczek",
    "2DB/FR": "Leclerc",
    "IIFJ": "Meindl",
    "LXXXIV": "Choltitz, von Choltitz",
    "LXXXVI": "Obstfelder, von Obstfelder",
    "LXXIV": "Straube",
    "LXXXI": "Kuntzen",
    "1SS": "LAH, LSSAH, Leibstandarte",
    "2SS": "Das Reich",
    "9SS": "Hohenstaufen",
    "10SS": "Frundsberg",
    "12SS": "HJ, Hitlerjugend, Hitler Jugend, Hitler Youth",
    "17SS": "GvB, Götz, Götz von Berlichingen",
    "Lehr": "Bayerlein, PLD, Pz Lehr",
    "116Pz": "Windhund, Greyhounds",
    "21Pz": "Feuchtinger",
}
"""What armies, corps and divisions were called, and who commanded them."""

RESPELT = (
    (r"^(\d{1,2})(?:st|nd|rd|th) (increment|inc|box)\b:?", r"\2 \1:"),
    (
        r"^(?:wait|skip|go|advance|jump|pass)(?: ahead| on)? (?:until|till|to) "
        r"(increment|inc\.?|box) (\d{1,2})(?=[.! ]*$)",
        r"\1 \2",
    ),
    (r"^(?:I|we) (?=activate\b)", ""),
    (
        r"^(?:let |the )*(?:spend|advance|let|run|skip|move)(?: the)? (?:time|track|marker)(?: run"
        r"| on| up| forward| ahead)*"
        r" (?:to|until|till) (?:increment |inc\.? |box )?(\d{1,2})(?=[.! ]*$)",
        r"increment \1",
    ),
    (r"^((?:increment|inc\.?|box) ?\d{1,2}), ?(?=\S)", r"\1: "),
    (r"^with ([^,;:]{2,40}?),? (?:in |at )?((?:increment|inc\.?|box) ?\d{1,2}) ?: ?(?=\S)", r"\2: with \1: "),
    (r"\bx (?=\d{4}\b)", "attacks "),
    (r"\bfrom (?-i:[A-Z])[\w'’-]{2,20} (?=to\b.{2,40}\badmin)", ""),
    (r"^(?:hq |the )?(.{2,30}?) (?:chit|activation)(?: with)? ?: ?", r"activate \1 with "),
    (r"^(\d|one|two|three) (?:rps?|steps?) (?=(?:to|for|on) )", r"\1 replacement points "),
    (r"\breacts? ?: ?", "reacts with "),
    (r"(?<=\d )pts?(?=,|$)", "points"),
    (r"\b(?:comes? |goes? |go )?ashore (?=at\b|in\b)", "enter "),
    (r",? (?:and )?(?-i:([A-Z\d][\w/]*(?: (?:AD|Pz|SS|Corps|Div))?)) in the lead\b", r", led by \1"),
    (r"^use (?:a|one|1) (?:reaction )?point to deny\b.{0,20}$", "deny with a point"),
    (r"^I don['’]?t react", "don't react"),
    (r"^replaces? (.{2,20}) ([1-9])$", r"replace \1 with \2 points"),
    (r"(?<=\w) \+(?=[1-9](?:,|$))", " "),
    (r"^(?:repl|replacement) (?:pts?|points?) ?: ?", "replacements: "),
    (r"^gives? (.{2,40}?) (?:back )?(?:an?|one|its|their) (?:step|replacement)s?(?: back)?$", r"replace \1"),
    (r"(?<=\w) gets? (?=[1-9](?:,|$))", " "),
    (r"^([1-9]) (?:pts?|points?|steps?) (?=(?-i:[A-Z]))", r"\1 replacement points to "),
    (r"\binfantry repl?s?\b", "infantry replacements"),
    (r"\b(?:armou?r|panzer|tank) repl?s?\b", "armour replacements"),
    (r"\bcarpet[ -]?bomb(?:ing|ers|ardment|s)?\b", "heavy bombers"),
    (
        r"\b(?:admin(?:istrative)?\.? (?:mv|mov|march)|verwaltungsmarsch)\b",
        "administrative movement",
    ),
    (
        r"^((?:increment|inc\.?|box) ?\d+) ?:? ?((?:if|unless) [^,:;]+), ?(?:then )?(.+)$",
        r"\2, \1: \3",
    ),
    (r"^((?!if |unless )[^,;:]+?),? (?:in |by |at )?((?:increment|inc|box) \d+)[.! ]*$", r"\2: \1"),
)
"""The box of the track behind a condition, and in front of the move in it."""

_IN_SUPPORT = r"(?: (?:in support|support|helping))?"
_FLIES = r"(?: (?:flies|fly|flying|overhead|up))*(?: for (?:them|it|us))?"
SAYINGS = (
    (
        r"(?:and )?(?:with |supported by |backed by )?(?:the )?(?:heavy (?:bombers?|air|bombing"
        r"|bomber)(?: strikes?"
        r"| attack)?|heavies|air heavy"
        rf"|strategic bombers){_IN_SUPPORT}",
        "air heavy",
    ),
    (
        r"(?:and )?(?:with |supported by |backed by )?(?:an? |one |1 |the )?(?:tac(?:tical)?\.?"
        r"(?: air)?|air tac(?:tical)?"
        r"|fighter[- ]bombers"
        rf"|jabos|typhoons|thunderbolts|planes)(?: (?:marker|strike))?{_IN_SUPPORT}{_FLIES}",
        "air tactical",
    ),
    (
        r"(?:and )?(?:takes? |the )?(?:first |1st )?loss(?:es)?(?: (?:from|on|to|for|with))? (?:the )?"
        r"(\S+(?: (?:ad|corps|ss|pz))?)(?: first)?",
        r"lose \1",
    ),
)
"""Turns of phrase for a part of an order."""

STAGES = Stages(
    field="box",
    words=frozenset("increment increments inc incs box boxes feld felder kasten".split()),
    sorts={
        **dict.fromkeys("a at att attack attacks assault angriff attaque".split(), ATTACK),
        **dict.fromkeys("m mv mov move moves movement bewegung mouvement".split(), GOES),
    },
    says="increment {number}",
    sections=SERIES,
)


@cache
def commanded(hq: str) -> tuple[str, ...]:
    """4.5 The units of the nations that a headquarters commands; none for what is no headquarters."""
    counter = UNITS.get(hq)
    if counter is None or not counter.hq:
        return ()
    nations = CHARTS.command.of(counter.nation)
    return tuple(
        unit.id
        for unit in UNITS.values()
        if not unit.hq and unit.side == counter.side and unit.nation in nations
    )


def _without_contradiction(values: Mapping[str, Any]) -> bool:
    """Whether an attack that is to have no air support has none, and is led by one of its units."""
    named = [*values.get("units", ()), *values.get("others", ()), *values.get("second", ())]
    named += [values[name] for name in ("first",) if name in values]
    lead = not named or values.get("lead") in (None, *named)
    return lead and not (values.get("bare") and (values.get("tactical") or values.get("heavy")))


def _of_its_kind(values: Mapping[str, Any]) -> bool:
    """10.1.2 Whether points of an arm or a nation go to units of that arm and nation."""
    units = [UNITS[str(values[name])] for name in ("unit", "other", "third") if name in values]
    arm = next((arm for arm in ("armour", "infantry") if values.get(arm)), None)
    nation = next((each for each in ("us", "british", "canadian", "german") if values.get(each)), None)
    return all(
        not unit.hq and unit.arm == (arm or unit.arm) and unit.nation == (nation or unit.nation)
        for unit in units
    )


# --- words that several idioms share ------------------------------------------------------------------------

_HQ = "[(hq|headquarters|stab)] <hq:unit> [(hq|headquarters|stab)]"
_TAKES = "(takes|take|commands|command|commanding|activates|activate|activated|aktiviert|befehligt|with|mit)"
_ACTIVE = "(activated|activates|active|activation|aktiviert|aktiv|is activated|is active)"
_ARM = (
    "[(<infantry:=infantry>|<infantry:=inf>|<armour:=armor>|<armour:=armour>|<armour:=armored>"
    "|<armour:=armoured>)]"
)
_WHOSE = "[(<us:=us>|<us:=american>|<british:=british>|<canadian:=canadian>|<german:=german>)]"
_ARMY = "(army|armee) (reaction|reaktion|reacts|reagiert) [(of|by|with|from|for|durch|mit|:)]"
_POINTS = "(point|points|pt|pts|rp|rps|reaction point|reaction points|punkt|punkte)"
_REACTS = "(reacts|react|reagiert|reagit|reaction|reaktion)"
_MONTH = "(january|february|march|april|may|june|july|august|september|october|november|december)"
_SUPPLY = (
    "(sp|sps|supply|supplies|supply point|supply points|point|points|nachschubpunkt|nachschubpunkte"
    "|versorgungspunkt|versorgungspunkte)"
)
_HITS = "(attack|attacks|hit|hits|strike|strikes|assault|assaults|against|vs|versus|gegen|attaque|attaquent)"
_TO = "(to|into|nach|onto|back to|zu|vers|in|goes to|go to|moves to|move to|moves up to|displaces to)"
_AT = "(at|in|bei)"
_DOUBLED = (
    "(administrative|strategic|strategically|strategic movement|strategic move|administratively|admin move"
    "|admin movement|administrative move|administrative movement)"
)
"""5.3 Administrative movement, which other games call strategic."""
_IN_BOX = '[(increment|inc|box)] [<box:number>] [":"] [(move|moves)]'
_GOES = "[(move|moves|goes|go|comes|come|marches|march|drives|drive)]"
_BY = "[(by|using|with|in)]"
_DOUBLE_MOVE = "administrative movement for {units}\n[inc {box}: ]move {units} to {path}"
_AIR = (
    "[(with|using|plus|and|by|mit|air)] [(the|a|one|our)] (<tactical:=tactical air support>"
    "|<tactical:=tactical air marker>|<tactical:=tac air marker>|<tactical:=tactical air>"
    "|<tactical:=tac air support>|<tactical:=tac air>|<tactical:=tactical>|<tactical:=tacair>"
    "|<heavy:=heavy bombers>|<heavy:=heavy air>|<heavy:=heavy bomber>|<heavy:=heavies>|<heavy:=heavy>)"
)
_LEAD = (
    "(<lead:unit> (leads|lead|leading|fuhrt|in the lead|is the lead|is lead)"
    "|(led by|lead by|lead|leader|lead unit|fuhrung) <lead:next_unit>)"
)
_MORE = (
    f"{{{_LEAD} | {_AIR}"
    "| (<all:=advance yes>|<all:=and advances if they go>|<all:=and advance if they go>"
    "|<all:=and advances>|<all:=and advance>|<all:=advances>|<all:=all advance>)"
    "| (<stay:=no advance>|<stay:=but no advance>|<stay:=and no advance>|<stay:=no advance after combat>"
    "|<stay:=no advances>|<stay:=without advance>"
    "|<stay:=do not advance>|<stay:=kein vormarsch>)"
    "| (<bare:=no air support>|<bare:=with no air support>|<bare:=with no air>"
    "|<bare:=no air>|<bare:=without air support>|<bare:=without air>"
    "|<bare:=ohne luftunterstutzung>)}"
)
_ATTACK = (
    "attack {hexes} with {units}[ led by {lead}][{tactical}, air tactical][{heavy}, air heavy]"
    "[{all}, advance {units}][{stay}, no advance]"
)


def _attack(usage: str, says: str = _ATTACK, below: str = "") -> Idiom:
    return Idiom(usage, says, SERIES, below, check=_without_contradiction)


IDIOMS = (
    # --- commitment
    Idiom(
        f"[(commit|we commit|put|i put|we put)] <number> {_SUPPLY} [(committed|for {_MONTH}|for the next turn"
        "|for next turn|into next turn|next turn)]",
        "commit {number}",
        COMMITMENT,
    ),
    Idiom(
        f"[(we|i)] [(commit|put|spend|use|invest|allocate)] <number> [of] [our] {_SUPPLY}"
        " (on|for|to|into|in|as) [the] [initiative] (chits|chit|initiative|activations|offensive)"
        " [[and] [the] (rest|others) (saved|is saved|kept|is kept|stays|banked)]",
        "commit {number}",
        COMMITMENT,
    ),
    Idiom(
        '(interdiction|interdict) [":"] [(with|by|using)] <number> [tactical] (air markers|air marker'
        "|tac air|tacair|air|markers|marker) [(markers|marker)]",
        "interdict with {number} markers",
        COMMITMENT,
    ),
    Idiom(
        f"no {_SUPPLY} [(committed|for next turn)] [(save them [all]|save [it] all)]", "commit 0", COMMITMENT
    ),
    Idiom(
        f"<number> {_SUPPLY} [(committed|fur nachsten monat|fur den nachsten monat|for next turn|for"
        f" {_MONTH})]"
        " [<kept:number> [(sp|points|point)] (kept back|kept|saved|held back|stays|stay|bleibt liegen"
        "|bleiben liegen|bleibt|bleiben)]",
        "commit {number}",
        COMMITMENT,
    ),
    Idiom(
        "both [tactical] (tac air|tacair|air markers|air|markers) [markers]"
        " (on|for|to|in) [the] (interdiction|interdict)",
        "interdict with 2 markers",
        COMMITMENT,
    ),
    Idiom(
        "<number> [tactical] (tac air|tacair|air markers|air marker|air|markers|marker) [(markers|marker)]"
        " (interdicts|interdict|on interdiction|for interdiction|to interdiction|interdiction)"
        " [<kept:number> (stays|stay|remains|remain|kept|is kept|are kept) [for] [(ground|air)] [support]]",
        "interdict with {number} markers",
        COMMITMENT,
    ),
    Idiom(
        "(no commitment|commit nothing|commit none) [(bank|save|keep) (everything|all|it all|them all)]",
        "commit 0",
        COMMITMENT,
    ),
    # --- headquarters
    Idiom(
        f"{_HQ} (activates|activated|active|is activated) (taking|commanding|using) <units>",
        "activate {hq} with {units}",
        SERIES,
    ),
    Idiom(f'{_HQ} {_TAKES} [":"] <units>', "activate {hq} with {units}", SERIES),
    Idiom(f'{_HQ} [{_ACTIVE}] ":" <units>', "activate {hq} with {units}", INITIATIVE),
    Idiom(f"{_HQ} [{_ACTIVE}]", "activate {hq}", INITIATIVE),
    Idiom(f"{_HQ} {_ACTIVE}", "activate {hq}", REACTION),
    Idiom(
        f'{_ARMY.replace("|:", "")} {_HQ} [(":"|with|takes|commanding)] <units>',
        "activate {hq} with {units}",
        REACTION,
    ),
    Idiom(
        f'[<points:number> {_POINTS}] {_ARMY.replace("|:", "")} [":"] {_HQ} [[(for|cost|costs)]'
        f" <points:number> {_POINTS}]",
        "activate {hq}",
        REACTION,
        where={"points": (3,)},
    ),
    Idiom(
        f"{_HQ} {_REACTS} [[(for|with)] <points:number> {_POINTS}]",
        "activate {hq}",
        REACTION,
        where={"points": (3,)},
    ),
    Idiom(f'{_HQ} {_REACTS} (":"|with|taking|using) <units>', "activate {hq} with {units}", REACTION),
    Idiom(
        f"(react|reaction) [(with|by)] {_HQ} [[(for|with)] <points:number> {_POINTS}]",
        "activate {hq}",
        REACTION,
        where={"points": (3,)},
    ),
    Idiom(
        f"(react|reaction) [(with|by)] {_HQ} (with|taking|commanding) <units>",
        "activate {hq} with {units}",
        REACTION,
    ),
    Idiom(
        f'(react|reaction) [(with|by)] [":"] {_HQ} [[(for|with)] <points:number> {_POINTS}]'
        ' [(":"|with|taking|commanding)] <units>',
        "activate {hq} with {units}",
        REACTION,
        where={"points": (3,)},
    ),
    Idiom(
        "deny [(him|them|the enemy|the germans|the allies)] [(a|the|any|his|their)] (reaction|reactions)",
        "react with a point",
        REACTION,
    ),
    Idiom(
        "(save|keep) [(the|our|all)] (points|point) [for later] [(now|this time|here)]",
        "no orders",
        REACTION,
    ),
    Idiom(
        "[(save|keep) [(the|our|all)] (points|point) [and]] (do not|don't|dont|no need to|never) react"
        " [(now|this time|here)]",
        "no orders",
        REACTION,
    ),
    # --- single pieces
    Idiom(
        f'(react|reaction) [(with|by)] [":"] <unit> [alone] [[(for|with)] <points:number> {_POINTS}]'
        f' [(":"|and)] [(increment|inc|box) <box:number> [":"]] [(moves|move|goes|go)] {_TO} <path>',
        "piece {unit}\n[inc {box}: ]move {unit} to {path}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f'(react|reaction) [(with|by)] [":"] <unit> [alone] [(for|with)] <points:number> {_POINTS}',
        "piece {unit}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f"<unit> {_REACTS} [[(for|with)] <points:number> {_POINTS}]",
        "piece {unit}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f'<unit> [hq] {_REACTS} [[(for|with)] <points:number> {_POINTS}] [(":"|and)] [{_TO}] <path>',
        "piece {unit}\nmove {unit} to {path}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f'<unit> {_REACTS} [[(for|with)] <points:number> {_POINTS}] [":"] (feld|box|increment|inc)'
        ' <box:number> [":"]'
        f" (angriff|attack|attacks|a) [(auf|on|against|at)] <hexes>",
        "piece {unit}\ninc {box}: attack {hexes} with {unit}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom("(react|reaction) [(with|by)] <unit>", "piece {unit}", REACTION),
    Idiom(
        '[one] [single] piece [(reaction|reacts)] [":"] [(by|of|for|with)] <unit> [(hq|reacts)]',
        "piece {unit}",
        REACTION,
    ),
    Idiom(
        '[(single|a)] (piece|reaction) [reaction] [":"] [(by|of|for|with|hq)] <unit> [hq] [(moves|move)]'
        f" {_TO} <path>",
        "piece {unit}\nmove {unit} to {path}",
        REACTION,
    ),
    Idiom(
        f'<points:number> {_POINTS} [(for|on)] [":"] <unit> [hq] [(moves|move)] {_TO} <path>',
        "piece {unit}\nmove {unit} to {path}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f"<unit> [hq] [alone] [(moves|move|goes)] {_TO} <path> <points:number> {_POINTS}",
        "piece {unit}\nmove {unit} to {path}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f"<unit> [hq] alone [(moves|move|goes)] {_TO} <path>", "piece {unit}\nmove {unit} to {path}", REACTION
    ),
    Idiom("[hq] <hq:unit> [hq] (displaces|relocates|displace) to <path>", "move {hq} to {path}", INITIATIVE),
    Idiom(
        "[hq] <hq:unit> [hq] (displaces|relocates|displace) to <path>",
        "piece {hq}\nmove {hq} to {path}",
        REACTION,
    ),
    Idiom(
        f"<unit> [{_TO}] <path> <other:unit> [{_TO}] <way:path> <points:number> {_POINTS} (each|apiece|je)",
        "piece {unit}\nmove {unit} to {path}\npiece {other}\nmove {other} to {way}",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        '<count:number> single [piece] (reactions|reaction|pieces) [":"] [first] <unit> [(then|and)]'
        " <other:unit>",
        "piece {unit}\npiece {other}",
        REACTION,
        where={"count": (2,)},
    ),
    Idiom(
        f"(spend|use|burn|waste) <points:number> {_POINTS} [(but|and)] [do nothing] [with it]"
        " [(so the allies|so the germans) (can't|cannot) react]",
        "react with a point",
        REACTION,
        where={"points": (1,)},
    ),
    Idiom(
        f"<unit> (administrativ|administratively|by admin move|by administrative movement) {_TO} <path>"
        f" <points:number> {_POINTS}",
        "piece {unit}\nadministrative movement for {unit}\nmove {unit} to {path}",
        REACTION,
        where={"points": (1,)},
    ),
    # --- administrative movement
    Idiom(
        "(admin|administrative) (move|movement|mv) [(for|of|by|with|:)] <units>".replace("|:", ""),
        "administrative movement for {units}",
        SERIES,
    ),
    Idiom(
        "<units> (uses|use|moves by|move by|by|in|goes|makes|make) [(an|a)] (admin|administrative) (move"
        "|movement|mv)",
        "administrative movement for {units}",
        SERIES,
    ),
    Idiom(f"{_IN_BOX} <units> {_GOES} {_TO} <path> {_BY} {_DOUBLED}", _DOUBLE_MOVE, INITIATIVE),
    Idiom(f"{_IN_BOX} <units> {_GOES} {_BY} {_DOUBLED} {_TO} <path>", _DOUBLE_MOVE, INITIATIVE),
    Idiom(f'{_IN_BOX} {_DOUBLED} [(for|of|by|":")] <units> {_TO} <path>', _DOUBLE_MOVE, INITIATIVE),
    # --- in a box
    _attack(f"<units> {_HITS} [the] [<nation>] [{_AT}] <hexes> {_MORE}"),
    _attack(f'<units> [(":"|on|auf)] [the] [<nation>] [{_AT}] <hexes> {_MORE}', below=ATTACK),
    _attack(
        f"<first:unit> leading [and] <others:units> {_HITS} [{_AT}] <hexes> {_MORE}",
        _ATTACK.replace("{units}", "{first}, {others}").replace("[ led by {lead}]", " led by {first}"),
    ),
    _attack(f"<units> {_LEAD} {_HITS} [the] [<nation>] [{_AT}] <hexes> {_MORE}"),
    _attack(f'<hexes> [":"] [(with|mit)] <units> {_MORE}', below=ATTACK),
    _attack(
        f"<first:unit> with <second:units> {_HITS} [{_AT}] <hexes> {_MORE}",
        _ATTACK.replace("{units}", "{first}, {second}"),
    ),
    _attack(f"[{_HITS}] [(on|auf)] <hexes> {_MORE}", _ATTACK.replace("{units}", "{commanded}"), below=ATTACK),
    Idiom(f"<units> [{_TO}] <path>", "move {units} to {path}", SERIES, GOES),
    Idiom("<units> (falls|fall|pulls|pull|goes|go) back to <path>", "move {units} to {path}", SERIES),
    Idiom(
        f"<units> [{_TO}] <path> <others:units> [{_TO}] <way:path>",
        "move {units} to {path}\nmove {others} to {way}",
        SERIES,
        GOES,
    ),
    Idiom(
        f"<units> {_TO} <path> (rest|the rest) (bleibt|bleiben|stays|stay|holds|hold)",
        "move {units} to {path}\nthe rest hold",
        SERIES,
    ),
    Idiom(
        f"<units> {_TO} <path> if [it] [is] empty [(else|otherwise)] (stays|stay|holds|hold)",
        "if {path} is empty, move {units} to {path}",
        SERIES,
    ),
    Idiom(
        f"<units> {_TO} <path> if it is (empty|free) [(else|otherwise) [it] (stays|stay|holds|hold)]",
        "if {path} is empty, move {units} to {path}",
        SERIES,
    ),
    Idiom(
        '<units> [(to|">")] <path> if (nobody|no one) is there [(else|otherwise) [to] <way:path>]',
        "if {path} is empty, move {units} to {path}[, else move {units} to {way}]",
        SERIES,
    ),
    Idiom("the rest nothing", "the rest hold", SERIES),
    # --- administration
    Idiom(
        f"[<points:number>] {_WHOSE} {_ARM} (rp|replacement|replacements|step|rps)"
        ' [(points|point)] [(on|to|for|into)] [":"] <unit>',
        "replace {unit}",
        ADMINISTRATION,
        check=_of_its_kind,
        where={"points": (1,)},
    ),
    Idiom(
        f'{_ARM} (replacements|reps|rps) [":"] <unit> <points:number> [<other:unit> <more:number>]'
        " [<third:unit> <most:number>]",
        "replace {unit} with {points} points\nreplace {other} with {more} points\nreplace {third} with"
        " {most} points",
        ADMINISTRATION,
        check=_of_its_kind,
    ),
    Idiom(
        f'{_ARM} (replacements|replacement|reps|rps) [":"] <unit> and <other:unit> <points:number> each',
        "replace {unit} with {points} points\nreplace {other} with {points} points",
        ADMINISTRATION,
        check=_of_its_kind,
    ),
    Idiom(
        "<unit> x <points:number> [<other:unit> x <more:number>] [<third:unit> x <most:number>]",
        "replace {unit} with {points} points\nreplace {other} with {more} points\nreplace {third} with"
        " {most} points",
        ADMINISTRATION,
        check=_of_its_kind,
    ),
    # --- arrivals
    Idiom(
        f"<units> [hq] (enter|enters|arrive|arrives|land|lands|come in|comes in) [({_AT}|on|through|to"
        "|via)] <hex>",
        "enter {units} at {hex}",
        ARRIVAL,
    ),
    Idiom(
        f"<units> [hq] [(enter|enters|arrive|arrives|land|lands)] {_AT} <hex>"
        " (moves up to|moves on to|then to|moves to|move to|then moves to|then up to|on to|to) <path>",
        "enter {units} at {hex} to {path}",
        ARRIVAL,
    ),
    Idiom(
        "<units> (wait|waits|stay|stays|remain|remains) in (england|britain|uk|germany|reserve)",
        "hold {units}",
        ARRIVAL,
    ),
    # --- nothing
    Idiom("[i] (pass|passe) [(on this chit|this chit|this time|here)] [save the points]", "no orders"),
    Idiom("(none|nothing|nichts|nada|rien) [(to do|here)]", "no orders"),
    Idiom(
        "(none|nothing|nichts|nada|rien) (in the south|im suden|en el sur|au sud)", "no orders", ("south",)
    ),
    Idiom("(no|keine|kein) (orders|order|befehle|action|actions)", "no orders"),
    Idiom(
        "(no|keine|kein) (reaction|reactions|reaktion|reaktionen) [(from us|from me|here|this time)]",
        "no orders",
        REACTION,
    ),
    Idiom(
        "(no|keine|kein) (replacements|replacement|ersatz|rps|reps|replacement points)",
        "no orders",
        ADMINISTRATION,
    ),
    Idiom("(no|keine) (reinforcements|arrivals|verstarkungen|entries)", "no orders", ARRIVAL),
    Idiom("(they|all) [all] (wait|waits|stay) [(outside|off map)]", "no orders", ARRIVAL),
)
