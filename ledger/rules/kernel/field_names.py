"""Fields whose public name is not a Python name: `from_` in code is `from` wherever it is stored, sent or shown.

The dataclass lists the field under its public name. Code reads the attribute `from_`, and may call the constructor with
either name.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def publish_field_names(record_class: type[Any]) -> None:
    """Give the fields of a slotted dataclass their public names: without the trailing underscore."""
    fields: dict[str, dataclasses.Field[Any]] = record_class.__dataclass_fields__
    public_names = {name: name.removesuffix("_") for name in fields}
    if all(name == written_name for written_name, name in public_names.items()):
        return
    for written_name, name in public_names.items():
        if name != written_name:
            fields[written_name].name = name
            setattr(record_class, name, getattr(record_class, written_name))
    record_class.__dataclass_fields__ = {public_names[written_name]: field for written_name, field in fields.items()}
    record_class.__annotations__ = {
        public_names.get(name, name): hint for name, hint in record_class.__annotations__.items()
    }
    _accept_either_name(
        record_class, {name: written_name for written_name, name in public_names.items() if name != written_name}
    )


def _accept_either_name(record_class: type[Any], written_names: dict[str, str]) -> None:
    original_init = record_class.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        written_arguments = {written_names[name]: kwargs.pop(name) for name in written_names if name in kwargs}
        # `dataclasses.replace` passes the old value under its public name
        original_init(self, *args, **{**written_arguments, **kwargs})

    record_class.__init__ = __init__
