"""What players and moderators read.

* reports.py     turn letters, decision letters, the last letter
* replies.py     the answer to a player's letter; doubts.py about letters of unclear origin
* notices.py     letters to the moderator and to players about the running of the game
* handbook.py    the first letter, charts, rulings
* sheets.py      a seat's sheet and order form
* log.py news.py budget.py   the parts: the log in words, what is new, mail by turn
* layout.py      parts to text, HTML and attachments; proof.py the lines that prove a letter
"""
