"""The shapes of audits, derivations and replays."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from api.http.documents import Decree, Finding, Given, Person, Posting, Step, Told, like


class Difference(Told):
    """Something that is not as it must be: of which kind, about which ruling."""

    what: str
    ruling: int | None
    detail: str


class Audit(Told):
    """What an audit found. `older_edition`: rulings that today's rules cannot judge.

    `not_told_again`: how many rulings were not judged, for that or because their system is not installed. Healthy: all
    of them were, without a difference, and nothing is to be settled.
    """

    model_config = like(
        healthy=True,
        position=1201,
        events=4080,
        rulings=1200,
        readjudicated=1200,
        older_edition=[],
        not_told_again=0,
        rules_installed=True,
        differences=[],
        findings=[],
    )
    healthy: bool
    position: int
    events: int
    rulings: int
    readjudicated: int
    older_edition: list[int]
    not_told_again: int
    rules_installed: bool
    differences: list[Difference]
    findings: list[Finding]


class MadeFact(Told):
    """A fact about the subject. A leg (`ledger.leg`) repeats what another subject's fact moved."""

    subject: str
    kind: str
    version: int
    fact: dict[str, Any]
    postings: list[Posting]


class RulingBehind(Told):
    """The ruling behind a fact: its declaration, dice, derivation and what was decided about it."""

    number: int
    status: str
    declared: dict[str, Any]
    by: Person
    at: str
    session: str | None
    scene: str | None
    answers: list[Given]
    because: list[Step]
    dials: dict[str, Any]
    decisions: list[Decree]


class Link(Told):
    """A fact that made the value something else. Struck: it would have. Without its fact where that is secret."""

    before: Any
    after: Any
    struck: bool
    step: int | None
    fact: MadeFact | None
    by: Person | None
    at: str | None
    ruling: RulingBehind | None


class Derivation(Told):
    """A value now, or as of the moment asked for, and everything that made it so, in the order in which it counts."""

    model_config = like(
        **{
            "subject": "character:1",
            "field": "name",
            "value": "Giazza",
            "chain": [
                {
                    "before": None,
                    "after": "Giazza",
                    "struck": False,
                    "step": 0,
                    "fact": {
                        "subject": "character:1",
                        "kind": "ledger.character-enrolled",
                        "version": 1,
                        "fact": {"name": "Giazza", "seat": "s2"},
                        "postings": [],
                    },
                    "by": {"seat": "s2", "name": "Ben"},
                    "at": "2026-11-21T19:30:00.000000Z",
                    "ruling": None,
                }
            ],
            "at": None,
            "as": "corrected",
        }
    )
    subject: str
    field: str
    value: Any
    chain: list[Link]
    at: int | str | None
    as_: Literal["recorded", "corrected"] = Field(alias="as")
