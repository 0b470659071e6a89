"""Records of a decision that waits for consent, in <campaign>/waiting/<id>."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.events.envelope import Json
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience

Proposed: TypeAlias = Literal["overturn", "reinstate", "revise", "declare", "remove-seat", "rewind"]


@fact("asked-for-consent")
class ConsentAsked:
    """A decision waits for consent.

    - seat: the deciding seat.
    - about: the ruling.
    - said: the rest of the request, as in the API's bodies.
    - seats: all seats asked. Nobody may see this list.
    - openly: those seats that everybody may know of.
    - known_to: who may know that a decision is waiting.
    """

    decision: Proposed
    seat: str
    about: int | None
    reason: str
    said: Json
    seats: tuple[str, ...]
    openly: tuple[str, ...]
    known_to: Audience = None


@fact("asked-to-rewind", version=1)
class RewindAsked(ConsentAsked):
    """A rewind waits for consent. Older versions of the ledger do not know this record, and ask for an upgrade."""


@fact("asked-to-enter-late", version=1)
class LateAsked(ConsentAsked):
    """A declaration entered late waits for consent. Older versions of the ledger do not know this record, and ask for
    an upgrade.
    """


@fact("asked-for-consent-too")
class ConsentAskedToo:
    """The decision now concerns these seats as well."""

    seats: tuple[str, ...]
    openly: tuple[str, ...]


@fact("consented")
class Consented:
    """The recording seat consents."""

    reason: str


@fact("refused-consent")
class RefusedConsent:
    """The recording seat refuses."""

    reason: str


@fact("carried-out")
class CarriedOut:
    """The decision took effect, in the same save. `without`: whether missing consent was overridden. `reason`: why."""

    without: bool
    reason: str | None = None
