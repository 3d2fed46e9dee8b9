import os
import random
import threading
import uuid
from collections.abc import Callable

from racehound.engine.explorer import Explorer
from racehound.model.schedule import TaskId
from racehound.strategies.guided import Guided

Body = Callable[[], object]


def drawn(explorer: Explorer, bodies: list[Body]) -> list[object]:
    trace = explorer.run(lambda: bodies, Guided([]))
    return [task.result for task in trace.tasks]


def test_identifiers_come_again_in_every_execution_and_differ_between_tasks(explorer: Explorer) -> None:
    bodies: list[Body] = [lambda: (uuid.uuid4(), uuid.uuid4())] * 2

    first, second = drawn(explorer, bodies), drawn(explorer, bodies)

    assert first == second
    assert len({identifier for pair in first for identifier in pair}) == 4  # type: ignore[attr-defined]  # a pair


def test_identifiers_of_the_set_up_come_again_too(explorer: Explorer) -> None:
    made: list[uuid.UUID] = []

    def prepare() -> list[Body]:
        made.extend([uuid.uuid4(), uuid.uuid4()])
        return [lambda: None]

    for _ in range(2):
        explorer.run(prepare, Guided([]))

    assert made[:2] == made[2:]
    assert len(set(made)) == 2


def test_coins_are_left_to_chance(explorer: Explorer) -> None:
    bodies: list[Body] = [lambda: (os.urandom(16), random.SystemRandom().random())]

    assert drawn(explorer, bodies) != drawn(explorer, bodies)


def test_identifier_is_the_same_whichever_task_is_started_first(explorer: Explorer) -> None:
    found: dict[int, uuid.UUID] = {}

    def starting(number: int) -> Body:
        def draw() -> None:
            found[number] = uuid.uuid4()

        def body() -> None:
            thread = threading.Thread(target=draw)
            thread.start()
            thread.join()

        return body

    seen = []
    for order in ([0, 1], [1, 0]):
        explorer.run(lambda: [starting(0), starting(1)], Guided([(TaskId(task), None) for task in order]))
        seen.append((found[0], found[1]))

    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 2
