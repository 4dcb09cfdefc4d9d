"""what becomes of a letter in the outbox: claimed, tried, tried again

Revision: 0002o, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002o"
down_revision = "0001"

COLUMNS = ("tried", "next_try", "claimed")


def upgrade() -> None:
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        for name in COLUMNS:
            batch_op.add_column(sa.Column(name, sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        for name in reversed(COLUMNS):
            batch_op.drop_column(name)
