"""What lies on what, and beads that go back or out again (heading "Trump")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.chapters import changes, fact, require, rule
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character
from ledger.rules.moc import accounts, hands, piles
from ledger.rules.moc.draft import Draft, may_spend_beads
from ledger.rules.moc.sayings import say_card, say_whom, whether
from ledger.rules.moc.state import Action, Character, Play, Scene, list_actions
from ledger.rules.moc.types import AnyCard, PileId, PlayId, PlayOrChip
from ledger.rules.moc.words import UNKNOWN_PLAY

TRUMP_STACK = rule(
    "moc.trump.stack",
    "A trump can be trumped, too. Only the last trump of such a stack counts. Trumping a trump restores "
    "what it had cancelled.",
    "Trump (Advanced)",
)
TRUMP_EFFECT = rule(
    "moc.trump.effect",
    "Whatever is trumped has no effect and is used up. Only beads of a primary Element of the player's "
    "character go back to the player.",
    "Trump (Advanced)",
)
NOT_ATTEMPTED = rule(
    "moc.story.action-beads",
    "If an action is never attempted, everything played on it goes back to its player.",
    "Splitting Dice Pools",
    outcome="id",
)
TRUMP_ORDER = rule(
    "moc.trump.order",
    "To trump is to cancel what was played. A better card or a chip trumps a card, and any card trumps "
    "beads. The better card has the higher class (suited, then related, then off suit) or, in the same "
    "class, the higher value.",
    "Trump (Advanced)",
    outcome="id",
)


def say_returned(fact: EffectModifierReturned, names: Names) -> str:
    """To whom it belongs."""
    back = say_card(fact.card) if fact.card else "the white chip" if fact.play == "white chip" else "what was played"
    return f"{say_whom(names)} gets back {back}."


@fact("effect-modifier-returned", says=say_returned)
class EffectModifierReturned:
    """Subject: the owner. A card went back to the hand, or beads or chips went back to their accounts."""

    action: PileId
    play: PlayOrChip
    card: AnyCard = ""


@changes
def take_back(state: Character, fact: EffectModifierReturned) -> Character:
    return piles.with_hand(state, (*state.hand, fact.card)) if fact.card else state


@fact("effect-modifier-restored", says="{subject}'s beads are spent after all.", changes=None)
class EffectModifierRestored:
    """Subject: the owner of the beads. The trump that had returned the beads was itself trumped, so the beads are
    spent.
    """

    action: PileId
    play: PlayId


@fact(
    "plays-returned",
    says=whether(
        "returned", "What was played goes back to its player.", "What had gone back to its player counts again."
    ),
)
class PlaysReturned:
    """Everything played on an action went back to the players who played it, because the action was not attempted."""

    action: PileId
    plays: tuple[PlayId, ...]
    returned: bool
    pile: piles.PileKind = "action"


@changes
def return_plays(state: piles.Keeper, fact: PlaysReturned) -> piles.Keeper | None:
    plays = piles.find_plays(state, fact.pile, fact.action)
    if plays is None:
        return None
    back = tuple(changed(one, returned=fact.returned) if one.id in fact.plays else one for one in plays)
    return piles.with_plays(state, fact.pile, fact.action, back)


@fact("beads-trumped", says="{subject} loses {number:trumped bead|trumped beads} until the session ends.")
class BeadsTrumped:
    """Some beads were trumped and did not go back to the player."""

    number: int


@changes
def count_trumped_beads(state: Character, fact: BeadsTrumped) -> Character:
    return piles.use_up(state, "trumped-beads:session", fact.number)


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies on one thing. `subject`: whose state keeps it; `kind`, `id`: of the thing."""

    subject: Subject
    kind: piles.PileKind
    id: str

    def plays(self, draft: Draft) -> tuple[Play, ...]:
        """As it is by now. Refuses `unknown-play` where there is no such thing."""
        found = piles.find_plays(_find_keeper(draft, self.subject), self.kind, self.id)
        if found is None:
            raise UNKNOWN_PLAY.under(TRUMP_ORDER, pile=self.kind, id=self.id)
        return found


def _find_keeper(draft: Draft, subject: Subject) -> piles.Keeper:
    match subject.kind:
        case "character":
            return draft.who(subject.id)
        case "scene":
            return draft.state(subject, Scene)
        case _:
            return draft.campaign()


def pile_of_action(draft: Draft, action: Action) -> Pile:
    return Pile(draft.place(), "action", action.id)


def pile_of_story(draft: Draft, change: str) -> Pile:
    """Told in the scene, or between scenes."""
    return Pile(draft.teller(change), "story", change)


