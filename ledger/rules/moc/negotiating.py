"""Traits that are agreed case by case, and lost Backgrounds (heading "Putting It All Together")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, TypeAlias

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Ref,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
    Title,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
)
from ledger.rules.moc import buying, holdings
from ledger.rules.moc.draft import Draft, nobody_acts
from ledger.rules.moc.shown import Offering, fix, get_offering
from ledger.rules.moc.state import Character, Trait
from ledger.rules.moc.types import (
    Allowance,
    Cost,
    EffectName,
    EffectOf,
    FractionSent,
    OwnBackground,
    OwnTrait,
    TraitId,
    TraitKind,
)
from ledger.rules.moc.words import (
    EFFECTS,
    EITHER_WAY,
    ELEMENTS,
    FORCED,
    POINT,
    POOL_KINDS,
    SHIFTED_KINDS,
    TRAIT_KINDS,
    UNKNOWN_POOL,
    UNKNOWN_PURCHASE,
    Sent,
    read_element,
    read_fraction,
    read_points,
    say_count,
    say_subject,
    say_who,
    say_with,
    say_word,
)

#: A declaration that a negotiated Advantage can allow.
CARD_TRADE = "card-trade"
PriceOffered: TypeAlias = Annotated[
    FractionSent,
    Says(
        "Cost", "The price in points: a whole number, or a fraction such as `3/2`. A negative cost gives points back."
    ),
]
ALREADY_SETTLED = Refusal(buying.NEGOTIATE, "already-settled", "That proposal is already {stage}.")
UNKNOWN_EFFECT = Refusal(
    holdings.AGREED_EFFECT, "unknown-effect", "A trait cannot have the effect {does}. Choose one of {choices}."
)
EFFECT_NUMBER = Refusal(
    holdings.AGREED_EFFECT,
    "effect-number",
    "Enter a whole number[, not {given}]. For dice, difficulty and scene-beads, it can be any number except 0."
    " For everything else, it must be 1 or more.",
)


def say_background(do_or_fact: LoseBackground | BackgroundLost) -> str:
    """Return the name of a lost Background: `money` or `contacts:guards`. An approved Background has only an id, so the
    result is empty.
    """
    key = str(getattr(do_or_fact, "background", None) or getattr(do_or_fact, "what", ""))
    what, _, name = key.partition(":")
    if what == "contacts":
        return f"the contacts ({name})" if name else "the contacts"
    return "the money" if what == "money" else "a Background"


def say_proposed(fact: TraitProposed, names: Names) -> str:
    allowance_words = "; it allows trading cards" if fact.allows else ""
    return say_with(
        f"{say_subject(names)} proposes {_say_trait(fact.what, fact.name, fact.cost)}{allowance_words}", fact.effect
    )


def _say_trait(what: str, name: str, cost: str) -> str:
    kind_words = "an Advantage" if what == "advantage" else f"a {what.title()}"
    return f"{kind_words} ({name}) {_say_price(cost)}"


def _say_price(cost: str) -> str:
    return f"{'that gives back' if cost.strip().startswith('-') else 'for'} {holdings.say_points(cost)}"


@fact("trait-proposed", says=say_proposed)
class TraitProposed:
    """A player proposed a trait, with its effect and cost."""

    trait: TraitId
    what: TraitKind
    name: Title
    effect: Story
    cost: Cost
    allows: Allowance = ""


@changes
def note_proposal(state: Character, fact: TraitProposed) -> Character:
    return changed(
        state,
        traits={**state.traits, fact.trait: Trait(fact.what, fact.name, fact.effect, fact.cost, allows=fact.allows)},
    )


def say_proposing(do: ProposeTrait, names: Names) -> str:
    return say_with(f"{say_who(names, do.character)} proposes {_say_trait(do.what, do.name, str(do.cost))}", do.effect)


@nobody_acts
@declares("propose-trait", either("character"), says=say_proposing, records=(TraitProposed,))
class ProposeTrait:
    """Propose an Advantage, Disadvantage or Background for a character. `what`: advantage, disadvantage or background.

    `cost`: the price in points, a whole number or a fraction (`3/2`). It is negative for a Disadvantage. `allows`:
    `card-trade` for an Advantage that allows trading cards.
    """

    character: CharacterId
    name: Title
    effect: Story
    cost: PriceOffered
    what: TraitKind = "advantage"
    allows: Allowance = ""


@decides
def propose_trait(draft: Draft, do: ProposeTrait) -> None:
    draft.get_character(do.character)
    cost = read_fraction(do.cost, buying.NEGOTIATE)
    read_points(cost, buying.NEGOTIATE)
    if do.what not in ("advantage", "disadvantage", "background"):
        raise UNKNOWN_PURCHASE.under(buying.NEGOTIATE, what=do.what)
    if do.allows and (do.allows != CARD_TRADE or do.what != "advantage"):
        raise UNKNOWN_PURCHASE.under(buying.NEGOTIATE, allows=do.allows, choices=[CARD_TRADE])
    trait_id = draft.table.new_id()
    draft.about(do.character, TraitProposed(trait_id, do.what, do.name, do.effect, str(cost), do.allows))
    draft.by(buying.NEGOTIATE, str(cost), name=do.name)


def say_countered(fact: TraitCountered, names: Names) -> str:
    return say_with(f"The game master makes {say_subject(names)} a counter-offer {_say_price(fact.cost)}", fact.effect)


@fact("trait-countered", says=say_countered)
class TraitCountered:
    """The game master made a counter-offer for a trait."""

    trait: TraitId
    effect: Story
    cost: Cost


@changes
def counter_offer(state: Character, fact: TraitCountered) -> Character | None:
    trait = state.traits.get(fact.trait)
    if trait is None:
        return None
    return with_trait(state, fact.trait, changed(trait, effect=fact.effect, cost=fact.cost, stage="countered"))


def with_trait(state: Character, trait_id: str, trait: Trait) -> Character:
    return changed(state, traits={**state.traits, trait_id: trait})


def say_countering(do: CounterTrait, names: Names) -> str:
    sentence = f"The game master makes {say_who(names, do.character)} a counter-offer {_say_price(str(do.cost))}"
    return say_with(sentence, do.effect)


@nobody_acts
@declares("counter-trait", GM, says=say_countering, records=(TraitCountered,))
class CounterTrait:
    """Answer a proposal with a different effect or cost."""

    character: CharacterId
    trait: OwnTrait
    effect: Story
    cost: PriceOffered


@decides
def counter_trait(draft: Draft, do: CounterTrait) -> None:
    require(may_settle_proposal(draft, do.character, do.trait))
    cost = read_fraction(do.cost, buying.NEGOTIATE)
    read_points(cost, buying.NEGOTIATE)
    draft.about(do.character, TraitCountered(do.trait, do.effect, str(cost)))
    draft.by(buying.NEGOTIATE, str(cost), trait=do.trait)


@guards
def may_settle_proposal(draft: Draft, char_id: str, trait_id: str) -> Refused | None:
    """Refuse a change to, or approval of, a proposal that is already settled."""
    proposal = draft.get_character(char_id).traits.get(trait_id)
    if proposal is None:
        return UNKNOWN_PURCHASE.under(buying.NEGOTIATE, trait=trait_id)
    if proposal.stage not in ("proposed", "countered"):
        return ALREADY_SETTLED(trait=trait_id, stage=proposal.stage)
    return None


@guards
def may_pay_trait(draft: Draft, char_id: str, trait_id: str) -> Refused | None:
    """Refuse an approval that costs more points than the character has."""
    cost = draft.get_character(char_id).traits[trait_id].cost
    if Fraction(cost) * POINT > max(0, draft.balance(holdings.name_point_account(char_id))):
        return buying.OVER_BUDGET(character=char_id, cost=cost)
    return None


def say_approved(fact: TraitApproved, names: Names) -> str:
    price_words = _say_price(fact.cost).replace("that gives", "and gives")
    return f"{say_subject(names)}'s proposal is approved, {price_words}."


@fact("trait-approved", says=say_approved)
class TraitApproved:
    """The game master approved a trait."""

    trait: TraitId
    cost: Cost


@changes
def approve_offer(state: Character, fact: TraitApproved) -> Character | None:
    trait = state.traits.get(fact.trait)
    if trait is None:
        return None
    return with_trait(state, fact.trait, changed(trait, cost=fact.cost, stage="approved"))


@nobody_acts
@declares("approve-trait", GM, says="The game master approves {character}'s proposal.", records=(TraitApproved,))
class ApproveTrait:
    """Approve a proposal at the last cost that was offered."""

    character: CharacterId
    trait: OwnTrait


@decides
def approve_trait(draft: Draft, do: ApproveTrait) -> None:
    char_id = do.character
    require(may_settle_proposal(draft, char_id, do.trait))
    trait = draft.get_character(char_id).traits[do.trait]
    cost = read_points(Fraction(trait.cost), buying.NEGOTIATE)
    require(may_pay_trait(draft, char_id, do.trait))
    source, target = (
        (holdings.name_point_account(char_id), holdings.PAID)
        if cost >= 0
        else (holdings.BUDGET, holdings.name_point_account(char_id))
    )
    draft.about(char_id, TraitApproved(do.trait, trait.cost), holdings.make_posting(source, target, abs(cost)))
    draft.by(buying.NEGOTIATE, trait.cost, name=trait.name)


def say_effect_set(fact: TraitEffectSet, names: Names) -> str:
    return f"Once {say_subject(names)}'s proposal is approved: {_say_effect(fact.does, fact.number, fact.of)}."


def _say_effect(effect: str, number: object, target: str) -> str:
    """Put into words the numerical effect of a trait, without its owner."""
    element_word, amount = say_word(target) or "any Element", number if type(number) is int else 0
    more_words = f"{abs(amount)} {'fewer' if amount < 0 else 'more'}"
    match effect:
        case "dice":
            return f"{more_words} {'die' if abs(amount) == 1 else 'dice'} on {_say_each_roll(target)}"
        case "difficulty":
            return (
                f"the target number of {_say_each_roll(target)} is {abs(amount)} {'lower' if amount < 0 else 'higher'}"
            )
        case "scene-beads":
            return f"{more_words} {element_word} {'bead' if abs(amount) == 1 else 'beads'} at the start of each scene"
        case "bead-price":
            return f"each {element_word} bead costs {say_count(number, 'bead', 'beads')} of the allowance"
        case "bead-return":
            return f"up to {number} used {element_word} beads come back at the end of each turn"
        case "forced-discard":
            whom_words = "everybody else" if target == "all" else "one other character"
            return f"once a session, {whom_words} discards {say_count(number, 'card', 'cards')}"
        case _:
            return f"each card of {element_word} counts {number} more when it is played"


#: The words for each kind of roll. Any other pool is a skill.
EACH_ROLL: Mapping[str, str] = {
    "movement": "each movement roll",
    "dodge": "each dodge",
    "to_hit": "each roll to hit",
    "resisting": "each roll to resist damage",
}


def _say_each_roll(pool_name: str) -> str:
    return EACH_ROLL.get(pool_name, f"each {pool_name} roll" if pool_name else "each roll")


@fact("trait-effect-set", says=say_effect_set)
class TraitEffectSet:
    """The numerical effect of a trait was set, which counts once the trait is approved. `does`: the kind of effect.
    `of`: the pool or Element that it affects.
    """

    trait: TraitId
    does: EffectName
    number: int
    of: EffectOf = ""


@changes
def set_effect_of(state: Character, fact: TraitEffectSet) -> Character | None:
    trait = state.traits.get(fact.trait)
    if trait is None:
        return None
    return with_trait(state, fact.trait, changed(trait, does=fact.does, number=fact.number, of=fact.of))


def say_setting_effect(do: SetTraitEffect, names: Names) -> str:
    return f"{say_who(names, do.character)}'s proposal now means: {_say_effect(do.does, do.number, do.of)}."


@nobody_acts
@declares("set-trait-effect", GM, says=say_setting_effect, records=(TraitEffectSet,))
class SetTraitEffect:
    """Set the numerical effect of a proposed trait. It takes effect when the trait is approved.

    `does`: `dice` adds `number` dice to the pool `of`; `difficulty` adds `number` to the target number of `of`, or of
    every roll if `of` is empty; `scene-beads` gives `number` beads of the Element `of` at the start of each scene. For
    these three, a negative number takes dice, difficulty or beads away. `bead-price` makes each bead of the Element
    `of` cost `number` beads of the allowance; `card-worth` makes the owner's cards of the Element `of` count `number`
    more; `bead-return` brings back up to `number` used beads of the Element `of` at the end of each turn;
    `forced-discard` lets the owner, once a session, make `of` (`one` or `all`) discard `number` cards.
    """

    character: CharacterId
    trait: OwnTrait
    does: EffectName
    number: Annotated[
        Sent,
        Between(-100, 100),
        Says("Number", "The number of dice, beads or cards, or the amount by which a number changes."),
    ] = 1
    of: EffectOf = ""


@decides
def set_trait_effect(draft: Draft, do: SetTraitEffect) -> None:
    """Set the numerical effect of a trait.

    Refuses `unknown-effect`, `effect-number`, `unknown-pool`, `unknown-element`.
    """
    require(may_settle_proposal(draft, do.character, do.trait))
    if do.does not in EFFECTS:
        raise UNKNOWN_EFFECT(does=do.does, choices=list(EFFECTS))
    kinds = {"dice": POOL_KINDS, "difficulty": ("", *SHIFTED_KINDS)}.get(do.does, ())
    pool_names, least_number = (*kinds, *draft.get_campaign().skills), None if do.does in EITHER_WAY else 1
    if type(do.number) is not int or not do.number or (least_number is not None and do.number < least_number):
        raise EFFECT_NUMBER(given=str(do.number))
    effect_target = do.of
    if kinds and effect_target not in pool_names:
        raise UNKNOWN_POOL.under(holdings.AGREED_EFFECT, name=effect_target, choices=list(pool_names))
    if do.does == "forced-discard" and effect_target not in FORCED:
        raise UNKNOWN_EFFECT(does=f"{do.does} {effect_target}", choices=list(FORCED))
    if do.does in ("scene-beads", "bead-price", "bead-return") or (do.does == "card-worth" and effect_target):
        effect_target = read_element(effect_target, holdings.AGREED_EFFECT)
    draft.about(do.character, TraitEffectSet(do.trait, do.does, do.number, effect_target))
    draft.by(holdings.AGREED_EFFECT, do.number, does=do.does, of=effect_target)


def say_lost(fact: BackgroundLost, names: Names) -> str:
    return say_with(f"{say_subject(names)} loses {say_background(fact)}", fact.reason)


@fact("background-lost", says=say_lost)
class BackgroundLost:
    """A character lost a Background."""

    what: Annotated[str, Ref("background")]
    reason: Reason


@changes
def lose_purchase(state: Character, fact: BackgroundLost) -> Character | None:
    if fact.what in state.traits:
        return with_trait(state, fact.what, changed(state.traits[fact.what], stage="lost"))
    lost_key = holdings.update_key(fact.what)
    if lost_key not in state.counts:
        return None
    return changed(state, counts={key: n for key, n in state.counts.items() if key != lost_key})


def say_losing(do: LoseBackground, names: Names) -> str:
    return say_with(f"{say_who(names, do.character)} loses {say_background(do)}", do.reason)


@nobody_acts
@declares("lose-background", GM, says=say_losing, records=(BackgroundLost,))
class LoseBackground:
    """Record that a character loses a Background.

    `background`: money, contacts (with their name: `contacts:guards`), or the id of an approved Background.
    """

    character: CharacterId
    background: OwnBackground
    reason: Reason = ""


@guards
def may_lose_background(draft: Draft, char_id: str, key: str) -> Refused | None:
    """Refuse the loss of anything except a Background that the character has."""
    state = draft.get_character(char_id)
    trait = state.traits.get(key)
    is_own = trait is not None and trait.stage == "approved" and trait.what == "background"
    if not is_own and (key.partition(":")[0] not in ("money", "contacts") or key not in state.counts):
        return UNKNOWN_PURCHASE.under(buying.NEGOTIATE, background=key)
    return None


@decides
def lose_background(draft: Draft, do: LoseBackground) -> None:
    require(may_lose_background(draft, do.character, do.background))
    draft.about(do.character, BackgroundLost(do.background, do.reason))
    draft.by(buying.NEGOTIATE, "lost", background=do.background)


#: Whole points and common fractions, for offers. Other fractions are accepted as well.
COSTS = Either((Between(-1000, 1000), Among(("1/2", "3/2", "-1/2", "-3/2"))))


@offers
def offer_traits(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    if offering.roster:
        proposal_fields: dict[str, Domain] = {"character": Among(offering.roster), "cost": COSTS}
        yield Move(ProposeTrait, {**proposal_fields, "what": Among(TRAIT_KINDS)})
        yield Move(ProposeTrait, {**proposal_fields, "allows": fix("card-trade")})
    for char_id in offering.roster:
        state = offering.get_character(char_id)
        open_trait_ids = tuple(
            trait_id for trait_id in state.traits if may_settle_proposal(draft, char_id, trait_id) is None
        )
        fields: dict[str, Domain] = {"character": fix(char_id)}
        if open_trait_ids:
            yield from _list_effect_moves(offering, {**fields, "trait": Among(open_trait_ids)})
            yield Move(CounterTrait, {**fields, "trait": Among(open_trait_ids), "cost": COSTS})
        affordable_ids = tuple(
            trait_id for trait_id in open_trait_ids if may_pay_trait(draft, char_id, trait_id) is None
        )
        if affordable_ids:
            yield Move(ApproveTrait, {**fields, "trait": Among(affordable_ids)})
        losable_keys = tuple(
            key for key in (*state.counts, *state.traits) if may_lose_background(draft, char_id, key) is None
        )
        if losable_keys:
            yield Move(LoseBackground, {**fields, "background": Among(losable_keys)})


def _list_effect_moves(offering: Offering, fields: dict[str, Domain]) -> Iterator[Move]:
    pool_domain = Among((*POOL_KINDS, *offering.campaign.skills))
    number_domain = Either((Between(-100, -1), Between(1, 100)))
    shifted_domain = Among(("", *SHIFTED_KINDS, *offering.campaign.skills))
    yield Move(SetTraitEffect, {**fields, "does": fix("dice"), "number": number_domain, "of": pool_domain})
    yield Move(SetTraitEffect, {**fields, "does": fix("difficulty"), "number": number_domain, "of": shifted_domain})
    yield Move(SetTraitEffect, {**fields, "does": fix("scene-beads"), "number": number_domain, "of": Among(ELEMENTS)})
    amount_fields: dict[str, Domain] = {**fields, "number": Between(1, 100)}
    yield Move(SetTraitEffect, {**amount_fields, "does": Among(("bead-price", "bead-return")), "of": Among(ELEMENTS)})
    yield Move(SetTraitEffect, {**amount_fields, "does": fix("forced-discard"), "of": Among(FORCED)})
    yield Move(SetTraitEffect, {**amount_fields, "does": fix("card-worth"), "of": Among(("", *ELEMENTS))})
