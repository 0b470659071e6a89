"""Which rulings rest on what a viewer may not know: told from what they look at, never from how they come out. Pure.

Every past is folded a second time as the viewer may know it: what a fact hidden from him changed is veiled there.
A ruling adjudicated on it, or its answers, either never looks behind a veil, and then comes out as it does for
everybody, or it does, and then nothing is said of how it comes out: alike for every value of what is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from ledger.rules.kernel import facts, json_types
from ledger.rules.kernel.adjudication import Failed
from ledger.rules.kernel.comparison import Known, Other
from ledger.rules.kernel.fold import KERNEL_FACTS, Folded, Recorded
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.purses import owners
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, Viewer
from ledger.rules.kernel.world import Past, PastRuling, Revision

#: What a ruling reads of the campaign's entry, beside the campaign itself.
OF_THE_CARD = frozenset({"campaign", "dials", "session", "characters", "scenes"})


MOST_KEPT = 100_000


class Veiled(BaseException):
    """A rule looked behind a veil. No rule, and nothing that listens for what rules break on, catches it."""


class Veil:
    """Stands for what is hidden. It can be passed on; whoever looks at it in any way raises Veiled."""

    __slots__ = ()

    def _look(self, *_: object) -> NoReturn:
        raise Veiled

    __getattribute__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = _look
    __iter__ = __len__ = __getitem__ = __contains__ = __call__ = __int__ = __index__ = __float__ = _look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = __neg__ = __abs__ = _look
    __and__ = __or__ = __ror__ = __rand__ = __str__ = __repr__ = __format__ = _look


VEIL: Final[object] = Veil()


class Bare:
    """States with nothing where there is a veil: whether something is None can be asked without looking at it.

    What has no veil in it is the very same. What was bared once is kept: states share most of what they hold.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object]] = {}

    def __call__(self, node: object) -> object:
        if node is VEIL:
            return None
        names = getattr(type(node), "__dataclass_fields__", ())
        if not names and not isinstance(node, dict | tuple):
            return node
        known = self._known.get(id(node))
        if known is None:
            if len(self._known) > MOST_KEPT:
                self._known.clear()
            known = self._known[id(node)] = (node, self._bared(node, names))
        return known[1]

    def _bared(self, node: Any, names: Iterable[str]) -> Any:
        if names:
            inner = {name: getattr(node, name) for name in names}
            other = {name: self(one) for name, one in inner.items()}
            return changed(node, **other) if any(other[name] is not inner[name] for name in inner) else node
        if isinstance(node, dict):
            there = {name: self(one) for name, one in node.items()}
            return there if any(there[name] is not one for name, one in node.items()) else node
        items = [self(one) for one in node]
        if all(one is other for one, other in zip(items, node, strict=True)):
            return node
        return type(node)(*items) if hasattr(node, "_fields") else tuple(items)


def veiled(before: Any, after: Any, shown: Any, ruling: int) -> object:
    """`shown` after something hidden turned `before` into `after`: what it changed is veiled, and no more.

    Things made by the ruling have ids that follow from its number: that they are there is no secret, what they are is.
    """
    if before is after or shown is VEIL:
        return shown
    if type(before) is not type(after) or type(shown) is not type(after):
        return VEIL
    if hasattr(type(after), "__dataclass_fields__"):
        names = [name for name in type(after).__slots__ if name != "adrift"]
        return changed(
            shown,
            **{
                name: veiled(getattr(before, name), getattr(after, name), getattr(shown, name), ruling)
                for name in names
            },
        )
    if isinstance(after, dict):
        return _veiled_names(before, after, shown, ruling)
    if isinstance(after, tuple) and len(before) == len(after) == len(shown):
        return tuple(veiled(*three, ruling) for three in zip(before, after, shown, strict=True))
    return shown if before == after else VEIL


def _veiled_names(
    before: dict[object, object], after: dict[object, Any], shown: dict[object, object], ruling: int
) -> object:
    new = {name: VEIL for name in after if name not in before}
    for name in new:
        if isinstance(after[name], dict) and (inside := _veiled_names({}, after[name], {}, ruling)) is not VEIL:
            new[name] = inside
        elif str(name).partition("-")[0] != str(ruling):
            return VEIL
    if any(name not in after or name not in shown for name in before):
        return VEIL
    return {**{name: veiled(was, after[name], shown[name], ruling) for name, was in before.items()}, **new}


