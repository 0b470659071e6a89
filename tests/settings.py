"""Settings out of an environment of a test's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TypeVar

import pytest

from api.service.environment import Needs, Settings, read_settings

Kind = TypeVar("Kind", bound=Settings)


def settings_of(kind: type[Kind], said: Mapping[str, str], needs: Needs | None = None) -> Kind:
    """As `read_settings`, where the environment says this and nothing else of ours."""
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith("LEDGER_")]:
            environment.delenv(name)
        for name, value in said.items():
            environment.setenv(name, value)
        return read_settings(kind, needs)
