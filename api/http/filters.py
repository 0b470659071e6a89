"""Check the filters of a list, so that an unknown value is a mistake and not an empty list.

Only values that everybody at the table may know are checked, so that a check reveals nothing hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from api.http.forms import Forms
from api.http.mistakes import describe_mistake
from api.http.problems import make_bad_request
from ledger.application import json_form, parser
from ledger.rules.kernel import rulebook
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.dials import Dials, check_dial, list_dial_fields
from ledger.rules.kernel.facts import FACTS
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, SubjectKind, parse_subject
from projections.documents.systems import list_option_values
from projections.redaction import LiveLens

Check: TypeAlias = Callable[[LiveLens], None]
#: The allowed values, each with the other names that people use for it.
OptionNames: TypeAlias = Mapping[str, tuple[str, ...]]
MOST_SAID = 10  # the most values that a sentence lists


def make_filter_check(  # noqa: PLR0913  (one parameter for each filter)
    *,
    character: str | None = None,
    seat: str | None = None,
    scene: str | None = None,
    session: str | None = None,
    subject: str | None = None,
    kind: str | None = None,
    fact: str | None = None,
    rule: str | None = None,
    ruling: int | None = None,
    target: str | None = None,
    unit: str | None = None,
) -> Check:
    """Return a check that raises BadRequest with every filter whose value is unknown.

    `kind`: the kind of a declaration. `fact`: the kind of a fact; in the query, this parameter is also called `kind`.
    """
    value_by_name: dict[str, str | int | None] = {
        "subject": subject,
        "character": character,
        "seat": seat,
        "scene": scene,
        "session": session,
        "kind": kind,
        "fact": fact,
        "rule": rule,
        "ruling": ruling,
        "target": target,
        "unit": unit,
    }
    given_value_by_name = {name: value for name, value in value_by_name.items() if value is not None}

    def check_campaign(lens: LiveLens) -> None:
        mistakes = [_find_mistake(lens, name, value) for name, value in given_value_by_name.items()]
        if described_mistakes := [describe_mistake(mistake) for mistake in mistakes if mistake is not None]:
            raise make_bad_request(described_mistakes)

    return check_campaign


def parse_dials(forms: Forms, pairs: Iterable[str]) -> dict[str, object]:
    """Return the options in a query (`name:value`) with their values. Raise BadRequest with every unknown name
    (`unknown-dial`) and value (`dial-value`).
    """
    dials: dict[str, object] = {}
    refusals: list[tuple[str, parser.Mistake]] = []
    for index, pair in enumerate(pairs):
        name, value = forms.parse_dial(*pair.split(":", 1))
        dials[name] = value
        try:
            check_dial(forms.ruleset, name, value)
        except Refused as refusal:
            refusals.append((refusal.code, _make_dial_mistake(forms.ruleset, f"dial/{index}", name, value, refusal)))
    if refusals:
        codes, mistakes = zip(*refusals, strict=True)
        error = make_bad_request([describe_mistake(mistake) for mistake in mistakes])
        error.code = codes[0]
        raise error
    return dials


def _make_dial_mistake(
    ruleset: AnyRuleset, query_path: str, name: str, value: object, refusal: Refused
) -> parser.Mistake:
    dials_class = next((cls for cls in (ruleset.dials, Dials) if name in list_dial_fields(cls)), None)
    if dials_class is None:
        return make_unknown_value_mistake(
            query_path, name, {dial: () for cls in (ruleset.dials, Dials) for dial in list_dial_fields(cls)}
        )
    values = list_option_values(dials_class, list_dial_fields(dials_class)[name].name)
    if values is not None:
        return parser.make_not_among_mistake(f"/query/{query_path}", value, values)
    message = f"The option {name}: {refusal.context.get('problem', 'this is not one of its values')}."
    return parser.Mistake(f"/query/{query_path}", message, refusal.code, parser.shorten_sent_value(value))


def make_unknown_value_mistake(name: str, value: str, options: OptionNames, listing_path: str = "") -> parser.Mistake:
    """Return the mistake for a value that is not among the options.

    `name`: the parameter's name, with the index of the item if it is a list (`dial/0`). `listing_path`: the path that
    lists the options.
    """
    pointer, shown_value = f"/query/{name}", parser.shorten_sent_value(value)
    if not options:
        kind = "character" if name == "target" else name
        return parser.Mistake(
            pointer, f"{shown_value!r} is unknown: the campaign has no {kind} yet.", "literal_error", shown_value
        )
    nearest = _find_meant_option(value, options)
    listing = f"the allowed values: {', '.join(_write_option(option, options[option]) for option in options)}"
    if len(options) > MOST_SAID:
        listing = f"the {len(options)} possible values" + (f" (GET {listing_path} lists them)" if listing_path else "")
    suggestion = f" Did you mean {nearest!r}?" if nearest else ""
    message = f"{shown_value!r} is not one of {listing}.{suggestion}"
    return parser.Mistake(pointer, message, "literal_error", shown_value, tuple(options)[: parser.MOST_TOLD], nearest)


def _write_option(word: str, names: tuple[str, ...]) -> str:
    """Return the option for a sentence: its id, with its name if the id doesn't show it."""
    return f"{word!r} ({names[0]})" if names and names[0] not in word else repr(word)


