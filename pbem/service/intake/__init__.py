"""Letters in and out.

* receive.py     a letter comes in: whose it is, and whether it may act
* player_letters.py inbox.py reading.py commands.py   a letter of a player, and the commands in it
* replies.py     the answer to it
* staff_letters.py   a letter of a moderator or an observer
* submit.py trial.py   orders that are handed in, or only tried, on this machine
* released.py    a held letter acts after all
* trouble.py strays.py   internal errors; emails that belong to no game
* outbox.py      what waits to be sent
"""
