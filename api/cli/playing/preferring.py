"""Choose among the possible declarations. Prefer those that are rare or new, or that may lead to something new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import inf
from random import Random

from api.cli.playing.filling import Json
from api.cli.playing.table import Record, Word

# the prefixes of declarations that every game has, and of declarations that open a session or a scene
EVERYWHERE, OPENING = "ledger_", "open-"
SELDOM = 0.1  # the weight of declarations of every game, except those that open something
SOONER = 8.0  # the weight of helpful kinds, for which `SELDOM` does not apply
NEVER_YET = 4.0  # the weight of kinds that were never declared
FRESH = 4.0  # the weight of kinds that the seat could not declare before
UNHEARD, MOST_UNHEARD = 1.0, 4  # the weight of each fact that never occurred, and how many of them count
MUCH, OPENS, CLOSES = 2, 6.0, 0.15  # a change in the number of possible kinds that counts as large, and its weights
SPAN, IDLY = 40, 12  # the most rulings for which a rare kind is pursued, and for which none is pursued
# LATE: how often another kind must be declared before the pursued kind. PREVENTS: a kind is avoided if it made the
# pursued kind impossible more often than this
LATE, PREVENTS = 0.7, 0.2
STRAIGHT = 0.9  # how often the possible kind nearest to the pursued kind is declared


class Preferring:
    """Chooses the kind of the next declaration. `facts_by_kind`: the facts that each kind can lead to.

    `record`: what happened in this evening. `earlier_record`: what happened in earlier ones. `helpful_kinds`: kinds
    that may make other kinds possible for the first time.
    """

    def __init__(
        self,
        facts_by_kind: Mapping[str, Sequence[str]],
        record: Record,
        earlier_record: Record,
        rng: Random,
        *,
        helpful_kinds: Collection[str] = (),
    ) -> None:
        self.facts_by_kind, self.record, self.earlier_record, self.rng, self.helpful_kinds = (
            facts_by_kind,
            record,
            earlier_record,
            rng,
            helpful_kinds,
        )
        # for each seat: the number of rulings at its last look, and the kinds that it could declare then
        self.last_looks: dict[str, tuple[int, set[str]]] = {}
        self.latest_kind, self.growth_by_kind = "", dict[str, float]()
        self.declared_words: frozenset[Word] = frozenset()
        self.kinds_everywhere = set[str]()
        self.kind_before_pursued, self.leading_count_before = "", -1
        self.pursued_kind, self.pursued_since, self.pursued_count_before, self.distances = (
            "",
            -SPAN,
            0,
            dict[str, float](),
        )
        # how often each kind was declared on the way to the pursued kind. A kind counts as further away after each
        # attempt without success
        self.steps = Counter[str]()

    def note_new_kinds(self, kinds_by_seat: Mapping[str, set[str]]) -> set[str]:
        """Return the kinds that a seat can declare now but could not declare at its last look. Also note which kinds
        the latest ruling made possible or impossible.
        """
        ruling_count, was_compared = self.record.ruling_count, False
        new_kinds, lost_kinds, differences = set[str](), set[str](), list[int]()
        for seat, kinds in kinds_by_seat.items():
            last_count, previous_kinds = self.last_looks.get(seat, (0, kinds))
            self.last_looks[seat] = ruling_count, kinds
            new_kinds |= kinds - previous_kinds
            lost_kinds |= previous_kinds - kinds
            if last_count == ruling_count - 1:
                differences.append(len(kinds) - len(previous_kinds))
                was_compared = True
        if was_compared:
            previous_growth = self.growth_by_kind.get(self.latest_kind, 0.0)
            average = sum(differences) / len(differences)
            self.growth_by_kind[self.latest_kind] = previous_growth + (average - previous_growth) / 2
            self.record.opened.update((self.latest_kind, kind) for kind in ("", *new_kinds))
            self.record.shut.update((self.latest_kind, kind) for kind in lost_kinds)
            words = self.declared_words
            if words and next(iter(words))[0] == self.latest_kind:
                self.record.led.update((word, kind) for kind in ("", *new_kinds) for word in words)
            self.declared_words = frozenset()
        return new_kinds

    def count_declarations(self, kind: str) -> int:
        return sum(record.kinds[kind] + record.refused[kind] for record in (self.record, self.earlier_record))

    def choose_kind(self, moves: Sequence[Json], new_kinds: set[str]) -> str:
        """Return the kind to declare."""
        is_everywhere_by_kind: dict[str, bool] = {move["kind"]: _is_everywhere(move) for move in moves}
        self.kinds_everywhere.update(
            kind for kind, is_everywhere in is_everywhere_by_kind.items() if is_everywhere or kind.startswith(OPENING)
        )
        kinds = sorted(is_everywhere_by_kind)
        weights = [
            self._weigh_kind(kind, is_new=kind in new_kinds, is_everywhere=is_everywhere_by_kind[kind])
            for kind in kinds
        ]
        self._choose_pursuit()
        if self.pursued_kind and self.rng.random() < STRAIGHT:
            distances = self._measure_leading_distances(kinds) or {
                kind: self.distances[kind] for kind in kinds if kind in self.distances
            }
            if distances:
                kind = min(sorted(distances), key=lambda kind: distances[kind] * (1 + self.steps[kind]))
                self.steps[kind] += bool(self.helpful_kinds) and kind in self.kinds_everywhere
                return kind
        return self.rng.choices(kinds, weights)[0]

    def _weigh_kind(self, kind: str, *, is_new: bool, is_everywhere: bool) -> float:
        count = self.count_declarations(kind)
        is_helpful = kind in self.helpful_kinds
        weight: float = 1 / (1 + count) if count else NEVER_YET
        weight *= (1 if is_helpful else SELDOM) if is_everywhere else (SOONER if is_helpful else 1)
        weight *= (FRESH if is_new else 1) * self._weigh_growth(kind)
        weight *= 1 + UNHEARD * self._count_unrecorded(kind) / (1 + count) ** 0.5
        rarity: float = (1 + self.record.offered[kind]) ** -0.5
        return weight * rarity

    # --- pursuing a kind ---

    def _choose_pursuit(self) -> None:
        """Choose another kind to pursue after the pursued kind was declared or took too long. Sometimes pursue none."""
        ruling_count = self.record.ruling_count
        span = SPAN if self.pursued_kind else IDLY
        if (
            self.pursued_since <= ruling_count < self.pursued_since + span
            and self.record.kinds[self.pursued_kind] == self.pursued_count_before
        ):
            return
        self.record.reached[self.pursued_kind] += self.record.kinds[self.pursued_kind] > self.pursued_count_before
        self.pursued_since, self.pursued_kind, self.distances = ruling_count, "", {}
        self.steps.clear()
        if self.rng.random() < self._measure_out_of_reach():
            opened_kinds = {
                kind for _, kind in self.record.opened + self.earlier_record.opened if kind in self.facts_by_kind
            }
            kinds = sorted(opened_kinds - self.kinds_everywhere)
            if kinds:
                self.pursued_kind = self.rng.choices(kinds, [self._weigh_pursuit(kind) for kind in kinds])[0]
                self.record.tried[self.pursued_kind] += 1
                self.distances = self._measure_distances(self.pursued_kind)
                is_late = self.count_declarations(self.pursued_kind) and self.rng.random() < LATE
                self.kind_before_pursued = self.rng.choice(kinds) if is_late else self.pursued_kind
        self.pursued_count_before, self.leading_count_before = self.record.kinds[self.pursued_kind], -1

    def _measure_out_of_reach(self) -> float:
        """Return how seldom the game's own kinds are possible, from 0 (always) to 1 (never)."""
        offer_counts = self.record.offered + self.earlier_record.offered
        look_count = max(offer_counts.values(), default=1)
        shares = [count / look_count for kind, count in offer_counts.items() if kind not in self.kinds_everywhere]
        return 1 - sum(shares) / len(shares) if shares else 0.0

    def _measure_leading_distances(self, kinds: Sequence[str]) -> dict[str, float]:
        """Return how far each kind is from `kind_before_pursued`, without the kinds that prevent the pursued kind.
        Return an empty dict if the pursued kind is not possible now, or if no other kind has to come first.
        """
        if self.pursued_kind not in kinds or self.kind_before_pursued == self.pursued_kind:
            return {}
        count = self.record.kinds[self.kind_before_pursued]
        if self.leading_count_before < 0:
            self.leading_count_before = count
        if self.leading_count_before < count:
            return {}
        distances = self._measure_distances(self.kind_before_pursued)
        return {
            kind: distances[kind]
            for kind in kinds
            if kind in distances and kind != self.pursued_kind and not self._is_preventing(kind)
        }

    def _is_preventing(self, kind: str) -> bool:
        shut_count, look_count = (
            sum(counts[kind, target_kind] for counts in counters)
            for counters, target_kind in (
                ((self.record.shut, self.earlier_record.shut), self.pursued_kind),
                ((self.record.opened, self.earlier_record.opened), ""),
            )
        )
        return shut_count > PREVENTS * look_count

    def weigh_promise(self, kind: str, words: Collection[Word]) -> float:
        """Return how often declarations with these words led closer to the pursued kind, from 0 (never) to 1 (always).
        A new word counts as 1.
        """
        next_kind = self._choose_next_kind(kind) if self.pursued_kind and kind != self.pursued_kind else None
        if next_kind is None or not words:
            return 0.0
        return sum(
            (1 + self._count_led_to(word, next_kind)) / (1 + self._count_led_to(word, "")) for word in words
        ) / len(words)

    def _choose_next_kind(self, kind: str) -> str | None:
        """Return the kind that is closest to the pursued kind, among those that `kind` made possible. Return None if
        there is none.
        """
        opening_counts = self.record.opened + self.earlier_record.opened
        distances = {
            next_kind: self.distances[next_kind] + opening_counts[kind, ""] / count
            for (previous_kind, next_kind), count in opening_counts.items()
            if previous_kind == kind and next_kind in self.distances
        }
        return min(sorted(distances), key=distances.__getitem__, default=None)

    def _count_led_to(self, word: Word, next_kind: str) -> int:
        return self.record.led[word, next_kind] + self.earlier_record.led[word, next_kind]

    def _weigh_pursuit(self, kind: str) -> float:
        times_declared = 1 + self.count_declarations(kind)
        times_offered = 1 + self.record.offered[kind] + self.earlier_record.offered[kind]
        try_count, reach_count = (
            1 + counts[kind] + earlier_counts[kind]
            for counts, earlier_counts in (
                (self.record.tried, self.earlier_record.tried),
                (self.record.reached, self.earlier_record.reached),
            )
        )
        return float(
            (1 + self._count_unrecorded(kind)) / (times_declared * times_offered) ** 0.5 * reach_count / try_count
        )

    def _measure_distances(self, target_kind: str) -> dict[str, float]:
        """Return how far each kind is from the target kind. One step leads from a kind to a kind that it made possible.
        Rare steps are longer.
        """
        opening_counts = self.record.opened + self.earlier_record.opened
        distances, queue = {target_kind: 0.0}, [target_kind]
        while queue:
            reached_kind = queue.pop(0)
            for (kind, next_kind), count in opening_counts.items():
                distance = (
                    distances[reached_kind] + opening_counts[kind, ""] / count if next_kind == reached_kind else inf
                )
                if distance < distances.get(kind, inf):
                    distances[kind] = distance
                    queue.append(kind)
        return distances

    def _count_unrecorded(self, kind: str) -> int:
        """Return how many of the facts that the kind can lead to have never occurred, up to `MOST_UNHEARD`."""
        unrecorded_facts = [
            fact
            for fact in self.facts_by_kind.get(kind, ())
            if not self.record.facts[fact] + self.earlier_record.facts[fact]
        ]
        return min(MOST_UNHEARD, len(unrecorded_facts))

    def _weigh_growth(self, kind: str) -> float:
        """Return a weight: high for kinds that usually made more kinds possible, very low for those that made many
        impossible.
        """
        growth = self.growth_by_kind.get(kind, 0.0)
        if growth >= MUCH:
            return OPENS
        return CLOSES if growth <= -MUCH else 1.0


def _is_everywhere(move: Json) -> bool:
    """Return whether every game has the move. Return False for moves that open a session or a scene."""
    reference: str = move["schema"]["allOf"][0]["$ref"]
    return f"/{EVERYWHERE}" in reference and not move["kind"].startswith(OPENING)
