"""Arcs, sessions, scenes, turns, and the tables of the campaign: what begins, what ends, and what ends with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.rules.kernel.commands import Amend, CloseScene, CloseSession, OpenScene, OpenSession, Retire, SetDial
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, GM_ONLY, Subject, character, scene
from ledger.rules.moc import (
    accounts,
    beads,
    chips,
    facts_of_bodies,
    facts_of_campaign,
    facts_of_modifiers,
    facts_of_people,
    facts_of_scenes,
    inputs,
    terms,
)
from ledger.rules.moc.dials import Dials, check
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import total
from ledger.rules.moc.numbers import pain_capacity
from ledger.rules.moc.purchases import period_of
from ledger.rules.moc.stacks import beads_used, lost_beads
from ledger.rules.moc.state import Character, Scene, actions_in
from ledger.rules.moc.tables import Location, Skill, Weapon
from ledger.rules.moc.terms import (
    ARCHETYPES,
    CASCADE,
    CHIPS,
    DECK,
    DICE_ADVANTAGES,
    ELEMENTS,
    GONE,
    MOST_DAMAGE,
    Number,
)

TOO_MANY = 4


def open_arc(draft: Draft, do: inputs.OpenArc) -> None:
    """`moc.fate.purse`: what may be awarded in it."""
    rule = "moc.fate.purse"
    xp = terms.whole(do.xp, "negative-chips", rule)
    if draft.campaign().arc is not None:
        raise Refused(rule, "arc-open", arc=draft.campaign().arc)
    arc = draft.table.new_id()
    draft.tell(
        CAMPAIGN, facts_of_campaign.ArcOpened(arc, do.name, xp), accounts.move(accounts.XP, accounts.purse(arc), xp)
    )
    draft.by(rule, xp)


def _arc(draft: Draft) -> str:
    arc = draft.campaign().arc
    if arc is None:
        raise Refused("moc.fate.purse", "no-arc")
    return arc


def enlarge(draft: Draft, do: inputs.EnlargePurse) -> None:
    xp = terms.whole(do.xp, "value-not-positive", "moc.fate.purse", 1)
    arc = _arc(draft)
    draft.tell(
        CAMPAIGN,
        facts_of_campaign.PurseEnlarged(arc, xp, do.reason),
        accounts.move(accounts.XP, accounts.purse(arc), xp),
    )
    draft.by("moc.fate.purse", xp)


def close_arc(draft: Draft, do: inputs.CloseArc) -> None:
    """What is left of the purse goes; dice of the arc come back."""
    arc = _arc(draft)
    left = draft.balance(accounts.purse(arc))
    draft.tell(CAMPAIGN, facts_of_campaign.ArcEnded(arc), accounts.move(accounts.purse(arc), accounts.XP, left))
    draft.by("moc.fate.purse", left)
    for one in draft.table.subjects("character"):
        period_ends(draft, one.id, "arc")


def period_ends(draft: Draft, id: str, period: str) -> None:
    """`moc.adv.period-dice`: used dice come back."""
    used = {key: n for key, n in draft.who(id).used.items() if period_of(key) == period}
    if not used:
        return
    back = [
        accounts.move(accounts.USED, accounts.die(id, key), n)
        for key, n in used.items()
        if key.startswith(DICE_ADVANTAGES)
    ]
    draft.about(id, facts_of_modifiers.PeriodDiceReturned(period), *back)
    draft.by("moc.adv.period-dice", sum(used.values()), character=id, period=period)


def open_session(draft: Draft, do: OpenSession) -> None:
    """`moc.card.hand`: the deck is shuffled."""
    fresh = accounts.move(accounts.CARDS, accounts.DECK, len(DECK))
    draft.tell(CAMPAIGN, facts_of_campaign.PlayBegun(str(draft.table.number)), fresh)
    draft.by("moc.card.hand", len(DECK))


def close_session(draft: Draft, do: CloseSession) -> None:
    """`moc.card.once`: all cards go; dice and beads of the session come back. Cards typed in twice are told now."""
    for one in draft.table.subjects("character"):
        _throw_hand(draft, one.id)
        period_ends(draft, one.id, "session")
    seen = None if draft.dials.hands_open_after_session else GM_ONLY
    out = Counter(draft.campaign().out)
    twice = tuple(card for card in DECK if out[card] > 1)
    for place in draft.table.subjects("scene"):
        for card in draft.state(place, Scene).pool:
            used = accounts.move(accounts.villains(place.id), accounts.DISCARD, 1)
            draft.tell(place, facts_of_modifiers.VillainCardUsed(card), used, audience=seen)
    draft.tell(CAMPAIGN, facts_of_campaign.SessionEnded(do.session))
    back = [accounts.move(one, accounts.CARDS, draft.balance(one)) for one in (accounts.DECK, accounts.DISCARD)]
    draft.tell(CAMPAIGN, facts_of_campaign.DeckCut(()), *back, audience=())
    draft.tell(CAMPAIGN, facts_of_campaign.DeckCounted(twice), audience=seen)
    draft.by("moc.card.once", len(DECK))


def _throw_hand(draft: Draft, id: str) -> None:
    hand = draft.who(id).hand
    if hand:
        seen = None if draft.dials.hands_open_after_session else draft.sees_held(id)
        moved = accounts.move(accounts.hand(id), accounts.DISCARD, len(hand))
        draft.about(id, facts_of_modifiers.HandDiscarded(hand), moved, audience=seen)


def open_scene(draft: Draft, do: OpenScene) -> None:
    """`moc.chip.limit`: no player brings more than four chips into a scene. `moc.bead.allocate`: it awards beads."""
    if draft.campaign().phase == "running":
        raise Refused("moc.chip.limit", "scene-running")
    for player, held in _chips(draft).items():
        if held > TOO_MANY:
            raise Refused("moc.chip.limit", "too-many-chips", player=player, chips=held)
    here = scene(str(draft.table.number))
    draft.begin(here)
    draft.tell(here, facts_of_scenes.CastSet(do.cast))
    draft.tell(CAMPAIGN, facts_of_campaign.IntervalEnded(here.id))
    draft.by("moc.chip.limit", TOO_MANY)
    beads.award(draft)


def _chips(draft: Draft) -> dict[str, int]:
    """How many each player holds, over all characters that are still in play."""
    held: dict[str, int] = {}
    for one in draft.table.subjects("character"):
        if draft.who(one.id).status not in GONE:
            player = draft.table.owner(one)
            held[player] = held.get(player, 0) + sum(draft.balance(accounts.chip(one.id, each)) for each in CHIPS)
    return held


def close_scene(draft: Draft, do: CloseScene) -> None:
    """`moc.bead.regenerate`, `moc.recover.scene`: beads end, the turn's pain counts no more, a recovery is due."""
    here = scene(do.scene)
    for action in actions_in(draft.state(here, Scene)):
        for place, part in enumerate(action.parts):
            if part.stage == "declared":
                lost_beads(draft, action.plays, place)
    closing = draft.state(here, Scene)
    told = [one.plays for one in closing.story.values()]
    fought = [*(one.plays for one in closing.damage.values()), *closing.initiative.plays.values()]
    for plays in (*told, *fought):
        lost_beads(draft, plays)
    draft.tell(here, facts_of_scenes.SceneOver(), *_villains(draft, here))
    steps = draft.dials.scene_recovery_steps if draft.dials.power_level != "standard" else 1
    for one in draft.table.subjects("character"):
        id, who = one.id, draft.who(one.id)
        if who.pain_turn or who.dodge or who.half_defence:
            draft.about(id, facts_of_bodies.TurnPassed(draft.state(here, Scene).turn))
        left = {element: draft.beads(id, element) for element in ELEMENTS}
        if any(left.values()) or who.allocated:
            spent = [accounts.move(accounts.bead(id, e), accounts.SPENT, n) for e, n in left.items()]
            draft.about(id, facts_of_modifiers.BeadsEnded(), *spent)
        period_ends(draft, id, "scene")
        if who.due != steps:
            draft.about(id, facts_of_bodies.SceneRecoveryDue(steps))
    draft.tell(CAMPAIGN, facts_of_campaign.IntervalOpened(do.scene))
    draft.by("moc.bead.regenerate", "interval")


