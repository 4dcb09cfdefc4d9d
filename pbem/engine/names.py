"""The former place of names."""

from pbem.engine.language import Called as Called
from pbem.engine.language import Vocabulary as Vocabulary
