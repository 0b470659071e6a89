"""The form of a further scene: in plain words, with the characters of the scene before."""

from __future__ import annotations

import re

import pytest

from tests.api.page.campaigns import SCENE, begun
from tests.api.page.sitting import Form, Sitter, at_the_page, part
from tests.api.page.small_forms import turn
from tests.api.table import Service, Table

CAST = "/declare/cast"


def form_of_scene(sitter: Sitter) -> tuple[str, Form]:
    (path,) = [way for way in sitter.moves() if "/declare/open-scene" in way]
    page = sitter.get(path).text
    return page, Form(page, path.partition("?")[0])


def third(table: Table) -> str:
    person, sheet = next(iter(table.service.client.get("/systems/toy").json()["people"].items()))
    made = table.gm.does("/characters", {"name": f"{person} the Third", "seat": table.gm.id, "sheet": sheet})
    return str(made["facts"][0]["subject"].partition(":")[2])


def test_who_was_in_the_scene_before_is_chosen_and_can_be_changed(service: Service) -> None:
    table = begun(service, "toy")
    late = third(table)
    sitter = at_the_page(table.gm)
    page, form = form_of_scene(sitter)
    assert form.fields[CAST] == ['"1"', '"2"', f'"{late}"']
    assert "The characters in the scene." in page and "Ids of its characters" not in page
    assert sitter.send(form, {"/declare/title": "Two", CAST: ['"2"', f'"{late}"']}).status_code == 303
    assert form_of_scene(sitter)[1].fields[CAST] == ['"2"', f'"{late}"']


def test_who_joins_during_a_scene_is_in_it(service: Service) -> None:
    """An opponent whom the game master added was in no scene, and nothing could bring it into one."""
    table = begun(service, "mnemonic")
    ann, ben = at_the_page(table.gm), at_the_page(table.ben)
    assert "/start/characters" in part(ann, "scene") and "/start/characters" not in part(ben, "scene")
    cards = ann.form(f"{ann.at}/start/characters", f"{ann.at}/start/characters")
    added = ann.send(cards, {"person": "Old Meg", "seat": table.gm.id})
    assert "Old Meg is in the scene “The old mill”." in ann.get(added.headers["location"]).text
    assert "<span>Old Meg</span>" in part(ben, "scene") and "What does Old Meg attempt?" in turn(ann)


@pytest.mark.parametrize("ends", [True, False])
def test_the_scene_before_ends_with_the_form_of_the_next_unless_it_is_unticked(service: Service, ends: bool) -> None:
    table = begun(service, "mnemonic")
    sitter = at_the_page(table.gm)
    page, form = form_of_scene(sitter)
    assert "End these scenes first" in page and form.fields["end"] == form.offered["end"]
    assert sitter.send(form, {"/declare/title": ""}).status_code == 422
    assert [scene["title"] for scene in table.gm.look("/state")["scenes"]] == [SCENE], "nothing ended"
    fields: dict[str, str | list[str]] = {"/declare/title": "The barn"} | ({} if ends else {"end": []})
    assert sitter.send(form, fields).status_code == 303
    open_titles = [scene["title"] for scene in table.gm.look("/state")["scenes"]]
    assert open_titles == (["The barn"] if ends else [SCENE, "The barn"])
    assert turn(at_the_page(table.ben)).count("What does Andrea Kovac attempt?") == len(open_titles)


def test_a_form_that_is_sent_twice_ends_one_scene_and_begins_one(service: Service) -> None:
    table = begun(service, "mnemonic")
    sitter = at_the_page(table.gm)
    _, form = form_of_scene(sitter)
    for _ in range(2):
        assert sitter.send(form, {"/declare/title": "The barn"}).status_code == 303
    assert [scene["title"] for scene in table.gm.look("/state")["scenes"]] == ["The barn"]


def test_who_retired_is_not_chosen(service: Service) -> None:
    table = begun(service, "toy")
    table.gm.declare("retire", character="2", reason="Old.")
    assert form_of_scene(at_the_page(table.gm))[1].fields[CAST] == ['"1"']


def test_everybody_is_chosen_for_the_first_scene(service: Service) -> None:
    table = Table(service)
    late = third(table)
    assert form_of_scene(at_the_page(table.gm))[1].fields[CAST] == [f'"{late}"']


def test_after_a_scene_a_box_says_what_can_happen_next(service: Service) -> None:
    """ "Your turn: choose what happens next." stood there alone."""
    table = begun(service, "toy")
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][0]["id"])
    page = at_the_page(table.gm).page("/")
    turn = page[page.index('<section id="turn"') : page.index('<div class="columns">')]
    assert [kind for kind in ("open-scene", "close-session") if f"/declare/{kind}?move=" in turn] == [
        "open-scene",
        "close-session",
    ]
    assert "/declare/open-scene" not in at_the_page(table.ben).page("/")


def test_the_sentence_of_a_form_says_what_is_chosen_already(service: Service) -> None:
    table = begun(service, "toy")
    page, form = form_of_scene(at_the_page(table.gm))
    assert form.fields[CAST] == ['"1"', '"2"']
    (lead,) = re.findall(r'<p class="lead" id="lead">(.*?)</p>', page)
    names = [one["name"] for one in table.gm.look("/state")["characters"]]
    assert lead == f'The scene “<span class="blank">…</span>” begins, with {names[0]} and {names[1]}.'
