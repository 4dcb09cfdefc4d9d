"""Lines that order nothing: ``no attacks this turn``, ``we do not react``, ``nothing for the end``."""

from __future__ import annotations

import re
from dataclasses import replace

from pbem.engine.language.model import ATTACK, GOES
from pbem.engine.language.people import Verbs
from pbem.engine.language.senses import Bare
from pbem.engine.language.unsaid import Unsaid

NOTHING = re.compile(
    r"\s*(?:(?P<label>[^\W\d_]+(?: [^\W\d_]+){0,2})\s*[:\-–]\s*)?(?:i |we )?"
    r"(?:none|nothing|nobody|no one|pass|do nothing|no|no orders?|nil|keine?|rien|nada|niente|nichts"
    r"|(?:(?:do not|don['’]t) (?:want|wish|need) to|do not|don['’]t|will not|won['’]t)"
    r" (?P<deed>[^\W\d_]+)(?: (?:to )?(?:anything|anyone|anybody|anywhere))?"
    r"|(?:nobody|no[- ]one) (?P<does>[^\W\d_]+?)s"
    r"|(?:no|keine?) (?!thanks?\b)(?P<what>[^\W\d_]+(?: [^\W\d_]+){0,3}?))"
    r"(?: (?:(?:for|in|during|with) )?this (?:turn|phase|time|section|chit)| needed| required| ops?| more"
    r"| (?:for|from) (?:me|us|now|anyone|anybody)| (?:from|on) (?:my|our) side| at all| please"
    r"| (?:for|at) the end(?: of the (?:turn|phase))?| pls| thanks"
    r"| to (?:make|give))*\s*[.!]*\s*",
    re.IGNORECASE,
)
"""A line that says that nothing is ordered."""
WHY = re.compile(r"(?P<head>[^,;.:]{2,60}?)(?:[,;.]| [-–])\s+(?P<why>\S[^\d;:]{2,80})")
"""What follows behind it, perhaps why: ``no drops, the weather is foul``."""
SORTS = dict.fromkeys("move moves movement movements".split(), GOES) | dict.fromkeys(
    "attack attacks assault assaults".split(), ATTACK
)
"""What a section is without of which a line says so: ``no attacks``."""
WORD = re.compile(r"[^\W\d_]+")
"""A word without figures."""


def begins(each: str, word: str) -> bool:
    """Whether a word of a section begins as `word` does, in the singular or the plural."""
    stem = word.removesuffix("s")
    return each.startswith(stem[:6]) and len(stem) > 3


class Nothing(Unsaid):
    """Tells of what a line says that nothing is ordered."""

    def _with_reason(self, line: Bare) -> Bare:
        """A line that says that nothing is ordered, with what follows behind that as a comment; any other
        line as it is."""
        found = WHY.fullmatch(line.line)
        if found is None or not NOTHING.fullmatch(found["head"]):
            return line
        comments = (*line.comments, (found.start("why"), found["why"]))
        return replace(line, line=found["head"], comments=comments)

    def _sort_named(self, word: str, section: str) -> str:
        """The sort of orders that a word stands for, in a section where units go and attack: ``attacks``; ""
        if it stands for none."""
        sorts = {kind.sort for kind in self.grammar.allowed(section, self.seat)}
        return SORTS.get(word.lower(), "") if {GOES, ATTACK} <= sorts else ""

    def _is_all_of_section(self, word: str, section: str) -> bool:
        """Whether a word says what a section is for, all in all: it is one of its title, or of the first kind
        of its orders. Where units move and attack it is one of all kinds: ``no attacks`` says nothing of
        moves."""
        if self._is_of_title(word, section):
            return True
        kinds = [kind for kind in self.grammar.allowed(section, self.seat) if not kind.grave]
        verbs = list(dict.fromkeys(kind.verb for kind in kinds))
        same = Verbs(frozenset(verbs)).of(word)
        fights = {GOES, ATTACK} <= {kind.sort for kind in kinds}
        wanted = verbs if fights else verbs[:1]
        return bool(wanted) and all(begins(verb, word) or verb == same for verb in wanted)

    def _is_of_title(self, word: str, section: str) -> bool:
        titles = " ".join((section, self.grammar.titles.get(section, ""))).lower().split()
        common = ("second", "orders", "phase", "the", "my", "of")
        return word in common or any(begins(each, word) for each in titles)

    def _says_the_section(self, words: str, section: str) -> bool:
        """Whether words say what a section is for, all in all, each of them."""
        return all(self._is_all_of_section(word, section) for word in WORD.findall(words.lower()))
