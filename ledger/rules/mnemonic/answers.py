"""What can be answered to what is asked in the middle of a ruling: by the ladder in force, which everybody may read."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import Among, Between, Shape
from ledger.rules.mnemonic.choices import Judge, NameRating, ReportJudgement, SettleOn, TakePreset
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.ladders import has_rating, ratings
from ledger.rules.mnemonic.tables import PRESETS


def judging(dials: Dials) -> Iterator[Shape]:
    """`mnemonic.aptitude.bounds`: an Aptitude."""
    ladder = ratings(dials)
    possible = Between(2 * ladder[0][1], 2 * ladder[-1][1])
    for kind in (Judge, ReportJudgement, SettleOn):
        yield Shape(kind, {"aptitude": possible})


def rating(dials: Dials) -> Iterator[Shape]:
    """`mnemonic.dramatic.presets`: a rating of the ladder, or one of those suggested that it has."""
    ladder = ratings(dials)
    yield Shape(NameRating, {"rating": Among(tuple(name for name, _ in ladder))})
    for preset, suggested in PRESETS.items():
        named = tuple(one for one in suggested if has_rating(ladder, one))
        first = (None,) if has_rating(ladder, suggested[0]) else ()
        yield Shape(TakePreset, {"preset": Among((preset,)), "rating": Among((*first, *named))})
