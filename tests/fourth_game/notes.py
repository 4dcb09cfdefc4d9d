"""What the log can say; how it is worded stands in templates/log.txt.j2."""

from pbem.engine.notes import Note


class Prize(Note):
    """1.1 Where the prize lies; `readers` says who may know it."""

    hex: str


class Moved(Note):
    """2.1 A unit has gone to a hex."""

    unit: str
    hex: str


class Spied(Note):
    """2.2 A scout has seen a unit. That reveals something: a check of orders says nothing
    of what comes after it."""

    reveals = True

    unit: str
    hex: str


class Fought(Note):
    """3.1 A clash and its die; `roll` is its number."""

    die: int
    result: str
