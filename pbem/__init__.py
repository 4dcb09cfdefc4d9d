"""Adjudicates wargames played by e-mail: letters in, provable dice, maps and combat logs out."""

__version__ = "0.1.0"
