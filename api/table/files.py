"""The page's own files: scripts and style, each under a name with its digest, so that a browser keeps them for good.

`static/manifest.json` says of each what it is and under which licence, and of what is others' the version and SHA-256.
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
    """A file of the page. `source`: the package it comes from, and the file in it; our own has none, and no digest."""

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
    """Where the file is found, as long as it is this one."""
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
