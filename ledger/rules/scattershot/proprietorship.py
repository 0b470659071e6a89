"""Proprietorship: the owner of each element, and how another Player's element can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Besides,
    CharacterId,
    Domain,
    HandOver,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    Story,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import game
from ledger.rules.scattershot.agreement import check_claim
from ledger.rules.scattershot.draft import NO, SOME_TEXT, YES, Draft
from ledger.rules.scattershot.state import Campaign, Element, find_element, put_element
from ledger.rules.scattershot.words import (
    NOT_AT_THE_TABLE,
    NOT_PROPRIETOR,
    Consent,
    ElementName,
    name_thing,
    quote,
    say_reason,
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
    element = find_element(state, fact.element) or Element()
    return put_element(state, fact.element, changed(element, proprietor=fact.proprietor))


def say_introduces(do: IntroduceElement, names: Names) -> str:
    if do.world:
        return f"A new element of the world is introduced: {do.element}."
    if do.persona is not None:
        return f"A new element is introduced with {names.name(character(do.persona))}: {do.element}."
    player_name = names.name(seat(do.player)) if do.player is not None else ""
    return (
        f"{player_name} introduces this: {do.element}."
        if player_name
        else f"A new element is introduced: {do.element}."
    )


@declares("introduce-element", ANYONE, says=say_introduces, records=(ElementIntroduced,))
class IntroduceElement:
    """Introduce an element of the Game, such as a prop, a place or a fact. This decides who its Proprietor is.

    `persona`: the Character that the element belongs to or arises from. `world`: whether the element belongs to a known
    Regular Character or to the rest of the world. `player`: the Player who introduces the element; leave it out for
    yourself.
    """

    element: Title
    persona: CharacterId | None = None
    world: bool = False
    player: SeatId | None = None


AGREEING_CONSENTS = ("explicit", "tacit")


def may_introduce(draft: Draft, name: str) -> Refused | None:
    """Refuse an element that already has a Proprietor, or that is a Character."""
    element = find_element(draft.read_campaign(), name)
    if (element is not None and element.proprietor is not None) or draft.is_character(name):
        return NOT_PROPRIETOR.under(OWN_ELEMENT, **_make_context(draft, name))
    return None


@decides
def introduce(draft: Draft, do: IntroduceElement) -> None:
    """Introduce an element.

    A Persona's elements belong to its Player. The world and the elements of Regular Characters belong to the
    Gamemaster.

    Any other element belongs to the Player who introduces it. A request for consent does not introduce an element.
    """
    require(may_introduce(draft, do.element))
    player = draft.require_player(do.player)
    if do.world:
        owner = draft.find_gm()
    elif do.persona is not None:
        is_regular = draft.read_character(do.persona).kind == "regular"
        owner = draft.find_gm() if is_regular else draft.find_owner(do.persona)
    else:
        owner = player
    draft.campaign_wide(ElementIntroduced(do.element, owner))
    draft.by(OWN_ELEMENT, owner, element=do.element)


def _make_context(draft: Draft, id_or_name: str) -> dict[str, str]:
    """Return the context of a refusal: the Character, or the element by name."""
    return {"character" if draft.is_character(id_or_name) else "element": id_or_name}


@fact("proprietorship-transferred", says="{from} hands {element} to {to}, who is now the Proprietor.")
class ProprietorshipTransferred:
    """An element was handed from one Player to another."""

    element: ElementName
    from_: SeatId
    to: SeatId


@changes
def transfer_element(state: Campaign, fact: ProprietorshipTransferred) -> Campaign:
    element = find_element(state, fact.element) or Element()
    return put_element(state, fact.element, changed(element, proprietor=fact.to))


@declares("transfer-proprietorship", ANYONE, says="{element} is handed to {to}.", records=(ProprietorshipTransferred,))
class TransferProprietorship:
    """Make another Player the Proprietor of one of your elements."""

    element: ElementName
    to: SeatId


@decides
def transfer(draft: Draft, do: TransferProprietorship) -> None:
    owner = draft.find_proprietor(do.element)
    if draft.table.has(character(do.element)) or owner != draft.me:
        raise NOT_PROPRIETOR.under(TRANSFER, **_make_context(draft, do.element))
    if do.to not in draft.list_players():
        raise NOT_AT_THE_TABLE.under(TRANSFER, player=do.to)
    draft.campaign_wide(ProprietorshipTransferred(do.element, owner, do.to))
    draft.by(TRANSFER, do.to, element=do.element)


def may_hand_over(draft: Draft, char_id: str) -> Refused | None:
    """Refuse every seat except that of the Character's Player. If that seat has left, a Gamemaster may hand the
    Character over.
    """
    owner = draft.find_owner(char_id)
    is_of_other_player = draft.me != owner and draft.table.is_open(seat(owner))
    return NOT_PROPRIETOR.under(TRANSFER, character=char_id) if is_of_other_player else None


@decides
def hand_over(draft: Draft, do: HandOver) -> None:
    require(may_hand_over(draft, do.character))
    owner = draft.find_owner(do.character)
    draft.campaign_wide(ProprietorshipTransferred(do.character, owner, do.seat))
    draft.by(TRANSFER, do.seat, character=do.character)


@fact("consent-asked", says="{asker} asks the Proprietor of {element} for consent: {change}.")
class ConsentAsked:
    """A seat asked the Proprietor of an element to consent to a change."""

    element: ElementName
    change: Story
    asker: SeatId


@changes
def note_consent_asked(state: Campaign, fact: ConsentAsked) -> Campaign:
    """Note the question. An earlier answer stays in force until the Proprietor answers again."""
    element = find_element(state, fact.element) or Element()
    return keep_consent(state, fact.element, fact.change, element.consents.get(fact.change, "asked"))


def keep_consent(state: Campaign, name: str, change: str, consent: str) -> Campaign:
    element = find_element(state, name) or Element()
    return put_element(state, name, changed(element, consents={**element.consents, change: consent}))


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


def say_consented(fact: ConsentGiven, names: Names) -> str:
    consent_phrase = "with the Proprietor's consent" if fact.consent == "explicit" else "as nobody objects"
    return f"{name_thing(fact.element, names)}, {consent_phrase}{quote(fact.change)}"


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
    answer_clause = {
        "explicit": f"The Proprietor of {name_thing(do.element, names)} consents",
        "refused": f"The Proprietor of {name_thing(do.element, names)} does not consent",
        "tacit": f"Nobody objects to this change to {name_thing(do.element, names)}",
    }.get(do.consent, f"An answer about {name_thing(do.element, names)}")
    return f"{answer_clause}{say_reason(do.reason)}{quote(do.change)}"


@declares("answer-consent", ANYONE, says=say_consents, records=(ConsentGiven, ConsentRefused))
class AnswerConsent:
    """Answer a request for consent to use or change an element.

    `change`: the change that was asked for. `consent`: `explicit` and `refused` are the Proprietor's own answers;
    `tacit` means that the Proprietor was asked or is present, and does not object. `claimed`: whether a Gamemaster
    records the Proprietor's answer. This needs a `reason`.
    """

    element: ElementName
    change: Story
    consent: Consent = "explicit"
    claimed: bool = False
    reason: Reason = ""


def may_agree_tacitly(draft: Draft, id_or_name: str, change: str) -> Refused | None:
    """Refuse tacit consent unless the Proprietor was asked or is present, and did not object."""
    answer = _find_consent(draft, id_or_name, change)
    if answer == "refused":
        return PROPRIETOR_REFUSED(**_make_context(draft, id_or_name))
    is_present = draft.table.session is not None and draft.is_present(draft.find_proprietor(id_or_name) or "")
    return PROPRIETOR_NOT_ASKED(**_make_context(draft, id_or_name)) if answer is None and not is_present else None


@decides
def answer_consent(draft: Draft, do: AnswerConsent) -> None:
    """Record the Proprietor's answer, `explicit` or `refused`, or a `tacit` consent to which nobody objected."""
    if do.consent not in ("explicit", "tacit", "refused"):
        raise BAD_CONSENT(consent=do.consent)
    owner = draft.find_proprietor(do.element)
    if do.consent == "tacit":
        require(may_agree_tacitly(draft, do.element, do.change))
    elif draft.me != owner and not check_claim(draft, CONSENT, do):
        raise NOT_PROPRIETOR.under(CONSENT, **_make_context(draft, do.element))
    if do.consent == "refused":
        draft.campaign_wide(ConsentRefused(do.element, do.change))
    else:
        draft.campaign_wide(ConsentGiven(do.element, do.change, do.consent))
    draft.by(CONSENT, do.consent, element=do.element, reason=do.reason)


