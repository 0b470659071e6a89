"""Arcs, sessions, scenes, turns, and the tables of the campaign: what begins, what ends, and what ends with it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger.rules.kernel.commands import Amend, CloseScene, CloseSession, OpenScene, OpenSession, Retire, SetDial
from ledger.rules.kernel.contract import Posting, Table, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, GM_ONLY, Subject, character, scene
from ledger.rules.moc import accounts, beads, chips, facts, inputs, terms
from ledger.rules.moc.dials import Dials, check
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.numbers import pain_capacity
from ledger.rules.moc.stacks import lost_beads
from ledger.rules.moc.state import Character, actions_in
from ledger.rules.moc.tables import DECK, Location, Skill, Weapon
from ledger.rules.moc.terms import ARCHETYPES, CASCADE, CHIPS, ELEMENTS, GONE, MOST_DAMAGE

TOO_MANY = 4


def open_arc(table: Table[Dials], do: inputs.OpenArc) -> Verdict[Any]:
    """`moc.fate.purse`: what may be awarded in it."""
    rule, ruling = "moc.fate.purse", Ruling(table)
    xp = terms.whole(do.xp, "negative-chips", rule)
    if ruling.campaign().arc is not None:
        raise Refused(rule, "arc-open", arc=ruling.campaign().arc)
    arc = table.new_id()
    ruling.tell(CAMPAIGN, facts.ArcOpened(arc, do.name, xp), accounts.move(accounts.XP, accounts.purse(arc), xp))
    ruling.by(rule, xp)
    return ruling.verdict()


def _arc(ruling: Ruling) -> str:
    arc = ruling.campaign().arc
    if arc is None:
        raise Refused("moc.fate.purse", "no-arc")
    return arc


def enlarge(table: Table[Dials], do: inputs.EnlargePurse) -> Verdict[Any]:
    ruling = Ruling(table)
    xp = terms.whole(do.xp, "value-not-positive", "moc.fate.purse", 1)
    arc = _arc(ruling)
    ruling.tell(CAMPAIGN, facts.PurseEnlarged(arc, xp, do.reason), accounts.move(accounts.XP, accounts.purse(arc), xp))
    ruling.by("moc.fate.purse", xp)
    return ruling.verdict()


def close_arc(table: Table[Dials], do: inputs.CloseArc) -> Verdict[Any]:
    """What is left of the purse goes; dice of the arc come back."""
    ruling = Ruling(table)
    arc = _arc(ruling)
    left = ruling.balance(accounts.purse(arc))
    ruling.tell(CAMPAIGN, facts.ArcEnded(arc), accounts.move(accounts.purse(arc), accounts.XP, left))
    ruling.by("moc.fate.purse", left)
    for one in table.subjects("character"):
        period_ends(ruling, one.id, "arc")
    return ruling.verdict()


def period_ends(ruling: Ruling, id: str, period: str) -> None:
    """`moc.adv.period-dice`: used dice come back."""
    used = {key: n for key, n in ruling.who(id).used.items() if key.endswith(f":{period}")}
    if not used:
        return
    back = [
        accounts.move(accounts.USED, accounts.die(id, key), n)
        for key, n in used.items()
        if key.startswith(("action-hero", "weapons-master", "floating-dice"))
    ]
    ruling.about(id, facts.PeriodDiceReturned(period), *back)
    ruling.by("moc.adv.period-dice", sum(used.values()), character=id, period=period)


def open_session(table: Table[Dials], do: OpenSession) -> Verdict[Any]:
    """`moc.card.hand`: the deck is shuffled."""
    ruling = Ruling(table)
    fresh = accounts.move(accounts.CARDS, accounts.DECK, len(DECK))
    ruling.tell(CAMPAIGN, facts.PlayBegun(str(table.number)), fresh)
    ruling.by("moc.card.hand", len(DECK))
    return ruling.verdict()


def close_session(table: Table[Dials], do: CloseSession) -> Verdict[Any]:
    """`moc.card.once`: all cards go; dice and beads of the session come back. Cards typed in twice are told now."""
    ruling = Ruling(table)
    for one in table.subjects("character"):
        _throw_hand(ruling, one.id)
        period_ends(ruling, one.id, "session")
    seen = None if ruling.dials.hands_open_after_session else GM_ONLY
    out = Counter(ruling.campaign().out)
    twice = tuple(card for card in DECK if out[card] > 1)
    for place in table.subjects("scene"):
        for card in ruling.state(place).pool:
            used = accounts.move(accounts.villains(place.id), accounts.DISCARD, 1)
            ruling.tell(place, facts.VillainCardUsed(card), used, audience=seen)
    ruling.tell(CAMPAIGN, facts.SessionEnded(do.session))
    back = [accounts.move(one, accounts.CARDS, ruling.balance(one)) for one in (accounts.DECK, accounts.DISCARD)]
    ruling.tell(CAMPAIGN, facts.DeckCut(()), *back, audience=())
    ruling.tell(CAMPAIGN, facts.DeckCounted(twice), audience=seen)
    ruling.by("moc.card.once", len(DECK))
    return ruling.verdict()


def _throw_hand(ruling: Ruling, id: str) -> None:
    hand = ruling.who(id).hand
    if hand:
        seen = None if ruling.dials.hands_open_after_session else ruling.sees_hand(id)
        moved = accounts.move(accounts.hand(id), accounts.DISCARD, len(hand))
        ruling.about(id, facts.HandDiscarded(hand), moved, audience=seen)


def open_scene(table: Table[Dials], do: OpenScene) -> Verdict[Any]:
    """`moc.chip.limit`: no player brings more than four chips into a scene. `moc.bead.allocate`: it awards beads."""
    ruling = Ruling(table)
    if ruling.campaign().phase == "running":
        raise Refused("moc.chip.limit", "scene-running")
    for player, held in _chips(ruling).items():
        if held > TOO_MANY:
            raise Refused("moc.chip.limit", "too-many-chips", player=player, chips=held)
    here = scene(str(table.number))
    ruling.begin_scene(here)
    ruling.tell(here, facts.CastSet(do.cast))
    ruling.tell(CAMPAIGN, facts.IntervalEnded(here.id))
    ruling.by("moc.chip.limit", TOO_MANY)
    beads.award(ruling)
    return ruling.verdict()


def _chips(ruling: Ruling) -> dict[str, int]:
    """How many each player holds, over all characters that are still in play."""
    held: dict[str, int] = {}
    for one in ruling.table.subjects("character"):
        if ruling.who(one.id).status not in GONE:
            player = ruling.table.owner(one)
            held[player] = held.get(player, 0) + sum(ruling.balance(accounts.chip(one.id, each)) for each in CHIPS)
    return held


def close_scene(table: Table[Dials], do: CloseScene) -> Verdict[Any]:
    """`moc.bead.regenerate`, `moc.recover.scene`: beads end, the turn's pain counts no more, a recovery is due."""
    ruling, here = Ruling(table), scene(do.scene)
    for action in actions_in(ruling.state(here)):
        for place, part in enumerate(action.parts):
            if part.stage == "declared":
                lost_beads(ruling, action.plays, place)
    for told in ruling.state(here).story.values():
        lost_beads(ruling, told.plays)
    ruling.tell(here, facts.SceneOver(), *_villains(ruling, here))
    steps = ruling.dials.scene_recovery_steps if ruling.dials.power_level != "standard" else 1
    for one in table.subjects("character"):
        id, who = one.id, ruling.who(one.id)
        if who.pain_turn or who.dodge:
            ruling.about(id, facts.TurnPassed(ruling.state(here).turn))
        left = {element: ruling.beads(id, element) for element in ELEMENTS}
        if any(left.values()) or who.allocated:
            spent = [accounts.move(accounts.bead(id, e), accounts.SPENT, n) for e, n in left.items()]
            ruling.about(id, facts.BeadsEnded(), *spent)
        period_ends(ruling, id, "scene")
        if who.due != steps:
            ruling.about(id, facts.SceneRecoveryDue(steps))
    ruling.tell(CAMPAIGN, facts.IntervalOpened(do.scene))
    ruling.by("moc.bead.regenerate", "interval")
    return ruling.verdict()


