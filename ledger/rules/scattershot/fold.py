"""The fold: a subject's state after a fact. Total: a fact that finds nothing it could change goes adrift."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.fold import Change, Fold, unchanged
from ledger.rules.kernel.frozen import changed
from ledger.rules.scattershot.facts_of_characters import LimitDeclined, PointLimitSet, WordLimitDeclined, WordLimitSet
from ledger.rules.scattershot.facts_of_play import PlayModeShifted, SpeakerChanged
from ledger.rules.scattershot.facts_of_rewards import (
    CoolBeansGiven,
    CoolBeansReplaced,
    CoupCounted,
    DiceDeclined,
    ExperienceDiceAwarded,
    LoanerLapsed,
    PaybackPaid,
)
from ledger.rules.scattershot.fold_of_characters import OF_CHARACTERS
from ledger.rules.scattershot.fold_of_deeds import OF_DEEDS
from ledger.rules.scattershot.fold_of_fights import OF_FIGHTS
from ledger.rules.scattershot.fold_of_the_campaign import OF_THE_CAMPAIGN
from ledger.rules.scattershot.state import Campaign, Character, Scene, Seat


def _shifted(was: Scene, done: PlayModeShifted) -> Scene:
    return changed(was, mode=done.to)


def _speaks(was: Scene, done: SpeakerChanged) -> Scene:
    return changed(was, speaker=done.to)


def _limited(was: Seat, done: PointLimitSet) -> Seat:
    return changed(was, limit=done.limit)


def _limited_in_words(was: Seat, done: WordLimitSet) -> Seat:
    return changed(was, words=tuple(dict.fromkeys((*was.words, done.words))))


OF_MODES: Mapping[type[object], Change] = {PlayModeShifted: _shifted, SpeakerChanged: _speaks}
#: Its dice are counted in accounts.
OF_SEATS: Mapping[type[object], Change] = {
    PointLimitSet: _limited,
    LimitDeclined: unchanged,
    WordLimitSet: _limited_in_words,
    WordLimitDeclined: unchanged,
    ExperienceDiceAwarded: unchanged,
    CoolBeansGiven: unchanged,
    CoolBeansReplaced: unchanged,
    CoupCounted: unchanged,
    DiceDeclined: unchanged,
    PaybackPaid: unchanged,
    LoanerLapsed: unchanged,
}
FOLD = Fold(
    {"character": Character, "scene": Scene, "campaign": Campaign, "seat": Seat},
    {
        Character: OF_CHARACTERS,
        Scene: {**OF_MODES, **OF_DEEDS, **OF_FIGHTS},
        Campaign: OF_THE_CAMPAIGN,
        Seat: OF_SEATS,
    },
)
