"""The settings as the environment says them. A secret may stand in a file instead, named by `<setting>_FILE`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from ledger.errors import Fault

#: Settings that hold a secret, or a login with one.
SECRET = (
    "LEDGER_DATABASE_URL", "LEDGER_DATABASE_PASSWORD", "LEDGER_OWNER_URL", "LEDGER_OWNER_PASSWORD",
    "LEDGER_PROJECTOR_URL", "LEDGER_SERVER_KEY", "LEDGER_OPERATOR_TOKEN", "LEDGER_METRICS_TOKEN",
)  # fmt: skip


def settings(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """All of it, secrets out of their files, passwords in their URLs. Fault for what is unreadable or said twice."""
    found = dict(os.environ if env is None else env)
    for name in SECRET:
        place = found.pop(f"{name}_FILE", "")
        if place and found.get(name):
            raise _bad(f"Set {name} or {name}_FILE, not both.")
        if place:
            found[name] = _content(f"{name}_FILE", Path(place))
    for whose in ("LEDGER_DATABASE", "LEDGER_OWNER"):
        password = found.pop(f"{whose}_PASSWORD", "")
        if password:
            found[f"{whose}_URL"] = _with_password(f"{whose}_URL", found.get(f"{whose}_URL", ""), password)
    return found


def _content(name: str, place: Path) -> str:
    """Without the line's end that editors put there."""
    try:
        said = place.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise _bad(f"{name} names a file that cannot be read: {place}.") from problem
    if not said:
        raise _bad(f"{name} names a file that is empty: {place}.")
    return said


def _with_password(name: str, url: str, password: str) -> str:
    given = urlsplit(url)
    if not (given.username and given.hostname) or given.password:
        raise _bad(f"With a password of its own, {name} is like postgresql://user@host/database.")
    user, _, place = given.netloc.rpartition("@")
    return given._replace(netloc=f"{user}:{quote(password, safe='')}@{place}").geturl()


def _bad(detail: str) -> Fault:
    return Fault(detail, code="bad-setting")
