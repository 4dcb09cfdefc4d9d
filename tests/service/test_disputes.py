"""N4 A disputed roll: its page for both sides and the moderator, each from his own knowledge, and the dispute
that stays open until a ruling."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from postbox import ID, MODERATOR, PLAYERS, Postbox, copy_of, placed, position, sent
from protocol_kit import flat, told
from test_secrecy import german_twin

from pbem.cli import main
from pbem.games.normandy71.view import view as view_of_state
from pbem.service.letters.caselist import titles
from pbem.service.letters.rolls.happened import Happened
from pbem.service.letters.rolls.open import open_disputes
from pbem.service.letters.rolls.page import Page
from pbem.service.moderating import disputes, timing
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow, StaffRow
from pbem.service.record.store import Store
from pbem.service.time.deadline import act, to_look_at
from pbem.service.tools import queries
from pbem.testing.post import SETTINGS

ANNA, BERT = (PLAYERS[seat].address for seat in ("allied", "german"))
PLACE = ("greedy", "3", "t4.allied_combat")


def fought(path: Path, twin: bool = False, comment: str = "") -> Postbox:
    """The Allies have attacked every stack on the open map, and dice have fallen."""
    state = position(*PLACE)
    seen = view_of_state(state, "allied").seen
    attacks = [f"try attack {stack.hex}{comment}" for stack in seen if not stack.hidden]
    box = placed(path, german_twin(state) if twin else state)
    with box.store.transaction() as session:
        row = session.get_one(GameRow, ID)
        row.settings = row.settings | SETTINGS
        session.add(row)
    box.mail("allied", "[combat]\n" + "\n".join(attacks) + "\ndone\n")
    return box


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return copy_of(fought, tmp_path / "normandy.pbem")


def first_roll(box: Postbox) -> str:
    return str(queries.rolls(box.store, ID, "allied")[0]["name"])


def page(box: Postbox, seat: str, name: str = "") -> Page:
    return queries.roll_page(box.store, ID, name or first_roll(box), seat)


def ruled(box: Postbox, what: str, name: str, value: str = "") -> None:
    """The moderator rules on a roll."""
    rule(box.store, ID, what, name, value, by="moderator", why="as agreed", now=box.now)  # type: ignore[arg-type]


# --- by mail ------------------------------------------------------------------------------------------------


def test_everybody_gets_the_page_of_a_disputed_roll(box: Postbox) -> None:
    """The writer in his reply, the other side and the moderator in letters of their own; the other side does
    not read the reason."""
    name, last = first_roll(box), box.last()
    box.mail("allied", f"dispute {name} that die was cocked\n")
    assert box.digests() == 1
    reply, other, moderator = (box.texts(to, last) for to in (ANNA, BERT, MODERATOR))
    for (text,), seat in ((reply, "allied"), (other, "german"), (moderator, "umpire")):
        for line in page(box, seat, name).lines():
            assert flat(line) in flat(text)
    assert "that die was cocked" in moderator[0]
    assert "Your reason, which only the moderator reads: that die was cocked" in flat(reply[0])
    assert "cocked" not in other[0]
    assert f"Allied (Anna) disputes {name}" in other[0]
    (row,) = (row for row in box.journal() if row.kind == "dispute")
    assert (row.asked, row.by, row.answer["why"]) == (name, "allied", "that die was cocked")
    assert row.letter == box.letters()[-1].id


def test_the_page_names_a_line_that_names_no_unit(store: Store) -> None:
    """`default` has placed the unit that the die is about: the line is its writer's, not "none of yours", and
    the other side does not read of it. A die about something else was not led to by it."""
    box = Postbox.started(store)
    box.mail("german", "default\ndone\n")
    box.mail("allied", "default\ndone\n")
    drop = next(each["name"] for each in queries.rolls(box.store, ID) if "scatter" in str(each))
    (line,) = page(box, "allied", drop).orders
    assert (line.seat, line.text, line.how) == ("Allied", "default", "orders") and line.received
    assert page(box, "german", drop).orders == ()
    assert [each.text for each in page(box, "umpire", drop).orders] == ["default"]
    assert page(box, "allied", "R1").orders == page(box, "german", "R1").orders == ()


def test_a_dispute_is_open_until_a_ruling_names_the_roll(box: Postbox) -> None:
    """It stands in the status and at the head of every letter; a ruling on another roll leaves it open."""
    name, other = (each["name"] for each in queries.rolls(box.store, ID, "allied")[:2])
    box.mail("allied", f"ruling {name}\n")
    head = f"{name} is disputed by Allied (Anna) since"
    assert f"{name} is disputed by your side since" in told(box, "allied", "status\n").partition("Status")[0]
    assert head in told(box, "german", "status\n").partition("Status")[0]
    ruled(box, "uphold", other)
    assert head in "\n".join(queries.status(box.store, ID).lines())
    assert any(name in line for line in queries.status(box.store, ID, "german").disputes)
    ruled(box, "uphold", name)
    assert "is disputed" not in told(box, "allied", "status\n")
    assert queries.status(box.store, ID).disputes == ()


def test_asking_again_says_that_it_is_open_already(box: Postbox) -> None:
    """Whoever asks, in the same letter or a later one: one dispute, and one set of pages."""
    name = first_roll(box)
    box.mail("allied", f"dispute {name}\nruling {name}\n")
    assert box.digests() == 1
    last = box.last()
    assert f"{name} is disputed already, by your side since" in told(
        box, "allied", f"dispute {name} please\n"
    )
    assert f"{name} is disputed already, by Allied (Anna) since" in told(box, "german", f"dispute {name}\n")
    assert [row.kind for row in box.journal()].count("dispute") == 1
    box.now += timedelta(days=2)
    assert box.digests() == 0 and box.texts(MODERATOR, last) == []


# --- the clock ----------------------------------------------------------------------------------------------


def waits(box: Postbox, **terms: Any) -> None:
    """The clock of this game stands while a roll is disputed; all letters have gone out."""
    terms = {"disputes": "wait"} | terms
    carry_out(box.store, ID, box.now, lambda table: timing.set_terms(table, terms, by="host", why=""))
    sent(box.store, box.now)


def due(box: Postbox) -> str:
    return queries.status(box.store, ID).deadline


def test_without_terms_a_dispute_leaves_the_clock_alone(box: Postbox) -> None:
    """The reply and the letter to the other side say so."""
    before, last = due(box), box.last()
    assert "The clock does not wait for the ruling" in told(box, "allied", f"dispute {first_roll(box)}\n")
    assert "The clock does not wait for the ruling" in flat(box.texts(BERT, last)[0])
    assert due(box) == before != ""


def test_the_clock_waits_for_the_ruling(box: Postbox) -> None:
    """No deadline passes; whoever asks is told why; afterwards the time that was left is left."""
    waits(box)
    before, name, last = due(box), first_roll(box), box.last()
    reply = told(box, "allied", f"dispute {name}\n")
    raised = box.now
    until = "until the ruling, Mon 23 Nov"
    assert f"The clock is stopped {until}" in reply and "does not wait" not in reply
    assert f"The clock is stopped {until}" in flat(box.texts(BERT, last)[0])
    assert f"the clock is stopped {until}" in told(box, "german", "status\n")
    assert box.digests() == 1 and f"the clock is stopped {until}" in flat(box.texts(MODERATOR)[-1])
    sent(box.store, box.now)
    assert due(box) == "" and act(box.store, ID, raised + timedelta(days=2)) == []
    box.now = raised + timedelta(days=2)
    last = box.last()
    ruled(box, "uphold", name)
    left = datetime.fromisoformat(before) - raised
    assert box.now + left <= datetime.fromisoformat(due(box)) < box.now + left + timedelta(days=1)
    assert "due " in box.texts(ANNA, last)[0] and "clock is stopped" not in box.texts(ANNA, last)[0]


def test_the_clock_waits_for_a_few_days_at_most(box: Postbox) -> None:
    """Then it goes on by itself, and everybody is told; another dispute does not stop it while the first is
    open."""
    waits(box, dispute_days=2)
    one, two = (each["name"] for each in queries.rolls(box.store, ID, "allied")[:2])
    box.mail("allied", f"dispute {one}\n")
    sent(box.store, box.now)
    end, last = box.now + timedelta(days=2), box.last()
    assert act(box.store, ID, end - timedelta(minutes=1)) == [] and due(box) == ""
    assert to_look_at(box.store, end - timedelta(minutes=1)) == []
    assert to_look_at(box.store, end) == [ID]
    assert act(box.store, ID, end) == [] and due(box) > end.isoformat()
    assert all("The clock goes on before the ruling" in box.texts(to, last)[0] for to in (ANNA, BERT))
    box.now = end
    assert "does not wait for the ruling" in told(box, "allied", f"dispute {two}\n") and due(box)


def test_the_clock_does_not_tell_of_a_roll_that_others_may_not_know_of(
    box: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits(box)
    real = Happened.facts

    def for_allies(self: Happened) -> list[dict[str, object]]:
        return [note | {"readers": ("allied",)} for note in real(self)]

    monkeypatch.setattr(Happened, "facts", for_allies)
    assert "does not wait for the ruling" in told(box, "allied", f"dispute {first_roll(box)}\n")
    after = told(box, "german", "status\n")
    assert "clock is stopped" not in after and ", due " in after


def test_the_host_has_the_last_word_on_a_clock_that_waits(box: Postbox) -> None:
    """PAUSE makes it stand for good, and CONTINUE lets it go on though the dispute is open."""
    waits(box)
    name = first_roll(box)
    box.mail("allied", f"dispute {name}\n")
    carry_out(box.store, ID, box.now, lambda table: timing.pause(table, by="host", why=""))
    assert act(box.store, ID, box.now + timedelta(days=9)) == [] and due(box) == ""
    ruled(box, "uphold", name)
    assert due(box) == ""
    carry_out(box.store, ID, box.now, lambda table: timing.go_on(table, by="host", why=""))
    assert due(box)
    box.mail("allied", f"dispute {name}\n")
    assert due(box) == ""
    carry_out(box.store, ID, box.now, lambda table: timing.go_on(table, by="host", why=""))
    assert due(box)


# --- how many, and of what ----------------------------------------------------------------------------------


def test_a_seat_has_at_most_three_open_disputes(box: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is refused with those that are open; a ruling makes room."""
    one, two = (each["name"] for each in queries.rolls(box.store, ID, "allied")[:2])
    assert disputes.MOST_OPEN == 3
    monkeypatch.setattr(disputes, "MOST_OPEN", 1)
    box.mail("allied", f"dispute {one}\n")
    text = told(box, "allied", f"dispute {two}\n")
    assert f"You have 1 open dispute ({one}), which is the most" in text
    ruled(box, "uphold", one)
    assert f"You dispute {two}" in told(box, "allied", f"dispute {two}\n")


