"""What is agreed case by case, and Backgrounds that are lost (heading "Putting It All Together")."""

from __future__ import annotations

from fractions import Fraction

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts_of_people, inputs, terms
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state import Trait
from ledger.rules.moc.terms import EFFECTS, EITHER_WAY, FORCED, POOL_KINDS, SHIFTED_KINDS

#: What a negotiated advantage may allow that nobody else may do.
CARD_TRADE = "card-trade"


def _trait(draft: Draft, id: str, trait: str, *stages: str) -> Trait:
    found = draft.who(id).traits.get(trait)
    if found is None:
        raise Refused("moc.adv.negotiate", "unknown-purchase", trait=trait)
    if found.stage not in stages:
        raise Refused("moc.adv.negotiate", "already-settled", trait=trait, stage=found.stage)
    return found


def propose(draft: Draft, do: inputs.ProposeTrait) -> None:
    draft.who(do.character)
    cost = terms.fraction(do.cost, "moc.adv.negotiate")
    terms.points(cost, "moc.adv.negotiate")
    if do.what not in ("advantage", "disadvantage", "background"):
        raise Refused("moc.adv.negotiate", "unknown-purchase", what=do.what)
    if do.allows and (do.allows != CARD_TRADE or do.what != "advantage"):
        raise Refused("moc.adv.negotiate", "unknown-purchase", allows=do.allows, choices=[CARD_TRADE])
    trait = draft.table.new_id()
    draft.about(do.character, facts_of_people.TraitProposed(trait, do.what, do.name, do.effect, str(cost), do.allows))
    draft.by("moc.adv.negotiate", str(cost), name=do.name)


def counter(draft: Draft, do: inputs.CounterTrait) -> None:
    _trait(draft, do.character, do.trait, "proposed", "countered")
    cost = terms.fraction(do.cost, "moc.adv.negotiate")
    terms.points(cost, "moc.adv.negotiate")
    draft.about(do.character, facts_of_people.TraitCountered(do.trait, do.effect, str(cost)))
    draft.by("moc.adv.negotiate", str(cost), trait=do.trait)


def approve(draft: Draft, do: inputs.ApproveTrait) -> None:
    """It exists once approved: then it is paid, or gives points back."""
    id = do.character
    trait = _trait(draft, id, do.trait, "proposed", "countered")
    cost = terms.points(Fraction(trait.cost), "moc.adv.negotiate")
    if cost > 0 and cost > draft.balance(accounts.point(id)):
        raise Refused("moc.char.budget", "over-budget", character=id, cost=trait.cost)
    source, target = (accounts.point(id), accounts.PAID) if cost >= 0 else (accounts.BUDGET, accounts.point(id))
    draft.about(id, facts_of_people.TraitApproved(do.trait, trait.cost), accounts.move(source, target, abs(cost)))
    draft.by("moc.adv.negotiate", trait.cost, name=trait.name)


def set_effect(draft: Draft, do: inputs.SetTraitEffect) -> None:
    """What a trait does by numbers. Refuses `unknown-effect`, `effect-number`, `unknown-pool`, `unknown-element`."""
    rule = "moc.adv.effect"
    _trait(draft, do.character, do.trait, "proposed", "countered")
    if do.does not in EFFECTS:
        raise Refused(rule, "unknown-effect", does=do.does, choices=list(EFFECTS))
    kinds = {"dice": POOL_KINDS, "difficulty": ("", *SHIFTED_KINDS)}.get(do.does, ())
    pools, least = (*kinds, *draft.campaign().skills), None if do.does in EITHER_WAY else 1
    if type(do.number) is not int or not do.number or (least is not None and do.number < least):
        raise Refused(rule, "effect-number", given=str(do.number))
    of = do.of
    if kinds and of not in pools:
        raise Refused(rule, "unknown-pool", name=of, choices=list(pools))
    if do.does == "forced-discard" and of not in FORCED:
        raise Refused(rule, "unknown-effect", does=f"{do.does} {of}", choices=list(FORCED))
    if do.does in ("scene-beads", "bead-price", "bead-return") or (do.does == "card-worth" and of):
        of = terms.element(of, rule)
    draft.about(do.character, facts_of_people.TraitEffectSet(do.trait, do.does, do.number, of))
    draft.by(rule, do.number, does=do.does, of=of)


def lose_background(draft: Draft, do: inputs.LoseBackground) -> None:
    """Backgrounds can be lost in play; advantages cannot."""
    who = draft.who(do.character)
    trait = who.traits.get(do.background)
    own = trait is not None and trait.stage == "approved" and trait.what == "background"
    if not own and (do.background.partition(":")[0] not in ("money", "contacts") or do.background not in who.counts):
        raise Refused("moc.adv.negotiate", "unknown-purchase", background=do.background)
    draft.about(do.character, facts_of_people.BackgroundLost(do.background, do.reason))
    draft.by("moc.adv.negotiate", "lost", background=do.background)
