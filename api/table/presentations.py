"""Render a game's sheets, board and prompts in a sandbox, with the templates in the game's folder `table`.

A template gets the documents that the seat may see, and functions that name and link their values. If there is no
template, or if it fails, the page shows the document field by field.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import FunctionLoader, StrictUndefined, TemplateNotFound
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from api.table import rolls
from api.table.choosing import Tiles, Written, render_parts
from api.table.client import Json
from api.table.groups import has_fields, is_already_declared
from api.table.words import Words, list_further_results, to_plain_words, write_mixed
from ledger.rules import systems

log = logging.getLogger(__name__)
NOTHING = Markup()
OWN_DICE = Markup('<button class="own" name="dice" value="table">I roll my own dice</button>')
OWN_DICE_CHOICE = Markup(
    '<label class="tile"><input type="checkbox" name="dice" value="table"><span>I roll my own dice</span></label>'
)
SHEET, STRIP, BOARD, PROMPT, QUESTION = "sheet", "strip", "board", "prompt", "question"


@cache
def load_source(name: str) -> str | None:
    """Return the text of the file `<game>/<file>` in the game's folder `table`, or None if there is no such file."""
    game, _, view = name.partition("/")
    try:
        return files(f"ledger.rules.{game}").joinpath("table", view).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError, NotADirectoryError):
        return None


def read_one_sentence(game: str) -> str:
    """Return the sentence that describes the game in the list of games, or "" if there is none."""
    return (load_source(f"{game}/about.txt") or "").strip()


def make_picture_address(game: str) -> str | None:
    """Return the game's picture as a data URL, so that no file of a game is served. Return None if there is no
    picture.
    """
    drawing = load_source(f"{game}/picture.svg")
    return f"data:image/svg+xml,{quote(drawing.strip())}" if drawing is not None else None


@cache
def index_headings(game: str) -> Mapping[str, str]:
    """Return the heading of each kind of declaration, in the order of the game's file `actions.txt`.

    A line of the file has a heading and its kinds: `Rest: rest hold-healing-moment`. A `!` after a kind means that the
    kind always needs its form (`list_kinds_needing_form`). The kinds on a line without a heading are not listed on the
    page, because other kinds do the same. If there is no such file, the mapping is empty.
    """
    return {kind.rstrip("!"): heading for heading, kind in _list_headed_kinds(game)}


@cache
def list_kinds_needing_form(game: str) -> frozenset[str]:
    """Return the kinds that one tap cannot declare, because a mistake would cost too much."""
    return frozenset(kind.rstrip("!") for _, kind in _list_headed_kinds(game) if kind.endswith("!"))


def _list_headed_kinds(game: str) -> list[tuple[str, str]]:
    lines = (line.partition(":") for line in (load_source(f"{game}/actions.txt") or "").splitlines())
    return [(heading.strip(), kind) for heading, _, kinds in lines for kind in kinds.split()]


@cache
def _list_quiet_kinds(game: str) -> frozenset[str]:
    """Return the kinds of facts that are not worth showing each time, from the game's file `quiet.txt`."""
    return frozenset((load_source(f"{game}/quiet.txt") or "").split())


def list_card_results(ruling: Json) -> list[str]:
    """Return the texts that a ruling's card shows below the ruling's sentence. Quiet facts are left out."""
    kind_parts_and_facts = [(fact["kind"].partition("."), fact) for fact in ruling["facts"]]
    shown_facts = [fact for (game, _, kind), fact in kind_parts_and_facts if kind not in _list_quiet_kinds(game)]
    return list_further_results({**ruling, "facts": shown_facts})


