import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from racehound import explore
from racehound.engine import execution as execution_module
from racehound.engine.company import TIMED_WAIT, UNFINISHED
from racehound.engine.control import CONTROL
from racehound.engine.execution import (
    LOOP_BLOCKED,
    START_OF_TIME,
    Ending,
    Trace,
)
from racehound.engine.explorer import Explorer
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.event_loop import TASK_FACTORY

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Both = Callable[[Body], tuple[object, object]]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]
Work = Callable[[], Coroutine[Any, Any, object]]


async def value(result: object) -> object:
    await asyncio.sleep(0)
    return result


async def failing() -> None:
    await asyncio.sleep(0)
    raise ValueError("no")


async def gathers() -> object:
    first, second, third = await asyncio.gather(value(1), value(2), failing(), return_exceptions=True)
    return first, second, type(third)


async def gather_raises() -> object:
    return await asyncio.gather(value(1), failing())


async def waits_for_all() -> object:
    tasks = [asyncio.create_task(value(number)) for number in range(3)]
    done, pending = await asyncio.wait(tasks)
    return sorted(task.result() for task in done), len(pending)  # type: ignore[type-var]


async def completes_as_it_comes() -> object:
    return sorted([await item for item in asyncio.as_completed([value(1), value(2)])])  # type: ignore[type-var]


async def group() -> object:
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(value("a"))
        second = tasks.create_task(value("b"))
    return first.result(), second.result()


async def failing_group() -> object:
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(failing())
            tasks.create_task(asyncio.sleep(100))
    except ExceptionGroup as errors:
        return [str(error) for error in errors.exceptions]
    return None


async def timeout() -> object:
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(10)
    except TimeoutError:
        return "timeout"
    return None


async def wait_for_in_time() -> object:
    return await asyncio.wait_for(value("in time"), 10)


async def wait_for_too_late() -> object:
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.01)
    except TimeoutError:
        return "timeout"
    return None


async def cancels() -> object:
    cleaned: list[str] = []

    begun = asyncio.Event()

    async def sleeper() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append("up")

    task = asyncio.create_task(sleeper())
    await begun.wait()
    task.cancel("enough")
    try:
        await task
    except asyncio.CancelledError as error:
        return cleaned, task.cancelled(), error.args
    return None


async def shields() -> object:
    inner = asyncio.create_task(value("kept"))
    outer = asyncio.shield(inner)
    outer.cancel()
    return await inner, outer.cancelled()


async def locks() -> object:
    lock = asyncio.Lock()
    order: list[int] = []

    async def hold(number: int) -> None:
        async with lock:
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(hold(1), hold(2))
    return sorted(order), lock.locked()


async def semaphore() -> object:
    semaphore = asyncio.BoundedSemaphore(1)
    async with semaphore:
        locked = semaphore.locked()
    semaphore.release()
    return locked


async def queue() -> object:
    items: asyncio.PriorityQueue[int] = asyncio.PriorityQueue()
    for item in (3, 1, 2):
        items.put_nowait(item)
    taken = [await items.get() for _ in range(3)]
    for _ in taken:
        items.task_done()
    await items.join()
    return taken, items.empty()


async def condition() -> object:
    condition = asyncio.Condition()
    ready: list[int] = []

    async def produce() -> None:
        async with condition:
            ready.append(1)
            condition.notify_all()

    async with condition:
        task = asyncio.create_task(produce())
        await condition.wait_for(lambda: bool(ready))
    await task
    return ready


async def barrier() -> object:
    barrier = asyncio.Barrier(2)
    return sorted(await asyncio.gather(barrier.wait(), barrier.wait()))


async def callbacks_in_order() -> object:
    loop = asyncio.get_running_loop()
    order: list[int] = []
    done = loop.create_future()
    for number in range(3):
        loop.call_soon(order.append, number)
    loop.call_soon(done.set_result, None)
    cancelled = loop.call_soon(order.append, 99)
    cancelled.cancel()
    await done
    return order


async def calls_later() -> object:
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    loop.call_later(0.01, done.set_result, "later")
    loop.call_later(60, done.set_result, "never").cancel()
    return await done


