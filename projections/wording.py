"""Make sentences with names left open, because names may change. `redaction` fills in the current names."""

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
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.kernel.phrases import ENDS, Phrase, Phrases, fill_from_context, list_fields, sentence, words
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Subject, parse_subject, seat
from ledger.rules.kernel.upcasting import FIRST

Json: TypeAlias = Mapping[str, object]
#: Stands before and after a subject (`character:12`) where the subject's name belongs.
OPEN = "\x01"
OPENED = re.compile(f"{OPEN}((?:character|seat|scene):[^{OPEN}]*){OPEN}")
NOBODY = {"character": "somebody", "seat": "somebody", "scene": "a scene"}


class OpenNames:
    """Leaves every name open: it returns a mark in place of the name."""

    def name(self, subject: Subject) -> str:
        return f"{OPEN}{subject}{OPEN}"


NAMES = OpenNames()
_strict: ContextVar[bool] = ContextVar("strict", default=False)


@contextmanager
def raise_wording_errors() -> Iterator[None]:
    """Raise errors of a game's sentences within this block. Elsewhere, a plain sentence replaces one that fails."""
    token = _strict.set(True)
    try:
        yield
    finally:
        _strict.reset(token)


def _write_sentence(phrase: Phrase, record: object, fallback: str, subject: Subject | None = None) -> str:
    try:
        return _remove_stray_marks(sentence(phrase, record, NAMES, subject))
    except Exception:  # (the game can raise anything)
        if _strict.get():
            raise
        return fallback


def list_open_names(text: str) -> Iterable[str]:
    """Return the subjects whose names are left open in a text."""
    return OPENED.findall(text)


def fill_in_names(text: str, find_name: Callable[[str], str]) -> str:
    """Return a sentence with its names filled in. `find_name` returns a subject's name, or "" if it is unknown."""
    sentence = OPENED.sub(lambda match: find_name(match[1]) or NOBODY[match[1].partition(":")[0]], text).replace(
        OPEN, ""
    )
    return sentence[:1].upper() + sentence[1:] if text.startswith(OPEN) else sentence


def _remove_stray_marks(text: str) -> str:
    """Return the text without marks that people typed."""
    if text.count(OPEN) == 2 * len(OPENED.findall(text)):
        return text
    parts = OPENED.split(text)
    parts[::2] = [part.replace(OPEN, "") for part in parts[::2]]
    parts[1::2] = [f"{OPEN}{part}{OPEN}" for part in parts[1::2]]
    return "".join(parts)


def _fill_context(phrase: str, context: Json, phrases: Phrases, prose: Iterable[str] = ()) -> str:
    return _remove_stray_marks(fill_from_context(phrase, context, phrases, NAMES, prose))


# --- facts ---


@cache
def _find_phrase(cls: type[object]) -> Phrase | None:
    for phrases in (KERNEL, *(system.phrases for system in systems().values())):
        if cls in phrases.facts:
            return phrases.facts[cls]
    return None


def word_fact(subject: Subject | str, fact: Any) -> str:
    """Return the sentence of a fact, or its kind in words if there is no sentence."""
    subject = parse_subject(subject) if isinstance(subject, str) else subject
    fact_class: Any = type(fact)
    phrase = None if isinstance(fact, dict) else _find_phrase(fact_class)
    kind_words = "something" if isinstance(fact, dict) else words(find_fact_kind(fact_class).partition("@")[0])
    fallback = f"{NAMES.name(subject)}: {kind_words}." if subject.kind != "campaign" else f"{kind_words.capitalize()}."
    return _write_sentence(phrase, fact, fallback, subject) if phrase is not None else fallback


# --- the sentences of a game ---


@cache
def find_statement(id: str) -> str:
    """Return a rule's statement by the rule's id, or an empty text for an unknown id."""
    ruleset = systems().get(id.partition(".")[0])
    rule = rulebook.RULES.get(id) or (ruleset.rules.get(id) if ruleset is not None else None)
    return rule.statement if rule is not None else ""


