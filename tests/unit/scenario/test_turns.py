from racehound.model.proof import Step
from racehound.scenario.turns import TRIES, VISIBLE, Turn, choices_of_stops, turns_of


def step(task: int, line: int, operation: str = "read") -> Step:
    return Step(
        task=task, path="a.py", line=line, source="", operation=operation, target="", value="", switch=False
    )


def test_a_task_is_held_before_what_it_does_after_the_others() -> None:
    timeline = [step(0, 1), step(0, 2), step(1, 1), step(0, 3, "write"), step(1, 4)]

    assert turns_of(timeline) == [Turn(0, "a.py", 3, "write"), Turn(1, "a.py", 4, "read"), Turn(0), Turn(1)]


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
