"""Check the ledger's dice from a campaign's events alone, without a database, key or rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ledger.aggregates.randomness import Epoch, Randomness
from ledger.events.codec import encode
from ledger.events.dice_proofs import Proof, draw_numbers, draw_outcome, hash_seed, parse_proof
from ledger.events.envelope import Event
from ledger.events.lineage import find_home
from ledger.events.records import Answered, Decided, Declared, Given, Numbered, Ruled
from ledger.events.records_of_dice import EntropyGiven, EpochBegun, EpochEnded
from ledger.events.records_of_journal import Entry
from ledger.rules.kernel.facts import SessionClosed, SessionOpened

#: For each kind of question: the kind of its answer, and the field that contains the faces, cards or coins.
ANSWER_FIELDS = {
    "roll": ("dice", "faces"),
    "draw": ("cards", "cards"),
    "shuffle": ("order", "cards"),
    "flip": ("coins", "coins"),
}
KINDS = {kind for kind, _ in ANSWER_FIELDS.values()}
#: Records that contain rolls, and facts that come with a new epoch.
WITH_ROLLS = (Ruled, Declared, Answered, Numbered, Decided)
SESSION_CHANGES = (SessionOpened, SessionClosed)


@dataclass(frozen=True, slots=True)
class BadDice:
    """An error in the ledger's dice: a sentence without secrets, the save and the roll."""

    detail: str
    position: int
    roll: int = 0


@dataclass(frozen=True, slots=True)
class _Roll:
    proof: Proof
    record: Given
    position: int
    campaign: str


def check_dice(events: Iterable[Event]) -> BadDice | None:
    """Return the first difference between the recorded dice and those that follow from their commitments, or None.

    `events`: all events of the campaign, in any order. Roll numbers must have no gaps. Each roll must use the
    commitments and contributions before it, and must not change once recorded. A revealed seed must match its
    commitment, and every face, card and coin must follow from it. Rolls from a seed that is not revealed cannot be
    calculated again, but everything else about them is checked.
    """
    events_by_save: dict[int, list[Event]] = {}
    for event in events:
        events_by_save.setdefault(event.body.position, []).append(event)
    checker = _Checker()
    for position in sorted(events_by_save):
        checker.check_save(position, events_by_save[position])
    return min(checker.problems, key=lambda difference: (difference.position, difference.roll), default=None)


