"""What makes a TypedDict a document: no field too many, and an example for the API's description.

It stands beside the function that builds it; mypy holds the two against each other. pydantic describes it: this module
only leaves where pydantic looks how strict the shape is, so that nothing here needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from typing_extensions import TypedDict

T = TypeVar("T")
CONFIG: Final = "__pydantic_config__"
#: By the name of the document. The description takes them from here: FastAPI leaves nulls out of examples.
EXAMPLES: dict[str, dict[str, object]] = {}


class Document(TypedDict):
    """What is answered: JSON for one viewer. What a document inherits from it is that it has no field too many."""


setattr(Document, CONFIG, {"extra": "forbid"})


class Listed(Document):
    """A page of a list. `next`, `previous`: the paths of the pages beside it, as in the `Link` header; or null."""

    next: str | None
    previous: str | None


def like(**example: object) -> Callable[[type[T]], type[T]]:
    """Return the document with an example."""

    def exemplified(document: type[T]) -> type[T]:
        setattr(document, CONFIG, {"extra": "forbid", "json_schema_extra": {"examples": [example]}})
        EXAMPLES[document.__name__] = example
        return document

    return exemplified


def open_ended(document: type[T]) -> type[T]:
    """Return a document with further fields that depend on what it is about."""
    setattr(document, CONFIG, {"extra": "allow"})
    return document
