"""What is agreed case by case, and Backgrounds that are lost (heading "Putting It All Together")."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, terms
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.state import Trait

#: What a negotiated advantage may allow that nobody else may do.
CARD_TRADE = "card-trade"


def _trait(ruling: Ruling, id: str, trait: str, *stages: str) -> Trait:
    found = ruling.who(id).traits.get(trait)
    if found is None:
        raise Refused("moc.adv.negotiate", "unknown-purchase", trait=trait)
    if found.stage not in stages:
        raise Refused("moc.adv.negotiate", "already-settled", trait=trait, stage=found.stage)
    return found


def propose(table: Table[Dials], do: inputs.ProposeTrait) -> Verdict[Any]:
    ruling = Ruling(table)
    ruling.who(do.character)
    cost = terms.fraction(do.cost, "moc.adv.negotiate")
    terms.points(cost, "moc.adv.negotiate")
    if do.what not in ("advantage", "disadvantage", "background"):
        raise Refused("moc.adv.negotiate", "unknown-purchase", what=do.what)
    if do.allows and (do.allows != CARD_TRADE or do.what != "advantage"):
        raise Refused("moc.adv.negotiate", "unknown-purchase", allows=do.allows, choices=[CARD_TRADE])
    trait = table.new_id()
    ruling.about(do.character, facts.TraitProposed(trait, do.what, do.name, do.effect, str(cost), do.allows))
    ruling.by("moc.adv.negotiate", str(cost), name=do.name)
    return ruling.verdict()


def counter(table: Table[Dials], do: inputs.CounterTrait) -> Verdict[Any]:
    ruling = Ruling(table)
    _trait(ruling, do.character, do.trait, "proposed", "countered")
    cost = terms.fraction(do.cost, "moc.adv.negotiate")
    terms.points(cost, "moc.adv.negotiate")
    ruling.about(do.character, facts.TraitCountered(do.trait, do.effect, str(cost)))
    ruling.by("moc.adv.negotiate", str(cost), trait=do.trait)
    return ruling.verdict()


def approve(table: Table[Dials], do: inputs.ApproveTrait) -> Verdict[Any]:
    """It exists once approved: then it is paid, or gives points back."""
    ruling, id = Ruling(table), do.character
    trait = _trait(ruling, id, do.trait, "proposed", "countered")
    cost = terms.points(Fraction(trait.cost), "moc.adv.negotiate")
    if cost > 0 and cost > ruling.balance(accounts.point(id)):
        raise Refused("moc.char.budget", "over-budget", cost=trait.cost)
    source, target = (accounts.point(id), accounts.PAID) if cost >= 0 else (accounts.BUDGET, accounts.point(id))
    ruling.about(id, facts.TraitApproved(do.trait, trait.cost), accounts.move(source, target, abs(cost)))
    ruling.by("moc.adv.negotiate", trait.cost, name=trait.name)
    return ruling.verdict()


def lose_background(table: Table[Dials], do: inputs.LoseBackground) -> Verdict[Any]:
    """Backgrounds can be lost in play; advantages cannot."""
    ruling = Ruling(table)
    who = ruling.who(do.character)
    trait = who.traits.get(do.background)
    own = trait is not None and trait.stage == "approved" and trait.what == "background"
    if not own and (do.background.partition(":")[0] not in ("money", "contacts") or do.background not in who.counts):
        raise Refused("moc.adv.negotiate", "unknown-purchase", background=do.background)
    ruling.about(do.character, facts.BackgroundLost(do.background, do.reason))
    ruling.by("moc.adv.negotiate", "lost", background=do.background)
    return ruling.verdict()
