"""The chapter Healing: the pairs of characters in conflict, and the points that opponents gain when
a character heals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, TypeAlias

from ledger.rules.intensity.advantage_points import gain_points
from ledger.rules.intensity.draft import Draft, check_text
from ledger.rules.intensity.impact import is_hurt
from ledger.rules.intensity.state import Campaign, Round, RoundId, quote, sort_pair, word_people
from ledger.rules.kernel.kit import (
    GM,
    Among,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Says,
    Seen,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    rule,
)

CONFLICT = rule(
    "intensity.heal.conflict",
    "Not in the source: two characters are in conflict if, since the last healing moment, one of them"
    " declared the other as the target in a round that was rolled. A game master may rule that two other"
    " characters were in conflict, too. A healing moment shows all these pairs.",
    outcome="character",
)
NOT_GAME_MASTER = Refusal(CONFLICT, "not-game-master", "Only a game master can add a conflict, and {seat} is not one.")
SELF = Refusal(CONFLICT, "self", "A conflict needs two characters. Choose somebody other than {char}.")


def say_in_conflict(do_or_fact: NoteConflict | ConflictNoted | InConflict, names: Names) -> str:
    return quote(
        f"The table rules that {word_people(names, (do_or_fact.a, do_or_fact.b))} were in conflict", do_or_fact.reason
    )


@fact("conflict-noted", says=say_in_conflict)
class ConflictNoted:
    """Subject: the campaign. The table ruled that two characters were in conflict. The order of `a` and `b` does not
    matter.
    """

    a: CharacterId
    b: CharacterId
    reason: Reason


@fact("conflict-linked", says="{a} and {b} are in conflict.")
class ConflictLinked:
    """Subject: the campaign. Two characters got into conflict. The order of `a` and `b` does not matter."""

    a: CharacterId
    b: CharacterId
    round: RoundId


@changes
def add_link(state: Campaign, fact: ConflictLinked | ConflictNoted) -> Campaign:
    link = sort_pair(fact.a, fact.b)
    return state if link in state.links else changed(state, links=(*state.links, link))


@declares("note-conflict", GM, says=say_in_conflict, records=(ConflictNoted,))
class NoteConflict:
    """Rule that two characters were in conflict since the last healing moment. `reason`: why they were in conflict."""

    a: Annotated[CharacterId, Says("First character")]
    b: Annotated[CharacterId, Says("Second character")]
    reason: Reason


@dataclass(frozen=True, slots=True)
class InConflict:
    """Two characters who were in conflict. `reason`: why they were in conflict."""

    a: Annotated[CharacterId, Says("First character")]
    b: Annotated[CharacterId, Says("Second character")]
    reason: Reason


OtherPairs: TypeAlias = Annotated[
    tuple[InConflict, ...],
    Says("Others who were in conflict", "Each record names two characters and says why they were in conflict."),
]


@decides
def note_conflict(draft: Draft, do: NoteConflict) -> None:
    """Rule that two characters were in conflict since the last healing moment."""
    check_pair(draft, do)
    note_pair(draft, do)


def check_pair(draft: Draft, do: NoteConflict | InConflict) -> None:
    """Check the pair. Refuses `unknown-character`, `self`, `text-blank`."""
    draft.check_character(do.a)
    draft.check_character(do.b)
    if do.a == do.b:
        raise SELF(char=do.a)
    check_text(CONFLICT, "reason", do.reason)


def note_pair(draft: Draft, do: NoteConflict | InConflict) -> None:
    draft.campaign_wide(ConflictNoted(do.a, do.b, do.reason))
    draft.by(CONFLICT, [do.a, do.b], reason=do.reason)


def link_opponents(draft: Draft, round: Round) -> None:
    """Record the pairs of participants that the roll brings into conflict."""
    for a, b in _list_conflicts(draft, round):
        draft.campaign_wide(ConflictLinked(a, b, round.id))
        draft.by(CONFLICT, [a, b], link=draft.dials.conflict_link)


def _list_conflicts(draft: Draft, round: Round) -> list[tuple[str, str]]:
    """Return the pairs in conflict, each once: every participant with their declared target or, if an option says so,
    every participant with every other.
    """
    if draft.dials.conflict_link == "shared_round":
        return list(combinations(draft.sort_by_name(round.participants), 2))
    pairs: dict[tuple[str, ...], None] = {}
    for char, participant in round.participants.items():
        if participant.target is not None:
            pairs[draft.sort_by_name((char, participant.target))] = None
    return [(a, b) for a, b in pairs]


@offers
def offer_conflicts(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fields in list_pair_fields(draft):
        yield Move(NoteConflict, fields)


def list_pair_fields(draft: Draft) -> Iterator[dict[str, Domain]]:
    """Yield the fields for each character's pairs with the others."""
    present = draft.present
    for char in present if len(present) > 1 else ():
        yield {"a": Among((char,)), "b": Among(tuple(other for other in present if other != char))}


