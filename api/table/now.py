"""The view "now" of a seat. It has several parts, each with a digest of its contents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial

from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup

from api.http.request import Caller
from api.table.checklist import Preparation, find_preparation
from api.table.client import Json, Rejection
from api.table.descriptions import find_first_sentence
from api.table.groups import Group, group_moves, is_already_declared, make_digest
from api.table.node_maker import NodeMaker
from api.table.page_forms import PageForm, is_seat_asked, is_typed_by, list_questions, make_question_form
from api.table.pages import Desk, describe_game, may_decide
from api.table.plain_forms import make_stamp
from api.table.presentations import Presenter, index_headings, list_kinds_needing_form
from api.table.scenes import add_newcomers
from api.table.slips import find_slip_number
from api.table.taps import Tap, list_taps
from api.table.turns import group_turns, list_awaited_turns
from api.table.words import Words
from ledger.application.calls import Call
from ledger.events.codec import plain
from projections.documents import feeds

LATEST = 6  # rulings
RECENT = 12  # how many rulings are searched for the steps of one result
MOST_REWOUND = 100  # overturned rulings whose lost results are shown
BACK = 12  # how many saves are searched for decisions and cancelled questions


@dataclass(frozen=True, slots=True)
class Now:
    """The contents of the view.

    `me`: the reader's seat. `position`: the campaign's position. `decides`: whether the seat may decide about rulings.
    `consents`: decisions that wait for this seat's consent. `disputes`: open disputes that the seat may know of.
    `prompts`: the game's own prompts for this seat. `last`: the last ruling, if a session is open. `ended`: decisions
    that ended a dispute of this seat, or took something from its characters. `slip_number`: the number of the last
    ruling, if this seat can take it back.
    """

    state: Json
    words: Words
    me: Json
    mine: list[Json]
    others: list[Json]
    awaited: list[Json]
    consents: list[Json]
    disputes: list[Json]
    groups: list[Group]
    latest: list[Json]
    most: Mapping[str, int]
    position: int
    presenter: Presenter
    prompts: list[Markup] = field(default_factory=list)
    last: Json | None = None
    ended: list[Json] = field(default_factory=list)
    decides: bool = False
    slip_number: int | None = None

    def find_move(self, awaited: Json) -> Json | None:
        """Return the move that does what the game is waiting for, or None. Prefer a move of the awaited character."""
        moves = [
            move
            for group in self.groups
            if group.is_awaited
            for ways in group.moves_by_kind.values()
            for move in ways
            if move["kind"] == awaited["kind"]
        ]
        character_id = awaited["character"]
        own_moves = [move for move in moves if character_id is not None and character_id in move["settled"].values()]
        return next(iter(own_moves), moves[0] if moves and (character_id is None or len(moves) == 1) else None)

    @property
    def is_typed(self) -> bool:
        """Return whether the first question asks this seat to enter its own dice."""
        return bool(self.mine) and is_typed_by(self.mine[0], self.me["id"])

    @property
    def more(self) -> list[Group]:
        """Return the actions under "More actions"."""
        return [group for group in self.groups if group.place == "more"]

    @property
    def drawer(self) -> list[Group]:
        """Return the actions that every game has."""
        return [group for group in self.groups if group.place == "drawer"]

    @property
    def own(self) -> list[Json]:
        """Return the characters of a player, or [] for any other role. Their sheets stay in sight."""
        if self.me["role"] != "player":
            return []
        characters: list[Json] = self.state["characters"]
        return [
            character for character in characters if character["seat"] == self.me["id"] and not character["retired"]
        ]

    @property
    def turns(self) -> list[list[Json]]:
        """Return the turns that the game is waiting for. A turn has the entries of one seat and one character."""
        return group_turns(self.awaited, self.state["campaign"]["system"])

    @property
    def holders(self) -> list[Json]:
        """Return the seats that have paused automatic steps."""
        campaign = self.state["campaign"]
        if campaign["dials"].get("forced_steps") != "by_ledger":
            return []
        return [seat for seat in campaign["seats"] if seat["holds"] and not seat["removed"]]

    @property
    def preparation(self) -> Preparation:
        """Return what this seat has left to prepare."""
        return find_preparation(self.state, self.me)

    def make_digests(self) -> dict[str, str]:
        """Return a digest of each part's contents."""
        ids_and_names = sorted((character["id"], character["name"]) for character in self.state["characters"])
        campaign = self.state["campaign"]
        offered_ids = [move["move"] for move in self.presenter.moves]
        parts: dict[str, object] = {
            "asked": [
                [(waiting["id"], waiting["version"], waiting["question"]) for waiting in self.mine],
                [(decision["id"], decision["said"]) for decision in self.consents],
            ],
            "turn": [
                self.awaited,
                [self.find_move(turn) for turn in self.awaited],
                self.others,
                self.disputes,
                self.ended,
                self.holders,
                ids_and_names,
                offered_ids,
                self.state["scenes"],
                self.state["characters"] if self.prompts else [],
            ],
            "moves": [[_list_digested_fields(group) for group in self.groups if group.place != "drawer"], self.awaited],
            "drawer": [_list_digested_fields(group) for group in self.drawer],
            "scene": [
                self.state["scenes"],
                [(waiting["declared"], waiting["question"]) for waiting in self.state["waiting"] if waiting["scene"]],
                self.state["characters"],
                campaign["session"],
                campaign["sessions"],
                ids_and_names,
                self.state["findings"],
                offered_ids,
            ],
            "own": [self.own, offered_ids, self.state["scenes"]],
            "people": [self.state["characters"], campaign["state"], campaign["balances"], campaign["seats"]],
            "latest": [self.latest, self.slip_number],
            "start": asdict(self.preparation),
        }
        return {part: make_digest(value) for part, value in parts.items()}


