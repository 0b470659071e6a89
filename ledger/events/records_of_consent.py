"""Records of a decision that waits for consent, in <campaign>/waiting/<id>."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.events.envelope import Json
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience

Proposed: TypeAlias = Literal["overturn", "reinstate", "revise", "declare", "remove-seat"]


@fact("asked-for-consent")
class ConsentAsked:
    """A decision waits for consent: what somebody wants to do, as it was asked for, and whose consent that needs.

    `seat`: who wants it. `about`: the ruling it is about. `said`: all else of the request, in the words of the API's
    bodies. `seats`: who is asked, which is told to nobody else; `openly`: those of them of whom everybody could know.
    `known_to`: who alone may know that something waits.
    """

    decision: Proposed
    seat: str
    about: int | None
    reason: str
    said: Json
    seats: tuple[str, ...]
    openly: tuple[str, ...]
    known_to: Audience = None


@fact("asked-for-consent-too")
class ConsentAskedToo:
    """Since it was asked for it has come to touch these as well."""

    seats: tuple[str, ...]
    openly: tuple[str, ...]


@fact("consented")
class Consented:
    """The seat that recorded it consents."""

    reason: str


@fact("refused-consent")
class RefusedConsent:
    """The seat that recorded it does not."""

    reason: str


@fact("carried-out")
class CarriedOut:
    """The decision took effect, in the same save. `without`: it was gone on with before all had consented, and why."""

    without: bool
    reason: str | None = None
