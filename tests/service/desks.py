"""The page of an order desk read back as its script reads it, positions of games that bots have played, and
what the desks of the rules say of them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from one_order import read_line
from replays import BEGUN, SETTINGS, _cut, data_in, played
from sqlmodel import func, select

from pbem.engine.desk import Desk
from pbem.engine.errors import OrderError
from pbem.engine.game import SYSTEM, game
from pbem.engine.language import Order
from pbem.render.orderdesk.page import COLUMN, NONE, points
from pbem.render.web.shell import DIGITS
from pbem.service.intake.trial import considered
from pbem.service.letters.ordering import MOST, Sitting, page_of, sitting_of
from pbem.service.moderating.start import NewGame, start
from pbem.service.play.ahead import desk_ahead, desk_below
from pbem.service.play.sections import asked_section, open_sections
from pbem.service.record.rows import PhaseRow, SeatRow
from pbem.service.record.store import Store
from pbem.service.tools.queries import table_of
from pbem.testing.post import people

OFTEN = (0, 1, 2, 3, 4, 5, 7, 9, 12, 16, 0.5, 0.52, 0.54, 0.56, 0.9)
"""Moments of a long game (`positions`)."""

PLACE = {sign: at for at, sign in enumerate(DIGITS)}


# --- the page read back -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """A choice as the script shows it; `head` is the line above it that heads it, "" for none."""

    section: str
    head: str
    text: str
    verb: str
    units: tuple[str, ...]
    subject: str
    end: str
    way: tuple[str, ...]
    cost: str
    of: str
    told: tuple[str, ...]
    column: str


class Shown:
    """What the script of a page reads."""

    def __init__(self, page: str) -> None:
        self.data = data_in(page)
        self.hexes = self.data["hexes"].split(" ")

    def choices(self) -> Iterator[Said]:
        """Every choice of the page, section by section."""
        for part in self.data["parts"]:
            for head, groups in [
                ("", part["groups"]),
                *((head["text"], head["groups"]) for head in part.get("heads", ())),
            ]:
                for number in groups:
                    yield from self._group(part["key"], head, self.data["groups"][number])

    def _group(self, section: str, head: str, group: dict[str, Any]) -> Iterator[Said]:
        """The choices of a group: `choice` of orderdesk.js."""
        data = self.data
        ends = unpacked(data["sets"][group["h"]]) if "h" in group else [NONE]
        figures = {key: _each(group, key, len(ends)) for key in ("c", "w", "o")}
        units = tuple(self._unit(unit) for unit in group["u"])
        for at, end in enumerate(ends):
            hex = self.hexes[end] if end != NONE else ""
            price, column = (data["figures"][figures[key][at]] if key in group else "" for key in ("c", "o"))
            cost, _, of = price.partition("|")
            words = [data["told"][word] for word in data["says"][figures["w"][at]]] if "w" in group else []
            actor = units[0] if len(units) == 1 else "\N{DEGREE SIGN}"
            yield Said(
                section, head, group["t"].replace("\N{BULLET}", hex), data["verbs"][group["v"]][0], units,
                self._unit(group["s"]) if "s" in group else units[0], hex,
                tuple(self.hexes[each] for each in _way(group, ends, at)), cost, of,
                tuple(word.replace("\N{BULLET}", hex).replace("\N{DEGREE SIGN}", actor) for word in words),
                column,
            )  # fmt: skip

    def _unit(self, unit: Any) -> str:
        return str(self.data["units"][unit][0] if isinstance(unit, int) else unit)


def unpacked(signs: str) -> list[int]:
    """The numbers of two signs each."""
    return [PLACE[a] * 64 + PLACE[b] for a, b in zip(signs[::2], signs[1::2], strict=True)]


def _each(group: dict[str, Any], key: str, many: int) -> list[int]:
    told = group.get(key, 0)
    return unpacked(told) if isinstance(told, str) else [told] * many


def _way(group: dict[str, Any], ends: list[int], at: int) -> list[int]:
    """The way to the hex of a choice: `wayOf` of orderdesk.js."""
    if not group.get("p"):
        return []
    before, odd = unpacked(group["p"]), group.get("q", {})
    way: list[int] = []
    hex = ends[at]
    for _ in range(80):
        if hex == NONE:
            break
        if str(hex) in odd:
            first, *rest = unpacked(odd[str(hex)])
            way[:0] = rest
            hex = first
            if hex not in ends:
                way.insert(0, hex)
                break
            continue
        way.insert(0, hex)
        if hex not in ends or before[ends.index(hex)] == NONE:
            break
        hex = before[ends.index(hex)]
    return way


# --- what the desks of the rules say ------------------------------------------------------------------------


@contextmanager
def sitting(store: Store, seat: str) -> Iterator[Sitting]:
    """A seat of the only game of a store."""
    with table_of(store, None, seat) as (table, here):
        yield sitting_of(table, here, seat)


def desks(here: Sitting) -> Iterator[tuple[str, str, Desk[Any], list[Order]]]:
    """Each desk of a seat with its section, the line that heads its orders, and its legal orders, each
    once."""
    for section in [] if here.here.over else open_sections(here.game, here.here, here.seat):
        desk = desk_ahead(here.game, here.here, here.position, here.seat, section)
        if desk is None:
            continue
        orders = _orders(desk)
        yield section, "", desk, orders
        for order in orders:
            if order.heads:
                below = desk_below(here.game, here.here, here.position, here.seat, section, order)
                if below is not None:
                    yield section, here.game.grammar.write(order), below, _orders(below)


def _orders(desk: Desk[Any]) -> list[Order]:
    return list(dict.fromkeys(order for subject in desk.subjects() for order in desk.options(subject)))[:MOST]


def sampled(orders: Sequence[Any], most: int, seed: str) -> list[Any]:
    """At most this many of these, by chance and always the same."""
    return list(orders) if len(orders) <= most else random.Random(seed).sample(list(orders), most)


def differences(here: Sitting, page: str, most: int, read: int, seed: str = "") -> Iterator[str]:
    """Where a page and the desks of its seat disagree; of the choices below each heading or line that heads
    them `most` are compared in all there is to know, and `read` of these are read back."""
    said: dict[tuple[str, str], dict[str, Said]] = {}
    for choice in Shown(page).choices():
        under = said.setdefault((choice.section, choice.head), {})
        if choice.text in under:
            yield f"[{choice.section}] {choice.text}: twice"
        under[choice.text] = choice
    grammar, roster = here.game.grammar, here.game.roster(here.here.state, here.seat)
    for section, head, desk, orders in desks(here):
        shown = said.pop((section, head), {})
        place = f"[{section}] {head}".strip()
        texts, offered = {grammar.write(order): order for order in reversed(orders)}, set(orders)
        if shown.keys() != texts.keys():
            yield f"{place}: {sorted(shown.keys() ^ texts.keys())[:3]}"
            continue
        chosen = sampled(list(shown), most, seed)
        for text in chosen:
            if unlike := _unlike(here, desk, texts[text], shown[text]):
                yield f"{place} {text}: {unlike}"
        for text in sampled(chosen, read, seed):
            try:
                order = read_line(grammar, text, roster, section)
            except OrderError as error:
                yield f"{place} {text}: {error}"
            else:
                if order not in offered:
                    yield f"{place} {text}: read as {order}, not as {texts[text]}"
    for section, head in said:
        if said[section, head]:
            yield f"[{section}] {head}: no desk offers this"


def _unlike(here: Sitting, desk: Desk[Any], order: Order, choice: Said) -> str:
    """What a choice shows otherwise than its desk says."""
    offer = desk.offer(order)
    hexes = set(here.board.map.grid.ids)
    columns = (found[0] for odds in offer.odds if (found := COLUMN.fullmatch(odds.column)))
    wanted = {
        "verb": order.verb,
        "units": order.actors(),
        "end": offer.end if offer.end in hexes else "",
        "way": tuple(hex for hex in offer.way if hex in hexes),
        "cost": "" if offer.cost is None else points(offer.cost),
        "of": "" if offer.of is None or offer.cost is None else points(offer.of),
        "told": offer.told,
        "column": next(columns, ""),
    }
    return "; ".join(
        f"{name} {getattr(choice, name)!r}, not {value!r}"
        for name, value in wanted.items()
        if getattr(choice, name) != value
    )


# --- positions ----------------------------------------------------------------------------------------------


def positions(folder: Path, key: str, scenario: str, at: Sequence[float]) -> Iterator[tuple[str, Store]]:
    """A game that bots have played, as it was at the beginning of some of its phases: those with these
    numbers, or where a number is below 1 at this part of the whole."""
    parts = any(0 < n < 1 for n in at)
    phases = 0 if parts else int(max(at)) + 1
    whole = played(folder / f"{key}.pbem", key, scenario, bot="greedy", phases=phases)
    with whole.transaction() as session:
        many = session.exec(select(func.count()).select_from(PhaseRow)).one()
    whole.close()
    for phases in sorted({min(int(n if n >= 1 else n * many), many - 1) for n in at}):
        file = folder / f"{key}-{phases:03}.pbem"
        shutil.copy(folder / f"{key}.pbem", file)
        store = Store.open(file)
        _cut(store, key, phases)
        seated(store)
        yield f"{key} {phases}", store


def seated(store: Store) -> None:
    """Put people in the seats of bots, who have written nothing yet."""
    with store.transaction() as session:
        for row in session.exec(select(SeatRow)):
            row.sheet, row.questions, row.played, row.missed = {}, {}, {}, {}
            if row.bot != SYSTEM:
                row.bot, row.name, row.address = "", row.key.title(), f"{row.key}.own@mail.example"
            session.add(row)


def seats_of(store: Store) -> list[str]:
    """The seats of people."""
    with store.transaction() as session:
        return sorted(row.key for row in session.exec(select(SeatRow)) if row.bot != SYSTEM)


def opening(folder: Path, key: str, scenario: str) -> Store:
    """A game as it begins, with people in all seats that the game does not play itself."""
    store = Store.create(folder / f"{key}-{scenario}.pbem")
    new = NewGame(key, key, scenario, players=people(game(key), {}), settings=SETTINGS, seed="3")
    start(store, new, BEGUN)
    seated(store)
    return store


class Moment:
    """A seat at a moment of a game, and its page."""

    def __init__(self, name: str, store: Store, seat: str) -> None:
        self.name, self.store, self.seat = f"{name}, {seat}", store, seat
        with sitting(store, seat) as here:
            self.here = here

    @cached_property
    def page(self) -> str:
        return page_of(self.here)

    @property
    def asked(self) -> str | None:
        """The section that is asked for now."""
        return asked_section(self.here.here, self.seat)

    def firsts(self) -> Iterator[tuple[str, str, str]]:
        """The first choice of each subject: section, the line above it that heads it, and text."""
        found: dict[tuple[str, str, str], tuple[str, str, str]] = {}
        for said in Shown(self.page).choices():
            found.setdefault((said.section, said.head, said.subject), (said.section, said.head, said.text))
        yield from found.values()

    def judged(self, section: str, head: str, text: str) -> str:
        """How a letter with one choice alone is judged: ready, waiting, or why it is faulty."""
        letter = "\n".join(filter(None, (f"[{section}]", head, text)))
        with considered(self.store, self.seat, letter, None) as inbox:
            if inbox.reading.faults:
                return str(inbox.reading.faults[0].error)
            verdict = inbox.judgement.verdicts[-1]
            assert verdict.line.text.strip() == text
            return verdict.state if verdict.state != "faulty" else " ".join(verdict.says)
