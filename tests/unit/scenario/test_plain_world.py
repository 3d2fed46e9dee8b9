"""What runs on threads of the plain interpreter, without any that is held."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from racehound.model.proof import ScenarioText
from racehound.primitives.arrivals import collected
from racehound.scenario.plain_world import Stage, _holds, perform_all, perform_all_async
from racehound.scenario.plan import Plan

if TYPE_CHECKING:
    from racehound.scenario.plain_parts import Result


def fail(subject: object) -> object:
    raise KeyError(subject)


async def wait(subject: object) -> object:
    await asyncio.sleep(0)
    return subject


def test_what_an_operation_raises_ends_its_task() -> None:
    results: list[Result] = []

    perform_all([str, fail, str], 1, results)
    perform_all([str], 1, results)

    assert [kind for kind, _ in results] == ["returned", "raised"]


def test_the_same_holds_for_coroutines() -> None:
    results: list[Result] = []

    asyncio.run(perform_all_async([wait, str, fail, str], 1, results=results, turns=1))

    assert [value for kind, value in results if kind == "returned"] == [1, "1"]
    assert len(results) == 3


@pytest.mark.parametrize(("invariant", "holds"), [(fail, False), (bool, True), (lambda _: None, True)])
def test_invariant_that_cannot_be_asked_does_not_hold(invariant: object, holds: bool) -> None:
    assert _holds(invariant, 1) is holds  # type: ignore[arg-type]  # of several kinds


def test_places_of_coroutines_are_those_at_which_they_wait() -> None:
    plan = Plan(make=int, tasks=[[wait]], text=ScenarioText(setup="int()", prefix=(), tasks=(("wait",),)))
    stage, seen = Stage(plan), []

    async def look(subject: object) -> None:
        assert subject == 0
        seen.extend(stage.where(here=True))

    stage.set()
    stage.run([look, wait])

    assert {path for path, _ in seen} >= {__file__}
    assert stage.where(here=False) == []


def test_what_is_no_coroutine_is_collected_as_ever() -> None:
    one = wait(None)

    assert type(collected([1, 2])) is set
    assert list(collected([one, 1])) == [one, 1]
    one.close()
