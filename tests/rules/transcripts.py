"""Worked examples as people at the table would tell them: what is declared and answered, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.http.examples import list_examples
from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.sentences import ECHOES
from ledger.rules.kernel.subjects import Subject
from ledger.rules.kernel.world import PastRuling
from projections.wording import Wording, fill_in_names, sum_up, word_fact
from tests.rules.examples import Json, PurePlayer, play, world_for
from tests.rules.world import World

HERE = Path(__file__).parents[1] / "transcripts"


def transcript(system: str) -> str:
    """All worked examples of a system."""
    return "\n".join("\n".join(_of(system, one)) + "\n" for one in list_examples(system))


def _of(system: str, example: Json) -> Iterator[str]:
    ruleset = systems()[system]
    world = world_for(ruleset, example)
    play(PurePlayer(world), example, "gm")
    telling = _Telling(world, Wording(ruleset))
    yield f"# {example['name']}"
    for past, verdict in zip(world.history, world.verdicts, strict=True):
        yield ""
        yield from telling.ruling(past, verdict)


class _Telling:
    def __init__(self, world: World, wording: Wording) -> None:
        self.world = world
        self.wording = wording

    def name(self, subject: str) -> str:
        kind, _, id = subject.partition(":")
        if kind == "seat":
            return {"gm": "Gwen"}.get(id, id)
        folded = self.world.past.find(Subject("character" if kind == "character" else "scene", id))
        entry: Any = folded.entry if folded is not None else None
        return getattr(entry, "name", "") or getattr(entry, "title", "")

    def told(self, text: str) -> str:
        return fill_in_names(text, self.name)

    def ruling(self, past: PastRuling, verdict: Any) -> Iterator[str]:
        declared = self.wording.word_input(past.declared)
        weighed = [(self.wording.weigh(done.fact), word_fact(about, done.fact)) for about, done in past.facts]
        least = min((weight for weight, _ in weighed if weight is not None), default=-1)
        told = self.told(sum_up(declared, [text for weight, text in weighed if weight == least]))
        yield f"{past.number}. {told}"
        for one in past.said:
            question = one.question or {}
            answer = self.told(self.wording.word_answer(question, json_form.answer_to_json(one.answer)))
            asked = self.told(self.wording.word_question(question)) if isinstance(one.answer, Choice) else ""
            yield f"   > {asked} {answer}" if asked else f"   > {answer}"
        for step in verdict.because:
            given, out = json_form.to_json(step.given), json_form.to_json(step.out)
            if said := self.wording.word_step(step.rule, given, out):
                yield f"   ({self.told(said)})"
        for subject, done in past.facts:
            if isinstance(done.fact, ECHOES):
                continue
            yield f"   - {self.told(word_fact(subject, done.fact))}"


def write() -> None:
    """Write them all: read them aloud, then commit."""
    HERE.mkdir(exist_ok=True)
    for system in systems():
        if text := transcript(system):
            (HERE / f"{system}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
