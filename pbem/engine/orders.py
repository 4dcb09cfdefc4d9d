"""The former place of the order language."""

from pbem.engine.language import ATTACK as ATTACK
from pbem.engine.language import GOES as GOES
from pbem.engine.language import Clause as Clause
from pbem.engine.language import Condition as Condition
from pbem.engine.language import Grammar as Grammar
from pbem.engine.language import Kind as Kind
from pbem.engine.language import Line as Line
from pbem.engine.language import Order as Order
from pbem.engine.language import Policy as Policy
from pbem.engine.language import Roster as Roster
from pbem.engine.language import RosterUnit as RosterUnit
