"""A small campaign of any system: worked examples, and what people decide about them; and another one by chance."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from contextlib import suppress
from random import Random

from api.http.examples import Names, list_answers, list_examples, split_answers
from api.run.demo import NAMESPACE
from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.kernel.dials import Dials
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.table import load_campaign_entry, load_dials
from tests.api.table import Json, Player
from tests.rules import examples
from tests.rules.anything import play as by_chance
from tests.rules.world import World
from tests.versions.database import Place, told
from tests.versions.looking import outline
from tests.views.test_every_game import Retold

PLAYERS = ("Ben", "Cleo")
DECIDED = 3  # rulings of the game's own words, about which people decide
MOST_EVENTS = 68  # of the examples: with as much by chance the dump stays below 150 kB
WORDS, SEEDS = 8, 24  # of what is played by chance
KERNEL = {find_kind(cls) for cls in commands.INPUTS}


class Company:
    """Everybody at one campaign. What is asked for while `noted` is a list is noted there, to be asked for again."""

    def __init__(self, place: Place, campaign: str, tokens: dict[str, str]) -> None:
        self.place, self.campaign, self.tokens = place, campaign, tokens
        self.noted: list[Json] | None = None
        self.unanswered: tuple[str, list[Json]] | None = None
        self.refused = ""

    def __getitem__(self, seat: str) -> Player:
        return self.place.sitting(self.campaign, seat, self.tokens[seat])

    def asks(self, path: str, body: Json, seat: str = "s1") -> Json | None:
        """The answer; None where it was refused, and `self.refused` says why."""
        response = self[seat].post(path, body)
        if response.status_code >= 300:
            self.refused = response.text
            return None
        answer: Json = response.json()
        if self.noted is not None:
            one = {"seat": seat, "path": path, "body": body, "status": response.status_code}
            self.noted.append({**one, "outline": outline(answer)})
        return answer

    def does(self, path: str, body: Json, seat: str = "s1") -> Json:
        answer = self.asks(path, body, seat)
        assert answer is not None, f"{path}: {self.refused}"
        return answer

    def first(self, paths: Iterable[str], body: Json, seat: str = "s1") -> str | None:
        """The first path at which this is not refused."""
        return next((path for path in paths if self.asks(path, body, seat) is not None), None)

    def game(self) -> list[int]:
        """Rulings of the game's own words that stand, and are not disputed, in order."""
        found = self["s1"].look("/rulings", limit=500)["rulings"]
        settled = [one for one in found if one["status"] not in ("overturned", "disputed")]
        return [one["number"] for one in settled if one["declared"]["kind"] not in KERNEL]

    def by_anybody(self, path: str, body: Json) -> Json | None:
        """The answer to the first seat that is not refused."""
        return next((made for seat in self.tokens if (made := self.asks(path, body, seat)) is not None), None)

    def wait_again(self, retold: Retold) -> None:
        """Declare once more what was asked something before, and leave that unanswered."""
        for past in reversed(retold.game.history):
            declared = json_form.declaration_to_json(retold.named(past.declared))
            body = {"declare": declared, "answers": [], "dice": "table"}
            if past.answers and "id" in (waiting := self.by_anybody("/rulings", body) or {}):
                answers = [json_form.answer_to_json(retold.named(answer)) for answer in past.answers]
                self.unanswered = waiting["id"], answers
                return

    def answer(self) -> Json | None:
        """What was asked, as it was answered before: the ruling. Withdrawn where something else is asked now."""
        if self.unanswered is None:
            return None
        waiting, answers = self.unanswered
        for answer in answers:
            made = self.by_anybody(f"/waiting/{waiting}/answers", {"answer": answer})
            if made is None or "number" in made:
                break
        if made is not None and "number" in made:
            return made
        self.does(f"/waiting/{waiting}/withdraw", {"reason": "It is not worth it."})
        return None

    def overturns_and_reinstates(self, numbers: Iterable[int]) -> int:
        """The first of these that can be overturned. It stands again at the end."""
        overturned = self.first((f"/rulings/{number}/overturn" for number in numbers), {"reason": "Too far."})
        assert overturned is not None, "no ruling can be overturned"
        number = int(overturned.split("/")[2])
        self.does(f"/rulings/{number}/reinstate", {"reason": "It was not."})
        return number


# --- worked examples ----------------------------------------------------------------------------------------------


