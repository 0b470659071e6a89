"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a name in a derivation, refers to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.rules.kernel.rolls import Die, Roll
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.thrown import Thrown, Told
from ledger.rules.mongrel.aims import DefenceChosen
from ledger.rules.mongrel.bargains import PurchaseRolled
from ledger.rules.mongrel.counting import meets
from ledger.rules.mongrel.tasks import DiceRolled, TaskDeclared, TaskResolved
from ledger.rules.mongrel.terms import Side, Special

LABELS: Mapping[str, str] = {
    "house": "House",
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
    "refreshes": "Minutes of the last refreshes",
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
    "cp": "Character points",
}
REFERS: Mapping[str, str] = {
    "participants": "character", "queue": "character", "target": "character", "last_session": "session",
}  # fmt: skip
NAMED: Mapping[str, str] = {"of": "character", "before": "character", "session": "session", "ruling": "ruling"}


# --- the rolls of a ruling, as dice ----------------------------------------------------------------------------------


SIDES = 6


PURCHASES = {"acquired": "Acquired", "sacrifice-offered": "Offered for a sacrifice", "refused-by-seller": "Refused"}


#: Results that did not come of counting the dice one by one.
AS_A_WHOLE: frozenset[Special] = frozenset({"zero-expertise", "sevens-succeed", "low-longshot"})


def list_rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Dice come first in a ruling, then what was rolled against, then the result."""
    side: Side | None = None
    rolled: DiceRolled | None = None
    for fact in facts:
        match fact:
            case TaskDeclared() | DefenceChosen():
                side = fact.side
            case DiceRolled():
                if rolled is not None:
                    yield Roll(
                        character(rolled.actor), _name_expertise(rolled.expertise), _list_dice(rolled, None, None)
                    )
                rolled = fact
            case TaskResolved():
                counted = None if fact.special in AS_A_WHOLE else side
                yield Roll(
                    character(fact.actor),
                    _name_expertise(fact.expertise),
                    _list_dice(rolled, fact.tn, counted),
                    target=fact.tn,
                    success=fact.success,
                    word="Success" if fact.success else "Failure",
                    effect=f"Effect {fact.effect}" if fact.success else "",
                )
                rolled = None
            case PurchaseRolled():
                yield Roll(
                    character(fact.buyer),
                    fact.item,
                    _list_dice(rolled, fact.tn, None),
                    target=fact.tn,
                    success=fact.outcome == "acquired",
                    word=PURCHASES[fact.outcome],
                    effect=f"Effect {fact.effect}" if fact.effect else "",
                )
                rolled = None
            case _:
                pass
    if rolled is not None:
        yield Roll(character(rolled.actor), _name_expertise(rolled.expertise), _list_dice(rolled, None, None))


def _name_expertise(expertise: str) -> str:
    return LABELS.get(expertise, expertise.replace("-", " ").capitalize())


def _list_dice(rolled: DiceRolled | None, tn: int | None, side: Side | None) -> tuple[Die, ...]:
    if rolled is None:
        return ()
    counts = [meets(face, tn, side) if tn is not None and side is not None else None for face in rolled.faces]
    return tuple(Die(SIDES, face, each) for face, each in zip(rolled.faces, counts, strict=True))


def list_thrown(do: object, told: Told) -> Iterator[Thrown]:
    """Every roll says who rolls, and whether its dice were typed in."""
    for about in told.facts:
        fact = about.fact
        if isinstance(fact, DiceRolled) and fact.source == "typed":
            yield Thrown(character(fact.actor), SIDES, fact.faces, about.audience)
