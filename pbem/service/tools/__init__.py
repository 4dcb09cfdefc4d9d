"""What looks at games, moves them or tries them.

* queries.py     status, map, log, dice and history; glance.py for shell completion
* catalogue.py guides.py datafiles.py   the installed games, their guides and their data
* transfer.py    export and import; new_rules.py puts running games under new rules
* demo.py selfplay.py   games without players: a demonstration, bots
"""
