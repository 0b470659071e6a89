"""Mongrel: characters who are part Man, part Beast and part Demon; Houses and Vows; dice rolled under your own scores
or over those of another character.

Each module covers one heading of the source, or one question that the source answers. `RULESET` combines them. This
module also defines how states are shown (in full, because nothing is secret in this game), which values are stored
twice, and how rolls are shown as dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from ledger.rules.kernel.kit import (
    Adjust,
    AnyRuleset,
    Bound,
    Die,
    Places,
    RecordedFacts,
    Roll,
    Subject,
    Thrown,
    Twice,
    Viewer,
    by_name,
    character,
    describe_transfers,
    find_kind,
    ruleset,
)
from ledger.rules.mongrel import (
    accounts,
    acting,
    attacks,
    bargains,
    characters,
    clock,
    conflict,
    counting,
    credit,
    damage,
    death,
    deeds,
    draft,
    hits,
    houses,
    identities,
    infernal,
    making,
    people,
    points,
    possessions,
    powers,
    proposals,
    purchases,
    recovery,
    sessions,
    sorcery,
    state,
    tasks,
    turns,
)
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.state import Campaign, Character, Scene, Seat, State, find_power, work_out_physique
from ledger.rules.mongrel.terms import REFERENCES, SPEECH, Side, Special

__all__ = ["RULESET"]

#: Parts of rule ids, or whole ids, in the order in which the guide prints the rules. The first match decides a rule's
#: place.
READING_ORDER = """
house vow identity.split identity.primary identity.body identity.forms identity attr expertise.step1 expertise.step2
expertise.step3 expertise.step4 expertise.identity expertise.area expertise derived power credit.start
credit.purchase credit.sacrifice item.had credit.sell credit.transfer credit.social credit.cash credit.adjust
task.pool task.tn task.count task.ones-fail task.sixes-fail task.sevens-succeed task.low-impossible
task.zero-expertise effect.base task effect damage.net item damage.shunt damage.zones damage.hit damage.collapse
damage.terminal damage.resist-death damage.terminal-stage damage.healing damage resolve.spiritual resolve.zero
resolve.collapsed-hit resolve.refresh-quiet resolve.refresh-vow sorcery.burn sorcery.chill sorcery.occult
sorcery.resist sorcery conflict.order conflict.queue conflict.front conflict.act conflict.dealings conflict.attack
conflict.may-defend conflict.untargeted conflict.immediate conflict ap.no-automatic ap.recover resolve ap
fatigue.limit time fatigue cp.session cp.vow cp
"""
#: Kinds of declarations and answers, in the order in which the API's description has always listed them. New ones come
#: last.
LISTED_ORDER = """
roll-task take-hit answer-terminal heal spend-resolve refresh-resolve refresh-resolve-by-vow occult open-conflict
join-conflict leave-conflict close-conflict take-front attack declare-attack carry-out act pass recover rest
set-clock make-vow end-vow describe reveal mark-features allocate-power set-status purchase occult-purchase
gain-item part-with-item move-item sell-item transfer-credit adjust-credit change-social barter note-present
award-session award-vow raise-feature defend stand shunt resist submit sacrifice accept no-deal speak-for judge
judge-task disallow
"""
#: Names of the fields, in refusals and derivations, that contain character ids.
CHARACTERS_IN = (
    "action",
    "actor",
    "buyer",
    "character",
    "characters",
    "left",
    "named",
    "participants",
    "queue",
    "seller",
    "target",
    "tied",
    "to",
    "was",
)
UNITS: Mapping[str, str] = {
    "ap": "{amount:Action Point|Action Points}",
    "resolve": "{amount:point|points} of Infernal Resolve",
    "beauty": "{amount:point|points} of Beauty",
    "cp": "{amount:character point|character points}",
    "credit": "{amount} Credit with House {detail}",
}
LABELS: Mapping[str, str] = {
    "house": "House",
    "aggak-ko": "Aggak-Ko",
    "damage": "Damage",
    "physique": "Current Physique",
    "dead": "Dead",
    "dying": "Dying",
    "terminal": "In the terminal stage",
    "collapsed": "Collapsed",
    "exhausted": "Exhausted",
    "recovering": "Recovering",
    "primary": "Primary Identity",
    "minute": "Minute of the last recovery",
    "body": "Body",
    "status": "Status in the House",
    "power_expertise": "Power",
    "ap_imposed": "Temporary Action Point maximum",
    "physique_loss": "Physique lost to wounds",
    "beauty_temp": "Beauty lost temporarily",
    "npc": "Played by the game master",
    "sex": "Sex",
    "age": "Age",
    "identity": "Identities",
    "chosen": "Attributes as chosen",
    "lowered": "Attributes after lowering",
    "power": "Options of the Power",
    "unnatural": "Unnatural features",
    "picks": "Expertises picked",
    "wound_threshold": "Wound Threshold",
    "refreshes": "Minutes of recent refreshes",
    "played": "Sessions played",
    "used": "Features used",
    "awarded": "Awards",
    "sessions_closed": "Sessions so far",
    "last_session": "Last session",
    "clock": "Clock (minute)",
    "tn": "Target number",
    "ap": "Action Points",
    "of": "Owner",
    "step1": "Primary Identity",
    "answer-terminal": "Stay alive or die",
    "declare-attack": "Announce an attack",
    "cp": "Character points",
    "roll-task": "Roll for a task",
    "carry-out": "Carry out the action",
    "open-conflict": "Begin a conflict",
    "join-conflict": "Bring into the conflict",
    "leave-conflict": "Take out of the conflict",
    "close-conflict": "End the conflict",
    "take-front": "Move to the front",
    "take-hit": "Record another hit",
    "set-status": "Set the Status in the House",
    "spend-resolve": "Spend Infernal Resolve",
    "refresh-resolve": "Restore Infernal Resolve",
    "refresh-resolve-by-vow": "Restore Infernal Resolve through a Vow",
    "make-vow": "Make a Vow",
    "end-vow": "End a Vow",
    "award-vow": "Award a point for a Vow",
    "occult-purchase": "Buy with Occult",
    "allocate-power": "Divide the points of a Power",
    "mark-features": "Record features used",
    "set-clock": "Set the clock",
    "note-present": "Record who was present",
    "award-session": "Award points for the session",
    "raise-feature": "Raise a score",
    "gain-item": "Receive a possession",
    "part-with-item": "Give up a possession",
    "move-item": "Move or remove a possession",
    "sell-item": "Sell a possession",
    "transfer-credit": "Transfer Credit",
    "adjust-credit": "Change Credit",
    "change-social": "Change the Social score",
}
REFERS: Mapping[str, str] = {
    "participants": "character",
    "queue": "character",
    "target": "character",
    "last_session": "session",
}
NAMED: Mapping[str, str] = {"of": "character", "before": "character", "session": "session", "ruling": "ruling"}


# --- views -----------------------------------------------------------------------------------------------------------


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """Return the JSON values of a state. Amounts are left out, because the accounts hold them."""
    match state:
        case Character():
            return _view_character(state)
        case Scene():
            return _view_scene(state)
        case Campaign():
            awards = [{"session": session, "points": points} for session, points in state.awards]
            return {
                "sessions_closed": state.closed,
                "last_session": state.last_session,
                "awards": awards,
                "clock": state.clock,
            }
        case Seat():
            return {}
        case _:
            assert_never(state)


def _view_character(state: Character) -> dict[str, object]:
    """Return the sheet. `attributes`: lasting scores; `physique`: the current score, used for hits and thresholds."""
    plain_fields = (
        "house",
        "sex",
        "age",
        "npc",
        "primary",
        "body",
        "description",
        "status",
        "damage",
        "physique_loss",
        "beauty_temp",
        "ap_imposed",
        "collapsed",
        "terminal",
        "dying",
        "dead",
        "recovering",
        "exhausted",
        "minute",
    )
    mapping_fields = ("identity", "chosen", "lowered", "attributes", "expertise", "power")
    list_fields = ("unnatural", "deviations", "picks", "refreshes", "played")
    size, physique = state.attributes.get("size", 0), work_out_physique(state)
    return {
        **{name: getattr(state, name) for name in plain_fields},
        **{name: dict(getattr(state, name)) for name in mapping_fields},
        **{name: list(getattr(state, name)) for name in list_fields},
        "power_expertise": find_power(state),
        "physique": physique,
        "wound_threshold": [size, size + physique, size + 2 * physique],
        "appearance": _view_appearance(state),
        "vows": [by_name(vow) for vow in state.vows],
        "possessions": [{"id": possession_id, **by_name(item)} for possession_id, item in state.possessions.items()],
        "used": [{"session": marks.session, "features": list(marks.features)} for marks in state.used],
        "awarded": [{"reason": reason, "session": session} for reason, session in state.awarded],
    }


def _view_appearance(state: Character) -> dict[str, object]:
    """Return the character's appearance. The other Identities show as details; an Identity of 0 does not show."""
    details = {name: score for name, score in state.identity.items() if score > 0 and name != state.primary}
    power = {option: points for option, points in state.power.items() if points > 0}
    return {"form": state.body, "unnatural": list(state.unnatural), "details": details, "power": power}


