"""Every word of a letter is accounted for: what is not read between the first heading or order and the last
DONE keeps its section open, and no line is played without what its writer said with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from postbox import Postbox
from protocol_kit import closed, first_line, kept, new_game, normandy, told
from sizes import some

from pbem.engine.game import game
from pbem.engine.language.cover import gaps
from pbem.engine.language.model import Scope
from pbem.mail import digests
from pbem.service.play.sections import asked_section
from pbem.service.record.post import _lines_of

STANDING = {
    "allied": "standing losses: cheapest\nstanding retreat: away from the coast\nstanding gunfire: any\n",
    "german": (
        "standing losses: cheapest\nstanding retreat: away from roads\nstanding defensive gunfire: any\n"
    ),
}


@pytest.fixture
def allied(tmp_path: Path) -> Postbox:
    return normandy(tmp_path)


@pytest.fixture
def rampage(tmp_path: Path) -> Postbox:
    """Rampage, turn 1, [operations]: 79Inf and 80Inf at 1302."""
    box = new_game(tmp_path, "rampage", "allied")
    told(box, "allied", "[set-up]\nplace 79Inf, 80Inf at 1302\ndefault\ndone\n")
    return box


@pytest.fixture
def german(tmp_path: Path) -> Postbox:
    """Normandy (1971), turn 1, German first movement."""
    box = new_game(tmp_path, "normandy71", "allied", "german")
    box.mail("allied", f"[plan]\ndefault\ndone\n{STANDING['allied']}")
    box.mail("german", f"[set-up]\ndefault\ndone\n{STANDING['german']}")
    box.mail("allied", "no orders: movement, combat, reinforcement, movement 2, entrenchment\n")
    assert asked(box, "german") == "movement"
    return box


def asked(box: Postbox, seat: str) -> str:
    from correspondence import looked_up

    return asked_section(looked_up(box)[1], seat)


# --- what is not read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "scenario", "section", "order", "line"),
    [
        ("normandy44", "cherbourg", "allocation", "support VII/US", "use the fighter as you see fit"),
        ("normandy44", "cherbourg", "allocation", "support VII/US", "air: fighter supports VII Corps"),
        ("normandy44", "cherbourg", "allocation", "support VII/US", "losses on the 82nd first"),
        ("normandy71", None, "plan", "land 8/4 at 3 Utah", "No. 4 Commando to beach 17"),
        ("normandy71", None, "plan", "land 8/4 at 3 Utah", "beach 2 will be a supply beach"),
    ],
)
def test_a_line_that_is_not_read_among_orders_holds_its_section(
    tmp_path: Path, key: str, scenario: str | None, section: str, order: str, line: str
) -> None:
    """Between an order and DONE every line is read, a courtesy, or holds the section open."""
    box = new_game(tmp_path, key, "allied", "german", scenario=scenario)
    text = told(box, "allied", f"[{section}]\n{order}\n{line}\ndone\n")
    assert closed(box, "allied") == []
    assert "was not read" in first_line(text) or "to correct" in first_line(text)


def test_prose_among_orders_costs_a_letter_and_no_turn(allied: Postbox) -> None:
    """The first line counts the lines that were not read and names what goes without them; that is enough."""
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422\nThe men are tired.\ndone\n")
    said = "1 line was not read; [movement] stays open. If it is not an order, send DONE ANYWAY."
    assert said in first_line(text) and "line 3: The men are tired." in text
    text = told(allied, "allied", "done anyway\n")
    assert "Played: Allied first movement." in first_line(text)


@pytest.mark.parametrize("line", ["The men are tired.", "More tomorrow", "Keine Angriffe", "Thanks for 1422"])
def test_no_courtesy_is_assumed_among_orders(allied: Postbox, line: str) -> None:
    """Only what the closed lists know is a courtesy; a name counts below a closing, and that of the
    writer."""
    told(allied, "allied", f"[movement]\nmove 8/3 to 1422\n{line}\ndone\n")
    assert closed(allied, "allied") == [] and asked(allied, "allied") == "movement"


@pytest.mark.parametrize(
    "letter",
    [
        "Good to hear from you. The weather is fine.\n[movement]\nmove 8/3 to 1422\ndone\n",
        "[movement]\nmove 8/3 to 1422\ndone\nWe shall meet in the pub on Sunday.\n",
        "Hello Bert,\n\n[movement]\nmove 8/3 to 1422\n\nThanks!\ndone\n\nBest regards,\nAnna\n",
    ],
)
def test_chat_around_the_orders_holds_nothing(allied: Postbox, letter: str) -> None:
    """Above the first heading or order and below the last DONE chat is listed and holds nothing."""
    assert "Played: Allied first movement." in first_line(told(allied, "allied", letter))


@pytest.mark.parametrize("line", ["if we take Caen stop there", "combat only at good odds", "8/3 is tired"])
def test_chat_that_begins_like_an_order_holds_wherever_it_stands(allied: Postbox, line: str) -> None:
    """A condition, a section or a unit at the beginning of a line makes it more than chat."""
    told(allied, "allied", f"[movement]\nmove 8/3 to 1422\ndone\n{line}\n")
    assert closed(allied, "allied") == [] and asked(allied, "allied") == "movement"


# --- comments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "move 8/3 to 1422; if it fails, 9/3 attacks too",
        "move 8/3 to 1422 (sorry, I mean 1425)",
        "move 8/3 to 1422; stop there",
        "move 8/3 to 1422 # only by night",
        "move 8/3 to 1422 // with both",
        "move 8/3 to 1422 -- unless Caen has fallen",
        "move 8/3 to 1422; otherwise home",
        "move 8/3 to 1422; nur bei Nacht",
    ],
)
def test_a_comment_that_may_be_meant_makes_its_line_faulty(allied: Postbox, line: str) -> None:
    """In doubt a comment is a clause: the line is not played without it, and comes back without it."""
    text = told(allied, "allied", f"[movement]\n{line}\ndone\n")
    assert "1 line to correct in [movement]." in first_line(text)
    assert "this may be part of the order" in text and "L1: move 8/3 to 1422" in text


def test_any_other_comment_is_read_back(allied: Postbox) -> None:
    """A comment that says nothing of the game is told as what it is, and holds nothing."""
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422 ; my favourites\ndone\n")
    assert "Played: Allied first movement." in first_line(text) and "line 2: my favourites" in text


def test_a_comment_behind_a_heading_that_may_be_meant_holds(allied: Postbox) -> None:
    told(allied, "allied", "[movement] ; only at dawn\nattack 1321 with 8/3\ndone\n")
    assert closed(allied, "allied") == [] and asked(allied, "allied") == "movement"


# --- headings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    some(
        [
            "[movement (2)]",
            "[movement] (second)",
            "Second movement:",
            "[second movement]",
            "[movement - second]",
            "[movement phase 2]",
            "[2nd movement]",
            "Movement phase B:",
            "new [movement 2]",
        ],
        3,
    ),
)
def test_a_heading_for_the_second_phase_never_means_the_first(german: Postbox, heading: str) -> None:
    told(german, "german", f"{heading}\n7Sturm to 4820\ndone\n")
    assert closed(german, "german") == ["movement 2"] and asked(german, "german") == "movement"


@pytest.mark.parametrize("heading", ["Third movement:", "[movement 3]", "[third movement]"])
def test_a_heading_for_a_phase_that_there_is_not_is_refused(german: Postbox, heading: str) -> None:
    told(german, "german", f"{heading}\n7Sturm to 4820\ndone\n")
    assert closed(german, "german") == [] and asked(german, "german") == "movement"


# --- corrections, KEEP --------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["L3: 80Inf stays", "L3: 80Inf hold", "80Inf stays", "80Inf: stays"])
def test_a_faulty_line_is_corrected_into_staying(rampage: Postbox, line: str) -> None:
    told(rampage, "allied", "[operations]\n80Inf too 1303 quick\ndone\n")
    assert list(kept(rampage, "allied")) == ["L3"]
    told(rampage, "allied", f"[operations]\n{line}\n")
    assert kept(rampage, "allied") == {}


def test_keep_and_done_close_the_sections_of_the_lines_that_were_kept(tmp_path: Path) -> None:
    box = new_game(tmp_path, "falaise", "german", "allied")
    told(box, "allied", "TRY\n[15C]\n357/90 to 3412\n")
    told(box, "allied", "KEEP\nDONE\n")
    assert closed(box, "allied") == ["15C"]


@pytest.mark.parametrize("line", ["everyone hold", "all hold", "Hold everything."])
def test_a_formation_all_of_which_holds_has_its_order(tmp_path: Path, line: str) -> None:
    box = new_game(tmp_path, "falaise", "german", "allied")
    told(box, "allied", f"[12C]\n{line}\ndone\n")
    assert closed(box, "allied") == ["12C"] and len(kept(box, "allied")) == 1


def test_units_that_stay_are_listed_on_one_line(rampage: Postbox) -> None:
    text = told(rampage, "allied", "[operations]\n79Inf, 80Inf hold\n")
    assert "stay where they are: 79Inf, 80Inf" in text


def test_a_standing_order_of_the_other_side_is_refused(tmp_path: Path) -> None:
    """It would be kept and never used."""
    box = new_game(tmp_path, "falaise", "german", "allied")
    text = told(box, "allied", "standing friendly fire: mechanised first\n")
    assert "the other side takes decisions about friendly fire" in " ".join(text.split())
    assert not box.seat("allied").standing
    told(box, "german", "standing friendly fire: mechanised first\n")
    assert box.seat("german").standing


def test_the_first_letter_of_falaise_speaks_of_its_readers_own(tmp_path: Path) -> None:
    """Every standing order that it proposes is one of its reader, and so is the formation of its example."""
    box = new_game(tmp_path, "falaise", "german", "allied")
    for seat, other in (("allied", "when 84:"), ("german", "when 12C:")):
        first = box.texts(box.address(seat))[0]
        assert other not in first
        proposed = [line[2:] for line in first.splitlines() if line.startswith("; standing ")]
        assert proposed
        told(box, seat, "\n".join(proposed))
        assert len(box.seat(seat).standing) == len(proposed)


def test_a_signature_is_no_heading(tmp_path: Path) -> None:
    """`Bernd` is a slip away from [end]."""
    box = new_game(tmp_path, "normandy44", "allied", "german", scenario="cherbourg")
    text = told(box, "allied", "[allocation]\nsupport VII/US\n\nCheers\nBernd\n")
    assert "there is no section" not in text and "Not read" not in text


# --- quotation without marks --------------------------------------------------------------------------------


def test_a_letter_of_ours_below_the_orders_is_a_quotation_without_any_mark(tmp_path: Path) -> None:
    """Lines in a row of the letter that is answered are a quotation, whatever stands above them."""
    box = new_game(tmp_path, "normandy71", "allied", "german")
    first = box.texts(box.address("allied"))[0]
    told(box, "allied", f"[plan]\nland 8/4 at 3 Utah\n\npbem g <p@club.example>\nAn\tAnna\n\n{first}")
    assert list(kept(box, "allied").values()) == ["land 8/4 at 3 Utah"] and not box.seat("allied").standing


def test_a_copied_order_form_is_the_writers_own(allied: Postbox) -> None:
    """Lines of the form or of offers, copied without a mark, are sent and no quotation."""
    lines = "[movement]\nmove 8/3 to 1422\nmove 9/3 to 1425\nmove 116/29 to 3526\n"
    told(allied, "allied", lines)
    text = told(allied, "allied", f"{lines}done\n")
    assert "Played: Allied first movement." in first_line(text)


# --- what cannot be taken back ------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["normandy71", "normandy44", "falaise"])
def test_a_line_without_its_verb_never_leaves_the_map(key: str) -> None:
    """Orders that cannot be taken back are not among the verbs that a line may leave out."""
    grammar = game(key).grammar
    lasting = {kind.verb for kind in grammar.orders if kind.lasting}
    assert lasting == {"exit"}
    for section in grammar.sections:
        assert not lasting & set(grammar._reader.phrase(section).orders)


# --- the cover ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["normandy71", "rampage", "falaise", "normandy44", "france44"])
def test_every_word_of_a_letter_is_covered(key: str) -> None:
    """Whatever a letter says, no word of it is left out of the account."""
    rules = game(key)
    state = rules.start(None)
    seat = rules.seats[0].key
    section = next(iter(rules.grammar.sections))
    text = (
        "Hi Bert,\nI hope you are well; see you (soon).\n"
        f"[{section}] ; go\nblah 1234 (x) # y\n- standing nonsense\nQ1: a, b\nPRESS all: hello; you\n"
        "press german:\nmove along\nend press\nsalt abc\nThen we wait,\nand see\ndone ; at last\nCheers\nAnna"
    )
    lines = list(enumerate(text.splitlines(), 1))
    reading = rules.grammar.read(lines, rules.roster(state, seat), "", Scope((section,)))
    assert gaps(lines, reading.cover) == []


def test_a_line_that_ends_with_from_is_read_to_its_end(allied: Postbox) -> None:
    """`from` as the last word of a line that reads as no order is a fault like any other."""
    text = told(allied, "allied", "[movement]\nmove from\ndone\n")
    assert closed(allied, "allied") == [] and "1 line to correct in [movement]." in first_line(text)


@pytest.mark.parametrize("line", ["(not if it rains)", "-- only by night", "(and 9/3 to 1425)"])
def test_a_remark_on_a_line_of_its_own_that_may_be_meant_holds(allied: Postbox, line: str) -> None:
    """In brackets or behind a dash words that limit, bind or name something are no comment."""
    text = told(allied, "allied", f"[movement]\nmove 8/3 to 1422\n{line}\ndone\n")
    assert closed(allied, "allied") == [] and f"line 3: {line}" in text


def test_a_remark_on_a_line_of_its_own_is_read_back(allied: Postbox) -> None:
    text = told(allied, "allied", "[movement]\nmove 8/3 to 1422\n(my favourites)\ndone\n")
    assert "Played: Allied first movement." in first_line(text) and "line 3: my favourites" in text


def test_what_our_letters_say_is_read_quickly_and_whole(tmp_path: Path) -> None:
    """The lines with which quotations are compared are those of the text part of a letter."""
    box = normandy(tmp_path)
    told(box, "allied", "[movement]\n8/3 to 1422\nmap\nhelp\n")
    rows = box.outbox()
    assert rows
    for row in rows:
        assert _lines_of(row.raw) == "\n".join(digests.read(row.raw).text).splitlines()
