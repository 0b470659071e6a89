"""The Seven Houses, and the Vow: the Houses and a character's status in them, how a Vow is made, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Between,
    CharacterId,
    Move,
    Names,
    Reason,
    Ref,
    Refusal,
    Seen,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    must_say,
    offers,
    once_created,
    rule,
)
from ledger.rules.mongrel import acting
from ledger.rules.mongrel.draft import BAD_SCORE, Draft
from ledger.rules.mongrel.sight import get_sight, group_ids
from ledger.rules.mongrel.state import Character, Vow
from ledger.rules.mongrel.tables import CREEDS, OPINIONS, STEREOTYPES, WORLDS
from ledger.rules.mongrel.terms import (
    HOUSES,
    House,
    Natural,
    SessionId,
    VowAbout,
    VowEnd,
    VowKind,
    VowObject,
    VowOutcome,
    by_value,
    is_house,
    is_natural,
    is_vow_end,
    is_vow_kind,
    say,
    write_word,
)

HOUSE = rule(
    "mongrel.house.membership",
    "Every character belongs to one of the seven Houses. The House does not limit how a character is created. At "
    "some tables, each character also has a status within their House, which only a game master can change.",
    "The Seven Houses",
)
REPUTATION = rule(
    "mongrel.house.reference",
    "Each House has a reputation, which fits about two thirds of its members, and a region, given in parentheses: "
    + "; ".join(f"the {write_word(house)} are {kind} ({region})" for house, (kind, region) in STEREOTYPES.items())
    + ".",
    "The Seven Houses",
)
HOMES = rule(
    "mongrel.house.worlds",
    "There are three worlds: " + "; ".join(f"{write_word(world)}, {homes}" for world, homes in WORLDS.items()) + ".",
    "The Seven Houses",
)


def _write_creed_clause(house: House) -> str:
    """Return a clause with the belief of the House (`, who believe that …,`); empty if it has none."""
    creed = CREEDS.get(house)
    return f", who believe that {creed}," if creed is not None else ""


OPINION_RULES = tuple(
    rule(
        f"mongrel.house.opinion.{house}",
        f"What the {write_word(house)}{_write_creed_clause(house)} think of the other Houses: "
        + "; ".join(f"the {write_word(other)} {opinion}" for other, opinion in opinions.items())
        + ".",
        "The Seven Houses",
    )
    for house, opinions in OPINIONS.items()
)
#: Rules that describe the setting. They decide nothing.
SETTING = (REPUTATION, HOMES, *OPINION_RULES)
HOUSE_UNKNOWN = SharedRefusal(
    "house-unknown",
    "There is no House “{house}”. The Houses are Aggak-Ko, Mekag, Druinar, Esseth, Sfere, Repta and Nuin. A Vow about"
    " a House names one of them.",
)
NO_HOUSE_STATUS = Refusal(
    HOUSE,
    "no-house-status",
    "This table does not use status within a House.",
)


@fact("status-set", says="{character}'s status in their House is {status}[: {reason}].")
class StatusSet:
    """A character's status within their House was set."""

    character: CharacterId
    status: int
    reason: Reason


@changes
@once_created
def put_status(state: Character, fact: StatusSet) -> Character:
    return changed(state, status=fact.status)


@declares(
    "set-status", GM, says="{character}'s status in their House is now {status}[: {reason}].", records=(StatusSet,)
)
class SetStatus:
    """Set a character's status in their House, at a table that uses status."""

    character: CharacterId
    status: Natural
    reason: Reason = ""


@decides
def set_status(draft: Draft, do: SetStatus) -> None:
    """Set the character's House status. Refuses `no-house-status` if the table does not use status, and `bad-score`."""
    acting.check_alive(draft, do.character)
    if not draft.dials.house_status:
        raise NO_HOUSE_STATUS(character=do.character)
    if not is_natural(do.status):
        raise BAD_SCORE.under(HOUSE, status=repr(do.status))
    draft.about(do.character, StatusSet(do.character, do.status, do.reason))
    draft.by(HOUSE, do.status, reason=do.reason)


