"""Run a script on the migrated schema, statement by statement. All migrations use this."""

from __future__ import annotations

from alembic import context, op

from ledger.events.statements import split_statements


def run_script(script: str, **values: object) -> None:
    """Run the script. `{schema}` and `{role}` in it stand for the schema and the service's login."""
    schema, role = context.config.attributes["schema"], context.config.attributes["role"]
    quote = op.get_bind().dialect.identifier_preparer.quote
    for statement in split_statements(script.format(schema=quote(schema), role=quote(role), **values)):
        op.execute(statement)


def refuse_downgrade() -> None:
    raise RuntimeError("The record can't be downgraded. Restore a backup made before the migration instead.")
