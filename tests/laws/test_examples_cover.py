"""Law of every system that has worked examples: whatever can be declared or answered stands in one that is accepted."""

from __future__ import annotations

import pytest

from api.http.examples import list_examples
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_kind
from tests.rules.examples import PurePlayer, play, world_for

PLAYED = [name for name in sorted(systems()) if list_examples(name)]
accepted = pytest.mark.parametrize("name", PLAYED)


@accepted
def test_every_declaration_stands_in_an_example(name: str) -> None:
    steps = [step for example in list_examples(name) for step in example["step"] if "refused" not in step]
    said = {step["declare"]["kind"] for step in steps}
    missing = {find_kind(one) for one in (*systems()[name].inputs, *commands.INPUTS)} - said
    assert not missing, "no example declares this"


@accepted
def test_every_choice_stands_in_an_example(name: str) -> None:
    steps = [step for example in list_examples(name) for step in example["step"] if "refused" not in step]
    said = {one["choice"]["kind"] for step in steps for one in step.get("answers", []) if "choice" in one}
    missing = {find_kind(one) for one in systems()[name].choices} - said
    assert not missing, "no example answers with this"


def test_an_answer_is_given_by_whose_it_is() -> None:
    """`by` is held against who is asked, on the pure rules too: nobody speaks for somebody else in an example."""
    example = next(one for one in list_examples("intensity") if one["name"] == "Consent is given, not claimed")
    step = next(step for step in example["step"] if any("by" in one for one in step.get("answers", [])))
    before = example["step"][: example["step"].index(step)]
    for by in ("@Pat", "@gm"):
        swapped = {**step, "answers": [step["answers"][0], {**step["answers"][1], "by": by}]}
        played = {**example, "step": [*before, swapped], "then": []}
        with pytest.raises(AssertionError, match="not for"):
            play(PurePlayer(world_for(systems()["intensity"], played)), played, "gm")