def _find_consent(draft: Draft, name: str, change: str) -> str | None:
    element = find_element(draft.read_campaign(), name)
    return element.consents.get(change) if element is not None else None


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


def may_change(draft: Draft, id_or_name: str, change: str) -> Refused | None:
    """Refuse a change to another Player's element without consent, and any such change in Solo Play."""
    if draft.find_proprietor(id_or_name) == draft.me:
        return None
    if draft.find_mode() == "solo":
        return NOT_PROPRIETOR.under(game.SOLO_PLAY, **_make_context(draft, id_or_name))
    answer = _find_consent(draft, id_or_name, change)
    if answer == "refused":
        return PROPRIETOR_REFUSED(**_make_context(draft, id_or_name))
    return PROPRIETOR_NOT_ASKED(**_make_context(draft, id_or_name)) if answer not in AGREEING_CONSENTS else None


@decides
def change_element(draft: Draft, do: ChangeElement) -> None:
    require(may_change(draft, do.element, do.change))
    if draft.find_proprietor(do.element) != draft.me:
        draft.by(CONSENT, _find_consent(draft, do.element, do.change), element=do.element)
    draft.campaign_wide(ElementChanged(do.element, do.change, draft.me))


class OwnedThings:
    """Everything that has a Proprietor: elements by name, and Characters by id.

    An element that was not introduced belongs to the Gamemaster.
    """

    def __init__(self, draft: Draft) -> None:
        boxes = draft.read_campaign().elements.values()
        self.elements_by_name: Mapping[str, Element] = {name: element for box in boxes for name, element in box.items()}
        self.gm_seat = draft.find_gm()
        self.owners_by_name: dict[str, str] = {
            **{name: element.proprietor or self.gm_seat for name, element in self.elements_by_name.items()},
            **{char_id: draft.find_owner(char_id) for char_id in draft.roster},
        }

    def find_elements_domain(self, seat_id: str) -> Domain | None:
        """Return the domain of the elements that belong to a seat, or None if there are none."""
        if seat_id == self.gm_seat:
            return Besides(tuple(name for name, owner in self.owners_by_name.items() if owner != seat_id))
        own_names = tuple(name for name, owner in self.owners_by_name.items() if owner == seat_id)
        return Among(own_names) if own_names else None


