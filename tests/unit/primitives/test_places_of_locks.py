"""A lock is given back where it was taken, whoever has named it meanwhile."""

import threading

from racehound import explore
from racehound.model.proof import Step


class Store:
    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.items: list[int] = []

    def put(self) -> None:
        with self.changed:
            self.items.append(1)
            self.changed.notify_all()

    def take(self) -> int:
        with self.changed:
            if not self.items:
                self.changed.wait()
            return self.items.pop()


def _sources(timeline: tuple[Step, ...], operation: str) -> list[tuple[int, str]]:
    return [(step.task, step.source.splitlines()[0]) for step in timeline if step.operation == operation]


def test_condition_is_left_where_it_was_entered_by_each_task() -> None:
    result = explore(setup=Store, workers=[Store.take, Store.take, Store.put])

    assert result.verdict == "race"
    released = _sources(result.timeline, "release")
    waited = [source for source in released if source[1] == "self.changed.wait()"]
    assert waited
    assert {source for source in released if source not in waited} == {
        (task, "with self.changed:") for task in range(3)
    }
