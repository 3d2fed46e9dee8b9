"""Classes that are taken and given back by two methods."""

import types
from collections.abc import Callable

import pytest

from racehound.model.proof import ScenarioText
from racehound.scenario.candidates import Candidates
from racehound.scenario.taking import Taking, taking_of

Load = Callable[[str], types.ModuleType]

BLOCK = "((taken := (held := subject).acquire_read()), (yield), taken is False or held.release_read())[0]"

SOURCE = """
    class ReadWriteLock:
        def acquire_read(self): ...
        def release_read(self): ...
        def acquire_write(self, timeout=None): ...
        def release_write(self): ...
        def is_locked(self): ...

    class Pool:
        def acquire(self): ...
        def release(self, connection): ...

    class Turn:
        async def lock(self): ...
        def unlock(self): ...
"""


@pytest.mark.parametrize(
    ("name", "takers"),
    [
        ("ReadWriteLock", {"release_read": "acquire_read", "release_write": "acquire_write"}),
        ("Pool", {}),
        ("Turn", {"unlock": "lock"}),
    ],
)
def test_what_is_given_back_without_being_told_what_belongs_to_what_takes(
    load: Load, name: str, takers: dict[str, str]
) -> None:
    assert taking_of(vars(load(SOURCE))[name]).takers == takers


@pytest.mark.parametrize(
    ("prefix", "tasks", "is_admitted"),
    [
        ((), (("subject.release()",), ("subject.acquire()",)), False),
        (("subject.release()",), (("subject.acquire()",), ("subject.acquire()",)), False),
        (("subject.acquire()",), (("subject.release()",), ("subject.release()",)), True),
        ((), (("subject.acquire()", "subject.release()"), ("subject.acquire()",)), True),
        ((), (("subject.acquire()", "subject.acquire()"), ("subject.release()",)), False),
    ],
)
def test_nobody_gives_back_what_nobody_has_taken(
    prefix: tuple[str, ...], tasks: tuple[tuple[str, ...], ...], is_admitted: bool
) -> None:
    scenario = ScenarioText(setup="Gate()", prefix=prefix, tasks=tasks)

    assert Taking({"release": "acquire"}).admits(scenario) is is_admitted
    assert Taking({}).admits(scenario)


def test_from_one_to_the_other_is_a_block(load: Load) -> None:
    module = load(SOURCE)
    raced = Candidates(module, module.ReadWriteLock, []).scenarios()
    tasks = {call for scenario in raced for task in scenario.tasks for call in task}

    assert BLOCK in tasks
    assert Taking({"unlock": "lock"}).block("await subject.lock()", lambda _: ["subject.unlock()"]) == (
        "((taken := await (held := subject).lock()), (yield), taken is False or held.unlock())[0]"
    )


def test_crowds_are_of_whole_blocks(load: Load) -> None:
    module = load(SOURCE)
    crowds = Candidates(module, module.ReadWriteLock, []).crowds(lambda _: False)
    tasks = {call for scenario in crowds for task in scenario.tasks for call in task}

    assert BLOCK in tasks
    assert "subject.is_locked()" in tasks
    assert "subject.acquire_read()" not in tasks


def test_what_is_given_back_to_a_pool_makes_no_block(load: Load) -> None:
    module = load(SOURCE)
    raced = Candidates(module, module.Pool, []).scenarios()

    assert not [call for scenario in raced for task in scenario.tasks for call in task if "taken" in call]
