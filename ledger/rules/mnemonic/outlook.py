"""The view of a check: its odds, its parts and its dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ledger.rules.kernel.kit import Die, Roll, Viewer, by_name, cached_by_record, format_count, rule
from ledger.rules.mnemonic.flukes import read_total
from ledger.rules.mnemonic.records import CheckResolved, CheckRolled
from ledger.rules.mnemonic.state import Board, Check
from ledger.rules.mnemonic.status import count_off
from ledger.rules.mnemonic.words import DICE, FINE, FLUKE_WORDS, HIGHEST

# --- the odds of a check ----------------------------------------------------------------------------------------------

ODDS = rule(
    "mnemonic.check.odds",
    "On one twelve-sided die, the number of faces that succeed is the Aptitude plus the Chances, but never below 0"
    " or above 12.",
    "calculating status",
)
PREVIEW = rule(
    "mnemonic.dramatic.preview",
    "To see what script immunity changes, you can look up how many of the twelve faces lead to each Status, for any"
    " Aptitude and Chances.",
    "dramatic considerations",
)
#: Rules about views. No ruling cites them.
LOOKED_UP = (ODDS, PREVIEW)


def count_successful_faces(aptitude: int, chances: int) -> int:
    """Return how many of the twelve faces of one die succeed, without flukes."""
    return max(0, min(HIGHEST, aptitude + chances))


def count_faces_by_level(aptitude: int, chances: int) -> tuple[int, ...]:
    """Return how many of the twelve faces lead to each level, 0 to 6."""
    counts_by_level = [0] * (FINE + 1)
    for face in range(1, HIGHEST + 1):
        counts_by_level[count_off(read_total(aptitude - face + chances).success_count)] += 1
    return tuple(counts_by_level)


@cache
def make_preview() -> dict[str, list[int]]:
    """Return the faces by level for each sum of Aptitude and Chances. Lower sums have the same result as the first
    entry; higher sums, as the last.
    """
    return {str(total): list(count_faces_by_level(total, 0)) for total in range(HIGHEST + FINE)}


# --- the parts of a check ---------------------------------------------------------------------------------------------


def view_checks(board: Board, viewer: Viewer) -> list[dict[str, object]]:
    return [_view_check(check, viewer.may_see(check.ruled.seen_by)) for check in board.checks.in_order()]


@cached_by_record
def _view_check(check: Check, is_whole: bool) -> dict[str, object]:
    """Return a check. If it is hidden, return only the numbers, the roll and the fluke and, for the referee, the
    meaning of each face.
    """
    ruled_check, rolled = check.ruled, check.rolled
    shown_values: dict[str, object] = {
        "id": ruled_check.check,
        "purpose": ruled_check.purpose,
        "character": ruled_check.character,
        "action": ruled_check.action,
        "injury": ruled_check.injury,
        "method": ruled_check.method,
        "stage": find_stage(check),
        "entered": list(rolled.entered) if rolled is not None else None,
        "faces": list(rolled.faces) if rolled is not None else None,
        "roll": rolled.roll if rolled is not None else None,
        "fluke": rolled.fluke if rolled is not None else None,
        "fluke_possible": check.fluke.possible if check.fluke is not None else None,
        "readings": by_name(ruled_check.readings),
        "injured": list(check.injured),
    }
    return shown_values | _view_hidden(check) if is_whole else shown_values


def _view_hidden(check: Check) -> dict[str, object]:
    ruled_check, result = check.ruled, check.resolved
    shown_values: dict[str, object] = {
        "traits": [by_name(trait) for trait in ruled_check.traits],
        "assigned": ruled_check.assigned,
        "aptitude": ruled_check.aptitude,
        "chances": {"name": ruled_check.chances, "number": ruled_check.chances_number},
        "life_or_death": ruled_check.life_or_death,
        "reason": ruled_check.reason,
        "odds": count_successful_faces(ruled_check.aptitude, ruled_check.chances_number),
        "total": result.total if result is not None else None,
        "success": result.success if result is not None else None,
        "successes": result.successes if result is not None else None,
        "failures": result.failures if result is not None else None,
        "recovered": check.recovered,
    }
    if ruled_check.purpose != "action":
        shown_values["preview"] = list(count_faces_by_level(ruled_check.aptitude, ruled_check.chances_number))
    return shown_values


def find_stage(check: Check) -> str:
    if check.resolved is not None:
        return "resolved"
    if check.rolled is None:
        return "ruled"
    return "fluke" if check.rolled.fluke is not None and check.fluke is None else "rolled"


# --- the dice of a check ----------------------------------------------------------------------------------------------


def list_rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Yield a check's roll, with its result if the ruling contains it. For voices and cards, only numbers are shown."""
    rolled: CheckRolled | None = None
    for fact in facts:
        if isinstance(fact, CheckRolled):
            rolled = fact
        elif isinstance(fact, CheckResolved):
            word = "Success" if fact.success else "Failure"
            yield Roll(
                name="Check",
                dice=_list_dice(rolled),
                total=fact.total,
                success=fact.success,
                word=f"{word}: {FLUKE_WORDS[fact.fluke]}" if fact.fluke is not None else word,
                effect=format_count(fact.successes, "Success", "Successes")
                if fact.success
                else format_count(fact.failures, "Failure"),
            )
            rolled = None
    if rolled is not None:
        yield Roll(name="Check", dice=_list_dice(rolled), total=rolled.roll)


def _list_dice(rolled: CheckRolled | None) -> tuple[Die, ...]:
    if rolled is None or rolled.method not in DICE:
        return ()
    return tuple(Die(HIGHEST, face) for face in rolled.faces)
