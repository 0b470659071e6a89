"""Small forms in a game's templates. The values of their tiles and text fields are filled into a declaration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from api.table import forms
from api.table.client import Json
from api.table.forms import Form

PLACE, CHOSEN = "place", "chosen"  # keys of a mark: its place in the declaration, and whether a value is chosen there


@dataclass(frozen=True, slots=True)
class Tiles:
    """The values to choose from, by label. `usual`: the label of the default value."""

    title: str
    options: Mapping[str, object]
    usual: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A text field. `usual`: its initial text."""

    title: str
    hint: str = ""
    usual: str = ""


def render_parts(value: object) -> tuple[object, Markup]:
    """Return the value with a marker in place of each open part, and the HTML inputs for these parts."""
    rendered_inputs: list[Markup] = []
    return _take_out_parts(value, rendered_inputs), Markup().join(rendered_inputs)


def _take_out_parts(value: object, rendered_inputs: list[Markup]) -> object:
    if isinstance(value, Tiles | Written):
        place = len(rendered_inputs)
        rendered_inputs.append(_render_tiles(value, place) if isinstance(value, Tiles) else _render_field(value, place))
        return {PLACE: place, CHOSEN: isinstance(value, Tiles)}
    if isinstance(value, Mapping):
        return {name: _take_out_parts(inner_value, rendered_inputs) for name, inner_value in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_take_out_parts(inner_value, rendered_inputs) for inner_value in value]
    return value


def _render_tiles(tiles: Tiles, place: int) -> Markup:
    tile_template = Markup(
        '<label class="tile"><input type="radio" name="part-{}" value="{}" required{}><span>{}</span></label>'
    )
    usual_label = tiles.usual if tiles.usual in tiles.options or len(tiles.options) != 1 else next(iter(tiles.options))
    inputs = Markup().join(
        tile_template.format(place, json.dumps(value), Markup(" checked") if label == usual_label else "", label)
        for label, value in tiles.options.items()
    )
    return Markup('<fieldset><legend>{}</legend><div class="row">{}</div></fieldset>').format(tiles.title, inputs)


def _render_field(field: Written, place: int) -> Markup:
    return Markup(
        '<label>{}<input type="text" name="part-{}" required autocomplete="off" placeholder="{}" value="{}"></label>'
    ).format(field.title, place, field.hint, field.usual)


def fill_in_parts(value: object, fields: Form) -> object:
    """Return the declaration with its open parts filled in from the form.

    Raise ValueError if a value is missing.
    """
    if isinstance(value, dict):
        if value.keys() == {PLACE, CHOSEN}:
            return _read_part(value, fields)
        return {name: fill_in_parts(inner_value, fields) for name, inner_value in value.items()}
    if isinstance(value, list):
        return [fill_in_parts(inner_value, fields) for inner_value in value]
    return value


def _read_part(mark: Json, fields: Form) -> object:
    name = f"part-{mark[PLACE]}"
    if name not in fields:
        raise ValueError(f"{name} is missing")
    text = forms.get_field_text(fields, name)
    return json.loads(text) if mark[CHOSEN] else text.strip()
