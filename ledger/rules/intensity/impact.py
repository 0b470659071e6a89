"""Impact: the rating of a success, what it allows, and what each impact does."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_attacks import (
    AdvantageGained,
    CharacterWounded,
    TraitDamaged,
    TraitTaxed,
)
from ledger.rules.intensity.order import standing
from ledger.rules.intensity.state import OpenAttack, Round
from ledger.rules.intensity.tables import BONUS, INTENSITY, RATINGS
from ledger.rules.intensity.terms import Impact
from ledger.rules.kernel.refusals import Refused

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


def explain_rating(draft: Draft, round: Round, attack: OpenAttack, rating: int) -> None:
    highest = maximum(round, attack.defender)
    draft.by("intensity.level.max-for-rating", highest, defender=attack.defender)
    bonus = BONUS * attack.bought.count("attack4")
    draft.by("intensity.impact.rating", rating, counted=counted_die(round, attack), attack4=bonus, maximum=highest)
    draft.by("intensity.impact.ladder", allowed(rating, trait_used(round, attack.defender)), rating=rating)


# --- what impacts do ----------------------------------------------------------------------------------------------


#: Impacts that weigh on a character until they end, and their rules.
LASTING = {"tax": "intensity.impact.tax", "damage": "intensity.impact.damage", "wound": "intensity.impact.wound"}


def trait_hit(draft: Draft, impact: str, on: str, named: str | None, used: str | None) -> str | None:
    """The trait a tax or damage falls on. Refuses `unknown-trait`, `not-the-trait-used`."""
    if impact == "tax":
        rule = "intensity.impact.tax"
        if named not in [trait.name for trait in draft.known(on).traits]:
            raise Refused(rule, "unknown-trait", trait=named, char=on)
        if draft.dials.tax_scope == "trait_used" and named != used:
            raise Refused(rule, "not-the-trait-used", trait=named, used=used)
        return named
    if impact == "damage":
        if used is None or (named is not None and named != used):
            raise Refused("intensity.impact.damage", "not-the-trait-used", trait=named, used=used)
        return used
    return None


def inflict(draft: Draft, impact: str, by: str, on: str, trait: str | None, cause: str) -> None:
    """The impact falls on the character at once; an advantage goes to who inflicts it."""
    if impact == "advantage":
        gain(draft, by, on, 1, cause)
        return
    id = draft.table.new_id()
    weighs = accounts.from_bank(accounts.impacts(on), "impact", 1)
    match impact:
        case "tax" if trait is not None:
            draft.about(on, TraitTaxed(id, on, trait, by, cause), weighs)
        case "damage" if trait is not None:
            draft.about(on, TraitDamaged(id, on, trait, by, cause), weighs)
        case _:
            draft.about(on, CharacterWounded(id, on, by, cause), weighs)
    draft.by(LASTING[impact], id, char=on, trait=trait)
    draft.by("intensity.impact.immediate", impact, char=on, trait=trait)


def gain(draft: Draft, holder: str, against: str, amount: int, cause: str) -> None:
    """intensity.ap.pair: points of this holder against this one opponent."""
    gained = accounts.from_bank(accounts.ap(holder, against), "ap", amount)
    draft.about(holder, AdvantageGained(holder, against, amount, cause), gained)
    draft.by("intensity.ap.pair", amount, holder=holder, against=against)
