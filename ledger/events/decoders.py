"""Build decoders, in one thread at a time. Nothing else may make msgspec inspect a type.

msgspec 0.22 stores the description of a type (on the class itself) before it has filled it in, so that a type may
contain itself. While msgspec fills in the description, another thread may run. If that thread decodes a value of the
type, or converts a value to the type, it follows empty pointers, and the process crashes. Encoding needs no
descriptions. A decoder built here has complete descriptions of all its types, and any thread may use it.
"""

from __future__ import annotations

from threading import Lock
from typing import TypeVar

from msgspec.json import Decoder

T = TypeVar("T")
_describing = Lock()


def build_decoder(form: type[T]) -> Decoder[T]:
    """Return a decoder of JSON to exactly this type. Call it while a module is imported, or a codec is made."""
    with _describing:
        return Decoder(form)
