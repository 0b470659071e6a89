"""Declaring, answering, withdrawing: from what somebody says to a numbered ruling, or to what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ledger.aggregates.ruling import Pending, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import said
from ledger.application.reading.shown import Present, ShownPending, ShownRuling
from ledger.application.reading.veiling import must_see_balance
from ledger.application.roller import answer_by_ledger, begin_epoch
from ledger.application.save import Place, Save
from ledger.application.saves import Act, Done
from ledger.errors import Malformed, NotYours
from ledger.events.records import Answered, Declared, Given, Numbered, Reason, Ruled, Withdrawn
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import RecordedAnswers, asks_the_same, cut_to
from ledger.rules.kernel.contract import About, Underway, Verdict
from ledger.rules.kernel.declarations import declared_by, kind_of, outlives_scene, said_by
from ledger.rules.kernel.facts import Leg, SessionClosed, SessionOpened
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Answer, Ask, Choice, Question
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Audience, Subject, Viewer, scene
from ledger.rules.kernel.table import RulingTable

Dice: TypeAlias = Literal["ledger", "table"]


class Adjudication:
    """One adjudication on the table as it stands, with the answers it was given and who gave them.

    `recorded`: answers of before, which are their questions' again. Those that do not fit any more are left out of it:
    they are in nobody's way, and whoever is asked answers anew.
    """

    def __init__(
        self,
        save: Save,
        do: object,
        declarer: Viewer,
        named: Subject | None,
        waits_as: str | None = None,
        recorded: Sequence[Given] = (),
    ) -> None:
        self.save = save
        self.do = do
        self.declarer = declarer
        self.named = named
        self.number = save.book.campaign.rulings + 1
        self.waits_as = waits_as
        self._recorded = [one for one in recorded if not one.set_aside or by_ledger(one)]
        self._before = tuple(recorded)
        self._begin()

    def _begin(self) -> None:
        book = self.save.book
        self.table = RulingTable(
            book.ruleset, book, self.number, self.declarer, self.named, lambda: _underway(book, self.waits_as)
        )  # fmt: skip
        self.given: list[Given] = []
        self._recalled: list[Given] = []
        self._answers = RecordedAnswers(said(book, self._recorded))
        self.conversation = Conversation(book.ruleset, self.table, self.do)
        self._recall()

    def _recall(self) -> None:
        """Answers of before, as far as their questions are asked. One that does not fit is left out, from the start."""
        while (question := self.question) is not None and (place := self._answers.place(question)) is not None:
            known = self._recorded[place]
            answer = json_form.answer_from(self.save.book.ruleset, known.answer)
            try:
                self.conversation.answer(cut_to(question, answer))
            except Unfit:
                del self._recorded[place]
                self._begin()
                return
            self._recalled.append(known)
            audience = question.audience if question.audience is not None else known.audience
            self.given.append(Given(json_form.question_json(question), known.answer, known.by, known.at, audience))

    @property
    def set_aside(self) -> list[Given]:
        """Answers of before on which nothing rests any more."""
        return [replace(one, set_aside=True) for one in self._before if not any(one is it for it in self._recalled)]

    @property
    def question(self) -> Question | None:
        return self.conversation.question

    def hear(self, answer: Answer, by: str, at: str, asked: json_form.Json | None = None) -> None:
        """An answer to the open question (`asked`, if it was written down already). Unfit when it does not fit it."""
        question = self.question
        self.conversation.answer(answer)
        assert question is not None
        asked = asked or json_form.question_json(question)
        self.given.append(Given(asked, json_form.answer_json(answer), by, at, question.audience))
        if self._before:
            self._recorded.append(self.given[-1])
            self._recall()

    def hear_from(self, answer: Answer) -> None:
        """An answer of who acts now. NotYours when somebody else is asked."""
        assert self.save.viewer is not None
        asked = json_form.question_json(self.question) if self.question is not None else None
        if asked is not None:
            must_be_asked(self.save.book, asked, self.declarer.seat, self.save.viewer)
            _must_be_theirs(self.save.book, asked, answer, self.save.viewer)
        self.hear(typed(answer), self.save.by, self.save.at, asked)

    def roll(self) -> None:
        """The ledger's dice, as long as dice are what is asked for.

        What it rolled before for a question is taken again: nobody gets another roll by making an earlier answer unfit.
        """
        while self.question is not None and not isinstance(self.question, Ask):
            self.hear(answer_by_ledger(self.save, self.question, self.number), self.save.by, self.save.at)


def declare(do: object, scene_id: str | None, answers: Sequence[Answer], dice: Dice | None, present: Present) -> Act:
    """Adjudicate an input. A verdict becomes the next ruling (201); an open question waits (202)."""

    def act(save: Save) -> Done:
        viewer = _acting(save)
        named = _scene(save.book, scene_id)
        unsure = _must_be_declarer(save.book, do, viewer, named)
        table = RulingTable(save.book.ruleset, save.book, save.book.campaign.rulings + 1, viewer, named)
        adjudication = _begun(save, save.book.ruleset.meant(table, do), viewer, named)
        for answer in answers:
            adjudication.hear_from(answer)
        if unsure:
            raise NotYours("It is not for this seat to declare that.")
        whose = dice or save.book.kernel_dials().dice
        if whose == "ledger":
            adjudication.roll()
        if adjudication.conversation.verdict is not None:
            shown = record(adjudication, adjudication.conversation.verdict, None)
            return Done(201, present(save.book, viewer, shown))
        assert adjudication.question is not None
        pending = _wait(adjudication, whose == "ledger")
        return Done(202, present(save.book, viewer, ShownPending(pending)))

    return act


def _begun(save: Save, do: object, viewer: Viewer, named: Subject | None) -> Adjudication:
    try:
        adjudication = Adjudication(save, do, viewer, named)
    except Refused as refusal:
        if refusal.code == "overdrawn":
            must_see_balance(save.book, viewer, do)
        raise
    must_see_balance(save.book, viewer, do)
    return adjudication


def answer(id: str, answer: Answer, present: Present) -> Act:
    """Answer what waits. It is adjudicated anew on the table as it stands; answers that no longer fit are set aside."""

    def act(save: Save) -> Done:
        viewer = _acting(save)
        pending = _visible(save.book, id, viewer)
        pending.must_wait()
        must_be_asked(save.book, pending.question or {}, pending.seat, viewer)  # before the rules say anything
        adjudication, as_asked = _resume(save, pending)
        unfit: list[Given] = []
        if as_asked:
            adjudication.hear_from(answer)
        else:
            unfit.append(_unfit(pending, typed(answer), viewer.seat, save.at))
        if pending.dice == "ledger":
            adjudication.roll()
        set_aside = [*adjudication.set_aside, *unfit]
        if adjudication.conversation.verdict is not None:
            shown = record(adjudication, adjudication.conversation.verdict, pending, set_aside)
            return Done(201, present(save.book, viewer, shown))
        assert adjudication.question is not None
        again = _wait_on(adjudication, pending, set_aside)
        return Done(202, present(save.book, viewer, ShownPending(again)))

    return act


def withdraw(id: str, reason: str, present: Present) -> Act:
    """Take back what waits, with a reason: its declarer while the ledger has rolled nothing for it, or who decides.

    Otherwise a roll that is not liked could be had again by declaring the same once more.
    """

    def act(save: Save) -> Done:
        viewer = _acting(save)
        pending = _visible(save.book, id, viewer)
        if not decides(save.book, viewer):
            if viewer.seat != pending.seat:
                raise NotYours("Only who declared it or a game master can withdraw it.")
            if pending.status == "waiting" and any(map(by_ledger, pending.answers)):
                raise NotYours("The dice have been rolled: only a game master can withdraw it now.", code="dice-rolled")
        pending.must_wait()
        must_say("reason", reason)
        stream = f"{save.book.id}/waiting/{id}"
        save.put(stream, pending.version, Withdrawn(reason), audience=pending.audience)
        save.note("withdrawn", waiting=id)
        gone = replace(pending, status="withdrawn", question=None, reason=reason, version=pending.version + 1)
        return Done(200, present(save.book, viewer, ShownPending(gone)))

    return act


# --- who may ------------------------------------------------------------------------------------------------------


def decides(book: Book, viewer: Viewer) -> bool:
    """Whether the seat may do what is a game master's."""
    return viewer.role == "gm" or (viewer.role == "player" and book.kernel_dials().deciders == "all_players")


