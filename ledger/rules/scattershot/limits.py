"""Limits on new Personae, in points or in words."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Asking,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    SeatId,
    Seen,
    Title,
    ask_all,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    rule,
    seat,
)
from ledger.rules.scattershot.agreement import ask_all_to_agree, check_claim
from ledger.rules.scattershot.draft import NO, SOME_TEXT, WHOLE, YES, Draft, check_whole
from ledger.rules.scattershot.state import Seat
from ledger.rules.scattershot.words import NOT_AT_THE_TABLE, NOT_PROPRIETOR, Whole, say_reason

LIMIT = rule(
    "scattershot.persona.no-cap",
    "A new Persona can cost any number of Development Points, unless its Player sets a limit or agrees to"
    " one. The Gamemaster can limit only Regular Characters.",
    "Creating/Evolving a Character",
)
GM_MAY_NOT_CAP = Refusal(
    LIMIT, "gm-may-not-cap", "The Gamemaster can limit only Regular Characters, not {player}'s Personae."
)
LIMIT_IN_WORDS = rule(
    "scattershot.persona.limit-in-words",
    "A limit on new Personae can also be in words, such as a theme or a genre. It applies to the Players who"
    " agree to it.",
    "Creating/Evolving a Character",
)
WHICH_LIMIT = Refusal(LIMIT_IN_WORDS, "which-limit", "The limit is empty. Describe it in words.")


@fact(
    "point-limit-set",
    says=("{seat}'s new Personae start with at most {limit:Development Point|Development Points}[: {reason}]."),
    headline=28,
)
class PointLimitSet:
    """A limit was set on the starting points of the seat's new Personae. `reason`: why a Gamemaster recorded the
    Player's agreement, if one did.
    """

    seat: SeatId
    limit: int
    agreed: bool
    reason: Reason


@changes
def limit_points_of_seat(state: Seat, fact: PointLimitSet) -> Seat:
    return changed(state, limit=fact.limit)


@fact(
    "limit-declined",
    says=("{seat} does not agree to a limit of {limit:Development Point|Development Points} on new Personae."),
    headline=27,
    changes=None,
)
class LimitDeclined:
    """A Player did not agree to a limit on the starting points of new Personae."""

    seat: SeatId
    limit: int


def _name_limited(do: LimitPoints | LimitInWords, names: Names) -> str:
    return (
        names.name(seat(do.player))
        if do.player is not None
        else ("everybody" if do.agreed else "the Player who declares it")
    )


def say_limits(do: LimitPoints, names: Names) -> str:
    limited_phrase = _name_limited(do, names)
    return (
        f"A limit of {do.limit} on the Development Points of new Personae, for {limited_phrase}{say_reason(do.reason)}."
    )


@declares("limit-points", ANYONE, says=say_limits, records=(PointLimitSet, LimitDeclined))
class LimitPoints:
    """Limit the Development Points that new Personae can start with.

    `limit`: the highest number of Development Points that a new Persona can cost. `player`: the Player whose Personae
    are limited. Leave it out for your own, or for everybody's if the Group is asked. `agreed`: whether the Group is
    asked to agree. All Players, or the Player named, are then asked, and the limit binds those who agree. `claimed`:
    whether a Gamemaster records the agreement of the Players who would otherwise be asked. This needs a `reason`.
    """

    limit: Whole
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@decides
def limit_points(draft: Draft, do: LimitPoints) -> Asking[None]:
    """Limit a Player's own Personae, or those of all Players who agree. Without asking, a Gamemaster can limit only
    their own Personae.
    """
    limit = check_whole(do.limit, LIMIT)
    reason, agreements = yield from _ask_bound(draft, do, f"At most {limit} Development Points for your new Personae")
    for player, has_agreed in agreements.items():
        if has_agreed:
            draft.of(player, PointLimitSet(player, limit, do.agreed, reason))
        else:
            draft.of(player, LimitDeclined(player, limit))
        draft.by(LIMIT, limit if has_agreed else None, player=player)


ASK_LIMIT = Question("limit", "{purpose}. Do you agree?")


def _ask_bound(draft: Draft, do: LimitPoints | LimitInWords, purpose: str) -> Asking[tuple[str, dict[str, bool]]]:
    """Return the reason why a Gamemaster speaks for others (or ""), and whether each Player whom the limit would bind
    agrees.
    """
    author = draft.table.by
    player = do.player if do.player is not None else author.seat
    if player not in draft.list_players():
        raise NOT_AT_THE_TABLE.under(LIMIT, player=player)
    if player != author.seat and not do.agreed:
        raise (GM_MAY_NOT_CAP if author.role == "gm" else NOT_PROPRIETOR).under(LIMIT, player=player)
    bound_players = draft.list_players() if do.agreed and do.player is None else (player,)
    reason = do.reason.strip() if check_claim(draft, LIMIT, do) else ""
    if reason:
        return reason, dict.fromkeys(bound_players, True)
    answers = yield from ask_all(
        ask_all_to_agree(draft, (player,), LIMIT, ASK_LIMIT(), purpose) for player in bound_players
    )
    return reason, dict(zip(bound_players, answers, strict=True))


def say_limited_in_words(fact: WordLimitSet, names: Names) -> str:
    return f"{names.name(seat(fact.seat))}'s new Personae have a limit: {fact.words}{say_reason(fact.reason)}."


@fact("word-limit-set", says=say_limited_in_words)
class WordLimitSet:
    """A limit in words was set on the seat's new Personae. `reason`: why a Gamemaster recorded the Player's agreement,
    if one did.
    """

    seat: SeatId
    words: Title
    agreed: bool
    reason: Reason


@changes
def limit_seat_in_words(state: Seat, fact: WordLimitSet) -> Seat:
    return changed(state, words=tuple(dict.fromkeys((*state.words, fact.words))))


@fact("word-limit-declined", says="{seat} does not agree to a limit on new Personae: {words}.", changes=None)
class WordLimitDeclined:
    """A Player did not agree to a limit in words on new Personae."""

    seat: SeatId
    words: Title


def say_limits_in_words(do: LimitInWords, names: Names) -> str:
    return f"A limit on new Personae, for {_name_limited(do, names)}: {do.words}{say_reason(do.reason)}."


@declares("limit-in-words", ANYONE, says=say_limits_in_words, records=(WordLimitSet, WordLimitDeclined))
class LimitInWords:
    """Limit new Personae in words, for example to a theme or a genre. The limits are shown when a Persona is enrolled.

    `words`: the limit on new Personae, in words. `player`: the Player whose Personae are limited. Leave it out for your
    own, or for everybody's if the Group is asked. `agreed`: whether the Group is asked to agree. All Players, or the
    Player named, are then asked, and the limit binds those who agree. `claimed`: whether a Gamemaster records the
    agreement of the Players who would otherwise be asked. This needs a `reason`.
    """

    words: Title
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@decides
def limit_in_words(draft: Draft, do: LimitInWords) -> Asking[None]:
    """Limit new Personae in words, to a theme or genre. The limit works like a limit in points (`persona.no-cap`).
    Refuses `which-limit`.
    """
    words = do.words.strip()
    if not words:
        raise WHICH_LIMIT()
    reason, agreements = yield from _ask_bound(draft, do, f"A limit on your new Personae: {words}")
    for player, has_agreed in agreements.items():
        if has_agreed:
            draft.of(player, WordLimitSet(player, words, do.agreed, reason))
        else:
            draft.of(player, WordLimitDeclined(player, words))
        draft.by(LIMIT_IN_WORDS, words if has_agreed else None, player=player)


@offers
def offer_limits(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield limits on the seat's own Personae, on those of other Players with their consent, and limits that a
    Gamemaster records.
    """
    player_field_sets: list[dict[str, Domain]] = [{"player": Among((None, draft.me)), "agreed": OPEN}]
    other_players = tuple(player for player in draft.list_players() if player != draft.me)
    if other_players:
        player_field_sets.append({"player": Among(other_players), "agreed": YES})
    for fields in player_field_sets:
        yield Move(LimitPoints, {"limit": WHOLE, "claimed": NO, **fields})
        yield Move(LimitInWords, {"words": SOME_TEXT, "claimed": NO, **fields})
        if draft.is_by_gm:
            yield Move(LimitInWords, {"words": SOME_TEXT, "claimed": YES, "reason": SOME_TEXT, **fields})
            yield Move(LimitPoints, {"limit": WHOLE, "claimed": YES, "reason": SOME_TEXT, **fields})
