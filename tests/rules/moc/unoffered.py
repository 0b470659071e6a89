"""Declarations that this game accepts but does not offer: by kind, which ones, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel.subjects import character, scene
from ledger.rules.kernel.table import load_campaign_entry
from ledger.rules.kernel.world import Past
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads, AnnounceScene, UseSessionBead
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ShiftBeads
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.chips import ExchangeChip
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.deciding import DetermineAction, ShiftFailure
from ledger.rules.moc.fate import AwardChip
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import CounterTrait, ProposeTrait
from ledger.rules.moc.other_dice import PlayBeadsOnDice, PlayCardOnDamage, PlayCardOnInitiative
from ledger.rules.moc.own_dice import UsePeriodDice
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.piles import ROLLS
from ledger.rules.moc.recovery import CompleteRecovery, GrantRecovery, Heal, RecoverScene
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.state import Scene, find_action
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import RollInitiative
from ledger.rules.moc.words import CHARACTERISTICS, ELEMENTS, GONE, PRIMARIES, SUIT_NAMES
from tests.rules.moves import Unoffered

#: The purchases that read each field. Others ignore it.
READ: Mapping[str, tuple[str, ...]] = {
    "element": ("extra-secondary", "change-secondary", "extra-primary", "superhuman"),
    "instead": ("change-secondary",),
    "period": ("action-hero", "weapons-master", "floating-dice"),
    "multiplier": ("dice", "floating-dice"),
    "worth": ("contacts", "movement"),
    "loyalty": ("contacts",),
    "skills": ("weapons-master",),
}
UNREAD: Mapping[str, object] = {
    "element": "",
    "instead": "",
    "period": "",
    "multiplier": 2,
    "worth": 1,
    "loyalty": 0,
    "skills": (),
}


#: The columns of each table.
COLUMNS: Mapping[str, set[str]] = {
    "skills": {"element", "primary", "others", "difficulty"},
    "weapons": {"lethal", "damage", "lethality", "adds"},
    "locations": {"low", "high", "severity"},
    "healing": {"days"},
    "ag": {"tn"},
    "uses": {"text"},
}


def _plain(values: Mapping[str, Any]) -> bool:
    """Return whether words and numbers have the type they are meant to have."""
    others = values.get("others", ())
    return isinstance(others, tuple) and not by_suit(values.get("element")) and type(values.get("lethal", True)) is bool


def spread(points: tuple[CardPoints, ...]) -> bool:
    return len(points) > 1


def opening(faces: tuple[Any, ...] | None, *bonus: tuple[Any, ...]) -> bool:
    """Return whether typed dice add bonus dice, or bonus dice are typed without dice, which nothing reads."""
    return any(bonus) or 10 in (faces or ())


def zeros(counts: Mapping[str, Any] | None) -> bool:
    return any(n == 0 for n in (counts or {}).values())


def _bought(do: Buy) -> bool:
    want = do.purchase
    idle = [name for name, kinds in READ.items() if want.what not in kinds]
    named = bool(want.name) and want.what not in ("characteristic", "skill", "superhuman")
    one = want.what in ("extra-secondary", "change-secondary", "extra-primary") and want.level != 1
    twice = len(set(want.skills)) < len(want.skills)
    return twice or named or one or any(getattr(want, name) != UNREAD[name] for name in idle) or _unusual(want)


def _unusual(want: Purchase) -> bool:
    return want.multiplier not in (2, "3/2") or type(want.worth) is not int or want.what == "contacts"


def by_suit(*elements: str | None) -> bool:
    """Return whether an Element has the name of its suit."""
    return any(str(one).lower() in SUIT_NAMES for one in elements)


def _lies(do: Trump | TrumpByFiat, on: str) -> bool:
    """Return whether the pile is named more than once, or without need."""
    return sum(map(bool, (do.action, do.hit, do.change, do.whose))) > 1 or (on != "roll" and do.part != 0)


def _unread(do: PlayBeads) -> bool:
    return (
        bool(do.characteristic and do.use not in ("superhuman", "martial_arts"))
        or (do.successes != 1 and do.use != "storytelling")
        or (do.approved is not None and do.use not in ("archetype", "other"))
        or by_suit(do.element)
    )


def _tried(do: DeclareAction) -> bool:
    in_time = do.time is not None and type(do.base_time) is int and type(do.time) is int
    return (
        bool(do.tokens)
        or (bool(do.parts) and _in_parts(do))
        or (in_time and not do.base_time <= 60 <= do.time)  # type: ignore[operator]
        or do.ag is not None
        or do.needed is not None
        or len(do.names) > len(set(do.names))
        or not set(do.names) <= set(CHARACTERISTICS)
        or do.element not in (None, *ELEMENTS)
        or (bool(do.skill) and do.primary not in (None, *PRIMARIES))
    )


def _in_parts(do: DeclareAction) -> bool:
    """Return whether there are more, fewer or larger parts than are offered, or values that they inherit."""
    return (
        len(do.parts) not in (2, 3)
        or len({one.dice for one in do.parts}) > 1
        or any(one.roll_kind == "dodge" or one.defence for one in do.parts)
        or do.penalty != 0
        or do.martial_arts is not None
        or do.extra_dice != 0
        or do.time is not None
        or do.skill is not None
        or do.defender is not None
        or by_suit(*(one.element for one in do.parts))
    )


UNOFFERED: Unoffered = {
    DeclareAction: (
        _tried,
        "Shares of a split pool depend on each other and are offered alike, or of two nearly all for one; so do a base "
        "time and the time spent, and a number needed and its level; tokens can be spent once it is declared; an AG is "
        "offered where a dial looks it up: test_initiative.",
    ),
    TakeOffSuccesses: (
        lambda do: not do.defence and do.defence_part != 0,
        "Without a defence nobody reads a part of it.",
    ),
    RollDice: (
        lambda do: opening(do.faces, do.bonus),
        "How many bonus dice are owed depends on the 10s.",
    ),
    UsePeriodDice: (
        lambda do: do.whose is not None and (bool(do.action) or do.part != 0),
        "On initiative nobody reads which action is named.",
    ),
    PlayBeads: (_unread, "Other uses do not read these."),
    PlayBeadsOnDice: (
        lambda do: bool(do.hit if do.roll in ("initiative", "healing") else do.whose) or by_suit(do.element),
        "Of a roll nobody reads both the hit and whose it is; an Element is offered by its own name.",
    ),
    PlayCard: (
        lambda do: (
            spread(do.points)
            or bool(do.other and do.points)
            or bool(do.points and do.part)
            or (do.approved is not None and not do.other)
        ),
        "The points of a card are offered on one die or alike on some: what each can have depends on the others.",
    ),
    Trump: (
        lambda do: (
            _lies(do, do.on)
            or (do.on not in ROLLS and do.allowed is not None)
            or do.suit is not None
            or do.card_class is not None
            or (do.card is not None and do.chip is not None)
        ),
        "What a play lies on is told by its id; only of dice it is asked whether they can be cancelled; a card is "
        "offered for what it is.",
    ),
    TrumpByFiat: (lambda do: _lies(do, do.play), "What a play lies on is told by its id."),
    DetermineAction: (
        lambda do: (do.element is None and do.number != 1) or by_suit(do.element),
        "Of a card or a chip nobody reads the number.",
    ),
    ShiftFailure: (lambda do: by_suit(do.element), "An Element is offered by its own name."),
    UseSessionBead: (lambda do: by_suit(do.element), "An Element is offered by its own name."),
    ShiftBeads: (
        lambda do: by_suit(do.source, do.target),
        "An Element is offered by its own name.",
    ),
    RollInitiative: (
        lambda do: (
            bool(do.bonus)
            or any(10 in faces for faces in do.faces.values())
            or len(set(do.involved)) < len(do.involved)
            or bool(do.faces and do.involved)
        ),
        "How many bonus dice are owed depends on the 10s; nobody is offered twice; whose dice can be typed in depends "
        "on who is involved.",
    ),
    RollDamage: (
        lambda do: (
            opening(do.faces, do.bonus, do.raise_bonus)
            or (do.faces is None and bool(do.raise_faces))
            or 10 in do.raise_faces
            or (do.faces is not None and bool(do.cards or do.floating))
            or any(spread(one.points) for one in do.cards)
        ),
        "How many bonus dice are owed depends on the 10s; and cards on dice that are typed in on how many there are.",
    ),
    ResistDamage: (
        lambda do: (
            opening(do.faces, do.bonus, do.ignore)
            or (do.faces is not None and bool(do.cards or do.floating or do.token or do.ask_cards))
            or any(spread(one.points) for one in do.cards)
        ),
        "How many bonus dice are owed, and which can be ignored, depends on the 10s.",
    ),
    PlayCardOnDamage: (lambda do: spread(do.points), "As of a card on an action."),
    PlayCardOnInitiative: (lambda do: spread(do.points), "As of a card on an action."),
    SetLocation: (
        lambda do: do.location is not None and do.face is not None,
        "Where it is said, nobody reads a die.",
    ),
    ScoreHit: (
        lambda do: (
            (do.weapon is not None and (do.damage is not None or do.lethality is not None or do.lethal))
            or (do.action is None and do.part != 0)
        ),
        "Of a weapon of the table nobody reads the numbers; and without an action no part.",
    ),
    DrawHand: (
        lambda do: do.drawn is not None or do.kept is not None,
        "Which cards can be typed in depends on what was drawn: they are an answer to what is asked.",
    ),
    DrawVillains: (lambda do: do.drawn is not None, "As of a hand."),
    ExchangeChip: (
        lambda do: zeros(do.beads) or len(do.beads or {}) > 2 or by_suit(*(do.beads or ())),
        "Beads of more than two Elements: their sum is fixed; and a suit names its Element.",
    ),
    AwardChip: (
        lambda do: not do.enlarge and sum(1 for n in do.chips.values() if n) > 1,
        "Chips of several colours fit the purse together or not.",
    ),
    AllocateBeads: (
        lambda do: len(do.beads) > 1 or by_suit(*do.beads),
        "A Wildcard's beads can be laid in more ways than the lots that are offered; and a suit names its Element.",
    ),
    AnnounceScene: (
        lambda do: len(do.cast) > 1,
        "One of those who are warned must be waiting.",
    ),
    Buy: (_bought, "What is bought does not read these; a multiplier and a worth can be any fraction."),
    SetTableRow: (
        lambda do: not set(do.values) <= COLUMNS.get(do.table, set()) or not _plain(do.values),
        "A row reads some of what is given; what else is given is nothing to it.",
    ),
    Heal: (
        lambda do: (
            opening(do.faces, do.bonus)
            or (do.faces is not None and bool(do.cards or do.floating or do.token or do.ask_cards))
            or any(spread(one.points) for one in do.cards)
        ),
        "How many bonus dice are owed depends on the 10s.",
    ),
    RecoverScene: (lambda do: do.primary not in (None, *PRIMARIES), "Who is tired needs no token."),
    CompleteRecovery: (lambda do: do.primary not in (None, *PRIMARIES), "Who is tired needs no token."),
    ProposeTrait: (lambda do: type(do.cost) is str, "A cost can be any fraction."),
    CounterTrait: (lambda do: type(do.cost) is str, "A cost can be any fraction."),
}


def plainly(past: Past, do: Any) -> Any:
    """Return the declaration, or None if it is accepted but makes no sense: a hit before the target has answered the
    successes declared against it, successes declared on oneself, and an attack, successes or a granted recovery for
    somebody who is gone.
    """
    match do:
        case ScoreHit(net=None) if do.action and _is_answer_awaited(past, do.action, do.part, do.target):
            return None
        case DeclareSuccesses() if _find_actor(past, do.action) == do.target or _is_gone(past, do.target):
            return None
        case DeclareAction() if do.defender is not None and _is_gone(past, do.defender):
            return None
        case GrantRecovery() if _is_gone(past, do.character):
            return None
    return do


def _is_gone(past: Past, character_id: str) -> bool:
    return past.told(character(character_id)).state.status in GONE


def _find_actor(past: Past, action_id: str) -> str | None:
    actions = (find_action(state, action_id) for state in _list_scenes(past))
    return next((action.character for action in actions if action is not None), None)


def _list_scenes(past: Past) -> list[Scene]:
    return [past.told(scene(id)).state for id in load_campaign_entry(past).scenes]


def _is_answer_awaited(past: Past, action_id: str, index: Any, target: str) -> bool:
    for state in _list_scenes(past):
        action = find_action(state, action_id)
        if action is None or action.parts[index].stage != "declared":
            continue
        numbers = [number for number, claim in enumerate(action.parts[index].claims) if claim.target == target]
        return bool(numbers) and (action_id, index, numbers[-1]) not in state.answered
    return False