# --- at a healing moment ---------------------------------------------------------------------------------------------

OPPONENTS = rule(
    "intensity.heal.opponents",
    "A main character who has neither damage nor a wound gains advantage points when somebody they were"
    " in conflict with heals: 1 against a character who heals damage, 2 against one who heals a wound.",
    "Healing",
    step="{unharmed} is unharmed and was in conflict with {healing}, who heals:"
    " {out:advantage point|advantage points}.",
)
#: The pairs in conflict, as the campaign's state stores them.
Links: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    a: CharacterId
    b: CharacterId


def say_conflicts(fact: ConflictsCounted, names: Names) -> str:
    pairs = "; ".join(word_people(names, (pair.a, pair.b)) for pair in fact.pairs)
    return f"In conflict with each other: {pairs}." if pairs else "Nobody was in conflict."


@fact("conflicts-counted", says=say_conflicts, changes=None)
class ConflictsCounted:
    """Subject: the campaign. These pairs were in conflict at a healing moment."""

    pairs: tuple[Pair, ...]


@fact("conflict-links-cleared", says="Earlier conflicts no longer count.")
class ConflictLinksCleared:
    """Subject: the campaign. Earlier conflicts no longer count."""


@changes
def clear_links(state: Campaign, fact: ConflictLinksCleared) -> Campaign:
    return changed(state, links=())


#: The facts that a healing moment records about conflicts.
COUNTED = (ConflictNoted, ConflictsCounted, ConflictLinksCleared)


def list_links_with(draft: Draft, added: Iterable[InConflict]) -> Links:
    """Return the pairs in conflict, including those that a game master adds. Refuses `not-game-master`."""
    links = set(draft.read_campaign().links)
    for added_pair in added:
        if draft.table.by.role != "gm":
            raise NOT_GAME_MASTER(seat=draft.table.by.seat)
        check_pair(draft, added_pair)
        links.add(sort_pair(added_pair.a, added_pair.b))
    return tuple(sorted(link for link in links if all(draft.table.has(character(char)) for char in link)))


def record_conflicts(draft: Draft, links: Links) -> None:
    draft.campaign_wide(ConflictsCounted(tuple(Pair(*link) for link in links)))


def award_points(draft: Draft, healing: Mapping[str, int], links: Links) -> None:
    """Give each unharmed main character advantage points against every linked opponent who heals: 1 for damage, 2 for a
    wound.
    """
    for main_char in draft.list_character_ids():
        char_state = draft.read_character(main_char)
        if char_state.kind != "main" or draft.is_gone(main_char) or is_hurt(char_state):
            continue
        for other, worth in healing.items():
            if sort_pair(main_char, other) in links:
                draft.by(OPPONENTS, worth, unharmed=main_char, healing=other)
                gain_points(draft, main_char, other, worth, f"healing:{draft.table.number}")


# --- views -----------------------------------------------------------------------------------------------------------

LABELS = {"in_conflict": "In conflict with each other"}


def view_campaign(campaign: Campaign) -> dict[str, object]:
    links = [list(link) for link in sorted(campaign.links)]
    return {"healed_on": campaign.healed_on, "last_scene": campaign.last_scene, "in_conflict": links}


def say_opponents(draft: Draft, char: str, links: Links) -> str:
    """Return a sentence that names the characters in conflict with this one, who may gain advantage points when it
    heals.
    """
    others = [other for link in links if char in link for other in link if other != char]
    return f" In conflict with {draft.table.name(character(char))}: {word_people(draft, others)}." if others else ""
