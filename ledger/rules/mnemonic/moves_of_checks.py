"""What the referee can rule about checks and actions, about flukes, and about what comes of them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move
from ledger.rules.mnemonic.as_seen import AsSeen, Being, Shown
from ledger.rules.mnemonic.guards import STEPS
from ledger.rules.mnemonic.inputs import NarrateConsequence, RuleCertain, RuleCheck, RuleFluke, RuleImpossible
from ledger.rules.mnemonic.inputs_of_injuries import NameRecovery
from ledger.rules.mnemonic.moves_of_traits import assigning, pairs, rating
from ledger.rules.mnemonic.terms import FINE

RECOVERY = "mnemonic.recovery.check"
POSSIBLE = "mnemonic.fluke.possible"


def checks(there: AsSeen) -> Iterator[Move]:
    for actions, awaits in ((there.actions, STEPS), (there.left_actions, None)):
        declared = [action for action in actions if action["stage"] == "declared"]
        if declared:
            yield Move(RuleImpossible, {"action": Among(tuple(action["id"] for action in declared))}, awaits)
        for action in declared:
            yield from _of_an_action(there, action, awaits)
    if there.rules:
        for beings in there.alike:
            yield from _of_anything(there, beings)
    yield from _to_be_finished(there, there.checks, POSSIBLE, RECOVERY)
    yield from _to_be_finished(there, there.left)
    if there.rules:
        yield from _consequences(there)


# --- before the roll ----------------------------------------------------------------------------------------------


def chances_and_method(there: AsSeen) -> dict[str, Domain]:
    """mnemonic.chances.rating, mnemonic.random.one: by the ladder in force, by the ways of the table."""
    return {"chances": Among(there.chances), "method": Among(there.methods)}


def _of_an_action(there: AsSeen, action: Shown, awaits: str | None) -> Iterator[Move]:
    """mnemonic.ruling.before-roll, mnemonic.check.certain: how physical the action is was said with it.

    Of who has no Aptitude yet, what makes one comes first: two traits make it, and the Primary Role is but one.
    """
    being = there.beings.get(action["character"])
    if being is None or not there.able(being.id, action["physical"]):
        return
    yield Move(RuleCertain, {"action": Among((action["id"],))}, awaits)
    found = list(_aptitudes(there, being))
    for fields in found:
        settled = {"character": Among((being.id,)), "action": Among((action["id"],))}
        yield Move(RuleCheck, {**fields, **settled, "physical": OPEN}, awaits)
    if awaits and not found:
        if there.dials.feather_mode != "on":
            yield from rating(there, (being.id,), awaits)
        yield from assigning(there, being, awaits)


def _of_anything(there: AsSeen, beings: list[Being]) -> Iterator[Move]:
    """Nothing need have been declared."""
    physical = tuple(one for one in (True, False) if there.able(beings[0].id, one))
    if physical:
        who = Among(tuple(one.id for one in beings))
        for fields in _aptitudes(there, beings[0]):
            yield Move(RuleCheck, {**fields, "character": who, "physical": Among(physical)})


def _aptitudes(there: AsSeen, being: Being) -> Iterator[dict[str, Domain]]:
    """Two traits, or an assigned one (`mnemonic.feather.mode`)."""
    settled = {**chances_and_method(there), "life_or_death": OPEN}
    if ready := there.ready(being):
        yield {**settled, "assigned": Among(ready)}
    if there.dials.feather_mode != "on" and (two := pairs(there, being)):
        yield {**settled, "traits": Either(two)}


# --- after it -----------------------------------------------------------------------------------------------------


def _to_be_finished(
    there: AsSeen, checks: list[Shown], fluke: str | None = None, named: str | None = None
) -> Iterator[Move]:
    """mnemonic.fluke.possible; mnemonic.recovery.check, where the referee names the level: who may not know how it came
    out sees no such. `fluke`, `named`: the rules that wait.
    """
    flukes = tuple(one["id"] for one in checks if one["stage"] == "fluke" and there.goes_on(one))
    if flukes:
        yield Move(RuleFluke, {"check": Among(flukes), "possible": Among((True, False))}, fluke)
    for one in checks:
        being = there.beings.get(one["character"])
        if one["purpose"] != "recovery" or not one.get("success") or one["recovered"]:
            continue
        if one["readings"]["recovery"] == "referee" and being is not None and there.goes_on(one) and being.level < FINE:
            fields: dict[str, Domain] = {"check": Among((one["id"],)), "level": Between(being.level + 1, FINE)}
            yield Move(NameRecovery, fields, named)


def _consequences(there: AsSeen) -> Iterator[Move]:
    """mnemonic.fluke.spectacular; mnemonic.fluke.no-death: a death only where it was at stake, or the table allows."""
    spectacular = [
        one
        for one in (*there.checks, *there.left)
        if one["stage"] == "resolved" and one["fluke_possible"] and (one["fluke"] or "").startswith("spectacular")
    ]
    if spectacular:
        yield Move(NarrateConsequence, {"check": Among(tuple(one["id"] for one in spectacular))})
    for one in spectacular:
        at_stake = one["life_or_death"] or one["readings"]["death_guard"] != "refuse"
        deaths = tuple(id for id, being in there.beings.items() if being.dead or id not in one["injured"])
        if one["fluke"] == "spectacular_failure" and at_stake and deaths:
            yield Move(NarrateConsequence, {"check": Among((one["id"],)), "death": Among(deaths)})