PARTS = ("asked", "turn", "moves", "own", "scene", "people", "latest", "start", "drawer")


def _list_digested_fields(group: Group) -> list[object]:
    return [group.title, group.moves_by_kind, group.player, group.place]


def group_offered_moves(moves: list[Json], state: Json, words: Words, own_seat_id: str) -> list[Group]:
    """Return the actions under the game's headings."""
    return list(group_moves(moves, state, words, own_seat_id, index_headings(state["campaign"]["system"])))


async def load_now(desk: Desk) -> Now:
    (state_reply, moves_reply), rulings_document = await asyncio.gather(
        desk.client.read_together("/state", "/moves"), desk.client.get("/rulings", order="desc", limit=RECENT)
    )
    document, recent_rulings = add_newcomers(state_reply.json), rulings_document["rulings"]
    recent_rows = await _list_recent_rows(desk, state_reply.position)
    words, system = desk.make_words(document), document["campaign"]["system"]
    seat = next(seat for seat in document["campaign"]["seats"] if seat["id"] == desk.session.seat)
    question_lists = [list_questions(waiting) for waiting in document["waiting"]]
    own_questions = [
        question for questions in question_lists for question in questions if is_seat_asked(question, seat)
    ]
    groups = _add_taps(
        desk.make_node_maker(document, words),
        _add_descriptions(system, group_offered_moves(moves_reply.json["moves"], document, words, seat["id"])),
        list_kinds_needing_form(system),
        partial(_is_tap_waiting, document["waiting"], seat["id"]),
    )
    offered_moves = tuple(move for group in groups for ways in group.moves_by_kind.values() for move in ways)
    presenter = Presenter(
        system,
        desk.session.path,
        document,
        words,
        offered_moves,
        seat["id"],
        make_stamp(desk),
    )
    prompts = [prompt for scene in document["scenes"] if (prompt := presenter.prompt(scene)) is not None]
    last_ruling = join_steps(recent_rulings) if recent_rulings and document["campaign"]["session"] is not None else None
    return Now(
        state=document,
        words=words,
        me=seat,
        mine=own_questions,
        others=[questions[0] for questions in question_lists if questions[0] not in own_questions],
        awaited=list_awaited_turns(document, words),
        consents=await _load_consents(desk, document),
        disputes=document["disputes"],
        ended=await _list_ending_decisions(desk, recent_rows, document, seat["id"], recent_rulings),
        groups=_keep_awaited_in_sight(
            groups, "".join(prompts), has_question=any(waiting["scene"] for waiting in document["waiting"])
        ),
        presenter=presenter,
        prompts=prompts,
        last=last_ruling,
        latest=_list_latest_entries(recent_rulings, _list_ended_questions(recent_rows)),
        most=_find_largest_balances(document),
        position=state_reply.position,
        decides=may_decide(document, seat["id"]),
        slip_number=await find_slip_number(desk, last_ruling),
    )


def _add_descriptions(system: str, groups: Iterable[Group]) -> list[Group]:
    """Return the groups. If the game is waiting for several kinds of a group, add their descriptions."""
    return [
        replace(group, about=_index_descriptions(system))
        if group.is_awaited and len(group.moves_by_kind) > 1
        else group
        for group in groups
    ]


@cache
def _index_descriptions(system: str) -> Mapping[str, str]:
    """Return the first sentence about each kind of declaration."""
    return {entry["kind"]: find_first_sentence(entry["about"]) for entry in describe_game(system)["inputs"]}


