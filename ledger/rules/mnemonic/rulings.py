"""The referee's decisions about a check before its roll: two traits or an assigned Aptitude, Chances and the method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    CharacterId,
    Domain,
    Either,
    Move,
    Reason,
    Says,
    Seen,
    decides,
    declares,
    offers,
    require,
)
from ledger.rules.mnemonic.actions import (
    BEFORE_ROLL,
    OUT_OF_ORDER,
    list_actions_to_rule_on,
    may_attempt,
    read_declared_action,
)
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Being, Draft
from ledger.rules.mnemonic.featherweight import AptitudeUsed, list_assigning_moves, may_use_sheets, use_assignment
from ledger.rules.mnemonic.flukes import has_flukes
from ledger.rules.mnemonic.ladders import BOUNDS, CHANCES_RATING, read_chances_row
from ledger.rules.mnemonic.records import CheckRuled, Readings
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.rolls import list_methods, read_method
from ledger.rules.mnemonic.sessions import BegunLate, record_on_board
from ledger.rules.mnemonic.state import Action, Character
from ledger.rules.mnemonic.traits import (
    SUM,
    Aptitude,
    TraitName,
    add_traits,
    list_pairs,
    list_rating_moves,
    may_name_traits,
)
from ledger.rules.mnemonic.words import (
    ActionId,
    AssignmentOfCharacter,
    ChancesName,
    LifeOrDeath,
    Method,
    MethodWord,
    NeedsBody,
)


@declares(
    "rule-check",
    REFEREE,
    says="{character} must make a Success Check. Chances: {chances}[ (“{reason}”)].",
    records=(CheckRuled, AptitudeUsed, BegunLate),
)
class RuleCheck:
    """Rule on a Success Check for an action: choose two traits or an assigned Aptitude, and the Chances.

    `method`: leave it out for the usual way to roll. `action`: the declared action. If there is none, say whether the
    attempt is physical. `reason`: why you make this ruling. A reason is usually given.
    """

    character: CharacterId
    chances: ChancesName
    traits: tuple[TraitName, ...] = ()
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "It counts instead of traits.")] = None
    method: MethodWord | None = None
    life_or_death: LifeOrDeath = False
    reason: Reason = ""
    action: ActionId | None = None
    physical: NeedsBody = True


@decides
def rule_check(draft: Draft, do: RuleCheck) -> None:
    """Rule on a check before its roll: two traits (or an assigned Aptitude), Chances and the method."""
    require(may_rule(draft))
    state = draft.character(do.character)
    place, is_physical = draft.place(), do.physical
    if do.action is not None:
        place, action = read_declared_action(draft, do.action)
        is_physical = action.physical
        if action.character != do.character:
            raise OUT_OF_ORDER(action=do.action)
    require(may_attempt(draft, do.character, is_physical))
    require(may_name_traits(SUM, do.assigned, do.traits))
    dials = draft.dials
    aptitude = _work_out_aptitude(dials, state, do)
    chances = read_chances_row(dials, do.chances)
    method = read_method(dials, do.method)
    ruled_check = CheckRuled(
        draft.table.new_id(),
        "action",
        do.character,
        aptitude.traits,
        aptitude.number,
        aptitude.source,
        aptitude.assigned,
        *chances,
        method,
        do.life_or_death,
        keep_readings(dials, method),
        do.reason,
        action=do.action,
    )
    record_on_board(draft, place, ruled_check)
    use_up_aptitude(draft, ruled_check)
    draft.cite_steps(aptitude.because)
    cite_ruling(draft, ruled_check)


def _work_out_aptitude(dials: Dials, state: Character, do: RuleCheck) -> Aptitude:
    if do.assigned is not None:
        return use_assignment(dials, state, do.assigned)
    require(may_use_sheets(dials))
    return add_traits(dials, state, do.traits)


def keep_readings(dials: Dials, method: Method) -> Readings:
    """Return the options under which a check is ruled. The check keeps them, even if they change later."""
    return Readings(
        has_flukes(dials, method),
        dials.flukes_normal_uses,
        dials.random_three_reading,
        dials.random_verbal_rule,
        dials.flukes_automatic_reading,
        dials.flukes_solid,
        dials.flukes_spectacular,
        dials.flukes_death_guard,
        dials.status_combine,
        dials.recovery_check_reading,
    )


def use_up_aptitude(draft: Draft, ruled_check: CheckRuled) -> None:
    """Use up an assigned Aptitude, which counts for only one check."""
    if ruled_check.assigned is not None:
        draft.about(ruled_check.character, AptitudeUsed(ruled_check.assigned, ruled_check.check, ruled_check.seen_by))


def cite_ruling(draft: Draft, ruled_check: CheckRuled) -> None:
    """Cite the rules on the bounds and the Chances, and record the check as ruled."""
    draft.by(BOUNDS, ruled_check.aptitude)
    draft.by(CHANCES_RATING, ruled_check.chances_number, chances=ruled_check.chances)
    draft.by(BEFORE_ROLL, "ruled", check=ruled_check.check, method=ruled_check.method)


# --- offers -----------------------------------------------------------------------------------------------------------


@offers
def offer_checks(seen: Seen, draft: Draft) -> Iterator[Move]:
    for actions, awaits in list_actions_to_rule_on(draft):
        for action in actions:
            yield from offer_to_referees(draft, _list_moves_for_action(draft, action, awaits))
    if may_rule(draft) is None:
        for beings in draft.groups_with_same_rulings:
            yield from offer_to_referees(draft, _list_moves_without_action(draft, beings))


def _list_moves_for_action(draft: Draft, action: Action, awaits: str | None) -> Iterator[Move]:
    """Yield moves that rule on a check for an action. The action says whether it is physical.

    If the character has no Aptitude to use, yield the moves that rate traits or assign an Aptitude. The Primary Role
    alone is not enough, because an Aptitude needs two traits.
    """
    if action.character not in draft.roster or may_attempt(draft, action.character, action.physical) is not None:
        return
    being = draft.beings_by_id[action.character]
    aptitude_fields = list(_list_aptitude_fields(draft, being))
    for fields in aptitude_fields:
        fields |= {"character": Among((being.id,)), "action": Among((action.id,)), "physical": OPEN}
        yield Move(RuleCheck, fields, awaits)
    if awaits and not aptitude_fields:
        if may_use_sheets(draft.dials) is None:
            yield from list_rating_moves(draft, (being.id,), awaits)
        yield from list_assigning_moves(draft, being, awaits)


def _list_moves_without_action(draft: Draft, beings: list[Being]) -> Iterator[Move]:
    """Yield moves that rule on a check without a declared action."""
    character_id = beings[0].id
    physical_values = tuple(
        is_physical for is_physical in (True, False) if may_attempt(draft, character_id, is_physical) is None
    )
    if physical_values:
        characters = Among(tuple(being.id for being in beings))
        for fields in _list_aptitude_fields(draft, beings[0]):
            yield Move(RuleCheck, {**fields, "character": characters, "physical": Among(physical_values)})


def _list_aptitude_fields(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield the fields for two traits, or for an assigned Aptitude."""
    check_fields: dict[str, Domain] = {**make_check_fields(draft), "life_or_death": OPEN}
    if assignment_ids := draft.list_usable_assignment_ids(being):
        yield {**check_fields, "assigned": Among(assignment_ids)}
    if may_use_sheets(draft.dials) is None and (pairs := list_pairs(being)):
        yield {**check_fields, "traits": Either(pairs)}


def make_check_fields(draft: Draft) -> dict[str, Domain]:
    """Return the fields for the Chances on the current ladder, and for the table's methods."""
    return {"chances": Among(draft.chances), "method": Among(list_methods(draft.dials))}
