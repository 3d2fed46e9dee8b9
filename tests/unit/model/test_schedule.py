import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racehound.errors import UsageError
from racehound.model.schedule import Schedule, TaskId, decode_token, encode_token

SCHEDULES = st.lists(st.integers(0, 5).map(TaskId), min_size=1).map(lambda choices: Schedule(tuple(choices)))
PAYLOADS = st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.integers()))


@given(SCHEDULES)
def test_schedule_comes_back_from_json_as_it_was(schedule: Schedule) -> None:
    assert Schedule.from_json(json.loads(json.dumps(schedule.to_json()))) == schedule


def test_empty_schedule_comes_back_from_json_as_it_was() -> None:
    assert Schedule.from_json(Schedule(()).to_json()) == Schedule(())


@given(PAYLOADS)
def test_token_comes_back_as_the_payload_it_was_made_of(payload: dict[str, object]) -> None:
    token = encode_token(payload)

    assert token.startswith("rh1-")
    assert decode_token(f"  {token}\n") == payload


def test_switches_are_the_steps_at_which_another_task_goes_on() -> None:
    schedule = Schedule(tuple(map(TaskId, (0, 0, 1, 1, 0))))

    assert schedule.switches == ((0, 0), (2, 1), (4, 0))


def test_text_of_a_schedule_grows_with_its_switches_not_with_its_length() -> None:
    short = Schedule((TaskId(0),) * 10).to_json()
    long = Schedule((TaskId(0),) * 10_000).to_json()

    assert short["switches"] == long["switches"]


@pytest.mark.parametrize(
    "data", [{}, {"length": "two", "switches": []}, {"length": 2}, {"length": 10**12, "switches": [[0, 0]]}]
)
def test_something_else_is_not_taken_for_a_schedule(data: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="not a schedule"):
        Schedule.from_json(data)


@pytest.mark.parametrize("switches", [[1], [[0]], [["a", "b"], [1, 2]], [], [[1, 0]], [[0, 1], [5, 0]]])
def test_switches_of_another_shape_are_not_taken_for_a_schedule(switches: list[object]) -> None:
    with pytest.raises(UsageError, match="not a schedule"):
        Schedule.from_json({"length": 2, "switches": switches})


@pytest.mark.parametrize("token", ["", "rh1-", "rh1-%%%", "hello", encode_token({})[:-4], "rh1-eNqLjgUAARUAuQ"])
def test_something_else_is_not_taken_for_a_token(token: str) -> None:
    with pytest.raises(UsageError, match="not a racehound token"):
        decode_token(token)
