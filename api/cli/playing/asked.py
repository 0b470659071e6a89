"""Answers made at random to what is asked: the question says all that an answer can be."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from api.cli.playing.filling import Filling, Json


class Unanswerable(Exception):
    """The question does not say what can be answered by who is asked."""


def answer(question: Json, choices: Mapping[str, Json], filling: Filling) -> Json:
    """What fits the question. `choices`: the schema of each choice of the game, by its kind. Unanswerable."""
    rng = filling.rng
    match question["ask"]:
        case "roll":
            return {"dice": {"sides": question["sides"], "faces": _faces(question, rng)}}
        case "draw":
            if "cards" not in question:
                raise Unanswerable("which cards are left is not shown")
            return {"cards": {"cards": rng.sample(question["cards"], question["count"])}}
        case "shuffle":
            return {"order": {"cards": rng.sample(question["cards"], len(question["cards"]))}}
        case "flip":
            return {"coins": {"coins": [rng.choice(("heads", "tails")) for _ in range(question["count"])]}}
        case "choice":
            kind = rng.choice(question["choices"])["kind"]
            return {"choice": filling.anything(choices[kind])}
    raise Unanswerable(f"asks for {question['ask']}")


def _faces(question: Json, rng: Random) -> list[int]:
    """As many as are asked for, and another for each that opens one."""
    faces: list[int] = []
    count = question["count"]
    while len(faces) < count:
        faces.append(rng.randint(1, question["sides"]))
        count += faces[-1] == question.get("opens")
    return faces
