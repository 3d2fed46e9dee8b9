import inspect
import threading
from dataclasses import replace

import pytest

from racehound.model.proof import Birth, Step
from racehound.scenario.turns import TRIES, VISIBLE, Turn, choices_of_stops, script_of, turns_of


def step(task: int, line: int, operation: str = "read") -> Step:
    return Step(
        task=task, path="a.py", line=line, source="", operation=operation, target="", value="", switch=False
    )


def test_a_task_is_held_before_what_it_does_after_the_others() -> None:
    timeline = [step(0, 1), step(0, 2), step(1, 1), step(0, 3, "write"), step(1, 4)]

    assert turns_of(timeline) == [Turn(0, "a.py", 3, "write"), Turn(1, "a.py", 4, "read"), Turn(0), Turn(1)]


@pytest.mark.parametrize(
    ("source", "kinds"),
    [("c.wait()", ("release", "wait")), ("c.wait(1)", ("release", "wait")), ("c.wait()", ("wait", "acquire"))],
)
def test_who_waits_for_a_condition_is_held_where_it_would_sleep(source: str, kinds: tuple[str, str]) -> None:
    before, after = (replace(step(0, 3, kind), source=source, target="c.wait") for kind in kinds)

    turn = turns_of([before, step(1, 1), after])[0]

    lines, first = inspect.getsourcelines(threading.Condition.wait)
    assert turn.path == threading.__file__
    assert "waiter.acquire(" in lines[turn.line - first]
    assert ("timeout" in lines[turn.line - first]) == ("1" in source)


def test_likely_instructions_are_tried_first() -> None:
    turns = [Turn(0, "a.py", 3, "write"), Turn(1)]
    names = ["LOAD_ATTR", "BINARY_OP", "STORE_ATTR"]

    assert list(choices_of_stops(turns, [names, []])) == [(3, 0), (1, 0), (2, 0)]


def test_calls_are_where_locks_are_taken() -> None:
    turns = [Turn(0, "a.py", 3, "acquire")]

    assert next(choices_of_stops(turns, [["LOAD_ATTR", "BEFORE_WITH"]])) == (2,)


def test_choices_are_limited() -> None:
    turns = [Turn(0, "a.py", 3, "read")] * 4

    assert len(list(choices_of_stops(turns, [["LOAD_ATTR"] * 30] * 4))) == TRIES


def test_instructions_of_this_interpreter_are_known() -> None:
    assert {"LOAD_ATTR", "STORE_ATTR", "CALL"} <= VISIBLE


def birth(task: int, parent: int, *, begun: int = 0, shares_thread: bool = False) -> Birth:
    return Birth(task=task, parent=parent, shares_thread=shares_thread, begun=begun)


def test_who_starts_others_comes_before_them() -> None:
    script = script_of([step(1, 1), step(2, 5), step(1, 2)], [birth(2, 0)])

    assert [turn.task for turn in script.turns] == [1, 0, 2, 1]
    assert script.children == {0: [2]}


def test_threads_begin_in_the_order_in_which_they_took_their_work() -> None:
    script = script_of([step(0, 1), step(3, 5), step(2, 5)], [birth(2, 0, begun=1), birth(3, 0, begun=1)])

    assert script.turns == (Turn(0), Turn(2, "a.py", 5, "read"), Turn(3), Turn(2))


def test_coroutines_have_the_turns_of_their_thread() -> None:
    shared = [birth(0, 2, shares_thread=True), birth(3, 2, shares_thread=True), birth(4, 3)]
    steps = [step(0, 1), step(3, 2), step(1, 3), step(0, 4), step(4, 5)]

    script = script_of(steps, shared)

    assert script.turns == (Turn(2, "a.py", 4, "read"), Turn(1), Turn(2), Turn(4))
    assert script.children == {2: [4]}


def test_what_a_function_of_the_library_does_is_a_call_on_its_line() -> None:
    inside = Step(
        task=0, path="a.py", line=3, source="q.put(1)", operation="write", target="q.put", value="", switch=False
    )

    assert turns_of([step(0, 1), step(1, 1), inside])[0] == Turn(0, "a.py", 3, "call")
