"""What time does to games: deadline.py acts at deadlines, reminders.py reminds of them, beacon.py brings the
rounds of the beacon that dice wait for."""
