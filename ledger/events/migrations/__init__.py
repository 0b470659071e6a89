"""The schema's history, applied by Alembic. `migrate` brings a schema to the newest version."""