environment = ImmutableSandboxedEnvironment(
    loader=FunctionLoader(load_source),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def find_balance(character: Json, account: str) -> int:
    """Return the balance of this account of the character, or 0 if there is no such account."""
    account_path = f"character:{character['id']}/{account}"
    return next((balance["balance"] for balance in character["balances"] if balance["account"] == account_path), 0)


def say_many(number: int, singular: str, plural: str = "") -> str:
    """Return the number with its noun: `1 die`, `2 dice`."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def draw_pips(filled_count: int, most: int, title: str, box: bool = False) -> Markup:
    """Return a track of `most` marks. The first `filled_count` marks are filled. `box`: draw the marks as squares."""
    marks = Markup().join(
        Markup('<i class="{}{}"></i>').format("box" if box else "", " on" if place < filled_count else "")
        for place in range(max(filled_count, most))
    )
    return Markup('<span class="pips" role="img" aria-label="{}: {} of {}">{}</span>').format(
        title, filled_count, most, marks
    )


environment.globals.update(balance=find_balance, many=say_many, pips=draw_pips)
environment.filters.update(die=rolls.draw_die, shape=rolls.draw_shape, plain=to_plain_words, mixed=write_mixed)


@dataclass(frozen=True, slots=True)
class Presenter:
    """Renders a game's templates for a table.

    `at`: the seat's path. `moves`: the moves that the seat can declare. `me`: the seat. `stamp`: makes the hidden
    fields of a form for a purpose. `query`: the place in the past, for the links that explain values.
    """

    system: str
    at: str
    state: Json
    words: Words
    moves: tuple[Json, ...]
    me: str = ""
    stamp: Callable[[str], Mapping[str, str]] = lambda purpose: {}
    query: str = ""

    def sheet(self, character: Json) -> Markup | None:
        """Return a character's sheet as the game lays it out, or None if the game has no template for it."""
        return self._render_character(SHEET, character)

    def strip(self, character: Json) -> Markup | None:
        """Return a character in one line, or None if the game has no template for it."""
        return self._render_character(STRIP, character)

    def board(self, scene: Json) -> Markup | None:
        """Return a scene as the game lays it out, or None if the game has no template for it."""
        return self._render_view(BOARD, f"scene/{scene['id']}", **self._describe_surroundings(scene))

    def prompt(self, scene: Json) -> Markup | None:
        """Return the game's prompt for this seat, with the buttons that answer it, or None if there is none."""
        return self._render_view(PROMPT, f"scene/{scene['id']}", **self._describe_surroundings(scene))

    def question(self, waiting: Json) -> Markup | None:
        """Return the details of a waiting question, with buttons that answer it, or None if the game has no template
        for it.
        """
        scene = next((scene for scene in self.state["scenes"] if scene["id"] == waiting["scene"]), None)

        def answer(label: str, **choice: object) -> Markup:
            """Return a button that gives this answer, or "" if it is not a possible answer."""
            shapes = _list_shapes((waiting["answer_schema"] or {}).get("properties", {}).get("choice", {}))
            if not any(_is_fitting(shape, choice) for shape in shapes):
                return Markup()
            action = f"{self.at}/waiting/{waiting['id']}/tap{waiting['query']}"
            return self._make_button(action, "answer", self.stamp("answer"), {"choice": choice}, label)

        where = f"campaign/{waiting['id']}"
        documents = {"waiting": waiting, "scene": scene, "characters": self._characters}
        return self._render_view(QUESTION, where, **documents, answer=answer)

    def _render_character(self, view: str, character: Json) -> Markup | None:
        scene = self._find_scene_of(character["id"])
        where = f"character/{character['id']}"
        return self._render_view(view, where, who=character, scene=scene, characters=self._characters)

    def _describe_surroundings(self, scene: Json) -> Json:
        """Return the data for a scene's templates: the scene, all characters, and the scene's waiting declarations."""
        waiting_declarations = [
            declaration for declaration in self.state.get("waiting") or () if declaration["scene"] == scene["id"]
        ]
        return {"scene": scene, "characters": self._characters, "waiting": waiting_declarations}

    @property
    def _characters(self) -> Json:
        return {character["id"]: character for character in self.state.get("characters", ())}

    def _render_view(self, view: str, where: str, **documents: object) -> Markup | None:
        functions: dict[str, object] = {
            "name": self._name_character,
            "said": self.words.name_value,
            "account": self.words.name_account,
        }
        functions |= {
            "act": self._find_form_address,
            "tap": self._make_tap,
            "taps": self._make_taps,
            "choose": self._make_choosing_form,
            "tiles": Tiles,
            "written": Written,
            "roll": self._make_roll_tap,
            "plays": self._is_own_character,
            "rule": self._state_rule,
        }
        campaign = self.state.get("campaign", {})
        try:
            template = environment.get_template(f"{self.system}/{view}.html.jinja")
            html = template.render(
                **documents,
                **functions,
                at=self.at,
                attention=f"{self.at}/findings" if self.state.get("findings") and not self.query else "",
                campaign=campaign,
                dials=campaign.get("dials", {}),
                why=lambda pointer: f"{self.at}/why/{where}/{quote(pointer)}{self.query}",
            )
        except TemplateNotFound:
            return None
        except Exception:  # a game's template can raise any error
            log.exception("the %s of %s cannot be shown", view, self.system)
            return None
        return Markup(html) if html.strip() else None

    def _find_scene_of(self, character_id: str) -> Json | None:
        return next((scene for scene in self.state["scenes"] if character_id in scene["cast"]), None)

    def _name_character(self, id: str) -> str:
        return self.words.name_value(id, "character")

    def _state_rule(self, id: str) -> str:
        """Return the statement of one of the game's rules."""
        return systems()[self.system].rules[id].statement

    def _is_own_character(self, id: str) -> bool:
        """Return whether this seat plays the character."""
        return any(character["id"] == id and character["seat"] == self.me for character in self.state["characters"])

    def _make_tap(self, kind: str, label: str, **fields: object) -> Markup:
        """Return a button that declares the move immediately, or "" if the move is not offered."""
        return self._make_tap_form(kind, label, fields)

    def _make_taps(
        self,
        kind: str,
        ways: Mapping[str, Mapping[str, object]],
        *,
        dice: bool = False,
        heads: Mapping[str, str] = MappingProxyType({}),
        **fields: object,
    ) -> Markup:
        """Return a button for each of the `ways` that is offered now, or "" if none is offered.

        `ways`: the fields that each button adds to the declaration, by the button's label. `dice`: whether players may
        roll their own dice. `heads`: a heading for each label. The same heading is shown only once.
        """
        moves = self._list_moves(kind, {})
        buttons_by_move: dict[str, tuple[Json, list[Markup]]] = {}
        heads_shown: set[tuple[str, str]] = set()
        for label, more_fields in ways.items():
            declared_fields = {**fields, **more_fields}
            if (move := self._find_tapped_move(moves, declared_fields)) is not None:
                button = _draw_answer(_make_declaration(move, declared_fields), label)
                place = move["move"], heads.get(label, "")
                if place[1] and place not in heads_shown:
                    button = Markup('<b class="head">{}</b>{}').format(place[1], button)
                    heads_shown.add(place)
                buttons_by_move.setdefault(move["move"], (move, []))[1].append(button)
        own_dice = self._offer_own_dice() if dice else NOTHING
        form_template = Markup('<form method="post" action="{}">{}{}<span class="row">{}</span></form>')
        rendered_forms = Markup()
        for move, buttons in buttons_by_move.values():
            inputs = _make_hidden_inputs(self._make_hidden_values(move))
            rendered_forms += form_template.format(
                self._make_tap_address(kind), inputs, own_dice, Markup().join(buttons)
            )
        return rendered_forms

    def _make_choosing_form(
        self, kind: str, buttons: Mapping[str, Mapping[str, object]], *, dice: bool = False, **fields: object
    ) -> Markup:
        """Return a form that declares the move, with tiles and text fields for its open parts. Return "" if the move is
        not offered.

        `buttons`: the fields that each button adds to the declaration, by the button's label. `dice`: whether players
        may roll their own dice. `fields`: values of the declaration, with `tiles` or `written` for each open part.
        """
        move = self._find_move(kind, {name: value for name, value in fields.items() if not isinstance(value, Tiles)})
        if move is None:
            return NOTHING
        for name, value in fields.items():
            if isinstance(value, Tiles):
                options = {
                    label: option for label, option in value.options.items() if _is_allowed(move, [(name, option)])
                }
                fields[name] = replace(value, options=options)
        open_fields, inputs = render_parts(fields)
        assert isinstance(open_fields, dict)
        offered_buttons = [
            _draw_answer(_make_declaration(move, {**open_fields, **more_fields}), label)
            for label, more_fields in buttons.items()
            if _is_allowed(move, more_fields.items())
        ]
        if not offered_buttons or not all(value.options for value in fields.values() if isinstance(value, Tiles)):
            return NOTHING
        form_template = Markup(
            '<form class="choosing" method="post" action="{}">{}{}{}<span class="buttons">{}</span></form>'
        )
        hidden_inputs = _make_hidden_inputs(self._make_hidden_values(move))
        own_dice = self._offer_own_dice() if dice else NOTHING
        return form_template.format(
            self._make_tap_address(kind), hidden_inputs, inputs, own_dice, Markup().join(offered_buttons)
        )

    def _make_roll_tap(self, kind: str, label: str, typed: Json | None = None, **fields: object) -> Markup:
        """Return a button that declares a roll, and a way to enter the player's own dice. Return "" if the same roll is
        already waiting.

        `typed`: the fields for the faces of these dice, with `{"die": sides, "name": name}` in place of each face.
        Without `typed`, the ledger asks for one die after another.
        """
        if any(has_fields(waiting, {"kind": kind, **fields}) for waiting in self.state.get("waiting", ())):
            return NOTHING
        own_dice_button = NOTHING
        if typed and self._dice_option != "ledger_only":
            own_dice_button = _make_keypad(typed)
        elif not typed and self._dice_option == "ledger":  # otherwise all players roll their own dice, or none may
            own_dice_button = OWN_DICE
        return self._make_tap_form(kind, label, fields, own_dice_button)

    @property
    def _dice_option(self) -> str:
        """Return the value of the option `dice`: who rolls the dice."""
        return str(self.state["campaign"]["dials"].get("dice", "ledger"))

    def _offer_own_dice(self) -> Markup:
        """Return a tick box for rolling your own dice, or "" if the table's option leaves no choice."""
        return OWN_DICE_CHOICE if self._dice_option == "ledger" else NOTHING

    def _make_tap_form(
        self, kind: str, label: str, fields: Mapping[str, object], extra_button: Markup = NOTHING
    ) -> Markup:
        move = self._find_tapped_move(self._list_moves(kind, fields), fields)
        if move is None:
            return Markup()
        return self._make_button(
            self._make_tap_address(kind),
            "declare",
            self._make_hidden_values(move),
            _make_declaration(move, fields),
            label,
            extra_button,
        )

    def _list_moves(self, kind: str, fields: Mapping[str, object]) -> list[Json]:
        """Return the moves of this kind that allow these fields."""
        return [move for move in self.moves if move["kind"] == kind and _is_allowed(move, fields.items())]

    def _find_move(self, kind: str, fields: Mapping[str, object]) -> Json | None:
        """Return the first move of this kind that allows these fields."""
        return next(iter(self._list_moves(kind, fields)), None)

    def _find_tapped_move(self, moves: Iterable[Json], fields: Mapping[str, object]) -> Json | None:
        """Return the move that one tap with these fields declares, or None if there is none or it is already
        waiting.
        """
        fitting_moves = (
            move for move in moves if _is_allowed(move, fields.items()) and _has_needed_fields(move, fields)
        )
        if (move := next(fitting_moves, None)) is None:
            return None
        declaration, waiting = _make_declaration(move, fields), self.state.get("waiting", ())
        is_waiting = any(
            is_already_declared(waiting_declaration, declaration, self.me) for waiting_declaration in waiting
        )
        return None if is_waiting else move

    def _make_tap_address(self, kind: str) -> str:
        return f"{self.at}/tap/{quote(kind, safe='')}"

    def _make_hidden_values(self, move: Json) -> Mapping[str, str]:
        return {**self.stamp("tap"), "move": move["move"], "scene": move["scene"] or ""}

    def _make_button(
        self,
        action: str,
        name: str,
        hidden_values: Mapping[str, str],
        value: Json,
        label: str,
        extra_button: Markup = NOTHING,
    ) -> Markup:
        """Return a form with one button. `extra_button`: a second button that sends the same form."""
        if extra_button:
            hidden_values = {**hidden_values, name: json.dumps(value)}
        inputs = _make_hidden_inputs(hidden_values)
        name_attributes = (
            Markup(' name="{}" value="{}"').format(name, json.dumps(value)) if not extra_button else Markup()
        )
        form_template = Markup(
            '<form method="post" action="{}">{}<span><button class="answer"{}>{}</button>{}</span></form>'
        )
        return form_template.format(action, inputs, name_attributes, label, extra_button)

    def _find_form_address(self, kind: str, **fields: object) -> str | None:
        """Return the address of the move's form with these fields filled in, or None if the move is not offered."""
        if (move := self._find_move(kind, fields)) is None:
            return None
        values = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in fields.items()}
        return f"{self.at}/declare/{quote(kind, safe='')}?{urlencode({'move': move['move'], **values})}"


