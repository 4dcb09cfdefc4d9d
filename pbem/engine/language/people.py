"""How people write: the ways to take a line that says plainly what a usage line says in other words.

`ways` gives a line's words as they are, then without courtesies and with everyday verbs, then with the
subject behind the verb, then with loose prepositions. The first way that reads as a whole counts. Nothing
here drops a word that could change what is meant: what such a line says is still all read. Guesses belong to
repair.py, which offers them and applies none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.engine.language.model import RosterUnit
from pbem.engine.language.names import GENERIC, LONGEST_NAME, REMEMBERED
from pbem.engine.language.usage import ARROWS, Piece, Scan

Pieces = tuple[Piece, ...]

NOISE = frozenset(
    "the hex hexes unit units please pls thanks my our will shall also both now immediately directly "
    "again together".split()
)
"""Courtesies and words that say nothing an order could depend on."""

TOGETHER: Mapping[tuple[str, ...], str] = {
    ("dig", "in"): "entrench",
    ("digs", "in"): "entrench",
    ("air", "strike"): "airstrike",
    ("air", "strikes"): "airstrike",
    ("set", "up"): "place",
    ("comes", "ashore"): "land",
    ("come", "ashore"): "land",
    ("by", "way", "of"): "via",
    ("in", "order", "to"): "to",
    ("up", "to"): "to",
    ("on", "to"): "to",
    ("in", "to"): "to",
    ("over", "to"): "to",
    ("together", "with"): "and",
    ("along", "with"): "and",
    ("as", "well", "as"): "and",
    ("and", "then"): "then",
    ("then", "to"): "then",
    ("then", "into"): "then",
    ("then", "on", "to"): "then",
    ("and", "on", "to"): "then",
    ("&", "then"): "then",
    ("at", "once"): "",
    ("after", "that"): "then",
    ("this", "turn"): "",
    ("this", "phase"): "",
    ("falls", "back"): "move",
    ("fall", "back"): "move",
    ("pulls", "back"): "move",
    ("pull", "back"): "move",
    ("breaks", "through"): "move",
    ("break", "through"): "move",
    ("mops", "up"): "attack",
    ("mop", "up"): "attack",
    ("clears", "out"): "attack",
    ("clear", "out"): "attack",
    ("takes", "on"): "attack",
    ("take", "on"): "attack",
    ("marches", "on"): "move to",
    ("march", "on"): "move to",
    ("moves", "up"): "move",
    ("comes", "down"): "move",
    ("goes", "down"): "move",
    ("leaves", "the", "map"): "exit",
    ("leave", "the", "map"): "exit",
    ("out", "of"): "from",
    ("along", "the", "road"): "",
    ("by", "road"): "",
    ("twice",): "times 2",
    ("thrice",): "times 3",
    ("brings", "in"): "land",
    ("bring", "in"): "land",
    ("i", "want"): "",
    ("we", "want"): "",
    ("i", "would", "like"): "",
    ("or", "else"): "else",
    ("if", "not"): "if not",
    ("unless",): "if not",
    ("otherwise",): "else",
}
"""Words that belong together, and what they are read as."""

FAMILIES: tuple[tuple[str, ...], ...] = tuple(
    tuple(words.split())
    for words in (
        (
            "move go mv march proceed advance drive walk head travel relocate shift continue push "
            "retreat retire exploit follow join "
            "return withdraw va avance avancent aller gehen geht ziehen zieht"
        ),
        "attack assault atk att hit strike storm engage charge vs versus counterattack smash sortie attaque "
        "attaquent attaquer angriff greift angreifen",
        "land disembark ashore",
        "drop jump parachute para paradrop",
        "enter arrive come land",
        "place put set station deploy position stack start begin enter arrive go",
        "entrench dig fortify eingraben",
        "bombard artillery shell fire guns gun arty bombardeo",
        "airstrike bomb strafe",
        "replenish replace rebuild reps replacements replacement restore refit repl repls",
        "exit",
        "activate command flip use",
        "break split divide",
        "redeploy reposition",
        "withhold hide",
        "ground immobilise immobilize",
    )
)
"""Verbs that mean the same: each stands for the one of its family that the section has."""

VERBS = frozenset(word for family in FAMILIES for word in family)
ATTACKS = next(family for family in FAMILIES if "attack" in family)

SPELLINGS: Mapping[str, frozenset[str]] = {
    "to": frozenset({":", "into", "toward", "towards", "via", "through", "over", "onto"}) | ARROWS,
    "at": frozenset({"in", "on", "to", "into", "onto", "@", ":"}) | ARROWS,
    "on": frozenset({"in", "at", "to", "onto", "against", "@", ":"}) | ARROWS,
    "in": frozenset({"at", "on", "to", "into"}) | ARROWS,
    "with": frozenset({"using", "by", "w/", ":"}),
    "by": frozenset({"with", "using", "via"}),
}
"""What else may stand for a preposition of a usage line."""

ADVERBS = frozenset("then next afterwards finally first".split())
"""Words in front of an order that only say that it comes after another."""

STAY = frozenset(
    "hold holds stay stays pass passes stand stands remain remains wait waits rest rests sit "
    "sits keep keeps".split()
)
"""Verbs of those that do nothing."""

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
NUMBERS = {
    word: str(number)
    for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}

CONDITIONAL: Mapping[tuple[str, ...], str] = {
    ("if", "possible"): "try",
    ("where", "possible"): "try",
    ("if", "it", "can"): "try",
}

PRONOUNS = frozenset({"i", "we", "it", "they"})


@dataclass(frozen=True, slots=True)
class Verbs:
    """The words that may begin an order of a section (`here`), and those of any section (`all`)."""

    here: frozenset[str]
    all: frozenset[str] = frozenset()

    @lru_cache(REMEMBERED)  # noqa: B019 - verbs are few, and hold nothing
    def of(self, word: str) -> str:
        """The verb of the section that a word stands for: another form of it, or of one that means the same;
        "" if it is none, or that verb itself. What is a verb of another section is never taken for one of
        this."""
        if word in self.here or len(word) < 2:
            return ""
        forms = {word} | {word.removesuffix(end) for end in ("s", "es", "ing", "ed")}
        if own := sorted(forms & self.here, key=len, reverse=True):
            return own[0]
        if "land" in forms and "drop" in self.here:
            return "drop"  # of paratroops; to drop is not to land from the sea
        for family in FAMILIES:
            if forms & set(family) and (mine := [verb for verb in family if verb in self.here]):
                return mine[0] if family == ATTACKS or word not in self.all else ""
        return ""


def ways(scan: Scan, verbs: Verbs, ends: Callable[[Scan, int], Iterable[int]]) -> Iterator[Scan]:
    """The line of `scan` in one way after another, the plainest first. `verbs` may begin an order here;
    `ends` tells where a list of units that begins at a word may end, the longest first."""
    yield scan
    raw = tuple(scan.pieces)
    plain = everyday(raw, scan, verbs)
    if plain != raw:
        yield _scan(scan, plain)
    turned = list(verb_first(_scan(scan, plain), verbs, ends))
    turned += [*units_first(_scan(scan, plain), verbs, ends), *with_one(_scan(scan, plain), verbs, ends)]
    yield from (_scan(scan, pieces) for pieces in turned)
    for pieces in (plain, *turned):
        if (going := _going_on(pieces)) != pieces:
            yield _scan(scan, going)
        if (loose := loosened(without_start(_scan(scan, pieces), ends), verbs)) != pieces:
            yield _scan(scan, loose)
            yield from (_scan(scan, again) for again in verb_first(_scan(scan, loose), verbs, ends))


def _scan(scan: Scan, pieces: Sequence[Piece]) -> Scan:
    return Scan(scan.line, scan.names, scan.reserved, pieces)


# --- courtesies and everyday words --------------------------------------------------------------------------


def everyday(pieces: Pieces, scan: Scan, verbs: Verbs) -> Pieces:
    """The words without noise, those that belong together joined, verbs of a family put as the section has
    them."""
    found: list[Piece] = []
    at = 0
    while at < len(pieces):
        for count in (3, 2, 1):
            words = tuple(piece.text.lower() for piece in pieces[at : at + count])
            joined = TOGETHER.get(words) if len(words) == count else None
            if words == ("unless",) and _asks_several(pieces[at:]):
                joined = None  # "unless A and B" is not "if not A and B"
            if joined is not None and not (len(words) == 2 and words[0] in verbs.here):
                column = pieces[at].column
                width = pieces[at + count - 1].end - column
                found += [Piece(word, column, width) for word in joined.split()]
                at += count
                break
        else:
            if pieces[at].text.lower() not in NOISE:
                found += _hyphened(pieces[at], scan)
            at += 1
    while found and found[-1].text == ",":
        found.pop()
    while len(found) > 1 and found[0].text.lower() in ADVERBS:
        found = found[2 if found[1].text == "," else 1 :]
    found = [_figure(piece, scan, verbs, found[at + 1 : at + 2]) for at, piece in enumerate(_trying(found))]
    return tuple(_with_verb(found, scan, verbs))


_UNCOUNTED = GENERIC.union(SPELLINGS, *SPELLINGS.values(), ("from", "of", "for"))
"""Words of the order language of which there are not two."""


def _asks_several(pieces: Sequence[Piece]) -> bool:
    """Whether a condition that begins with these words has several parts."""
    words = [piece.text.lower() for piece in pieces]
    end = next((at for at, word in enumerate(words) if word in (",", ":", "then")), len(words))
    return "and" in words[:end]


def _figure(piece: Piece, scan: Scan, verbs: Verbs, after: Sequence[Piece]) -> Piece:
    """``two rounds`` as ``2 rounds``: a number in words before a word of the order language that is no
    verb; ``one division`` and ``one to 1502`` are no unit numbered 1."""
    figure = NUMBERS.get(piece.text.lower())
    counted = figure and after and after[0].text.lower() in scan.reserved - verbs.here - _UNCOUNTED
    return Piece(figure, piece.column, piece.width) if figure and counted else piece


def _hyphened(piece: Piece, scan: Scan) -> list[Piece]:
    """``mech-assault`` as its two words, if both are words of the order language; ``w/1US`` as ``with
    1US``."""
    if piece.text[:2].lower() == "w/" and len(piece.text) > 2:
        return [Piece("with", piece.column, 2), Piece(piece.text[2:], piece.column + 2, piece.width - 2)]
    words = piece.text.lower().split("-")
    if len(words) == 1 or not all(word in scan.reserved for word in words):
        return [piece]
    return [Piece(word, piece.column, piece.width) for word in words]


def _trying(pieces: list[Piece]) -> list[Piece]:
    """``... if possible`` at the end as ``try ...``."""
    for words in CONDITIONAL:
        if tuple(piece.text.lower() for piece in pieces[-len(words) :]) == words and len(pieces) > len(words):
            first = pieces[0]
            return [Piece("try", first.column, 0), *pieces[: -len(words)]]
    return pieces


def _with_verb(pieces: list[Piece], scan: Scan, verbs: Verbs) -> list[Piece]:
    """The words with every one that stands for a verb of the section put as that verb; ``V Corps to attack
    1310`` without its `to`, and ``3CA against 1009`` as an attack, if the line has no other verb."""
    found = [
        Piece(verb, piece.column, piece.width)
        if (verb := verbs.of(piece.text.lower())) and not _is_name(scan, piece)
        else piece
        for piece in pieces
    ]
    keys = [piece.text.lower() for piece in found]
    attack = "attack" if "attack" in verbs.here else verbs.of("attack")
    if attack and keys.count("against") == 1 and not verbs.here & set(keys):
        at = keys.index("against")
        found[at] = Piece(attack, found[at].column, found[at].width)
    return [
        piece
        for piece, key, after in zip(found, keys, [*keys[1:], ""], strict=False)
        if not (key == "to" and after in verbs.here)
    ]


def _is_name(scan: Scan, piece: Piece) -> bool:
    return piece.text.lower() in scan.names.units or scan.names.hex(piece.text) is not None


_BEFORE_HEX = frozenset({"on", "at", "against", "into", "in", "to", "upon"})
"""Prepositions that may stand between a verb and its hex."""


# --- the subject before its verb ----------------------------------------------------------------------------


def _leads(scan: Scan, at: int) -> bool:
    """Whether one's own units stand behind a verb that has units in front of it."""
    meant = scan.names.meant(scan.words(at), scan.reserved)
    return meant is not None and not scan.names.roster.units[meant.units[0]].enemy


