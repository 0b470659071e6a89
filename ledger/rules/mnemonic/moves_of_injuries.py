"""What the referee can rule about injuries and recovery, and who could come by them now."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Move
from ledger.rules.mnemonic.as_seen import AsSeen, Being, Shown
from ledger.rules.mnemonic.inputs_of_injuries import DeclareRecovery, RuleInjury, RuleRecoveryCheck
from ledger.rules.mnemonic.moves_of_checks import chances_and_method
from ledger.rules.mnemonic.moves_of_traits import resisting
from ledger.rules.mnemonic.terms import FINE


def injuries(there: AsSeen) -> Iterator[Move]:
    """mnemonic.injury.cause, mnemonic.recovery.declared, mnemonic.recovery.check: of all who are not dead."""
    resolved = [one for one in there.checks if one["stage"] == "resolved"]
    ways = there.dials.recovery_ways
    for being in there.beings.values():
        if being.dead:
            continue
        found = tuple(resisting(there, being))
        for cause in _causes(there, being, resolved):
            for fields in found:
                settled = {"victim": Among((being.id,)), "worst": OPEN, **chances_and_method(there)}
                yield Move(RuleInjury, {**settled, **cause, **fields})
        if being.level < FINE:
            who = Among((being.id,))
            if "declared" in ways:
                yield Move(DeclareRecovery, {"character": who, "level": Between(being.level + 1, FINE)})
            if "check" in ways:
                for fields in found:
                    yield Move(RuleRecoveryCheck, {"character": who, **chances_and_method(there), **fields})


def _causes(there: AsSeen, being: Being, resolved: list[Shown]) -> Iterator[dict[str, Domain]]:
    """The referee's word; or each check it could come of, once (`already-injured`)."""
    yield {"cause": Among(("referee",))}
    new = [one for one in resolved if being.id not in one["injured"]]
    attacks = [one["id"] for one in new if one["success"]]
    dodges = [one["id"] for one in new if one["success"] is False and one["character"] == being.id]
    dodges += [
        one["id"]
        for one in there.actions
        if one["stage"] == "impossible" and one["character"] == being.id and being.id not in one["injured"]
    ]
    worst = [one["id"] for one in new if one["fluke"] == "spectacular_failure" and one["fluke_possible"]]
    for cause, checks in (("attack", attacks), ("avoidance", dodges), ("spectacular", worst)):
        if checks:
            yield {"cause": Among((cause,)), "cause_check": Among(tuple(checks))}