def _must_be_declarer(book: Book, do: object, viewer: Viewer, named: Subject | None) -> bool:
    """NotYours unless the seat may declare this. True when whose it is cannot be told: the rules must refuse then."""
    declarer = declared_by(do)
    if viewer.role == "observer":
        raise NotYours("An observer watches; only players and game masters declare.")
    if declarer.who == "anyone" or (declarer.who != "owner" and decides(book, viewer)):
        return False
    if declarer.of is not None:
        table = RulingTable(book.ruleset, book, book.campaign.rulings + 1, viewer, named)
        try:
            whose = declarer.of(table, do)
        except Refused:
            return True
        if whose is None or (declarer.who != "seat" and whose not in book.entry.roster):
            return True
        if (whose == viewer.seat) if declarer.who == "seat" else (whose in viewer.characters):
            return False
    raise NotYours(f"Only {declarer.text} can declare that.")


def must_be_asked(book: Book, question: json_form.Json, declarer: str, viewer: Viewer) -> None:
    """NotYours unless the question is for this seat: who is asked; for dice, who rolls or declared; a game master."""
    if decides(book, viewer) and viewer.may_see(_audience(question)):
        return
    kind, _, id = (question.get("who") or "").partition(":")
    if question.get("ask") == "choice":
        asked = question.get("seat") == viewer.seat
    else:
        asked = viewer.seat == declarer or (id == viewer.seat if kind == "seat" else id in viewer.characters)
    if not asked:
        raise NotYours("Somebody else is asked.")


