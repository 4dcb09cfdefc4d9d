"""From a letter to orders, and from orders to a played phase: which line belongs to which request.

* sheet.py       a seat's lines as they are kept, with names that never move
* sections.py    which sections are open, and what letters call them
* taking.py      what a letter says to the sheet: new lines, withdrawals, late lines; placing.py where each
                 goes, and which kept line it replaces; alike.py which lines are about the same
* closing.py     DONE and what it closes
* questions.py   questions with numbers, and their answers
* papers.py      what the seats have handed in; answers.py lays it out as answers to what the rules ask
* steps.py       plays phases as far as the answers carry them; trying.py plays lines that are only tried
* judging.py     what would become of each line: ready, waiting, faulty
* lateness.py    lines that come after their section was played; history.py a played phase, looked at again
* news.py        what a seat has not read yet
"""
