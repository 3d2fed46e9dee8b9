"""A counterexample has no more switches than its failure needs."""

from racehound import explore
from racehound.model.schedule import Schedule, TaskId
from racehound.scenario.shrink import joined_schedules


def test_turn_is_joined_with_the_next_and_with_the_previous_one_of_its_task() -> None:
    schedule = Schedule(tuple(TaskId(task) for task in (0, 0, 1, 0, 1)))

    assert list(joined_schedules(schedule)) == [
        [(1, 1), (0, 3), (1, 1)],
        [(0, 2), (0, 1), (1, 2)],
        [(0, 3), (1, 1), (1, 1)],
        [(0, 2), (1, 2), (0, 1)],
    ]


class Chain:
    """Fails only if each task comes in between two steps of the other, twice."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.noise = 0

    def first(self) -> None:
        for _ in range(2):
            self.noise = len(self.steps)
            self.steps.append("a")

    def second(self) -> None:
        for _ in range(2):
            self.noise = len(self.steps)
            self.steps.append("b")


def test_failure_that_needs_several_switches_keeps_those_alone() -> None:
    result = explore(
        setup=Chain,
        workers=[Chain.first, Chain.second],
        invariant=lambda chain: chain.steps != ["a", "b", "a", "b"],
        strategy="pos",
    )

    assert result.verdict == "race"
    assert sum(step.switch for step in result.timeline) == 3