def _keep_awaited_in_sight(groups: Iterable[Group], prompts_html: str, *, has_question: bool) -> list[Group]:
    """Return the groups. If the page already asks this seat for something, move the other actions out of sight."""
    if "<form" not in prompts_html and "<a " not in prompts_html and not has_question:
        return list(groups)
    kept_groups = [
        group
        if group.is_awaited or group.place != "shown"
        else replace(
            group,
            moves_by_kind={
                kind: ways for kind, ways in group.moves_by_kind.items() if not _are_all_prompted(ways, prompts_html)
            },
            place="more",
        )
        for group in groups
    ]
    return [group for group in kept_groups if group.moves_by_kind or group.is_awaited]


def _are_all_prompted(ways: Iterable[Json], prompts_html: str) -> bool:
    return all(f"/declare/{way['kind']}?move={way['move']}" in prompts_html for way in ways)


def _add_taps(
    maker: NodeMaker, groups: list[Group], kinds_needing_form: Container[str], is_declared: Callable[[Tap], bool]
) -> list[Group]:
    """Return the groups, with buttons for the moves that need no form.

    `is_declared`: a function that returns whether a button's declaration is already waiting. Such a button is left out.
    """
    for group in groups:
        if group.place != "drawer":
            for move in (move for moves in group.moves_by_kind.values() for move in moves):
                taps = list_taps(maker, move) if move["kind"] not in kinds_needing_form else []
                move["taps"] = [asdict(tap) for tap in taps if not is_declared(tap)]
    return groups


def _is_tap_waiting(waiting_declarations: Iterable[Json], seat_id: str, tap: Tap) -> bool:
    return any(is_already_declared(waiting, json.loads(tap.declare), seat_id) for waiting in waiting_declarations)


def _list_ended_questions(recent_rows: Iterable[tuple[str, Json]]) -> list[Json]:
    """Return the questions that recently became impossible or were declined."""
    rows = [row for what, row in recent_rows if what == "withdrawn"]
    return [waiting for waiting in rows if waiting["status"] == "lapsed" or waiting["answers"]]


async def _list_ending_decisions(
    desk: Desk,
    recent_rows: Iterable[tuple[str, Json]],
    state: Json,
    own_seat_id: str,
    recent_rulings: Iterable[Json],
) -> list[Json]:
    """Return the recent decisions that ended a dispute of this seat, or took something from its characters.

    Each decision comes with its ruling and the lost results, until the seat's next ruling.
    """
    decided_ruling_numbers = {row["ruling"] for what, row in recent_rows if what == "decision" and row.get("ruling")}
    last_own_time = max((ruling["at"] for ruling in recent_rulings if ruling["by"]["seat"] == own_seat_id), default="")
    ending_decisions = []
    for number in sorted(decided_ruling_numbers):
        try:
            ruling = await desk.client.get(f"/rulings/{number}")
        except Rejection as rejection:
            if rejection.status != 404:
                raise
            continue  # this seat may not see the ruling
        own_characters = [character for character in state["characters"] if character["seat"] == own_seat_id]
        struck_rulings = await _list_struck_rulings(desk, ruling)
        lost_results = list_lost_results(struck_rulings, own_characters)
        own_numbers = [struck["number"] for struck in struck_rulings if struck["by"]["seat"] == own_seat_id]
        end_of_dispute = find_end_of_dispute(ruling["decisions"], own_seat_id)
        is_rewound = ruling["decisions"][-1]["decision"] == "rewound"
        is_concerned = bool(lost_results or (is_rewound and own_numbers))
        decision = end_of_dispute or (ruling["decisions"][-1] if is_concerned else None)
        if (
            decision is not None
            and decision["at"] > last_own_time
            and (end_of_dispute or decision["by"]["seat"] != own_seat_id)
        ):
            ending_decisions.append(
                {
                    "ruling": number,
                    **decision,
                    "mine": end_of_dispute is not None,
                    "lost": lost_results,
                    "own": own_numbers if is_rewound else [],
                    "said": ruling["text"],
                }
            )
    return ending_decisions


async def _list_struck_rulings(desk: Desk, ruling: Json) -> list[Json]:
    """Return the ruling if it is overturned, and the later rulings that a rewind overturned with it."""
    if ruling["status"] != "overturned":
        return []
    last_number = ruling["decisions"][-1].get("through", ruling["number"])
    later_rulings: list[Json] = []
    if last_number > ruling["number"]:
        later_rulings = (await desk.client.get("/rulings", after=ruling["number"], limit=MOST_REWOUND))["rulings"]
    return [ruling] + [
        later_ruling
        for later_ruling in later_rulings
        if later_ruling["decisions"]
        and later_ruling["decisions"][-1]["decision"] == "rewound"
        and later_ruling["number"] <= last_number
    ]


