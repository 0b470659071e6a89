"""Sentences as the views keep them: with the names of people left open, since these may change.

What stands open is filled in where a document leaves (`redaction`), with the names as they are then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from ledger.application import json_form
from ledger.errors import LedgerError
from ledger.events.records import Declined, Lapsed, Unsupported
from ledger.rules import systems
from ledger.rules.kernel import rulebook, sentences
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import fact_kind, kind_of
from ledger.rules.kernel.phrases import ENDS, Phrase, Phrases, fields_of, of_context, sentence, words
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Subject, parse_subject
from ledger.rules.kernel.upcasting import FIRST

Json: TypeAlias = Mapping[str, object]
#: Stands on both sides of a subject (`character:12`) whose name belongs there.
OPEN = "\x01"
OPENED = re.compile(f"{OPEN}((?:character|seat|scene):[^{OPEN}]*){OPEN}")
NOBODY = {"character": "somebody", "seat": "somebody", "scene": "a scene"}


class OpenNames:
    """Names that are left open."""

    def name(self, subject: Subject) -> str:
        return f"{OPEN}{subject}{OPEN}"


NAMES = OpenNames()
_strict: ContextVar[bool] = ContextVar("strict", default=False)


@contextmanager
def strictly() -> Iterator[None]:
    """What a game's sentences raise is raised; else, of what is recorded, it is told what kind of thing it is."""
    token = _strict.set(True)
    try:
        yield
    finally:
        _strict.reset(token)


def _write_sentence(phrase: Phrase, record: object, plain: str, about: Subject | None = None) -> str:
    try:
        return _remove_names(sentence(phrase, record, NAMES, about))
    except Exception:  # (whatever the game raises)
        if _strict.get():
            raise
        return plain


def opened(text: str) -> Iterable[str]:
    """Return the subjects whose names are left open in a text."""
    return OPENED.findall(text)


def filled(text: str, name: Callable[[str], str]) -> str:
    """Return a sentence with its names; `name`: of a subject, empty where nobody knows it."""
    sentence = OPENED.sub(lambda match: name(match[1]) or NOBODY[match[1].partition(":")[0]], text).replace(OPEN, "")
    return sentence[:1].upper() + sentence[1:] if text.startswith(OPEN) else sentence


def _remove_names(text: str) -> str:
    """Return the text without what people wrote that would be taken for a name left open."""
    if text.count(OPEN) == 2 * len(OPENED.findall(text)):
        return text
    parts = OPENED.split(text)
    parts[::2] = [part.replace(OPEN, "") for part in parts[::2]]
    parts[1::2] = [f"{OPEN}{part}{OPEN}" for part in parts[1::2]]
    return "".join(parts)


def _fill_context(phrase: str, context: Json, phrases: Phrases, prose: Iterable[str] = ()) -> str:
    return _remove_names(of_context(phrase, context, phrases, NAMES, prose))


# --- what became true ---


@cache
def _phrase_of(cls: type[object]) -> Phrase | None:
    for spoken in (KERNEL, *(system.phrases for system in systems().values())):
        if cls in spoken.facts:
            return spoken.facts[cls]
    return None


def of_fact(subject: Subject | str, fact: Any) -> str:
    """Return what became true. Of a fact whose game has no sentence for it, or is not installed, what kind of fact it
    is."""
    about = parse_subject(subject) if isinstance(subject, str) else subject
    kind: Any = type(fact)
    phrase = None if isinstance(fact, dict) else _phrase_of(kind)
    kind_words = "something" if isinstance(fact, dict) else words(fact_kind(kind).partition("@")[0])
    plain = f"{NAMES.name(about)}: {kind_words}." if about.kind != "campaign" else f"{kind_words.capitalize()}."
    return _write_sentence(phrase, fact, plain, about) if phrase is not None else plain


# --- what a system says ---


@cache
def statement(id: str) -> str:
    """Return a rule's one sentence, by its id; empty for an id no system here has. The id begins with the system's
    name."""
    ruleset = systems().get(id.partition(".")[0])
    rule = rulebook.RULES.get(id) or (ruleset.rules.get(id) if ruleset is not None else None)
    return rule.statement if rule is not None else ""


