"""The page's routes, together."""

from __future__ import annotations

from fastapi import FastAPI

from api.table import accounts, audit, declaring, dice, feed, files, looking_back, pages, reading, routes, settings


def add_table(app: FastAPI) -> None:
    pages.prepare(app)
    for part in (routes, declaring, reading, feed, files, looking_back, accounts, dice, audit, settings):
        app.include_router(part.router)
