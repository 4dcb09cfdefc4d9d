"""From a letter to orders: what becomes of every line that a player writes.

* sheet.py       a seat's lines as they are kept, with names that never move
* sections.py    which sections are open, and what letters call them
* taking.py      what a letter says to the sheet: new lines, lines that replace others, withdrawals,
                 late lines
* closing.py     DONE and what it closes
* questions.py   questions with numbers, and their answers
* judging.py     what would become of each line: ready, waiting, faulty
"""