class Examples(Company):
    """One campaign for all of them, each in a session of its own."""

    def __init__(self, place: Place, system: str, key: str) -> None:
        body = {"name": f"{system}, kept", "system": system, "gm": {"name": "Ann"}}
        headers = {**place.service.operator, "Idempotency-Key": key}
        opened = told(place.service.send("POST", "/campaigns", headers, json=body), 201)
        super().__init__(place, opened["id"], {"s1": opened["seat"]["token"]})
        self.opening = {"key": key, "body": body, "answer": opened}
        self.system = system
        self.rest: tuple[Names, Json, list[Json]] | None = None
        for name, role in (*((name, "player") for name in PLAYERS), ("Dora", "observer")):
            made = self.does("/seats", {"name": name, "role": role})
            self.tokens[made["id"]] = made["token"]

    def start(self, example: Json) -> Names:
        seats = dict(zip(example.get("seats", []), ("s2", "s3"), strict=False))
        names = Names({"gm": "s1", **seats})
        if not any(step["declare"]["kind"] == "open-session" for step in example["step"]):
            self.does("/sessions", {"title": example["name"]})
        for one in example.get("characters", []):
            sheet = {"name": one["name"], "seat": names.meanings[one.get("seat", "gm")], "sheet": one["sheet"]}
            names.meanings[one["name"]] = self.does("/characters", sheet)["character"]
        return names

    def steps(self, names: Names, steps: Iterable[Json]) -> None:
        for step in steps:
            if step.get("refused") is None:
                made = self.step(names.fill(step))
                names.learn(step, made["number"], [one["fact"] for one in made["facts"]])

    def step(self, step: Json) -> Json:
        along, others = split_answers(list_answers(step))
        dice = {"dice": "table"} if others else {}
        made = self.does("/rulings", {"declare": step["declare"], "answers": along, **dice}, step.get("by", "s1"))
        for one in others:
            made = self.does(f"/waiting/{made['id']}/answers", {"answer": one.answer}, one.by or "s1")
        return made

    def end(self) -> None:
        campaign = self["s1"].look()
        for scene in campaign["scenes"]:
            if scene["open"]:
                self.does(f"/scenes/{scene['id']}/close", {})
        if campaign["session"] is not None:
            self.does(f"/sessions/{campaign['session']}/close", {})

    def wait(self, example: Json, at: int) -> None:
        """Play it as far as this step, and leave what it asks unanswered."""
        names = self.start(example)
        self.steps(names, example["step"][:at])
        step, *rest = example["step"][at:]
        step = names.fill(step)
        waiting = self.does(
            "/rulings", {"declare": step["declare"], "answers": [], "dice": "table"}, step.get("by", "s1")
        )
        self.unanswered, self.rest = (waiting["id"], [one.answer for one in list_answers(step)]), (names, step, rest)

    def answer(self) -> Json | None:
        """And the rest of the example."""
        made = super().answer()
        if self.rest is not None and made is not None:
            names, step, rest = self.rest
            names.learn(step, made["number"], [one["fact"] for one in made["facts"]])
            self.steps(names, rest)
        return made

    def overturns(self, numbers: Iterable[int], settle: str) -> None:
        """The first of these without which no scene is open again: another example is to begin in one of its own."""
        for number in numbers:
            if self.asks(f"/rulings/{number}/overturn", {"reason": "It was not so.", "settle": settle}) is None:
                continue
            if not any(scene["open"] for scene in self["s1"].look()["scenes"]):
                return
            self.does(f"/rulings/{number}/reinstate", {"reason": "It was.", "settle": settle})

    def decide(self) -> None:
        """Whatever people decide about rulings and about their table, as far as the system has it."""
        there = self.game()
        said = {"reason": "We are not sure."}
        self.does(f"/rulings/{there[-1]}/dispute", said)
        self.does(f"/rulings/{there[-2]}/dispute", said)
        self.does(f"/rulings/{there[-2]}/uphold", said)
        self.first((f"/rulings/{one}/witness" for one in there), {}, "s2")
        paths = [f"/rulings/{one}/revise" for one in reversed(there[:-2])]
        self.first(paths, {**said, "code": "ruling", "settle": "rerule"})
        self.overturns(reversed(there), "flag")
        self.overturns(reversed(self.game()), "rerule")
        self.overturns_and_reinstates(reversed(self.game()))
        self.does("/seats/s2/entropy", {"value": "Ben's own number"}, "s2")
        self.tokens["s3"] = self.does("/seats/s3/token", {})["token"]
        for dial in reversed(self.place.service.client.get(f"/systems/{self.system}").json()["dials"]):
            for value in dial["values"] or ():
                turned = {"kind": "set-dial", "name": dial["name"], "value": value, "reason": "We prefer it."}
                if dial["name"] == "consent":
                    continue  # later decisions would wait
                if value != dial["default"] and self.asks("/rulings", {"declare": turned, "answers": []}):
                    return


