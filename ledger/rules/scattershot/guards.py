"""What is checked again and again, and how it is refused."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.tables import statistic_name


def no(rule: str, code: str, /, **context: object) -> Refused:
    """A refusal by a rule, named without the system's name."""
    return Refused(f"scattershot.{rule}", code, None, **context)


def check_positive(n: object, rule: str) -> int:
    """Refuses `bad-number`."""
    if type(n) is not int or n < 1:
        raise no(rule, "bad-number", n=str(n))
    return n


def check_whole(n: object, rule: str) -> int:
    if type(n) is not int or abs(n) > 10**9:
        raise no(rule, "bad-number", n=str(n))
    return n


def rating_of(who: Character, name: str) -> int | None:
    """The number of a Rating it possesses."""
    found = who.ratings.get(statistic_name(name)) or who.ratings.get(name)
    return found.value if found is not None else None


def is_off_guard(who: Character, toward: str) -> bool:
    return toward in who.off_guard or (who.off_guard_but is not None and who.off_guard_but != toward)
