"""Refusals: a bad request leaves no trace."""

from __future__ import annotations

from typing import Any, TypeAlias

RuleId: TypeAlias = str


class Refused(Exception):
    """A bad request, which leaves no trace. `rule` and `code` are stable; `context` holds the numbers and names
    involved.

    `pointer`: the mistake's place in the declaration, as a JSON Pointer, if known. `others`: further faults.
    """

    __slots__ = ("audience", "code", "context", "rule")
    pointer: str | None = None
    others: tuple[Refused, ...] = ()

    def __init__(self, rule: RuleId, code: str, /, audience: tuple[str, ...] | None = None, **context: Any) -> None:
        self.rule = rule
        self.code = code
        self.audience = audience
        self.context = context

    def __str__(self) -> str:
        return f"{self.code} ({self.rule})"

    def same_as(self, other: object) -> bool:
        return isinstance(other, Refused) and (self.rule, self.code) == (other.rule, other.code)


class Unfit(Refused):
    """An answer that does not fit its question. The question stays open."""


class Declined(Refused):
    """A player who was asked has declined. The answer is kept. The declaration stops waiting and has no result."""


def must_say(rule: RuleId, **texts: str) -> None:
    """Refuse a blank text, with the code `<name>-blank`."""
    for name, text in texts.items():
        if not text.strip():
            raise Refused(rule, f"{name}-blank")
