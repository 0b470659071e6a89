"""Set a value in a state by hand, and find who may see the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.contract import About, AnyRuleset, Step, Table, step
from ledger.rules.kernel.facts import Amended
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.refusals import Refused, must_say
from ledger.rules.kernel.subjects import EVERYBODY, GM_ONLY, Audience, Subject, Viewer, parse_subject


def amend(ruleset: AnyRuleset, table: Table[object], do: Amend) -> tuple[tuple[About[object], ...], tuple[Step, ...]]:
    subject = parse_subject(do.subject)
    state = table.get(subject, type(ruleset.blank(subject.kind)))
    must_say("ledger.amend", reason=do.reason)
    state_after = _set_value(ruleset, table, do, state)
    if do.seen_by is None:
        audience = _find_audience(ruleset, table, do, state, state_after)
    else:
        audience = do.seen_by
        _check_hidden_from_others(ruleset, table, do, state, state_after)
    amendment: About[object] = About(subject, Amended(do.field, do.value, do.reason), audience=audience)
    return (amendment,), (step("ledger.amend", do.value, audience, field=do.field),)


def _set_value(ruleset: AnyRuleset, table: Table[object], do: Amend, state: object) -> object:
    """Return the state with the value set. Raise Refused `amend-value` if the value does not fit or is hidden from the
    declaring seat.

    If the value is hidden, every new value gets the same refusal, so that the refusal reveals nothing. Game masters can
    set a hidden field as a whole. They cannot set a part of it, or a hidden audience.
    """
    subject, path = parse_subject(do.subject), json_types.split_pointer(do.field)
    must_see_value = bool(ruleset.secrets) and (len(path) > 1 or ruleset.refers.get(path[-1]) == "audience")
    is_master = table.by.role == "gm"
    unrevealing_text = "The field has a different type, already has that value, doesn't exist, or is hidden from you."
    try:
        state_after = json_types.replace_at(state, do.field, do.value)
    except json_types.Misshapen as problem:
        if is_master:
            problem_text = unrevealing_text if must_see_value else str(problem)
            raise Refused("ledger.amend", "amend-value", field=do.field, problem=problem_text) from None
        state_after = state
    is_hidden = (
        must_see_value and _is_hidden_from_master(ruleset, table, do, state, state_after)
        if is_master
        else not _select_shown_differences(ruleset, subject, replace(table.by, chairs=frozenset()), state, state_after)
    )
    if is_hidden:
        raise Refused("ledger.amend", "amend-value", field=do.field, problem=unrevealing_text)
    return state_after


def _is_hidden_from_master(
    ruleset: AnyRuleset, table: Table[object], do: Amend, state: Any, state_after: object
) -> bool:
    """Return whether another seat sees more of the difference than the game master.

    If the value stays the same, or is an audience, the whole field counts as the difference.
    """
    subject, path = parse_subject(do.subject), json_types.split_pointer(do.field)
    if ruleset.refers.get(path[-1]) == "audience" or state_after == state:
        blank = ruleset.blank(subject.kind)
        state_after = blank if len(path) == 1 else changed(state, **{path[0]: getattr(blank, path[0])})
    seat_viewers = (_find_seated_viewer(table, seat) for seat in table.subjects("seat") if table.is_open(seat))
    chair_viewers = (Viewer("", "player", chairs=frozenset({chair})) for chair in ruleset.chairs)
    shown_to_master = _select_shown_differences(ruleset, subject, table.by, state, state_after)
    return any(
        _select_shown_differences(ruleset, subject, viewer, state, state_after) - shown_to_master
        for viewer in (*chair_viewers, *seat_viewers)
    )


def _select_shown_differences(
    ruleset: AnyRuleset, subject: Subject, viewer: Viewer, state_before: object, state_after: object
) -> set[Leaf]:
    """Return the differences between two states that the viewer sees."""
    view_before, view_after = (ruleset.view(subject, state, viewer) for state in (state_before, state_after))
    return set(_list_differences(view_before, view_after))


#: A visible value: `was` (shown before) or `now` (shown after), its path, and its text.
Leaf: TypeAlias = tuple[str, str, str]


def _list_differences(old: object, new: object, path: str = "") -> Iterator[Leaf]:
    """Yield the values that only one of the two documents has."""
    if repr(old) == repr(new):
        return
    old_parts, new_parts = _index_parts(old), _index_parts(new)
    if old_parts and new_parts:
        for name in {**old_parts, **new_parts}:
            yield from _list_differences(old_parts.get(name, _NOTHING), new_parts.get(name, _NOTHING), f"{path}/{name}")
    else:
        leaves_before, leaves_after = {*_list_leaves(old, path)}, {*_list_leaves(new, path)}
        yield from (("was", *leaf) for leaf in leaves_before - leaves_after)
        yield from (("now", *leaf) for leaf in leaves_after - leaves_before)


_NOTHING = object()  # stands for a missing part


def _index_parts(node: object) -> dict[object, object]:
    if isinstance(node, Mapping):
        return dict(node)
    return dict(enumerate(node)) if isinstance(node, list | tuple) else {}


def _list_leaves(node: object, path: str) -> Iterator[tuple[str, str]]:
    parts = _index_parts(node)
    for name, value in parts.items():
        yield from _list_leaves(value, f"{path}/{name}")
    if not parts and node is not _NOTHING:
        yield path, repr(node)


def _find_audience(
    ruleset: AnyRuleset, table: Table[object], do: Amend, state_before: object, state_after: object
) -> Audience:
    """Return who may see the fact: everybody, the game masters and the character's player, or only the game masters.

    The fact contains the whole value, so a viewer must be shown both the difference and the value.
    """
    if not ruleset.secrets:
        return EVERYBODY
    subject = parse_subject(do.subject)
    emptied_state = _empty_value(state_after, do, ruleset.blank(subject.kind))

    def find_shown_differences(viewer: Viewer) -> set[Leaf]:
        differences = _select_shown_differences(ruleset, subject, viewer, state_before, state_after)
        return (
            differences
            if emptied_state is state_after
            else differences | _select_shown_differences(ruleset, subject, viewer, emptied_state, state_after)
        )

    shown_to_stranger = find_shown_differences(Viewer("", "player"))
    shown_to_player: set[Leaf] = set()
    if subject.kind == "character":
        shown_to_player = find_shown_differences(Viewer(table.owner(subject), "player", frozenset({subject.id})))
    shown_to_anybody = shown_to_stranger | shown_to_player | find_shown_differences(Viewer("", "gm"))
    if shown_to_anybody and shown_to_stranger == shown_to_anybody:
        return EVERYBODY
    return ("gm", str(subject)) if shown_to_player and shown_to_player == shown_to_anybody else GM_ONLY


def _empty_value(state: Any, do: Amend, blank: object) -> object:
    """Return the state with the value emptied, if it is a list or a mapping."""
    if not isinstance(do.value, list | tuple | Mapping):
        return state
    try:
        return json_types.replace_at(state, do.field, {} if isinstance(do.value, Mapping) else [])
    except json_types.Misshapen:
        field_name = json_types.split_pointer(do.field)[0]
        return changed(state, **{field_name: getattr(blank, field_name)})


def _check_hidden_from_others(
    ruleset: AnyRuleset, table: Table[object], do: Amend, state_before: object, state_after: object
) -> None:
    """Raise Refused `shown-to-others` if the game shows the difference to somebody who is not in `seen_by`."""
    assert do.seen_by is not None
    subject = parse_subject(do.subject)
    seat_viewers = {seat.id: _find_seated_viewer(table, seat) for seat in table.subjects("seat") if table.is_open(seat)}
    chair_viewers = {f"chair:{name}": Viewer("", "player", chairs=frozenset({name})) for name in ruleset.chairs}
    group_viewers = {"everybody": Viewer("", "observer"), "players": Viewer("", "player")}
    for viewer_name, viewer in {**group_viewers, **chair_viewers, **seat_viewers}.items():
        if (
            viewer.seat != table.by.seat
            and not viewer.may_see(do.seen_by)
            and _select_shown_differences(ruleset, subject, viewer, state_before, state_after)
        ):
            raise Refused("ledger.amend", "shown-to-others", field=do.field, shown_to=viewer_name)


def _find_seated_viewer(table: Table[object], seat: Subject) -> Viewer:
    character_ids = (subject.id for subject in table.subjects("character") if table.owner(subject) == seat.id)
    return Viewer(seat.id, table.role(seat), frozenset(character_ids))
