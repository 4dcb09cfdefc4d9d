"""what was found out about the sender of a letter

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("letter", sa.Column("checked", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("letter", "checked")