class _Checker:
    """Checks the saves in order. `problems`: the errors found."""

    def __init__(self) -> None:
        self.problems: list[BadDice] = []
        self.randomness = Randomness()
        self.rolls: dict[int, _Roll] = {}
        self.unproven_rolls: set[bytes] = set()
        self.ruling_count = 0
        self.home_campaign = ""

    def check_save(self, position: int, events: list[Event]) -> None:
        facts = [event.body.fact for event in events]
        self.home_campaign = campaign = self._find_campaign(events)
        has_new_key = any(isinstance(fact, EpochEnded) and fact.seed is None for fact in facts)
        proven_rolls: list[_Roll] = []
        for roll_record in _list_rolls(facts):
            ((_, fields),) = roll_record.answer.items()
            proof = parse_proof(str(fields.get("proof")))
            if proof is not None:
                proven_rolls.append(_Roll(proof, roll_record, position, campaign))
            elif (
                encoded_roll := encode((roll_record.answer, roll_record.by, roll_record.at))
            ) not in self.unproven_rolls:
                self.unproven_rolls.add(encoded_roll)
                if self.randomness.epochs and not has_new_key:
                    self._report("A roll by the ledger has no proof.", position)
        for roll in sorted(proven_rolls, key=lambda roll: roll.proof.roll):
            self._check_roll(roll)
        self._check_sessions(position, events)
        for event in sorted(events, key=lambda event: event.originator_version):
            self._check_randomness(event)
        for event in events:
            if isinstance(event.body.fact, Entry):
                self.ruling_count = max(self.ruling_count, event.body.fact.ruling or 0)
                if event.body.rolls != len(self.rolls):
                    self._report(f"The journal counts {event.body.rolls} rolls, not {len(self.rolls)}.", position)

    def _find_campaign(self, events: list[Event]) -> str:
        """Return the campaign where the dice were rolled. For a save that a fork took over, this is the origin."""
        homes = (find_home(event.body.fact.streams) for event in events if isinstance(event.body.fact, Entry))
        return next(homes, None) or self.home_campaign or events[0].originator_id.partition("/")[0]

    def _report(self, detail: str, position: int, roll_number: int = 0) -> None:
        self.problems.append(BadDice(detail, position, roll_number))

    # --- rolls ---

    def _check_roll(self, roll: _Roll) -> None:
        number = roll.proof.roll
        earlier_roll = self.rolls.get(number)
        if earlier_roll is not None:
            if earlier_roll.record.answer != roll.record.answer:
                self._report(f"Roll {number} differs from its earlier record.", roll.position, number)
            return
        if number != len(self.rolls) + 1:
            self._report(f"Roll {number} is out of order: it follows roll {len(self.rolls)}.", roll.position, number)
        self.rolls[number] = roll
        epoch = self.randomness.epoch
        expected_proof = Proof(
            epoch.begun.number if epoch is not None else -1,
            number,
            self.ruling_count + 1,
            len(self.randomness.entropies),
            "open" if roll.record.audience is None else "hidden",
        )
        if roll.proof != expected_proof:
            self._report(f"Roll {number} uses the wrong inputs.", roll.position, number)

    def _recompute_rolls(self, epoch: Epoch, seed: bytes) -> None:
        for number, roll in self.rolls.items():
            if roll.proof.epoch == epoch.begun.number and roll.proof.seed_kind == "open":
                entropy = self.randomness.mix_contributions(roll.proof.entropy_count)
                kind, field_name = ANSWER_FIELDS.get(roll.record.question.get("ask", ""), ("", ""))
                fields: dict[str, object] = roll.record.answer.get(kind, {})
                try:
                    outcome = draw_outcome(roll.record.question, draw_numbers(seed, roll.campaign, roll.proof, entropy))
                except (KeyError, TypeError, ValueError, IndexError):
                    outcome = None
                if outcome is None or list(outcome) != fields.get(field_name):
                    self._report(f"Roll {number} does not follow from its seed.", roll.position, number)

    # --- commitments ---

    def _check_sessions(self, position: int, events: list[Event]) -> None:
        has_session_change = any(
            isinstance(event.body.fact, SESSION_CHANGES) and not event.body.revision for event in events
        )
        has_new_epoch = any(isinstance(event.body.fact, EpochBegun) for event in events)
        if has_session_change and self.randomness.epochs and not has_new_epoch:
            self._report("A session was opened or closed without a new epoch.", position)

    def _check_randomness(self, event: Event) -> None:
        body, epoch = event.body, self.randomness.epoch
        match body.fact:
            case EpochBegun(number=number):
                if number != len(self.randomness.epochs) or (epoch is not None and epoch.ended is None):
                    self._report(f"Epoch {number} does not follow the previous epoch.", body.position)
            case EpochEnded(number=number, seed=seed):
                if epoch is None or epoch.ended is not None or epoch.begun.number != number:
                    self._report(f"Epoch {number} ends, but it was not open.", body.position)
                    return
                if seed is not None:
                    self._check_seed(epoch, seed, body.position)
            case EntropyGiven():
                pass
            case _:
                return
        self.randomness.apply_event(self.randomness.version + 1, body)

    def _check_seed(self, epoch: Epoch, seed: str, position: int) -> None:
        try:
            seed_bytes = bytes.fromhex(seed)
        except ValueError:
            seed_bytes = b""
        if hash_seed(seed_bytes) == epoch.begun.commitment:
            self._recompute_rolls(epoch, seed_bytes)
        else:
            self._report(f"The seed of epoch {epoch.begun.number} does not match its commitment.", position)


def _list_rolls(facts: Iterable[Any]) -> Iterator[Given]:
    """Yield the ledger's rolls. A roll that is recorded in two places is yielded twice."""
    for fact in facts:
        if not isinstance(fact, WITH_ROLLS):
            continue
        record = fact.retold if isinstance(fact, Decided) else fact
        if record is not None:
            for roll_record in record.answers:
                ((kind, fields),) = roll_record.answer.items()
                if kind in KINDS and fields.get("source") == "ledger":
                    yield roll_record
