"""a game knows until when its clock has nothing to do

Revision: 0007, after 0006

Of games that are being played this is found out when the deadlines are next looked at.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("game", sa.Column("quiet_until", sa.DateTime(timezone=True), nullable=True))
    op.create_index("game_quiet", "game", ["status", "quiet_until"])


def downgrade() -> None:
    op.drop_index("game_quiet", "game")
    op.drop_column("game", "quiet_until")
