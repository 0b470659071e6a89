"""The page's own files: scripts and styles. Each address has a digest, so browsers can keep the file forever.

`static/manifest.json` lists every file with its licence. For third-party files, it also lists the version and SHA-256.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TypedDict

from fastapi import APIRouter, Response

from api.http.problem_kinds import NOT_FOUND
from api.http.problems import make_problem

router = APIRouter(include_in_schema=False)
LONG = "public, max-age=31536000, immutable"
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class Part(TypedDict):
    """A file of the page. `source`: the package and file that it comes from, or None for our own files."""

    file: str
    source: str | None
    version: str | None
    licence: str
    sha256: str | None


@cache
def load_manifest() -> dict[str, Part]:
    parts: list[Part] = json.loads((files("api.table") / "static" / "manifest.json").read_text(encoding="utf-8"))
    return {part["file"]: part for part in parts}


def find_file_address(name: str) -> str:
    """Return the address of a file, including a digest of its current content."""
    return f"/static/{_hash_file(name)}/{name}"


@cache
def _hash_file(name: str) -> str:
    return hashlib.sha256(_read_content(name)).hexdigest()[:16]


@cache
def _read_content(name: str) -> bytes:
    return (files("api.table") / "static" / name).read_bytes()


@router.get("/static/{digest}/{name}")
def serve_file(digest: str, name: str) -> Response:
    if name not in load_manifest() or digest != _hash_file(name):
        return make_problem(NOT_FOUND, NOT_FOUND.name, "This file does not exist, or it has changed.")
    media_type = TYPES[name.rpartition(".")[2]]
    return Response(
        _read_content(name), media_type=media_type, headers={"Cache-Control": LONG, "Vary": "Accept-Encoding"}
    )
