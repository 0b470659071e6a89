"""`moc.trump.stack` and `moc.trump.effect`: finding what lies on what, and beads that go back or out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character
from ledger.rules.moc import accounts, facts_of_modifiers, facts_of_scenes, guards
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.fold_piles import Keeper, plays_on
from ledger.rules.moc.piles import Kind, effective
from ledger.rules.moc.state import Scene, actions_in
from ledger.rules.moc.state_of_actions import Action, Play


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies on one thing. `subject`: whose state keeps it; `kind`, `id`: of the thing."""

    subject: Subject
    kind: Kind
    id: str

    def plays(self, draft: Draft) -> tuple[Play, ...]:
        """As it is by now. Refuses `unknown-play` where there is no such thing."""
        found = plays_on(_keeper(draft, self.subject), self.kind, self.id)
        if found is None:
            raise Refused("moc.trump.order", "unknown-play", pile=self.kind, id=self.id)
        return found


def _keeper(draft: Draft, subject: Subject) -> Keeper:
    match subject.kind:
        case "character":
            return draft.who(subject.id)
        case "scene":
            return draft.state(subject, Scene)
        case _:
            return draft.campaign()


def on_action(draft: Draft, action: Action) -> Pile:
    return Pile(draft.place(), "action", action.id)


def on_story(draft: Draft, change: str) -> Pile:
    """Told in the scene, or between scenes."""
    return Pile(draft.teller(change), "story", change)


def on_healing(draft: Draft, id: str) -> Pile:
    healing = draft.who(id).healing
    return Pile(character(id), "healing", healing.id if healing is not None else "")


def on_initiative(draft: Draft, id: str, *, coming: bool = False) -> Pile:
    return Pile(draft.place(), "coming" if coming else "initiative", id)


def everywhere(draft: Draft) -> Iterator[Pile]:
    """All that anything can lie on in the scene, the latest actions first; and what was told between scenes."""
    place = draft.table.scene
    if place is not None:
        here = draft.scene()
        for action in reversed(tuple(actions_in(here))):
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


def settle(draft: Draft, pile: Pile) -> None:
    """`moc.trump.effect`: beads of an own Element go back when they are cancelled, and out again when restored."""
    now = pile.plays(draft)
    for play in now:
        if play.kind != "beads" or play.fiat or not draft.table.has(character(play.by)):
            continue
        stands = effective(now, play)
        if not stands and not play.returned and _kept(draft, play):
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
            draft.about(play.by, facts_of_scenes.EffectModifierReturned(pile.id, play.id), moved)
            draft.tell(pile.subject, facts_of_scenes.PlaysReturned(pile.id, (play.id,), True, pile.kind))
            draft.by("moc.trump.effect", play.id, element=play.element)
        elif stands and play.returned:
            guards.has_beads(draft, play.by, play.element, play.number, "moc.trump.effect")
            moved = accounts.move(accounts.bead(play.by, play.element), accounts.SPENT, play.number)
            draft.about(play.by, facts_of_scenes.EffectModifierRestored(pile.id, play.id), moved)
            draft.tell(pile.subject, facts_of_scenes.PlaysReturned(pile.id, (play.id,), False, pile.kind))
            draft.by("moc.trump.stack", play.id, element=play.element)


def _kept(draft: Draft, play: Play) -> bool:
    who = draft.who(play.by)
    kept = who.primaries
    if draft.dials.kept_when_trumped == "primary_and_secondary":
        kept = (*kept, *who.secondaries)
    return play.element in kept


def beads_used(draft: Draft, id: str, element: str) -> int:
    """Return how many beads of the Element somebody has used in the scene, without cancelled and returned ones."""
    used = 0
    for pile in everywhere(draft):
        plays = pile.plays(draft) if pile.subject.kind == "scene" else ()
        for play in plays:
            if (play.by, play.kind, play.element) == (id, "beads", element) and not play.returned:
                used += play.number if effective(plays, play) else 0
    return used


def lost_beads(draft: Draft, plays: tuple[Play, ...], place: int = 0) -> None:
    """`moc.trump.effect`: trumped beads that did not go back, where they do not come again in the session."""
    if draft.dials.trumped_beads_regenerate:
        return
    lost: dict[str, int] = {}
    for play in plays:
        gone = play.kind == "beads" and play.part == place and not play.returned and not effective(plays, play)
        if gone:
            lost[play.by] = lost.get(play.by, 0) + play.number
    for id, number in lost.items():
        if draft.table.has(character(id)):  # whose joining was overturned has no beads to lose
            draft.about(id, facts_of_modifiers.BeadsTrumped(number))
            draft.by("moc.trump.effect", number, character=id)
