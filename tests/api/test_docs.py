"""The page about requests and answers: everything the description says, and nothing to wait for."""

from __future__ import annotations

import re

from tests.api.table import Service


def test_the_page_names_every_operation_and_every_schema_with_its_fields(service: Service) -> None:
    page = service.client.get("/docs/api")
    document = service.description.document
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    for path, methods in document["paths"].items():
        assert f"<code>{path}</code>" in page.text
        for operation in methods.values():
            assert f'id="{operation["operationId"]}"' in page.text
    told = dict(re.findall(r'<div id="([^"]+)">(.*?)</div></details>', page.text, re.DOTALL))
    for name, schema in document["components"]["schemas"].items():
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in told[name], f"{name}.{field}"
    assert "undefined" not in page.text.lower()


def test_every_link_within_the_page_leads_to_a_place_in_it(service: Service) -> None:
    page = service.client.get("/docs/api").text
    places = re.findall(r'id="([^"]+)"', page)
    assert len(places) == len(set(places))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert "Ruling" in links and "mongrel_attack" in links and links <= set(places)


def test_a_field_says_what_it_takes(service: Service) -> None:
    page = service.client.get("/docs/api").text
    rows = re.findall(r"<tr><td><code>(\w+)</code>(.*?)</tr>", page, re.DOTALL)
    texts = {(field, re.sub(r"<[^>]+>", " ", rest)) for field, rest in rows}
    told = {" ".join(f"{field}{rest}".split()) for field, rest in texts}
    assert any(one.startswith("system, required System") and "&#34;toy&#34;" in one for one in told)
    assert any(one.startswith("settle Settle") and "&#34;rerule&#34;" in one for one in told)
    assert any("list of AnyAnswer" in one for one in told)
    assert "9007199254740991" not in page


def test_it_is_kept_like_the_description(service: Service) -> None:
    tag = service.client.get("/docs/api").headers["ETag"]
    again = service.client.get("/docs/api", headers={"If-None-Match": tag})
    assert again.status_code == 304 and "Content-Security-Policy" not in again.headers, "the page keeps its own"
