"""Upcasters are tried on the kept examples of every earlier edition when a game is loaded."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import ledger.rules
from ledger.application import json_form
from ledger.events.codec import load_codec
from ledger.events.envelope import Body
from ledger.rules import list_unfit_systems, load_kept_examples, systems
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.kept_examples import Examples, list_faults_of_examples, make_examples, write_examples
from ledger.rules.kernel.upcasting import Stored, Upcast
from tests.versions.toy_editions import TOY, UPCASTERS, second_edition

ROOT = Path(__file__).parents[2]
KEPT = {1: make_examples(TOY)}
EVERY = [*(ROOT / "ledger" / "rules" / name for name in sorted(systems()) if name != "toy"), ROOT / "tests/systems/toy"]


@pytest.mark.parametrize("folder", EVERY, ids=lambda folder: folder.name)
def test_every_game_keeps_examples_of_every_edition_and_reads_them(folder: Path) -> None:
    game = systems()[folder.name]
    kept = load_kept_examples(game)
    assert sorted(kept) == [*range(1, game.edition + 1)]
    assert list_faults_of_examples(game, kept) == []
    text = (folder / "editions" / f"{game.edition}.json").read_text()
    assert text == write_examples(game.edition, make_examples(game)), "what it stores changed: is it another edition?"


@pytest.mark.parametrize("folder", EVERY, ids=lambda folder: folder.name)
def test_the_examples_are_what_the_service_reads(folder: Path) -> None:
    """The codec and the forms of the API, and not only the check at load, take every one of them."""
    game, codec = systems()[folder.name], load_codec()
    for edition, examples in load_kept_examples(game).items():
        for found in examples["declarations"].values():
            for example in found:
                json_form.declaration_from_json(game, example, edition)
        for found in examples["choices"].values():
            for example in found:
                json_form.answer_from_json(game, {"choice": example}, edition)
        for kind, found in examples["facts"].items():
            for example in found:
                body: Body[Stored] = Body(position=1, by="s1", at="", salt="s", fact=example)
                codec.decode(f"{game.name}.{kind}", codec.encode(body))


def test_a_second_edition_with_its_upcasters_reads_the_first() -> None:
    assert list_faults_of_examples(second_edition(), KEPT) == []
    kinds = [find_fact_kind(cls) for cls in second_edition().facts]
    assert "hurt@2" in kinds and "hurt@1" not in kinds


@pytest.mark.parametrize(
    ("left_out", "expected"),
    [
        (
            "hit",
            "`Hit.witness` was not stored by edition 1 and has no default. Give it a default, or do this instead: Add"
            " to the ruleset's"
            ' `upcasters`: Upcast("hit", to=2, change=lambda stored: {**stored, "witness": ...})',
        ),
        ("stand", 'Upcast("stand", to=2, change=lambda stored: {**stored, "firmly": ...})'),
        ("hurt", 'Upcast("hurt", to=2, change=lambda stored: {**stored, "witness": ...})'),
        ("sheet", 'Upcast("sheet", to=2, change=lambda stored: {**stored, "luck": ...})'),
        ("dials", "Edition 1 had the dial `die` at 6: it no longer exists."),
    ],
)
def test_a_field_without_default_and_without_upcaster_says_what_to_write(left_out: str, expected: str) -> None:
    faults = list_faults_of_examples(second_edition(tuple(one for one in UPCASTERS if one.kind != left_out)), KEPT)
    assert len(faults) == 1 and expected in faults[0]


def test_a_change_without_a_new_edition_says_to_raise_it() -> None:
    first = replace(second_edition(()), edition=1)
    faults = list_faults_of_examples(first, KEPT)
    assert any("`Hit.witness`" in one and "Raise the edition to 2, and add to" in one for one in faults)


def test_a_fact_that_changed_under_its_old_version_says_to_raise_that() -> None:
    toy = sys.modules["ledger.rules.toy"]
    same = [cls for cls in second_edition().facts if cls.__name__ != "Hurt"]
    kept = {1: {"facts": {"missed@1": [{"by": "x", "loudly": True}]}}}
    (fault,) = list_faults_of_examples(replace(TOY, edition=2, facts=(*same, toy.Hurt)), kept)
    assert "`Missed` has no field `loudly`, which edition 1 stored." in fault
    assert '@fact("missed", version=2)' in fault and 'Upcast("missed", to=2' in fault


def test_a_kind_that_is_gone_and_an_upcaster_that_breaks_are_named() -> None:
    gone = replace(TOY, edition=2, inputs=TOY.inputs[1:])
    (fault,) = list_faults_of_examples(gone, KEPT)
    assert "declaration `hit`, which no longer exists" in fault
    assert list_faults_of_examples(replace(gone, upcasters=[Upcast("hit", 2, _sneaking)]), KEPT) == []
    (fault,) = list_faults_of_examples(replace(gone, upcasters=[Upcast("hit", 2, lambda stored: stored["none"])]), KEPT)
    assert fault == "The upcaster of `hit` fails on what edition 1 stored: KeyError('none')."


def _sneaking(stored: Stored) -> Stored:
    return {"kind": "sneak", "char": stored["char"], "dice": 1}


def test_upcasters_of_dials_must_leave_todays_dials_alone() -> None:
    louder = Upcast("dials", to=2, change=lambda dials: {**dials, "alert": dials["alert"] + 1})
    (fault,) = list_faults_of_examples(replace(TOY, edition=2, upcasters=[louder]), KEPT)
    assert "must not change these" in fault


def test_examples_of_every_earlier_edition_must_be_there() -> None:
    (fault,) = list_faults_of_examples(replace(TOY, edition=3), KEPT)
    assert "has no examples of edition 2" in fault and "scripts/keep_edition toy" in fault


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a copy of the toy is beside the other games, under another name."""
    game = tmp_path / "copied"
    shutil.copytree(ROOT / "tests/systems/toy", game, ignore=shutil.ignore_patterns("__pycache__"))
    text = (game / "__init__.py").read_text().replace('name="toy"', 'name="copied"')
    (game / "__init__.py").write_text(text)
    monkeypatch.setattr(ledger.rules, "__path__", [*ledger.rules.__path__, str(tmp_path)])
    systems.cache_clear()
    yield game
    sys.modules.pop("ledger.rules.copied", None)
    monkeypatch.undo()
    ledger.rules._unfit.pop("copied", None)
    systems.cache_clear()
    systems()


