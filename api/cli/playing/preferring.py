"""Which of what can be declared is: what was seldom done, what is new, what may come to something unheard of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from api.cli.playing.filling import Json
from api.cli.playing.table import Record

EVERYWHERE, OPENING = "ledger_", "open-"  # what every table can declare; and what of it opens a session or a scene
SELDOM = 0.1  # how much seldomer that is, but for what opens something
NEVER_YET = 4.0  # how much sooner than others
FRESH = 4.0  # how much sooner than what the seat could declare before, too
UNHEARD, MOST_UNHEARD = 1.0, 4  # how much sooner for each fact it can lead to that never was; of so many
MUCH, OPENS, CLOSES = 2, 6.0, 0.15  # kinds of moves more than before, and how much sooner or later that is declared
PURSUED, KEEN = 0.6, 12.0  # how often what leads to something rare is declared sooner, and how much
RARE, OFTEN = 0.5, 0.5
FURTHER, STEPS = 0.8, 8  # how much less what is a step further off counts; and so many are looked at


class Preferring:
    """`records`: the facts each kind of declaration can lead to. `record`: what happened in this evening; `before`: in
    others.
    """

    def __init__(self, records: Mapping[str, Sequence[str]], record: Record, before: Record, rng: Random) -> None:
        self.records, self.record, self.before, self.rng = records, record, before, rng
        self.could: dict[str, tuple[int, set[str]]] = {}
        self.latest, self.grown = "", dict[str, float]()
        self.reckoned, self.promise = -1, dict[str, float]()

    def compared(self, seat: str, kinds: set[str]) -> set[str]:
        """What the seat could not declare when it looked last; and whether the ruling since then made more possible."""
        number, (before, had) = self.record.rulings, self.could.get(seat, (0, kinds))
        if before == number - 1:
            grown = self.grown.get(self.latest, 0.0)
            self.grown[self.latest] = grown + (len(kinds) - len(had) - grown) / 2
            self.record.opened.update((self.latest, one) for one in ("", *(kinds - had)))
        self.could[seat] = number, kinds
        return kinds - had

    def often(self, kind: str) -> int:
        return sum(one.kinds[kind] + one.refused[kind] for one in (self.record, self.before))

    def kind(self, moves: Sequence[Json], fresh: set[str]) -> str:
        """Of those moves: one seldom declared or seldom possible before others, the game's own before what every table
        can declare, what has just become possible before what was so all along, what can lead to what never was before
        what cannot, and what opens much first.
        """
        everywhere: dict[str, bool] = {
            kind: f"/{EVERYWHERE}" in one["schema"]["allOf"][0]["$ref"] and not kind.startswith(OPENING)
            for one in moves
            if (kind := one["kind"])
        }
        kinds = sorted(everywhere)
        weights = [self._weight(one, fresh=one in fresh, everywhere=everywhere[one]) for one in kinds]
        if self.rng.random() < PURSUED:
            promise = self._promises()
            most = max(promise.get(one, 0.0) for one in kinds) or 1.0
            weights = [
                weight * (1 + KEEN * (promise.get(one, 0.0) / most) ** 2)
                for one, weight in zip(kinds, weights, strict=True)
            ]
        return self.rng.choices(kinds, weights)[0]

    def _weight(self, kind: str, *, fresh: bool, everywhere: bool) -> float:
        count = self.often(kind)
        weight: float = 1 / (1 + count) if count else NEVER_YET
        weight *= (FRESH if fresh else 1) * self._opens(kind, everywhere=everywhere)
        weight *= 1 + UNHEARD * self._unheard(kind)
        seen: float = (1 + self.record.offered[kind]) ** -0.5
        return weight * seen

    def _promises(self) -> dict[str, float]:
        """Of each kind: how rare it is and what never was it can lead to; or what comes of it, as often as it did."""
        if self.reckoned == self.record.rulings:
            return self.promise
        self.reckoned = self.record.rulings
        opened = self.record.opened + self.before.opened
        promise = {kind: (1 + self._unheard(kind)) / (1 + self.often(kind)) ** RARE for kind in self.records}
        for _ in range(STEPS):
            for (kind, then), count in opened.items():
                if then and kind in promise and then in promise:
                    leads = FURTHER * min(1.0, count / opened[kind, ""]) ** OFTEN * promise[then]
                    promise[kind] = max(promise[kind], leads)
        self.promise = promise
        return promise

    def _unheard(self, kind: str) -> int:
        """How many facts it can lead to that never were."""
        never = (1 for one in self.records.get(kind, ()) if not self.record.facts[one] + self.before.facts[one])
        return min(MOST_UNHEARD, sum(never))

    def _opens(self, kind: str, *, everywhere: bool) -> float:
        """What mostly made much more possible is declared sooner, what made an end of much later."""
        grown = self.grown.get(kind, 0.0)
        if grown >= MUCH:
            return OPENS
        return (CLOSES if grown <= -MUCH else 1.0) * (SELDOM if everywhere else 1.0)
