"""300 games that bots have played once, kept with all that was asked, answered, thrown and written down: each
still goes the same way, phase by phase. `tests/archive/README.md` says what is kept and what is not.

``pytest -n 0 --golden tests/test_archive.py`` writes the games that are missing, and plays anew those that go
another way since their rules have a new version. The others stay as they are.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sizes import some

from pbem.engine.autoplay import autoplay
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import game
from pbem.engine.notes import Note
from pbem.engine.play import Chance, Entry, Request, advance, asked
from pbem.testing.plays import Plan

ARCHIVE = Path(__file__).parent / "archive"
GAMES = ("normandy71", "rampage", "falaise", "normandy44", "france44")
EACH = 60
"""Games of each of these."""

LONG = ("falaise", "normandy44", "france44")
"""Of these every other game is kept only for the first half of its scenario's turns: time and room."""

SHORT = 16
"""How many digits of a digest are kept."""

BOTS = ("greedy", "mixed", "random")

Archived = dict[str, Any]
"""A game as it is kept: plain JSON values."""


# --- what is kept -----------------------------------------------------------------------------------------


def plan_of(key: str, number: int) -> Plan:
    """Who plays game `number` of a rulebook, and what: scenario after scenario, with bots by turns."""
    scenarios = list(game(key).scenarios)
    scenario = scenarios[number * len(scenarios) // EACH]
    return Plan(BOTS[number % len(BOTS)], scenario, number)  # type: ignore[arg-type]


def last_turn(key: str, number: int) -> int:
    """The last turn that is kept of a game."""
    scenario = plan_of(key, number).scenario
    first, last = game(key).start(scenario).turn, game(key).scenarios[scenario].turns
    return first + (last - first) // 2 if key in LONG and number % 2 else last


@cache
def archive(key: str) -> Sequence[str]:
    """The games of a rulebook that are on file, each as the text of its JSON."""
    path = file_of(key)
    return lzma.decompress(path.read_bytes()).decode().splitlines() if path.is_file() else ()


def file_of(key: str) -> Path:
    return ARCHIVE / f"{key}.jsonl.xz"


def played(key: str, number: int) -> Archived:
    """Let bots play a game; return it as it is kept."""
    rules, plan = game(key), plan_of(key, number)
    options = plan.options(rules)
    whole = autoplay(rules, str(plan), plan.players(rules), plan.scenario, options)
    last, phases = last_turn(key, number), []
    for phase in whole.phases:
        state = rules.load(phase.snapshot)
        if state.turn > last:
            break
        advance(rules.phase(state.phase).play(state), state, phase.entries)
        phases.append(
            {
                "label": phase.label,
                "answers": [[each.asked, each.answer, each.by] for each in phase.entries],
                "read": next((each.digest for each in reversed(phase.entries) if each.digest), ""),
                "log": digest_of_log(state.log),
                "state": phase.state_hash[:SHORT],
            }
        )
    found: Archived = {
        "game": key,
        "rules": rules.rules,
        "scenario": plan.scenario,
        "options": options,
        "seed": str(plan),
        "start": digest(whole.phases[0].snapshot),
        "phases": phases,
    }
    return json.loads(json.dumps(found))  # as it will come back: answers have lists for tuples


def digest(snapshot: bytes) -> str:
    return hashlib.sha256(snapshot).hexdigest()[:SHORT]


def digest_of_log(log: Iterable[Note]) -> str:
    """A digest of the facts of some notes, without their words."""
    return digest(b"\n".join(note.fingerprint() for note in log))


# --- played again -----------------------------------------------------------------------------------------


def replay(kept: Archived) -> None:
    """Play a game again from its start with the answers that are kept, and draw its dice again.

    Raises ReplayMismatch naming the first phase in which something else is asked, thrown or told, or which
    leads to another state.
    """
    rules = game(kept["game"])
    state = rules.start(kept["scenario"], kept["options"])
    chain = HashChain(new_secret(kept["seed"]), rules.turns)
    snapshot = rules.dump(state)
    where = "its start"
    try:
        _same("state", kept["start"], digest(snapshot))
        for phase in kept["phases"]:
            where = phase["label"]
            snapshot = _again(kept, phase, chain, snapshot)
    except ReplayMismatch as error:
        raise ReplayMismatch(
            f"{kept['game']} {kept['seed']}, recorded with version {kept['rules']} of the rules, differs "
            f"in {where}, now version {rules.rules}: {error}"
        ) from error


def _again(kept: Archived, phase: Any, chain: HashChain, snapshot: bytes) -> bytes:
    """Play a phase again from a snapshot; return the snapshot that it leads to."""
    rules = game(kept["game"])
    state = rules.load(snapshot)
    _same("phase", phase["label"], rules.label(state))
    entries = entries_of(phase)
    dice = GameDice(chain, rules.key, state.turn, phase["label"])
    places = count()

    def draw_again(request: Request) -> None:
        at = next(places)
        if isinstance(request, Chance) and at < len(entries):
            label, faces = entries[at].asked, entries[at].answer
            if label.startswith(asked(request)):  # else `advance` says what is asked now
                _same(f"dice of {label!r}", faces, dice(request, label))

    progress = advance(rules.phase(state.phase).play(state), state, entries, heard=draw_again)
    if progress.waiting is not None:
        raise ReplayMismatch(f"the rules now also ask {asked(progress.waiting)!r}")
    _same("log", phase["log"], digest_of_log(state.log))
    rules.next_phase(state)
    after = rules.dump(state)
    _same("state", phase["state"], digest(after))
    return after


def entries_of(phase: Any) -> list[Entry]:
    """The answers of a phase as a store would have them, but that only the last decision has a digest of the
    log before it: it covers the earlier ones."""
    entries = [Entry(*each) for each in phase["answers"]]
    decided = [at for at, entry in enumerate(entries) if not entry.dice]
    if decided:
        entries[decided[-1]] = replace(entries[decided[-1]], digest=phase["read"])
    return entries


def _same(what: str, recorded: Any, now: Any) -> None:
    if recorded != now:
        raise ReplayMismatch(f"{what}: recorded {recorded}, now {now}")


def renewed(kept: Archived, number: int) -> Archived:
    """A game as it should be on file: as it is kept, or played anew if it goes another way since its rules
    have a new version. Raises ReplayMismatch if they have none."""
    try:
        replay(kept)
    except ReplayMismatch:
        if kept["rules"] == game(kept["game"]).rules:
            raise
        return played(kept["game"], number)
    return kept


def write(key: str) -> None:
    """Write the games of a rulebook that are missing, and anew those of an earlier version of the rules that
    go another way. Raises ReplayMismatch, with nothing written, if one of this version does."""
    kept = [renewed(json.loads(line), number) for number, line in enumerate(archive(key))]
    kept += [played(key, number) for number in range(len(kept), EACH)]
    text = "\n".join(json.dumps(each, separators=(",", ":")) for each in kept)
    file_of(key).parent.mkdir(exist_ok=True)
    file_of(key).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    archive.cache_clear()


# --- the tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_archive_has_so_many_games_of_every_scenario(request: pytest.FixtureRequest, key: str) -> None:
    """The games that are planned are on file, with every scenario and every choice of an option among them;
    `--golden` writes them."""
    if request.config.getoption("--golden"):
        write(key)
    kept = [json.loads(line) for line in archive(key)]
    assert [(each["game"], each["seed"]) for each in kept] == [
        (key, str(plan_of(key, number))) for number in range(EACH)
    ]
    scenarios = Counter(each["scenario"] for each in kept)
    assert set(scenarios) == set(game(key).scenarios)
    assert max(scenarios.values()) - min(scenarios.values()) <= 1
    for option in game(key).options:
        assert {each["options"][option.key] for each in kept} == set(option.choices), option.key
    assert all(each["phases"] for each in kept)


@pytest.mark.parametrize("number", some(range(EACH), 2))
@pytest.mark.parametrize("key", GAMES)
def test_game_goes_the_same_way(key: str, number: int) -> None:
    """A game of the archive is played again: every phase asks, throws and tells the same, and leads to the
    same state."""
    replay(json.loads(archive(key)[number]))


def other_face(phase: Any) -> None:
    entry = next(each for each in phase["answers"] if each[2] == "dice" and "|d6|" in each[0])
    entry[1] = [entry[1][0] % 6 + 1]


def other_question(phase: Any) -> None:
    phase["answers"][-1][0] = "19.1|allied|something else|1"


def one_answer_less(phase: Any) -> None:
    phase["answers"].pop()
    phase["read"] = ""


DIFFERENCES = {
    "dice of": other_face,
    "recorded '19.1|allied|something else|1', the rules now ask": other_question,
    "the rules now also ask": one_answer_less,
    "before .* the log now tells other facts": lambda phase: phase.update(read="2:0123456789ab"),
    "log: recorded 0123, now": lambda phase: phase.update(log="0123"),
    "state: recorded 0123, now": lambda phase: phase.update(state="0123"),
    "phase: recorded t1.tea, now t1.": lambda phase: phase.update(label="t1.tea"),
}


@pytest.mark.parametrize("said", DIFFERENCES)
def test_first_phase_that_differs_is_named(said: str) -> None:
    """Whatever of a phase comes out otherwise, the phase is named and what differs in it."""
    kept = json.loads(archive("rampage")[0])
    phase = next(each for each in kept["phases"] if any("|d6|" in answer[0] for answer in each["answers"]))
    DIFFERENCES[said](phase)
    where = f"recorded with version {kept['rules']} of the rules, differs in {re.escape(phase['label'])}, "
    with pytest.raises(ReplayMismatch, match=f"{where}.*{said}"):
        replay(kept)


def test_game_is_played_anew_only_under_a_new_version() -> None:
    """`--golden` does not replace a game that goes another way under the version of the rules that it was
    recorded with. Under a new version it does, and leaves alone what goes the same way."""
    kept, broken = (json.loads(archive("rampage")[1]) for _ in range(2))
    broken["phases"][0]["state"] = "0123"
    with pytest.raises(ReplayMismatch, match=re.escape(kept["phases"][0]["label"])):
        renewed(broken, 1)
    broken["rules"] = "0"
    assert renewed(broken, 1)["phases"] == kept["phases"]
    kept["rules"] = "0"
    assert renewed(kept, 1) is kept