def test_a_roll_that_a_seat_may_not_know_of_is_no_roll(tmp_path: Path) -> None:
    """The sealed draw has no number; nobody disputes a roll that was never thrown."""
    box = Postbox.started(Store.create(tmp_path / "new.pbem"))
    for name in ("R0", "R2", "R999"):
        assert f"The log has no roll {name}." in told(box, "allied", f"dispute {name}\n")
        with pytest.raises(StoreError, match="no roll"):
            queries.roll_page(box.store, ID, name, "allied")
    die = page(box, "allied", "R1")
    assert "order of battle" not in die.cell and "Drawn" not in die.cell
    assert page(box, "german", "R1").cell != die.cell


def test_a_note_for_the_other_side_alone_hides_its_roll(
    box: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is the same as for a roll that does not exist."""
    name = first_roll(box)
    real = Happened.facts

    def for_allies(self: Happened) -> list[dict[str, object]]:
        return [note | {"readers": ("allied",)} for note in real(self)]

    monkeypatch.setattr(Happened, "facts", for_allies)
    assert f"The log has no roll {name}." in told(box, "german", f"dispute {name}\n")
    last = box.last()
    box.mail("allied", f"dispute {name}\n")
    assert box.texts(BERT, last) == []
    assert "disputed" not in told(box, "german", "status\n")


def test_the_reason_of_a_dispute_is_whole(box: Postbox) -> None:
    """Signs that begin a comment elsewhere belong to it; the reply quotes it, and only the moderator reads
    it."""
    name, why = first_roll(box), "the wrong table was read; my divisions count double # twice // in bocage"
    text = told(box, "allied", f"dispute {name}; {why}\n")
    assert text.startswith(f"{name} is disputed.")
    assert f"Your reason, which only the moderator reads: {why}" in " ".join(text.split())
    with queries.table_of(box.store, ID) as (table, _):
        assert open_disputes(table)[0].why == why
    assert "double" not in told(box, "german", "status\n")


def test_a_roll_that_does_not_exist_is_in_the_first_line(box: Postbox) -> None:
    """So is one that is disputed already."""
    name = first_roll(box)
    text = told(box, "allied", "dispute R99 it fell off\n")
    assert text.startswith("The log has no roll R99. Nothing new is disputed.")
    box.mail("allied", f"dispute {name}\n")
    assert told(box, "german", f"dispute {name}\n").startswith(f"{name} is disputed already, by Allied")


def test_trying_disputes_nothing(box: Postbox) -> None:
    """TRY keeps nothing."""
    assert "Not done" in told(box, "allied", f"try\ndispute {first_roll(box)}\n")
    assert all(row.kind != "dispute" for row in box.journal())


@pytest.mark.parametrize(
    ("said", "send"),
    [
        ("I dispute R1, that die was cocked", "DISPUTE R1 that die was cocked"),
        ("We ask for a ruling on roll 12.", "DISPUTE R12"),
        ("dispute the roll R1 for me", "DISPUTE R1 for me"),
    ],
)
def test_a_dispute_in_other_words_gets_a_line_to_send(box: Postbox, said: str, send: str) -> None:
    """It is not carried out, and the reply says what to send."""
    text = told(box, "allied", f"{said}\n")
    assert send in text and "You dispute" not in text


def test_a_number_alone_is_enough(box: Postbox) -> None:
    """DISPUTE 1 is DISPUTE R1."""
    name = first_roll(box)
    assert f"You dispute {name}" in told(box, "allied", f"Dispute {name[1:]}: why this?\n")


def test_a_game_without_a_moderator_says_so(box: Postbox) -> None:
    """Both sides have the page all the same."""
    with box.store.transaction() as session:
        session.delete(session.get_one(StaffRow, (ID, "moderator")))
    last = box.last()
    assert "This game has no moderator" in told(box, "allied", f"dispute {first_roll(box)}\n")
    assert len(box.texts(BERT, last)) == 1


def test_a_dispute_of_a_roll_that_was_taken_back_is_over(box: Postbox) -> None:
    """Under its number another die may fall."""
    name = first_roll(box)
    box.mail("allied", f"dispute {name}\n")
    with box.store.transaction() as session:
        (row,) = (row for row in box.journal() if row.kind == "dispute")
        row.answer = row.answer | {"roll": "t4.allied_combat|COM|d6|attack on 0101|1"}
        session.merge(row)
    assert queries.status(box.store, ID).disputes == ()


# --- what is on the page ------------------------------------------------------------------------------------


def test_the_line_stands_there_as_it_was_written(box: Postbox) -> None:
    """With its writer and its letter, for him and the umpire; the other side reads nothing of it."""
    mine = page(box, "allied").orders
    assert any("try attack" in each.text and each.subject == "orders" for each in mine)
    assert all(each.message_id.startswith("<m") for each in mine if each.received)
    assert page(box, "umpire").orders
    assert page(box, "german").orders == ()


def test_the_link_is_not_told_while_its_turn_lasts(box: Postbox) -> None:
    """Not even to the umpire, for whoever has it can foresee every die of the turn."""
    with box.store.transaction() as session:
        row = session.get_one(GameRow, ID)
        secret = queries.Table(session, row, box.now).dice.chain.link(4).hex()
    for reader in ("allied", "german", "umpire"):
        text = "\n".join(page(box, reader).lines())
        assert "of turn 4: revealed after turn 4" in text and secret not in text


def test_a_page_says_who_was_told_and_when(box: Postbox) -> None:
    """A seat learns of its own letter; the umpire of all."""
    assert [each.seat for each in page(box, "german").told] == ["German"]
    assert sorted(each.seat for each in page(box, "umpire").told) == ["Allied", "German"]
    assert all("not sent yet" in each.line() for each in page(box, "umpire").told)


def test_the_page_of_a_die_that_a_ruling_has_changed(box: Postbox) -> None:
    """Thrown again, its key names the ruling; set, it has no link. The dispute is settled."""
    name = first_roll(box)
    box.mail("allied", f"dispute {name}\n")
    ruled(box, "reroll", name)
    again = page(box, "german", name)
    assert again.key.endswith("|ruling 1 of turn 4") and again.link.startswith("of turn 4")
    assert queries.status(box.store, ID).disputes == ()
    ruled(box, "set", name, "6")
    set_ = page(box, "german", name)
    assert set_.faces == (6,) and set_.link.startswith("none") and set_.working == ()
    assert [each.shows for each in set_.outcomes if each.fell] == ["6"]


# --- secrecy ------------------------------------------------------------------------------------------------


def test_what_the_other_side_hides_changes_no_byte_of_a_page(tmp_path: Path) -> None:
    """Neither a page nor the reply to a dispute depends on what lies under German markers, on reserves or on
    names that the Allied player cannot know."""
    one, two = fought(tmp_path / "1.pbem"), fought(tmp_path / "2.pbem", twin=True)
    names = [each["name"] for each in queries.rolls(one.store, ID, "allied")]
    assert len(names) >= 2
    for name in names:
        assert page(one, "allied", name) == page(two, "allied", name)
    texts = [told(each, "allied", f"dispute {names[0]}\n") for each in (one, two)]
    assert texts[0] == texts[1]


def test_what_a_player_writes_for_himself_stays_off_the_other_page(tmp_path: Path) -> None:
    """A comment, or another way to write the same order, changes nothing for the other side."""
    one, two = fought(tmp_path / "1.pbem"), fought(tmp_path / "2.pbem", comment="   ; they look weak")
    names = [each["name"] for each in queries.rolls(one.store, ID, "german")]
    for name in names:
        assert page(one, "german", name) == page(two, "german", name)
    assert any("look weak" in each.text for each in page(two, "umpire", names[0]).orders)


# --- the command line ---------------------------------------------------------------------------------------


def test_modifiers_have_the_titles_of_their_cases(box: Postbox) -> None:
    """A number alone means nothing to a moderator without the rulebook."""
    known = titles("normandy71")
    found = [
        each
        for row in queries.rolls(box.store, ID, "allied")
        for each in page(box, "allied", row["name"]).modifiers
    ]
    assert found
    for _, _, cited, _ in found:
        case, _, title = cited.partition(" ")
        assert title == known.get(case, "") != ""


def test_a_digest_explains_once_how_dice_are_computed(box: Postbox) -> None:
    """The second page of a digest refers to the first."""
    one, two = (each["name"] for each in queries.rolls(box.store, ID, "allied")[:2])
    box.mail("allied", f"dispute {one}\ndispute {two}\n")
    assert box.digests() == 1
    text = flat(box.texts(MODERATOR)[-1])
    assert text.count("HMAC-SHA-256(link, key with |0 behind it)") == 1 and f"Then: as for {one}" in text
    assert text.count("How to compute it") == 2


def test_dice_show_prints_the_same_page(box: Postbox) -> None:
    """With --as what that seat may know; without a roll the list; an unknown roll is an error."""
    name, file = first_roll(box), box.store.target
    run = CliRunner().invoke
    for seat in ("allied", "german"):
        shown = run(main, ["dice", "show", file, name.lower(), "--as", seat]).output
        assert shown.splitlines() == page(box, seat).lines()
    assert run(main, ["dice", "show", file, name]).output.splitlines() == page(box, "umpire").lines()
    assert run(main, ["dice", "show", file, "--as", "allied"]).output.startswith(
        f"{name:<5} t4.allied_combat|"
    )
    assert f'"name": "{name}"' in run(main, ["dice", "show", file, name, "--json"]).output
    unknown = run(main, ["dice", "show", file, "R999"])
    assert unknown.exit_code == 1 and "The log has no roll R999." in unknown.output
    assert "such as R22" in run(main, ["dice", "show", file, "22x"]).output
