"""The story: how Storytelling beads, cards or words change it, and how it is vetoed and amended.

Headings "Storytelling", "Cards", "A Shift of Perspective".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    Among,
    Asking,
    Between,
    CharacterId,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    SeatId,
    Seen,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    owner,
    require,
    rule,
    seat,
)
from ledger.rules.moc import cards_on_dice, hands, holdings, piles, pools, stacks
from ledger.rules.moc.cards import CARD_OTHER, read_named_element
from ledger.rules.moc.draft import (
    STORY_TIERS,
    Draft,
    ProposalVetoed,
    acts,
    ask_approval,
    may_play_beads,
    may_spend_beads,
    nobody_acts,
    record_veto,
)
from ledger.rules.moc.shown import AGREED, Fields, fix, get_offering, group_ids
from ledger.rules.moc.state import Play, StoryPart
from ledger.rules.moc.types import AnyElement, Approval, CardName, ChangeId, HowMany, ScopeName, SuitName
from ledger.rules.moc.words import (
    ELEMENTS,
    NEGATIVE_BEADS,
    NO_BEADS_PLAYED,
    NOT_ENOUGH_BEADS,
    NOTHING_DECLARED,
    SCOPE_WORDS,
    SCOPES,
    SUIT_NAMES,
    UNKNOWN_PLAY,
    read_element,
    read_whole,
    say_beads,
    say_card,
    say_count,
    say_who,
    say_with,
    say_word,
)

NARRATING = rule(
    "moc.tell",
    "Anybody may narrate without beads. The game master may veto or amend what was narrated.",
    "A Shift of Perspective",
)
NOT_OWN_CHARACTER = Refusal(
    NARRATING, "not-own-character", "Only {character}'s player or a game master can narrate for {character}."
)
NO_SUCH_TIER = Refusal(
    STORY_TIERS,
    "no-such-tier",
    "[{beads:bead changes|beads change} nothing][The scope of this change cannot be {scope}. Choose one of these:"
    " {scopes}].",
)
MUST_SPEND_ALL = Refusal(
    STORY_TIERS,
    "must-spend-all",
    "A change with four or more beads takes all {held} Storytelling beads of {character}, not {beads}.",
)


def say_story_changed(fact: StoryChanged, names: Names) -> str:
    play = fact.what
    means_words = say_card(play.card) if play is not None and play.card else say_beads({"storytelling": fact.beads})
    if play is not None and play.kind == "beads":
        means_words = say_beads({play.element: play.number})
    return say_with(
        f"{say_who(names, fact.character)} changes the story with {means_words}{_say_scope(fact.scope)}", fact.text
    )


def _say_scope(scope: str | None) -> str:
    return f", {SCOPE_WORDS.get(scope, scope)}" if scope else ""


@fact("story-changed", says=say_story_changed, headline=23)
class StoryChanged:
    """Beads, or a card used creatively (`what`), changed the story. `tier`: how far the beads reach.

    If a game master approved beads outside the tiers, `what` names their Element and `tier` is 0.
    """

    change: ChangeId
    character: CharacterId
    beads: int
    tier: int
    scope: ScopeName
    text: Story
    what: Play | None = None


@changes
def tell_story(state: piles.StoryKeeper, fact: StoryChanged) -> piles.StoryKeeper:
    play = fact.what or Play(fact.change, fact.character, "beads", "story", 0, fact.beads, "storytelling")
    part = StoryPart(fact.character, fact.beads, fact.text, fact.scope, plays=(play,))
    return piles.with_story(state, fact.change, part)


@fact("story-vetoed", says="That part of the story did not happen[: {reason}].")
class StoryVetoed:
    """The game master vetoed part of the story."""

    change: ChangeId
    reason: Reason


@changes
def veto_part(state: piles.StoryKeeper, fact: StoryVetoed) -> piles.StoryKeeper | None:
    part = state.story.get(fact.change)
    if part is None:
        return None
    new_plays = tuple(changed(play, returned=True) if not play.on else play for play in part.plays)
    return piles.with_story(state, fact.change, changed(part, vetoed=True, plays=new_plays))


@fact("story-amended", says="It happened like this instead: {text}.")
class StoryAmended:
    """The game master amended part of the story. `text`: what happened instead."""

    change: ChangeId
    text: Story


@changes
def amend_part(state: piles.StoryKeeper, fact: StoryAmended) -> piles.StoryKeeper | None:
    part = state.story.get(fact.change)
    return piles.with_story(state, fact.change, changed(part, text=fact.text)) if part is not None else None


def say_narrated(fact: Narrated, names: Names) -> str:
    about_words = f" about {say_who(names, fact.character)}" if fact.character else ""
    return say_with(f"{names.name(seat(fact.seat))} narrates{about_words}", fact.text)


@fact("narrated", says=say_narrated, headline=24)
class Narrated:
    """A seat described part of the story, without beads or numbers. `change`: the id of this part. `character`: the
    character that it is about, if any.
    """

    change: ChangeId
    seat: SeatId
    character: CharacterId
    text: Story


@changes
def narrate_part(state: piles.StoryKeeper, fact: Narrated) -> piles.StoryKeeper:
    return piles.with_story(state, fact.change, StoryPart(fact.character, 0, fact.text, "", seat=fact.seat))


def check_tier(draft: Draft, char_id: str, bead_count: int) -> int:
    """Return the tier that this many beads reach, that is, how far the change of the story goes. Refuses
    `no-such-tier`, `must-spend-all`, `not-enough-beads`.
    """
    if bead_count == 0:
        raise NO_SUCH_TIER(beads=bead_count)
    held_count = draft.count_beads(char_id, "storytelling")
    if bead_count > held_count:
        raise NOT_ENOUGH_BEADS.under(STORY_TIERS, character=char_id, needed=bead_count, held=held_count)
    if bead_count >= 4 and bead_count != held_count:
        raise MUST_SPEND_ALL(character=char_id, beads=bead_count, held=held_count)
    tier = min(4, bead_count)
    draft.by(STORY_TIERS, tier, beads=bead_count, scope=SCOPES[tier])
    return tier


def say_story_to_change(do: ChangeStory, names: Names) -> str:
    bead_words = say_count(do.beads, "Storytelling bead", "Storytelling beads")
    return say_with(
        f"{say_who(names, do.character)} changes the story with {bead_words}{_say_scope(do.scope)}", do.text
    )


@acts("character")
@declares("change-story", either("character"), says=say_story_to_change, records=(StoryChanged,))
class ChangeStory:
    """Change the story with Storytelling beads. The number of beads decides how far the change can reach.

    `scope`: how far the change reaches: turn, scene, session or world. Leave it out to reach as far as the beads allow.
    """

    character: CharacterId
    beads: Annotated[HowMany, Says("Beads", "How many beads change the story.")]
    text: Story
    scope: ScopeName | None = None


@decides
def change_story(draft: Draft, do: ChangeStory) -> None:
    char_id = do.character
    bead_count = read_whole(do.beads, NEGATIVE_BEADS, STORY_TIERS)
    require(may_play_beads(draft, char_id))
    tier = check_tier(draft, char_id, bead_count)
    scopes = [scope for least_tier, scope in SCOPES.items() if least_tier <= tier]
    if do.scope is not None and do.scope not in scopes:
        raise NO_SUCH_TIER(scope=do.scope, scopes=scopes)
    posting = holdings.make_posting(holdings.name_bead_account(char_id, "storytelling"), holdings.SPENT, bead_count)
    draft.here(StoryChanged(draft.table.new_id(), char_id, bead_count, tier, do.scope or scopes[-1], do.text), posting)


def list_story_moves(counts_by_id: Mapping[str, Mapping[str, int]]) -> Iterator[Move]:
    pairs = ((char_id, counts.get("storytelling", 0)) for char_id, counts in counts_by_id.items())
    for n, ids in group_ids(pairs).items():
        for reach in sorted({min(4, count) for count in list_story_bead_counts(n)}):
            beads_domain = Among(tuple(count for count in list_story_bead_counts(n) if min(4, count) == reach))
            scope_domain = Among((None, *(scope for tier, scope in SCOPES.items() if tier <= reach)))
            yield Move(ChangeStory, {"character": Among(ids), "beads": beads_domain, "scope": scope_domain})


def list_story_bead_counts(held_count: int) -> tuple[int, ...]:
    """Return the numbers of beads that can change the story: one to three, or all if there are four or more."""
    return (*range(1, min(held_count, 3) + 1), *((held_count,) if held_count > 3 else ()))


@offers
def offer_story_changes(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    if offering.scene is not None:
        yield from list_story_moves(
            {char_id: offering.count_playable_beads(char_id) for char_id in offering.active_ids}
        )


@acts("character")
@declares(
    "use-card",
    owner("character"),
    says="{character} wants to use a card creatively: {text}.",
    records=(hands.CardDiscarded, hands.VillainCardUsed, hands.CardShown, StoryChanged, ProposalVetoed),
)
class UseCard:
    """Use a card creatively outside an action, with approval.

    `text`: the effect of the card. `scope`: how far the effect reaches. `element`: the Element that a Wildcard names
    for the card, which matters if the card is trumped. Leave it out for any other character.
    """

    character: CharacterId
    card: CardName
    text: Story
    scope: ScopeName = "scene"
    element: SuitName | None = None
    approved: Approval = None


@decides
def use_card(draft: Draft, do: UseCard) -> Asking[None]:
    char_id = do.character
    card = hands.read_card_held(draft, char_id, do.card, CARD_OTHER)
    element = read_element(
        do.element if do.element is not None else read_named_element(draft, char_id, card, None, CARD_OTHER), CARD_OTHER
    )
    rank = cards_on_dice.check_card_class(draft, char_id, card, None, [element])
    if do.scope not in SCOPES.values():
        raise NO_SUCH_TIER(scope=do.scope, scopes=list(SCOPES.values()))
    if not do.text.strip():
        raise NOTHING_DECLARED.under(CARD_OTHER, card=card)
    if not (yield from ask_approval(draft, do.approved, f"a creative use of a card ({do.scope}): {do.text}")):
        record_veto(draft, char_id, CARD_OTHER, do.approved, do.text)
        return
    change_id = draft.table.new_id()
    play = Play(
        change_id,
        char_id,
        "card",
        "story",
        0,
        holdings.find_worth(draft.get_character(char_id), card),
        element,
        card,
        rank,
        origin=hands.use_up_card(draft, char_id, card),
        session=draft.table.session or "",
    )
    draft.tell(draft.find_place(), StoryChanged(change_id, char_id, 0, 0, do.scope, do.text, play))
    draft.by(CARD_OTHER, do.scope, card=card)


@offers
def offer_cards_outside(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    element_domain = Among((None, *ELEMENTS, *SUIT_NAMES))
    for char_id in offering.active_ids:
        if cards := offering.list_cards(char_id):
            fields = {"character": fix(char_id), "card": Among(cards), "element": element_domain, "approved": AGREED}
            yield Move(UseCard, {**fields, "scope": Among(tuple(SCOPES.values()))})


def say_beads_to_use(do: UseBeads, names: Names) -> str:
    bead_words = f"{say_count(do.number, 'bead', 'beads')}{f' of {say_word(do.element)}' if do.element else ''}"
    return say_with(
        f"{say_who(names, do.character)} wants to use {bead_words} outside an action{_say_scope(do.scope)}", do.text
    )


@acts("character")
@declares("use-beads", either("character"), says=say_beads_to_use, records=(StoryChanged, ProposalVetoed))
class UseBeads:
    """Use beads outside an action, with approval.

    `text`: the effect of the beads. `scope`: how far the effect reaches. `element`: leave it out for the character's
    primary Element.
    """

    character: CharacterId
    text: Story
    element: AnyElement = ""
    number: Annotated[HowMany, Says("Beads", "How many beads are used.")] = 1
    scope: ScopeName = "scene"
    approved: Approval = None


@decides
def use_beads(draft: Draft, do: UseBeads) -> Asking[None]:
    char_id = do.character
    bead_count = read_whole(do.number, NEGATIVE_BEADS, pools.BEAD_USE)
    if bead_count == 0:
        raise NO_BEADS_PLAYED.under(pools.BEAD_USE)
    element = read_element(do.element or next(iter(draft.get_character(char_id).primaries), "action"), pools.BEAD_USE)
    require(may_play_beads(draft, char_id))
    require(may_spend_beads(draft, char_id, element, bead_count, pools.BEAD_USE))
    if do.scope not in SCOPES.values():
        raise NO_SUCH_TIER(scope=do.scope, scopes=list(SCOPES.values()))
    if not do.text.strip():
        raise NOTHING_DECLARED.under(pools.BEAD_USE, character=char_id)
    bead_words = f"{bead_count} {element.capitalize()} {'bead' if bead_count == 1 else 'beads'}"
    if not (yield from ask_approval(draft, do.approved, f"{bead_words} ({do.scope}): {do.text}")):
        record_veto(draft, char_id, pools.BEAD_USE, do.approved, do.text)
        return
    change_id = draft.table.new_id()
    play = Play(change_id, char_id, "beads", "story", 0, bead_count, element)
    posting = holdings.make_posting(holdings.name_bead_account(char_id, element), holdings.SPENT, bead_count)
    draft.tell(draft.find_place(), StoryChanged(change_id, char_id, bead_count, 0, do.scope, do.text, play), posting)
    draft.by(pools.BEAD_USE, bead_count, element=element, use="other")


@offers
def offer_beads_outside(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        usual_element = next(iter(offering.get_character(char_id).primaries), "action")
        for element, n in offering.count_playable_beads(char_id).items():
            element_domain = Among(("", element) if element == usual_element else (element,))
            fields: Fields = {
                "character": fix(char_id),
                "element": element_domain,
                "number": Between(1, n),
                "approved": AGREED,
            }
            yield Move(UseBeads, {**fields, "scope": Among(tuple(SCOPES.values()))})


def say_narrating(do: Narrate, names: Names) -> str:
    return say_with(
        f"Part of the story is narrated{f' about {say_who(names, do.character)}' if do.character else ''}", do.text
    )


@nobody_acts
@declares("narrate", ANYONE, says=say_narrating, records=(Narrated,))
class Narrate:
    """Describe part of the story, without beads or numbers. `character`: your character, if the text is about them."""

    text: Story
    character: CharacterId = ""


@guards
def may_narrate(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a player's narration about another player's character. Game masters can narrate about every character."""
    declarer = draft.table.by
    if declarer.role != "gm" and draft.table.owner(character(char_id)) != declarer.seat:
        return NOT_OWN_CHARACTER(character=char_id)
    return None


