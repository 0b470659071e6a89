"""Roll the ledger's own dice from seeds that were committed to beforehand. Each roll has a proof
(`ledger.events.dice_proofs`).
"""

from __future__ import annotations

from random import Random
from secrets import SystemRandom
from typing import Any, assert_never

from ledger.aggregates.randomness import name_randomness_stream
from ledger.application.save import Save
from ledger.events.dice_proofs import Proof, SeedKind, draw_numbers, draw_outcome, hash_seed
from ledger.events.records_of_dice import EpochBegun, EpochEnded
from ledger.rules.kernel.open_dice import roll_open_dice
from ledger.rules.kernel.questions import (
    Answer,
    Chance,
    Dice,
    Draw,
    Drawn,
    Flip,
    Flipped,
    Roll,
    Shuffle,
    Shuffled,
    question_json,
)

_system_random = SystemRandom()


def answer_by_ledger(save: Save, question: Chance, next_ruling: int) -> Answer:
    """Return the answer of the campaign's next roll. `next_ruling`: the number of the next ruling.

    There is no proof without an earlier commitment: in a campaign from before commitments existed, and after a change
    of the server's key. Then this one roll is random, and the save begins an epoch.
    """
    randomness = save.book.randomness
    seed_kind: SeedKind = "open" if question.audience is None else "hidden"
    seed = _find_seed(save, seed_kind)
    if seed is None or randomness.epoch is None:
        begin_epoch(save, save.session)
        return answer_by_chance(question)
    save.roll_count += 1
    proof = Proof(randomness.epoch.begun.number, save.roll_count, next_ruling, len(randomness.entropies), seed_kind)
    results = draw_outcome(question_json(question), draw_numbers(seed, save.book.id, proof, randomness.mixed_entropy))
    return _make_answer(question, results, str(proof))


def begin_epoch(save: Save, session: str, seed_hex: str | None = None) -> None:
    """Reveal the open seed of the current epoch, and commit to the seeds of the next one. This happens at most once in
    a save.

    `seed_hex`: for a fork, the open seed of its current epoch if the origin has revealed it. Until then, the fork does
    not reveal it either.
    """
    randomness, stream = save.book.randomness, name_randomness_stream(save.book.id)
    if any(event.originator_id == stream for event in save.events):
        return
    number = 0
    if randomness.epoch is not None:
        seed = _find_seed(save, "open")
        number = randomness.epoch.begun.number
        save.put(stream, randomness.version, EpochEnded(number, seed.hex() if seed is not None else seed_hex))
        number += 1
    open_hash, hidden_hash = (
        hash_seed(save.keys.make_dice_seed(save.book.id, number, seed_kind)) for seed_kind in ("open", "hidden")
    )
    save.put(stream, randomness.version, EpochBegun(number, open_hash, hidden_hash, session))


def _find_seed(save: Save, seed_kind: SeedKind) -> bytes | None:
    """Return a seed of the current epoch. Return None if there is no epoch, or the server's key does not produce the
    committed seed.
    """
    epoch = save.book.randomness.epoch
    if epoch is None:
        return None
    seed = save.keys.make_dice_seed(save.book.id, epoch.begun.number, seed_kind)
    commitment = epoch.begun.commitment if seed_kind == "open" else epoch.begun.hidden
    return seed if hash_seed(seed) == commitment else None


def answer_by_chance(question: Chance, random: Random | None = None) -> Answer:
    """Return a random valid answer without proof, marked as the ledger's. `random`: a source of randomness
    for tests.
    """
    random = random or _system_random
    match question:
        case Roll():
            sides = question.sides
            results: tuple[object, ...] = roll_open_dice(
                question.count, question.opens, lambda: random.randrange(sides) + 1
            )
        case Draw():
            results = tuple(random.sample(question.cards, question.count))
        case Shuffle():
            results = tuple(random.sample(question.cards, len(question.cards)))
        case Flip():
            results = tuple(random.choice(("heads", "tails")) for _ in range(question.count))
        case _:
            assert_never(question)
    return _make_answer(question, results, None)


def _make_answer(question: Chance, results: tuple[Any, ...], proof_text: str | None) -> Answer:
    match question:
        case Roll():
            return Dice(question.sides, results, "ledger", proof_text)
        case Draw():
            return Drawn(results, "ledger", proof_text)
        case Shuffle():
            return Shuffled(results, "ledger", proof_text)
        case Flip():
            return Flipped(results, "ledger", proof_text)
        case _:
            assert_never(question)