def _villains(ruling: Ruling, here: Subject) -> list[Posting | None]:
    pool = accounts.villains(here.id)
    return [accounts.move(pool, accounts.DISCARD, ruling.balance(pool))]


def end_turn(table: Table[Dials], do: inputs.EndTurn) -> Verdict[Any]:
    """`moc.combat.apply`: pain of the turn counts no longer with damage."""
    ruling = Ruling(table)
    here = ruling.scene()
    if here.phase != "running":
        raise Refused("moc.combat.initiative", "no-scene")
    ruling.here(facts.TurnEnded(here.turn))
    for one in table.subjects("character"):
        if ruling.who(one.id).pain_turn or ruling.who(one.id).dodge:
            ruling.about(one.id, facts.TurnPassed(here.turn))
    ruling.by("moc.combat.initiative", here.turn)
    return ruling.verdict()


def retire(table: Table[Dials], do: Retire) -> Verdict[Any]:
    """Its chips wait for the player's next character."""
    ruling = Ruling(table)
    if ruling.who(do.character).status not in GONE:
        ruling.about(do.character, facts.StatusSet("retired", do.reason, ruling.evening()))
        chips.leave_behind(ruling, do.character, do.reason)
    return ruling.verdict()


def set_dial(table: Table[Dials], do: SetDial) -> Verdict[Any]:
    """What a dial's type cannot say."""
    field = do.name
    if hasattr(table.dials, field):
        values = {name: getattr(table.dials, name) for name in Dials.__dataclass_fields__}
        check(Dials(**{**values, field: do.value}), field, _rule_of(field))
    return Verdict(())