class Wording:
    """The sentences of one system, and the kernel's for every table."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self.phrases = ruleset.phrases

    def declared(self, declared: Json, edition: int | None = None) -> str:
        """Return what somebody declared. `edition`: of the rules that stored it; None: today's, or it is not known."""
        return self._say_or_name_kind(declared, json_form.input_from, edition, self.phrases.inputs, KERNEL.inputs)

    def _say_or_name_kind(
        self,
        record_json: Json,
        read: Callable[[AnyRuleset, Json, int | None], object],
        edition: int | None,
        *known: Mapping[type[object], Phrase],
    ) -> str:
        try:
            record = read(self.ruleset, record_json, edition)
        except LedgerError:  # what today's rules cannot read, or of a system that is not installed
            return (
                _name_kind(record_json)
                if edition is not None
                else self._say_or_name_kind(record_json, read, FIRST, *known)
            )
        phrase = next((table[type(record)] for table in known if type(record) in table), None)
        return (
            _write_sentence(phrase, record, _name_kind(record_json)) if phrase is not None else _name_kind(record_json)
        )

    def input(self, do: object) -> str:
        """Return what somebody declares."""
        phrase = self.phrases.inputs.get(type(do)) or KERNEL.inputs.get(type(do))
        return _write_sentence(phrase, do, self.kind(do)) if phrase is not None else self.kind(do)

    def kind(self, do: object) -> str:
        """Return what kind of thing somebody declares."""
        return f"{words(kind_of(do)).capitalize()}."

    def weight(self, fact: object) -> int | None:
        """Return how soon a fact is told of a whole ruling, the smaller the sooner; None: never."""
        cls = type(fact)
        return self.phrases.headlines.index(cls) if cls in self.phrases.headlines else None

    def question(self, question: Json) -> str:
        """Return what is asked, in the game's own words where it has some for it."""
        slot = str(question.get("slot") or "")
        known = self.phrases.questions
        phrase = known.get(slot) or known.get(re.split(r"[:\s]", slot)[0])
        named = _name_fields(question)
        if phrase is None or any(named.get(name) is None for name in needed(phrase)):
            return plain_question(question)
        asked = ended(_fill_context(phrase, named, self.phrases))
        tells = question.get("ask") == "choice" or "who" in fields_of(phrase)
        return asked if tells else f"{asked} {plain_question(question)}"

    def answer(self, question: Json, answer: Json, edition: int | None = None) -> str:
        """Return what was rolled, drawn or chosen. `edition`: as of what was declared."""
        choice = answer.get("choice")
        if isinstance(choice, dict):
            return self._say_or_name_kind(choice, json_form.choice_from, edition, self.phrases.choices)
        ((what, value),) = answer.items()
        by_ledger = isinstance(value, dict) and value.get("source") == "ledger"
        frame = (sentences.BY_LEDGER if by_ledger else sentences.ANSWERS)[what]
        known = replace(KERNEL, words=self.phrases.words)
        return _fill_context(frame, _name_fields(question) | (value if isinstance(value, dict) else {}), known)

    def whose(self, question: Json) -> str:
        """Return the name of whom dice fall for or cards are drawn for; empty where they are nobody's."""
        who = question.get("who")
        return NAMES.name(parse_subject(who)) if isinstance(who, str) and who != "campaign" else ""

    def step(self, rule: str, given: Json, out: object) -> str | None:
        """Return a step of a derivation with its numbers; None where the game has no sentence but the rule's own."""
        context = {**given, "out": out}
        phrase = self.phrases.steps.get(rule, "")
        try:
            phrase = phrase if isinstance(phrase, str) else phrase(context)
        except Exception:  # (whatever the game raises)
            if _strict.get():
                raise
            return None
        if not phrase or any(name not in context for name in needed(phrase)):
            return None
        return _fill_context(phrase, context, self.phrases)

    def lapsed(self, lapsed: Lapsed) -> str:
        """Return why something waits no longer, as far as everybody may know."""
        since, refused = of_frame(sentences.LAPSED, {"number": lapsed.ruling}), lapsed.refused
        return since if refused is None else self._add_refusal(since, refused)

    def declined(self, declined: Declined) -> str:
        """Return who said no, and what the rules say to that; by id."""
        return self._add_refusal(of_frame(sentences.DECLINED, {"seat": declined.answers[-1].by}), declined.refused)

    def _add_refusal(self, sentence: str, refused: Unsupported) -> str:
        why = self.refusal(refused.rule, refused.code, refused.context) if refused.audience is None else None
        return f"{unended(sentence)}: {_lower_first(why or plain_refusal(refused.code))}"

    def refusal(self, rule: str, code: str, context: Json) -> str | None:
        """Return why the rules say no; None where there is no sentence for it, or its numbers and names are missing."""
        own = self.phrases
        phrase = own.refusals_of.get((rule, code)) or own.refusals.get(code) or KERNEL.refusals.get(code)
        if phrase is None or any(name not in context for name in needed(phrase)):
            return None
        return _fill_context(phrase, context, self.phrases)


