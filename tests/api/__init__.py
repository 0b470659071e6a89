"""The service over real HTTP, on a real PostgreSQL."""
