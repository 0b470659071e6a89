"""Build decoders, in one thread at a time. Nothing else may make msgspec inspect a type.

msgspec 0.22 stores the description of a type on the class before the description is complete. If another thread decodes
a value of the type at that moment, the process crashes. Any thread may use a decoder built here, because its
descriptions are complete. Encoding needs no descriptions.
"""

from __future__ import annotations

from threading import Lock
from typing import TypeVar

from msgspec.json import Decoder

T = TypeVar("T")
_describing = Lock()


def build_decoder(form: type[T]) -> Decoder[T]:
    """Return a decoder of JSON to exactly this type. Call this only while a module is imported or a codec is made."""
    with _describing:
        return Decoder(form)
