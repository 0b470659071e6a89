"""A real PostgreSQL of one's own, for people who have no other: programs from a wheel, data in one folder."""

from api.embedded.errors import EmbeddedPostgresError
from api.embedded.server import EmbeddedPostgres, find_data_folder

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "find_data_folder"]
