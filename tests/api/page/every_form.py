"""Every form of a game as random play comes to it: of the moves of its seats, and of what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from api.http.forms import load_forms
from api.table.node_maker import NodeMaker
from api.table.nodes import Choice, Either, Entries, Listing, Node, Record
from api.table.words import Words
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.offers import BY_TYPE, list_offers
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.world import Past, PastRuling
from projections.documents.move_schemas import make_narrow_move_schema, make_narrow_schema, make_offer_schema
from tests.api.table import Json, Service
from tests.rules.anything import play
from tests.rules.moves import steps, viewers


def maker_of(service: Service, name: str) -> NodeMaker:
    """With the words of the game, and nobody to be named."""
    assert service.app is not None
    told = service.client.get(f"/systems/{name}").json()
    return NodeMaker(service.app.openapi()["components"]["schemas"], Words({}, told["refers"], told["labels"]))


def every_form(made: NodeMaker, name: str, seed: int, words: int, every: int = 1) -> Iterator[tuple[str, Node]]:
    """Of every so many rulings: the kind that is declared or chosen, and its form; each form once."""
    seen: set[str] = set()
    for past, ruling in steps(play(name, seed, words)):
        there = [*_asked(past, ruling)]
        if ruling.number % every == 0:
            there += _moves(past)
        for kind, told in there:
            if (said := repr(told)) not in seen:
                seen.add(said)
                yield kind, made.make_node(told, {})


def _moves(past: Past) -> Iterator[tuple[str, Json]]:
    refer = load_forms(past.ruleset.name).make_reference
    for by in viewers(past):
        for one in list_offers(past.ruleset, Seen(past.ruleset, past, by)):
            if one.move.do not in BY_TYPE:
                yield find_kind(one.move.do), make_offer_schema(make_narrow_move_schema(one.move), refer(one.move.do))


def _asked(past: Past, ruling: PastRuling) -> Iterator[tuple[str, Json]]:
    """What the ruling asks on its way, narrowed as it is asked."""
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    with suppress(Refused):
        conversation = Conversation(past.ruleset, table, past.ruleset.meant(table, ruling.declared))
        for answer in (*ruling.answers, None):
            if isinstance(conversation.question, Ask):
                yield find_kind(ruling.declared), _choice(past.ruleset.name, conversation.question)
            if answer is None or conversation.question is None:
                return
            conversation.answer(answer)


def _choice(name: str, asked: Ask) -> Json:
    """As `projections.documents.answer_schemas` says it."""
    made = []
    for do in asked.kinds:
        within: list[Any] = [one for one in asked.within if one.do is do] or [None]
        reference = f"/openapi.json#/components/schemas/{name}_choice_{find_kind(do)}"
        made += [{"allOf": [{"$ref": reference}, make_narrow_schema(find_kind(do), shape)]} for shape in within]
    return {
        "type": "object",
        "properties": {"choice": {"anyOf": made}},
        "required": ["choice"],
        "additionalProperties": False,
    }


def texts(node: Node) -> Iterator[str]:
    """What is read there, but for what is within it."""
    match node:
        case Record(fields=fields, only=only):
            yield only
            for one in fields:
                yield from (one.title, one.hint)
        case Either(parts=several):
            yield from (name for name, _ in several)
        case Choice(options=options):
            yield from options.values()
        case Entries(titles=titles):
            yield from titles.values()


def parts(node: Node) -> Iterator[Node]:
    """The form and whatever is within it."""
    yield node
    inner: list[Node] = []
    match node:
        case Record(fields=fields):
            inner = [one.node for one in fields]
        case Either(parts=several):
            inner = [one for _, one in several]
        case Listing(items=items, first=first):
            inner = [*first, *([items] if items is not None else [])]
        case Entries(nodes=nodes, values=values):
            inner = [*nodes.values(), values]
    for one in inner:
        yield from parts(one)
