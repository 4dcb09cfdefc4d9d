"""`python -m pbem` is the same as `pbem`."""

from pbem.cli import run

run()