def _make_hidden_inputs(values: Mapping[str, str]) -> Markup:
    return Markup(
        "".join(
            f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in values.items()
        )
    )


def _draw_answer(declaration: Json, label: str) -> Markup:
    """Return a button that sends this declaration."""
    value = escape(json.dumps(declaration))
    return Markup(f'<button class="answer" name="declare" value="{value}">{escape(label)}</button>')


def _make_declaration(move: Json, fields: Mapping[str, object]) -> Json:
    """Return the declaration of a button. A field that is not in `fields` gets the move's value or its usual value."""
    properties: Json = move["schema"]["allOf"][-1].get("properties", {})
    usual_values = {name: schema["examples"][0] for name, schema in properties.items() if "examples" in schema}
    return {"kind": move["kind"], **usual_values, **move["settled"], **fields}


def _make_keypad(typed_fields: Json) -> Markup:
    """Return a foldable part of the page with a field for the face of each die."""
    field_template = Markup(
        '<label>{name} (D{die})<input class="fallen" name="face" type="number" inputmode="numeric" min="1"'
        ' max="{die}" autocomplete="off"></label>'
    )
    die_fields = Markup().join(field_template.format(**die) for die in list_dice(typed_fields))
    keypad_template = Markup(
        '<details class="own"><summary>I rolled these</summary><input type="hidden" name="typed" value="{}">'
        '<div class="row">{}</div><button name="dice" value="table">Enter</button></details>'
    )
    return keypad_template.format(json.dumps(typed_fields), die_fields)


