"""letters are signed, and the fields of rows have digests

Revision: 0006, after 0005

A game that was begun before signs its letters from now on; its rows get digests when they are next written.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

TABLES = ("game", "seat", "staff", "phase", "journal", "letter", "outbox")


def upgrade() -> None:
    op.add_column("game", sa.Column("letter_key", sa.LargeBinary(), nullable=False, server_default=""))
    for table in TABLES:
        op.add_column(table, sa.Column("digests", sa.JSON(), nullable=False, server_default="{}"))
    game = sa.table("game", sa.column("id", sa.String()), sa.column("letter_key", sa.LargeBinary()))
    connection = op.get_bind()
    for (key,) in connection.execute(sa.select(game.c.id)).all():
        connection.execute(sa.update(game).where(game.c.id == key).values(letter_key=secrets.token_bytes(32)))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "digests")
    op.drop_column("game", "letter_key")
