"""Records of what the ledger's dice rest on, in <campaign>/randomness/randomness."""

from __future__ import annotations

from ledger.rules.kernel.declarations import fact


@fact("epoch-begun")
class EpochBegun:
    """The ledger's dice rest on new seeds from the next save on (`ledger.events.dice_proofs`).

    `commitment`, `hidden`: the SHA-256 of the open and of the hidden seed. `session`: its session, empty between them.
    """

    number: int
    commitment: str
    hidden: str
    session: str = ""


@fact("epoch-ended")
class EpochEnded:
    """The open seed, hexadecimal, with which its rolls can be recomputed.

    None: the server's key has changed since; or it is the origin's of a fork, which goes on rolling with it.
    """

    number: int
    seed: str | None


@fact("entropy-given")
class EntropyGiven:
    """What a seat mixes into the ledger's dice from the next save on, in place of what it gave before."""

    seat: str
    value: str
