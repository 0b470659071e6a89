"""How often each face came up, for one viewer, compared with fair dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

from projections.documents.shape import Document, give_example
from projections.redaction import ViewLens
from projections.views.pages import Page, Query, Reader, list_audience_keys

#: If each face is expected fewer times than this, the test means nothing.
ENOUGH = 5
INTERVAL = "Wilson, 95 %"
#: The sources: rolled by the ledger, entered as an answer, or entered with a declaration.
DiceSource: TypeAlias = Literal["ledger", "table", "declaration"]


class Share(Document):
    """How often a face came up, as a share of all dice, with its 95 % confidence interval (Wilson)."""

    face: int
    share: float
    low: float
    high: float


class Counted(Document):
    """The dice of one seat, with one number of sides and from one source. `dice`: the number of dice.

    `faces`: how often each face came up, from 1 on; `shares`: the same as shares of all these dice. `mean`: the mean of
    the faces; fair dice have `fair_mean`. `chi_square`: the statistic of Pearson's test against fair dice; `p`: the
    probability that fair dice differ at least as much. Both are null if there are fewer than five dice per face,
    because the test then means nothing.
    """

    seat: str
    name: str
    source: DiceSource
    sides: int
    dice: int
    faces: list[int]
    mean: float
    fair_mean: float
    shares: list[Share]
    chi_square: float | None
    p: float | None


class Faces(Counted):
    """The dice that one seat rolled, even if another seat entered them.

    `source`: rolled by the ledger (`ledger`), entered as an answer (`table`) or with a declaration (`declaration`).
    """


class SessionFaces(Counted):
    """The dice of one session. `session`: null for rolls outside sessions."""

    session: str | None


_COUNTED: dict[str, Any] = {
    "seat": "s2",
    "name": "Ben",
    "source": "ledger",
    "sides": 2,
    "dice": 10,
    "faces": [4, 6],
    "mean": 1.6,
    "fair_mean": 1.5,
    "shares": [
        {"face": 1, "share": 0.4, "low": 0.1682, "high": 0.6873},
        {"face": 2, "share": 0.6, "low": 0.3127, "high": 0.8318},
    ],
    "chi_square": 0.4,
    "p": 0.5271,
}


@give_example(faces=[_COUNTED], sessions=[{**_COUNTED, "session": "3"}], interval="Wilson, 95 %")
class DiceFaces(Document):
    """Dice by seat, source and sides (`faces`), and also by session (`sessions`).

    A die counts for the person who rolled it, not the person who entered it. All dice that this seat can see are
    counted, including unused ones and those of overturned rulings. `interval`: the method of the shares' confidence
    intervals.
    """

    faces: list[Faces]
    sessions: list[SessionFaces]
    interval: str


#: The owner, the source, the number of sides.
Key: TypeAlias = tuple[str, DiceSource, int]


def count_dice_faces(
    lens: ViewLens, reader: Reader, seat: str | None = None, session: str | None = None
) -> Page[DiceFaces]:
    """Return the counts. `seat`, `session`: count only the dice of this seat or session."""
    query = Query()
    query.add_condition("d.campaign = %(campaign)s")
    query.add_condition("d.seat = %(seat)s", seat=seat)
    query.add_condition("r.session = %(session)s", session=session)
    # A seat knows the dice that it entered, even if no other seat may see them.
    query.add_condition(
        "(d.audience IS NULL OR d.audience && %(keys)s OR (d.by = %(me)s AND d.source <> 'ledger'))",
        keys=list_audience_keys(lens.viewer),
        me=lens.viewer.seat,
    )
    for column in ("d.known_to", "r.audience"):
        query.add_condition(f"({column} IS NULL OR {column} && %(keys)s OR r.seat = %(me)s OR r.recorder = %(me)s)")
    clauses = (
        "FROM {views}.rolled d JOIN {views}.rulings r USING (campaign, number), unnest(d.faces) AS face"
        f" WHERE {query.text} GROUP BY r.session, d.seat, d.source, d.sides, face"
    )
    counts_by_key: dict[Key, list[int]] = {}
    counts_by_session: dict[tuple[str | None, Key], list[int]] = {}
    for session_id, seat_id, source, sides, face, count in reader.select_rows(
        "r.session, d.seat, d.source, d.sides, face, count(*)", clauses, query
    ):
        key: Key = (seat_id, source, sides)
        for face_counts in (
            counts_by_key.setdefault(key, [0] * sides),
            counts_by_session.setdefault((session_id, key), [0] * sides),
        ):
            face_counts[face - 1] += count
    rank_by_seat_id = {id: rank for rank, id in enumerate(lens.seat_names)}

    def make_order_key(key: Key) -> tuple[int, str, str, int]:
        return rank_by_seat_id.get(key[0], len(rank_by_seat_id)), *key

    document: DiceFaces = {
        "faces": [{**_make_faces(lens, *key, counts_by_key[key])} for key in sorted(counts_by_key, key=make_order_key)],
        "sessions": [
            {**_make_faces(lens, *key, counts_by_session[session_id, key]), "session": session_id}
            for session_id, key in sorted(
                counts_by_session,
                key=lambda session_and_key: (int(session_and_key[0] or 0), make_order_key(session_and_key[1])),
            )
        ],
        "interval": INTERVAL,
    }
    return Page(document, reader.position)


def _make_faces(lens: ViewLens, seat_id: str, source: DiceSource, sides: int, face_counts: list[int]) -> Counted:
    dice_count = sum(face_counts)
    chi_square = compute_chi_square(face_counts) if sides > 1 and dice_count >= ENOUGH * sides else None
    return {
        "seat": seat_id,
        "name": lens.find_seat_name(seat_id),
        "source": source,
        "sides": sides,
        "dice": dice_count,
        "faces": face_counts,
        "mean": round(sum(face * count for face, count in enumerate(face_counts, 1)) / dice_count, 4),
        "fair_mean": (sides + 1) / 2,
        "shares": [_make_share(face, count, dice_count) for face, count in enumerate(face_counts, 1)],
        "chi_square": round(chi_square, 4) if chi_square is not None else None,
        "p": round(compute_upper_tail(chi_square, sides - 1), 4) if chi_square is not None else None,
    }


def _make_share(face: int, count: int, dice_count: int) -> Share:
    low, high = compute_wilson_interval(count, dice_count)
    return {"face": face, "share": round(count / dice_count, 4), "low": round(low, 4), "high": round(high, 4)}


def compute_wilson_interval(count: int, dice_count: int) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a share."""
    z = NormalDist().inv_cdf(0.975)
    share, spread = count / dice_count, z * z / dice_count
    middle = (share + spread / 2) / (1 + spread)
    half_width = z / (1 + spread) * math.sqrt(share * (1 - share) / dice_count + spread / (4 * dice_count))
    return middle - half_width if count else 0.0, middle + half_width if count < dice_count else 1.0


def compute_chi_square(counts: Sequence[int]) -> float:
    """Return the chi-square statistic of the counts, compared with equal counts."""
    expected_count = sum(counts) / len(counts)
    return sum((count - expected_count) ** 2 for count in counts) / expected_count


def compute_upper_tail(chi_square: float, degrees_of_freedom: int) -> float:
    """Return the upper tail of the chi-square distribution, as a finite sum for whole degrees of freedom.

    Q(k/2, x/2) = e^-y (y^a / G(a+1) + ...) over all a = k/2 - 1, k/2 - 2, ... down to 0 (for odd k: down to 1/2, plus
    erfc(sqrt(y))), with y = x/2 and G the gamma function.
    """
    half_chi_square = chi_square / 2
    first_exponent = 0.5 if degrees_of_freedom % 2 else 0.0
    tail = math.erfc(math.sqrt(half_chi_square)) if degrees_of_freedom % 2 else 0.0
    if half_chi_square == 0:
        return 1.0
    exponents = (first_exponent + step for step in range(degrees_of_freedom // 2))
    return min(
        1.0,
        tail + sum(math.exp(a * math.log(half_chi_square) - half_chi_square - math.lgamma(a + 1)) for a in exponents),
    )
