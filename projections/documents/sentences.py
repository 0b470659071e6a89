"""What is told in a sentence, with the names that its viewer knows."""

from __future__ import annotations

from ledger.rules.kernel.phrases import fields_of, of_context, words
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Subject
from projections.redaction import LiveLens


class Known:
    """Names as a viewer knows them; whoever has none is somebody."""

    def __init__(self, lens: LiveLens) -> None:
        self.lens = lens

    def name(self, subject: Subject) -> str:
        return self.lens.name(subject) or ("somebody" if subject.kind in ("character", "seat") else "a scene")


def sentence_of(refused: Refused, lens: LiveLens | None) -> str:
    """Why it is refused. Without a lens, or where the game has no sentence for it, its code in words."""
    plain = f"{words(refused.code).capitalize()}:"
    if lens is None:
        return plain
    phrases = lens.book.ruleset.phrases
    phrase = phrases.refusals.get(refused.code) or KERNEL.refusals.get(refused.code)
    if phrase is None or any(one not in refused.context for one in needed(phrase)):
        return plain
    return of_context(phrase, refused.context, phrases, Known(lens))


def needed(phrase: str) -> tuple[str, ...]:
    """The names that stand outside of square brackets: without them there is no such sentence."""
    outside, depth = "", 0
    for one in phrase:
        depth += (one == "[") - (one == "]")
        outside += one if depth == 0 and one != "]" else ""
    return fields_of(outside)
