"""Collapse and death: losing all Action Points, terminal damage, and the decision that it requires. Heading: Physical
damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    CharacterId,
    Move,
    Refusal,
    Retire,
    Says,
    Seen,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    rule,
)
from ledger.rules.mongrel import accounts, acting, conflict, sessions
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.sight import Fields, get_sight
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import HOUR
from ledger.rules.mongrel.terms import (
    ApLoss,
    ApSource,
    CollapseCause,
    DeathCause,
    ResolveUse,
    TerminalCause,
    by_value,
    whether,
)

TERMINAL = rule(
    "mongrel.damage.terminal",
    "Terminal damage makes a character collapse, and kills them unless they spend Infernal Resolve.",
    "Physical damage",
)
RESIST_DEATH = rule(
    "mongrel.damage.resist-death",
    "A character with terminal damage who spends 1 point of Infernal Resolve does not die, unless it is their last"
    " point (our reading). A character who survives in this way may also recover all Action Points.",
    "Physical damage",
)
TERMINAL_STAGE = rule(
    "mongrel.damage.terminal-stage",
    "A character who survives terminal damage is in the terminal stage. In this stage, every further physical hit "
    "is terminal (our reading), and the character dies when they have no Infernal Resolve left.",
    "Physical damage",
)


# --- collapse --------------------------------------------------------------------------------------------------------


@fact(
    "action-points-lost",
    says=by_value(
        "cause",
        {
            "size reached": "{character} loses {amount:Action Point|Action Points}: the damage fills the Size row.",
            "collapse": "{character} loses {amount:Action Point|Action Points} by collapsing.",
            "death": "{character} loses {amount:Action Point|Action Points} by dying.",
        },
    ),
    changes=None,
)
class ActionPointsLost:
    """A character lost Action Points."""

    character: CharacterId
    amount: int
    cause: ApLoss


@fact(
    "character-collapsed",
    says=by_value(
        "cause",
        {
            "damage": "{character} collapses from the damage.",
            "terminal": "{character} collapses from terminal damage.",
            "resolve": "{character} collapses because no Infernal Resolve is left.",
        },
    ),
    headline=2,
)
class CharacterCollapsed:
    """A character collapsed."""

    character: CharacterId
    cause: CollapseCause


@changes
@once_created
def put_collapsed(state: Character, fact: CharacterCollapsed) -> Character:
    return changed(state, collapsed=True, recovering=False)


COLLAPSE_FACTS = (ActionPointsLost, CharacterCollapsed)


def lose_ap(draft: Draft, character_id: str, amount: int, cause: ApLoss) -> None:
    """Take away Action Points, but not below 0."""
    lost_points = min(amount, draft.count_ap(character_id))
    if lost_points > 0:
        draft.about(
            character_id,
            ActionPointsLost(character_id, lost_points, cause),
            accounts.make_posting(accounts.name_ap(character_id), accounts.AP, lost_points),
        )


def collapse(draft: Draft, character_id: str, cause: CollapseCause) -> None:
    """Make a character collapse: they lose all Action Points, and cannot defend until they recover one
    (`mongrel.damage.collapse`).
    """
    lose_ap(draft, character_id, draft.count_ap(character_id), "collapse")
    if not draft.read_character(character_id).collapsed:
        draft.about(character_id, CharacterCollapsed(character_id, cause))
    draft.by(acting.COLLAPSE, "collapsed", cause=cause)


@fact("character-stood-up", says="{character} gets up again.")
class CharacterStoodUp:
    """A collapsed character stood up."""

    character: CharacterId


@changes
@once_created
def end_collapse(state: Character, fact: CharacterStoodUp) -> Character | None:
    return changed(state, collapsed=False) if state.collapsed else None


def stand_up(draft: Draft, character_id: str) -> None:
    """End a collapse, when the first Action Point is recovered."""
    if draft.read_character(character_id).collapsed:
        draft.about(character_id, CharacterStoodUp(character_id))


# --- terminal damage -------------------------------------------------------------------------------------------------


@fact(
    "terminal-damage-taken",
    says=whether(
        "decision",
        "{character} takes terminal damage and must spend Infernal Resolve or die.",
        "{character} takes terminal damage and has no Infernal Resolve left.",
    ),
)
class TerminalDamageTaken:
    """A character took terminal damage. `decision`: whether the character has enough Infernal Resolve left to avoid
    death.
    """

    character: CharacterId
    cause: TerminalCause
    decision: bool


@changes
@once_created
def put_terminal(state: Character, fact: TerminalDamageTaken) -> Character:
    return changed(state, terminal=True, dying=state.dying or fact.decision)


def take_terminal_damage(draft: Draft, character_id: str, cause: TerminalCause) -> None:
    """Apply terminal damage. A character without Infernal Resolve dies; a character who has some must decide
    (`mongrel.damage.terminal`).
    """
    collapse(draft, character_id, "terminal")
    may_decide = draft.count_resolve(character_id) > 0
    draft.about(character_id, TerminalDamageTaken(character_id, cause, may_decide))
    draft.by(TERMINAL, "decision" if may_decide else "dead", cause=cause, resolve=draft.count_resolve(character_id))
    if not may_decide:
        die(draft, character_id, "terminal damage")


@fact(
    "character-died",
    says=by_value(
        "cause",
        {
            "terminal damage": "{character} dies of terminal damage.",
            "resolve": "{character} dies because no Infernal Resolve is left.",
        },
    ),
    headline=1,
)
class CharacterDied:
    """A character died."""

    character: CharacterId
    cause: DeathCause


@changes
@once_created
def put_dead(state: Character, fact: CharacterDied) -> Character:
    return changed(state, dead=True, dying=False)


DEATH_FACTS = (CharacterDied, ActionPointsLost, conflict.ParticipantLeft, conflict.DeclarationLapsed)


def die(draft: Draft, character_id: str, cause: DeathCause) -> None:
    """Record a death. The character loses all Action Points and their place in the order. Actions declared by or
    against them lapse.
    """
    draft.about(character_id, CharacterDied(character_id, cause))
    lose_ap(draft, character_id, draft.count_ap(character_id), "death")
    draft.by(acting.DEATH, "dead", cause=cause)
    conflict.remove_from_conflict(draft, character_id)


# --- the decision ---------------------------------------------------------------------------------------------------

NO_DECISION_PENDING = Refusal(
    RESIST_DEATH,
    "no-decision-pending",
    "{character} has no terminal damage to decide about.",
)
NO_RESOLVE = SharedRefusal(
    "no-resolve",
    "{character} does not have enough Infernal Resolve[: {resolve} left].",
)


@fact(
    "infernal-resolve-spent",
    says=by_value(
        "purpose",
        {
            "avoid death": "{character} spends {amount:point|points} of Infernal Resolve to stay alive.",
            "occult": "{character} spends {amount:point|points} of Infernal Resolve on Occult.",
            "action points": "{character} spends {amount:point|points} of Infernal Resolve to gain Action Points.",
        },
    ),
)
class InfernalResolveSpent:
    """A character spent Infernal Resolve."""

    character: CharacterId
    amount: int
    purpose: ResolveUse


@changes
@once_created
def spend_to_live(state: Character, fact: InfernalResolveSpent) -> Character | None:
    if fact.purpose != "avoid death":
        return state
    return changed(state, dying=False) if state.dying else None


@fact(
    "action-point-maximum-imposed",
    says="While {character} has no Infernal Resolve, their Action Point maximum is {maximum}.",
)
class ActionPointMaximumImposed:
    """A character's Action Point maximum was lowered, because they have no Infernal Resolve."""

    character: CharacterId
    maximum: int


