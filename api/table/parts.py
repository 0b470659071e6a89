"""The page's routes, together."""

from __future__ import annotations

from fastapi import FastAPI

from api.table import declaring, feed, files, pages, reading, routes


def add_table(app: FastAPI) -> None:
    pages.prepare(app)
    for part in (routes, declaring, reading, feed, files):
        app.include_router(part.router)
