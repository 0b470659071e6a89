"""What can be accepted in this game and is no move: by kind, which ones, and why; and how moves spell what is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.kernel.table import load_campaign_entry, load_dials
from ledger.rules.kernel.world import Past
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.actions import RuleOrder
from ledger.rules.mnemonic.boards import LATE, LEFT
from ledger.rules.mnemonic.checks import EnterRoll
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.featherweight import AssignAptitude
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.rolls import RANK_OF, Card
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.state import Board, Character, make_rating_key
from ledger.rules.mnemonic.traits import TraitName
from ledger.rules.mnemonic.words import OTHER_WORDS, RANKS, SUITS, normalize_name
from tests.rules.moves import Unoffered


def _odd_suit(do: EnterRoll) -> bool:
    return any(card.suit is not None and card.suit not in SUITS for card in do.cards or ())


UNOFFERED: Unoffered = {
    EnterRoll: (_odd_suit, "Suits are the four of a pack."),
    RuleOrder: (lambda do: len(set(do.order)) < len(do.order), "Nobody acts twice in an order, though it can be said."),
}


# --- as moves spell it --------------------------------------------------------------------------------------------


def plainly(past: Past, do: Any) -> Any:
    """The same as moves say it: names as they are on record, nothing said twice, nothing that does not matter.

    None of what belongs to a scene that was closed long ago. And of a trait that nobody rated, while another of its
    kind has a rating no ladder knows: any name but that one cannot be said.
    """
    match do:
        case RuleInjury():
            check = None if do.cause == "referee" else do.cause_check
            do = replace(do, cause_check=check, worst=OTHER_WORDS.get(do.worst, do.worst))
        case TakePart():
            do = replace(do, characters=tuple(dict.fromkeys(do.characters)))
        case EnterRoll():
            do = _as_rolled(past, do)
    if do is None or any(
        _is_left(past, getattr(do, name, None)) for name in ("cause_check", "action", "check", "treated_by")
    ):
        return None
    return _named_plainly(past, do)


def _boards(past: Past) -> list[Board]:
    scenes = [past.told(scene(id)).state for id in load_campaign_entry(past).scenes]
    return [one.board for one in (past.told(CAMPAIGN).state, *scenes)]


def _is_left(past: Past, id: str | None) -> bool:
    boards = (*_boards(past), *_left(past))
    return id is not None and not any(board.checks.find(id) or board.actions.find(id) for board in boards)


def _left(past: Past) -> list[Board]:
    """Of the scenes that were closed of late, or in which something was begun afterwards."""
    campaign = past.told(CAMPAIGN).state
    scenes = [left.scene for left in (*campaign.left.list_latest(LEFT), *campaign.late.list_latest(LATE))]
    return [past.told(scene(id)).state.board for id in scenes]


def _as_rolled(past: Past, do: EnterRoll) -> EnterRoll | None:
    """Ranks as moves say them; numbers that do not count beside the voices are left out.

    None of more than two voices where there are flukes: whether another round is needed depends on their sum.
    """
    check = next((found for one in (*_boards(past), *_left(past)) if (found := one.checks.find(do.check))), None)
    if check is not None and check.ruled.method == "verbal" and check.ruled.readings.verbal_rule == "sum_mod_12":
        do = replace(do, numbers=None) if do.voices is not None else do
        rounds = do.voices if do.voices is not None else (do.numbers or (),)
        if check.ruled.readings.flukes and any(len(spoken) > 2 for spoken in rounds):
            return None
    cards = do.cards and tuple(Card(RANK_OF[RANKS[normalize_name(str(one.rank))]], one.suit) for one in do.cards)
    return replace(do, cards=cards)


def _named_plainly(past: Past, do: Any) -> Any:
    """Ratings, Chances, traits and tasks by the names under which they are on record; the same one once."""
    dials: Dials = load_dials(Dials, load_campaign_entry(past))
    ladder = ladders.read_rows(dials)
    said: dict[str, Any] = {}
    for name in ("rating", "importance"):
        rating = getattr(do, name, None)
        said[name] = (
            ladders.read_rating_row(ladder, rating)[0] if rating and ladders.has_rating(ladder, rating) else rating
        )
    said["chances"] = _spelled(getattr(do, "chances", None), [name for name, _ in ladders.read_chances(dials)])
    whose = past.find(character(str(getattr(do, "character", getattr(do, "victim", "")))))
    if whose is not None:
        if any(_beside_a_lost_rating(whose.state, dials, *one) for one in _traits_of(do)):
            return None
        talents, lives = ([one.name for one in whose.state.ratings.values() if one.kind == kind] for kind in KINDS)
        said["traits"] = tuple(_trait(one, talents, lives) for one in getattr(do, "traits", ()))
        said["talent"] = _spelled(getattr(do, "talent", None), talents)
        said["role"] = _spelled(getattr(do, "role", None), lives)
        roles = [_spelled(one, lives) for one in getattr(do, "life_roles", ())]
        said["life_roles"] = tuple(dict.fromkeys(roles))
        if (
            isinstance(do, AssignAptitude)
            and do.ref is None
            and (log := whose.state.tasks.find(normalize_name(do.task)))
        ):
            said["task"] = log.last.task
    return replace(do, **{name: value for name, value in said.items() if hasattr(do, name)})


KINDS = ("talent", "life")


def _traits_of(do: Any) -> Iterator[tuple[str, str | None]]:
    """Kind and name of every trait that is named."""
    yield from ((one.kind, one.name) for one in getattr(do, "traits", ()))
    yield "talent", getattr(do, "talent", None)
    yield from (("life", one) for one in (getattr(do, "role", None), *getattr(do, "life_roles", ())))


def _beside_a_lost_rating(being: Character, dials: Dials, kind: str, name: str | None) -> bool:
    if name is None or make_rating_key(kind, name) in being.ratings:
        return False
    ladder = ladders.read_rows(dials)
    return any(one.kind == kind and not ladders.has_rating(ladder, one.rating) for one in being.ratings.values())


def _trait(one: TraitName, talents: list[str], lives: list[str]) -> TraitName:
    """The Primary Role needs no name."""
    if one.kind == "primary":
        return TraitName("primary")
    return TraitName(one.kind, _spelled(one.name, talents if one.kind == "talent" else lives))


def _spelled(name: Any, known: list[str]) -> Any:
    if not isinstance(name, str):
        return name
    return next((one for one in known if normalize_name(one) == normalize_name(name)), name)