def verb_first(scan: Scan, verbs: Verbs, ends: Callable[[Scan, int], Iterable[int]]) -> Iterator[Pieces]:
    """``8/4 attacks 5230`` as ``attack 5230 with 8/4`` and as ``attack 8/4 5230``: units, then a verb, then
    the rest."""
    pieces = tuple(scan.pieces)
    moves = verbs.of("move")
    for start in _beginnings(scan):
        if scan.keys[start] in PRONOUNS:
            continue
        for end in (*ends(scan, start), start + 1):
            at = end + (scan.keys[end] in (",", ":"))
            after = at
            while scan.keys[after] in verbs.here:
                after += 1
            if after == at or (scan.keys[at] in (moves, "move") and _leads(scan, after)):
                continue  # "VII Corps moves 4US to 1117" moves no corps, as far as it says
            units, rest = pieces[start:end], pieces[after:]
            verb = pieces[at:after] if scan.keys[at] != scan.keys[after - 1] else pieces[at : at + 1]
            target = _target(scan, after) - after
            joint = Piece("with", verb[0].column, 0)
            also = [
                Piece("and", piece.column, piece.width)
                for piece in rest[target : target + 1]
                if piece.text.lower() == "with"
            ]
            if scan.keys[after + target + 1] in _EVERYBODY:
                also = []
            if target:
                yield (
                    *pieces[:start],
                    *verb,
                    *rest[:target],
                    joint,
                    *units,
                    *also,
                    *rest[target + len(also) :],
                )
            elif also:
                yield (*pieces[:start], *verb, *units, *also, *rest[1:])
            yield (*pieces[:start], *verb, *units, *rest)
            yield (*pieces[:start], *verb, *units, joint, *rest)
            if end in ends(scan, start) and scan.length in ends(scan, after):
                yield (*pieces[:start], *verb, *rest, joint, *units)
            break


