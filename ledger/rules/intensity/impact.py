"""Impact: the rating of a success, what it allows, and what each impact does."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts_of_attacks import (
    AdvantageGained,
    CharacterWounded,
    ImpactChosen,
    ImpactWaived,
    TraitDamaged,
    TraitTaxed,
)
from ledger.rules.intensity.facts_of_fatals import FatalHeld
from ledger.rules.intensity.ground import Place, Ruling, known, the_attack, the_round, the_scene
from ledger.rules.intensity.inputs_of_attacks import ChooseImpact, Waive
from ledger.rules.intensity.order import standing
from ledger.rules.intensity.state import Fatal, OpenAttack, Round
from ledger.rules.intensity.tables import BONUS, INTENSITY, RATINGS
from ledger.rules.intensity.terms import Impact, is_impact
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character

# --- the rating ---------------------------------------------------------------------------------------------------


def rating_of(round: Round, attack: OpenAttack) -> int:
    """intensity.impact.rating: counted die, 4 for each `attack4`, the defender's intensity maximum."""
    return counted_die(round, attack) + BONUS * attack.bought.count("attack4") + maximum(round, attack.defender)


def counted_die(round: Round, attack: OpenAttack) -> int:
    """The highest standing face; with `maximum` the size of that die (of several tied for highest, the larger)."""
    dice = standing(round.participants[attack.attacker])
    if not dice:
        return 0
    highest = max(dice, key=lambda die: (die.face, die.size))
    return highest.size if "maximum" in attack.bought else highest.face


def maximum(round: Round, char: str) -> int:
    """intensity.level.max-for-rating: the size of the intensity die, whatever it shows and wherever it lies."""
    defender = round.participants[char]
    if "intensity" in defender.dice:
        return defender.dice["intensity"].size
    return INTENSITY[defender.level] if defender.level is not None else 0


def trait_used(round: Round, char: str) -> str | None:
    """The trait a participant rolled this round, whether or not its die was picked up."""
    participant = round.participants[char]
    return participant.trait if "trait" in participant.dice else None


def allowed(rating: int, used: str | None) -> list[Impact]:
    """intensity.impact.ladder: every impact up to the rating; damage only on a trait that was used."""
    return [impact for impact, least in RATINGS.items() if rating >= least and (impact != "damage" or used is not None)]


def explain_rating(ruling: Ruling, round: Round, attack: OpenAttack, rating: int) -> None:
    highest = maximum(round, attack.defender)
    ruling.by("intensity.level.max-for-rating", highest, defender=attack.defender)
    bonus = BONUS * attack.bought.count("attack4")
    ruling.by("intensity.impact.rating", rating, counted=counted_die(round, attack), attack4=bonus, maximum=highest)
    ruling.by("intensity.impact.ladder", allowed(rating, trait_used(round, attack.defender)), rating=rating)


# --- the choice ---------------------------------------------------------------------------------------------------


def the_success(round: Round, rule: str) -> OpenAttack:
    """The open attack after its success. Refuses `no-attack`, `wrong-stage`."""
    attack = the_attack(round, rule)
    if attack.success is None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    return attack


def choose_impact(table: Table[Dials], ruling: Ruling, do: ChooseImpact) -> tuple[Place, str, Fatal] | None:
    """The attacker chooses one impact up to the rating. Returns the fatal when one was achieved."""
    rule = "intensity.impact.ladder"
    impact = do.impact
    if not is_impact(impact):
        raise Refused(rule, "unknown-impact", impact=do.impact)
    if do.trait is not None and impact not in ("tax", "damage"):
        raise Refused(rule, "no-trait-here", impact=impact)
    if do.at_once is not None and impact != "fatal":
        raise Refused("intensity.fatal.achieve", "no-such-fatal", impact=impact)
    place = the_scene(table, rule)
    round = the_round(place, rule)
    attack = the_success(round, rule)
    rating, used = rating_of(round, attack), trait_used(round, attack.defender)
    if impact not in allowed(rating, used):
        raise Refused(rule, "above-rating", impact=impact, rating=rating, allowed=allowed(rating, used))
    trait = trait_hit(table, impact, attack.defender, do.trait, used)
    ruling.by(rule, impact, rating=rating, allowed=allowed(rating, used))
    ruling.tell(place.subject, ImpactChosen(attack.id, impact, do.text))
    if do.text.strip():
        ruling.by("intensity.negotiate.fiction", do.text)
    if impact == "fatal":
        return (place, *_achieve(table, ruling, place, attack, used))
    inflict(table, ruling, impact, attack.attacker, attack.defender, trait, f"attack:{attack.id}")
    return None