def unveiled(shown: Any, real: Any, now: Any) -> Any:
    """`real`, a state of another past, with what is veiled in it as it is `now`, which can be looked at as ever.

    Veiled where there is no such thing now.
    """
    if shown is VEIL:
        if now is VEIL:  # there is none
            raise Veiled
        return now
    if shown is real:
        return real
    if names := getattr(type(shown), "__dataclass_fields__", ()):
        if type(now) is not type(shown):
            raise Veiled
        return changed(
            real, **{name: unveiled(getattr(shown, name), getattr(real, name), getattr(now, name)) for name in names}
        )
    if isinstance(shown, dict):
        there = now if isinstance(now, dict) else {}
        return {name: unveiled(one, real[name], there.get(name, VEIL)) for name, one in shown.items() if name in real}
    if isinstance(shown, tuple) and isinstance(now, tuple) and len(shown) == len(now) == len(real):
        return tuple(unveiled(*three) for three in zip(shown, real, now, strict=True))
    return real


class _Purse(dict[str, int]):
    """Balances as they are, but those that something hidden moved."""

    def __init__(self, real: Folded[Any]) -> None:
        self.real = real
        self.hidden: set[str] = set()

    def get(self, account: str, default: Any = None) -> Any:
        return VEIL if account in self.hidden else self.real.purse.get(account, default)


class AsKnown:
    """A past as one viewer may know it, told along with the past itself. Serves as `Subjects` of a table."""

    def __init__(self, past: Past, viewer: Viewer) -> None:
        self.past = past
        self.viewer = viewer
        self.shown: dict[Subject, Folded[Any]] = {}
        self.bare = Bare()
        self.posted: set[Subject] = set()
        self.unsure: set[tuple[str, int, int]] = set()
        self._found_veiled = False

    def find(self, subject: Subject) -> Folded[Any] | None:
        real = self.past.find(subject)
        shown = self.shown.get(subject)
        if real is not None and shown is not None:
            self._found_veiled = True
            shown.entry = real.entry
            return shown
        return real

    def seats(self) -> Sequence[Subject]:
        return self.past.seats()

    def tell(
        self,
        facts: Iterable[tuple[Subject, Recorded]],
        *,
        hidden: bool = False,
        otherwise: Collection[Subject] = (),
    ) -> None:
        """Those of the facts that stand in the past. `hidden`: all of them, whatever their audience.

        `otherwise`: subjects to which something hidden may do here what nobody saw it do (`Ruleset.bears_on`).
        """
        for subject, done in facts:
            if self.past.revisions.get(done.ruling, 0) == done.revision:
                secret = hidden or not self.viewer.may_see(done.audience)
                before = self.past.told(subject).copy() if secret or subject in self.shown else None
                self.past.tell(((subject, done),))
                if before is not None:
                    self._take(subject, done, before, secret=secret)
                if secret and subject in otherwise:
                    self._bear_on(subject, done)

    def _take(self, subject: Subject, done: Recorded, before: Folded[Any], *, secret: bool) -> None:
        real = self.past.folded[subject]
        shown = self.shown.get(subject)
        if shown is None:
            shown = self.shown[subject] = before
            shown.purse = _Purse(real)
        assert isinstance(shown.purse, _Purse)
        if secret:
            shown.purse.hidden |= {account for one in done.postings for account in (one.source, one.target)}
        try:
            shown.state = _hidden(shown.state, before, real, done) if secret else _open(shown, done, self.bare)
        except Veiled:
            self.unsure.add((str(subject), done.ruling, done.step))
            shown.state = veiled(before.state, real.state, shown.state, done.ruling)

    def _bear_on(self, subject: Subject, done: Recorded) -> None:
        """What it may change is veiled, whether it does or not; and what is posted of that."""
        names = self.ruleset.bears_on.get(type(done.fact), ())
        shown = self.shown[subject]
        if names and shown.state is not VEIL:
            shown.state = changed(shown.state, **dict.fromkeys(names, VEIL))
            self.posted.add(subject)

    def bears_alike(self, now: AsKnown, subject: Subject) -> bool:
        """Whether hidden facts do to the subject here what they did to it now, for all to see."""
        one, two = self.past.told(subject).state, now.past.told(subject).state
        names = {name for those in self.ruleset.bears_on.values() for name in those if hasattr(one, name)}
        return subject not in self.posted and all(getattr(one, name) == getattr(two, name) for name in names)

    def rests(self, ruling: PastRuling) -> bool:
        """Whether the ruling, adjudicated here, looks at what the viewer may not know, or at whether it is there."""
        self._found_veiled = False
        try:
            replayed = _replayed(self, ruling)
            if isinstance(replayed.outcome, Failed):  # rules that are sound break on a veil only
                return True
            repr(getattr(replayed.outcome, "context", replayed.outcome))  # it may carry what nobody looked at
            if self._found_veiled and not _alike(replayed.outcome, _replayed(_Bare(self), ruling).outcome):
                return True
        except Veiled:
            return True
        asked = [question for question, _ in replayed.heard]
        asked += [question] if (question := getattr(replayed.outcome, "question", None)) is not None else []
        return any(not self._hears(question) for question in asked)

    @property
    def ruleset(self) -> Any:
        return self.past.ruleset

    def _hears(self, question: Any) -> bool:
        return self.viewer.may_see(question.audience) or getattr(question, "seat", None) == self.viewer.seat


