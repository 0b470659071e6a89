"""Proprietorship: whose each element is, and what it takes to change what is another's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.commands import HandOver
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story, Title
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Besides, Domain, Move
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import game
from ledger.rules.scattershot.agreement import claimed
from ledger.rules.scattershot.draft import NO, SAID, YES, Draft
from ledger.rules.scattershot.state import Campaign, Element, element_of, put_element
from ledger.rules.scattershot.words import (
    NOT_AT_THE_TABLE,
    NOT_PROPRIETOR,
    Consent,
    ElementName,
    because,
    name_thing,
    quoted,
)

OWN_ELEMENT = rule(
    "scattershot.proprietor.own",
    "A Player is the Proprietor of everything that belongs to their Persona, and of anything else that they"
    " introduce. The Gamemaster is the Proprietor of what belongs to Regular Characters, and of the rest of"
    " the world.",
    "Proprietor",
    outcome="seat",
)
TRANSFER = rule(
    "scattershot.proprietor.transfer",
    "Only the Proprietor of an element can hand it to another Player. They can do so at any time.",
    "Proprietor",
    outcome="seat",
)
CONSENT = rule(
    "scattershot.proprietor.consent",
    "A Player who wants to use or change another Player's element needs that Player's consent. Not objecting"
    " counts as consent.",
    "General Play; Proprietor",
)
BAD_CONSENT = Refusal(CONSENT, "bad-consent", "Consent can be explicit, tacit or refused, not {consent}.")
PROPRIETOR_REFUSED = Refusal(
    CONSENT, "proprietor-refused", "[{element}: ][{character}: ]the Proprietor has refused consent to this change."
)
PROPRIETOR_NOT_ASKED = Refusal(
    CONSENT,
    "proprietor-not-asked",
    "[{element}: ][{character}: ]the Proprietor has not been asked. Ask for consent first.",
)
OWN_PERSONA = rule(
    "scattershot.proprietor.persona",
    "Only the Player of a Persona decides how it responds to an Action.",
    "Rules of Engagement",
    outcome="seat",
)


@fact("element-introduced", says="{proprietor} is the Proprietor of {element}.")
class ElementIntroduced:
    """An element was introduced. `proprietor`: the Player to whom it belongs."""

    element: ElementName
    proprietor: SeatId


@changes
def introduce_element(state: Campaign, fact: ElementIntroduced) -> Campaign:
    known = element_of(state, fact.element) or Element()
    return put_element(state, fact.element, changed(known, proprietor=fact.proprietor))


def say_introduces(do: IntroduceElement, names: Names) -> str:
    if do.world:
        return f"Introduced as part of the world: {do.element}."
    if do.persona is not None:
        return f"Introduced along with {names.name(character(do.persona))}: {do.element}."
    who = names.name(seat(do.player)) if do.player is not None else ""
    return f"{who} introduces this: {do.element}." if who else f"Introduced: {do.element}."


@declares("introduce-element", ANYONE, says=say_introduces, records=(ElementIntroduced,))
class IntroduceElement:
    """Introduce an element of the Game, such as a prop, a place or a fact. This decides who its Proprietor is.

    `persona`: the Character that the element belongs to or arises from. `world`: true if the element belongs to a known
    Regular Character or to the rest of the world. `player`: who introduces the element; leave it out for yourself.
    """

    element: Title
    persona: CharacterId | None = None
    world: bool = False
    player: SeatId | None = None


AGREED = ("explicit", "tacit")


def may_introduce(draft: Draft, element: str) -> Refused | None:
    """What is nobody's yet."""
    known = element_of(draft.campaign(), element)
    if (known is not None and known.proprietor is not None) or draft.is_character(element):
        return NOT_PROPRIETOR.under(OWN_ELEMENT, **_about(draft, element))
    return None


@decides
def introduce(draft: Draft, do: IntroduceElement) -> None:
    """Of a Persona's things its Player; of the world's and Regular Characters' the Gamemaster; else
    who is first to introduce it. To ask for consent to something is not to introduce it."""
    require(may_introduce(draft, do.element))
    who = draft.player(do.player)
    if do.world:
        owner = draft.gm()
    elif do.persona is not None:
        regular = draft.who(do.persona).kind == "regular"
        owner = draft.gm() if regular else draft.owner(do.persona)
    else:
        owner = who
    draft.campaign_wide(ElementIntroduced(do.element, owner))
    draft.by(OWN_ELEMENT, owner, element=do.element)


