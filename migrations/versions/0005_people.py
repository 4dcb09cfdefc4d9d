"""a game has a staff, a clock that remembers, and players who may be away

Revision: 0005, after 0004

The moderator of a game that is being played, so far a setting, becomes the first of its staff.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("game", sa.Column("clock", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("seat", sa.Column("away", sa.JSON(), nullable=False, server_default="[]"))
    staff = op.create_table(
        "staff",
        sa.Column("game", sa.String(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False, index=True),
        sa.Column("token_key", sa.LargeBinary(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
    )
    connection = op.get_bind()
    game = sa.table("game", sa.column("id"), sa.column("settings", sa.JSON))
    for row in connection.execute(sa.select(game.c.id, game.c.settings)).all():
        if not isinstance(row.settings, dict):
            continue
        kept = dict(row.settings)
        written, name = str(kept.pop("moderator", None) or ""), str(kept.pop("moderator_name", None) or "")
        if "<" in written:
            before, _, written = written.partition("<")
            name = name or before.strip(' "')
        if address := written.strip(" >"):
            connection.execute(
                staff.insert().values(
                    game=row.id, key="moderator", role="moderator", name=name, address=address.lower(),
                    token_key=secrets.token_bytes(16), password="", zone="UTC", settings={}, told={},
                    letters=0,
                )
            )  # fmt: skip
        if kept != row.settings:
            connection.execute(game.update().where(game.c.id == row.id).values(settings=kept))


def downgrade() -> None:
    """Only the first moderator of a game goes back into its settings."""
    connection = op.get_bind()
    game = sa.table("game", sa.column("id"), sa.column("settings", sa.JSON))
    first = sa.text("SELECT game, name, address FROM staff WHERE key = 'moderator'")
    known = {row.game: row for row in connection.execute(first).all()}
    for row in connection.execute(sa.select(game.c.id, game.c.settings)).all():
        if (helper := known.get(row.id)) is not None:
            names = {"moderator_name": helper.name} if helper.name else {}
            settings = row.settings | names | {"moderator": helper.address}
            connection.execute(game.update().where(game.c.id == row.id).values(settings=settings))
    op.drop_table("staff")
    op.drop_column("seat", "away")
    op.drop_column("game", "clock")
