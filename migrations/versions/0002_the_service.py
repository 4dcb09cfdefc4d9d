"""the service: emails set aside, workers and the clock of the host; letters counted by hour and sender

Revision: 0002, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "aside",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_aside_digest", "aside", ["digest"])
    op.create_table(
        "worker",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "host",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("held", sa.DateTime(timezone=True), nullable=True),
        sa.Column("down_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("down_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.add_column("outbox", sa.Column("claimed_by", sa.String(), nullable=True))
    op.create_index("letter_received", "letter", ["received"])
    op.create_index("letter_sender", "letter", ["sender", "received"])


def downgrade() -> None:
    op.drop_index("letter_sender", "letter")
    op.drop_index("letter_received", "letter")
    op.drop_column("outbox", "claimed_by")
    for table in ("host", "worker", "aside"):
        op.drop_table(table)