class Wording:
    """The sentences of one game, and the kernel's for every game."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self.phrases = ruleset.phrases

    def word_stored_declaration(self, declaration: Json, edition: int | None = None) -> str:
        """Return a declaration in a sentence. `edition`: the edition of the rules that stored it; None if current or
        unknown.
        """
        return self._say_or_name_kind(
            declaration, json_form.declaration_from_json, edition, self.phrases.inputs, KERNEL.inputs
        )

    def _say_or_name_kind(
        self,
        record_json: Json,
        read: Callable[[AnyRuleset, Json, int | None], object],
        edition: int | None,
        *tables: Mapping[type[object], Phrase],
    ) -> str:
        try:
            record = read(self.ruleset, record_json, edition)
        except LedgerError:  # today's rules cannot read it, or its game is not installed
            return (
                _name_kind(record_json)
                if edition is not None
                else self._say_or_name_kind(record_json, read, FIRST, *tables)
            )
        phrase = next((table[type(record)] for table in tables if type(record) in table), None)
        return (
            _write_sentence(phrase, record, _name_kind(record_json)) if phrase is not None else _name_kind(record_json)
        )

    def word_input(self, do: object) -> str:
        """Return a declaration in a sentence."""
        phrase = self.phrases.inputs.get(type(do)) or KERNEL.inputs.get(type(do))
        return _write_sentence(phrase, do, self.word_kind(do)) if phrase is not None else self.word_kind(do)

    def word_kind(self, do: object) -> str:
        """Return the kind of a declaration in words."""
        return f"{words(find_kind(do)).capitalize()}."

    def weigh(self, fact: object) -> int | None:
        """Return the fact's rank among headlines (the smaller, the more important), or None if it is no headline."""
        cls = type(fact)
        return self.phrases.headlines.index(cls) if cls in self.phrases.headlines else None

    def word_question(self, question: Json) -> str:
        """Return a question, in the game's own sentence if it has one."""
        slot = str(question.get("slot") or "")
        questions = self.phrases.questions
        phrase = questions.get(slot) or questions.get(re.split(r"[:\s]", slot)[0])
        fields = _name_fields(question)
        if phrase is None or any(fields.get(name) is None for name in list_needed_names(phrase)):
            return word_plain_question(question)
        sentence = end_sentence(_fill_context(phrase, fields, self.phrases))
        has_roller = question.get("ask") == "choice" or "who" in list_fields(phrase)
        return sentence if has_roller else f"{sentence} {word_plain_question(question)}"

    def word_answer(self, question: Json, answer: Json, edition: int | None = None) -> str:
        """Return a roll, draw or choice in words. `edition`: the edition of the rules that stored it."""
        choice = answer.get("choice")
        if isinstance(choice, dict):
            return self._say_or_name_kind(choice, json_form.choice_from_json, edition, self.phrases.choices)
        ((answer_kind, value),) = answer.items()
        is_by_ledger = isinstance(value, dict) and value.get("source") == "ledger"
        frame = (sentences.BY_LEDGER if is_by_ledger else sentences.ANSWERS)[answer_kind]
        phrases = replace(KERNEL, words=self.phrases.words)
        return _fill_context(frame, _name_fields(question) | (value if isinstance(value, dict) else {}), phrases)

    def name_roller(self, question: Json) -> str:
        """Return the name of the owner of dice or cards, or an empty text if nobody owns them."""
        who = question.get("who")
        return NAMES.name(parse_subject(who)) if isinstance(who, str) and who != "campaign" else ""

    def word_step(self, rule: str, inputs: Json, result: object) -> str | None:
        """Return a step of a derivation in a sentence. Return None if there is no sentence, or a value in it is
        missing.
        """
        context = {**inputs, "out": result}
        phrase = self.phrases.steps.get(rule, "")
        try:
            phrase = phrase if isinstance(phrase, str) else phrase(context)
        except Exception:  # (the game can raise anything)
            if _strict.get():
                raise
            return None
        if not phrase or any(name not in context for name in list_needed_names(phrase)):
            return None
        return _fill_context(phrase, context, self.phrases)

    def explain_lapse(self, lapse: Lapsed) -> str:
        """Return why a declaration is no longer waiting, without anything secret."""
        sentence, refusal = fill_frame(sentences.LAPSED, {"number": lapse.ruling}), lapse.refused
        return sentence if refusal is None else _add_reason(sentence, self._explain_refusal(refusal))

    def explain_decline(self, decline: Declined) -> str:
        """Return a sentence that says who declined, and why."""
        reason = self._explain_refusal(decline.refused)
        sentence = fill_frame(sentences.DECLINED, {"seat": decline.answers[-1].by})
        has_name = reason.startswith(f"{NAMES.name(seat(decline.answers[-1].by))} ")
        return reason if has_name else _add_reason(sentence, reason)

    def _explain_refusal(self, refusal: Unsupported) -> str:
        """Return why the rules refuse, without anything secret."""
        reason = self.word_refusal(refusal.rule, refusal.code, refusal.context) if refusal.audience is None else None
        return reason or word_plain_refusal(refusal.code)

    def word_refusal(self, rule: str, code: str, context: Json) -> str | None:
        """Return why the rules refuse. Return None if there is no sentence, or a value in it is missing."""
        phrases = self.phrases
        phrase = phrases.refusals_of.get((rule, code)) or phrases.refusals.get(code) or KERNEL.refusals.get(code)
        if phrase is None or any(name not in context for name in list_needed_names(phrase)):
            return None
        return _fill_context(phrase, context, self.phrases)


