"""What a start loads and builds, and what it leaves until somebody asks for it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, get_type_hints

from fastapi import Response
from psycopg.conninfo import make_conninfo

from api.app import create_app
from api.http.components import Components
from api.http.described import Described
from api.http.description import title_fields_by_name
from api.http.forms import Forms, load_forms
from ledger.application import Ledger, json_form
from ledger.events.database_check import PROJECTOR_ROLE
from ledger.rules import systems
from ledger.rules.kernel.commands import OpenScene
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, SCHEMA, serving
from tests.api.page.sitting import Sitter
from tests.api.table import Service, Table
from tests.laws.test_architecture import GAMES, ROOT

MIGRATE = """
from api.service.database import Database
Database("{owner}", "{service}", "{projector}", "{schema}").migrate()
"""


def loaded_by(program: str) -> set[str]:
    """Run the program in a fresh interpreter, and return the names of all modules that it has loaded by its end."""
    line = [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"]
    ended = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stdout.split())


def games_among(modules: set[str]) -> list[str]:
    return [game for game in GAMES if f"ledger.rules.{game}" in modules]


def test_importing_the_service_loads_no_game_and_nothing_that_migrates() -> None:
    modules = loaded_by("import api.app")
    assert "api.table.pages" in modules
    assert games_among(modules) == [] and "sqlalchemy" not in modules


def test_migrating_where_nothing_is_to_do_loads_no_game_and_nothing_that_migrates(
    postgres: Any, service_url: str
) -> None:
    logins = {"owner": postgres.owner_url, "service": service_url}
    logins["projector"] = make_conninfo(service_url, user=PROJECTOR_ROLE)
    with Projector(logins["projector"], SCHEMA) as projector:
        projector.make_tables()
    modules = loaded_by(MIGRATE.format(**logins, schema=SCHEMA))
    assert "projections.views.projector" in modules
    assert games_among(modules) == [] and "sqlalchemy" not in modules


def test_a_route_builds_the_models_of_its_answers_only_to_be_described(service: Service) -> None:
    """A model that is not built checks nothing: every route must return a finished response."""
    assert service.app is not None
    routes = [route for route in service.app.routes if isinstance(route, Described)]
    assert {route.operation_id for route in routes if route.include_in_schema} >= {"get_ruling", "check_health"}
    for route in routes:
        assert issubclass(get_type_hints(route.endpoint)["return"], Response), route
        assert route.response_field is None and not route.response_fields, route
    (ruling,) = (route for route in routes if route.operation_id == "get_ruling")
    assert ruling.build_with_models().response_field is not None


def test_what_people_send_and_are_offered_needs_no_forms() -> None:
    """Making the forms of a game takes longer than answering, and would hold a transaction open."""
    for ruleset in systems().values():
        forms = Forms(ruleset)
        assert forms.parse_input({"kind": "open-scene", "title": "A bridge", "cast": []}) == OpenScene("A bridge", ())
        words = (*json_form.index_declaration_classes(ruleset).values(), *ruleset.choices)
        references = {cls: forms.make_reference(cls) for cls in words}
        assert "of" not in vars(forms), "no form was made"
        assert {cls: one.rpartition("/")[2] for cls, one in references.items()} == {
            cls: forms.forms_by_class[cls].__name__ for cls in words
        }


def test_a_view_of_the_page_does_not_build_the_description(ledger: Ledger, table: Table) -> None:
    table.fighters()
    app: Any = create_app(ledger, operator_token=OPERATOR)
    with serving(app) as address:
        sitter = Sitter(address)
        assert sitter.sit(table.gm.token).status_code == 303
        assert "<form" in sitter.get(sitter.moves()[0]).text
    assert app.openapi.cache_info().currsize == 0


def test_the_page_makes_its_forms_of_the_schemas_that_the_description_shows(service: Service) -> None:
    """Titles aside: the description's are the names of fields, since clients name classes after them.

    Schemas that several games share are the same in each of them, but for their examples.
    """
    document = service.description.document["components"]["schemas"]
    for name in systems():
        made = Components(load_forms(name)).schemas  # made once more: the document's own may be changed later
        schemas = {component: title_fields_by_name(schema) for component, schema in made.items()}
        assert f"{name}_Sheet" in schemas
        for component, schema in schemas.items():
            shared = (
                {"examples"} if component.startswith("ledger_") else set()
            )  # each game has its own examples of them
            shown = {key: value for key, value in document[component].items() if key not in shared}
            assert {key: value for key, value in schema.items() if key not in shared} == shown, (name, component)
