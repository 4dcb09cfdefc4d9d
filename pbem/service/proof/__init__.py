"""What proves that a game is what was played.

* lines.py       the lines at the end of every letter, and how they are checked
* verify.py      a stored game checked against its journal, its dice and its letters
"""
