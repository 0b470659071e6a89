"""The error of the embedded database."""


class EmbeddedPostgresError(Exception):
    """The embedded database failed to do something. The message is for the person who started it."""