def _view_scene(scene: Scene) -> dict[str, object]:
    conflict = scene.conflict
    if conflict is None:
        return {"conflict": None}
    action = by_name(conflict.action) if conflict.action is not None else None
    if action is not None:
        action["power"] = list(action["power"])
        action["target_attribute"] = conflict.target_attribute
    return {
        "conflict": {
            "participants": list(conflict.participants),
            "queue": list(conflict.queue),
            "action": action,
        }
    }


def list_kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Yield the values that are stored twice. An account counts current Beauty: the lasting score minus temporary
    losses.

    A possession is in two places only if a character gave away something that they did not have. The fact then goes
    adrift, and everybody can see that.
    """
    state = places.state(subject)
    if isinstance(state, Character):
        current_beauty = state.attributes.get("beauty", 0) - state.beauty_temp
        yield Twice("beauty", current_beauty, places.balance(subject, "beauty"), account="beauty")


# --- the rolls of a ruling, as dice ----------------------------------------------------------------------------------

SIDES = 6
PURCHASES = {"acquired": "Acquired", "sacrifice-offered": "Offered for a sacrifice", "refused-by-seller": "Refused"}
#: Whether a die must show the target number at most or at least, by the side whose score is used.
BOUNDS: Mapping[Side | None, Bound] = {"own": "at-most", "target": "at-least"}
#: Special results, which come from the dice as a whole instead of from single dice.
AS_A_WHOLE: frozenset[Special] = frozenset(
    {"zero-expertise", "sevens-succeed", "low-longshot", "ones-fail", "sixes-fail"}
)


def list_rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Yield the rolls of a ruling: for each, the dice come first, then the target number, then the result."""
    side: Side | None = None
    dice_rolled: tasks.DiceRolled | None = None
    for fact in facts:
        match fact:
            case tasks.TaskDeclared() | hits.DefenceChosen():
                side = fact.side
            case tasks.DiceRolled():
                if dice_rolled is not None:
                    yield Roll(
                        character(dice_rolled.actor),
                        _name_expertise(dice_rolled.expertise),
                        _list_dice(dice_rolled, None, None),
                    )
                dice_rolled = fact
            case tasks.TaskResolved():
                counted_side = None if fact.special in AS_A_WHOLE else side
                yield Roll(
                    character(fact.actor),
                    _name_expertise(fact.expertise),
                    _list_dice(dice_rolled, fact.tn, counted_side),
                    target=fact.tn,
                    success=fact.success,
                    word="Success" if fact.success else "Failure",
                    effect=f"Effect {fact.effect}" if fact.success else "",
                    bound=BOUNDS.get(side),
                )
                dice_rolled = None
            case bargains.PurchaseRolled():
                yield Roll(
                    character(fact.buyer),
                    fact.item,
                    _list_dice(dice_rolled, fact.tn, None),
                    target=fact.tn,
                    success=fact.outcome == "acquired",
                    word=PURCHASES[fact.outcome],
                    effect=f"Effect {fact.effect}" if fact.effect else "",
                    bound="at-least",
                )
                dice_rolled = None
            case _:
                pass
    if dice_rolled is not None:
        yield Roll(
            character(dice_rolled.actor), _name_expertise(dice_rolled.expertise), _list_dice(dice_rolled, None, None)
        )


