"""Proprietorship: whose each element is, and what it takes to change what is another's. 3.1."""

from __future__ import annotations

from ledger.rules.kernel.commands import HandOver
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot.agreement import claimed
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_play import (
    ConsentAsked,
    ConsentGiven,
    ConsentRefused,
    ElementChanged,
    ElementIntroduced,
    ProprietorshipTransferred,
)
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_play import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.state import element_of


def _about(draft: Draft, element: str) -> dict[str, str]:
    """What a refusal is about: a Character, or an element by name."""
    return {"character" if draft.is_character(element) else "element": element}


def introduce(draft: Draft, do: IntroduceElement) -> None:
    """`proprietor.own`: of a Persona's things its Player; of the world's and Regular Characters' the Gamemaster; else
    who is first to introduce it. To ask for consent to something is not to introduce it."""
    known = element_of(draft.campaign(), do.element)
    if (known is not None and known.proprietor is not None) or draft.table.has(character(do.element)):
        raise no("proprietor.own", "not-proprietor", **_about(draft, do.element))
    who = draft.player(do.player)
    if do.world:
        owner = draft.gm()
    elif do.persona is not None:
        regular = draft.who(do.persona).kind == "regular"
        owner = draft.gm() if regular else draft.owner(do.persona)
    else:
        owner = who
    draft.campaign_wide(ElementIntroduced(do.element, owner))
    draft.by("proprietor.own", owner, element=do.element)


def transfer(draft: Draft, do: TransferProprietorship) -> None:
    owner = draft.proprietor(do.element)
    if draft.table.has(character(do.element)) or owner != draft.table.by.seat:
        raise no("proprietor.transfer", "not-proprietor", **_about(draft, do.element))
    if do.to not in draft.players():
        raise no("proprietor.transfer", "not-at-the-table", player=do.to)
    draft.campaign_wide(ProprietorshipTransferred(do.element, owner, do.to))
    draft.by("proprietor.transfer", do.to, element=do.element)


def hand_over(draft: Draft, do: HandOver) -> None:
    """A Character is handed over by who plays it; by a Gamemaster only where that seat is gone."""
    owner = draft.owner(do.character)
    if draft.table.by.seat != owner and draft.table.is_open(seat(owner)):
        raise no("proprietor.transfer", "not-proprietor", character=do.character)
    draft.campaign_wide(ProprietorshipTransferred(do.character, owner, do.seat))
    draft.by("proprietor.transfer", do.seat, character=do.character)


def ask_consent(draft: Draft, do: AskConsent) -> None:
    draft.campaign_wide(ConsentAsked(do.element, do.change, draft.table.by.seat))
    draft.by("proprietor.consent", "asked", element=do.element)


def answer_consent(draft: Draft, do: AnswerConsent) -> None:
    """`explicit` or `refused` by the Proprietor; `tacit` where it was asked or is present, and did not object."""
    if do.consent not in ("explicit", "tacit", "refused"):
        raise no("proprietor.consent", "bad-consent", consent=do.consent)
    owner = draft.proprietor(do.element)
    said = _consent(draft, do.element, do.change)
    if do.consent == "tacit":
        if said == "refused":
            raise no("proprietor.consent", "proprietor-refused", **_about(draft, do.element))
        if said is None and not (draft.table.session is not None and draft.present(owner or "")):
            raise no("proprietor.consent", "proprietor-not-asked", **_about(draft, do.element))
    elif draft.table.by.seat != owner and not claimed(draft, "proprietor.consent", do):
        raise no("proprietor.consent", "not-proprietor", **_about(draft, do.element))
    if do.consent == "refused":
        draft.campaign_wide(ConsentRefused(do.element, do.change))
    else:
        draft.campaign_wide(ConsentGiven(do.element, do.change, do.consent))
    draft.by("proprietor.consent", do.consent, element=do.element, reason=do.reason)


def _consent(draft: Draft, element: str, change: str) -> str | None:
    known = element_of(draft.campaign(), element)
    return known.consents.get(change) if known is not None else None


def change_element(draft: Draft, do: ChangeElement) -> None:
    """`play.solo`: alone, one changes one's own; else `proprietor.consent`."""
    by = draft.table.by.seat
    if draft.proprietor(do.element) != by:
        if draft.mode() == "solo":
            raise no("play.solo", "not-proprietor", **_about(draft, do.element))
        said = _consent(draft, do.element, do.change)
        if said == "refused":
            raise no("proprietor.consent", "proprietor-refused", **_about(draft, do.element))
        if said not in ("explicit", "tacit"):
            raise no("proprietor.consent", "proprietor-not-asked", **_about(draft, do.element))
        draft.by("proprietor.consent", said, element=do.element)
    draft.campaign_wide(ElementChanged(do.element, do.change, by))