def test_a_game_that_cannot_read_what_it_stored_is_not_offered_and_the_others_are(
    folder: Path,
) -> None:
    """The issue's own case: a declaration gets a required field, and the edition is raised."""
    rules = folder / "__init__.py"
    text = rules.read_text().replace(
        "    char: CharacterId\n    target: CharacterId\n",
        "    char: CharacterId\n    target: CharacterId\n    witness: CharacterId\n",
    )
    rules.write_text(text.replace("edition=1", "edition=2"))
    assert {"toy", "mongrel", "moc"} < set(systems()) and "copied" not in systems()
    (fault,) = list_unfit_systems()["copied"]
    assert "`Hit.witness` was not stored by edition 1" in fault and 'Upcast("hit", to=2' in fault


def test_with_the_upcaster_it_is_offered(folder: Path) -> None:
    rules = folder / "__init__.py"
    text = rules.read_text().replace(
        "    char: CharacterId\n    target: CharacterId\n",
        "    char: CharacterId\n    target: CharacterId\n    witness: CharacterId\n",
    )
    upcaster = (
        'edition=2, upcasters=(Upcast("hit", to=2, change=lambda stored: {**stored, "witness": stored["char"]}),)'
    )
    imported = "from ledger.rules.kernel.upcasting import Upcast\n"
    rules.write_text(
        text.replace("edition=1", upcaster).replace(
            "from ledger.rules.kernel.seen", imported + "from ledger.rules.kernel.seen"
        )
    )
    game = systems()["copied"]
    hit = json_form.declaration_from_json(game, {"kind": "hit", "char": "1", "target": "2"}, 1)
    assert hit.witness == "1"


def test_mongrels_hit_with_a_witness_asks_for_its_upcaster() -> None:
    """`TakeHit` of the issue, whose example is kept with the game."""
    from dataclasses import make_dataclass

    mongrel = systems()["mongrel"]
    taken = next(cls for cls in mongrel.inputs if cls.__name__ == "TakeHit")
    fields = [(name, hint) for name, hint in taken.__annotations__.items()]
    more = make_dataclass("TakeHit", [("witness", str), *[(name, object) for name, _ in fields]], frozen=True)
    for name in ("kind", "declared_by", "records"):
        setattr(more, name, getattr(taken, name))
    inputs = tuple(more if cls is taken else cls for cls in mongrel.inputs)
    kept: dict[int, Examples] = load_kept_examples(mongrel)
    faults = list_faults_of_examples(replace(mongrel, edition=mongrel.edition + 1, inputs=inputs), kept)
    for edition in kept:
        assert any(fault.startswith(f"`TakeHit.witness` was not stored by edition {edition}") for fault in faults)
    assert all(f'Upcast("take-hit", to={mongrel.edition + 1}' in fault for fault in faults)