def _about(draft: Draft, element: str) -> dict[str, str]:
    """What a refusal is about: a Character, or an element by name."""
    return {"character" if draft.is_character(element) else "element": element}


@fact("proprietorship-transferred", says="{from} hands {element} to {to}, who is now the Proprietor.")
class ProprietorshipTransferred:
    """An element was handed from one Player to another."""

    element: ElementName
    from_: SeatId
    to: SeatId


@changes
def transfer_element(state: Campaign, fact: ProprietorshipTransferred) -> Campaign:
    known = element_of(state, fact.element) or Element()
    return put_element(state, fact.element, changed(known, proprietor=fact.to))


@declares("transfer-proprietorship", ANYONE, says="{element} is handed to {to}.", records=(ProprietorshipTransferred,))
class TransferProprietorship:
    """Make another Player the Proprietor of one of your elements."""

    element: ElementName
    to: SeatId


@decides
def transfer(draft: Draft, do: TransferProprietorship) -> None:
    owner = draft.proprietor(do.element)
    if draft.table.has(character(do.element)) or owner != draft.me:
        raise NOT_PROPRIETOR.under(TRANSFER, **_about(draft, do.element))
    if do.to not in draft.players():
        raise NOT_AT_THE_TABLE.under(TRANSFER, player=do.to)
    draft.campaign_wide(ProprietorshipTransferred(do.element, owner, do.to))
    draft.by(TRANSFER, do.to, element=do.element)


def may_hand_over(draft: Draft, id: str) -> Refused | None:
    """By who plays the Character; by a Gamemaster only where that seat is gone."""
    owner = draft.owner(id)
    is_others = draft.me != owner and draft.table.is_open(seat(owner))
    return NOT_PROPRIETOR.under(TRANSFER, character=id) if is_others else None


@decides
def hand_over(draft: Draft, do: HandOver) -> None:
    require(may_hand_over(draft, do.character))
    owner = draft.owner(do.character)
    draft.campaign_wide(ProprietorshipTransferred(do.character, owner, do.seat))
    draft.by(TRANSFER, do.seat, character=do.character)


@fact("consent-asked", says="{asker} asks the Proprietor of {element} for consent: {change}.")
class ConsentAsked:
    """Somebody asked the Proprietor of an element to consent to a change."""

    element: ElementName
    change: Story
    asker: SeatId


@changes
def ask_for_consent(state: Campaign, fact: ConsentAsked) -> Campaign:
    """An answer stands until the Proprietor answers anew: asking again takes back neither consent nor objection."""
    known = element_of(state, fact.element) or Element()
    return keep_consent(state, fact.element, fact.change, known.consents.get(fact.change, "asked"))


def keep_consent(state: Campaign, element: str, change: str, word: str) -> Campaign:
    known = element_of(state, element) or Element()
    return put_element(state, element, changed(known, consents={**known.consents, change: word}))


@declares(
    "ask-consent", ANYONE, says="The Proprietor of {element} is asked for consent: {change}.", records=(ConsentAsked,)
)
class AskConsent:
    """Ask the Proprietor of an element for consent to use or change it.

    `change`: what you want to do with the element.
    """

    element: ElementName
    change: Story


@decides
def ask_consent(draft: Draft, do: AskConsent) -> None:
    draft.campaign_wide(ConsentAsked(do.element, do.change, draft.me))
    draft.by(CONSENT, "asked", element=do.element)


def say_consented(done: ConsentGiven, names: Names) -> str:
    how = "with the Proprietor's consent" if done.consent == "explicit" else "as nobody objects"
    return f"{name_thing(done.element, names)}, {how}{quoted(done.change)}"


@fact("consent-given", says=say_consented)
class ConsentGiven:
    """The Proprietor of an element consented to a change."""

    element: ElementName
    change: Story
    consent: Consent


@changes
def give_consent(state: Campaign, fact: ConsentGiven) -> Campaign:
    return keep_consent(state, fact.element, fact.change, fact.consent)


@fact("consent-refused", says="The Proprietor of {element} does not consent: {change}.")
class ConsentRefused:
    """The Proprietor of an element did not consent to a change."""

    element: ElementName
    change: Story


@changes
def refuse_consent(state: Campaign, fact: ConsentRefused) -> Campaign:
    return keep_consent(state, fact.element, fact.change, "refused")