@changes
@once_created
def put_lowered_maximum(state: Character, fact: ActionPointMaximumImposed) -> Character:
    return changed(state, ap_imposed=True)


def impose_maximum(draft: Draft, character_id: str) -> None:
    if not draft.read_character(character_id).ap_imposed:
        draft.about(character_id, ActionPointMaximumImposed(character_id, 1))


@fact(
    "action-points-recovered",
    says=whether(
        "amount",
        "{character} recovers {amount:Action Point|Action Points}.",
        "{character} recovers, but gains no Action Points.",
    ),
)
class ActionPointsRecovered:
    """A character recovered Action Points. `counted`: whether this counts towards fatigue. `refresh`: whether the
    character had 1 or more Action Points before.
    """

    character: CharacterId
    amount: int
    refresh: bool
    counted: bool
    minute: int | None
    by: ApSource


@changes
@once_created
def note_recovery(state: Character, fact: ActionPointsRecovered) -> Character:
    refreshes = state.refreshes
    if fact.counted and fact.minute is not None:
        refreshes = tuple(sorted(minute for minute in (*refreshes, fact.minute) if minute > fact.minute - HOUR))
    minute = fact.minute if fact.minute is not None else state.minute
    is_recovering = state.recovering or fact.by == "recover"
    return changed(state, recovering=is_recovering, refreshes=refreshes, minute=minute)


