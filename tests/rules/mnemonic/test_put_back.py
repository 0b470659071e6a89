"""What is put back after something took its place, and what stands when what it rested on was struck."""

from __future__ import annotations

from ledger.rules.kernel.subjects import character, scene
from ledger.rules.kernel.world import Past
from ledger.rules.mnemonic.checks import EnterRoll, RuleFluke
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.traits import TraitName
from tests.rules.mnemonic.game import Game


def test_a_roll_put_back_counts_and_not_the_one_made_in_its_place():
    game = Game()
    check = game.injury()
    first = game.number
    game.declare(EnterRoll(check, numbers=(4,)))
    game.past = game.without(first).then
    second = game.number
    game.declare(EnterRoll(check, numbers=(12,)))
    assert game.character(game.hero).condition == "unconscious"
    back = told_again(game)
    assert (
        back.told(character(game.hero)).state.level,
        back.told(character(game.hero)).state.condition,
    ) == (3, None)
    rolled = back.told(scene(game.place)).state.board.checks.find(check)
    assert (rolled.rolled.faces, rolled.resolved.successes) == ((4,), 3)
    assert {ruling for ruling, _ in back.told(scene(game.place)).adrift} == {second}
    assert {ruling for ruling, _ in back.told(character(game.hero)).adrift} == {second}


def told_again(game: Game) -> Past:
    """The whole history, with nothing overturned."""
    past = game.beginning()
    for ruling in game.history:
        past.tell(ruling.facts)
    return past


def test_who_was_brought_in_twice_stays_when_one_of_the_two_is_struck():
    game = Game()
    session = game.session()
    first = game.number
    game.declare(TakePart((game.hero,), session))
    game.declare(TakePart((game.hero, game.hero)))
    assert game.character(game.hero).sessions == 1
    assert game.without(first).then.told(character(game.hero)).state.sessions == 1
    assert game.refused(TakePart(("99",))) == "unknown-character"


def test_a_death_told_of_the_dead_kills_nobody_again():
    game = Game(flukes__on=True)
    check = game.check(game.goon, life_or_death=True, traits=(TraitName("talent", "Tough"), TraitName("primary")))
    game.declare(EnterRoll(check, numbers=(12, 12, 12)))
    game.declare(RuleFluke(check, True))
    killed = game.number
    game.declare(NarrateConsequence(check, "It goes off.", game.hero))
    again = game.declare(NarrateConsequence(check, "And off.", game.hero))
    assert [about.fact.death for about in again.facts] == [game.hero], "told, and nothing else"
    rows = {row.number: row.standpoint for row in game.without(killed).rows}
    assert rows[killed + 1] == "changes", "without the first it is the second that kills"


def test_all_about_who_was_never_enrolled_is_adrift():
    """Nothing of it counts, and nothing is lost: it stands again when the enrolment does."""
    game = Game(feather__mode="hybrid")
    game.session()
    game.assign(player=7)
    game.hurt_to(3)
    game.recover(4)
    hero, enrolled = character(game.hero), int(game.hero)
    later = [one for subject, one in game.told() if subject == hero and one.ruling != enrolled]
    folded = game.fold(hero, struck=[enrolled])
    assert folded.state == Character(adrift=tuple(one.fact for one in later))
    assert folded.adrift == [(one.ruling, one.step) for one in later]
    assert len({type(one.fact) for one in later}) == 7