async def from_a_thread() -> object:
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str] = loop.create_future()
    thread = threading.Thread(target=loop.call_soon_threadsafe, args=(done.set_result, "from a thread"))
    thread.start()
    return await done


async def in_threads() -> object:
    loop = asyncio.get_running_loop()
    return await asyncio.to_thread(pow, 2, 3), await loop.run_in_executor(None, len, "abc")


async def coroutine_from_a_thread() -> object:
    loop = asyncio.get_running_loop()

    def ask() -> object:
        return asyncio.run_coroutine_threadsafe(value("asked"), loop).result()

    return await asyncio.to_thread(ask)


VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("VARIABLE", default=0)


async def context() -> object:
    async def change() -> None:
        VARIABLE.set(1)

    await asyncio.create_task(change())
    return VARIABLE.get()


async def names() -> object:
    current = asyncio.current_task()
    other = asyncio.create_task(value(1), name="other")
    everybody = len(asyncio.all_tasks())
    await other
    return current is not None, other.get_name(), everybody


async def agen() -> object:
    closed: list[str] = []

    async def numbers() -> Any:
        try:
            yield 1
            yield 2
        finally:
            closed.append("closed")

    return [number async for number in numbers()], closed


async def leftover() -> object:
    asyncio.create_task(asyncio.sleep(100)).set_name("left over")
    return "done"


async def exception_handler() -> object:
    loop = asyncio.get_running_loop()
    heard: list[object] = []
    loop.set_exception_handler(lambda _, context: heard.append(type(context["exception"]).__name__))
    loop.call_soon(int, "x")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return heard


