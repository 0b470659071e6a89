"""Databases as earlier versions left them. `scripts/keep_version` adds those of the version in `pyproject.toml`."""
