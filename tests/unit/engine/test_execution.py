import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pytest

from racehound.engine import execution as execution_module
from racehound.engine import explorer as explorer_module
from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, Ending, Execution, Watcher
from racehound.engine.explorer import Explorer
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.outlasting import Patience
from racehound.errors import HarnessError, ReplayDrift
from racehound.model.schedule import Schedule, TaskId
from racehound.strategies.guided import Guided
from racehound.strategies.replay import Replay

SHARED = object()


def here() -> Execution:
    execution = CONTROL.here()
    assert execution is not None
    return execution


def touch(label: str = "", ready: Callable[[], bool] = lambda: True) -> None:
    execution = here()
    effect = Effect(execution.number(SHARED), WHOLE, writes=True)
    execution.step(Operation(Kind.WRITE, (effect,), label=label, ready=ready))


def test_each_body_runs_to_its_end_and_keeps_its_result(explorer: Explorer) -> None:
    trace = explorer.run(lambda: [lambda: 1, lambda: 2], Guided([]))

    assert trace.ending is Ending.COMPLETE
    assert [task.result for task in trace.tasks] == [1, 2]


def test_an_execution_without_bodies_is_over_at_once(explorer: Explorer) -> None:
    assert explorer.run(list, Guided([])).ending is Ending.COMPLETE


def test_choices_decide_who_runs(explorer: Explorer) -> None:
    order: list[str] = []

    def body(name: str) -> Callable[[], None]:
        def steps() -> None:
            for number in (1, 2):
                touch()
                order.append(f"{name}{number}")

        return steps

    schedule = Schedule(tuple(map(TaskId, (0, 1, 1, 0, 0, 1))))
    trace = explorer.run(lambda: [body("a"), body("b")], Replay(schedule))

    assert order == ["b1", "a1", "a2", "b2"]
    assert trace.schedule == schedule


def test_what_a_body_raises_is_its_error(explorer: Explorer) -> None:
    def fail() -> None:
        raise KeyError("k")

    trace = explorer.run(lambda: [fail, lambda: 7], Guided([]))

    assert isinstance(trace.tasks[0].error, KeyError)
    assert trace.tasks[1].result == 7


def test_nobody_runnable_is_a_deadlock_and_costs_no_waiting(explorer: Explorer) -> None:
    cleaned: list[str] = []

    def wait() -> None:
        try:
            touch("for ever", ready=lambda: False)
        finally:
            cleaned.append("up")

    trace = explorer.run(lambda: [wait, wait], Guided([]))

    assert trace.ending is Ending.DEADLOCK
    assert [operation.label for operation in trace.blocked.values()] == ["for ever", "for ever"]
    assert cleaned == ["up", "up"]


def test_a_task_that_catches_the_end_is_ended_at_its_next_step(explorer: Explorer) -> None:
    reached: list[str] = []

    def stubborn() -> None:
        try:
            touch(ready=lambda: False)
        except BaseException:  # noqa: BLE001 - what code under proof may do
            reached.append("caught")
        touch()
        reached.append("never")

    trace = explorer.run(lambda: [stubborn], Guided([]))

    assert trace.ending is Ending.DEADLOCK
    assert reached == ["caught"]


def test_endless_steps_are_cut(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer_module, "Patience", partial(Patience, most=50, steps=50))

    def spin() -> None:
        while True:
            touch()

    assert explorer.run(lambda: [spin], Guided([])).ending is Ending.OVERRUN


def test_a_strategy_that_fails_breaks_the_execution_not_the_thread(explorer: Explorer) -> None:
    trace = explorer.run(lambda: [touch, touch], Replay(Schedule((TaskId(5),))))

    assert trace.ending is Ending.BROKEN
    assert isinstance(trace.broken_by, ReplayDrift)
    assert explorer.run(lambda: [lambda: 1], Guided([])).ending is Ending.COMPLETE


def test_a_task_can_give_up_for_all(explorer: Explorer) -> None:
    def give_up() -> None:
        here().give_up(HarnessError("out of our hands"))

    trace = explorer.run(lambda: [give_up, touch], Guided([]))

    assert trace.ending is Ending.BROKEN
    assert str(trace.broken_by) == "out of our hands"