STORIES: list[Work] = [
    *(gathers, gather_raises, waits_for_all, completes_as_it_comes, group, failing_group, timeout),
    *(wait_for_in_time, wait_for_too_late, cancels, shields, locks, semaphore, queue, condition, barrier),
    *(callbacks_in_order, calls_later, from_a_thread, in_threads, coroutine_from_a_thread, context, names, agen),
    *(leftover,),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_asyncio_under_control_behaves_like_the_original(story: Work, both: Both) -> None:
    plain, controlled = both(lambda: asyncio.run(story()))

    assert controlled == plain


def test_exceptions_of_callbacks_go_to_the_handler_of_the_program(outcomes: Outcomes) -> None:
    seen = outcomes(lambda: [lambda: tuple(asyncio.run(exception_handler()))])  # type: ignore[arg-type]

    assert seen == {("complete", (("ValueError",),))}


def test_exception_of_a_callback_that_nobody_handles_is_seen(control: Control) -> None:
    async def body() -> None:
        asyncio.get_running_loop().call_soon(int, "x")
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    errors = [task.error for task in control(lambda: asyncio.run(body())).tasks if task.error is not None]

    assert [type(error) for error in errors] in ([ValueError], [])


def two(first: Work, second: Work) -> Callable[[], list[Body]]:
    async def both_of_them() -> object:
        results = await asyncio.gather(first(), second())
        return tuple(results)

    return lambda: [lambda: asyncio.run(both_of_them())]


def test_order_of_what_is_ready_is_a_choice(outcomes: Outcomes) -> None:
    order: list[int] = []

    async def note(number: int) -> int:
        order.append(number)
        position = len(order)
        if position == 2:
            order.clear()
        return position

    def make() -> list[Body]:
        order.clear()
        lock = asyncio.Lock()

        async def under_lock(number: int) -> int:
            async with lock:
                return await note(number)

        return two(lambda: under_lock(1), lambda: under_lock(2))()

    assert outcomes(make) == {("complete", ((1, 2),)), ("complete", ((2, 1),))}


class Bell:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rung = ""

    def ring(self, name: str) -> None:
        with self.lock:  # which makes it a step that is seen
            self.rung += name


@pytest.mark.parametrize(
    ("delays", "orders"),
    [
        pytest.param((1, 2), {"ab"}, id="in order"),
        pytest.param((2, 1), {"ba"}, id="backwards"),
        pytest.param((1, 1), {"ab", "ba"}, id="at once"),
    ],
)
def test_callbacks_come_in_the_order_of_their_times(
    outcomes: Outcomes, delays: tuple[float, float], orders: set[str]
) -> None:
    async def main() -> str:
        loop, bell = asyncio.get_running_loop(), Bell()
        for name, delay in zip("ab", delays, strict=True):
            loop.call_later(delay, bell.ring, name)
        end = loop.create_future()
        loop.call_later(3, end.set_result, None)
        await end
        return bell.rung

    assert outcomes(lambda: [lambda: asyncio.run(main())]) == {("complete", (order,)) for order in orders}


def test_a_callback_that_was_asked_for_earlier_may_come_later_if_it_has_longer_to_wait(outcomes: Outcomes) -> None:
    async def main() -> str:
        loop, bell, end = asyncio.get_running_loop(), Bell(), asyncio.Event()
        loop.call_later(2, bell.ring, "a")
        await asyncio.sleep(0)
        loop.call_later(1, bell.ring, "b")
        loop.call_later(2.5, end.set)
        await end.wait()
        return bell.rung

    found = {results[0] for _, results in outcomes(lambda: [lambda: asyncio.run(main())])}

    assert found == {"ab", "ba"}


def test_first_exception_of_a_gathering_wins(outcomes: Outcomes) -> None:
    async def fail(kind: type[Exception]) -> None:
        raise kind

    async def both_fail() -> object:
        try:
            await asyncio.gather(fail(KeyError), fail(ValueError))
        except (KeyError, ValueError) as error:
            return type(error).__name__
        return None

    assert outcomes(lambda: [lambda: asyncio.run(both_fail())]) == {
        ("complete", ("KeyError",)),
        ("complete", ("ValueError",)),
    }


def test_future_that_nobody_completes_is_a_deadlock(control: Control) -> None:
    async def stuck() -> None:
        await asyncio.get_running_loop().create_future()

    trace = control(lambda: asyncio.run(stuck()))

    assert trace.ending is Ending.DEADLOCK


def test_what_a_stuck_coroutine_waits_for_is_named(control: Control) -> None:
    trace = control(lambda: asyncio.run(asyncio.Event().wait()))

    assert "Event" in {operation.label for operation in trace.blocked.values()}


def test_time_on_the_loop_is_virtual(control: Control) -> None:
    async def body() -> object:
        loop = asyncio.get_running_loop()
        before = loop.time()
        await asyncio.sleep(3600)
        return loop.time() - before, time.monotonic() - before

    assert control(lambda: asyncio.run(body())).tasks[0].result == (3600.0, 3600.0)


def test_who_reads_the_clock_minds_who_sleeps(outcomes: Outcomes) -> None:
    async def read() -> float:
        return asyncio.get_running_loop().time() - START_OF_TIME

    assert outcomes(two(lambda: asyncio.sleep(1), read)) == {
        ("complete", ((None, 0.0),)),
        ("complete", ((None, 1.0),)),
    }


def test_coroutine_that_waits_for_the_clock_is_no_livelock(control: Control) -> None:
    async def body() -> object:
        loop = asyncio.get_running_loop()
        end = loop.time() + 500
        while loop.time() < end:  # noqa: ASYNC110 - waiting by looking is what this is about
            await asyncio.sleep(1)
        return "on time"

    assert control(lambda: asyncio.run(body())).tasks[0].result == "on time"


def test_timeout_is_a_caveat_where_others_could_have_gone_on(control: Control) -> None:
    assert control(lambda: asyncio.run(timeout())).caveats == {TIMED_WAIT}


def test_sleep_that_is_cut_short_moves_the_clock_only_so_far(control: Control) -> None:
    async def body() -> object:
        loop = asyncio.get_running_loop()
        before = loop.time()
        await timeout()
        return round(loop.time() - before, 6)

    assert control(lambda: asyncio.run(body())).tasks[0].result == 0.01


def test_coroutine_that_blocks_its_loop_is_a_caveat(control: Control) -> None:
    async def body() -> object:
        event = threading.Event()
        thread = threading.Thread(target=event.set)
        thread.start()
        event.wait()
        thread.join()
        return "went on"

    trace = control(lambda: asyncio.run(body()))

    assert trace.tasks[0].result == "went on"
    assert LOOP_BLOCKED in trace.caveats


def test_thread_may_come_before_each_operation_of_a_coroutine(control: Control) -> None:
    def touch() -> None:
        execution = CONTROL.here()
        assert execution is not None
        execution.step(Operation(Kind.WRITE, (Effect(execution.number(touch), WHOLE, writes=True),), site=1))

    async def body(*, beside: bool) -> None:
        started = asyncio.Event()

        async def begin() -> None:
            started.set()
            await (asyncio.to_thread(touch) if beside else asyncio.sleep(0))

        other = asyncio.ensure_future(begin())
        await started.wait()
        touch()
        touch()
        await other

    def steps(*, beside: bool) -> int:
        events = control(lambda: asyncio.run(body(beside=beside))).events
        return sum(event.operation.kind is Kind.WRITE and event.operation.late for event in events)

    assert steps(beside=False) == 0
    assert steps(beside=True) > 0


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda loop: loop.create_connection(None, "localhost", 1), "`create_connection` of the event loop"),
        (lambda loop: loop.add_reader(0, len), "`add_reader` of the event loop"),
    ],
)
def test_reaching_out_is_given_up(control: Control, call: Callable[[Any], Any], reason: str) -> None:
    async def body() -> None:
        call(asyncio.get_running_loop())

    assert reason in str(control(lambda: asyncio.run(body())).broken_by)


