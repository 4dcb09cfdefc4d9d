"""The order form and HELP of each game: examples are orders that their reader can give."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from one_order import read_line
from postbox import Postbox
from protocol_kit import form_of, new_game, told, toy_box
from shortened import shortened
from sizes import few, size

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import Bot, random_bot
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.game import game
from pbem.engine.installed import games
from pbem.engine.language.reference import Examples
from pbem.engine.play import Answer, Decision
from pbem.render import svg
from pbem.render import text as text_map
from pbem.service.tools import queries
from pbem.testing.post import people, put

FORMS = size(3, 6)
"""Positions of a game whose forms are tried."""

EVERY = size(5, 1)
"""One in this many sections that are asked for is looked at."""

GAMES = tuple(key for key in games() if key in ("normandy71", "rampage", "falaise", "normandy44", "france44"))


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage", "france44"))
def test_examples_are_legal_orders_of_their_reader(key: str) -> None:
    """In a game of random play, each example of a form passes the check of the moment and can be read again;
    no other example is about units of the other side."""
    rules = game(key)
    seen: set[tuple[Any, ...]] = set()

    def looking(bot: Bot) -> Bot:
        def answers(request: Decision, state: Any) -> Answer:
            asks = request.asks if isinstance(request, FirstOf) else (request,)
            for ask in asks:
                page = (state.turn, ask.seat, ask.section) if isinstance(ask, Desk) else None
                if page is not None and page not in seen:
                    seen.add(page)
                    if len(seen) % EVERY == 0:
                        _examples_hold(rules, state, ask)
            return bot(request, state)

        return answers

    rng = random.Random(key)
    autoplay(rules, key, {seat.key: looking(random_bot(rng)) for seat in rules.seats})
    assert len(seen) > 4


def _examples_hold(rules: Any, state: Any, ask: Desk[Any]) -> None:
    roster = rules.roster(state, ask.seat)
    for kind, order in ask.samples().items():
        ask.check(order)
        assert read_line(rules.grammar, rules.grammar.write(order), roster, ask.section) == order, kind
    examples = Examples(rules.grammar, ask.seat, roster, ask)
    for kind in rules.grammar.orders:
        if example := examples.written(kind):
            actors = read_line(rules.grammar, example, roster).actors()
            assert not [unit for unit in actors if roster.units[unit].enemy], example


def _try_examples(box: Postbox, seat: str) -> int:
    """Send each example of the section that is asked for; below a head where the form begins with one."""
    form = form_of(box, seat).partition("\n\n")[0].strip("-\n")
    if "[" not in form:
        return 0
    asked, *lines = form.splitlines()
    orders = [line[2:] for line in lines if line.startswith("; ") and line[2:] not in ("done", "no orders")]
    head = next((order for order in orders if order.startswith("activate")), "")
    for order in orders:
        above = f"{head}\n" if head and order != head and "initiative" in asked else ""
        answer = told(box, seat, f"try\n{asked}\n{above}{order}\n")
        kept = re.findall(r" (ok|wait) +L\d+ (?=" + re.escape(order) + ")", answer)
        assert kept == ["ok"], (order, answer)
    return len(orders)


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage", "france44"))
def test_an_example_of_the_form_can_be_sent_as_it_stands(tmp_path: Path, key: str) -> None:
    """Each example of the section that the first form asks for is ready when it is sent."""
    seats = [seat.key for seat in game(key).seats_of(game(key).chosen({}))]
    box = new_game(tmp_path, key, *seats)
    assert sum(_try_examples(box, seat) for seat in seats)


def test_the_form_has_no_example_of_what_is_written_already(tmp_path: Path) -> None:
    box = toy_box(tmp_path)
    assert "; move R1 to 0201\n" in form_of(box, "red")
    box.mail("red", "move R1 to 0201\n")
    form = form_of(box, "red")
    assert "\nL1: move R1 to 0201\n" in form and "; move" not in form


@pytest.mark.parametrize("key", few(GAMES, "normandy71", "rampage", "france44"))
def test_an_example_of_a_later_form_can_be_sent_as_it_stands(tmp_path: Path, key: str) -> None:
    """So is each of a form in the midst of a game of bots, of whoever is asked."""
    rules = game(key)
    players = people(rules, {})
    bots = {seat.key: random_bot(random.Random(key)) for seat in rules.seats}
    phases = autoplay(shortened(rules, 5 * FORMS), key, bots).phases
    tried = 0
    for phase in phases[4::5]:
        (tmp_path / phase.label).mkdir()
        box = new_game(tmp_path / phase.label, key, *players)
        put(box.store, box.game, rules.load(phase.snapshot), players)
        tried += sum(_try_examples(box, seat) for seat in players)
    assert tried > 2


def test_the_map_shows_where_units_may_be_set_up(tmp_path: Path) -> None:
    """Rampage 3.4 The hexes in which the divisions may be set up are marked, with a word in the legend,
    and listed in the text map; when the army stands, nothing is."""
    box = new_game(tmp_path, "rampage", "allied")
    board = queries.board_of(box.store, box.game, "allied")
    assert {"1001", "1801", "1901"} <= set(board.entries) and "1603" not in board.entries
    assert "open to your units" in svg(board) and "Open to your units\n  1001 1002" in text_map(board)
    assert not queries.board_of(box.store, box.game).entries
    box.mail("allied", "[set-up]\ndefault\ndone\n")
    assert not queries.board_of(box.store, box.game, "allied").entries


def test_the_map_does_not_show_half_of_itself_as_open(tmp_path: Path) -> None:
    """The Germans of Normandy (1971) may be set up nearly everywhere: their map marks no hex."""
    box = new_game(tmp_path, "normandy71", "german")
    assert queries.board_of(box.store, box.game, "german").entries == ()


@pytest.mark.parametrize(
    ("key", "scenario", "never"),
    [
        ("france44", "falaise", "drop"),
        ("normandy44", "cherbourg", "delay"),
        ("normandy44", "cherbourg", "carpet"),
    ],
)
def test_a_form_offers_nothing_of_other_scenarios(
    tmp_path: Path, key: str, scenario: str, never: str
) -> None:
    """Where no airborne corps and no bombers take part, the form does not speak of them."""
    box = new_game(tmp_path, key, "allied", "german", scenario=scenario)
    text = box.texts(box.address("allied"))[0]
    form = text[text.index("Your order form") :]
    assert f"; {never} " not in form
