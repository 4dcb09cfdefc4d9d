"""Disputed rolls: which are open (open.py), and the page of one roll for one reader (page.py).

A page is built up from what its reader may know: his own lines as he wrote them (letters.py), his view of the
map just before the die fell, the notes of the log that he may read (happened.py). The moderator sees all but
the links that are still secret: who knows one can foresee every die of its turn.
"""
