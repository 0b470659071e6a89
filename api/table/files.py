"""The page's own files: scripts and styles. Each address has a digest, so that browsers keep the file forever.

`static/manifest.json` lists every file with its licence, and for third-party files the version and SHA-256.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TypedDict

from fastapi import APIRouter, Response

from api.http.problem_kinds import NOT_FOUND
from api.http.problems import problem

router = APIRouter(include_in_schema=False)
LONG = "public, max-age=31536000, immutable"
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class Part(TypedDict):
    """A file of the page. `source`: the package and the file it comes from; None for our own."""

    file: str
    source: str | None
    version: str | None
    licence: str
    sha256: str | None


@cache
def manifest() -> dict[str, Part]:
    listed: list[Part] = json.loads((files("api.table") / "static" / "manifest.json").read_text(encoding="utf-8"))
    return {part["file"]: part for part in listed}


def place(name: str) -> str:
    """Return the address of a file with its present content."""
    return f"/static/{_digest(name)}/{name}"


@cache
def _digest(name: str) -> str:
    return hashlib.sha256(_content(name)).hexdigest()[:16]


@cache
def _content(name: str) -> bytes:
    return (files("api.table") / "static" / name).read_bytes()


@router.get("/static/{digest}/{name}")
def read_file(digest: str, name: str) -> Response:
    if name not in manifest() or digest != _digest(name):
        return problem(NOT_FOUND, NOT_FOUND.name, "This file does not exist, or it has changed.")
    kind = TYPES[name.rpartition(".")[2]]
    return Response(_content(name), media_type=kind, headers={"Cache-Control": LONG, "Vary": "Accept-Encoding"})
