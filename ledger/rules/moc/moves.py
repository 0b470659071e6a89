"""What can be declared now. This game has secrets: moves are made of what is shown (`shown`), never of the states."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.commands import OpenScene
from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Entries, Move, Some
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.seen import Seen
from ledger.rules.moc import inputs
from ledger.rules.moc.moves_of_actions import actions
from ledger.rules.moc.moves_of_beads import beads
from ledger.rules.moc.moves_of_cards import cards
from ledger.rules.moc.moves_of_fights import fights
from ledger.rules.moc.moves_of_modifiers import modifiers
from ledger.rules.moc.moves_of_people import people
from ledger.rules.moc.moves_of_purchases import purchases
from ledger.rules.moc.moves_of_trumps import trumps
from ledger.rules.moc.offering import Offering, one
from ledger.rules.moc.scenes import TOO_MANY
from ledger.rules.moc.terms import ARCHETYPES, CASCADE, CHARACTERISTICS, ELEMENTS, MOST_DAMAGE, PRIMARIES


def moves(seen: Seen) -> Iterator[Move]:
    now = Offering(seen)
    yield from list_kernel_moves(seen, but=() if _scene_can_begin(now) else (OpenScene,))
    yield from _times(now)
    yield from _rows()
    yield from _told(now)
    yield from people(now)
    yield from purchases(now)
    yield from modifiers(now)
    yield from beads(now)
    if now.scene is not None:
        yield from actions(now)
        yield from cards(now)
        yield from fights(now)
    yield from trumps(now)


def _scene_can_begin(now: Offering) -> bool:
    """moc.chip.limit: nobody brings more than four chips, over all characters in play."""
    if not now.interval:
        return False
    held: dict[str, int] = {}
    for id in now.alive:
        player = now.seen.owner(id) or ""
        held[player] = held.get(player, 0) + sum(now.chips(id).values())
    return all(n <= TOO_MANY for n in held.values())


def _times(now: Offering) -> Iterator[Move]:
    if now.campaign.arc is None:
        yield Move(inputs.OpenArc, {"xp": Between(0)})
    else:
        yield Move(inputs.CloseArc)
        yield Move(inputs.EnlargePurse, {"xp": Between(1)})
    if now.scene is not None and now.scene.phase == "running":
        yield Move(inputs.EndTurn)


def _rows() -> Iterator[Move]:
    """The campaign's own tables: a new row, or one there is."""
    numbers: dict[str, Domain] = {"low": Between(1, 10), "high": Between(1, 10), "severity": Between()}
    weapon: dict[str, Domain] = {
        "lethal": Among((False, True)), "damage": Between(0), "lethality": Between(1),
        "adds": Among(("", *CHARACTERISTICS)),
    }  # fmt: skip
    damages = Among(tuple(map(str, range(1, MOST_DAMAGE + 1))))
    rows: tuple[tuple[str, Domain, Domain], ...] = (
        ("skills", OPEN, _skill()),
        ("weapons", OPEN, Entries(weapon, ("damage", "lethality"))),
        ("locations", OPEN, Entries(numbers, ("low", "high"))),
        ("healing", damages, Entries({"days": Between(1)}, ("days",))),
        ("ag", OPEN, Entries({"tn": Between(2)}, ("tn",))),
        ("uses", Among(tuple(ARCHETYPES)), Entries({"text": OPEN})),
    )
    for table, row, values in rows:
        yield Move(inputs.SetTableRow, {"table": one(table), "row": row, "values": values})


def _skill() -> Domain:
    """moc.skill.entry: an Element but Storytelling, and characteristics under its Primary."""
    elements = Among(tuple(element for element in ELEMENTS if element != "storytelling"))
    return Either(tuple(
        Entries(
            {
                "element": elements, "primary": one(primary), "difficulty": Among((0, 1, 2)),
                "others": Some(Among(tuple(name for name, above in CASCADE.items() if primary in above)), 1),
            },
            ("element", "primary", "others"),
        )
        for primary in PRIMARIES
    ))  # fmt: skip


def _told(now: Offering) -> Iterator[Move]:
    """moc.tell, moc.story.tiers: anybody narrates, of a character of one's own; what was told is vetoed or amended."""
    own = now.roster if now.is_gm else tuple(id for id in now.roster if now.seen.owner(id) == now.seen.seat.seat)
    yield Move(inputs.Narrate, {"character": Among(("", *own))})
    here = now.scene.story if now.scene is not None else {}
    changes = tuple(id for id, told in {**now.campaign.story, **here}.items() if not told.vetoed)
    if changes:
        yield Move(inputs.VetoStory, {"change": Among(changes)})
        yield Move(inputs.AmendStory, {"change": Among(changes)})
