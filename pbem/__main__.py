"""`python -m pbem` is the same as `pbem`."""

from pbem.pipe import run

if __name__ == "__main__":  # a child of the service loads this module, too
    run()
