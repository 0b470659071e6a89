"""Asking people to agree, declaring for another seat, and reading faces that are typed in or asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import not_
from typing import Literal, Protocol

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    Asking,
    Declarer,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    SeatId,
    Seen,
    SharedRefusal,
    Story,
    Table,
    ask,
    ask_all,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    offers,
    roll,
    rule,
    seat,
)
from ledger.rules.scattershot.draft import NO, SOME_TEXT, YES, Draft
from ledger.rules.scattershot.state import Campaign
from ledger.rules.scattershot.words import (
    BAD_D10,
    BAD_NUMBER,
    ID_PATTERN,
    NO_REASON,
    NOT_PROPRIETOR,
    Claim,
    by_value,
    name_rating,
    quote,
    say_reason,
    whether,
)


@choice("agree", by="asked", says="Agreed.")
class Agree:
    """Agree. Only the Player who is asked can do this."""


@choice("decline", by="asked", says="Declined.")
class Decline:
    """Decline. Only the Player who is asked can do this."""


@choice(
    "speak-for",
    by="gm",
    says=whether(
        "agreed",
        "A Gamemaster agrees for the Player: “{reason}”",
        "A Gamemaster declines for the Player: “{reason}”",
    ),
)
class SpeakFor:
    """As a Gamemaster, answer for the Player who is asked, and say why the Player does not answer.

    `agreed`: the Player's answer.
    """

    agreed: bool
    reason: Reason


class Claiming(Protocol):
    """A declaration in which a Gamemaster can state that others agreed, with the reason why they were not asked."""

    @property
    def claimed(self) -> bool: ...
    @property
    def reason(self) -> str: ...


def ask_to_agree(draft: Draft, player: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return whether this Player agrees, or a Gamemaster for them. A Gamemaster's answer without a reason is unfit:
    `no-reason`.
    """
    answer = yield from ask(player, Agree, Decline, SpeakFor, slot=slot, purpose=purpose)
    if not isinstance(answer, SpeakFor):
        return isinstance(answer, Agree)
    if not answer.reason.strip():
        raise NO_REASON.unfit(rule)
    draft.note_answer_for_player(rule, player, answer.agreed, answer.reason)
    return answer.agreed