def _rule_of(field: str) -> str:
    return str(Dials.__dataclass_fields__[field].metadata["rule"])


def amend(table: Table[Dials], do: Amend) -> Verdict[Any]:
    """Impossible states. Refuses `damage-above-six`, `pain-above-capacity`, `characteristic-below-one`."""
    kind, _, id = do.subject.partition(":")
    if kind == "character" and type(do.value) is int:
        who = table.get(character(id), Character)
        name, _, key = do.field.removeprefix("/").partition("/")
        if name in ("damage", "pain", "pain_turn", "fatigue") and do.value < 0:
            raise Refused("moc.char.derived", "negative-harm", field=name)
        if name == "damage" and do.value > MOST_DAMAGE:
            raise Refused("moc.char.derived", "damage-above-six", damage=do.value)
        if name == "pain" and who.ratings and do.value > pain_capacity(who.ratings):
            raise Refused("moc.char.derived", "pain-above-capacity", pain=do.value)
        if name == "ratings" and key and do.value < 1:
            raise Refused("moc.char.cost", "characteristic-below-one", characteristic=key)
    return Verdict(())


# --- the campaign's own data ---


def set_row(table: Table[Dials], do: inputs.SetTableRow) -> Verdict[Any]:
    ruling, given = Ruling(table), dict(do.values)
    match do.table:
        case "skills":
            done = facts.TableRowSet("skills", do.row, skill=_skill(given))
        case "weapons":
            lethality = terms.whole(given.get("lethality"), "value-not-positive", "moc.combat.damage-pool", 1)
            damage = terms.whole(given.get("damage"), "negative-dice", "moc.combat.damage-pool")
            adds = str(given.get("adds") or "")
            if adds:
                terms.characteristic(adds, "moc.combat.damage-pool")
            weapon = Weapon(bool(given.get("lethal", False)), damage, lethality, adds)
            done = facts.TableRowSet("weapons", do.row, weapon=weapon)
        case "locations":
            low, high = (
                terms.whole(given.get(one), "value-not-positive", "moc.combat.location", 1) for one in ("low", "high")
            )
            severity = given.get("severity", 0)
            if type(severity) is not int or high > 10:
                raise Refused("moc.combat.location", "face-out-of-range", low=low, high=high)
            done = facts.TableRowSet("locations", do.row, location=Location(low, high, severity))
        case "healing":
            days = terms.whole(given.get("days"), "time-not-positive", "moc.recover.damage", 1)
            if do.row not in map(str, range(1, MOST_DAMAGE + 1)):
                raise Refused("moc.recover.damage", "damage-above-six", damage=do.row)
            done = facts.TableRowSet("healing", do.row, number=days)
        case "ag":
            done = facts.TableRowSet("ag", do.row, number=terms.whole(given.get("tn"), "tn-below-floor", "moc.tn", 2))
        case "uses":
            if do.row not in ARCHETYPES:
                raise Refused("moc.bead.use", "unknown-archetype", archetype=do.row)
            done = facts.TableRowSet("uses", do.row, text=str(given.get("text") or ""))
        case _:
            raise Refused("moc.skill.entry", "unknown-table", table=do.table)
    ruling.tell(CAMPAIGN, done)
    ruling.by("moc.skill.entry", do.row, table=do.table)
    return ruling.verdict()


def _skill(given: dict[str, Any]) -> Skill:
    """`moc.skill.entry`. Refuses `unknown-element`, `unknown-characteristic`, `unknown-difficulty`."""
    rule = "moc.skill.entry"
    element, primary = terms.element(given.get("element"), rule), terms.primary(given.get("primary"), rule)
    others = given.get("others") or ()
    named = tuple(str(one) for one in ((others,) if isinstance(others, str) else others))
    if element == "storytelling":
        raise Refused(rule, "unknown-element", element=element)
    if not named or any(primary not in CASCADE.get(one, ()) for one in named):
        raise Refused(rule, "unknown-characteristic", others=list(named))
    difficulty = given.get("difficulty", 0)
    if type(difficulty) is not int or difficulty not in (0, 1, 2):
        raise Refused(rule, "unknown-difficulty", difficulty=str(difficulty))
    return Skill(element, primary, named, difficulty)