_WITH = frozenset({"with", "using", ":"})


def units_first(scan: Scan, verbs: Verbs, ends: Callable[[Scan, int], Iterable[int]]) -> Iterator[Pieces]:
    """``attack 1506 with 7A`` as ``attack 7A 1506``, ``from 1207 to 1307: 2FrA`` as ``2FrA from 1207 to
    1307``: the units in front of the hexes, for orders that have them there."""
    pieces = tuple(scan.pieces)
    start = next((at for at, key in enumerate(scan.keys) if key not in verbs.here), 0)
    begins = scan.keys[start] == "from" and start + 1 < len(pieces)
    end = start + 2 if begins and scan.names.hex(pieces[start + 1].text) else start
    stop = _target(scan, end) if end < scan.length else end
    if stop > end and scan.keys[stop] in _WITH:
        for last in ends(scan, stop + 1):
            yield (*pieces[:start], *pieces[stop + 1 : last], *pieces[start:stop], *pieces[last:])


def with_one(scan: Scan, verbs: Verbs, ends: Callable[[Scan, int], Iterable[int]]) -> Iterator[Pieces]:
    """``11BrA with 15BrInf to 1605`` as ``11BrA and 15BrInf to 1605``; ``activate VII Corps: 4US, 82AB`` as
    ``activate 4US, 82AB with VII Corps``, for orders of several units with one."""
    pieces = tuple(scan.pieces)
    start = next((at for at, key in enumerate(scan.keys) if key not in verbs.here), 0)
    for end in ends(scan, start):
        if scan.keys[end] not in _WITH:
            continue
        mark = pieces[end]
        if not start and scan.keys[end] != ":":  # "VII Corps: 4US to 1117" is about 4US alone
            yield (*pieces[:end], Piece("and", mark.column, mark.width), *pieces[end + 1 :])
        for last in ends(scan, end + 1) if start else ():
            joint = Piece("with", mark.column, mark.width)
            yield (*pieces[:start], *pieces[end + 1 : last], joint, *pieces[start:end], *pieces[last:])


