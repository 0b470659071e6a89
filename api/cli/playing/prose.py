"""Texts that people might write: sentences that fit any game."""

from __future__ import annotations

from random import Random

WHO = (
    "The old ferryman",
    "A girl with a lantern",
    "Somebody at the back",
    "The captain",
    "Your sister",
    "The stranger",
)
DOES = (
    "keeps very still",
    "laughs out loud",
    "points at the door",
    "will not say why",
    "has seen this before",
    "counts to three",
    "walks out into the rain",
    "puts the letter away",
)
WHERE = ("under the bridge", "in the yard", "before dawn", "on the stairs", "while the bell rings", "after the storm")


def write_prose(rng: Random, most: int) -> str:
    """Return a sentence with at most this many characters; never blank."""
    sentence = f"{rng.choice(WHO)} {rng.choice(DOES)} {rng.choice(WHERE)}."
    return sentence if len(sentence) <= most else sentence[: max(1, most)].rstrip()