@decides
def narrate(draft: Draft, do: Narrate) -> None:
    if do.character:
        draft.get_character(do.character)
        require(may_narrate(draft, do.character))
    if not do.text.strip():
        raise NOTHING_DECLARED.under(NARRATING)
    fact = Narrated(draft.table.new_id(), draft.table.by.seat, do.character, do.text)
    draft.tell(draft.find_place(), fact)
    draft.by(NARRATING, "told", character=do.character)


@nobody_acts
@declares(
    "veto-story",
    GM,
    says="The game master vetoes part of the story: {reason}.",
    records=(StoryVetoed, stacks.EffectModifierReturned, hands.VillainsDrew),
)
class VetoStory:
    """Veto part of the story, so that it did not happen. The beads or the card that changed it go
    back to their player.
    """

    change: ChangeId
    reason: Reason


@guards
def may_revise(draft: Draft, change_id: str) -> Refused | None:
    """Refuse a change to a part of the story that was vetoed."""
    return UNKNOWN_PLAY.under(STORY_TIERS, change=change_id) if draft.get_story_part(change_id).vetoed else None


@decides
def veto_story(draft: Draft, do: VetoStory) -> None:
    """Veto part of the story, and give back the beads or the card that changed it."""
    part = draft.get_story_part(do.change)
    require(may_revise(draft, do.change))
    pile = stacks.find_story_pile(draft, do.change)
    play = next(iter(part.plays), None)
    must_give_back = play is not None and not play.returned
    posting = None
    if play is not None and must_give_back and play.kind == "beads":
        posting = holdings.make_posting(
            holdings.SPENT, holdings.name_bead_account(part.character, play.element), play.number
        )
    draft.tell(pile.subject, StoryVetoed(do.change, do.reason), posting)
    if play is not None and must_give_back and play.kind == "card":
        stacks.give_back_play(draft, do.change, play)
    draft.by(STORY_TIERS, 0, change=do.change)


@nobody_acts
@declares("amend-story", GM, says="The game master amends part of the story: {text}.", records=(StoryAmended,))
class AmendStory:
    """Change how part of the story happened."""

    change: ChangeId
    text: Story


@decides
def amend_story(draft: Draft, do: AmendStory) -> None:
    part = draft.get_story_part(do.change)
    require(may_revise(draft, do.change))
    draft.tell(draft.get_story_place(do.change), StoryAmended(do.change, do.text))
    draft.by(STORY_TIERS, part.beads, change=do.change)


@offers
def offer_stories(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer narration, vetoes and amendments."""
    offering = get_offering(seen, draft)
    own_ids = tuple(id for id in offering.roster if may_narrate(draft, id) is None)
    yield Move(Narrate, {"character": Among(("", *own_ids))})
    scene_story = offering.scene.story if offering.scene is not None else {}
    change_ids = tuple(id for id in {**offering.campaign.story, **scene_story} if may_revise(draft, id) is None)
    if change_ids:
        yield Move(VetoStory, {"change": Among(change_ids)})
        yield Move(AmendStory, {"change": Among(change_ids)})
