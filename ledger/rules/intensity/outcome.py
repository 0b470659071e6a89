"""The outcome of a success: the attacker chooses an impact, or forgoes it."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_attacks import ImpactChosen, ImpactWaived
from ledger.rules.intensity.facts_of_fatals import FatalHeld
from ledger.rules.intensity.fatal import use_at_once
from ledger.rules.intensity.guards import Place, the_attack, the_round, the_scene
from ledger.rules.intensity.impact import allowed, inflict, rating_of, trait_hit, trait_used
from ledger.rules.intensity.inputs_of_attacks import ChooseImpact, Waive
from ledger.rules.intensity.state import Fatal, OpenAttack, Round
from ledger.rules.intensity.terms import is_impact
from ledger.rules.kernel.refusals import Refused


def the_success(round: Round, rule: str) -> OpenAttack:
    """The open attack after its success. Refuses `no-attack`, `wrong-stage`."""
    attack = the_attack(round, rule)
    if attack.success is None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    return attack


def choose_impact(draft: Draft, do: ChooseImpact) -> None:
    """The attacker chooses one impact up to the rating. A fatal can be used at once."""
    rule = "intensity.impact.ladder"
    impact = do.impact
    if not is_impact(impact):
        raise Refused(rule, "unknown-impact", impact=do.impact)
    if do.trait is not None and impact not in ("tax", "damage"):
        raise Refused(rule, "no-trait-here", impact=impact)
    if do.at_once is not None and impact != "fatal":
        raise Refused("intensity.fatal.achieve", "no-such-fatal", impact=impact)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    attack = the_success(round, rule)
    rating, used = rating_of(round, attack), trait_used(round, attack.defender)
    if impact not in allowed(rating, used):
        raise Refused(rule, "above-rating", impact=impact, rating=rating, allowed=allowed(rating, used))
    trait = trait_hit(draft, impact, attack.defender, do.trait, used)
    draft.by(rule, impact, rating=rating, allowed=allowed(rating, used))
    draft.tell(place.subject, ImpactChosen(attack.id, impact, do.text))
    if do.text.strip():
        draft.by("intensity.negotiate.fiction", do.text)
    if impact != "fatal":
        inflict(draft, impact, attack.attacker, attack.defender, trait, f"attack:{attack.id}")
        return
    id, held = _achieve(draft, place, attack, used)
    if do.at_once is not None:
        use_at_once(draft, place, id, held, do.at_once)


def waive(draft: Draft, do: Waive) -> None:
    """The attacker forgoes any impact."""
    rule = "intensity.impact.ladder"
    place = the_scene(draft, rule)
    attack = the_success(the_round(place, rule), rule)
    draft.tell(place.subject, ImpactWaived(attack.id, do.text))
    draft.by(rule, "waived", attack=attack.id)


def _achieve(draft: Draft, place: Place, attack: OpenAttack, used: str | None) -> tuple[str, Fatal]:
    """intensity.fatal.achieve: a token with a holder and a subject."""
    id = draft.table.new_id()
    held = FatalHeld(id, attack.attacker, attack.defender, used, attack.id)
    draft.tell(place.subject, held, accounts.from_bank(accounts.fatals(place.subject, attack.attacker), "fatal", 1))
    draft.by("intensity.fatal.achieve", id, holder=attack.attacker, subject=attack.defender)
    return id, Fatal(held.holder, held.subject, held.trait_used, held.attack)
