"""The page about a system says everything the system can say."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from api.routes.guide import markdown, pages
from ledger.rules import systems
from ledger.rules.kernel import commands, dials
from ledger.rules.kernel.declarations import find_fact_kind
from projections.documents.field_words import Vocabulary, put_fields_in_words
from tests.api.table import Service


@pytest.mark.parametrize("name", sorted(systems()))
def test_the_page_names_every_word_dial_account_and_rule(service: Service, name: str) -> None:
    system = systems()[name]
    answer = service.client.get(f"/systems/{name}/guide", headers={"Accept": "text/markdown"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/markdown")
    document = service.client.get(f"/systems/{name}").json()
    assert len(document["inputs"]) == len(system.inputs) + len(commands.INPUTS)
    for word in (*document["inputs"], *document["choices"]):
        _, _, told = answer.text.partition(f"\n### {word['kind']}\n")
        for field in word["schema"]["properties"].keys() - {"kind"}:
            assert f"| `{field}` |" in told.partition("\n### ")[0], f"{word['kind']} does not tell of {field}"
    for cls in system.facts:
        assert f"| {find_fact_kind(cls).partition('@')[0]} |" in answer.text
    for one in system.accounts:
        assert f"`{one.form}`" in answer.text
    for id, rule in system.rules.items():
        assert f"\n### {id}\n\n{rule.statement.partition('`')[0]}" in answer.text
    for dial in dials.list_dial_fields(system.dials):
        assert f"`{dial}`" in answer.text
    for secret in system.secrets:
        for said in (secret.what, secret.known_to, secret.others):
            assert said in answer.text and said[0].isupper()
    assert ("This game has no secrets." in answer.text) is not bool(system.secrets)
    assert not {"True", "False", "None"} & set(
        re.findall(r"\w+", answer.text.partition("## Options")[2].partition("## Rules")[0])
    )


@pytest.mark.parametrize("name", sorted(systems()))
def test_every_link_leads_somewhere_and_every_example_and_person_is_there(service: Service, name: str) -> None:
    page = service.client.get(f"/systems/{name}/guide", headers={"Accept": "text/html"}).text
    assert "&amp;lt;" not in page
    places = re.findall(r'id="([^"]+)"', page)
    assert len(places) == len(set(places))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert len(links) > 20 and links <= set(places)
    told = [
        json.loads(unescape(one)) for one in re.findall(r'<code class="language-json">(.*?)</code>', page, re.DOTALL)
    ]
    document = service.client.get(f"/systems/{name}").json()
    for word in (*document["inputs"], *document["choices"]):
        for example in word["examples"]:
            assert example["sent"] in told
    assert len(told) >= len(document["people"])
    for person in document["people"]:
        assert person in page


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}},
            "a list of whole numbers (1 to 6)",
        ),
        ({"type": "array", "items": {"type": "string", "maxLength": 9}}, "a list of texts, each up to 9 characters"),
        ({"type": "array", "items": {"type": "string", "x-ref": {"to": "seat"}}}, "a list of [seats](#of-seat)"),
        ({"type": "array", "items": {"type": "object", "properties": {}}}, "a list of records"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 9}},
            "for each name: a whole number",
        ),
    ],
)
def test_a_list_or_an_object_says_what_it_holds(schema: dict[str, object], says: str) -> None:
    (field,) = put_fields_in_words({"properties": {"x": schema}}, Vocabulary())
    assert field.says == says


@pytest.mark.parametrize(
    ("prose", "about"),
    [
        ("Vote. `x`: whom the vote is for. Votes are secret.", "Whom the vote is for."),
        ("Act. `x`: the Personae affected, usually given.", "The Personae affected."),
        ("Draw. `y`, `x`: leave both out to be asked.", ""),
        ("Rest. `x`: leave it out for now.", ""),
    ],
)
def test_a_field_is_explained_by_its_sentence_in_the_docstring(prose: str, about: str) -> None:
    (field,) = put_fields_in_words({"description": prose, "properties": {"x": {"type": "string"}}}, Vocabulary())
    assert field.about == about


def test_a_browser_gets_a_page(service: Service) -> None:
    answer = service.client.get("/systems/toy/guide", headers={"Accept": "text/html,*/*"})
    assert answer.headers["content-type"].startswith("text/html")
    assert "<table>" in answer.text and "<script" not in answer.text
    assert service.client.get("/systems/chess/guide").status_code == 404


def test_what_looks_like_markup_is_text() -> None:
    body = markdown.render("# A <script>\n\n| a |\n|---|\n| `<b>` <script>x</script> |\n\n<script>x</script>")
    assert "<script" not in body and "&lt;script&gt;" in body and "<code>&lt;b&gt;</code>" in body
    page = pages.get_template("guide.html.jinja").render(
        title="<script>", body="<script>", q="", back="", found=[], more=0
    )
    assert "<script" not in page and page.count("&lt;script&gt;") == 2