def waive(table: Table[Dials], ruling: Ruling, do: Waive) -> None:
    """The attacker forgoes any impact."""
    rule = "intensity.impact.ladder"
    place = the_scene(table, rule)
    attack = the_success(the_round(place, rule), rule)
    ruling.tell(place.subject, ImpactWaived(attack.id, do.text))
    ruling.by(rule, "waived", attack=attack.id)


def _achieve(
    table: Table[Dials], ruling: Ruling, place: Place, attack: OpenAttack, used: str | None
) -> tuple[str, Fatal]:
    """intensity.fatal.achieve: a token with a holder and a subject."""
    id = table.new_id()
    held = FatalHeld(id, attack.attacker, attack.defender, used, attack.id)
    ruling.tell(place.subject, held, accounts.from_bank(accounts.fatals(place.subject, attack.attacker), "fatal", 1))
    ruling.by("intensity.fatal.achieve", id, holder=attack.attacker, subject=attack.defender)
    return id, Fatal(held.holder, held.subject, held.trait_used, held.attack)


# --- what impacts do ----------------------------------------------------------------------------------------------


#: Impacts that weigh on a character until they end, and their rules.
LASTING = {"tax": "intensity.impact.tax", "damage": "intensity.impact.damage", "wound": "intensity.impact.wound"}


def trait_hit(table: Table[Dials], impact: str, on: str, named: str | None, used: str | None) -> str | None:
    """The trait a tax or damage falls on. Refuses `unknown-trait`, `not-the-trait-used`."""
    if impact == "tax":
        rule = "intensity.impact.tax"
        if named not in [trait.name for trait in known(table, on).traits]:
            raise Refused(rule, "unknown-trait", trait=named, char=on)
        if table.dials.tax_scope == "trait_used" and named != used:
            raise Refused(rule, "not-the-trait-used", trait=named, used=used)
        return named
    if impact == "damage":
        if used is None or (named is not None and named != used):
            raise Refused("intensity.impact.damage", "not-the-trait-used", trait=named, used=used)
        return used
    return None


def inflict(table: Table[Dials], ruling: Ruling, impact: str, by: str, on: str, trait: str | None, cause: str) -> None:
    """The impact falls on the character at once; an advantage goes to who inflicts it."""
    if impact == "advantage":
        gain(ruling, by, on, 1, cause)
        return
    id = table.new_id()
    weighs = accounts.from_bank(accounts.impacts(on), "impact", 1)
    match impact:
        case "tax" if trait is not None:
            ruling.tell(character(on), TraitTaxed(id, on, trait, by, cause), weighs)
        case "damage" if trait is not None:
            ruling.tell(character(on), TraitDamaged(id, on, trait, by, cause), weighs)
        case _:
            ruling.tell(character(on), CharacterWounded(id, on, by, cause), weighs)
    ruling.by(LASTING[impact], id, char=on, trait=trait)
    ruling.by("intensity.impact.immediate", impact, char=on, trait=trait)


def gain(ruling: Ruling, holder: str, against: str, amount: int, cause: str) -> None:
    """intensity.ap.pair: points of this holder against this one opponent."""
    gained = accounts.from_bank(accounts.ap(holder, against), "ap", amount)
    ruling.tell(character(holder), AdvantageGained(holder, against, amount, cause), gained)
    ruling.by("intensity.ap.pair", amount, holder=holder, against=against)