@offers
def offer_elements(seen: Seen, draft: Draft) -> Iterator[Move]:
    owned_things = OwnedThings(draft)
    yield from _list_introductions(draft, owned_things)
    yield Move(AskConsent, {"element": OPEN})
    yield from _list_transfers(draft, owned_things)
    yield from _list_answers(draft, owned_things)
    yield from _list_changes(draft, owned_things)


def _list_introductions(draft: Draft, owned_things: OwnedThings) -> Iterator[Move]:
    taken_names = [name for name in owned_things.elements_by_name if may_introduce(draft, name) is not None]
    free_name_domain = Besides((*taken_names, *draft.roster))
    players = (None, *draft.list_group()) if draft.me in draft.list_group() else draft.list_group()
    if players:
        fields: dict[str, Domain] = {"element": free_name_domain, "player": Among(players)}
        yield Move(IntroduceElement, {**fields, "world": YES, "persona": OPEN})
        yield Move(IntroduceElement, {**fields, "world": NO, "persona": Among((None, *draft.roster))})


def _list_transfers(draft: Draft, owned_things: OwnedThings) -> Iterator[Move]:
    """Yield transfers of the seat's own elements, but not of Characters."""
    own_domain = owned_things.find_elements_domain(draft.me)
    if isinstance(own_domain, Besides):
        own_domain = Besides(tuple(dict.fromkeys((*own_domain.values, *draft.roster))))
    elif isinstance(own_domain, Among):
        names = tuple(name for name in own_domain.values if name not in draft.roster)
        own_domain = Among(names) if names else None
    if own_domain is not None:
        yield Move(TransferProprietorship, {"element": own_domain, "to": Among(draft.list_players())})


