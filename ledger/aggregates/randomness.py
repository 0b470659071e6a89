"""What the ledger's dice of a campaign rest on: the epochs with their commitments, and every seat's entropies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ledger.errors import Fault
from ledger.events.dice_proofs import mixed
from ledger.events.envelope import Body
from ledger.events.records_of_dice import EntropyGiven, EpochBegun, EpochEnded


@dataclass(frozen=True, slots=True)
class Epoch:
    """`begun`: what was committed to. `session`: the one it is of; empty between sessions. `seed`: once it is over.

    `position`, `at`: of the save that began it; rolls use it from the next save on. `ended`: the save that ended it.
    """

    begun: EpochBegun
    position: int
    at: str
    seed: str | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Entropy:
    """What a seat mixed in, from the save after `position` on."""

    seat: str
    value: str
    position: int
    at: str


class Randomness:
    """Folded from `<campaign>/randomness/randomness`. `mixed`: the entropies in force, as they go into a roll."""

    __slots__ = ("entropies", "epochs", "mixed", "version")

    def __init__(self) -> None:
        self.version = 0
        self.epochs: list[Epoch] = []
        self.entropies: list[Entropy] = []
        self.mixed = mixed({})

    @property
    def epoch(self) -> Epoch | None:
        """The one that lasts; none in a campaign from before there were any."""
        return self.epochs[-1] if self.epochs else None

    def take(self, version: int, body: Body[object]) -> None:
        """Take the next event of the stream."""
        assert version == self.version + 1, f"randomness: event {version} after {self.version}"
        self.version = version
        match body.fact:
            case EpochBegun() as begun:
                self.epochs.append(Epoch(begun, body.position, body.at))
            case EpochEnded(seed=seed):
                self.epochs[-1] = replace(self.epochs[-1], seed=seed, ended=body.position)
            case EntropyGiven(seat=seat, value=value):
                self.entropies.append(Entropy(seat, value, body.position, body.at))
                self.mixed = self.mixed_of(len(self.entropies))
            case _:
                raise Fault("The stream of a campaign's randomness contains an unexpected event.")

    def mixed_of(self, count: int) -> str:
        """Return the entropies in force when so many had been recorded."""
        return mixed({given.seat: given.value for given in self.entropies[:count]})


def randomness_of(campaign: str) -> str:
    return f"{campaign}/randomness/randomness"
