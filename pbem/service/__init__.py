"""The use cases: what letters and commands do to stored games, one transaction each.

* store.py       the tables of the database; table.py one game of it, opened for work
* start.py receive.py submit.py deadline.py undo.py   what carries a game on
* inbox.py reading.py commands.py   one letter of a player, and the commands in it
* play/          from a letter to orders, and how a phase is played with them
* letters/       what players and moderators read
* queries.py verify.py caselist.py catalogue.py guides.py   what only looks
* transfer.py shapes.py   export and import; outbox.py what waits to be sent
* demo.py selfplay.py trial.py   games without players: a demonstration, bots, one letter tried
"""
