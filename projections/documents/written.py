"""What people wrote about a ruling, each piece with who may read it: declarations, answers, reasons, names, titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ledger.application import json_form
from ledger.events.codec import Codec
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.facts import FACTS
from ledger.rules.kernel.prose import prose_in, telling
from projections.documents.rulings import said_by
from projections.documents.stored_rulings import REVISING, StoredAnswer, StoredFact, StoredRuling, StoredVerdict
from projections.redaction import Json, Secret

Audience: TypeAlias = list[str] | None
#: What stands between words: else PostgreSQL takes "advantages/disadvantages" for a path, and finds neither.
BETWEEN = "'/.@:<>&_', '        '"
ASKED = f"websearch_to_tsquery('simple', translate(%(q)s, {BETWEEN}))"
#: With which words of a query a ruling is found, of those that the viewer may read.
FOUND = f"""SELECT w.number FROM {{views}}.written w WHERE w.campaign = %(campaign)s
    AND (w.audience IS NULL OR w.audience && %(keys)s)
    AND w.words @@ quote_literal('in ' || %(campaign)s)::tsquery AND w.words @@ {ASKED}"""
MOST = 100_000  # characters of one row: beyond some more PostgreSQL makes no vector of them


class Writings:
    """Of one system's campaigns: which fields are prose is said by its own words."""

    def __init__(self, ruleset: AnyRuleset, codec: Codec) -> None:
        self._inputs, self._choices = json_form.inputs_of(ruleset), json_form.choices_of(ruleset)
        self._left_open = {"sheet": ruleset.sheet}
        facts: Iterable[Any] = (*ruleset.facts, *FACTS)
        self._facts: Mapping[str, type[object]] = {codec.named(cls)[0]: cls for cls in facts if telling(cls)}

    def fact(self, kind: str, fact: Json) -> Iterator[str]:
        """`kind`: as it is stored."""
        cls = self._facts.get(kind)
        if cls is not None:
            yield from prose_in(cls, fact)

    def rows(self, ruling: StoredRuling) -> Iterator[tuple[Audience, str]]:
        """Yield what is to be found of a ruling, for everybody and for each other audience.

        Whoever may read what is for some may read what is for all, too: it stands there again.
        """
        pieces: dict[tuple[str, ...] | None, list[str]] = {}
        for audience, text in self._find_pieces(ruling):
            pieces.setdefault(tuple(audience) if audience is not None else None, []).append(text)
        for_all = pieces.get(None, [])
        for known, texts in pieces.items():
            if known == ():  # nobody
                continue
            lines = for_all if known is None else [*for_all, *texts]
            yield list(known) if known is not None else None, "\n".join(dict.fromkeys(lines))[:MOST]

    def _find_pieces(self, ruling: StoredRuling) -> Iterator[tuple[Audience, str]]:
        knows = _widen(ruling.get("audience"), [ruling["by"], ruling["seat"]])
        revisions = zip(_list_verdicts(ruling), _list_audiences(ruling), strict=True)
        for (verdict, open_to), known_to in revisions:
            known = both(knows, known_to)
            for audience, text in self._read_verdict(verdict, open_to):
                yield both(known, audience), text
        for decision in ruling["decisions"]:
            if decision["reason"]:
                yield both(knows, decision.get("audience")), decision["reason"]

    def _read_verdict(self, verdict: StoredVerdict, open_to: Audience) -> Iterator[tuple[Audience, str]]:
        for text in self._read_record(self._inputs, verdict["declared"]):
            yield open_to, text
        for answer in verdict["answers"]:
            for text in self._answer(answer):
                yield both(open_to, _widen(answer.get("audience"), [answer["by"]])), text
        for fact in verdict["facts"]:
            for text in self.fact(fact["kind"], fact["fact"]):
                yield fact.get("audience"), text

    def _answer(self, answer: StoredAnswer) -> Iterator[str]:
        choice = answer["answer"].get("choice")
        if isinstance(choice, dict):
            yield from self._read_record(self._choices, choice)

    def _read_record(self, words: Mapping[str, type[object]], declared: Json) -> Iterator[str]:
        cls = words.get(str(declared.get("kind")))
        if cls is not None:
            yield from prose_in(cls, declared, self._left_open)


def both(first: Audience, other: Audience) -> Audience:
    """Return who is in either of them: never somebody who is not in both."""
    if first is None or other is None:
        return other if first is None else first
    return sorted({*first} & {*other})


def _widen(audience: Audience, more: Iterable[str]) -> Audience:
    return sorted({*audience, *more}) if audience is not None else None


def _list_verdicts(ruling: StoredRuling) -> Iterator[tuple[StoredVerdict, Audience]]:
    """Yield each revision with who its declaration is for; one that records nothing is as secret as the one before."""
    telltale: list[StoredFact] = []
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    for revision, by in zip(revisions, said_by(ruling), strict=True):
        telltale = revision["facts"] or telltale
        audiences = [fact.get("audience") for fact in telltale]
        open_to = _widen([entry for audience in audiences for entry in audience or ()], [by])
        yield revision, None if not audiences or None in audiences else open_to


def _list_audiences(ruling: StoredRuling) -> Iterator[Audience]:
    """Yield who is told of each revision: of the one that stands whoever knows the ruling, of as many others as one
    knows to have been replaced."""
    revising: list[Secret] = [decision for decision in ruling["decisions"] if decision["decision"] in REVISING]
    secret: Audience = None
    for decision in revising:
        secret = both(secret, decision.get("audience"))
    known = sum("audience" not in decision for decision in revising)
    for place in range(len(ruling["tellings"])):
        yield None if place < known else secret
    yield None