def say_consents(do: AnswerConsent, names: Names) -> str:
    said = {
        "explicit": f"The Proprietor of {name_thing(do.element, names)} consents",
        "refused": f"The Proprietor of {name_thing(do.element, names)} does not consent",
        "tacit": f"Nobody objects to this change of {name_thing(do.element, names)}",
    }.get(do.consent, f"An answer about {name_thing(do.element, names)}")
    return f"{said}{because(do.reason)}{quoted(do.change)}"


@declares("answer-consent", ANYONE, says=say_consents, records=(ConsentGiven, ConsentRefused))
class AnswerConsent:
    """Answer a request for consent to use or change an element.

    `change`: the change that was asked for. `consent`: `explicit` and `refused` are the Proprietor's own answers;
    `tacit` means that the Proprietor was asked or is present, and does not object. `claimed`: whether a Gamemaster
    records what the Proprietor said. This needs a `reason`.
    """

    element: ElementName
    change: Story
    consent: Consent = "explicit"
    claimed: bool = False
    reason: Reason = ""


def may_agree_tacitly(draft: Draft, element: str, change: str) -> Refused | None:
    """Where the Proprietor was asked or is present, and did not object."""
    said = _consent(draft, element, change)
    if said == "refused":
        return PROPRIETOR_REFUSED(**_about(draft, element))
    there = draft.table.session is not None and draft.present(draft.proprietor(element) or "")
    return PROPRIETOR_NOT_ASKED(**_about(draft, element)) if said is None and not there else None


@decides
def answer_consent(draft: Draft, do: AnswerConsent) -> None:
    """`explicit` or `refused` by the Proprietor; `tacit` where it was asked or is present, and did not object."""
    if do.consent not in ("explicit", "tacit", "refused"):
        raise BAD_CONSENT(consent=do.consent)
    owner = draft.proprietor(do.element)
    if do.consent == "tacit":
        require(may_agree_tacitly(draft, do.element, do.change))
    elif draft.me != owner and not claimed(draft, CONSENT, do):
        raise NOT_PROPRIETOR.under(CONSENT, **_about(draft, do.element))
    if do.consent == "refused":
        draft.campaign_wide(ConsentRefused(do.element, do.change))
    else:
        draft.campaign_wide(ConsentGiven(do.element, do.change, do.consent))
    draft.by(CONSENT, do.consent, element=do.element, reason=do.reason)


def _consent(draft: Draft, element: str, change: str) -> str | None:
    known = element_of(draft.campaign(), element)
    return known.consents.get(change) if known is not None else None


@fact("element-changed", says="{by} uses or changes {element}: {change}.", changes=None)
class ElementChanged:
    """An element was changed. `by`: the seat that changed it."""

    element: ElementName
    change: Story
    by: SeatId


@declares("change-element", ANYONE, says="{element}: {change}.", records=(ElementChanged,))
class ChangeElement:
    """Use or change an element of your own, or another Player's element with that Player's consent.

    `change`: what happens to the element. If you asked for consent, use the same words.
    """

    element: ElementName
    change: Story


def may_change(draft: Draft, element: str, change: str) -> Refused | None:
    """One's own; of somebody else's what was agreed, and nothing in Solo Play."""
    if draft.proprietor(element) == draft.me:
        return None
    if draft.mode() == "solo":
        return NOT_PROPRIETOR.under(game.SOLO_PLAY, **_about(draft, element))
    said = _consent(draft, element, change)
    if said == "refused":
        return PROPRIETOR_REFUSED(**_about(draft, element))
    return PROPRIETOR_NOT_ASKED(**_about(draft, element)) if said not in AGREED else None


@decides
def change_element(draft: Draft, do: ChangeElement) -> None:
    require(may_change(draft, do.element, do.change))
    if draft.proprietor(do.element) != draft.me:
        draft.by(CONSENT, _consent(draft, do.element, do.change), element=do.element)
    draft.campaign_wide(ElementChanged(do.element, do.change, draft.me))


class Things:
    """Everything somebody is Proprietor of: elements by name, and Characters by id. What nobody knows is the
    Gamemaster's."""

    def __init__(self, draft: Draft) -> None:
        boxes = draft.campaign().elements.values()
        self.elements: Mapping[str, Element] = {name: one for box in boxes for name, one in box.items()}
        self.gm = draft.gm()
        self.owners: dict[str, str] = {
            **{name: one.proprietor or self.gm for name, one in self.elements.items()},
            **{id: draft.owner(id) for id in draft.known},
        }

    def of(self, seat: str) -> Domain | None:
        """Whatever a seat is Proprietor of, by the word for it; None: nothing."""
        if seat == self.gm:
            return Besides(tuple(name for name, owner in self.owners.items() if owner != seat))
        own = tuple(name for name, owner in self.owners.items() if owner == seat)
        return Among(own) if own else None


