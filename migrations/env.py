"""Runs the migrations on the connection that the store hands over."""

from alembic import context
from sqlmodel import SQLModel

import pbem.service.record.rows  # noqa: F401  (declares the tables)

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
