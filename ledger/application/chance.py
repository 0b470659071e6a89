"""The ledger's own dice: unbiased, from the system's source of randomness, one method a question."""

from __future__ import annotations

from random import Random
from secrets import SystemRandom
from typing import assert_never

from ledger.rules.contract import Answer
from ledger.rules.dice import Chance, Dice, Draw, Drawn, Flip, Flipped, Roll, Shuffle, Shuffled

_random = SystemRandom()


def answer_by_chance(question: Chance, random: Random | None = None) -> Answer:
    """An answer that fits, marked as the ledger's. `random`: another source, for trying things out."""
    random = random or _random
    match question:
        case Roll():
            faces = tuple(random.randrange(question.sides) + 1 for _ in range(question.count))
            return Dice(question.sides, faces, "ledger")
        case Draw():
            return Drawn(tuple(random.sample(question.cards, question.count)), "ledger")
        case Shuffle():
            return Shuffled(tuple(random.sample(question.cards, len(question.cards))), "ledger")
        case Flip():
            return Flipped(tuple(random.choice(("heads", "tails")) for _ in range(question.count)), "ledger")
        case _:
            assert_never(question)
