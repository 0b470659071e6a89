"""Lighting a lamp in the dark."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Move,
    OpenSession,
    Question,
    Refusal,
    Refused,
    Seen,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    rule,
)
from tests.rules.lanterns.state import Draft, Lamp

LIGHT = rule("lanterns.light", "A lamp with oil can be lit.", "Dark")
WIND = rule("lanterns.wind", "Wind blows a lamp out.", "Dark", outcome="character")
NO_OIL = Refusal(LIGHT, "no-oil", "{char}'s lamp is empty.")
NO_LIGHT = Refusal(WIND, "not-lit", "{char}'s lamp does not burn.")
ALREADY = Refusal(LIGHT, "not-lit", "{char}'s lamp burns already.")
SHIELD = Question("shield", "Do you shield it?")


@fact("lamp-lit", says="{char} lights a lamp.", headline=1)
class LampLit:
    char: CharacterId


@fact("lamp-out", says="The lamp of {char} goes out.")
class LampOut:
    char: CharacterId


@fact("wind-blew", says="Wind blows.", changes=None)
class WindBlew:
    pass


@changes
def light_up(state: Lamp, fact: LampLit | LampOut) -> Lamp:
    is_lit = isinstance(fact, LampLit)
    return changed(state, is_lit=is_lit, lit_by=fact.char if is_lit else None)


@choice("shielded", says="Yes.")
class Shielded:
    pass


@choice("open-to-wind", says="No.")
class Unshielded:
    pass


@declares("light", either("char"), says="{char} lights the lamp.", records=(LampLit,))
class Light:
    char: CharacterId


@declares("blow", either("char"), says="Wind blows at {char}.", records=(LampOut, WindBlew))
class Blow:
    char: CharacterId


@guards
def may_light(draft: Draft, char: str) -> Refused | None:
    lamp = draft.state(character(char), Lamp)
    if lamp.is_lit:
        return ALREADY(char=char)
    return NO_OIL(char=char) if lamp.oil < 1 else None


@decides
def light(draft: Draft, do: Light) -> None:
    if refused := may_light(draft, do.char):
        raise refused
    draft.about(do.char, LampLit(do.char))
    draft.by(LIGHT, 1, char=do.char)


@decides
def blow(draft: Draft, do: Blow) -> Asking[None]:
    if not draft.state(character(do.char), Lamp).is_lit:
        raise NO_LIGHT(char=do.char)
    shield = yield from ask(draft.table.owner(character(do.char)), Shielded, Unshielded, slot=SHIELD())
    draft.about(do.char, WindBlew())
    if isinstance(shield, Unshielded):
        draft.about(do.char, LampOut(do.char))
    draft.by(WIND, do.char)


@offers(OpenSession)
def offer_in_the_dark(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id in seen.characters:
        if may_light(draft, id) is None:
            yield Move(Light, {"char": Among((id,))})
        if draft.state(character(id), Lamp).is_lit:
            yield Move(Blow, {"char": Among((id,))})
