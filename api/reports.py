"""The shapes of audits, derivations and replays."""

from __future__ import annotations

from api.documents import Finding, Told, like


class Difference(Told):
    """Something that is not as it must be: of which kind, about which ruling."""

    what: str
    ruling: int | None
    detail: str


class Audit(Told):
    """What an audit found. `older_edition`: rulings that today's rules cannot judge. Healthy: nothing to be settled."""

    model_config = like(
        healthy=True,
        position=1201,
        events=4080,
        rulings=1200,
        readjudicated=1200,
        older_edition=[],
        differences=[],
        findings=[],
    )
    healthy: bool
    position: int
    events: int
    rulings: int
    readjudicated: int
    older_edition: list[int]
    differences: list[Difference]
    findings: list[Finding]