def playable(system: str) -> list[Json]:
    """Examples that need no dials of their own, and no more than two players."""
    return [one for one in list_examples(system) if not one.get("dials") and len(one.get("seats", [])) <= len(PLAYERS)]


def asking(example: Json) -> int | None:
    """The place of the first step that is asked something."""
    steps = enumerate(example["step"])
    return next((place for place, step in steps if step.get("answers") and step.get("refused") is None), None)


def closes(world: World) -> bool:
    """Whether its scene can be closed as it stands, for another example to begin."""
    try:
        return world.table().scene is None or bool(world.close_scene())
    except Refused:
        return False


def kinds_of(world: World) -> set[str]:
    """Of facts and of what was declared."""
    facts = {find_fact_kind(about.fact) for verdict in world.verdicts for about in verdict.facts}
    return facts | {find_kind(type(past.declared)) for past in world.history}


def events_of(world: World) -> int:
    """About how many are stored of it: each save has a ruling, a receipt and an entry of its own."""
    return 3 * len(world.history) + sum(len(verdict.facts) for verdict in world.verdicts)


def various(system: str) -> list[tuple[Json, set[str]]]:
    """Examples that come to an end and can be decided about, each with the kinds it brings that none before it did.

    Those first that bring most for their length; as many as a small campaign has room for, and one at least.
    """
    played = []
    for example in playable(system):
        world = examples.world_for(systems()[system], example)
        examples.play(examples.PurePlayer(world), example, "gm")
        own = [past for past in world.history if find_kind(type(past.declared)) not in KERNEL]
        if closes(world) and len(own) >= DECIDED:
            played.append((example, kinds_of(world), events_of(world)))
    found: list[tuple[Json, set[str]]] = []
    met: set[str] = set()
    room = MOST_EVENTS
    shortest = min((events for _, _, events in played), default=0)
    while fitting := [one for one in played if one[2] <= max(room, 0 if found else shortest) and one[1] - met]:
        example, kinds, events = max(fitting, key=lambda one: len(one[1] - met) / one[2])
        found.append((example, kinds - met))
        met |= kinds
        room -= events
    return found


def play_examples(place: Place, system: str) -> Examples | None:
    """A campaign in which something waits, if anything is ever asked. None for a system without examples."""
    told = [example for example, _ in various(system)]
    if not told:
        return None
    company = Examples(place, system, str(uuid.uuid5(NAMESPACE, f"kept/{system}")))
    for example in told:
        company.steps(company.start(example), example["step"])
        company.end()
    company.decide()
    if ask := {at: one for one in playable(system) if (at := asking(one)) is not None}:
        company.wait(ask[min(ask)], min(ask))
    return company


# --- by chance ----------------------------------------------------------------------------------------------------


def waits_for_consent(game: World) -> bool:
    """Whether a decision about what was played waits until others agree."""
    return bool(load_dials(Dials, load_campaign_entry(game.past)).consent != "none")


def play_by_chance(place: Place, system: str) -> Company:
    """A campaign of what examples do not have, decided about at random: a small one, with questions and hidden things,
    if there is one."""
    met = set().union(*(kinds for _, kinds in various(system)))
    games = [(by_chance(system, seed, WORDS), seed) for seed in range(SEEDS)]
    games = [(game, seed) for game, seed in games if not waits_for_consent(game)]

    def worth(game: tuple[World, int]) -> tuple[bool, bool, bool, float]:
        asked = any(past.answers for past in game[0].history)
        hidden = any(about.audience is not None for verdict in game[0].verdicts for about in verdict.facts)
        return events_of(game[0]) <= 2 * MOST_EVENTS, asked, hidden, len(kinds_of(game[0]) - met) / events_of(game[0])

    for game, seed in sorted(games, key=worth, reverse=True):
        with suppress(Refused):  # its dials do not go together; in memory nobody asks
            retold = Retold(place.ledger, game)
            retold.tell()
            retold.decide(Random(seed))
            campaign = retold.desk.campaign
            tokens = {seat: place.ledger.keys.make_token(campaign, seat, 1) for seat in retold.seats.values()}
            company = Company(place, campaign, tokens)
            company.wait_again(retold)
            return company
    raise AssertionError(f"nothing of {system} can be played by chance")