@offers
def offer_elements(seen: Seen, draft: Draft) -> Iterator[Move]:
    things = Things(draft)
    yield from _introduced(draft, things)
    yield Move(AskConsent, {"element": OPEN})
    yield from _handed_over(draft, things)
    yield from _answered(draft, things)
    yield from _changed(draft, things)


def _introduced(draft: Draft, things: Things) -> Iterator[Move]:
    """What is nobody's yet."""
    taken = [name for name in things.elements if may_introduce(draft, name) is not None]
    named = Besides((*taken, *draft.known))
    players = (None, *draft.group()) if draft.me in draft.group() else draft.group()
    if players:
        fields: dict[str, Domain] = {"element": named, "player": Among(players)}
        yield Move(IntroduceElement, {**fields, "world": YES, "persona": OPEN})
        yield Move(IntroduceElement, {**fields, "world": NO, "persona": Among((None, *draft.known))})


def _handed_over(draft: Draft, things: Things) -> Iterator[Move]:
    """By its Proprietor, and no Character."""
    own = things.of(draft.me)
    if isinstance(own, Besides):
        own = Besides(tuple(dict.fromkeys((*own.values, *draft.known))))
    elif isinstance(own, Among):
        there = tuple(name for name in own.values if name not in draft.known)
        own = Among(there) if there else None
    if own is not None:
        yield Move(TransferProprietorship, {"element": own, "to": Among(draft.players())})


def _answered(draft: Draft, things: Things) -> Iterator[Move]:
    """By its Proprietor, or by a Gamemaster for them; tacit, where nobody objected."""
    own, said = things.of(draft.me), Among(("explicit", "refused"))
    if own is not None:
        yield Move(AnswerConsent, {"element": own, "consent": said, "claimed": OPEN})
    if draft.by_gm:
        yield Move(AnswerConsent, {"element": OPEN, "consent": said, "claimed": YES, "reason": SAID})
    tacit: dict[str, Domain] = {"consent": Among(("tacit",)), "claimed": OPEN}
    for owner in dict.fromkeys((*things.owners.values(), things.gm)):
        there = draft.table.session is not None and draft.present(owner)
        theirs = tuple(name for name, whose in things.owners.items() if whose == owner)
        spoken = {name: things.elements[name].consents for name in theirs if name in things.elements}
        refused = {name: tuple(_refused(draft, name, said)) for name, said in spoken.items()}
        quiet = tuple(name for name in theirs if not refused.get(name))
        if there and owner == things.gm:
            unknown = Besides(tuple(name for name in things.owners if name not in quiet))
            yield Move(AnswerConsent, {"element": unknown, **tacit})
        elif there and quiet:
            yield Move(AnswerConsent, {"element": Among(quiet), **tacit})
        for name, consents in spoken.items():
            asked = tuple(change for change in consents if may_agree_tacitly(draft, name, change) is None)
            if there and refused[name]:
                yield Move(AnswerConsent, {"element": Among((name,)), "change": Besides(refused[name]), **tacit})
            elif not there and asked:
                yield Move(AnswerConsent, {"element": Among((name,)), "change": Among(asked), **tacit})


def _refused(draft: Draft, element: str, changes: Iterable[str]) -> Iterator[str]:
    return (change for change in changes if may_agree_tacitly(draft, element, change) is not None)


def _changed(draft: Draft, things: Things) -> Iterator[Move]:
    own = things.of(draft.me)
    if own is not None:
        yield Move(ChangeElement, {"element": own})
    for name, one in things.elements.items():
        if things.owners[name] != draft.me:
            agreed = tuple(change for change in one.consents if may_change(draft, name, change) is None)
            if agreed:
                yield Move(ChangeElement, {"element": Among((name,)), "change": Among(agreed)})


@offers(HandOver)
def offer_to_hand_over(seen: Seen, draft: Draft) -> Iterator[Move]:
    own, left = [], []
    for id in draft.known:
        if may_hand_over(draft, id) is None:
            if draft.owner(id) == draft.me:
                own.append(id)
            if not draft.table.is_open(seat(draft.owner(id))):
                left.append(id)
    for ids in filter(None, (own, left)):
        yield Move(HandOver, {"character": Among(tuple(ids)), "seat": Among(tuple(seen.seats))})