def test_loop_that_was_made_before_is_given_up(explorer: Explorer, control: Control) -> None:
    loop = asyncio.new_event_loop()

    trace = control(lambda: loop.run_until_complete(loop.create_future()))
    loop.close()

    assert "made before it was under control" in str(trace.broken_by)


def test_tasks_of_the_programs_own_kind_are_a_caveat(control: Control) -> None:
    async def body() -> object:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(lambda running, work, **options: asyncio.Task(work, loop=running, **options))
        return await asyncio.create_task(value("own"))

    trace = control(lambda: asyncio.run(body()))

    assert trace.tasks[0].result == "own"
    assert TASK_FACTORY in trace.caveats


def test_loop_that_ends_with_something_left_to_do_is_a_caveat(control: Control) -> None:
    def body() -> object:
        loop = asyncio.new_event_loop()
        task = loop.create_task(value(1))
        result = loop.run_until_complete(asyncio.sleep(0, "slept"))
        loop.close()
        loop.close()
        return result, task.done()

    trace = control(body)

    assert trace.tasks[0].result in (("slept", False), ("slept", True))
    assert (trace.tasks[0].result == ("slept", False)) == (UNFINISHED in trace.caveats)


def test_endless_turn_is_cut(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_module, "STEP_LIMIT", 50)

    async def spin() -> None:
        lock = asyncio.Lock()
        while True:
            await lock.acquire()
            lock.release()

    assert control(lambda: asyncio.run(spin())).ending is Ending.OVERRUN


def test_loop_outside_of_control_is_the_original(explorer: Explorer) -> None:
    async def body() -> object:
        await asyncio.sleep(0.001)
        return len(asyncio.all_tasks()), await asyncio.gather(value(1), value(2))

    assert asyncio.run(body()) == (1, [1, 2])


def test_callbacks_of_modules_that_are_only_named_like_asyncio_are_the_programs_own() -> None:
    """They have turns of their own; what asyncio registers for itself has not."""

    class Bucket:
        def __init__(self) -> None:
            self.level = 0
            self.has_alarm = False

        async def fill(self) -> None:
            self.level += 1
            if not self.has_alarm:
                self.has_alarm = True
                asyncio.get_running_loop().call_later(1, drain, self)

    def drain(bucket: Bucket) -> None:
        bucket.has_alarm = False
        bucket.level = 0

    drain.__module__ = "asynciolimits"

    assert explore(setup=Bucket, workers=[Bucket.fill, Bucket.fill]).verdict == "safe"
