"""The ledger's dice. Every roll follows from a seed that the ledger committed to beforehand, so anybody can calculate
the roll again.

The scheme `campaign-ledger/dice/1`, exactly:

- A campaign's time is divided into epochs. The first begins when the campaign is opened. Each opening and each closing
  of a session begins the next. An epoch has two seeds of 32 bytes, `open` and `hidden`. The SHA-256 of each seed is
  recorded when the epoch begins. The open seed is recorded when the epoch ends. The hidden seed is for questions that
  not everybody may see, and is never recorded.
- Every roll (dice, cards, an order, coins) has the campaign's next number, from 1, without gaps. It also names the
  number of the ruling that would have come next, the number of contributions (the seats' entropies) recorded before the
  roll, its epoch, and the seed used.
- Of these contributions, only the last one of each seat is used. The mixed entropies are the SHA-256, in lower-case
  hexadecimal, of the lines `<seat>:<SHA-256 of the value's UTF-8, hexadecimal>\\n`, sorted by seat as text.
- Block b (from 0) is HMAC-SHA256 under the seed of the UTF-8 text of six lines joined by `\\n`: the scheme's name, the
  campaign's id, the roll's number, the ruling's number, the mixed entropies, b. A block is four unsigned big-endian
  numbers of 64 bits; the blocks in order are the roll's numbers.
- A choice below m is the next number that is less than 2^64 - (2^64 mod m), modulo m. Other numbers are skipped.
- A die of s sides shows 1 + a choice below s. If the question names a face that `opens`, another die is rolled for each
  die that shows it, and that die may open another in turn. A coin is a choice below 2: 0 is heads, 1 is tails. To draw
  k of n cards, for i = 0 .. k-1: exchange the cards at i and i + (a choice below n - i); the first k are drawn, in
  order. An order is a draw of all n cards. Cards are taken in the order in which the recorded question names them.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, TypeAlias

from ledger.rules.kernel.open_dice import roll_open_dice

SCHEME = "campaign-ledger/dice/1"
NUMBERS = 2**64
WRITTEN = re.compile(r"epoch=(\d+) roll=(\d+) ruling=(\d+) entropies=(\d+) seed=(open|hidden)", re.ASCII)
SeedKind: TypeAlias = Literal["open", "hidden"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The inputs from which a roll is calculated. `ruling`: the next ruling's number. `entropy_count`: the number of
    contributions recorded before the roll.
    """

    epoch: int
    roll: int
    ruling: int
    entropy_count: int
    seed_kind: SeedKind

    def __str__(self) -> str:
        return (
            f"epoch={self.epoch} roll={self.roll} ruling={self.ruling}"
            f" entropies={self.entropy_count} seed={self.seed_kind}"
        )


def parse_proof(text: str) -> Proof | None:
    """Return the proof that an answer's text states, or None if the text is not a proof."""
    match = WRITTEN.fullmatch(text)
    if match is None:
        return None
    seed_kind: SeedKind = "open" if match[5] == "open" else "hidden"
    epoch, roll, ruling, entropy_count = map(int, match.groups()[:4])
    return Proof(epoch, roll, ruling, entropy_count, seed_kind)


def hash_seed(seed: bytes) -> str:
    """Return the commitment to a seed: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def mix_entropies(entropies_by_seat: Mapping[str, str]) -> str:
    """Return a digest of all seats' contributions. Every roll uses it."""
    lines = (
        f"{seat}:{hashlib.sha256(value.encode()).hexdigest()}\n" for seat, value in sorted(entropies_by_seat.items())
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def draw_numbers(seed: bytes, campaign: str, proof: Proof, mixed_entropy: str) -> Iterator[int]:
    """Yield numbers below 2^64 for the roll, without end. `mixed_entropy`: the digest of the seats' contributions."""
    message = "\n".join((SCHEME, campaign, str(proof.roll), str(proof.ruling), mixed_entropy, ""))
    for block in count():
        yield from struct.unpack(">4Q", hmac.digest(seed, f"{message}{block}".encode(), "sha256"))


def draw_below(numbers: Iterator[int], limit: int) -> int:
    """Return an unbiased choice of 0 .. limit - 1, for limits from 1 to 2^64."""
    fair_limit = NUMBERS - NUMBERS % limit
    return next(number for number in numbers if number < fair_limit) % limit


def draw_outcome(question: Mapping[str, Any], numbers: Iterator[int]) -> tuple[object, ...]:
    """Return the outcome for a question in its recorded form: faces, cards or coins, in order. Raise ValueError for a
    question that asks for a choice.
    """
    match question["ask"]:
        case "roll":
            return roll_open_dice(
                question["count"], question.get("opens"), lambda: 1 + draw_below(numbers, question["sides"])
            )
        case "draw":
            return _draw_cards(question["cards"], question["count"], numbers)
        case "shuffle":
            return _draw_cards(question["cards"], len(question["cards"]), numbers)
        case "flip":
            return tuple(("heads", "tails")[draw_below(numbers, 2)] for _ in range(question["count"]))
        case kind:
            raise ValueError(f"the ledger cannot roll for a question of the kind {kind}")


def _draw_cards(cards: list[str], count: int, numbers: Iterator[int]) -> tuple[str, ...]:
    """Return this many cards, drawn by a Fisher-Yates shuffle from the front."""
    deck = list(cards)
    for place in range(count):
        other_place = place + draw_below(numbers, len(deck) - place)
        deck[place], deck[other_place] = deck[other_place], deck[place]
    return tuple(deck[:count])
