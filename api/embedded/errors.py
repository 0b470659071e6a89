"""The error of the embedded database."""


class EmbeddedPostgresError(Exception):
    """The embedded database could not do what was asked. The message is for the person who started it."""
