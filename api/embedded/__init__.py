"""An embedded PostgreSQL for people without a database server."""

from api.embedded.errors import EmbeddedPostgresError
from api.embedded.server import EmbeddedPostgres, find_data_folder

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "find_data_folder"]