def _list_answers(draft: Draft, owned_things: OwnedThings) -> Iterator[Move]:
    """Yield the Proprietor's answers, the answers that a Gamemaster records, and tacit consent
    where nobody objected.
    """
    own_domain, answer_domain = owned_things.find_elements_domain(draft.me), Among(("explicit", "refused"))
    if own_domain is not None:
        yield Move(AnswerConsent, {"element": own_domain, "consent": answer_domain, "claimed": OPEN})
    if draft.is_by_gm:
        yield Move(AnswerConsent, {"element": OPEN, "consent": answer_domain, "claimed": YES, "reason": SOME_TEXT})
    tacit_fields: dict[str, Domain] = {"consent": Among(("tacit",)), "claimed": OPEN}
    for owner in dict.fromkeys((*owned_things.owners_by_name.values(), owned_things.gm_seat)):
        is_present = draft.table.session is not None and draft.is_present(owner)
        owned_names = tuple(name for name, other_owner in owned_things.owners_by_name.items() if other_owner == owner)
        consents_by_element = {
            name: owned_things.elements_by_name[name].consents
            for name in owned_names
            if name in owned_things.elements_by_name
        }
        refused_changes_by_element = {
            name: tuple(_list_refused_changes(draft, name, consents)) for name, consents in consents_by_element.items()
        }
        unrefused_names = tuple(name for name in owned_names if not refused_changes_by_element.get(name))
        if is_present and owner == owned_things.gm_seat:
            unrefused_domain = Besides(
                tuple(name for name in owned_things.owners_by_name if name not in unrefused_names)
            )
            yield Move(AnswerConsent, {"element": unrefused_domain, **tacit_fields})
        elif is_present and unrefused_names:
            yield Move(AnswerConsent, {"element": Among(unrefused_names), **tacit_fields})
        for name, consents in consents_by_element.items():
            asked_changes = tuple(change for change in consents if may_agree_tacitly(draft, name, change) is None)
            if is_present and refused_changes_by_element[name]:
                yield Move(
                    AnswerConsent,
                    {"element": Among((name,)), "change": Besides(refused_changes_by_element[name]), **tacit_fields},
                )
            elif not is_present and asked_changes:
                yield Move(AnswerConsent, {"element": Among((name,)), "change": Among(asked_changes), **tacit_fields})


def _list_refused_changes(draft: Draft, id_or_name: str, changes: Iterable[str]) -> Iterator[str]:
    return (change for change in changes if may_agree_tacitly(draft, id_or_name, change) is not None)


def _list_changes(draft: Draft, owned_things: OwnedThings) -> Iterator[Move]:
    own_domain = owned_things.find_elements_domain(draft.me)
    if own_domain is not None:
        yield Move(ChangeElement, {"element": own_domain})
    for name, element in owned_things.elements_by_name.items():
        if owned_things.owners_by_name[name] != draft.me:
            agreed_changes = tuple(change for change in element.consents if may_change(draft, name, change) is None)
            if agreed_changes:
                yield Move(ChangeElement, {"element": Among((name,)), "change": Among(agreed_changes)})


@offers(HandOver)
def offer_to_hand_over(seen: Seen, draft: Draft) -> Iterator[Move]:
    own_ids, left_ids = [], []
    for char_id in draft.roster:
        if may_hand_over(draft, char_id) is None:
            if draft.find_owner(char_id) == draft.me:
                own_ids.append(char_id)
            if not draft.table.is_open(seat(draft.find_owner(char_id))):
                left_ids.append(char_id)
    for ids in filter(None, (own_ids, left_ids)):
        yield Move(HandOver, {"character": Among(tuple(ids)), "seat": Among(tuple(seen.seats))})
