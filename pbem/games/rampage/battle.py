"""Battles (10): rounds of fire, modifiers, losses, and the exact chance of winning.

There are three kinds of battle. An assault: a moving force attacks a German hex. A landing:
airborne divisions fight where they came down; every German fires first (13.5). A breakout:
the Germans of a pocket attack the hex that closed it (12.5). Attackers fire into the hex of the battle,
defenders into the hex from which the attack came.

The odds walk the same steps as the dice: `german_fire`, `allied_fire`, `next_loss` and `next_kill` are all
that either knows of a round.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol, TypeVar

from pbem.engine.notes import Note
from pbem.engine.play import Ask, Volley
from pbem.engine.tally import Tally
from pbem.engine.wording import count, percent
from pbem.games.rampage.notes import Fired, Losses
from pbem.games.rampage.state import German, Hex, Type, Unit
from pbem.games.rampage.tables import CHARTS, MAP, ModifierKey, Row, is_city, river_between

Kind = Literal["assault", "landing", "breakout"]

DEFAULT_LOSSES: tuple[str, ...] = ("reduced first", "infantry first")
DEFAULT_KILLS: tuple[str, ...] = ("elites first",)
LOSS_ORDERS: tuple[str, ...] = (
    "reduced first, infantry first",
    "reduced first, armour first",
    "full first, infantry first",
    "full first, armour first",
    "infantry first, reduced first",
    "infantry first, full first",
    "armour first, reduced first",
    "armour first, full first",
)
"""What a decision about losses chooses from: who goes first, and who goes first among equals (10.4)."""


class Firing(Protocol):
    """What counts of an Allied unit in a battle."""

    @property
    def row(self) -> str: ...
    @property
    def type(self) -> Type: ...
    @property
    def steps(self) -> int: ...


class Enemy(Protocol):
    """What counts of a German unit in a battle."""

    @property
    def type(self) -> Type: ...
    @property
    def elite(self) -> bool: ...


A = TypeVar("A", bound=Firing)
G = TypeVar("G", bound=Enemy)


class HasNotes(Protocol):
    rolls: int

    def note(self, note: Note) -> None: ...


# --- the ground -----------------------------------------------------------------------------------------


class Battlefield(NamedTuple):
    """Where a battle is fought: the hex, the hex from which the attack came,
    and what sort of battle it is."""

    hex: Hex
    origin: Hex
    kind: Kind = "assault"

    @property
    def river(self) -> bool:
        """10.3, 13.5 Whether the attack crosses a river that counts."""
        return self.kind != "landing" and self.hex != self.origin and river_between(self.origin, self.hex)

    @property
    def open(self) -> bool:
        """10.2 Whether armour attacks from clear into clear, with no city at either end."""
        return self.kind != "landing" and all(
            not MAP.has(hex, "rough") and not is_city(hex) for hex in (self.origin, self.hex)
        )


def modifiers(ground: Battlefield, german: bool, arm: Type, first_round: bool) -> Tally:
    """10.2, 10.3, 11.5, 12.5 What changes the dice of a class of units; all of it adds up (1.5)."""
    found = Tally()

    def count(key: ModifierKey, holds: bool) -> None:
        modifier = CHARTS.modifier[key]
        found.add(modifier.value if holds else 0, modifier.case, modifier.why)

    attacking = german == (ground.kind == "breakout")
    target = ground.hex if attacking else ground.origin
    count("rough", arm == "armour" and MAP.has(target, "rough"))
    count("city", arm == "armour" and is_city(target) and not MAP.has(target, "rough"))
    count("open", arm == "armour" and attacking and ground.open)
    count("river", not attacking and first_round and ground.river)
    count("breakout", german and ground.kind == "breakout")
    return found


# --- fire -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fire:
    """The dice of one class of units in one round: who fires, the arm, how many dice,
    and what changes them."""

    firer: Literal["elite", "german", "us", "british"]
    arm: Type
    dice: int
    tally: Tally

    @property
    def worth(self) -> tuple[int, ...]:
        """10.5 Steps by face of the die."""
        row: Row = "german" if self.firer == "elite" else self.firer
        return CHARTS.fire[row].worth(self.tally.total)

    def request(self, hex: Hex, round: int) -> Volley:
        """10.1 The dice; their key depends only on the event."""
        who = f"{self.firer} {self.arm}" if self.firer != "elite" else f"elite German {self.arm}"
        return Volley(
            case="10.1",
            what=f"round {round} at {hex}: {who} fire",
            count=self.dice,
            worth=self.worth,
            low=self.firer in ("german", "elite"),
        )


def german_fire(
    ground: Battlefield, first_round: bool, units: Sequence[Enemy], elite: bool
) -> tuple[Fire, ...]:
    """10.1 The fire of the elite Germans, or of the others: one die each (2.6, 2.11)."""
    return tuple(
        Fire("elite" if elite else "german", arm, count, modifiers(ground, True, arm, first_round))
        for arm in ("armour", "infantry")
        if (count := sum(unit.type == arm and unit.elite == elite for unit in units))
    )


def allied_fire(ground: Battlefield, first_round: bool, units: Sequence[Firing]) -> tuple[Fire, ...]:
    """10.1, 2.6 The fire of the Allies: a die for each step, by row of the table and arm;
    airborne troops are infantry (13.6)."""
    return tuple(
        Fire(row, arm, count, modifiers(ground, False, arm, first_round))
        for row in ("us", "british")
        for arm in ("armour", "infantry")
        if (count := sum(unit.steps for unit in units if unit.row == row and unit.type == arm))
    )


# --- losses ---------------------------------------------------------------------------------------------


def next_loss(units: Sequence[Firing], words: Sequence[str], spared: Sequence[bool]) -> int:
    """10.4 Which of the Allied units takes the next step: the words in their order decide,
    then the order of the units."""

    def rank(index: int) -> tuple[object, ...]:
        unit = units[index]
        judged = {
            "reduced first": unit.steps != 1,
            "full first": unit.steps != 2,
            "infantry first": unit.type != "infantry",
            "armour first": unit.type != "armour",
        }
        return (spared[index], *(judged[word] for word in words), index)

    return min(range(len(units)), key=rank)


def next_kill(units: Sequence[Enemy], words: Sequence[str]) -> int:
    """10.4 Which of the German units goes next."""

    def rank(index: int) -> tuple[object, ...]:
        unit = units[index]
        judged = {
            "elites first": not unit.elite,
            "others first": unit.elite,
            "armour first": unit.type != "armour",
            "infantry first": unit.type != "infantry",
        }
        return (*(judged[word] for word in words), index)

    return min(range(len(units)), key=rank)


# --- the battle -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Battle:
    """A battle while it is fought. Units that are lost leave the lists; their places are changed at once."""

    hex: Hex
    origin: Hex
    attackers: list[Unit]
    """The Allied units, also where it is the Germans who attack."""
    defenders: list[German]
    kind: Kind = "assault"
    seat: str = ""
    """The seat that is asked about losses."""
    losses: tuple[str, ...] = ()
    """In whose order the Allied losses fall (LOSS_WORDS); empty to ask when it first matters."""
    spared: tuple[str, ...] = ()
    kills: tuple[str, ...] = DEFAULT_KILLS
    isolated: bool = False
    """The hex is out of supply: Germans who fall there are gone for good (12.3)."""
    returned: bool = False
    """In a breakout: the Allies fire back (11.3 as one round)."""
    round: int = 0
    lost: int = 0
    """Allied steps lost so far."""
    more: int = 0
    """How many rounds after this one can be paid for (9.4)."""
    log: list[Note] = field(default_factory=list)
    rolls: int = 0

    def note(self, note: Note) -> None:
        self.log.append(note)

    @property
    def ground(self) -> Battlefield:
        return Battlefield(self.hex, self.origin, self.kind)

    @property
    def over(self) -> bool:
        return not self.attackers or not self.defenders

    @property
    def won(self) -> bool:
        """10.1 (6) Whether the Germans are gone and an Allied unit is left to hold the hex."""
        return bool(self.attackers) and not self.defenders


async def battle_round(battle: Battle, state: HasNotes) -> None:
    """10.1 One round: the elite Germans fire and their hits count at once, then all other
    Germans and the Allies fire together.

    In a landing all Germans fire first (13.5); in a breakout only the Germans fire,
    unless the whole round is played (11.3, 12.5). When the first fire leaves no target,
    the battle is over (7) and no more dice are rolled.
    """
    battle.round += 1
    ground, first = battle.ground, battle.round == 1
    early = german_fire(ground, first, battle.defenders, elite=True)
    if battle.kind == "landing":
        early += german_fire(ground, first, battle.defenders, elite=False)
    await take_losses(battle, state, await fired(battle, state, early), early=True)
    late: tuple[Fire, ...] = ()
    if battle.kind != "landing" and battle.attackers:
        late = german_fire(ground, first, battle.defenders, elite=False)
    taken = await fired(battle, state, late)
    inflicted = 0
    if battle.kind != "breakout" or battle.returned:
        inflicted = await fired(battle, state, allied_fire(ground, first, battle.attackers))
    kill(battle, state, inflicted)
    await take_losses(battle, state, taken)


async def fired(battle: Battle, state: HasNotes, fires: Iterable[Fire]) -> int:
    """10.1, 10.5 Roll for these classes of units; the steps they hit in all."""
    total = 0
    for fire in fires:
        faces = await _Faces(fire.request(battle.hex, battle.round))
        steps = sum(fire.worth[face - 1] for face in faces)
        total += steps
        state.note(
            Fired(
                case="10.1",
                roll=state.rolls,
                hex=battle.hex,
                round=battle.round,
                firer=fire.firer,
                arm=fire.arm,
                dice=fire.dice,
                parts=tuple(fire.tally.parts),
                steps=steps,
                faces=told_by_hits(faces, fire.worth),
            )
        )
    return total


@dataclass(frozen=True, slots=True)
class _Faces:
    """Dice whose faces are wanted, not their sum."""

    volley: Volley

    def __await__(self) -> Generator[Volley, list[int], list[int]]:
        return (yield self.volley)


def told_by_hits(faces: Sequence[int], worth: Sequence[int]) -> str:
    """10.5 What dice showed, those together that did the same: ``1 3 miss, 5 hits, 6 6 hit 2 times``. Only
    the faces where all did the same: the number of hits says what."""
    by_hits: dict[int, list[int]] = {}
    for face in sorted(faces, key=lambda face: (worth[face - 1], face)):
        by_hits.setdefault(worth[face - 1], []).append(face)
    said = []
    if len(by_hits) == 1:
        return " ".join(map(str, sorted(faces)))
    for hits, alike in by_hits.items():
        one = len(alike) == 1
        verb = ("hits" if one else "hit") if hits else ("misses" if one else "miss")
        said.append(f"{' '.join(map(str, alike))} {verb}{f' {hits} times' if hits > 1 else ''}")
    return ", ".join(said)


async def take_losses(battle: Battle, state: HasNotes, steps: int, early: bool = False) -> None:
    """10.4 The Allies lose `steps` steps, in the order that was given or is decided now;
    `early` if the round continues afterwards."""
    steps = min(steps, sum(unit.steps for unit in battle.attackers))
    if not steps:
        return
    words = await loss_order(battle, steps, early)
    reduced: list[str] = []
    eliminated: list[str] = []
    units = {unit.id: unit for unit in battle.attackers}
    for unit in (units[id] for id in struck(battle, steps, words)):
        unit.steps -= 1
        if unit.steps:
            reduced.append(unit.id)
            continue
        unit.place, unit.hex = "dead", None  # 7.5
        battle.attackers.remove(unit)
        eliminated.append(unit.id)
    battle.lost += steps
    still = tuple(id for id in reduced if id not in eliminated)
    state.note(
        Losses(case="10.4", hex=battle.hex, round=battle.round, reduced=still, eliminated=tuple(eliminated))
    )


def struck(battle: Battle, steps: int, words: Sequence[str]) -> list[str]:
    """10.4 The units that lose `steps` steps, one after another; a unit that loses two is listed twice."""
    left = [(unit.id, shape(battle, unit)) for unit in battle.attackers]
    found: list[str] = []
    for _ in range(steps):
        shapes = [each for _, each in left]
        at = next_loss(shapes, words, [each.spared for each in shapes])
        id, one = left[at]
        found.append(id)
        left[at : at + 1] = [(id, one._replace(steps=one.steps - 1))] if one.steps > 1 else []
    return found


async def loss_order(battle: Battle, steps: int, early: bool = False) -> tuple[str, ...]:
    """10.4 In whose order losses fall. Asked once in a battle, and only if it makes a difference."""
    if battle.losses:
        return complete(battle.losses)
    shapes = tuple(sorted(shape(battle, unit) for unit in battle.attackers))
    if len({worn(shapes, steps, tuple(order.split(", "))) for order in LOSS_ORDERS}) == 1:
        return DEFAULT_LOSSES
    chosen = await Ask(
        case="10.4",
        what=f"losses at {battle.hex}",
        seat=battle.seat,
        kind="losses",
        options=LOSS_ORDERS,
        default=", ".join(DEFAULT_LOSSES),
        intro=(
            f"{count(steps, 'step')} to lose now: {sides(battle)}. "
            "The order holds for the rest of the battle."
        ),
        says=lambda order: price(battle, steps, tuple(order.split(", ")), early),
    )
    battle.losses = tuple(chosen.split(", "))
    return battle.losses


def sides(battle: Battle) -> str:
    """The two sides of a battle, in the words of a decision."""
    allies = ", ".join(f"{unit.id} ({count(unit.steps, 'step')})" for unit in battle.attackers)
    germans = ", ".join(f"{unit.id} (elite)" if unit.elite else unit.id for unit in battle.defenders)
    return f"{allies} against {germans or 'no Germans'}"


def price(battle: Battle, steps: int, words: tuple[str, ...], early: bool) -> str:
    """10.4 What losses in this order cost now, and the chance that they leave:
    exact, if the battle is fought to its end."""
    hits = struck(battle, steps, words)
    full = {unit.id: unit.steps for unit in battle.attackers}
    dead = [id for id in full if hits.count(id) == full[id]]
    reduced = [id for id in full if 0 < hits.count(id) < full[id]]
    told = [f"{', '.join(reduced)} reduced"] if reduced else []
    told += [f"{', '.join(dead)} eliminated"] if dead else []
    if battle.kind != "breakout" and battle.defenders:
        told.append(f"then {percent(chance_after(battle, steps, words, early))} to win")
    return "; ".join(told)


def chance_after(battle: Battle, steps: int, words: tuple[str, ...], early: bool) -> Fraction:
    """10.1, 13.5 The exact chance to win once these steps are lost, within the rounds that can be paid for;
    `early` if the rest of the round is still to come."""
    view = outlook(battle, battle.more)._replace(losses=words)
    left = worn(view.attackers, steps, words)
    if not early:
        return chances(view._replace(attackers=left)).won
    if battle.kind == "landing":
        hits = sums(allied_fire(battle.ground, True, left))
        return Fraction(
            sum(ways for hit, ways in hits.items() if hit >= len(battle.defenders)), sum(hits.values())
        )
    leads = after_first_fire(view._replace(first=battle.round == 1, rounds=battle.more + 1), left)
    won = sum((ways * chances(there).won for there, ways in leads.items()), Fraction(0))
    return won / sum(leads.values())


def complete(words: Sequence[str]) -> tuple[str, ...]:
    """A loss order with its gaps filled from the default."""
    about_steps = {"reduced first", "full first"}
    rest = [
        word
        for word in DEFAULT_LOSSES
        if not any((word in about_steps) == (said in about_steps) for said in words)
    ]
    return (*words, *rest)


def kill(battle: Battle, state: HasNotes, steps: int) -> None:
    """10.4, 10.6, 12.3 `steps` Germans fall: back to the pool in phase IV, or out of the game."""
    fallen: list[str] = []
    for _ in range(min(steps, len(battle.defenders))):
        unit = battle.defenders.pop(next_kill(battle.defenders, battle.kills))
        unit.place, unit.hex = ("gone" if unit.once or battle.isolated else "fallen"), None
        fallen.append(unit.id)
    if fallen:
        state.note(Losses(case="10.4", hex=battle.hex, round=battle.round, germans=tuple(fallen)))


# --- the odds -------------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """An Allied unit as far as odds go."""

    row: str
    type: Type
    steps: int
    spared: bool = False


class EnemyShape(NamedTuple):
    """A German unit as far as odds go."""

    type: Type
    elite: bool


class Outlook(NamedTuple):
    """A battle as far as odds go; `rounds` may still be fought."""

    ground: Battlefield
    attackers: tuple[Shape, ...]
    defenders: tuple[EnemyShape, ...]
    losses: tuple[str, ...]
    kills: tuple[str, ...]
    rounds: int
    first: bool


def shape(battle: Battle, unit: Unit) -> Shape:
    """What counts of a unit in this battle."""
    return Shape(unit.row, unit.type, unit.steps, unit.id in battle.spared)


def outlook(battle: Battle, rounds: int) -> Outlook:
    """The rest of a battle in which `rounds` more rounds may be fought."""
    shapes = (Shape(unit.row, unit.type, unit.steps, unit.id in battle.spared) for unit in battle.attackers)
    enemies = (EnemyShape(unit.type, unit.elite) for unit in battle.defenders)
    return Outlook(
        battle.ground,
        tuple(sorted(shapes)),
        tuple(sorted(enemies)),
        complete(battle.losses or DEFAULT_LOSSES),
        battle.kills,
        rounds,
        battle.round == 0,
    )


class Chances(NamedTuple):
    """How likely a battle is won, and lost with every attacker; what is left is a repulse
    with somebody to go back."""

    won: Fraction
    lost: Fraction


@lru_cache(maxsize=100_000)
def chances(view: Outlook) -> Chances:
    """10.1 The exact chances of an assault that is fought to its end, within its rounds."""
    if not view.attackers or not view.defenders:
        return Chances(Fraction(bool(view.attackers)), Fraction(not view.attackers))
    if not view.rounds:
        return Chances(Fraction(0), Fraction(0))
    leads = after_round(view)
    ways = sum(leads.values())
    found = [(weight, chances(there)) for there, weight in leads.items()]
    return Chances(
        sum((weight * each.won for weight, each in found), Fraction(0)) / ways,
        sum((weight * each.lost for weight, each in found), Fraction(0)) / ways,
    )


def win_chance(view: Outlook) -> Fraction:
    """10.1 The exact chance that the Germans of an assault are gone within its rounds,
    if it is fought to the end."""
    return chances(view).won


@lru_cache(maxsize=20_000)
def after_round(view: Outlook) -> dict[Outlook, int]:
    """10.1 Where a round of an assault leads, with how many of the faces of its dice lead there."""
    found: dict[Outlook, int] = {}
    dice = sum(unit.steps for unit in view.attackers)
    for early, early_ways in sums(german_fire(view.ground, view.first, view.defenders, elite=True)).items():
        attackers = worn(view.attackers, early, view.losses)
        # Units that are lost to the first fire throw no dice; each die not thrown counts for its six faces.
        idle = 6 ** (dice - sum(unit.steps for unit in attackers))
        for there, ways in after_first_fire(view, attackers).items():
            found[there] = found.get(there, 0) + early_ways * ways * idle
    return found


def after_first_fire(view: Outlook, attackers: tuple[Shape, ...]) -> dict[Outlook, int]:
    """10.1 Where the rest of a round leads when the elite Germans have left these attackers,
    with how many of the faces of its dice."""
    found: dict[Outlook, int] = {}
    inflicted = sums(allied_fire(view.ground, view.first, attackers))
    for late, late_ways in sums(german_fire(view.ground, view.first, view.defenders, elite=False)).items():
        left = worn(attackers, late, view.losses)
        for steps, ways in inflicted.items():
            there = view._replace(
                attackers=left,
                defenders=thinned(view.defenders, steps, view.kills),
                rounds=view.rounds - 1,
                first=False,
            )
            found[there] = found.get(there, 0) + late_ways * ways
    return found


def sums(fires: Sequence[Fire]) -> dict[int, int]:
    """The steps that these dice hit in all, and in how many ways."""
    ways = {0: 1}
    for fire in fires:
        faces = fire.worth
        for _ in range(fire.dice):
            more: dict[int, int] = {}
            for so_far, there in ways.items():
                for worth in faces:
                    more[so_far + worth] = more.get(so_far + worth, 0) + there
            ways = more
    return ways


@lru_cache(maxsize=20_000)
def worn(units: tuple[Shape, ...], steps: int, words: tuple[str, ...]) -> tuple[Shape, ...]:
    """Allied units after losing these steps."""
    left = list(units)
    for _ in range(min(steps, sum(unit.steps for unit in units))):
        index = next_loss(left, words, [unit.spared for unit in left])
        unit = left[index]._replace(steps=left[index].steps - 1)
        left[index : index + 1] = [unit] if unit.steps else []
    return tuple(sorted(left))


@lru_cache(maxsize=20_000)
def thinned(units: tuple[EnemyShape, ...], steps: int, words: tuple[str, ...]) -> tuple[EnemyShape, ...]:
    """German units after this many have fallen."""
    left = list(units)
    for _ in range(min(steps, len(left))):
        left.pop(next_kill(left, words))
    return tuple(left)


__all__ = [
    "DEFAULT_KILLS",
    "DEFAULT_LOSSES",
    "LOSS_ORDERS",
    "Battle",
    "Battlefield",
    "battle_round",
    "chances",
    "outlook",
    "win_chance",
]
