"""Beads that add successes to dice that are no action's: initiative, damage, resisting, healing.

Heading "What Beads can do". The dice have fallen: what they came to is worked out again.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, counting, facts_of_dice, guards, harming, inputs_of_play, recovery, terms
from ledger.rules.moc.beads import not_dazed
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.stacks import Pile, on_healing, on_initiative
from ledger.rules.moc.state_of_actions import Play

USE = "moc.bead.use"


@dataclass(frozen=True, slots=True)
class Fallen:
    """Dice that have fallen. `whose`: who rolled them; `element`: the Element that beads must have."""

    pile: Pile
    whose: str
    element: str = "action"


def play_beads_on_dice(draft: Draft, do: inputs_of_play.PlayBeadsOnDice) -> None:
    """`moc.bead.use`: successes on a completed roll."""
    id = do.character
    number = terms.whole(do.number, "negative-beads", USE)
    if number == 0:
        raise Refused(USE, "no-beads-played")
    not_dazed(draft, id)
    fallen = fallen_of(draft, do.roll, do.hit, do.whose or id)
    element = terms.element(do.element or fallen.element, USE)
    telling = element == "storytelling" and fallen.whose != id
    fits = element == fallen.element or draft.dials.bead_element_gate == "open"
    if not (telling or fits) or (do.fewer and not telling):
        raise Refused(USE, "wrong-element", element=element, roll=fallen.element)
    if (do.fewer or not fits) and number != 1:
        raise Refused(USE, "one-bead-only", number=number)
    guards.has_beads(draft, id, element, number, USE)
    was = fallen.pile.plays(draft)
    successes = -1 if do.fewer else number
    play = Play(draft.table.new_id(), id, "beads", do.roll, 0, number, element, successes=successes)
    draft.tell(
        fallen.pile.subject,
        facts_of_dice.BeadsPlayedOnDice(fallen.pile.id, play.id, play, fallen.pile.kind, fallen.whose),
        accounts.move(accounts.bead(id, element), accounts.SPENT, number),
    )
    draft.by(USE, number, use="add_successes", element=element)
    _come_of_it(draft, do.roll, fallen, was)


def fallen_of(draft: Draft, roll: str, hit: str, whose: str) -> Fallen:
    """Refuses `roll-not-completed`, `hit-not-ready`, `settled`: what has not fallen yet, or is past."""
    match roll:
        case "damage" | "resisting":
            return _of_hit(draft, roll, hit)
        case "initiative":
            draft.who(whose)
            if whose not in draft.scene().initiative.faces:
                raise Refused(USE, "roll-not-completed", character=whose)
            return Fallen(on_initiative(draft, whose), whose)
        case "healing":
            if draft.who(whose).healing is None:
                raise Refused(USE, "roll-not-completed", character=whose)
            recovery.unsettled(draft, whose)
            return Fallen(on_healing(draft, whose), whose)
        case _:
            raise Refused("moc.dice.successes", "unknown-roll-kind", roll_kind=roll)


def _of_hit(draft: Draft, roll: str, id: str) -> Fallen:
    """Damage until it is resisted; what resists it until something else happens to the body."""
    before, after = ("scored", "rolled") if roll == "damage" else ("rolled", "applied")
    hit = draft.hit(id, before, after)
    if hit.stage == before:
        raise Refused(USE, "roll-not-completed", hit=id)
    whose = hit.attacker if roll == "damage" else hit.target
    harm = draft.who(whose).harm
    if roll == "resisting" and (harm is None or harm.hit != id):
        raise Refused("moc.combat.resist", "settled", hit=id)
    return Fallen(Pile(draft.place(), "hit", id), whose, hit.element or "action")


def _come_of_it(draft: Draft, roll: str, fallen: Fallen, was: tuple[Play, ...]) -> None:
    match roll:
        case "damage":
            hit, damage = draft.scene().hits[fallen.pile.id], draft.scene().damage[fallen.pile.id]
            points = hit.resistible + hit.unresistible
            rule = "moc.combat.damage-roll"
            draft.by(rule, points, threshold=damage.threshold, unresistible=hit.unresistible)
        case "resisting":
            harming.reconsider(draft, fallen.pile.id, was)
        case "healing":
            recovery.reconsider(draft, fallen.whose)
        case _:
            results = counting.standings(draft.scene().initiative)
            draft.by("moc.combat.initiative", list(results[fallen.whose]), character=fallen.whose)
