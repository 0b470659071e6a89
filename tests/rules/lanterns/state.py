"""What a lamp is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel import draft
from ledger.rules.kernel.kit import Audience, CharacterId, Says, SeenBy, Subject


def owner_of(subject: Subject, state: Lamp) -> Audience:
    return (str(subject),)


@dataclass(frozen=True, slots=True)
class Lamp:
    oil: Annotated[int, Says("Oil left"), SeenBy(owner_of)] = 0
    is_lit: bool = False
    lit_by: CharacterId | None = None
    adrift: tuple[Any, ...] = ()


class Draft(draft.Draft[Any, Lamp, Any]):
    pass
