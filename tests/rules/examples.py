"""Worked examples as data: reading `examples.toml` of a system, and playing one on the pure rules.

The format is described at the top of each such file; it knows no system. Whatever plays rulings can run it: `Player`
asks for nothing but declaring, viewing and balances, so an HTTP client can stand in for the `World`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from api.http.examples import ExampleAnswer, Names, list_answers
from ledger.application import json_form
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Role, parse_subject
from tests.rules.world import World

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a declaration led to: facts as (kind, fields) and steps as (rule, out); or a refusal's code."""

    number: int
    facts: tuple[tuple[str, Json], ...] = ()
    because: tuple[tuple[str, Any], ...] = ()
    refused: str | None = None


class Player(Protocol):
    """Where examples are played."""

    def declare(self, declared: Json, answers: Sequence[ExampleAnswer], by: str) -> Outcome: ...
    def view(self, subject: str) -> Mapping[str, Any]: ...
    def balance(self, account: str) -> int: ...
    def seat(self, name: str) -> str: ...


@dataclass
class PurePlayer:
    """On the rules alone, in memory."""

    world: World

    def declare(self, declared: Json, answers: Sequence[ExampleAnswer], by: str) -> Outcome:
        ruleset, number = self.world.ruleset, self.world.number
        do = json_form.declaration_from_json(ruleset, declared)
        given = [(json_form.answer_from_json(ruleset, one.answer), one.by or by) for one in answers]
        try:
            verdict = self.world.declare_with(do, given, by)
        except Refused as refusal:
            return Outcome(number, refused=refusal.code)
        facts = tuple(
            (find_fact_kind(about.fact).partition("@")[0], json_form.to_json(about.fact)) for about in verdict.facts
        )
        return Outcome(number, facts, tuple((one.rule, json_form.to_json(one.out)) for one in verdict.because))

    def view(self, subject: str) -> Mapping[str, Any]:
        about = CAMPAIGN if subject == "campaign" else parse_subject(subject)
        shown: Mapping[str, Any] = json_form.to_json(self.world.view(about))
        return shown

    def balance(self, account: str) -> int:
        return self.world.balance(account)

    def seat(self, name: str) -> str:
        assert name in self.world.people
        return name


# --- playing an example -------------------------------------------------------------------------------------------


def world_for(ruleset: AnyRuleset, example: Json) -> World:
    players: dict[str, Role] = dict.fromkeys(example.get("seats", []), "player")
    return World(ruleset, example.get("dials", {}), {"gm": "gm", **players})


def play(player: Player, example: Json, seat: str) -> list[Outcome]:
    """Play the example; AssertionError with the step where it comes out otherwise. `seat`: the game master's, who plays
    the characters that are nobody else's."""
    names = Names({"gm": seat, **{name: player.seat(name) for name in example.get("seats", [])}})
    for one in example.get("characters", []):
        owner = names.meanings[one.get("seat", "gm")]
        sheet = {"kind": "enrol", "name": one["name"], "seat": owner, "sheet": one["sheet"]}
        names.meanings[one["name"]] = str(player.declare(sheet, [], seat).number)
    outcomes = []
    for place, step in enumerate(example["step"], 1):
        where = f"{example['name']}, step {place}: {step['declare']['kind']}"
        declared = names.fill(step["declare"])
        outcome = player.declare(declared, list_answers(names.fill(step)), names.fill(step.get("by", seat)))
        assert outcome.refused == step.get("refused"), f"{where}: refused {outcome.refused}"
        names.learn(step, outcome.number, [fields for _, fields in outcome.facts])
        check(where, names, step, outcome)
        outcomes.append(outcome)
    for end in example.get("then", []):
        check_end(example["name"], player, names.fill(end))
    return outcomes


def check(where: str, names: Names, step: Json, outcome: Outcome) -> None:
    """The expected facts in their order, none of the unexpected, the expected numbers."""
    rest = iter(outcome.facts)
    for expected in names.fill(step.get("facts", [])):
        fields = {name: value for name, value in expected.items() if name != "fact"}
        assert any(
            kind == expected["fact"] and all(given.get(name) == value for name, value in fields.items())
            for kind, given in rest
        ), f"{where}: no {expected} in {outcome.facts}"
    for kind, _ in outcome.facts:
        assert kind not in step.get("no_fact", []), f"{where}: {kind}"
    for expected in names.fill(step.get("because", [])):
        assert (expected["rule"], expected["out"]) in outcome.because, f"{where}: no {expected} in {outcome.because}"


def check_end(where: str, player: Player, end: Json) -> None:
    if "account" in end:
        assert player.balance(end["account"]) == end["balance"], f"{where}: {end} is {player.balance(end['account'])}"
        return
    value: Any = player.view(end["subject"])
    for part in end["at"].split("/"):
        value = value[int(part)] if isinstance(value, list) else value[part]
    assert value == end.get("is"), f"{where}: {end} is {value!r}"
