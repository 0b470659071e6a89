"""A fingerprint of source files, computed once for each process."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from types import ModuleType

import ledger
from ledger.rules import find_package, systems


@cache
def hash_all_sources(*packages: ModuleType) -> bytes:
    """Return a digest of the source code of the ledger, every installed game and further packages."""
    hasher = hashlib.sha256()
    for package in (ledger, *(find_package(name) for name in sorted(systems())), *packages):
        hasher.update(package.__name__.encode())
        for root in package.__path__:
            hasher.update(_hash_folder(Path(root)))
    return hasher.digest()


@cache
def _hash_folder(root: Path) -> bytes:
    """Return the digest of a folder's files. It does not depend on where the folder is."""
    hasher = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        hasher.update(path.relative_to(root).as_posix().encode())
        hasher.update(hashlib.sha256(path.read_bytes()).digest())
    return hasher.digest()