class _Bare:
    """What is known, with nothing where something is hidden."""

    def __init__(self, known: AsKnown) -> None:
        self.known = known
        self.ruleset = known.ruleset

    def find(self, subject: Subject) -> Folded[Any] | None:
        found = self.known.find(subject)
        if found is None or subject not in self.known.shown:
            return found
        other: Folded[Any] = found.copy()
        other.state, other.purse = self.known.bare(found.state), found.purse
        return other

    def seats(self) -> Sequence[Subject]:
        return self.known.seats()


def _replayed(subjects: Any, ruling: PastRuling) -> Any:
    return Past.replayed(subjects, ruling)[0]


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, Refused):
        return one.same_as(other) and one.context == other.context
    return bool(one == other)


def _hidden(shown: Any, before: Folded[Any], real: Folded[Any], done: Recorded) -> Any:
    if isinstance(done.fact, facts.Amended):  # whatever the value: it may be the one that was there
        return changed(shown, **{json_types.pointer(done.fact.field)[0]: VEIL})
    return veiled(before.state, real.state, shown, done.ruling)


def _open(shown: Folded[Any], done: Recorded, bare: Bare) -> Any:
    if isinstance(done.fact, facts.Amended):
        try:
            return json_types.replace_at(shown.state, done.fact.field, done.fact.value)
        except json_types.Misshapen:
            return shown.state
    if type(done.fact) in KERNEL_FACTS:
        return shown.state
    try:
        after = shown.ruleset.apply(shown.state, done.fact)
        bared, other = bare(after), shown.ruleset.apply(bare(shown.state), done.fact)
    except Exception:  # noqa: BLE001  (what is made of a veil, or of nothing where something always was)
        raise Veiled from None
    if len(after.adrift) != len(other.adrift):
        raise Veiled
    return after if other == bared else veiled(bared, other, after, done.ruling)


# --- two pasts ----------------------------------------------------------------------------------------------------


def known_of(
    beginning: Callable[[], Past],
    rulings: Iterable[PastRuling],
    now: Standing,
    other: Other,
    reruled: Iterable[Revision] | None,
    viewer: Viewer,
    undeclared: Callable[[int], bool],
    rests_now: dict[int, bool],
) -> Known:
    """What the viewer may know of how both pasts compare. Nothing is said of later rulings that read what may be
    otherwise, and what is hidden.

    `beginning`: the campaign before its first ruling. `undeclared`: whether the viewer may not know what was declared.
    `reruled`: those that are ruled or counted again in the other past; None: nobody looked. `rests_now`: which rest on
    what is hidden as things stand, as far as that was found; filled in.
    """
    known, then = AsKnown(beginning(), viewer), AsKnown(beginning(), viewer)
    known.past, then.past = known.past.branch(now), then.past.branch(other.standing, other.held)
    walk = _Walk(known, then, other, reruled, undeclared, rests_now)
    for ruling in rulings:
        walk.tell(ruling)
    return Known(
        frozenset(walk.found),
        frozenset(walk.otherwise),
        frozenset(walk.dirty),
        then.shown,
        frozenset(then.posted),
        frozenset(known.unsure | then.unsure),
    )