def _villains(draft: Draft, here: Subject) -> list[Posting | None]:
    pool = accounts.villains(here.id)
    return [accounts.move(pool, accounts.DISCARD, draft.balance(pool))]


def end_turn(draft: Draft, do: inputs.EndTurn) -> None:
    """`moc.combat.apply`: pain of the turn counts no longer with damage."""
    here = draft.scene()
    if here.phase != "running":
        raise Refused("moc.combat.initiative", "no-scene")
    draft.here(facts_of_scenes.TurnEnded(here.turn))
    for one in draft.table.subjects("character"):
        who = draft.who(one.id)
        if who.pain_turn or who.dodge or who.half_defence:
            draft.about(one.id, facts_of_bodies.TurnPassed(here.turn))
        if one.id in here.cast and who.status not in GONE:
            replenish(draft, one.id)
    draft.by("moc.combat.initiative", here.turn)


def replenish(draft: Draft, id: str) -> None:
    """`moc.adv.effect`: at a turn's end used beads come back, as many as were agreed."""
    for element in ELEMENTS:
        most = total(draft.who(id), "bead-return", element)
        if not most:
            continue
        back = draft.who(id).used.get(f"bead-return-{element}:scene", 0)
        number = min(most, beads_used(draft, id, element) - back)
        if number > 0:
            moved = accounts.move(accounts.SPENT, accounts.bead(id, element), number)
            draft.about(id, facts_of_modifiers.BeadsReplenished(element, number), moved)
            draft.by("moc.adv.effect", number, does="bead-return", of=element)


