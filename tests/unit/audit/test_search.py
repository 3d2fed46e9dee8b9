"""A suspicion becomes a violation only when the same schedule breaks again."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import pytest

from drivers.audited import BOTH, ONE, OTHER, a_run, a_serial
from racehound.audit.budget import Budget
from racehound.audit.ending import Ending
from racehound.audit.request import Progress
from racehound.audit.sampling import _count
from racehound.audit.schedule import Schedule
from racehound.audit.search import Conflict, Search, Tally, different
from racehound.audit.serial import Order
from racehound.audit.tokens import Recipe
from racehound.cli.commands.audit import watching
from racehound.model.audit import Harm
from racehound.processes.calls import Point
from racehound.processes.outcome import Interleaving
from racehound.processes.sandbox import OutOfTime

if TYPE_CHECKING:
    from racehound.audit.stage import Stage

SCHEDULE = Schedule(Point("rename", "work/c.json"))
RECIPE = Recipe(first="a", second="b", setup=(), view=None)


class ScriptedStage:
    """Gives the outcomes of schedules, one after the other; serial runs give what `serial` says."""

    pace = 1000.0

    def __init__(
        self,
        *outcomes: Mapping[str, str] | None,
        serial: Mapping[str, str] = BOTH,
        later: Mapping[str, str] | None = None,
        waited: bool = False,
    ) -> None:
        self.outcomes = list(outcomes)
        self.serial = serial
        self.later = later
        self.waited = waited

    def order(self, *, exchanged: bool) -> Order:
        alone = OTHER if exchanged else ONE
        left = self.later if self.later is not None and len(self.outcomes) == 0 else self.serial
        return Order(alone=alone, ending=Ending(0, 0, left), first=a_run(), second=a_run())

    def interleaved(self, schedule: Schedule, *, drawn: bool) -> tuple[Ending, Interleaving]:
        del drawn
        entries = self.outcomes.pop(0)
        status = 0 if entries is not None else None
        meeting = Interleaving(
            first=a_run(),
            second=a_run(status, ended=status == 0),
            reached=True,
            second_waited=self.waited,
            steps=(),
        )
        return Ending(0, status, entries or {}), meeting


def searched(stage: ScriptedStage, *, schedules: int = 1, rounds: int | None = None) -> Tally:
    search = Search("pair", cast("Stage", stage), a_serial(), RECIPE, Tally())
    search.run([SCHEDULE] * schedules, Budget(60.0, rounds), lambda *_: None)
    return search.tally


def test_harm_to_a_call_that_waited_has_to_come_a_third_time() -> None:
    assert searched(ScriptedStage(ONE, ONE, ONE, waited=True)).violations
    assert searched(ScriptedStage(ONE, ONE, BOTH, waited=True)).unstable == 1


def test_harm_that_comes_again_is_a_violation() -> None:
    tally = searched(ScriptedStage(ONE, ONE))

    assert [violation.what for violation in tally.violations] == [Harm.LOST_UPDATE]
    assert tally.violations[0].token.startswith("rh1-")


def test_harm_that_does_not_come_again_is_counted_as_unconfirmed() -> None:
    tally = searched(ScriptedStage(ONE, BOTH))

    assert (tally.violations, tally.unstable, tally.serial) == ([], 1, 1)


def test_what_a_later_look_at_the_serial_orders_explains_is_no_harm() -> None:
    """As with a clock that moved between the first serial runs and the schedule."""
    moved = {**BOTH, "work/c.json: a": "2"}
    tally = searched(ScriptedStage({**BOTH, "work/c.json: a": "3"}, serial=moved))

    assert (tally.violations, tally.unstable, tally.serial) == ([], 0, 1)


def test_what_comes_twice_and_is_drawn_by_chance_is_no_harm() -> None:
    """As with a coin that fell the same way in the first serial runs, and the other way in both schedules."""
    tails = {**BOTH, "work/c.json: a": "tails"}
    tally = searched(ScriptedStage(tails, tails, later=tails))

    assert (tally.violations, tally.unstable, tally.serial) == ([], 1, 1)


def test_a_pair_that_hangs_twice_is_left_alone() -> None:
    tally = searched(ScriptedStage(None, None, None, None), schedules=9)

    assert [violation.what for violation in tally.violations] == [Harm.STUCK, Harm.STUCK]
    assert tally.schedules == 2


def test_who_hangs_twice_needs_no_third_time() -> None:
    assert [item.what for item in searched(ScriptedStage(None, None, waited=True)).violations] == [Harm.STUCK]


def test_harm_is_not_decided_where_all_time_is_over_before_it_comes_again() -> None:
    class EndingStage(ScriptedStage):
        def order(self, *, exchanged: bool) -> Order:
            raise OutOfTime

    search = Search("pair", cast("Stage", EndingStage(ONE)), a_serial(), RECIPE, Tally())
    with pytest.raises(OutOfTime):
        search.attempt(SCHEDULE)

    assert (search.tally.unconfirmed, search.tally.violations) == ([1], [])


def test_a_limit_of_rounds_ends_the_search() -> None:
    assert searched(ScriptedStage(BOTH, BOTH), schedules=9, rounds=2).schedules == 2


def test_time_that_is_over_ends_the_search_once_something_is_broken() -> None:
    search = Search("pair", cast("Stage", ScriptedStage(ONE, ONE, BOTH)), a_serial(), RECIPE, Tally())

    search.run([SCHEDULE] * 2, Budget(0.0), lambda *_: None, least=2)

    assert (search.tally.schedules, len(search.tally.violations)) == (1, 1)


@pytest.mark.parametrize(
    ("seconds", "outcome", "unconfirmed"),
    [
        (2900, ONE, [1]),  # two serial orders and the schedule once more would take 3,000 seconds
        (3500, ONE, []),
        (3500, {**BOTH, "work/new": ""}, [1]),  # further serial orders are needed for what none of them had
    ],
)
def test_harm_that_there_is_no_time_to_see_again_is_not_decided(
    seconds: float, outcome: Mapping[str, str], unconfirmed: list[int]
) -> None:
    stage = ScriptedStage(outcome, outcome)
    search = Search("pair", cast("Stage", stage), a_serial(), RECIPE, Tally(), Budget(seconds))

    search.run([SCHEDULE], Budget(60.0), lambda *_: None)

    assert search.tally.unconfirmed == unconfirmed
    assert bool(search.tally.violations) is not bool(unconfirmed)


def test_a_budget_says_what_was_spent() -> None:
    assert Budget(0.0).why_spent == "the time of 0 seconds"
    assert Budget(9.0, rounds=1, done=1).why_spent == "the limit of 1 schedules"
    assert Budget(9.0).part(0.5, step=1.0).rounds is None
    assert Budget(9.0).part(0.5, step=1.0, reserve=8.0).is_spent
    assert not Budget(9.0).time(0.5, step=1.0).is_spent
    assert Budget(9.0).time(0.5, step=5.0).is_spent


def test_refusals_and_serial_outcomes_of_random_races_are_counted() -> None:
    tally = Tally()
    _count(tally, refused=True)
    _count(tally, refused=False)

    assert (tally.refused, tally.serial) == (1, 1)


def test_progress_is_shown_where_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with watching() as watch:
        watch(Progress("serial", 0, 0))
        watch(Progress("sibling keys", 1, 4))
        watch(Progress("sibling keys", 2, 4))


def test_what_a_refused_call_says_is_asked_again_where_one_switch_is_enough() -> None:
    twice = Conflict(Schedule(SCHEDULE.point, then=(SCHEDULE.point,)), 1, a_run(1, stderr="held"))
    once = Conflict(SCHEDULE, 1, a_run(1, stderr="held"))
    other = Conflict(SCHEDULE, 1, a_run(1, stderr="locked"))

    assert different([twice, once, once, other]) == [once, other]
    assert different([twice]) == [twice]