def _must_be_theirs(book: Book, question: json_form.Json, answer: Answer, viewer: Viewer) -> None:
    """NotYours for a choice that only who is asked can make, or only a game master."""
    if not isinstance(answer, Choice):
        return
    whose = said_by(answer.value)
    if whose == "asked" and question.get("seat") not in (viewer.seat, "gm"):
        raise NotYours(f"Only who is asked can say {kind_of(answer.value)!r}.")
    if whose == "gm" and not decides(book, viewer):
        raise NotYours(f"Only a game master can say {kind_of(answer.value)!r}.")


def _audience(question: json_form.Json) -> Audience:
    audience = question.get("audience")
    return tuple(audience) if audience is not None else None


def typed(answer: Answer) -> Answer:
    """What somebody says is never the ledger's own roll, whatever it says of itself."""
    return answer if isinstance(answer, Choice) else changed(answer, source="table", proof=None)


def by_ledger(given: Given) -> bool:
    """Whether the ledger rolled (drew, shuffled, flipped) it."""
    return rolled_by_ledger(given.answer)


def rolled_by_ledger(answer: json_form.Json) -> bool:
    return any(kind in json_form.ANSWERS and said.get("source") == "ledger" for kind, said in answer.items())


def _acting(save: Save) -> Viewer:
    assert save.viewer is not None
    return save.viewer


def _visible(book: Book, id: str, viewer: Viewer) -> Pending:
    pending = book.pending(id)
    if not viewer.may_see(pending.audience) and viewer.seat != pending.seat:
        book.pending("")
    return pending


def _scene(book: Book, id: str | None) -> Subject | None:
    """The scene named, else the only one open. Refuses `unknown-scene`, `scene-closed`."""
    if id is None:
        return scene(book.entry.scenes[0]) if len(book.entry.scenes) == 1 else None
    if id not in book.entry.scenes:
        known = book.find(scene(id))
        exists = known is not None and known.entry is not None
        raise Refused("ledger.scene", "scene-closed" if exists else "unknown-scene", scene=id)
    return scene(id)


def must_say(name: str, text: str) -> None:
    if not text.strip():
        raise Malformed(f"A {name} is needed.", code=f"{name}-blank")


def _underway(book: Book, apart: str | None) -> tuple[Underway, ...]:
    """What else waits in the campaign, for a rule that asks."""
    others = [book.pending(id) for id in book.campaign.waiting if id != apart]
    return tuple(
        Underway(
            json_form.input_from(book.ruleset, one.declared),
            scene(one.scene) if one.scene is not None else None,
            bool(one.answers),
        )
        for one in others
    )


# --- recording ----------------------------------------------------------------------------------------------------


