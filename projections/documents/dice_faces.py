"""How often which face fell, for one viewer, and how that compares with fair dice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ledger.rules.kernel.questions import Source
from projections.documents.shape import Document, like
from projections.redaction import ViewLens
from projections.views.pages import Page, Query, Reader, keys_of

#: Of each face so many should have fallen before the test means anything.
ENOUGH = 5


class Faces(Document):
    """Dice of one seat: those the ledger rolled upon its declarations and answers, or those it typed in.

    `faces`: how often each fell, from 1 on. `chi_square`: of Pearson's test against fair dice; `p`: how often fair dice
    would look at least as odd. Null for less than five dice a face, of which nothing can be said.
    """

    seat: str
    name: str
    source: Source
    sides: int
    dice: int
    faces: list[int]
    chi_square: float | None
    p: float | None


@like(
    faces=[{
        "seat": "s2", "name": "Ben", "source": "ledger", "sides": 6, "dice": 60, "faces": [12, 9, 8, 11, 9, 11],
        "chi_square": 1.2, "p": 0.9449,
    }],
)  # fmt: skip
class DiceFaces(Document):
    """By seat, by who rolled, by sides. Counted are the dice of rulings that this seat may see, whatever became of
    them: those set aside, and those of what was overturned since, fell all the same.
    """

    faces: list[Faces]


def dice_faces(lens: ViewLens, reader: Reader) -> Page[DiceFaces]:
    query = Query()
    query.where("d.campaign = %(campaign)s")
    # What somebody typed in they know, whoever else it was said to.
    query.where(
        "(d.audience IS NULL OR d.audience && %(keys)s OR (d.seat = %(me)s AND d.source = 'table'))",
        keys=keys_of(lens.viewer),
        me=lens.viewer.seat,
    )
    query.where("(r.audience IS NULL OR r.audience && %(keys)s OR r.seat = %(me)s OR r.recorder = %(me)s)")
    rest = (
        "FROM {views}.rolled d JOIN {views}.rulings r USING (campaign, number), unnest(d.faces) AS face"
        f" WHERE {query.text} GROUP BY d.seat, d.source, d.sides, face"
    )
    rows = reader.rows("d.seat, d.source, d.sides, face, count(*)", rest, query)
    counted: dict[tuple[str, Source, int], list[int]] = {}
    for seat, source, sides, face, count in rows:
        counted.setdefault((seat, source, sides), [0] * sides)[face - 1] = count
    order = list(lens.names)
    found = sorted(counted.items(), key=lambda one: (order.index(one[0][0]), one[0][1], one[0][2]))
    return Page({"faces": [_told(lens, *key, faces) for key, faces in found]}, reader.position)


def _told(lens: ViewLens, seat: str, source: Source, sides: int, faces: list[int]) -> Faces:
    odd = chi_square(faces) if sides > 1 and sum(faces) >= ENOUGH * sides else None
    return {
        "seat": seat,
        "name": lens.seat_name(seat),
        "source": source,
        "sides": sides,
        "dice": sum(faces),
        "faces": faces,
        "chi_square": round(odd, 4) if odd is not None else None,
        "p": round(at_least_as_odd(odd, sides - 1), 4) if odd is not None else None,
    }


def chi_square(counts: Sequence[int]) -> float:
    """How far counts are from being all alike."""
    expected = sum(counts) / len(counts)
    return sum((one - expected) ** 2 for one in counts) / expected


def at_least_as_odd(chi_square: float, freedom: int) -> float:
    """The upper tail of the chi-square distribution. Of whole degrees of freedom it is a sum with an end.

    Q(k/2, x/2) = e^-y (y^a / G(a+1) + ...) over all a = k/2 - 1, k/2 - 2, ... down to 0 (of odd k: to 1/2, and
    erfc(sqrt(y)) besides), with y = x/2 and G the gamma function.
    """
    half = chi_square / 2
    begin = 0.5 if freedom % 2 else 0.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else 0.0
    if half == 0:
        return 1.0
    exponents = (begin + step for step in range(freedom // 2))
    return min(1.0, tail + sum(math.exp(a * math.log(half) - half - math.lgamma(a + 1)) for a in exponents))
