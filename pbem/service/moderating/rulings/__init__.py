"""Rulings of moderators. Nothing is overwritten: a ruling is a row of the journal, with its reason.

*From there on*: the game goes back to a roll, an order or a phase, the ruling is put in, and what was
recorded later is played again as far as it stands (play/rerun.py). *From now on*: history stands, and the
position is changed where the next phase opens, or at once where nothing has been played in this one.
*Upheld*: nothing changes.
"""