def test_objects_are_numbered_by_first_use_and_names_by_themselves(explorer: Explorer) -> None:
    seen: list[int] = []

    def number() -> None:
        execution = here()
        one, two = object(), object()
        seen.extend(map(execution.number, (one, two, one)))
        seen.append(execution.number_of(("module",)))
        seen.append(execution.number_of(("module",)))

    explorer.run(lambda: [number], Guided([]))

    assert seen == [0, 1, 0, 2, 2]


def test_opaque_use_matters_only_if_the_object_is_shared(explorer: Explorer) -> None:
    own = [object(), object()]

    def use(subject: object) -> Callable[[], None]:
        def body() -> None:
            execution = here()
            number = execution.number(subject)
            execution.opaque(number, "somebody looked inside")
            execution.step(Operation(Kind.CALL, (Effect(number, WHOLE, writes=True),)))

        return body

    apart = explorer.run(lambda: [use(own[0]), use(own[1])], Guided([]))
    together = explorer.run(lambda: [use(SHARED), use(SHARED)], Guided([]))

    assert apart.caveats == set()
    assert together.caveats == {"somebody looked inside"}


def test_a_stranger_is_noticed(explorer: Explorer) -> None:
    def start_stranger() -> None:
        thread = threading.Thread(target=CONTROL.here)
        thread.start()
        thread.join()

    trace = explorer.run(lambda: [start_stranger], Guided([]))

    assert trace.caveats == {"the code runs threads that are not under control"}
    assert CONTROL.here() is None


class Diary(Watcher):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def before(self, task: TaskId, operation: Operation) -> None:
        self.lines.append(f"before {operation.label}")

    def after(self, task: TaskId) -> None:
        self.lines.append(f"after {task}")


def test_a_watcher_sees_each_operation_before_and_the_task_after_it(explorer: Explorer) -> None:
    diary = Diary()

    explorer.run(lambda: [lambda: touch("x")], Guided([]), watcher=diary)

    assert diary.lines == ["after 0", "before x", "after 0"]


def test_a_watcher_may_leave_both_alone(explorer: Explorer) -> None:
    assert explorer.run(lambda: [touch], Guided([]), watcher=Watcher()).ending is Ending.COMPLETE


def test_steps_outside_of_an_execution_end_at_once(explorer: Explorer) -> None:
    late: list[Execution] = []
    explorer.run(lambda: [lambda: late.append(here())], Guided([]))

    late[0]._running = None
    with pytest.raises(Abort):
        late[0].step(Operation(Kind.YIELD, ()))
    with pytest.raises(Abort):
        _ = late[0].running


def test_the_running_task_knows_its_number(explorer: Explorer) -> None:
    trace = explorer.run(lambda: [lambda: here().running] * 2, Guided([]))

    assert [task.result for task in trace.tasks] == [0, 1]


class Prune:
    def start_execution(self) -> bool:
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> None:
        del runnable, current, pending

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        self.left = dict(pending)


def test_a_strategy_may_end_an_execution_that_teaches_nothing(explorer: Explorer) -> None:
    strategy = Prune()
    trace = explorer.run(lambda: [touch], strategy)

    assert trace.ending is Ending.PRUNED
    assert list(strategy.left) == [0]


@pytest.mark.parametrize(("site", "caveats"), [(7, {execution_module.FINALIZER}), (0, set())])
def test_what_happens_while_it_is_decided_decides_nothing(
    explorer: Explorer, site: int, caveats: set[str]
) -> None:
    """As a finalizer does that runs because the engine lets go of an object."""

    def body() -> None:
        execution = here()

        def ready() -> bool:
            execution.step(Operation(Kind.READ, (), site=site))
            return True

        touch(ready=ready)

    trace = explorer.run(lambda: [body, touch], Guided([]))

    assert trace.ending is Ending.COMPLETE
    assert len(trace.events) == 4
    assert trace.caveats == caveats


def test_older_threads_are_no_strangers_to_primitives(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CONTROL, "elders", frozenset({threading.get_native_id()}))

    def look() -> bool:
        elder_sees = [CONTROL.in_charge()]
        return elder_sees == [here()]

    trace = explorer.run(lambda: [look], Guided([]))

    assert trace.tasks[0].result is True
    assert CONTROL.in_charge() is None