def _find_meant_option(value: str, options: OptionNames) -> str | None:
    """Return the option that was probably meant: the one with this name, else the one with the most similar id or
    name.
    """
    word_by_name: dict[str, str] = {
        parser.fold_word(name): word for word, names in reversed([*options.items()]) for name in names
    }
    exact_word = word_by_name.get(parser.fold_word(value))
    if exact_word is not None:
        return exact_word
    nearest_word = parser.find_nearest_word(value, list(options))
    nearest_name = parser.find_nearest_word(value, list(word_by_name))
    return nearest_word or (word_by_name[nearest_name] if nearest_name is not None else None)


def _find_mistake(lens: LiveLens, name: str, value: str | int) -> parser.Mistake | None:
    if isinstance(value, int):
        return _make_ruling_mistake(lens, value)
    if name == "subject":
        return (
            None
            if _has_existed_as_subject(lens, value)
            else make_unknown_value_mistake(name, value, _index_subjects(lens))
        )
    if name in ("character", "seat", "scene", "target"):
        kind = "character" if name == "target" else name
        return (
            None
            if _has_existed_as_subject(lens, f"{kind}:{value}")
            else make_unknown_value_mistake(name, value, index_subjects_of_kind(lens, kind))
        )
    if name == "session":
        return (
            None
            if _has_existed_as_session(lens, value)
            else make_unknown_value_mistake(name, value, dict(_list_sessions(lens)))
        )
    option_names = _WORDS[name](lens)
    listing_path = f"/systems/{lens.book.ruleset.name}{'/rules' if name == 'rule' else ''}"
    return (
        None
        if value in option_names
        else make_unknown_value_mistake("kind" if name == "fact" else name, value, option_names, listing_path)
    )


# --- values of the campaign ---


def _has_existed_as_subject(lens: LiveLens, text: str) -> bool:
    """Return whether the subject exists or ever existed. Overturned rulings still mention their subjects."""
    try:
        subject = parse_subject(text)
    except Refused:
        return False
    return subject == CAMPAIGN or subject in lens.book.campaign.subjects


def index_subjects_of_kind(lens: LiveLens, kind: str) -> OptionNames:
    """Return the existing subjects of a kind, by id."""
    subjects = (subject for subject in lens.book.campaign.subjects if subject.kind == kind)
    return {subject.id: (lens.name(subject),) for subject in subjects if _has_entry(lens, subject)}


def _has_entry(lens: LiveLens, subject: Subject) -> bool:
    state = lens.book.find(subject)
    return state is not None and state.entry is not None


def _index_subjects(lens: LiveLens) -> OptionNames:
    kinds: tuple[SubjectKind, ...] = ("character", "scene", "seat")
    names_by_subject: dict[str, tuple[str, ...]] = {"campaign": ()}
    for kind in kinds:
        for id, (name, *_) in index_subjects_of_kind(lens, kind).items():
            names_by_subject[f"{kind}:{id}"] = (name, f"{kind}:{name}")
    return names_by_subject


def _list_sessions(lens: LiveLens) -> Iterable[tuple[str, tuple[str, ...]]]:
    return ((id, (title,) if title else ()) for id, title in lens.book.entry.sessions)


def _has_existed_as_session(lens: LiveLens, text: str) -> bool:
    """Return whether the session exists or ever existed. Its rulings keep its id after its opening was overturned."""
    if any(id == text for id, _ in lens.book.entry.sessions):
        return True
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    return any(ruling.ruled.declared["kind"] == "open-session" for ruling in lens.book.load_rulings([number]))


def _make_ruling_mistake(lens: LiveLens, number: int) -> parser.Mistake | None:
    last_number = lens.book.campaign.rulings
    if number <= last_number:
        return None
    message = (
        f"There is no ruling {number}. The last ruling is {last_number}."
        if last_number
        else "There are no rulings yet."
    )
    return parser.Mistake("/query/ruling", message, "less_than_equal", number)


# --- values of the game ---


def _index_kinds(lens: LiveLens) -> OptionNames:
    return dict.fromkeys(json_form.index_declaration_classes(lens.book.ruleset), ())


def _index_facts(lens: LiveLens) -> OptionNames:
    names = (lens.book.codec.find_name(cls)[0] for cls in (*lens.book.ruleset.facts, *FACTS))
    return {name: (name.partition(".")[2],) for name in names}


def _index_rules(lens: LiveLens) -> OptionNames:
    return {rule: (rule.rpartition(".")[2],) for rule in (*lens.book.ruleset.rules, *rulebook.RULES)}


def _index_units(lens: LiveLens) -> OptionNames:
    return {account.unit: () for account in lens.book.ruleset.accounts}


_WORDS: Mapping[str, Callable[[LiveLens], OptionNames]] = {
    "kind": _index_kinds,
    "fact": _index_facts,
    "rule": _index_rules,
    "unit": _index_units,
}
