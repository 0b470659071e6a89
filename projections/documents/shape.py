"""The base of all documents: a TypedDict without extra fields, with an example for the OpenAPI document.

pydantic reads an attribute that this module sets, so documents do not import pydantic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from typing_extensions import TypedDict

T = TypeVar("T")
CONFIG: Final = "__pydantic_config__"
#: The examples, by the name of the document. The API's description uses them, because FastAPI drops nulls from
#: examples.
EXAMPLES: dict[str, dict[str, object]] = {}


class Document(TypedDict):
    """An answer: JSON for one viewer, without extra fields."""


setattr(Document, CONFIG, {"extra": "forbid"})


class Listed(Document):
    """A page of a list. `next`, `previous`: the path of the next or previous page, as in the `Link` header, or null."""

    next: str | None
    previous: str | None


def give_example(**example: object) -> Callable[[type[T]], type[T]]:
    """Return a decorator that gives a document its example."""

    def add_example(document: type[T]) -> type[T]:
        setattr(document, CONFIG, {"extra": "forbid", "json_schema_extra": {"examples": [example]}})
        EXAMPLES[document.__name__] = example
        return document

    return add_example


def allow_more_fields(document: type[T]) -> type[T]:
    """Allow further fields in a document, and return it."""
    setattr(document, CONFIG, {"extra": "allow"})
    return document
