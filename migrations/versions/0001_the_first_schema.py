"""the first schema: that of pbem 0.1.0

Revision: 0001, after None
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("scenario", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("phase", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("waiting_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("letter_key", sa.LargeBinary(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("quiet_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("game_quiet", "game", ["status", "quiet_until"])
    op.create_table(
        "journal",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("letter", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_index("journal_phase", "journal", ["game", "phase"])
    op.create_table(
        "letter",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("aside", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity", name="letter_identity"),
    )
    op.create_index("ix_letter_game", "letter", ["game"])
    op.create_index("ix_letter_words", "letter", ["words"])
    op.create_table(
        "outbox",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("section", sa.String(), nullable=False),
        sa.Column("letter", sa.Integer(), nullable=True),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("tried", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_try", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key", name="outbox_key"),
    )
    op.create_index("ix_outbox_game", "outbox", ["game"])
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
    op.create_index("ix_outbox_sent", "outbox", ["sent"])
    op.create_table(
        "phase",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("salts", sa.JSON(), nullable=False),
        sa.Column("rolls", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("state_hash", sa.String(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "seat",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("token_key", sa.LargeBinary(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("sheet", sa.JSON(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("played", sa.JSON(), nullable=False),
        sa.Column("missed", sa.JSON(), nullable=False),
        sa.Column("news", sa.JSON(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
        sa.Column("away", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("game", "key"),
    )
    op.create_index("ix_seat_address", "seat", ["address"])
    op.create_table(
        "staff",
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("token_key", sa.LargeBinary(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"]),
        sa.PrimaryKeyConstraint("game", "key"),
    )
    op.create_index("ix_staff_address", "staff", ["address"])


def downgrade() -> None:
    op.drop_index("ix_staff_address", table_name="staff")
    op.drop_table("staff")
    op.drop_index("ix_seat_address", table_name="seat")
    op.drop_table("seat")
    op.drop_table("phase")
    op.drop_index("ix_outbox_sent", table_name="outbox")
    op.drop_index("ix_outbox_message_id", table_name="outbox")
    op.drop_index("ix_outbox_game", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index("ix_letter_words", table_name="letter")
    op.drop_index("ix_letter_game", table_name="letter")
    op.drop_table("letter")
    op.drop_index("journal_phase", table_name="journal")
    op.drop_table("journal")
    op.drop_index("game_quiet", table_name="game")
    op.drop_table("game")
