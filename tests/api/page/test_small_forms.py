"""Tiles and fields in a game's templates: they stand for parts of a declaration, and are filled into it when sent."""

from __future__ import annotations

import json

import pytest

from api.table.choosing import Tiles, Written, fill_in_parts, render_parts

FIELDS = {"text": Written("What?", "In words"), "pair": [Tiles("First", {"Deft": {"name": "Deft"}}), {"kind": "role"}]}


def test_what_is_chosen_and_written_is_filled_in_where_it_was_open() -> None:
    marked, _ = render_parts(FIELDS)
    sent = {"part-0": [" Climbs. "], "part-1": ['{"name": "Deft"}']}
    filled = fill_in_parts(json.loads(json.dumps(marked)), sent)
    assert filled == {"text": "Climbs.", "pair": [{"name": "Deft"}, {"kind": "role"}]}


@pytest.mark.parametrize("sent", [{}, {"part-0": ["Climbs."]}, {"part-0": ["Climbs."], "part-1": ["Deft"]}])
def test_a_part_that_is_missing_or_is_no_value_is_refused(sent: dict[str, list[str]]) -> None:
    marked, _ = render_parts(FIELDS)
    with pytest.raises(ValueError, match=r"is missing|Expecting value"):
        fill_in_parts(marked, sent)


def test_what_is_usual_is_written_already() -> None:
    assert 'value="a &lt;few&gt; moments"' in render_parts(Written("Time", usual="a <few> moments"))[1]


def test_labels_are_text_and_the_usual_tile_is_chosen() -> None:
    _, inputs = render_parts(Tiles("<b>", {"<i>": 1, "Two": 2}, "Two"))
    assert "<legend>&lt;b&gt;</legend>" in inputs and "<span>&lt;i&gt;</span>" in inputs
    assert 'value="2" required checked>' in inputs and inputs.count("checked") == 1


def test_the_only_tile_is_chosen_and_of_several_none_without_a_usual_one() -> None:
    assert "checked" in render_parts(Tiles("Who", {"Ann": 1}))[1]
    assert "checked" not in render_parts(Tiles("Who", {"Ann": 1, "Ben": 2}))[1]
