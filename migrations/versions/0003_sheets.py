"""orders are kept as they were read, under names; questions have numbers;
letters know what they ask for and answer

Orders of games that are being played are kept as text until their game is next opened:
only then can they be read.

Revision: 0003, after 0002o
"""

import hashlib
import re

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002o"

SEAT = {"sheet": "{}", "questions": "{}", "played": "{}", "missed": "{}", "news": "{}"}
OLD_SEAT = ("lines", "wanted", "released", "answers", "asked_in", "told", "told_phase")
MESSAGE_ID = re.compile(rb"^Message-ID:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)


def upgrade() -> None:
    with op.batch_alter_table("seat", schema=None) as batch_op:
        for name, empty in SEAT.items():
            batch_op.add_column(sa.Column(name, sa.JSON(), nullable=False, server_default=empty))
        batch_op.add_column(sa.Column("letters", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("words", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("digest", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("aside", sa.JSON(), nullable=False, server_default="[]"))
        batch_op.create_index("ix_letter_words", ["words"])
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        for name in ("seat", "kind", "message_id", "section", "about"):
            batch_op.add_column(sa.Column(name, sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("position", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("letter", sa.Integer(), nullable=True))
        batch_op.create_index("ix_outbox_message_id", ["message_id"])
    _seats()
    _letters()
    _outbox()
    with op.batch_alter_table("seat", schema=None) as batch_op:
        for name in OLD_SEAT:
            batch_op.drop_column(name)


def downgrade() -> None:
    raise NotImplementedError("orders that have been read cannot be made into text again")


def _seats() -> None:
    """What a seat has handed in, as text, until its game is opened; what it has been told."""
    connection = op.get_bind()
    seat = sa.table(
        "seat", sa.column("game"), sa.column("key"), sa.column("lines", sa.JSON),
        sa.column("released", sa.JSON),
        sa.column("answers", sa.JSON), sa.column("told_phase"), sa.column("sheet", sa.JSON),
        sa.column("questions", sa.JSON), sa.column("news", sa.JSON), sa.column("letters"),
    )  # fmt: skip
    last = connection.execute(sa.text("SELECT max(id) FROM letter")).scalar() or 0
    rows = connection.execute(sa.text("SELECT game, max(number) FROM journal GROUP BY game"))
    journals = {row.game: row[1] for row in rows}
    for row in connection.execute(sa.select(seat)).all():
        connection.execute(
            seat.update()
            .where(seat.c.game == row.game, seat.c.key == row.key)
            .values(
                sheet={"text": row.lines, "closed": row.released} if row.lines or row.released else {},
                questions={"answers": row.answers} if row.answers else {},
                news={"phase": row.told_phase},
                letters=last + journals.get(row.game, 0),
            )
        )


def _letters() -> None:
    connection = op.get_bind()
    letter = sa.table("letter", sa.column("id"), sa.column("raw", sa.LargeBinary), sa.column("digest"))
    for number in connection.execute(sa.select(letter.c.id)).scalars().all():
        raw = connection.execute(sa.select(letter.c.raw).where(letter.c.id == number)).scalar()
        digest = hashlib.sha256(raw).hexdigest()
        connection.execute(letter.update().where(letter.c.id == number).values(digest=digest))


def _outbox() -> None:
    """Whose each letter is, of what kind, its Message-ID, and how far the journal went
    when it was written."""
    connection = op.get_bind()
    outbox = sa.table(
        "outbox", sa.column("id"), sa.column("game"), sa.column("key"), sa.column("raw", sa.LargeBinary),
        sa.column("created"), sa.column("seat"), sa.column("kind"), sa.column("message_id"),
        sa.column("position"),
    )  # fmt: skip
    journal = sa.table("journal", sa.column("game"), sa.column("number"), sa.column("at"))
    for number in connection.execute(sa.select(outbox.c.id)).scalars().all():
        row = connection.execute(sa.select(outbox).where(outbox.c.id == number)).one()
        parts = row.key.removeprefix(f"{row.game}-").split("-")
        found = MESSAGE_ID.search(row.raw[:64_000])
        before = sa.select(sa.func.max(journal.c.number)).where(
            journal.c.game == row.game, journal.c.at <= row.created
        )
        connection.execute(
            outbox.update()
            .where(outbox.c.id == number)
            .values(
                seat=parts[1] if row.game and len(parts) > 2 else "",
                kind=parts[2] if row.game and len(parts) > 2 else "",
                message_id=found[1].decode("ascii", "replace") if found else "",
                position=connection.execute(before).scalar() or 0,
            )
        )