def record(
    adjudication: Adjudication, verdict: Verdict[object], pending: Pending | None, set_aside: Sequence[Given] = ()
) -> ShownRuling:
    """Put the verdict as the next ruling: its facts, its own stream, the journal's entry."""
    save, number = adjudication.save, adjudication.number
    first = len(save.events)
    addresses = save.facts(Place(number), as_secret_as(verdict))
    stored = save.events[first:]
    ruled = Ruled(
        declared=json_form.input_json(adjudication.do),
        seat=adjudication.declarer.seat,
        role=adjudication.declarer.role,
        plays=tuple(sorted(adjudication.declarer.characters)),
        scene=adjudication.named.id if adjudication.named is not None else None,
        answers=(*adjudication.given, *set_aside),
        edition=save.book.ruleset.edition,
        dials=dict(save.book.entry.dials),
        because=reasons(verdict),
        reads=tuple(sorted(adjudication.table.reads)),
        facts=tuple(addresses),
        waited_as=pending.id if pending is not None else None,
    )
    save.put(f"{save.book.id}/ruling/{number}", 0, ruled, audience=verdict.audience)
    if pending is not None:
        numbered = Numbered(number, ruled.answers)
        save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, numbered, audience=pending.audience)
    for about in verdict.facts:
        if isinstance(about.fact, SessionOpened | SessionClosed):
            begin_epoch(save, about.fact.session if isinstance(about.fact, SessionOpened) else "")
    save.note("ruled", ruling=number, waiting=pending.id if pending is not None else None)
    where = (save.by, save.at, save.session, save.position, verdict.audience)
    ruling = Ruling(number, 1, *where, ruled, "standing", ())
    return ShownRuling(ruling, [event for event in stored if not isinstance(event.body.fact, Leg)])


def reasons(verdict: Verdict[object]) -> tuple[Reason, ...]:
    plain = json_form.plain([(one.given, one.out) for one in verdict.because])
    return tuple(
        Reason(one.rule, given, out, one.audience) for one, (given, out) in zip(verdict.because, plain, strict=True)
    )


def _unfit(pending: Pending, answer: Answer, by: str, at: str) -> Given:
    """An answer to a question that is not asked any more: set aside, and as secret as the question was."""
    question = pending.question or {}
    return Given(question, json_form.answer_json(answer), by, at, _audience(question), set_aside=True)


def as_secret_as(verdict: Verdict[object]) -> Sequence[About[object]]:
    """Its facts; of a ruling that is itself hidden none is more public than it."""
    if verdict.audience is None:
        return verdict.facts
    return [replace(one, audience=verdict.audience) if one.audience is None else one for one in verdict.facts]


def _wait(adjudication: Adjudication, by_ledger: bool) -> Pending:
    save = adjudication.save
    id = f"w{save.position}"
    question = json_form.question_json(adjudication.question)
    scene_id = adjudication.named.id if adjudication.named is not None else None
    dice: Dice = "ledger" if by_ledger else "table"
    declared = Declared(
        json_form.input_json(adjudication.do),
        adjudication.declarer.seat,
        scene_id,
        dice,
        question,
        tuple(adjudication.given),
    )
    save.put(f"{save.book.id}/waiting/{id}", 0, declared)
    save.note("declared", waiting=id)
    return Pending(
        id, 1, save.at, declared.declared, declared.seat, scene_id, dice, declared.answers, question, "waiting", None
    )


def _wait_on(adjudication: Adjudication, pending: Pending, set_aside: Sequence[Given]) -> Pending:
    save = adjudication.save
    answered = Answered((*adjudication.given, *set_aside), json_form.question_json(adjudication.question))
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, answered, audience=pending.audience)
    save.note("answered", waiting=pending.id)
    return pending.answered(answered.answers, answered.question)


def _resume(save: Save, pending: Pending) -> tuple[Adjudication, bool]:
    """The adjudication on the answers so far, and whether it still asks what it asked.

    NotYours when who declared it might not do so any more: a seat that was removed, a character that was handed over.
    """
    book = save.book
    declarer = book.viewer(pending.seat) or Viewer(pending.seat, "player")
    do = json_form.input_from(book.ruleset, pending.declared)
    outlived = pending.scene is not None and outlives_scene(do)
    named = scene(pending.scene or "") if outlived else _scene(book, pending.scene)
    unsure = _must_be_declarer(book, do, declarer, named)
    adjudication = Adjudication(save, do, declarer, named, pending.id, pending.answers)
    if unsure:
        raise NotYours("It is not for the seat that declared this any more.")
    if pending.dice == "ledger":
        adjudication.roll()  # in place of what does not fit any more, so that what was asked may still be asked
    asked = adjudication.question is not None and asks_the_same(
        json_form.question_json(adjudication.question), pending.question or {}
    )
    return adjudication, asked
