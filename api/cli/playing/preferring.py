"""Chooses among the possible declarations: what was seldom done, what is new, what may lead to something that never
occurred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import inf
from random import Random

from api.cli.playing.filling import Json
from api.cli.playing.table import Record, Word

EVERYWHERE, OPENING = "ledger_", "open-"  # what every table can declare; and what of it opens a session or a scene
SELDOM = 0.1  # how much seldomer that is, but for what opens something
SOONER = 8.0  # how much sooner what may make possible what never was; of that, what every table can is not seldomer
NEVER_YET = 4.0  # how much sooner than others
FRESH = 4.0  # how much sooner than what the seat could declare before, too
UNHEARD, MOST_UNHEARD = 1.0, 4  # how much sooner for each fact it can lead to that never was; of so many
MUCH, OPENS, CLOSES = 2, 6.0, 0.15  # kinds of moves more than before, and how much sooner or later that is declared
SPAN, IDLY = 40, 12  # for how many rulings at most something rare is pursued, or nothing is
LATE, PREVENTS = 0.7, 0.2  # how often it is done after something else only; how often what prevents it did
STRAIGHT = 0.9  # how often, meanwhile, what leads there soonest is declared


class Preferring:
    """`records`: the facts each kind of declaration can lead to. `record`: what happened in this evening; `before`: in
    others. `sooner`: what may make possible what never occurred.
    """

    def __init__(
        self,
        records: Mapping[str, Sequence[str]],
        record: Record,
        before: Record,
        rng: Random,
        *,
        sooner: Collection[str] = (),
    ) -> None:
        self.records, self.record, self.before, self.rng, self.sooner = records, record, before, rng, sooner
        self.last_looks: dict[str, tuple[int, set[str]]] = {}  # by seat: the ruling, and what could be declared then
        self.latest, self.growth = "", dict[str, float]()
        self.declared_words: frozenset[Word] = frozenset()
        self.everywhere = set[str]()
        self.after, self.count_awaited = "", -1
        self.pursued, self.pursued_since, self.count_before, self.distances = "", -SPAN, 0, dict[str, float]()
        self.steps = Counter[str]()  # where something never was, what every table can: done in vain it is the further

    def note_new_kinds(self, by_seat: Mapping[str, set[str]]) -> set[str]:
        """Return the kinds that none of these seats could declare when it last looked. Note what the latest ruling made
        possible, and whether that is more than before.
        """
        number, was_compared = self.record.rulings, False
        new_kinds, lost_kinds, differences = set[str](), set[str](), list[int]()
        for seat, kinds in by_seat.items():
            last_ruling, previous_kinds = self.last_looks.get(seat, (0, kinds))
            self.last_looks[seat] = number, kinds
            new_kinds |= kinds - previous_kinds
            lost_kinds |= previous_kinds - kinds
            if last_ruling == number - 1:
                differences.append(len(kinds) - len(previous_kinds))
                was_compared = True
        if was_compared:
            previous_growth = self.growth.get(self.latest, 0.0)
            average = sum(differences) / len(differences)
            self.growth[self.latest] = previous_growth + (average - previous_growth) / 2
            self.record.opened.update((self.latest, kind) for kind in ("", *new_kinds))
            self.record.shut.update((self.latest, kind) for kind in lost_kinds)
            words = self.declared_words
            if words and next(iter(words))[0] == self.latest:
                self.record.led.update((word, kind) for kind in ("", *new_kinds) for word in words)
            self.declared_words = frozenset()
        return new_kinds

    def count_declared(self, kind: str) -> int:
        return sum(record.kinds[kind] + record.refused[kind] for record in (self.record, self.before))

    def choose_kind(self, moves: Sequence[Json], fresh: set[str]) -> str:
        """Return the kind to declare. Preferred are kinds seldom declared or possible, the game's own, those just made
        possible, those that can lead to something new, and those that open much.
        """
        everywhere: dict[str, bool] = {move["kind"]: _is_everywhere(move) for move in moves}
        self.everywhere.update(kind for kind, always in everywhere.items() if always or kind.startswith(OPENING))
        kinds = sorted(everywhere)
        weights = [self._weigh_kind(kind, fresh=kind in fresh, everywhere=everywhere[kind]) for kind in kinds]
        self._choose_pursuit()
        if self.pursued and self.rng.random() < STRAIGHT:
            distances = self._list_leading_kinds(kinds) or {
                kind: self.distances[kind] for kind in kinds if kind in self.distances
            }
            if distances:
                kind = min(sorted(distances), key=lambda kind: distances[kind] * (1 + self.steps[kind]))
                self.steps[kind] += bool(self.sooner) and kind in self.everywhere
                return kind
        return self.rng.choices(kinds, weights)[0]

    def _weigh_kind(self, kind: str, *, fresh: bool, everywhere: bool) -> float:
        count = self.count_declared(kind)
        is_sooner = kind in self.sooner
        weight: float = 1 / (1 + count) if count else NEVER_YET
        weight *= (1 if is_sooner else SELDOM) if everywhere else (SOONER if is_sooner else 1)
        weight *= (FRESH if fresh else 1) * self._weigh_growth(kind)
        weight *= 1 + UNHEARD * self._count_unrecorded(kind) / (1 + count) ** 0.5
        rarity: float = (1 + self.record.offered[kind]) ** -0.5
        return weight * rarity

    # --- what is pursued ---

    def _choose_pursuit(self) -> None:
        """Choose another kind to pursue, after the last was declared or took too long; or nothing for a while."""
        number = self.record.rulings
        span = SPAN if self.pursued else IDLY
        if (
            self.pursued_since <= number < self.pursued_since + span
            and self.record.kinds[self.pursued] == self.count_before
        ):
            return
        self.record.reached[self.pursued] += self.record.kinds[self.pursued] > self.count_before
        self.pursued_since, self.pursued, self.distances = number, "", {}
        self.steps.clear()
        if self.rng.random() < self._measure_out_of_reach():
            opened = {kind for _, kind in self.record.opened + self.before.opened if kind in self.records}
            kinds = sorted(opened - self.everywhere)
            if kinds:
                self.pursued = self.rng.choices(kinds, [self._weigh_pursuit(kind) for kind in kinds])[0]
                self.record.tried[self.pursued] += 1
                self.distances = self._measure_distances(self.pursued)
                is_late = self.count_declared(self.pursued) and self.rng.random() < LATE
                self.after = self.rng.choice(kinds) if is_late else self.pursued
        self.count_before, self.count_awaited = self.record.kinds[self.pursued], -1

    def _measure_out_of_reach(self) -> float:
        """Return how much of the game is mostly impossible. If everything is possible, nothing need be pursued."""
        offered = self.record.offered + self.before.offered
        looks = max(offered.values(), default=1)
        own = [count / looks for kind, count in offered.items() if kind not in self.everywhere]
        return 1 - sum(own) / len(own) if own else 0.0

    def _list_leading_kinds(self, kinds: Sequence[str]) -> dict[str, float]:
        """Return, once it is possible, the kinds that lead to something after which it is declared, and do not prevent
        it.
        """
        if self.pursued not in kinds or self.after == self.pursued:
            return {}
        count = self.record.kinds[self.after]
        if self.count_awaited < 0:
            self.count_awaited = count
        if self.count_awaited < count:
            return {}
        distances = self._measure_distances(self.after)
        return {
            kind: distances[kind]
            for kind in kinds
            if kind in distances and kind != self.pursued and not self._is_preventing(kind)
        }

    def _is_preventing(self, kind: str) -> bool:
        shut, looks = (
            sum(counts[kind, to] for counts in records)
            for records, to in (
                ((self.record.shut, self.before.shut), self.pursued),
                ((self.record.opened, self.before.opened), ""),
            )
        )
        return shut > PREVENTS * looks

    def weigh_promise(self, kind: str, words: Collection[Word]) -> float:
        """Return how often declarations in such words made the next step towards the pursued kind possible; for words
        never used, as often as any others.
        """
        to = self._choose_next_kind(kind) if self.pursued and kind != self.pursued else None
        if to is None or not words:
            return 0.0
        return sum((1 + self._count_led(word, to)) / (1 + self._count_led(word, "")) for word in words) / len(words)

    def _choose_next_kind(self, kind: str) -> str | None:
        """Return, of the kinds that this kind made possible, the one nearest to the pursued kind; None without any."""
        opened = self.record.opened + self.before.opened
        distances = {
            next_kind: self.distances[next_kind] + opened[kind, ""] / count
            for (previous_kind, next_kind), count in opened.items()
            if previous_kind == kind and next_kind in self.distances
        }
        return min(sorted(distances), key=distances.__getitem__, default=None)

    def _count_led(self, word: Word, to: str) -> int:
        return self.record.led[word, to] + self.before.led[word, to]

    def _weigh_pursuit(self, kind: str) -> float:
        times_declared = 1 + self.count_declared(kind)
        times_offered = 1 + self.record.offered[kind] + self.before.offered[kind]
        tried, reached = (
            1 + counts[kind] + before[kind]
            for counts, before in (
                (self.record.tried, self.before.tried),
                (self.record.reached, self.before.reached),
            )
        )
        return float((1 + self._count_unrecorded(kind)) / (times_declared * times_offered) ** 0.5 * reached / tried)

    def _measure_distances(self, target: str) -> dict[str, float]:
        """Return how far each kind is from the pursued one, by what made what possible: further where it seldom did."""
        opened = self.record.opened + self.before.opened
        distances, queue = {target: 0.0}, [target]
        while queue:
            to = queue.pop(0)
            for (kind, next_kind), count in opened.items():
                distance = distances[to] + opened[kind, ""] / count if next_kind == to else inf
                if distance < distances.get(kind, inf):
                    distances[kind] = distance
                    queue.append(kind)
        return distances

    def _count_unrecorded(self, kind: str) -> int:
        """Return how many facts it can lead to that never occurred."""
        never = (1 for fact in self.records.get(kind, ()) if not self.record.facts[fact] + self.before.facts[fact])
        return min(MOST_UNHEARD, sum(never))

    def _weigh_growth(self, kind: str) -> float:
        """Return a weight: higher for what mostly made more possible, much lower for what ended much."""
        growth = self.growth.get(kind, 0.0)
        if growth >= MUCH:
            return OPENS
        return CLOSES if growth <= -MUCH else 1.0


def _is_everywhere(move: Json) -> bool:
    """Return whether every table can declare it, and it opens nothing."""
    schema: str = move["schema"]["allOf"][0]["$ref"]
    return f"/{EVERYWHERE}" in schema and not move["kind"].startswith(OPENING)
