"""What players and moderators read.

* reports.py     turn letters, decision letters, the last letter; observers.py letters to observers
* doubts.py unproved.py   letters of unclear origin
* rulings.py ruled.py   what a ruling changes, and what it comes to, in words
* rolls/         the page of one roll
* handbook.py ideas.py caselist.py   the first letter, charts, words that people try, cases of a rulebook
* sheets.py      a seat's sheet and order form; ordering.py its order desk
* log.py telling.py deadlines.py budget.py   the parts: the log and the history in words, deadlines, mail
* layout.py      parts to text, HTML and attachments; wrapping.py its long lines
"""