def _beginnings(scan: Scan) -> list[int]:
    """Where an order may begin: at the start, behind a colon, behind ``then`` and behind the comma of a
    condition."""
    found = [0]
    for at, key in enumerate(scan.keys[: scan.length]):
        if key in (":", "then", "try") or (key == "," and scan.keys[0] == "if"):
            found.append(at + 1)
    return [at for at in found if at < scan.length]


def _target(scan: Scan, at: int) -> int:
    """Where the hexes end that begin at a word, prepositions before them included; the same place if there
    are none."""
    end = at
    while at < scan.length:
        if length := _hex_words(scan, at):
            end = at = at + length
        elif scan.keys[at] in _BEFORE_HEX or scan.keys[at] in (",", "&", "and", "+", "("):
            at += 1
        elif scan.keys[at] == ")" and end == at:
            end = at = at + 1
        else:
            break
    return end


def _hex_words(scan: Scan, at: int) -> int:
    """How many words from `at` on name one hex."""
    if scan.names.hex(scan.pieces[at].text):
        return 1
    if found := scan.names.place([piece.text for piece in scan.pieces[at : at + LONGEST_NAME]]):
        return found[1]
    meant = scan.names.meant(scan.words(at), scan.reserved)
    enemy = meant is not None and len(meant.units) == 1 and scan.names.roster.units[meant.units[0]].enemy
    return meant.length if meant is not None and enemy else 0


# --- loose words --------------------------------------------------------------------------------------------

_EVERYBODY = frozenset({"all", "everybody", "everyone", "everything"})


