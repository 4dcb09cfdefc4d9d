"""What is kept of games.

* rows.py        the tables of the database; covered.py digests of their fields
* store.py       a game file or a database, opened; journal.py the journal and its hash chain
* table.py       one game on the table of a use case: position and papers, played on and written down;
                 aftermath.py what a run of play leaves with the seats
* game_record.py post.py turn_dice.py   what is stored of it: rows and journal, letters, dice
* clock.py       by when a game must have answers; terms.py the host's settings for it
* dice_rules.py  what its dice hang on besides the secret of the host
* notices.py     what its moderators are to hear of in their next digest
"""
