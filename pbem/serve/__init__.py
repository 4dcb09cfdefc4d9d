"""`pbem serve`: one process that takes mail in, plays, and sends mail out, for years.

It has no queue of its own. The mail server or mailbox before it keeps every letter until its outcome is
committed, the outbox of the store keeps every letter until a mail server has taken it, and the clock of a
game is a column of the store. So a process may be killed at any moment, and any number of them may share one
PostgreSQL: each does everything.

    listener, mailbox, folder, doorway
                   the ways in; each hands bytes to the desk and hears what became of them
    desk, work     the one way to the store: child processes, each with a letter in hand
    postman        the outbox, over one kept connection
    clock          deadlines and digests
    thinker        planners that think, each in a process of its own while it does
    health, log    what an administrator sees
    run            starts what the settings switch on, and ends it
"""