def _name_expertise(expertise: str) -> str:
    return LABELS.get(expertise, expertise.replace("-", " ").capitalize())


def _list_dice(rolled: tasks.DiceRolled | None, tn: int | None, side: Side | None) -> tuple[Die, ...]:
    if rolled is None:
        return ()
    are_good = [
        counting.is_good_face(face, tn, side) if tn is not None and side is not None else None for face in rolled.faces
    ]
    return tuple(Die(SIDES, face, is_good) for face, is_good in zip(rolled.faces, are_good, strict=True))


def list_thrown(do: object, recorded: RecordedFacts) -> Iterator[Thrown]:
    """Yield the dice that were typed in. Every recorded roll names the character and says whether
    the dice were typed.
    """
    for about in recorded.facts:
        fact = about.fact
        if isinstance(fact, tasks.DiceRolled) and fact.source == "typed":
            yield Thrown(character(fact.actor), SIDES, fact.faces, about.audience)


# --- the game --------------------------------------------------------------------------------------------------------


def sort_as_listed(classes: tuple[type[object], ...]) -> tuple[type[object], ...]:
    """Return declarations or answers in the order in which they are listed."""
    indexes = {kind: index for index, kind in enumerate(LISTED_ORDER.split())}
    return tuple(sorted(classes, key=lambda cls: indexes.get(find_kind(cls), len(indexes))))


_MADE: AnyRuleset = ruleset(
    "mongrel",
    title="Mongrel",
    source="Mongrel, by Ron Edwards (Adept Press, 2003)",
    edition=2,
    chapters=(
        state,
        draft,
        acting,
        houses,
        identities,
        powers,
        characters,
        tasks,
        counting,
        proposals,
        deeds,
        damage,
        death,
        infernal,
        sorcery,
        conflict,
        turns,
        hits,
        attacks,
        recovery,
        clock,
        credit,
        possessions,
        purchases,
        bargains,
        sessions,
        points,
    ),
    draft=draft.Draft,
    states={"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    dials=Dials,
    sheet=characters.Sheet,
    accounts=accounts.ACCOUNTS,
    view=view,
    reading_order=READING_ORDER,
    kept_twice=list_kept_twice,
    references=REFERENCES,
    people=people.PEOPLE,
    maker=making.MAKER,
    says={Adjust: describe_transfers(UNITS)},
    named=NAMED,
    speech=SPEECH,
    characters_in=CHARACTERS_IN,
)
RULESET: AnyRuleset = replace(
    _MADE,
    inputs=sort_as_listed(_MADE.inputs),
    choices=sort_as_listed(_MADE.choices),
    labels=LABELS,
    refers=REFERS,
    rolls=list_rolls,
    thrown=list_thrown,
)