def _add_reason(sentence: str, reason: str) -> str:
    return f"{strip_end(sentence)}: {_lower_first_letter(reason)}"


def word_plain_refusal(code: str) -> str:
    return f"{words(code).capitalize()}."


def sum_up(declaration_sentence: str, fact_sentences: Iterable[str]) -> str:
    """Return the declaration and its result in one sentence, or only the result if the declaration is long."""
    first_result, *other_results = [*dict.fromkeys(map(strip_end, fact_sentences))] or [""]
    results, declaration = (
        "; ".join([first_result, *map(_lower_first_letter, other_results)]),
        strip_end(declaration_sentence),
    )
    if not results or results in declaration:
        return declaration_sentence
    plain_text = OPENED.sub("", declaration)
    if results.startswith(declaration) or ":" in plain_text or "“" in plain_text or plain_text.endswith("?"):
        return end_sentence(results)
    result = _drop_actor(declaration, results)
    return end_sentence(
        f"{declaration}{sentences.AND}{result}" if result else f"{declaration}: {_lower_first_letter(results)}"
    )


def _lower_first_letter(text: str) -> str:
    """Return a sentence as it is written after a colon: in lower case, unless it begins with a name or a word of the
    game.
    """
    word = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if word in sentences.SMALL else text


def _drop_actor(declaration_text: str, result_text: str) -> str:
    """Return the result without the actor's name, or an empty text if the result is not about the actor alone."""
    actor_match = OPENED.match(declaration_text)
    if (
        actor_match is None
        or sentences.AND in declaration_text
        or result_text.startswith(declaration_text)
        or not result_text.startswith(f"{actor_match[0]} ")
    ):
        return ""
    and_words = f" {sentences.AND.strip(', ')} "
    remainders = [text[actor_match.end() :] for text in (declaration_text, result_text)]
    return "" if any(text.startswith((and_words, ",")) for text in remainders) else remainders[1].lstrip()


def end_sentence(text: str) -> str:
    """Return a sentence with its full stop."""
    return text if text.endswith((*ENDS, "”", ":")) else f"{text}."


def strip_end(text: str) -> str:
    """Return a sentence without its full stop, to be part of another."""
    return text.rstrip().removesuffix(".")


def _name_kind(declaration: Json) -> str:
    return f"{words(str(declaration.get('kind'))).capitalize()}."


def word_plain_question(question: Json) -> str:
    """Return a question in the kernel's own words."""
    question_kind = str(question.get("ask"))
    frame = sentences.QUESTIONS["open roll" if question.get("opens") else question_kind]
    return _fill_context(frame, _name_fields(question), KERNEL)


def _name_fields(question: Json) -> dict[str, object]:
    """Return the fields of a question for its sentence: the name of the roller, and the possible answers."""
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
def list_needed_names(phrase: str) -> tuple[str, ...]:
    """Return the names that the sentence needs: those outside square brackets."""
    outside_text, depth = "", 0
    for character in phrase:
        depth += (character == "[") - (character == "]")
        outside_text += character if depth == 0 and character != "]" else ""
    return list_fields(outside_text)


#: Fields whose values are already sentences, or people's own words.
SAID = frozenset({"reason", "said", "now", "then", "balance", "holding"})


def fill_frame(frame: str, values: Json) -> str:
    """Return a sentence of the kernel with these values. The values of `seat` and `character` are ids; those in `SAID`
    are already sentences.
    """
    return _fill_context(frame, values, KERNEL, SAID)


def word_decision(number: int, by: str, decision: str, reason: str, cause: int | None) -> str:
    """Return a decision about a ruling in a sentence, with the deciding seat and the reason."""
    if cause is not None and decision in ("rewound", "reinstated"):
        number = cause
    return fill_frame(sentences.DECISIONS[decision], {"number": number, "seat": by, "reason": reason, "cause": cause})


def word_wait(outcome: str, declaration_text: str, question_text: str, by: str, reason: str) -> tuple[str, str]:
    """Return two sentences about an event of a waiting declaration: the full one, and one for viewers who may not know
    the declaration.
    """
    hidden_text = sentences.HIDDEN_WAITS[outcome]
    if outcome in ("waiting", "lapsed", "declined"):
        return f"{declaration_text} {question_text if outcome == 'waiting' else reason}", hidden_text
    values = {"seat": by, "reason": strip_end(reason)}
    parts = [fill_frame(part, values) for part in sentences.WAITS[outcome].split("{said}")]
    return _lower_first_letter(strip_end(declaration_text)).join(parts), hidden_text
