"""The basis of the ledger's dice in a campaign: the epochs with their commitments, and the seats' contributions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ledger.errors import Fault
from ledger.events.dice_proofs import mix_entropies
from ledger.events.envelope import Body
from ledger.events.records_of_dice import EntropyGiven, EpochBegun, EpochEnded


@dataclass(frozen=True, slots=True)
class Epoch:
    """An epoch of the ledger's dice. `begun`: its commitments. `seed`: known once the epoch is over.

    `position`, `at`: the position and time of the save that began it. Rolls use the epoch from the next save on.
    `ended`: the position of the save that ended it.
    """

    begun: EpochBegun
    position: int
    at: str
    seed: str | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Entropy:
    """A seat's contribution, in force from the save after `position`."""

    seat: str
    value: str
    position: int
    at: str


class Randomness:
    """The randomness of a campaign, folded from `<campaign>/randomness/randomness`.

    `mixed_entropy`: the digest of the contributions in force. Rolls are calculated from it.
    """

    __slots__ = ("entropies", "epochs", "mixed_entropy", "version")

    def __init__(self) -> None:
        self.version = 0
        self.epochs: list[Epoch] = []
        self.entropies: list[Entropy] = []
        self.mixed_entropy = mix_entropies({})

    @property
    def epoch(self) -> Epoch | None:
        """Return the current epoch, or None for a campaign that was opened before epochs existed."""
        return self.epochs[-1] if self.epochs else None

    def apply_event(self, version: int, body: Body[object]) -> None:
        """Apply the next event of the stream."""
        assert version == self.version + 1, f"randomness: event {version} after {self.version}"
        self.version = version
        match body.fact:
            case EpochBegun() as epoch_begun:
                self.epochs.append(Epoch(epoch_begun, body.position, body.at))
            case EpochEnded(seed=seed):
                self.epochs[-1] = replace(self.epochs[-1], seed=seed, ended=body.position)
            case EntropyGiven(seat=seat, value=value):
                self.entropies.append(Entropy(seat, value, body.position, body.at))
                self.mixed_entropy = self.mix_contributions(len(self.entropies))
            case _:
                raise Fault("The stream of a campaign's randomness contains an unexpected event.")

    def mix_contributions(self, count: int) -> str:
        """Return the digest of the contributions in force after the first `count` were recorded."""
        return mix_entropies({entropy.seat: entropy.value for entropy in self.entropies[:count]})


def name_randomness_stream(campaign: str) -> str:
    return f"{campaign}/randomness/randomness"
