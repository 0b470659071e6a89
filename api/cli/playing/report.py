"""The report of an evening: its rulings, its refusals, and the parts of the game that never occurred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from api.cli.playing.filling import Json
from api.cli.playing.table import Fault, Record

EVERYWHERE = "ledger."  # facts that every campaign records, with or without a ruling
EXAMPLES = 1  # examples of each kind of refusal


def write_report(record: Record, seconds: float) -> Iterator[str]:
    """Yield the lines of the report: rulings by kind, decisions, and refusals."""
    rate = record.ruling_count / seconds if seconds else 0.0
    yield f"{record.ruling_count} rulings in {seconds:.0f} seconds, {rate:.1f} a second."
    yield _write_counts("By kind", record.kinds)
    yield _write_counts("Asked", record.asked)
    yield _write_counts("Chosen", record.chosen)
    yield _write_counts("Dice, cards and coins", record.dice)
    yield _write_counts("Decided", record.decided)
    if record.lapsed:
        yield f"Questions cancelled by a ruling: {record.lapsed}."
    if record.overtaken:
        yield f"Answers that were no longer possible after a decision: {record.overtaken}."
    if record.hidden:
        yield _write_counts("Answers refused because of hidden information", record.hidden)
    if record.blank:
        yield _write_counts("Refused at first, accepted once all texts were filled in", record.blank)
    if record.declined:
        yield f"Answers that declined: {record.declined}."
    yield from _list_refusal_lines("Offered without checks, and refused", record.by_form)
    yield from _list_refusal_lines("Refusals", record.faults)


def _write_counts(title: str, counts: Counter[str]) -> str:
    count_list = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return f"{title}: {count_list or 'nothing'}."


def _list_refusal_lines(title: str, faults: list[Fault]) -> Iterator[str]:
    """Yield the number of refusals, then the number of refusals of each kind, with examples."""
    yield f"{title}: {len(faults)}."
    sorts = Counter((fault.what, str(fault.problem.get("code"))) for fault in faults)
    for (label, code), count in sorts.most_common():
        yield f"  {count} x {label}: {code}"
        examples = [fault for fault in faults if (fault.what, str(fault.problem.get("code"))) == (label, code)]
        yield from (f"    {fault}" for fault in examples[:EXAMPLES])


def list_occurrence_lines(record: Record, system: Json) -> Iterator[str]:
    """Yield how many of the game's declarations, facts, questions and choices occurred, and which never did."""
    for sort, (counts, words) in count_words(record, system).items():
        unused_words = list_unused_words(counts, words)
        yield f"{sort}: {len(words) - len(unused_words)} of {len(words)}."
        if sort == "inputs":
            yield _write_counts(
                "  Offered, never declared", Counter({kind: record.offered[kind] for kind in unused_words})
            )
        elif unused_words:
            yield f"  Never: {', '.join(unused_words)}."


def count_words(record: Record, system: Json) -> dict[str, tuple[Counter[str], list[str]]]:
    """Return how often each word of a game occurred and the list of all words, for each sort: `inputs`, `facts`,
    `questions`, `choices`.

    A question is a slot: what a ruling asks about. A choice is a kind of answer.
    """
    question_counts = Counter[str]()
    for question, count in record.asked.items():
        question_counts[question.partition(" ")[2]] += count
    counts_by_sort: dict[str, tuple[Counter[str], str]] = {
        "inputs": (record.kinds, "kind"),
        "facts": (record.facts, "kind"),
        "questions": (question_counts, "slot"),
        "choices": (record.chosen, "kind"),
    }
    return {
        sort: (counts, [word[key] for word in system[sort] if not word[key].startswith(EVERYWHERE)])
        for sort, (counts, key) in counts_by_sort.items()
    }


def list_unused_words(counts: Counter[str], words: Iterable[str]) -> list[str]:
    return [word for word in words if not counts[word]]
