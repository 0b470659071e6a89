"""What can be declared of split pools: some actions in one, with shares that are there whatever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Row, Shape
from ledger.rules.moc import inputs_of_actions
from ledger.rules.moc.offering import LEFT_OUT, TOLD_LEVELS, Offering, one, together
from ledger.rules.moc.sheet import SubPool
from ledger.rules.moc.terms import ELEMENTS, KINDS, PRIMARIES

PARTS = (2, 3)
Fields = dict[str, Domain]


def splits(now: Offering, able: tuple[str, ...], plain: Mapping[str, Domain]) -> Iterator[Move]:
    """moc.split.divide: of the Primary of the first part. No skill is inherited: each part says its own, or none."""
    for values, ids in together((id, tuple(now.draft.value(id, name) for name in PRIMARIES)) for id in able).items():
        for primary, value in zip(PRIMARIES, values, strict=True):
            rows = tuple(_rows(now, primary, value))
            if rows:
                yield Move(inputs_of_actions.DeclareAction, {
                    **plain, "character": Among(ids), "skill": LEFT_OUT, "parts": Either(rows), "penalty": one(0),
                    "primary": Among((None, primary) if primary == PRIMARIES[0] else (primary,)),
                    "roll_kind": Among(KINDS), "defender": LEFT_OUT,
                })  # fmt: skip


def _rows(now: Offering, primary: str, value: int) -> Iterator[Row]:
    """So many parts with the same most; or of two, one with nearly all. A defence may leave more."""
    skills = now.campaign.skills
    mine = (None, *(name for name, entry in skills.items() if entry.primary == primary))
    for count in PARTS:
        left = value - (count - 1)
        shares = [(left // count,) * count]
        if count == min(PARTS) and left > count:
            shares += [(left - 1, 1), (1, left - 1)]
        for share in shares if left >= count else ():
            first, *others = share
            yield Row((_part(now, mine, first), *(_part(now, (None, *skills), most) for most in others)))


def _part(now: Offering, skills: tuple[str | None, ...], most: int) -> Shape:
    said = Among((False, True))
    fields: Fields = {
        "dice": Between(1, most), "skill": Among(skills), "element": Among((None, *ELEMENTS)),
        "roll_kind": Among((None, *KINDS)), "tn": Either((LEFT_OUT, Between(now.dials.tn_floor))),
        "required": Among((None, *TOLD_LEVELS)), "defence": said, "opposed": said,
    }  # fmt: skip
    return Shape(SubPool, fields)
