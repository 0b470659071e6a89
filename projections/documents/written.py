"""The texts that people wrote about a ruling, with their audiences: declarations, answers, reasons, names, titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ledger.application import json_form
from ledger.events.codec import Codec
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.facts import FACTS
from ledger.rules.kernel.prose import list_prose, list_prose_fields
from projections.documents.rulings import list_responsible_seats
from projections.documents.stored_rulings import REVISING, StoredAnswer, StoredFact, StoredRuling, StoredVerdict
from projections.redaction import Json, Secret

Audience: TypeAlias = list[str] | None
#: Separators of words. Otherwise, PostgreSQL would read "advantages/disadvantages" as a path, and find neither word.
BETWEEN = "'/.@:<>&_', '        '"
ASKED = f"websearch_to_tsquery('simple', translate(%(q)s, {BETWEEN}))"
#: The rulings with texts that the viewer may read and that match a query.
FOUND = f"""SELECT w.number FROM {{views}}.written w WHERE w.campaign = %(campaign)s
    AND (w.audience IS NULL OR w.audience && %(keys)s)
    AND w.words @@ quote_literal('in ' || %(campaign)s)::tsquery AND w.words @@ {ASKED}"""
MOST = 100_000  # the most characters of one row: PostgreSQL can't index much longer texts


class Writings:
    """Finds the texts that people wrote in the campaigns of one game."""

    def __init__(self, ruleset: AnyRuleset, codec: Codec) -> None:
        self._inputs, self._choices = (
            json_form.index_declaration_classes(ruleset),
            json_form.index_choice_classes(ruleset),
        )
        self._classes_of_fields = {"sheet": ruleset.sheet}
        facts: Iterable[Any] = (*ruleset.facts, *FACTS)
        self._facts: Mapping[str, type[object]] = {
            codec.find_name(cls)[0]: cls for cls in facts if list_prose_fields(cls)
        }

    def list_texts(self, kind: str, fact: Json) -> Iterator[str]:
        """Yield the texts that people wrote in a fact. `kind`: the stored name of the fact."""
        cls = self._facts.get(kind)
        if cls is not None:
            yield from list_prose(cls, fact)

    def list_rows(self, ruling: StoredRuling) -> Iterator[tuple[Audience, str]]:
        """Yield the searchable texts of a ruling, in one row for each audience.

        Texts for everybody are repeated in each row, so that a search needs only one row for each viewer.
        """
        texts_by_audience: dict[tuple[str, ...] | None, list[str]] = {}
        for audience, text in self._find_searchable_texts(ruling):
            texts_by_audience.setdefault(tuple(audience) if audience is not None else None, []).append(text)
        texts_for_all = texts_by_audience.get(None, [])
        for key, texts in texts_by_audience.items():
            if key == ():  # the audience is nobody
                continue
            lines = texts_for_all if key is None else [*texts_for_all, *texts]
            yield list(key) if key is not None else None, "\n".join(dict.fromkeys(lines))[:MOST]

    def _find_searchable_texts(self, ruling: StoredRuling) -> Iterator[tuple[Audience, str]]:
        ruling_audience = _widen(ruling.get("audience"), [ruling["by"], ruling["seat"]])
        revisions = zip(_list_revisions_with_audiences(ruling), _list_revision_audiences(ruling), strict=True)
        for (verdict, declaration_audience), known_audience in revisions:
            revision_audience = intersect_audiences(ruling_audience, known_audience)
            for audience, text in self._read_verdict(verdict, declaration_audience):
                yield intersect_audiences(revision_audience, audience), text
        for decision in ruling["decisions"]:
            is_of_first = decision["decision"] in ("rewound", "reinstated") and decision["cause"] is not None
            if decision["reason"] and not is_of_first:  # the reason of a rewind is searchable at its first ruling
                yield intersect_audiences(ruling_audience, decision.get("audience")), decision["reason"]

    def _read_verdict(self, verdict: StoredVerdict, declaration_audience: Audience) -> Iterator[tuple[Audience, str]]:
        for text in self._read_record(self._inputs, verdict["declared"]):
            yield declaration_audience, text
        for answer in verdict["answers"]:
            for text in self._read_answer(answer):
                yield intersect_audiences(declaration_audience, _widen(answer.get("audience"), [answer["by"]])), text
        for fact in verdict["facts"]:
            for text in self.list_texts(fact["kind"], fact["fact"]):
                yield fact.get("audience"), text

    def _read_answer(self, answer: StoredAnswer) -> Iterator[str]:
        choice = answer["answer"].get("choice")
        if isinstance(choice, dict):
            yield from self._read_record(self._choices, choice)

    def _read_record(self, classes: Mapping[str, type[object]], record: Json) -> Iterator[str]:
        cls = classes.get(str(record.get("kind")))
        if cls is not None:
            yield from list_prose(cls, record, self._classes_of_fields)


def intersect_audiences(audience: Audience, other_audience: Audience) -> Audience:
    """Return the audience of those who belong to both audiences."""
    if audience is None or other_audience is None:
        return other_audience if audience is None else audience
    return sorted({*audience} & {*other_audience})


def _widen(audience: Audience, readers: Iterable[str]) -> Audience:
    return sorted({*audience, *readers}) if audience is not None else None


def _list_revisions_with_audiences(ruling: StoredRuling) -> Iterator[tuple[StoredVerdict, Audience]]:
    """Yield each revision with the audience of its declaration. A revision without facts is as secret as the one
    before.
    """
    revealing_facts: list[StoredFact] = []
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    for revision, responsible_seat in zip(revisions, list_responsible_seats(ruling), strict=True):
        revealing_facts = revision["facts"] or revealing_facts
        audiences = [fact.get("audience") for fact in revealing_facts]
        declaration_audience = _widen([entry for audience in audiences for entry in audience or ()], [responsible_seat])
        yield revision, None if not audiences or None in audiences else declaration_audience


def _list_revision_audiences(ruling: StoredRuling) -> Iterator[Audience]:
    """Yield the audience of each revision. An earlier one is for those who may know that it was replaced."""
    revising_decisions: list[Secret] = [
        decision for decision in ruling["decisions"] if decision["decision"] in REVISING
    ]
    secret_audience: Audience = None
    for decision in revising_decisions:
        secret_audience = intersect_audiences(secret_audience, decision.get("audience"))
    open_count = sum("audience" not in decision for decision in revising_decisions)
    for index in range(len(ruling["tellings"])):
        yield None if index < open_count else secret_audience
    yield None
