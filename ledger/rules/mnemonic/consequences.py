"""Consequences of a Spectacular Success or Failure, and when a character can die of one directly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Move,
    Names,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.mnemonic.boards import find_check
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.flukes import SPECTACULAR
from ledger.rules.mnemonic.injuries import (
    ALREADY_INJURED,
    NOT_SPECTACULAR,
    InjuryResolved,
    make_result,
    record_injury,
)
from ledger.rules.mnemonic.records import Rolled
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.state import Check, is_of_roll, of_its_check
from ledger.rules.mnemonic.status import Status, StatusChanged
from ledger.rules.mnemonic.words import INACTIVE, CheckId, quote

NO_DEATH = rule(
    "mnemonic.fluke.no-death",
    "A Spectacular Failure can kill directly only if the referee ruled before the roll that life was at stake.",
    "flukes",
)
NOT_AT_STAKE = Refusal(
    NO_DEATH,
    "death-not-at-stake",
    "Life was not at stake in this check, so nobody can die from it.",
)


def say_consequence(do_or_fact: NarrateConsequence | ConsequenceNarrated, names: Names) -> str:
    death_phrase = f" {names.name(character(do_or_fact.death))} dies." if do_or_fact.death is not None else ""
    return f"Consequence: {quote(do_or_fact.text)}{death_phrase}"


@fact("consequence-narrated", 2, says=say_consequence)
class ConsequenceNarrated:
    """The consequence of a Spectacular result was described. `death`: the character who dies of it. `marked`: true if
    life was not at stake when the referee ruled on the check. `rolled`: the roll with the Spectacular result.
    """

    check: CheckId
    text: Story
    death: CharacterId | None
    marked: bool
    rolled: Rolled | None = None


@changes
@of_its_check
def put_consequence(check: Check, fact: ConsequenceNarrated) -> Check | None:
    if may_narrate(check) is not None or not is_of_roll(check, fact.rolled):
        return None
    return changed(check, injured=(*check.injured, fact.death)) if fact.death is not None else check


@declares(
    "narrate-consequence",
    REFEREE,
    says=say_consequence,
    records=(ConsequenceNarrated, InjuryResolved, StatusChanged),
)
class NarrateConsequence:
    """Describe the consequence of a Spectacular Success or Failure.

    `death`: the character who dies of a Spectacular Failure, if any.
    """

    check: CheckId
    text: Annotated[Story, Says("Consequence")]
    death: Annotated[CharacterId | None, Says("Who dies")] = None


@guards
def may_narrate(check: Check) -> Refused | None:
    """Refuse a check that did not end in a Spectacular Success or Failure."""
    fluke = check.resolved.fluke if check.resolved is not None else None
    is_spectacular = fluke is not None and fluke.startswith("spectacular")
    return None if is_spectacular else NOT_SPECTACULAR.under(SPECTACULAR, check=check.ruled.check)


@guards
def may_kill(check: Check) -> Refused | None:
    """Refuse a death unless the result is a Spectacular Failure, and life was at stake or an option
    allows the death.
    """
    if check.resolved is None or check.resolved.fluke != "spectacular_failure":
        return NOT_SPECTACULAR(check=check.ruled.check)
    is_allowed = check.ruled.life_or_death or check.ruled.readings.death_guard != "refuse"
    return None if is_allowed else NOT_AT_STAKE(check=check.ruled.check)


def _must_mark_death(check: Check) -> bool:
    return not check.ruled.life_or_death and check.ruled.readings.death_guard == "warn"


@guards
def may_die(draft: Draft, check: Check, victim: str) -> Refused | None:
    """Refuse a death of a character whom the check has already injured. If they are already dead, only the description
    changes.
    """
    if draft.character(victim).condition == "dead" or victim not in check.injured:
        return None
    return ALREADY_INJURED(check=check.ruled.check, victim=victim)


@decides
def narrate_consequence(draft: Draft, do: NarrateConsequence) -> None:
    """Record the consequence of a Spectacular result. A death must have been at stake, and takes effect at once."""
    require(may_rule(draft))
    place_and_check = find_check(draft.table, do.check)
    if place_and_check is None:
        raise NOT_SPECTACULAR.under(SPECTACULAR, check=do.check)
    place, check = place_and_check
    require(may_narrate(check))
    result = check.resolved
    assert result is not None, "`may_narrate` has checked this"
    draft.by(SPECTACULAR, result.fluke, check=do.check)
    if do.death is None:
        draft.tell(place, ConsequenceNarrated(do.check, do.text, None, False, result.rolled))
        return
    is_dead = draft.character(do.death).condition == "dead"
    require(may_kill(check))
    is_marked = _must_mark_death(check)
    draft.by(NO_DEATH, "marked" if is_marked else "allowed", death=do.death)
    draft.tell(place, ConsequenceNarrated(do.check, do.text, do.death, is_marked, result.rolled))
    require(may_die(draft, check, do.death))
    if not is_dead:
        dead_status, combine = Status(INACTIVE, "dead"), draft.dials.status_combine
        injury = make_result(draft.table.new_id(), dead_status, combine, None, result.rolled)
        record_injury(draft, do.death, injury, None)


@offers
def offer_consequences(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    spectacular_checks = [check for check in draft.boards.resolved_checks if may_narrate(check) is None]
    if spectacular_checks:
        yield Move(NarrateConsequence, {"check": Among(tuple(check.ruled.check for check in spectacular_checks))})
    for check in spectacular_checks:
        victim_ids = tuple(character_id for character_id in draft.roster if may_die(draft, check, character_id) is None)
        if may_kill(check) is None and victim_ids:
            yield Move(NarrateConsequence, {"check": Among((check.ruled.check,)), "death": Among(victim_ids)})