def retire(draft: Draft, do: Retire) -> None:
    """Its chips wait for the player's next character."""
    if draft.who(do.character).status not in GONE:
        draft.about(do.character, facts_of_people.StatusSet("retired", do.reason, draft.evening()))
        chips.leave_behind(draft, do.character, do.reason)


def set_dial(draft: Draft, do: SetDial) -> None:
    """What a dial's type cannot say."""
    field = do.name
    if hasattr(draft.dials, field):
        values = {name: getattr(draft.dials, name) for name in Dials.__dataclass_fields__}
        check(Dials(**{**values, field: do.value}), field, _rule_of(field))


def _rule_of(field: str) -> str:
    return str(Dials.__dataclass_fields__[field].metadata["rule"])


def amend(draft: Draft, do: Amend) -> None:
    """Impossible states. Refuses `damage-above-six`, `pain-above-capacity`, `characteristic-below-one`."""
    kind, _, id = do.subject.partition(":")
    if kind == "character" and type(do.value) is int:
        who = draft.table.get(character(id), Character)
        name, _, key = do.field.removeprefix("/").partition("/")
        if name in ("damage", "pain", "pain_turn", "fatigue") and do.value < 0:
            raise Refused("moc.char.derived", "negative-harm", field=name)
        if name == "damage" and do.value > MOST_DAMAGE:
            raise Refused("moc.char.derived", "damage-above-six", damage=do.value)
        if name == "pain" and who.ratings and do.value > pain_capacity(who.ratings):
            raise Refused("moc.char.derived", "pain-above-capacity", pain=do.value)
        if name == "ratings" and key and do.value < 1:
            raise Refused("moc.char.cost", "characteristic-below-one", characteristic=key)


# --- the campaign's own data ---


def set_row(draft: Draft, do: inputs.SetTableRow) -> None:
    given = dict(do.values)
    match do.table:
        case "skills":
            done = facts_of_campaign.TableRowSet("skills", do.row, skill=_skill(given))
        case "weapons":
            lethality = terms.whole(given.get("lethality"), "value-not-positive", "moc.combat.damage-pool", 1)
            damage = terms.whole(given.get("damage"), "negative-dice", "moc.combat.damage-pool")
            adds = str(given.get("adds") or "")
            if adds:
                terms.characteristic(adds, "moc.combat.damage-pool")
            weapon = Weapon(bool(given.get("lethal", False)), damage, lethality, adds)
            done = facts_of_campaign.TableRowSet("weapons", do.row, weapon=weapon)
        case "locations":
            low, high = (
                terms.whole(given.get(one), "value-not-positive", "moc.combat.location", 1) for one in ("low", "high")
            )
            severity = given.get("severity", 0)
            if type(severity) is not int or high > 10:
                raise Refused("moc.combat.location", "face-out-of-range", low=low, high=high)
            done = facts_of_campaign.TableRowSet("locations", do.row, location=Location(low, high, severity))
        case "healing":
            days = terms.whole(given.get("days"), "time-not-positive", "moc.recover.damage", 1)
            if do.row not in map(str, range(1, MOST_DAMAGE + 1)):
                raise Refused("moc.recover.damage", "damage-above-six", damage=do.row)
            done = facts_of_campaign.TableRowSet("healing", do.row, number=days)
        case "ag":
            done = facts_of_campaign.TableRowSet(
                "ag", do.row, number=terms.whole(given.get("tn"), "tn-below-floor", "moc.tn", 2)
            )
        case "uses":
            if do.row not in ARCHETYPES:
                raise Refused("moc.bead.use", "unknown-archetype", archetype=do.row)
            done = facts_of_campaign.TableRowSet("uses", do.row, text=str(given.get("text") or ""))
        case _:
            raise Refused("moc.skill.entry", "unknown-table", table=do.table)
    draft.tell(CAMPAIGN, done)
    draft.by("moc.skill.entry", do.row, table=do.table)


def _skill(given: dict[str, Number]) -> Skill:
    """`moc.skill.entry`. Refuses `unknown-element`, `unknown-characteristic`, `unknown-difficulty`."""
    rule = "moc.skill.entry"
    element, primary = terms.element(given.get("element"), rule), terms.primary(given.get("primary"), rule)
    others = given.get("others")
    listed = (others,) if isinstance(others, str) and others else others
    named = tuple(map(str, listed)) if isinstance(listed, Iterable) else ()
    if element == "storytelling":
        raise Refused(rule, "unknown-element", element=element)
    if not named or any(primary not in CASCADE.get(one, ()) for one in named):
        raise Refused(rule, "unknown-characteristic", others=list(named))
    difficulty = given.get("difficulty", 0)
    if type(difficulty) is not int or difficulty not in (0, 1, 2):
        raise Refused(rule, "unknown-difficulty", difficulty=str(difficulty))
    return Skill(element, primary, named, difficulty)