class _Walk:
    def __init__(
        self,
        now: AsKnown,
        then: AsKnown,
        other: Other,
        reruled: Iterable[Revision] | None,
        undeclared: Callable[[int], bool],
        rests_now: dict[int, bool],
    ) -> None:
        self.rests_now = rests_now
        self.now, self.then = now, then
        self.other = other
        self.undeclared = undeclared
        self.counts = other.counts and reruled is None
        self.reruled = {one.number: one for one in reruled or ()}
        self.dirty = set(OF_THE_CARD) if other.held else set[str]()
        self.anywhere = False
        self.found: set[int] = set()
        self.otherwise: set[int] = set()

    def tell(self, ruling: PastRuling) -> None:
        self.now.tell(ruling.before)
        self.then.tell(ruling.before)
        number, past = ruling.number, self.then.past
        anew: Revision | None = self.other.revised.get(number) or self.reruled.get(number) or self._counted(ruling)
        if self._may_be_otherwise(ruling):
            self.otherwise.add(number)
            if self._rests(ruling):
                self.found.add(number)
        hidden = number in self.found
        counts = self._may_count(ruling)
        if anew is not None:
            past.revisions[number] = anew.revision
        facts = ruling.facts if anew is None else anew.facts
        ruled_again = anew is not None and not anew.counted
        subjects = {subject for subject, _ in facts}
        other = {one for one in subjects if ruled_again or not self.then.bears_alike(self.now, one)}
        self.now.tell(ruling.facts)
        self.then.tell(facts, hidden=hidden and ruled_again, otherwise=other)
        differs = not self._stands_in_both(number)
        self.anywhere |= differs and self.undeclared(number)  # whom it is about is not told either
        if anew is not None or counts or (hidden and self.other.rerule) or differs:
            self._may_differ((*ruling.facts, *(anew.facts if anew is not None else ())))

    def _counted(self, ruling: PastRuling) -> Revision | None:
        """As it is counted again in the other past, if it is."""
        if not self.counts or not self.then.past.stands(ruling.number):
            return None
        touched = any(str(subject) in self.dirty for subject, _ in ruling.facts)
        gone = not self.now.past.stands(ruling.number)
        return self.then.past.recounted(ruling) if touched or gone else None

    def _may_count(self, ruling: PastRuling) -> bool:
        """Whether it may be counted again for what is hidden: whether it is, would tell of that."""
        ruleset = self.then.ruleset
        if not self.other.counts or not ruleset.derived or not self.then.past.stands(ruling.number):
            return False
        subjects = {subject for subject, _ in ruling.facts}
        return any(not self.then.bears_alike(self.now, subject) for subject in subjects)

    def _may_be_otherwise(self, ruling: PastRuling) -> bool:
        number = ruling.number
        later = self.now.past.stands(number) and self.then.past.stands(number) and number not in self.other.revised
        return later and (self.anywhere or not self.dirty.isdisjoint(ruling.reads))

    def _rests(self, ruling: PastRuling) -> bool:
        number = ruling.number
        if number not in self.rests_now:
            self.rests_now[number] = self.undeclared(number) or self.now.rests(ruling)
        return self.rests_now[number] or self.then.rests(ruling)

    def _stands_in_both(self, number: int) -> bool:
        return self.now.past.revisions.get(number, 0) == self.then.past.revisions.get(number, 0)

    def _may_differ(self, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        for subject, done in facts:
            touched = [subject, *owners(done.postings)]
            self.dirty |= set(map(str, touched))
            if CAMPAIGN in touched:
                self.dirty |= OF_THE_CARD


def hides(facts: Mapping[int, Iterable[tuple[Subject, Recorded]]], viewer: Viewer, heard: Iterable[Audience]) -> bool:
    """Whether anything was recorded, or asked, that the viewer may not know: else nothing rests on such."""
    return not all(map(viewer.may_see, heard)) or not all(
        viewer.may_see(done.audience) for told in facts.values() for _, done in told
    )