def ask_for_decliner(draft: Draft, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[str | None]:
    """Ask all these seats at once, and return the first that declines, or None. The declaring seat is not asked,
    because its declaration counts as agreement.
    """
    asked_seats = [player for player in seats if player != draft.me]
    answers = yield from ask_all(
        (ask_to_agree(draft, player, rule, slot, purpose) for player in asked_seats), is_final=not_
    )
    return None if all(answers) else asked_seats[len(answers) - 1]


NOTHING_MORE = rule(
    "scattershot.mib.nothing-more",
    "If the table uses automatic steps, the Players present are asked whether they want to do anything before the "
    "totals are called out; in Solo Play, only the Actor's Player is asked. If one of them wants to, the Decision "
    "Phase continues.",
    "Adding/Subtracting Experience Dice",
)
HELD = Refusal(NOTHING_MORE, "held", "{player} wants to do something before the totals are called out.")


@choice("go-on", by="asked", says="Nothing more.")
class GoOn:
    """Do nothing more before the outcome."""


@choice(
    "hold",
    by="asked",
    says=by_value("before", {"totals": "Wait before the totals.", "outcome": "Wait after the totals."}),
)
class Hold:
    """Do something before the outcome. `before`: `totals`, for example to roll an Experience Die; `outcome`, for
    example to take a Benefit or a Challenge after the totals.
    """

    before: Literal["totals", "outcome"]


@choice("go-on-for", by="gm", says="A Gamemaster goes on without an answer: “{reason}”")
class GoOnFor:
    """As a Gamemaster, go on without the Player who is asked, and say why the Player does not answer."""

    reason: Reason


ASK_NOTHING_MORE = Question("nothing-more", "Everybody has rolled. Do you want to do anything before the outcome?")


def ask_for_holders(draft: Draft, actor_player: str) -> Asking[tuple[str, ...]]:
    """Return the Players who want to do something between the totals and the outcome. The Players are asked only if
    steps follow automatically: all who are present or, in Solo Play, only the Actor's. If one of them wants to do
    something before the totals, the declaration is declined with `held`.
    """
    players = (actor_player,) if draft.find_mode() == "solo" else draft.list_group()
    asked_players = [player for player in players if not draft.is_gm(player)] if draft.table.steps_follow else []
    answers = yield from ask_all(map(_ask_to_hold, asked_players))
    for player, is_holding in zip(asked_players, answers, strict=True):
        draft.by(NOTHING_MORE, not is_holding, player=player)
    return tuple(player for player, is_holding in zip(asked_players, answers, strict=True) if is_holding)


def _ask_to_hold(player: str) -> Asking[bool]:
    """Return whether the Player wants to do something before the outcome."""
    answer = yield from ask(player, GoOn, Hold, GoOnFor, slot=ASK_NOTHING_MORE(player))
    if isinstance(answer, GoOnFor) and not answer.reason.strip():
        raise NO_REASON.unfit(NOTHING_MORE)
    if isinstance(answer, Hold) and answer.before == "totals":
        raise HELD.declined(player=player)
    return isinstance(answer, Hold)


def check_claim(draft: Draft, rule: str, do: Claiming) -> bool:
    """Return whether a Gamemaster records the answer of the others, with a reason. Refuses `not-proprietor`,
    `no-reason`.
    """
    if not do.claimed:
        return False
    if not draft.is_by_gm:
        raise NOT_PROPRIETOR.under(rule, claimed=True)
    if not do.reason.strip():
        raise NO_REASON.under(rule, claimed=True)
    return True


def ask_all_to_agree(draft: Draft, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[bool]:
    return (yield from ask_for_decliner(draft, seats, rule, slot, purpose)) is None


def ask_to_grant_dice(draft: Draft, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return whether the dice that a Player claims are granted. The option `dice-granted-by` says who grants them: the
    Gamemaster or the Group.

    A Gamemaster's own declaration counts as agreement.
    """
    if draft.dials.dice_granted_by == "group":
        return (yield from ask_all_to_agree(draft, draft.list_group(), rule, slot, purpose))
    if draft.is_by_gm:
        return True
    return (yield from ask_all_to_agree(draft, (draft.find_gm(),), rule, slot, purpose))


def say_declined(fact: DiceDeclined, names: Names) -> str:
    claim_phrase = {
        "coup": "the coup",
        "payback": "the Payback",
        "cash-in": "dice for points given up",
        "award": "an award",
    }[fact.claim]
    source_phrase = (
        "" if ID_PATTERN.fullmatch(fact.source) or not fact.source.strip() else f" ({name_rating(fact.source)})"
    )
    return f"{names.name(seat(fact.player))} is not granted {claim_phrase}{source_phrase}."


@fact("dice-declined", says=say_declined, headline=43, changes=None)
class DiceDeclined:
    """The dice for a coup, a Payback, an award or a cashed-in characteristic were not granted."""

    player: SeatId
    claim: Claim
    source: Reason


def decline_dice(draft: Draft, rule: str, player: str, claim: Claim, source: str) -> None:
    """Record that dice were claimed but not granted."""
    draft.of(player, DiceDeclined(player, claim, source))
    draft.by(rule, 0, claim=claim)


# --- the declaring seat -----------------------------------------------------------------------------------------------


class OfAPlayer(Protocol):
    @property
    def player(self) -> str | None: ...


class OfACaller(Protocol):
    @property
    def caller(self) -> str | None: ...


def _find_player(table: Table[object], do: OfAPlayer) -> str:
    """Return the seat named in the declaration, or else the declaring seat."""
    return do.player if do.player is not None else table.by.seat


def _find_caller(table: Table[object], do: OfACaller) -> str:
    return do.caller if do.caller is not None else table.by.seat


ABOUT_A_PLAYER = Declarer("seat", _find_player, "the Player concerned, or a game master")
BY_A_PLAYER = Declarer("seat", _find_player, "the Player who does it, or a game master")
BY_ITS_CALLER = Declarer("seat", _find_caller, "the Player who calls for it, or a game master")


# --- faces ------------------------------------------------------------------------------------------------------------


BASIC_MIB = rule(
    "scattershot.mib.basic",
    "A MIB (Made-It-By number) is the modified Rating minus the sum of two ten-sided dice, plus or minus any"
    " Experience Dice.",
    "MIB numbers",
)


def read_faces(
    typed: object, dice_count: int, sides: int, rule: str, bad_face: SharedRefusal
) -> tuple[int, ...] | None:
    """Return the faces that were typed in, or None if they must be asked for.

    Refuses `bad_face`, or `bad-number` for the wrong number of six-sided dice.
    """
    if typed is None:
        return None
    if not isinstance(typed, list | tuple) or len(typed) != dice_count:
        raise (BAD_NUMBER if sides == 6 else bad_face).under(rule, faces=str(typed))
    for face in typed:
        if type(face) is not int or not 1 <= face <= sides:
            raise bad_face.under(rule, face=str(face))
    return tuple(typed)


def roll_two_d10(char_id: str | None, slot: str, purpose: str) -> Asking[tuple[int, ...]]:
    subject, refusal_code = character(char_id) if char_id is not None else None, BAD_D10.code
    faces = yield from roll(
        subject, 2, 10, slot=slot, purpose=purpose, rule=BASIC_MIB, count_code=refusal_code, face_code=refusal_code
    )
    return faces


# --- consensus and rulings ----------------------------------------------------------------------------------------


CONSENSUS = rule(
    "scattershot.play.consensus",
    "Any Player can ask the Group to agree on something that the rules leave open. The Group agrees if all"
    " other Players present say yes.",
    "Consensus",
)


NO_AGREEMENT = Refusal(CONSENSUS, "no-agreement", "Give both a subject and a text for the Group to agree on.")


def say_consensus(fact: ConsensusReached, names: Names) -> str:
    return f"The Group agrees on {fact.subject.strip()}{say_reason(fact.reason)}{quote(fact.text)}"


@fact("consensus-reached", says=say_consensus, headline=5)
class ConsensusReached:
    """The Group agreed on a question that the rules leave open. `reason`: why a Gamemaster recorded the agreement for
    the others, if one did.
    """

    subject: Reason
    text: Story
    reason: Reason


@changes
def keep_agreement(state: Campaign, fact: ConsensusReached) -> Campaign:
    return changed(state, agreements={**state.agreements, fact.subject: fact.text})


def say_no_consensus(fact: ConsensusFailed, names: Names) -> str:
    decliner_name = names.name(seat(fact.against))
    return f"The Group does not agree on {fact.subject.strip()}, because {decliner_name} declines{quote(fact.text)}"


@fact("consensus-failed", says=say_no_consensus, headline=6, changes=None)
class ConsensusFailed:
    """The Group did not agree. `against`: the first Player who declined."""

    subject: Reason
    text: Story
    against: SeatId


def say_ruling(do_or_fact: MakeRuling | RulingMade, names: Names) -> str:
    subject_phrase = (
        ""
        if ID_PATTERN.fullmatch(do_or_fact.subject) or not do_or_fact.subject.strip()
        else f" on {do_or_fact.subject.strip()}"
    )
    return f"A ruling is made{subject_phrase}{quote(do_or_fact.text)}"


@fact("ruling-made", says=say_ruling, changes=None)
class RulingMade:
    """The Gamemaster ruled on a question that the rules leave open."""

    subject: Reason
    text: Story


@declares("make-ruling", GM, says=say_ruling, records=(RulingMade,))
class MakeRuling:
    """Record a Gamemaster's ruling on a question that the rules leave open.

    `subject`: what the ruling is about. `text`: the ruling.
    """

    subject: Reason
    text: Story


@decides
def make_ruling(draft: Draft, do: MakeRuling) -> None:
    draft.campaign_wide(RulingMade(do.subject, do.text))


def say_seeks_consensus(do: SeekConsensus, names: Names) -> str:
    return f"The Group is asked to agree on {do.subject.strip() or 'something'}{quote(do.text)}"


@declares("seek-consensus", ANYONE, says=say_seeks_consensus, records=(ConsensusReached, ConsensusFailed))
class SeekConsensus:
    """Ask the Group to agree on a question that the rules leave open, such as what does not belong in this genre. All
    other Players present are asked. A later agreement on the same subject replaces the earlier one.

    `subject`: what the agreement is about. `text`: the words that the Group is asked to agree to. `claimed`: whether a
    Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    subject: Reason
    text: Story
    claimed: bool = False
    reason: Reason = ""


ASK_CONSENSUS = Question("consensus", "{purpose} Do you agree?")


@decides
def seek_consensus(draft: Draft, do: SeekConsensus) -> Asking[None]:
    """Ask all Players present, or record the agreement that a Gamemaster reports. Refuses `no-agreement`."""
    text = do.text.strip()
    if not do.subject.strip() or not text:
        raise NO_AGREEMENT()
    decliner = None
    if not check_claim(draft, CONSENSUS, do):
        purpose = f"About {do.subject.strip()}: “{text}”"
        decliner = yield from ask_for_decliner(draft, draft.list_group(), CONSENSUS, ASK_CONSENSUS(), purpose)
    if decliner is None:
        reason = do.reason.strip() if do.claimed else ""
        draft.campaign_wide(ConsensusReached(do.subject.strip(), text, reason))
    else:
        draft.campaign_wide(ConsensusFailed(do.subject.strip(), text, decliner))
    draft.by(CONSENSUS, decliner is None, subject=do.subject.strip())


@offers
def offer_agreement(seen: Seen, draft: Draft) -> Iterator[Move]:
    yield Move(MakeRuling)
    text_fields: dict[str, Domain] = {"subject": SOME_TEXT, "text": SOME_TEXT}
    yield Move(SeekConsensus, {**text_fields, "claimed": NO})
    if draft.is_by_gm:
        yield Move(SeekConsensus, {**text_fields, "claimed": YES, "reason": SOME_TEXT})
