"""From a letter to orders, and from orders to a played phase: which line belongs to which request.

* sheet.py       a seat's lines as they are kept, with names that never move
* sections.py    which sections are open, and what letters call them
* taking.py      what a letter says to the sheet: new lines, lines that replace others, withdrawals,
                 late lines
* closing.py     DONE and what it closes
* questions.py   questions with numbers, and their answers
* answers.py     what the seats have handed in, laid out as answers to what the rules ask
* steps.py       plays phases as far as the answers carry them
* judging.py     what would become of each line: ready, waiting, faulty
* lateness.py    lines that come after their section was played; history.py a played phase, looked at again
* news.py        what a seat has not read yet
"""