def list_lost_results(rulings: Iterable[Json], characters: Iterable[Json]) -> list[tuple[str, list[str]]]:
    """Return the name of each character that lost results, with the texts of these results."""
    results, facts = [], [fact for ruling in rulings for fact in ruling["facts"]]
    for character in characters:
        subject = f"character:{character['id']}"
        texts = [fact["text"] for fact in facts if fact["struck"] and fact["text"] and _is_about(fact, subject)]
        results += [(str(character["name"]), texts)] if texts else []
    return results


def _is_about(fact: Json, subject: str) -> bool:
    """Return whether a fact is about the subject or changes its accounts."""
    accounts = [posting[side] for posting in fact.get("postings") or () for side in ("from", "to")]
    return fact["subject"] == subject or any(str(account).startswith(f"{subject}/") for account in accounts)


def find_end_of_dispute(decisions: Sequence[Json], own_seat_id: str) -> Json | None:
    """Return another seat's decision that ended this seat's last dispute, or None."""
    dispute_indexes = [
        index
        for index, decision in enumerate(decisions)
        if decision["decision"] == "disputed" and decision["by"]["seat"] == own_seat_id
    ]
    later_decisions = decisions[dispute_indexes[-1] + 1 :] if dispute_indexes else ()
    return next(
        (
            decision
            for decision in later_decisions
            if decision["decision"] != "disputed" and decision["by"]["seat"] != own_seat_id
        ),
        None,
    )


async def _list_recent_rows(desk: Desk, position: int) -> list[tuple[str, Json]]:
    """Return the decisions and cancelled questions of the last saves, from this seat's feed, each with its kind."""
    session, app = desk.session, desk.request.app.state
    caller = Caller(desk.ledger, Call(session.campaign, session.token), app.systems, standby=app.standby)

    def read_rows() -> list[tuple[str, Json]]:
        lens, _ = caller.load_view_lens_and_position()
        after = max(0, position - BACK), 0
        _, rows = caller.ask_views(lambda reader: feeds.list_news(reader, after, 500))
        shown_rows = [(row.what, feeds.render_row(lens, row)) for row in rows if row.what in ("decision", "withdrawn")]
        return [(what, plain(text)) for what, text in shown_rows if text is not None]

    return await run_in_threadpool(read_rows)


def join_steps(rulings: list[Json]) -> Json:
    """Return the last ruling. If it followed automatically from another ruling, return that ruling with all its steps
    and rolls. `rulings`: the last rulings, newest first.
    """
    number = rulings[0].get("follows")
    steps = [ruling for ruling in reversed(rulings) if ruling.get("follows") == number]
    first_ruling = next((ruling for ruling in rulings if ruling["number"] == number), None)
    if first_ruling is None:
        return rulings[0]
    return {
        **first_ruling,
        "rolls": [roll for ruling in (first_ruling, *steps) for roll in ruling["rolls"]],
        "steps": steps,
    }


def list_numbers(last_ruling: Json | None) -> list[int]:
    """Return the numbers of the last ruling and its steps."""
    rulings = (last_ruling, *last_ruling.get("steps", ())) if last_ruling is not None else ()
    return [ruling["number"] for ruling in rulings]


def _list_latest_entries(rulings: Iterable[Json], ended_questions: Iterable[Json]) -> list[Json]:
    """Return the latest rulings and ended questions, newest first."""
    entries = [
        {name: ruling[name] for name in ("number", "text", "rolls", "facts", "status", "at")} for ruling in rulings
    ]
    empty_entry: Json = {"number": None, "rolls": [], "facts": [], "status": "lapsed"}
    entries += [{**empty_entry, "text": question["text"], "at": question["at"]} for question in ended_questions]
    worded_entries = [entry for entry in entries if entry["text"]]
    return sorted(worded_entries, key=lambda entry: str(entry["at"]), reverse=True)[:LATEST]


async def _load_consents(desk: Desk, state: Json) -> list[Json]:
    """Return the decisions that are waiting for this seat's consent."""
    if state["campaign"]["dials"].get("consent", "none") == "none":
        return []
    return [
        decision for decision in (await desk.client.get("/waiting", mine="true"))["decisions"] if not decision["said"]
    ]


def _find_largest_balances(state: Json) -> dict[str, int]:
    """Return the largest balance of each unit, which fills its bar completely."""
    largest_by_unit: dict[str, int] = {}
    for holder in (*state["characters"], *state["scenes"], state["campaign"]):
        for balance in holder["balances"]:
            largest_by_unit[balance["unit"]] = max(largest_by_unit.get(balance["unit"], 1), balance["balance"])
    return largest_by_unit


def make_first_question_form(desk: Desk, view: Now) -> PageForm | None:
    """Return the form that answers the first question to this seat, or None if there is no question."""
    return make_question_form(desk, view.mine[0], view.state) if view.mine else None