@declares(
    "answer-terminal",
    either("character"),
    says=whether(
        "spend",
        "{character} spends Infernal Resolve to stay alive.",
        "{character} does not resist death.",
    ),
    records=(
        InfernalResolveSpent,
        ActionPointMaximumImposed,
        ActionPointsRecovered,
        CharacterStoodUp,
        sessions.SessionPlayed,
        *DEATH_FACTS,
    ),
)
class AnswerTerminal:
    """Decide whether a character who took terminal damage stays alive."""

    character: CharacterId
    spend: Annotated[
        bool,
        Says(
            "Spend Infernal Resolve",
            "If true, the character spends a point to stay alive. If false, the character dies.",
        ),
    ]
    recover: Annotated[
        bool,
        Says("Recover Action Points", "Whether the character also recovers all Action Points, if they stay alive."),
    ] = False


@decides
def answer_terminal(draft: Draft, do: AnswerTerminal) -> None:
    """Spend a point of Infernal Resolve to survive, or die. At some tables, the last point does not
    save the character.
    """
    character_id = do.character
    state = draft.read_character(character_id)
    if state.dead:
        raise acting.DEAD.under(acting.DEATH, character=character_id)
    if not state.dying:
        raise NO_DECISION_PENDING(character=character_id)
    if do.spend and draft.count_resolve(character_id) < 1:
        raise NO_RESOLVE.under(RESIST_DEATH, character=character_id)
    sessions.note_played(draft, character_id)
    if not do.spend:
        draft.by(RESIST_DEATH, "declined")
        die(draft, character_id, "terminal damage")
        return
    posting = accounts.make_posting(accounts.name_resolve(character_id), accounts.HELL, 1)
    draft.about(character_id, InfernalResolveSpent(character_id, 1, "avoid death"), posting)
    draft.by(RESIST_DEATH, draft.count_resolve(character_id), spent=1)
    if draft.count_resolve(character_id) < 1:
        if not draft.dials.last_resolve_point_saves:
            die(draft, character_id, "resolve")
            return
        if draft.dials.zero_resolve_collapse == "any_cause":
            impose_maximum(draft, character_id)
    if do.recover:
        _recover_all_ap(draft, character_id)


def _recover_all_ap(draft: Draft, character_id: str) -> None:
    """Restore all Action Points, and stand up. This is not an action, and does not count towards fatigue."""
    gained = draft.find_ap_maximum(character_id) - draft.count_ap(character_id)
    if gained > 0:
        fact = ActionPointsRecovered(character_id, gained, refresh=False, counted=False, minute=None, by="avoid death")
        draft.about(character_id, fact, accounts.make_posting(accounts.AP, accounts.name_ap(character_id), gained))
    stand_up(draft, character_id)


@offers
def offer_answers(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer a dying character the choice between spending a point and dying."""
    sight = get_sight(seen, draft)
    for character_id, state in sight.people.items():
        if state.dying and not state.dead:
            spend_values = (False, True) if sight.count_resolve(character_id) > 0 else (False,)
            fields: Fields = {"character": Among((character_id,)), "spend": Among(spend_values), "recover": OPEN}
            yield Move(AnswerTerminal, fields, awaits=TERMINAL)


# --- retiring --------------------------------------------------------------------------------------------------------


@decides
def retire(draft: Draft, do: Retire) -> None:
    """Remove a retired character from the order. Refuses `decision-pending` until a dying character has decided."""
    if draft.read_character(do.character).dying:
        raise acting.DECISION_PENDING.under(TERMINAL, character=do.character)
    conflict.remove_from_conflict(draft, do.character)


@offers(Retire)
def offer_to_retire(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to retire characters, except those who must first decide about terminal damage
    (`mongrel.damage.terminal`).
    """
    sight = get_sight(seen, draft)
    if retirable_ids := tuple(character_id for character_id in seen.characters if not sight.people[character_id].dying):
        yield Move(Retire, {"character": Among(retirable_ids), "reason": OPEN})
