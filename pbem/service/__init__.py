"""The use cases: what letters and commands do to stored games, one transaction each. Eight rooms, each of
which may use those above it in this list and none below:

* play/          from a letter to orders, and how a phase is played with them; knows no store
* record/        the tables of the database, and one game of it, opened for work
* proof/         what proves dice, orders and letters, and who checks it
* letters/       what players and moderators read
* moderating/    who plays and who moderates, rulings, disputes, the host's hand on the clock
* intake/        letters in: received, read, acted on and answered; and how letters go out
* time/          deadlines, reminders, rounds of the beacon, thoughts of planners
* tools/         what only looks, moves or tries games: queries, export, demonstration, bots
"""
