"""What a host and moderators do, and players who ask them to.

* start.py people.py seats.py roles.py   who plays, who moderates, and who may do what by mail
* hosting.py     one act of the host: an event in the journal, with who, when and why; timing.py his clock
* rulings/       what a moderator rules; disputes.py a roll that is disputed, and the clock meanwhile
* proposals.py   players who agree to go back, or on more time
* held.py        letters that did not act
* bench.py digest.py staff_seat.py   what moderators and observers read
"""
