"""Fields whose public name is no Python name: `from_` in code is `from` in everything stored, sent or told.

As PEP 8 has it, an underscore behind a name keeps it clear of a keyword, and is no part of it. A record's own table of
fields then has the public name, so whatever asks it (`dataclasses.fields`, encoders, decoders, forms, guides) needs to
know nothing of this; code reads the attribute and calls the record by either name.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def publish(record: type[Any]) -> None:
    """Give the fields of a slotted dataclass their public names: those written with an underscore behind, without it.

    Its order of fields, equality, hash and patterns stay as they are.
    """
    fields: dict[str, dataclasses.Field[Any]] = record.__dataclass_fields__
    public = {name: name.removesuffix("_") for name in fields}
    if all(name == written for written, name in public.items()):
        return
    for written, name in public.items():
        if name != written:
            fields[written].name = name
            setattr(record, name, getattr(record, written))
    record.__dataclass_fields__ = {public[written]: field for written, field in fields.items()}
    record.__annotations__ = {public.get(name, name): hint for name, hint in record.__annotations__.items()}
    _call_by_either(record, {name: written for written, name in public.items() if name != written})


def _call_by_either(record: type[Any], written: dict[str, str]) -> None:
    made = record.__init__

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        public = {written[name]: named.pop(name) for name in written if name in named}
        made(self, *values, **{**public, **named})  # `dataclasses.replace` gives the old one publicly

    record.__init__ = __init__
