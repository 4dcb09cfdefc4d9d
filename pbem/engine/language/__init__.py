"""One order language for all games: text to orders, orders to text, and the help that explains it.

A game declares its verbs as classes derived from `Order`, each with a usage line such as ``[move] <units>
[to] <path> [by <way>]``. From that line come the parser, the help that HELP mails, and the way an order is
written.

* model.py       what is read and written: Order, Condition, Policy, Roster, Line, Reading
* grammar.py     `Grammar`, the face: read, write
* usage.py       the language of usage lines; slots.py the ways to name units and hexes
* names.py       the names of units, hexes and places that a letter may use
* phrases.py     what whole lines look like; people.py and courtesies.py how people write
* commands.py    the commands of every letter; never.py what can never act
* repair.py      what is wrong with a line, and what to send instead
* limits.py      the words that limit or turn round; bearing.py what bears on orders from outside of them
* places.py      where a hex, a place or a unit lies that some words name
* free.py        lines in any order of words, with turns.py (the words), clauses.py (what words add up to) and
                 filling.py (the orders that come of it)
* parts.py       what an order read from a line may leave out; cover.py whether all of a letter is read
* reading.py     takes a letter apart, with senses.py (what words may mean), amiss.py (lines that cannot be
                 read), unsaid.py (what no order says), leftover.py (what is left of a line without that),
                 lines.py (orders), requests.py (answers, commands, lines by name) and heads.py (what a game
                 lets people say in words of its own, and lines that need the head above them)
* reference.py   HELP, forms and pages: `reference`, `template`, `page`

Each module imports only those above it, and games import this package alone.
"""

from pbem.engine.language.grammar import Grammar as Grammar
from pbem.engine.language.model import ATTACK as ATTACK
from pbem.engine.language.model import GOES as GOES
from pbem.engine.language.model import Again as Again
from pbem.engine.language.model import Command as Command
from pbem.engine.language.model import Condition as Condition
from pbem.engine.language.model import Fault as Fault
from pbem.engine.language.model import Heading as Heading
from pbem.engine.language.model import Idiom as Idiom
from pbem.engine.language.model import IfClause as IfClause
from pbem.engine.language.model import Kind as Kind
from pbem.engine.language.model import Line as Line
from pbem.engine.language.model import Order as Order
from pbem.engine.language.model import Pause as Pause
from pbem.engine.language.model import Policy as Policy
from pbem.engine.language.model import Reading as Reading
from pbem.engine.language.model import Roster as Roster
from pbem.engine.language.model import RosterUnit as RosterUnit
from pbem.engine.language.model import Said as Said
from pbem.engine.language.model import Scope as Scope
from pbem.engine.language.model import Spot as Spot
from pbem.engine.language.model import Stages as Stages
from pbem.engine.language.model import StandingLine as StandingLine
from pbem.engine.language.model import Unread as Unread
from pbem.engine.language.model import Words as Words
from pbem.engine.language.names import Called as Called
from pbem.engine.language.names import Vocabulary as Vocabulary
from pbem.engine.language.places import hexes_of as hexes_of
