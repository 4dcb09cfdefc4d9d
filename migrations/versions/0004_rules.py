"""a game knows under which version of its rules it began

Revision: 0004, after 0003

Games that were begun before do not know it: their version is empty.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("game", sa.Column("rules", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "rules")
