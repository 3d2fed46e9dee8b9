import os
import random
import uuid
from collections.abc import Callable

from racehound.engine.explorer import Explorer
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
