"""Records of the commitments behind the ledger's dice, in <campaign>/randomness/randomness."""

from __future__ import annotations

from ledger.rules.kernel.declarations import fact


@fact("epoch-begun")
class EpochBegun:
    """The ledger's dice use new seeds from the next save on (`ledger.events.dice_proofs`).

    `commitment`, `hidden`: the SHA-256 of the open and of the hidden seed. `session`: the epoch's session, or empty
    between sessions.
    """

    number: int
    commitment: str
    hidden: str
    session: str = ""


@fact("epoch-ended")
class EpochEnded:
    """The end of an epoch, with its revealed seed, in hexadecimal. Its rolls can be recomputed from the seed.

    The seed is None if the server's key has changed since the epoch began, or if this is a fork and its origin still
    uses the seed.
    """

    number: int
    seed: str | None


@fact("entropy-given")
class EntropyGiven:
    """A seat's contribution to the ledger's dice from the next save on, in place of its earlier one."""

    seat: str
    value: str