@offers
def offer_status(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    if sight.alive and draft.dials.house_status:
        yield Move(SetStatus, {"character": Among(sight.alive), "status": Between(0)})


# --- the Vow ---------------------------------------------------------------------------------------------------------

MAKE_VOW = rule(
    "mongrel.vow.make",
    "A Vow has one object: a person, a House or a goal. A character may have several Vows (our reading).",
    "The Vow",
)
END_VOW = rule(
    "mongrel.vow.end",
    "A Vow ends when it is fulfilled, or when a game master ends it. The character keeps whatever the Vow has "
    "already given them (our reading).",
    "The Vow",
)
VOW_OBJECT = Refusal(
    MAKE_VOW,
    "vow-object",
    "Name the object of the Vow, and say whether it is a person, a House or a goal.",
)
NO_VOW = SharedRefusal(
    "no-vow",
    "{character} has no such Vow[: {vow}].",
)
OUTCOME_UNKNOWN = Refusal(
    END_VOW,
    "outcome-unknown",
    "A Vow is fulfilled or ended, not {outcome}.",
)


@dataclass(frozen=True, slots=True)
class VowLine:
    """A Vow to a person or a House, or to reach a goal."""

    object: VowObject
    about: VowAbout = "goal"


def say_vow(do_or_fact: MakeVow | VowMade, names: Names) -> str:
    """Return the person, House or goal of a Vow, in words."""
    if do_or_fact.about == "house":
        return say(f"{{character}} makes a Vow to House {write_word(do_or_fact.object)}.", do_or_fact, names)
    object_phrase = " to {object}" if do_or_fact.about == "person" else ": {object}"
    return say(f"{{character}} makes a Vow{object_phrase}.", do_or_fact, names)


@fact("vow-made", says=say_vow)
class VowMade:
    """A character made a Vow."""

    character: CharacterId
    object: VowObject
    about: VowKind


@changes
@once_created
def add_vow(state: Character, fact: VowMade) -> Character:
    return changed(state, vows=(*state.vows, Vow(fact.object, fact.about)))


@declares("make-vow", either("character"), says=say_vow, records=(VowMade,))
class MakeVow:
    """Make a Vow to a person or a House, or to reach a goal."""

    character: CharacterId
    object: VowObject
    about: VowAbout = "goal"


def check_vow(character_id: str, vow: VowLine) -> VowMade:
    """Return the fact that records the Vow, after checking the Vow's object: a person, a House or a goal. Refuses
    `vow-object`, `house-unknown`.
    """
    if not vow.object.strip() or not is_vow_kind(vow.about):
        raise VOW_OBJECT(object=vow.object, about=vow.about)
    if vow.about == "house" and not is_house(vow.object):
        raise HOUSE_UNKNOWN.under(MAKE_VOW, house=vow.object)
    return VowMade(character_id, vow.object, vow.about)


@decides
def make_vow(draft: Draft, do: MakeVow) -> None:
    acting.check_alive(draft, do.character)
    vow = check_vow(do.character, VowLine(do.object, do.about))
    draft.about(do.character, vow)
    draft.by(MAKE_VOW, vow.object, about=vow.about)


# --- the end of a Vow ------------------------------------------------------------------------------------------------


@fact(
    "vow-ended",
    says=by_value(
        "outcome",
        {
            "fulfilled": "{character}'s Vow (“{object}”) is fulfilled: {reason}.",
            "ended": "{character}'s Vow (“{object}”) ends: {reason}.",
        },
    ),
)
class VowEnded:
    """A Vow ended. `session`: the last session in which the character kept it."""

    character: CharacterId
    object: VowObject
    outcome: VowEnd
    session: SessionId | None
    reason: Reason


@changes
@once_created
def end_oldest_vow(state: Character, fact: VowEnded) -> Character | None:
    """End the oldest Vow to that object that is still kept."""
    indexes = [index for index, vow in enumerate(state.vows) if vow.object == fact.object and vow.ended is None]
    if not indexes:
        return None
    ended_vow = changed(state.vows[indexes[0]], ended=fact.outcome, session=fact.session)
    return changed(state, vows=(*state.vows[: indexes[0]], ended_vow, *state.vows[indexes[0] + 1 :]))


@declares(
    "end-vow",
    GM,
    says=by_value(
        "outcome",
        {
            "fulfilled": "{character}'s Vow (“{vow}”) is fulfilled: {reason}.",
            "ended": "{character}'s Vow (“{vow}”) ends: {reason}.",
        },
    ),
    records=(VowEnded,),
)
class EndVow:
    """End a Vow. The character keeps what the Vow has already given them.

    `outcome`: `fulfilled`, or `ended` if the Vow was not fulfilled.
    """

    character: CharacterId
    vow: Annotated[str, Ref("vow", of="character")]
    outcome: VowOutcome
    reason: Reason


def list_kept_vows(state: Character) -> tuple[str, ...]:
    """Return the objects of the Vows that are still kept."""
    return tuple(dict.fromkeys(vow.object for vow in state.vows if vow.ended is None))


@decides
def end_vow(draft: Draft, do: EndVow) -> None:
    """End a Vow (`mongrel.vow.end`). Refuses `no-vow`, `outcome-unknown`, `reason-blank`."""
    state = acting.check_alive(draft, do.character)
    if do.vow not in [vow.object for vow in state.vows if vow.ended is None]:
        raise NO_VOW.under(END_VOW, character=do.character, vow=do.vow)
    if not is_vow_end(do.outcome):
        raise OUTCOME_UNKNOWN(outcome=do.outcome)
    must_say(END_VOW, reason=do.reason)
    session = draft.table.session or draft.read_campaign().last_session
    draft.about(do.character, VowEnded(do.character, do.vow, do.outcome, session, do.reason))
    draft.by(END_VOW, do.outcome, vow=do.vow, reason=do.reason)


@offers
def offer_vows(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    if not sight.alive:
        return
    character_domain = Among(sight.alive)
    yield Move(MakeVow, {"character": character_domain, "about": Among(("person", "goal"))})
    yield Move(MakeVow, {"character": character_domain, "about": Among(("house",)), "object": Among(HOUSES)})
    for kept_objects, owners in group_ids(
        sight.alive, lambda character_id: list_kept_vows(sight.people[character_id]) or None
    ):
        yield Move(EndVow, {"character": owners, "vow": Among(kept_objects), "outcome": OPEN})
