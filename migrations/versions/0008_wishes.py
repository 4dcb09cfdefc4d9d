"""a player chooses what his letters bring

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("seat", sa.Column("settings", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("seat", "settings")