def list_dice(fields: Any) -> list[Json]:
    """Return the dice in these fields, in order. See `_make_roll_tap` for the description of a die."""
    if isinstance(fields, dict) and "die" in fields and "name" in fields:
        return [fields]
    values = fields.values() if isinstance(fields, dict) else fields if isinstance(fields, list) else ()
    return [die for value in values for die in list_dice(value)]


def fill_in_dice(fields: Any, faces: Iterator[object]) -> Any:
    """Return the fields with each die replaced by the next face."""
    if isinstance(fields, dict):
        if "die" in fields and "name" in fields:
            return next(faces)
        return {name: fill_in_dice(value, faces) for name, value in fields.items()}
    return [fill_in_dice(value, faces) for value in fields] if isinstance(fields, list) else fields


def _list_shapes(schema: Json) -> list[Json]:
    """Return the schema of each possible choice in an answer."""
    return [shape["allOf"][-1].get("properties", {}) for shape in schema.get("anyOf", [schema]) if "allOf" in shape]


def _is_fitting(shape: Json, choice: Mapping[str, object]) -> bool:
    """Return whether a choice fits this schema."""
    for name, value in choice.items():
        if not _is_possible(shape.get(name, {}), value):
            return False
    return all(name in choice for name, field_schema in shape.items() if field_schema.get("const") is not None)


def _is_allowed(move: Json, fields: Iterable[tuple[str, object]]) -> bool:
    """Return whether the move allows these values of the fields."""
    properties = move["schema"]["allOf"][-1].get("properties", {})
    for name, value in fields:
        if name in move["settled"]:
            if move["settled"][name] != value:
                return False
        # a field without a schema can have any value
        elif not _is_possible(properties.get(name, {}), value):
            return False
    return True


def _has_needed_fields(move: Json, fields: Mapping[str, object]) -> bool:
    """Return whether these fields include everything that the move needs."""
    return _make_declaration(move, fields).keys() >= set(move["schema"]["allOf"][-1].get("required", ()))


def _is_possible(schema: Json, value: object) -> bool:
    return value in (schema["enum"] if "enum" in schema else [schema.get("const", value)])