def plain_refusal(code: str) -> str:
    return f"{words(code).capitalize()}."


def summary(declared: str, facts: Iterable[str]) -> str:
    """Return what was declared and what it came to, in one sentence: only the latter where the former is a long one."""
    first, *more = [*dict.fromkeys(map(unended, facts))] or [""]
    results, declaration = "; ".join([first, *map(_lower_first, more)]), unended(declared)
    if not results or results in declaration:
        return declared
    plain = OPENED.sub("", declaration)
    if results.startswith(declaration) or ":" in plain or "“" in plain or plain.endswith("?"):
        return ended(results)
    result = _drop_actor(declaration, results)
    return ended(f"{declaration}{sentences.AND}{result}" if result else f"{declaration}: {_lower_first(results)}")


def _lower_first(text: str) -> str:
    """Return a sentence behind a colon: small, unless a name, a quotation or a word of the game begins there."""
    word = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if word in sentences.SMALL else text


def _drop_actor(declaration: str, result: str) -> str:
    """Return what the same somebody did: without the name, which stands in the sentence already. Empty where it is
    another, or several people.
    """
    who = OPENED.match(declaration)
    if (
        who is None
        or sentences.AND in declaration
        or result.startswith(declaration)
        or not result.startswith(f"{who[0]} ")
    ):
        return ""
    several = f" {sentences.AND.strip(', ')} "
    rest = [text[who.end() :] for text in (declaration, result)]
    return "" if any(text.startswith((several, ",")) for text in rest) else rest[1].lstrip()


def ended(text: str) -> str:
    """Return a sentence whose last part is in somebody's own words, which may have no end."""
    return text if text.endswith((*ENDS, "”", ":")) else f"{text}."


def unended(text: str) -> str:
    """Return a sentence without its end, to stand in another."""
    return text.rstrip().removesuffix(".")


def _name_kind(declared: Json) -> str:
    return f"{words(str(declared.get('kind'))).capitalize()}."


def plain_question(question: Json) -> str:
    """Return what is asked, whatever it is asked for."""
    ask = str(question.get("ask"))
    frame = sentences.QUESTIONS["open roll" if question.get("opens") else ask]
    return _fill_context(frame, _name_fields(question), KERNEL)


def _name_fields(question: Json) -> dict[str, object]:
    """Return what of a question stands in its sentence: who rolls, by whose name; the ways to answer."""
    kind, _, id = str(question.get("who") or "").partition(":")
    fields = {name: value for name, value in question.items() if name != "who"}
    if kind in ("character", "seat") and id:
        fields["character" if kind == "character" else "seat"] = id
        if kind == "character":
            fields["who"] = id
    choices = question.get("choices")
    if isinstance(choices, list):
        fields["choices"] = [choice["kind"] for choice in choices]
    return fields


@cache
def needed(phrase: str) -> tuple[str, ...]:
    """Return the names that stand outside of square brackets: without them there is no such sentence."""
    outside, depth = "", 0
    for character in phrase:
        depth += (character == "[") - (character == "]")
        outside += character if depth == 0 and character != "]" else ""
    return fields_of(outside)


#: In the kernel's frames, what is a sentence or somebody's own words.
SAID = frozenset({"reason", "said", "now", "then"})


def of_frame(frame: str, given: Json) -> str:
    """Return a sentence of the kernel's over names and numbers: `seat` and `character` are ids; some is said
    already.
    """
    return _fill_context(frame, given, KERNEL, SAID)


def of_decision(number: int, by: str, decision: str, reason: str, cause: int | None) -> str:
    """Return what was decided about a ruling, by which seat and why."""
    return of_frame(sentences.DECISIONS[decision], {"number": number, "seat": by, "reason": reason, "cause": cause})


def of_wait(what: str, declared: str, question: str, by: str, reason: str) -> tuple[str, str]:
    """Return what becomes of what waits, in a sentence; and for who may not know what was declared."""
    hidden = sentences.HIDDEN_WAITS[what]
    if what in ("waiting", "lapsed", "declined"):
        return f"{declared} {question if what == 'waiting' else reason}", hidden
    given = {"seat": by, "reason": unended(reason)}
    around = [of_frame(part, given) for part in sentences.WAITS[what].split("{said}")]
    return _lower_first(unended(declared)).join(around), hidden
