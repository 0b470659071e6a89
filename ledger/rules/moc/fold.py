"""The fold: a subject's state after a fact. Total: a fact of what is no longer there (an action ...) goes adrift.

What a fact changes is a function of the state and the fact alone; what lies on things is folded alike wherever it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.fold import Change, Fold, unchanged
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts_of_campaign, facts_of_modifiers, facts_of_people, facts_of_scenes, facts_told
from ledger.rules.moc.fold_bodies import BODIES
from ledger.rules.moc.fold_piles import PILES, TOLD
from ledger.rules.moc.fold_scenes import SCENES
from ledger.rules.moc.purchases import key_as_kept, key_of, period_of
from ledger.rules.moc.state import Campaign, Character, Scene, Seat, Trait
from ledger.rules.moc.tables import Location, Skill, Weapon
from ledger.rules.moc.terms import CASCADE, GONE, POINT, PRIMARIES

_holding = changing(Character, "hand")


# --- the campaign and its seats ---


def _row(was: Campaign, done: facts_of_campaign.TableRowSet) -> Campaign | None:
    match done.table:
        case "skills":
            return changed(was, skills={**was.skills, done.row: done.skill or Skill("action", "body", (), 0)})
        case "weapons":
            return changed(was, weapons={**was.weapons, done.row: done.weapon or Weapon(False, 0, 0)})
        case "locations":
            return changed(was, locations={**was.locations, done.row: done.location or Location(0, 0, 0)})
        case "healing":
            return changed(was, healing={**was.healing, done.row: done.number})
        case "ag":
            return changed(was, ag={**was.ag, done.row: done.number})
        case "uses":
            return changed(was, uses={**was.uses, done.row: done.text})
        case _:
            return None


def _arc_ended(was: Campaign, done: facts_of_campaign.ArcEnded) -> Campaign | None:
    return changed(was, arc=None, arc_ended=True) if was.arc == done.arc else None


def _nominated(was: Seat, done: facts_of_campaign.NominationMade) -> Seat:
    named = was.named if was.session == done.session else ()
    return changed(was, session=done.session, named=(*named, done.nominee))


# --- characters ---


def _created(was: Character, done: facts_of_people.CharacterCreated) -> Character:
    ratings = {**dict.fromkeys(PRIMARIES, 1), **dict.fromkeys(CASCADE, 1)}
    return changed(
        was, archetype=done.archetype, villain=done.villain, primaries=done.primaries, secondaries=done.secondaries,
        ratings=ratings, budget=done.budget,
    )  # fmt: skip


def _bought(was: Character, done: facts_of_people.LevelBought) -> Character | None:
    match done.what:
        case "characteristic":
            return changed(was, ratings={**was.ratings, done.name: done.to}) if was.ratings else None
        case "skill":
            return changed(was, skills={**was.skills, done.name: done.to})
        case "extra-primary":
            return changed(was, primaries=(*was.primaries, done.element))
        case "extra-secondary":
            return changed(was, secondaries=(*was.secondaries, done.element))
        case "change-secondary":
            kept = tuple(one for one in was.secondaries if one != done.instead)
            return changed(was, secondaries=(*kept, done.element))
        case _:
            key = key_of(done.what, done.name)
            after = changed(was, counts={**was.counts, key: done.to})
            if done.skills:
                after = changed(after, related={**was.related, key: done.skills})
            return changed(after, elements={**was.elements, key: done.element}) if done.element else after


def _with_trait(was: Character, id: str, trait: Trait) -> Character:
    return changed(was, traits={**was.traits, id: trait})


def _countered(was: Character, done: facts_of_people.TraitCountered) -> Character | None:
    trait = was.traits.get(done.trait)
    if trait is None:
        return None
    return _with_trait(was, done.trait, changed(trait, effect=done.effect, cost=done.cost, stage="countered"))


def _approved(was: Character, done: facts_of_people.TraitApproved) -> Character | None:
    trait = was.traits.get(done.trait)
    if trait is None:
        return None
    return _with_trait(was, done.trait, changed(trait, cost=done.cost, stage="approved"))


def _effect_set(was: Character, done: facts_of_people.TraitEffectSet) -> Character | None:
    trait = was.traits.get(done.trait)
    if trait is None:
        return None
    return _with_trait(was, done.trait, changed(trait, does=done.does, number=done.number, of=done.of))


def _lost(was: Character, done: facts_of_people.BackgroundLost) -> Character | None:
    if done.what in was.traits:
        return _with_trait(was, done.what, changed(was.traits[done.what], stage="lost"))
    lost = key_as_kept(done.what)
    if lost not in was.counts:
        return None
    return changed(was, counts={key: n for key, n in was.counts.items() if key != lost})


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...] | None:
    if card not in hand:
        return None
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])


def _card_gone(
    was: Character,
    done: facts_of_modifiers.CardDiscarded
    | facts_of_modifiers.CardExchangedForBeads
    | facts_of_modifiers.CardShiftedBeads,
) -> Character | None:
    hand = _without(was.hand, done.card)
    return _holding(was, hand) if hand is not None else None


def _readers(
    was: Character, done: facts_of_modifiers.CardsDrawn | facts_of_modifiers.ChipExchangedForCards
) -> tuple[str, ...]:
    """Who sees the hand from now on: who sees the new cards, and saw the others when those were drawn."""
    if not (was.hand and was.seen_by):
        return done.seen_by
    return tuple(one for one in done.seen_by if one in was.seen_by)


def _kept(was: Character, done: facts_of_modifiers.CardsKept) -> Character:
    return changed(was, hand=(*was.hand, *done.cards))


def _returned(was: Character, done: facts_of_scenes.EffectModifierReturned) -> Character:
    return _holding(was, (*was.hand, done.card)) if done.card else was


def _swapped(was: Character, done: facts_told.CardSwapped) -> Character | None:
    hand = _without(was.hand, done.given)
    return _holding(was, (*hand, done.gained)) if hand is not None else None


def _gaining(was: Character | None, beads: Mapping[str, int]) -> Character | None:
    """Beads beside those that were allocated."""
    if was is None:
        return None
    return changed(was, gained={**was.gained, **{one: was.gained.get(one, 0) + n for one, n in beads.items()}})


def _status_set(was: Character, done: facts_of_people.StatusSet) -> Character:
    fell = done.session if done.status in GONE else ""
    return changed(was, status=done.status, fell=fell, harm=None, healing=None)


def _used(was: Character, what: str, number: int) -> Character:
    return changed(was, used={**was.used, what: was.used.get(what, 0) + number})


def _dice_returned(was: Character, done: facts_of_modifiers.PeriodDiceReturned) -> Character:
    """What was used in that period is there again."""
    return changed(was, used={key: n for key, n in was.used.items() if period_of(key) != done.period})


def _shown(was: Campaign, done: facts_of_campaign.CardShown) -> Campaign:
    return was if done.card in was.shown else changed(was, shown=(*was.shown, done.card))


_ON_CHARACTERS: Mapping[type, Change] = {
    facts_of_people.CharacterCreated: _created,
    facts_of_people.LevelBought: _bought,
    facts_of_people.TraitProposed: lambda was, done: changed(
        was,
        traits={
            **was.traits,
            done.trait: Trait(done.what, done.name, done.effect, done.cost, allows=done.allows),
        },
    ),
    facts_of_people.TraitCountered: _countered,
    facts_of_people.TraitApproved: _approved,
    facts_of_people.TraitEffectSet: _effect_set,
    facts_of_people.BackgroundLost: _lost,
    facts_of_people.CharacterSacrificed: lambda was, done: changed(was, status="sacrificed", fell=done.session),
    facts_of_people.ChipsReturned: lambda was, done: changed(was, left=done.chips),
    facts_of_people.ChipsPassedOn: lambda was, done: changed(was, left={}),
    facts_of_people.ChipsInherited: lambda was, done: changed(was, heir_of=(*was.heir_of, done.source)),
    facts_of_people.StatusSet: _status_set,
    facts_of_modifiers.CardsDrawn: lambda was, done: changed(was, drawn=done.session, seen_by=_readers(was, done)),
    facts_of_modifiers.CardsKept: _kept,
    facts_of_modifiers.HandDiscarded: lambda was, done: _holding(was, ()),
    facts_of_modifiers.CardDiscarded: _card_gone,
    facts_of_modifiers.CardExchangedForBeads: lambda was, done: _gaining(
        _card_gone(was, done), {done.element: done.beads}
    ),
    facts_of_modifiers.CardShiftedBeads: _card_gone,
    facts_of_modifiers.VillainCardExchanged: lambda was, done: _gaining(was, {done.element: done.beads}),
    facts_of_modifiers.ChipsTradedUp: unchanged,
    facts_of_modifiers.ChipsTradedDown: unchanged,
    facts_of_modifiers.ChipsGivenBack: unchanged,
    facts_of_modifiers.ChipSpentOnCards: unchanged,
    facts_of_modifiers.ChipExchangedForCards: lambda was, done: changed(
        was, hand=(*was.hand, *done.cards), seen_by=_readers(was, done)
    ),
    facts_of_modifiers.ChipExchangedForBeads: lambda was, done: _gaining(was, done.beads),
    facts_of_modifiers.ChipBecamePoint: lambda was, done: changed(was, earned=was.earned + POINT),
    facts_of_modifiers.ChipAwarded: unchanged,
    facts_of_modifiers.ChipsPenalised: unchanged,
    facts_of_modifiers.BeadsAllocated: lambda was, done: changed(
        was, allocated=True, pools=done.pools, asked=done.by_default
    ),
    facts_of_modifiers.BeadsEnded: lambda was, done: changed(was, allocated=False, pools={}, gained={}, asked=False),
    facts_told.CardSwapped: _swapped,
    facts_told.CardsTraded: unchanged,
    facts_told.TradeDeclined: unchanged,
    facts_told.ProposalVetoed: unchanged,
    facts_of_modifiers.BeadsTrumped: lambda was, done: _used(was, "trumped-beads:session", done.number),
    facts_of_modifiers.SessionBeadUsed: lambda was, done: _gaining(
        _used(was, "extra-bead:session", 1), {done.element: 1}
    ),
    facts_of_modifiers.PeriodDiceGiven: unchanged,
    facts_of_modifiers.PeriodDiceUsed: lambda was, done: _used(was, done.advantage, done.number),
    facts_of_modifiers.PeriodDiceReturned: _dice_returned,
    facts_of_modifiers.VortexForced: lambda was, done: _used(was, "vortex:session", 1),
    facts_of_modifiers.BeadsReplenished: lambda was, done: _used(was, f"bead-return-{done.element}:scene", done.number),
    facts_of_modifiers.DiscardForced: lambda was, done: _used(was, f"forced-discard-{done.trait}:session", 1),
    **BODIES,
    facts_of_scenes.EffectModifierReturned: _returned,
    facts_of_scenes.EffectModifierRestored: unchanged,
}
_ON_CAMPAIGNS: Mapping[type, Change] = {
    facts_of_campaign.TableRowSet: _row,
    facts_of_campaign.ArcOpened: lambda was, done: changed(was, arc=done.arc, arc_name=done.name, arc_ended=False),
    facts_of_campaign.PurseEnlarged: unchanged,
    facts_of_campaign.ArcEnded: _arc_ended,
    facts_of_campaign.PlayBegun: lambda was, done: changed(
        was, out=(), shown=(), dealt=False, last_session=done.session
    ),
    facts_of_campaign.SessionEnded: lambda was, done: changed(was, out=(), shown=(), dealt=False),
    facts_of_campaign.IntervalOpened: lambda was, done: changed(was, phase="interval"),
    facts_of_campaign.IntervalEnded: lambda was, done: changed(was, phase="running", scenes=was.scenes + 1),
    facts_of_campaign.DeckCut: lambda was, done: changed(
        was, out=(*was.out, *done.cards), dealt=was.dealt or done.by_ledger
    ),
    facts_of_campaign.CardShown: _shown,
    facts_of_campaign.DeckCounted: unchanged,
    facts_of_campaign.NominationsTallied: lambda was, done: changed(was, tallied=done.session),
}
FOLD = Fold(
    {"character": Character, "scene": Scene, "campaign": Campaign, "seat": Seat},
    {
        Character: {**_ON_CHARACTERS, **PILES},
        Campaign: {**_ON_CAMPAIGNS, **PILES, **TOLD},
        Scene: {**SCENES, **PILES, **TOLD},
        Seat: {facts_of_campaign.NominationMade: _nominated},
    },
)