def pile_of_healing(draft: Draft, id: str) -> Pile:
    healing = draft.who(id).healing
    return Pile(character(id), "healing", healing.id if healing is not None else "")


def pile_of_initiative(draft: Draft, id: str, *, coming: bool = False) -> Pile:
    return Pile(draft.place(), "coming" if coming else "initiative", id)


def list_piles(draft: Draft) -> Iterator[Pile]:
    """All that anything can lie on in the scene, the latest actions first; and what was told between scenes."""
    place = draft.table.scene
    if place is not None:
        here = draft.scene()
        for action in reversed(tuple(list_actions(here))):
            yield Pile(place, "action", action.id)
        for id in here.damage:
            yield Pile(place, "hit", id)
        for id in here.initiative.plays:
            yield Pile(place, "initiative", id)
        for id in here.initiative.waiting:
            yield Pile(place, "coming", id)
        for id in here.story:
            yield Pile(place, "story", id)
    for id in draft.campaign().story:
        yield Pile(CAMPAIGN, "story", id)


def settle_beads(draft: Draft, pile: Pile) -> None:
    """Beads of an own Element go back when they are cancelled, and out again when restored."""
    now = pile.plays(draft)
    for play in now:
        if play.kind != "beads" or play.fiat or not draft.table.has(character(play.by)):
            continue
        stands = piles.is_effective(now, play)
        if not stands and not play.returned and _is_kept(draft, play):
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
            draft.about(play.by, EffectModifierReturned(pile.id, play.id), moved)
            draft.tell(pile.subject, PlaysReturned(pile.id, (play.id,), True, pile.kind))
            draft.by(TRUMP_EFFECT, play.id, element=play.element)
        elif stands and play.returned:
            require(may_spend_beads(draft, play.by, play.element, play.number, TRUMP_EFFECT))
            moved = accounts.move(accounts.bead(play.by, play.element), accounts.SPENT, play.number)
            draft.about(play.by, EffectModifierRestored(pile.id, play.id), moved)
            draft.tell(pile.subject, PlaysReturned(pile.id, (play.id,), False, pile.kind))
            draft.by(TRUMP_STACK, play.id, element=play.element)


def _is_kept(draft: Draft, play: Play) -> bool:
    who = draft.who(play.by)
    kept = who.primaries
    if draft.dials.kept_when_trumped == "primary_and_secondary":
        kept = (*kept, *who.secondaries)
    return play.element in kept


def count_beads_used(draft: Draft, id: str, element: str) -> int:
    """Return how many beads of the Element somebody has used in the scene, without cancelled and returned ones."""
    used = 0
    for pile in list_piles(draft):
        plays = pile.plays(draft) if pile.subject.kind == "scene" else ()
        for play in plays:
            if (play.by, play.kind, play.element) == (id, "beads", element) and not play.returned:
                used += play.number if piles.is_effective(plays, play) else 0
    return used


def lose_beads(draft: Draft, plays: tuple[Play, ...], place: int = 0) -> None:
    """Trumped beads that did not go back, where they do not come again in the session."""
    if draft.dials.trumped_beads_regenerate:
        return
    lost: dict[str, int] = {}
    for play in plays:
        gone = play.kind == "beads" and play.part == place and not play.returned and not piles.is_effective(plays, play)
        if gone:
            lost[play.by] = lost.get(play.by, 0) + play.number
    for id, number in lost.items():
        if draft.table.has(character(id)):  # whose joining was overturned has no beads to lose
            draft.about(id, BeadsTrumped(number))
            draft.by(TRUMP_EFFECT, number, character=id)


def give_back_play(draft: Draft, action: str, play: Play) -> None:
    """An EM goes back to its player: a card to the hand, beads and chips to where they came from.

    Nothing goes to who is not there any more, whose enrolment was overturned.
    """
    if not draft.table.has(character(play.by)):
        return
    match play.kind:
        case "card":
            if play.session != (draft.table.session or ""):
                return  # gone with all cards of its session
            if play.origin == "villains":
                shared = accounts.villains(draft.place().id)
                draft.about(play.by, EffectModifierReturned(action, play.id))
                draft.here(hands.VillainsDrew((play.card,)), accounts.move(accounts.DISCARD, shared, 1))
                draft.by(NOT_ATTEMPTED, play.id, kind=play.kind)
                return
            moved = accounts.move(accounts.DISCARD, accounts.hand(play.by), 1)
        case "beads":
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
        case _:
            moved = accounts.move(accounts.bank(play.colour), accounts.chip(play.by, play.colour), 1)
    draft.about(play.by, EffectModifierReturned(action, play.id, play.card), moved)
    draft.by(NOT_ATTEMPTED, play.id, kind=play.kind)