def without_start(scan: Scan, ends: Callable[[Scan, int], Iterable[int]]) -> Pieces:
    """The words without ``from 1505``, where that is the hex of every unit that the line names."""
    pieces = tuple(scan.pieces)
    for at, key in enumerate(scan.keys[: scan.length - 1]):
        start = scan.names.hex(scan.pieces[at + 1].text) if key == "from" else None
        if start and {unit.hex for unit in _named(scan)} == {start}:
            return (*pieces[:at], *pieces[at + 2 :])
    return pieces


def _named(scan: Scan) -> list[RosterUnit]:
    """The units that the words of a line name."""
    units = scan.names.roster.units
    found: list[RosterUnit] = []
    at = 0
    while at < scan.length:
        meant = scan.names.meant(scan.words(at), scan.reserved)
        if meant is not None and len(meant.units) == 1:
            found.append(units[meant.units[0]])
        at += meant.length if meant is not None else 1
    return found


def loosened(pieces: Pieces, verbs: Verbs) -> Pieces:
    """The words with `then` and `and` between the hexes of a way read as a comma, prepositions behind a verb
    and ``with everything`` left out, ``to X via Y`` turned round."""
    return _everybody(_turned_way(_without_preposition(_then(pieces), verbs)))


def _then(pieces: Pieces) -> Pieces:
    """``to 5230, then 5331`` as ``to 5230, 5331``; not ``attack 1617, then 1716``, which are two attacks, nor
    units one behind the other."""
    found: list[Piece] = []
    fights = any(piece.text.lower() in ATTACKS for piece in pieces)
    for at, piece in enumerate(pieces):
        after = pieces[at + 1].text if at + 1 < len(pieces) else ""
        joins = after[:1].isdecimal() or after[:1].isupper()
        if piece.text.lower() == "then":
            place = next((each for each in reversed(found) if each.text != ","), None)
            joins = joins and not fights and place is not None and _is_place(place)
        if piece.text.lower() in ("then", "and") and found and joins:
            if found[-1].text != ",":
                found.append(Piece(",", piece.column, piece.width))
            continue
        found.append(piece)
    return tuple(found)


def _without_preposition(pieces: Pieces, verbs: Verbs) -> Pieces:
    """``attack on 1424`` as ``attack 1424``, ``move with 5A`` as ``move 5A``: a preposition right behind the
    verb."""
    keys = [piece.text.lower() for piece in pieces]
    at = next((at for at, key in enumerate(keys) if key not in verbs.here), len(keys))
    return (
        (*pieces[:at], *pieces[at + 1 :])
        if at and at < len(keys) and keys[at] in _BEFORE_HEX | {"with"}
        else pieces
    )


def _turned_way(pieces: Pieces) -> Pieces:
    """``0519 via 0518`` as ``0518 0519``: the hexes behind `via` come before the one that it stands
    behind."""
    keys = [piece.text.lower() for piece in pieces]
    via = next((at for at, key in enumerate(keys) if at and key in ("via", "through", "over")), 0)
    if not via or not _is_place(pieces[via - 1]):
        return pieces
    end = via + 1
    while end < len(pieces) and (_is_place(pieces[end]) or keys[end] in (",", ">", "->", "and")):
        end += 1
    if end == via + 1:
        return pieces
    return (*pieces[: via - 1], *pieces[via + 1 : end], pieces[via - 1], *pieces[end:])


def _is_place(piece: Piece) -> bool:
    """Whether a word is a hex number, or by its capital may be the name of a place."""
    return (piece.text.isdecimal() and len(piece.text) > 2) or piece.text[:1].isupper()


def _going_on(pieces: Pieces) -> Pieces:
    """``at 0512, then 0814`` as ``at 0512 to 0814``."""
    found: list[Piece] = []
    for at, piece in enumerate(pieces):
        after = pieces[at + 1 : at + 2]
        if piece.text.lower() == "then" and after and _is_place(after[0]):
            if found and found[-1].text == ",":
                found.pop()
            piece = Piece("to", piece.column, piece.width)
        found.append(piece)
    return tuple(found)


def _everybody(pieces: Pieces) -> Pieces:
    """``with everything`` left out: who is not named is meant."""
    keys = [piece.text.lower() for piece in pieces]
    for at, key in enumerate(keys[:-1]):
        if (
            key in ("with", "using")
            and keys[at + 1] in _EVERYBODY
            and keys[at + 2 : at + 3] not in (["at"], ["in"], ["corps"], ["division"], ["div"])
        ):
            return (*pieces[:at], *pieces[at + 2 :])
    return pieces
