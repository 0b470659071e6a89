"""Stored events: the envelope, the kernel's records, their names, and the tables in Postgres."""
