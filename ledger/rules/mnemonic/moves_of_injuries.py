"""What the referee can rule about injuries and recovery, and who could come by them now."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Move
from ledger.rules.mnemonic.as_seen import AsSeen, Being, Shown
from ledger.rules.mnemonic.inputs_of_injuries import (
    DeclareRecovery,
    RuleInjury,
    RuleRecoveryCheck,
    RuleRecoveryRate,
)
from ledger.rules.mnemonic.moves_of_checks import chances_and_method
from ledger.rules.mnemonic.moves_of_traits import resisting
from ledger.rules.mnemonic.terms import FINE, SEVERITY

WORST = Among(SEVERITY)  # in one word each


def injuries(there: AsSeen) -> Iterator[Move]:
    """mnemonic.injury.cause, mnemonic.recovery.declared, mnemonic.recovery.check: of all who are not dead."""
    resolved = [one for one in (*there.checks, *there.left) if one["stage"] == "resolved"]
    judged = chances_and_method(there)
    treated = {"treated_by": Among((None, *(check["id"] for check in resolved if check["purpose"] == "action")))}
    for beings in there.alike:
        one = beings[0]
        if one.dead:
            continue
        found = tuple(resisting(there, one))
        for cause, victims in _causes(there, beings, resolved):
            for fields in found:
                yield Move(RuleInjury, {**judged, **cause, **fields, "victim": Among(victims), "worst": WORST})
        who = Among(tuple(one.id for one in beings))
        if one.level < FINE:
            yield Move(RuleRecoveryRate, {"character": who})
        if one.level < FINE and "declared" in there.dials.recovery_ways:
            yield Move(DeclareRecovery, {**treated, "character": who, "level": Between(one.level + 1, FINE)})
        if one.level < FINE and "check" in there.dials.recovery_ways:
            for fields in found:
                yield Move(RuleRecoveryCheck, {**judged, **treated, **fields, "character": who, "life_or_death": OPEN})


def _causes(
    there: AsSeen, beings: list[Being], resolved: list[Shown]
) -> Iterator[tuple[dict[str, Domain], tuple[str, ...]]]:
    """The referee's word; or the checks it could come of, each once (`already-injured`); and for which victims."""
    yield {"cause": Among(("referee",))}, tuple(one.id for one in beings)
    victims: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for being in beings:
        for cause, checks in _of_checks(there, being.id, resolved):
            if checks:
                victims.setdefault((cause, tuple(checks)), []).append(being.id)
    for (cause, of), those in victims.items():
        yield {"cause": Among((cause,)), "cause_check": Among(of)}, tuple(those)


def _of_checks(there: AsSeen, id: str, resolved: list[Shown]) -> Iterator[tuple[str, list[str]]]:
    """By cause the checks (and actions ruled certain or impossible) that have not injured this one."""
    new = [one for one in resolved if id not in one["injured"]]
    actions = [one for one in (*there.actions, *there.left_actions) if id not in one["injured"]]
    certain = [one for one in actions if one["stage"] == "certain"]
    impossible = [one for one in actions if one["stage"] == "impossible"]
    yield "attack", [one["id"] for one in (*(one for one in new if one["success"]), *certain)]
    failed = [one for one in new if one["success"] is False]
    yield "avoidance", [one["id"] for one in (*failed, *impossible) if one["character"] == id]
    yield "spectacular", [one["id"] for one in new if one["fluke"] == "spectacular_failure" and one["fluke_possible"]]
