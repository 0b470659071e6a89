"""What facts do to the campaign: its numbers, its listings, who is at the table, whose each element is."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.fold import Change, unchanged
from ledger.rules.kernel.frozen import changed
from ledger.rules.scattershot.facts_of_fights import FreeActionAccepted, FreeActionDeclined
from ledger.rules.scattershot.facts_of_play import (
    AbilityListed,
    AbilityUseListed,
    AdvantageListed,
    AttendanceNoted,
    ChartAdopted,
    ChartRead,
    ConsensusFailed,
    ConsensusReached,
    ConsentAsked,
    ConsentGiven,
    ConsentRefused,
    ElementChanged,
    ElementIntroduced,
    FreeSkillListed,
    GameBegun,
    GenreExpectationListed,
    PlayersSeated,
    ProprietorshipTransferred,
    RulingMade,
    VoteCast,
    WeaponListed,
)
from ledger.rules.scattershot.state import Campaign, Element, Expectation, box_of, element_of


def _begun(was: Campaign, done: GameBegun) -> Campaign:
    return changed(was, begun=True, cj=done.cj, ei=done.ei)


def _listed(was: Campaign, done: GenreExpectationListed) -> Campaign:
    listing = Expectation(done.kind, done.value, done.scope)
    return changed(was, expectations={**was.expectations, done.name: listing})


def _ability_listed(was: Campaign, done: AbilityListed) -> Campaign:
    return changed(was, abilities={**was.abilities, done.name: done})


def _use_listed(was: Campaign, done: AbilityUseListed) -> Campaign:
    return changed(was, uses={**was.uses, done.name: done})


def _advantage_listed(was: Campaign, done: AdvantageListed) -> Campaign:
    return changed(was, advantages={**was.advantages, done.name: done})


def _free_skill_listed(was: Campaign, done: FreeSkillListed) -> Campaign:
    return changed(was, free_skills={**was.free_skills, done.name: done.level})


def _weapon_listed(was: Campaign, done: WeaponListed) -> Campaign:
    return changed(was, weapons={**was.weapons, done.name: done.adds})


def _agreed(was: Campaign, done: ConsensusReached) -> Campaign:
    return changed(was, agreements={**was.agreements, done.subject: done.text})


def _free_action(was: Campaign, done: FreeActionAccepted) -> Campaign:
    return changed(was, free_actions=tuple(dict.fromkeys((*was.free_actions, done.action))))


def _seated(was: Campaign, done: PlayersSeated) -> Campaign:
    return changed(was, clockwise=done.clockwise)


def _attended(was: Campaign, done: AttendanceNoted) -> Campaign:
    return changed(was, present=done.present, present_in=done.session)


def _put(was: Campaign, name: str, element: Element) -> Campaign:
    box = box_of(name)
    return changed(was, elements={**was.elements, box: {**was.elements.get(box, {}), name: element}})


def _introduced(was: Campaign, done: ElementIntroduced) -> Campaign:
    known = element_of(was, done.element) or Element()
    return _put(was, done.element, changed(known, proprietor=done.proprietor))


def _transferred(was: Campaign, done: ProprietorshipTransferred) -> Campaign:
    known = element_of(was, done.element) or Element()
    return _put(was, done.element, changed(known, proprietor=done.to))


def _consent(was: Campaign, element: str, change: str, word: str) -> Campaign:
    known = element_of(was, element) or Element()
    return _put(was, element, changed(known, consents={**known.consents, change: word}))


def _asked(was: Campaign, done: ConsentAsked) -> Campaign:
    """An answer stands until the Proprietor answers anew: asking again takes back neither consent nor objection."""
    known = element_of(was, done.element) or Element()
    return _consent(was, done.element, done.change, known.consents.get(done.change, "asked"))


def _given(was: Campaign, done: ConsentGiven) -> Campaign:
    return _consent(was, done.element, done.change, done.consent)


def _refused(was: Campaign, done: ConsentRefused) -> Campaign:
    return _consent(was, done.element, done.change, "refused")


OF_THE_CAMPAIGN: Mapping[type[object], Change] = {
    GameBegun: _begun,
    GenreExpectationListed: _listed,
    AbilityListed: _ability_listed,
    AbilityUseListed: _use_listed,
    AdvantageListed: _advantage_listed,
    FreeSkillListed: _free_skill_listed,
    WeaponListed: _weapon_listed,
    ConsensusReached: _agreed,
    ConsensusFailed: unchanged,
    FreeActionAccepted: _free_action,
    FreeActionDeclined: unchanged,
    PlayersSeated: _seated,
    AttendanceNoted: _attended,
    ElementIntroduced: _introduced,
    ProprietorshipTransferred: _transferred,
    ConsentAsked: _asked,
    ConsentGiven: _given,
    ConsentRefused: _refused,
    ElementChanged: unchanged,
    ChartAdopted: unchanged,
    ChartRead: unchanged,
    RulingMade: unchanged,
    VoteCast: unchanged,
}
