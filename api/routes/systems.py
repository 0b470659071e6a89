"""The games that can be played here."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Response

from api.http.answers import ANYWHERE, describe_answer, describe_answers
from api.http.examples import list_examples_by_kind
from api.http.forms import list_schemas
from api.http.queries import Asked
from ledger.errors import NotFound
from ledger.rules import systems as installed
from ledger.rules.kernel import rulebook
from ledger.rules.kernel.contract import AnyRuleset
from projections.documents import systems
from projections.documents.systems import Rule, Rules, System, Systems
from projections.redaction import to_text

router = APIRouter(route_class=Asked)


def _respond_json(document: object) -> Response:
    return Response(to_text(document), media_type="application/json")


def find_system(name: str) -> AnyRuleset:
    ruleset = installed().get(name)
    if ruleset is None:
        raise NotFound(f"There is no game called {name!r}.", code="system-not-found", known=sorted(installed()))
    return ruleset


@cache
def _make_system_text(name: str) -> str:
    """Return the game's document as JSON text."""
    return to_text(systems.describe_system(find_system(name), list_schemas(name), list_examples_by_kind(name)))


@router.get(
    "/systems",
    operation_id="list_systems",
    tags=["systems"],
    response_model=Systems,
    responses=describe_answers(ANYWHERE, {200: describe_answer(Systems, "The games.")}),
)
def list_systems() -> Response:
    """List the games that can be played here."""
    return _respond_json(systems.list_systems())


@router.get(
    "/systems/{system}",
    operation_id="get_system",
    tags=["systems"],
    response_model=System,
    responses=describe_answers(ANYWHERE, {200: describe_answer(System, "The game.")}),
)
def get_system(system: str) -> Response:
    """Return a game with its options, accounts and actions. Each action has a JSON Schema and examples, and says who
    may declare it.
    """
    return Response(_make_system_text(system), media_type="application/json")


@router.get(
    "/systems/{system}/rules",
    operation_id="list_rules",
    tags=["systems"],
    response_model=Rules,
    responses=describe_answers(ANYWHERE, {200: describe_answer(Rules, "The rules.")}),
)
def list_rules(system: str) -> Response:
    """List the rules of the game and those shared by all games."""
    return _respond_json(systems.list_rules(find_system(system)))


@router.get(
    "/systems/{system}/rules/{rule}",
    operation_id="get_rule",
    tags=["systems"],
    response_model=Rule,
    responses=describe_answers(ANYWHERE, {200: describe_answer(Rule, "The rule.")}),
)
def get_rule(system: str, rule: str) -> Response:
    """Return a rule by the id that derivations and refusals use."""
    ruleset = find_system(system)
    entry = ruleset.rules.get(rule) or rulebook.RULES.get(rule)
    if entry is None:
        raise NotFound(f"There is no rule {rule!r} in this game.", code="rule-not-found")
    return _respond_json(systems.describe_rule(rule, entry))
