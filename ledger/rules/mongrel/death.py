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
from ledger.rules.mongrel.sight import Fields, look
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


def lose_ap(draft: Draft, id: str, amount: int, cause: ApLoss) -> None:
    """Take away Action Points, but not below 0."""
    lost = min(amount, draft.count_ap(id))
    if lost > 0:
        draft.about(
            id, ActionPointsLost(id, lost, cause), accounts.make_posting(accounts.name_ap(id), accounts.AP, lost)
        )


def collapse(draft: Draft, id: str, cause: CollapseCause) -> None:
    """Make a character collapse: they lose all Action Points, and cannot defend until they recover one
    (`mongrel.damage.collapse`).
    """
    lose_ap(draft, id, draft.count_ap(id), "collapse")
    if not draft.read_character(id).collapsed:
        draft.about(id, CharacterCollapsed(id, cause))
    draft.by(acting.COLLAPSE, "collapsed", cause=cause)


@fact("character-stood-up", says="{character} gets up again.")
class CharacterStoodUp:
    """A collapsed character stood up."""

    character: CharacterId


@changes
@once_created
def end_collapse(state: Character, fact: CharacterStoodUp) -> Character | None:
    return changed(state, collapsed=False) if state.collapsed else None


def stand_up(draft: Draft, id: str) -> None:
    """End a collapse, when the first Action Point is recovered."""
    if draft.read_character(id).collapsed:
        draft.about(id, CharacterStoodUp(id))


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


def take_terminal(draft: Draft, id: str, cause: TerminalCause) -> None:
    """Apply terminal damage. A character without Infernal Resolve dies; a character who has some must decide
    (`mongrel.damage.terminal`).
    """
    collapse(draft, id, "terminal")
    may_decide = draft.count_resolve(id) > 0
    draft.about(id, TerminalDamageTaken(id, cause, may_decide))
    draft.by(TERMINAL, "decision" if may_decide else "dead", cause=cause, resolve=draft.count_resolve(id))
    if not may_decide:
        die(draft, id, "terminal damage")


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


def die(draft: Draft, id: str, cause: DeathCause) -> None:
    """Record a death. The character loses all Action Points and their place in the order. Actions declared by or
    against them lapse.
    """
    draft.about(id, CharacterDied(id, cause))
    lose_ap(draft, id, draft.count_ap(id), "death")
    draft.by(acting.DEATH, "dead", cause=cause)
    conflict.remove_from_conflict(draft, id)


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
def impose(state: Character, fact: ActionPointMaximumImposed) -> Character:
    return changed(state, ap_imposed=True)


def impose_maximum(draft: Draft, id: str) -> None:
    if not draft.read_character(id).ap_imposed:
        draft.about(id, ActionPointMaximumImposed(id, 1))


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
    id = do.character
    state = draft.read_character(id)
    if state.dead:
        raise acting.DEAD.under(acting.DEATH, character=id)
    if not state.dying:
        raise NO_DECISION_PENDING(character=id)
    if do.spend and draft.count_resolve(id) < 1:
        raise NO_RESOLVE.under(RESIST_DEATH, character=id)
    sessions.note_played(draft, id)
    if not do.spend:
        draft.by(RESIST_DEATH, "declined")
        die(draft, id, "terminal damage")
        return
    posting = accounts.make_posting(accounts.name_resolve(id), accounts.HELL, 1)
    draft.about(id, InfernalResolveSpent(id, 1, "avoid death"), posting)
    draft.by(RESIST_DEATH, draft.count_resolve(id), spent=1)
    if draft.count_resolve(id) < 1:
        if not draft.dials.last_resolve_point_saves:
            die(draft, id, "resolve")
            return
        if draft.dials.zero_resolve_collapse == "any_cause":
            impose_maximum(draft, id)
    if do.recover:
        _recover_all_ap(draft, id)


def _recover_all_ap(draft: Draft, id: str) -> None:
    """Restore all Action Points, and stand up. This is not an action, and does not count towards fatigue."""
    gained = draft.find_ap_maximum(id) - draft.count_ap(id)
    if gained > 0:
        fact = ActionPointsRecovered(id, gained, refresh=False, counted=False, minute=None, by="avoid death")
        draft.about(id, fact, accounts.make_posting(accounts.AP, accounts.name_ap(id), gained))
    stand_up(draft, id)


@offers
def offer_answers(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer a dying character the choice between spending a point and dying."""
    sight = look(seen, draft)
    for id, state in sight.people.items():
        if state.dying and not state.dead:
            spend_values = (False, True) if sight.count_resolve(id) > 0 else (False,)
            fields: Fields = {"character": Among((id,)), "spend": Among(spend_values), "recover": OPEN}
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
    sight = look(seen, draft)
    if retirable := tuple(id for id in seen.characters if not sight.people[id].dying):
        yield Move(Retire, {"character": Among(retirable), "reason": OPEN})
