from racehound.engine.carrier import CarrierPool
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.sharing import THREADS_AND_STRANDS, caveats_of_sharing
from racehound.engine.trace import Event, Task, Trace
from racehound.model.schedule import TaskId

SHARED = ObjectId(7)


def trace_of(hosts: list[int | None], users: list[int]) -> Trace:
    """Tasks on these threads; each user makes one turn, or one step if it is a thread, on the same object."""
    pool = CarrierPool()
    trace = Trace()
    for number, host in enumerate(hosts):
        place = None if host is None else TaskId(host)
        trace.tasks.append(Task(TaskId(number), lambda: None, pool.get(0), host=place))
    for user in users:
        step = Operation(Kind.WRITE, (Effect(SHARED, WHOLE, writes=True),), site=1)
        turn = Operation(Kind.AWAIT, step.effects)
        turn.inner.append(step)
        trace.events.append(Event(TaskId(user), step if hosts[user] is None else turn))
    pool.close()
    return trace


def test_coroutines_of_one_loop_take_turns() -> None:
    assert not caveats_of_sharing(trace_of([None, 0, 0], [1, 2]), {})


def test_coroutine_could_be_interrupted_by_a_thread() -> None:
    assert caveats_of_sharing(trace_of([None, 0, None], [1, 2]), {}) == {THREADS_AND_STRANDS}


def test_coroutines_of_two_loops_could_interrupt_each_other() -> None:
    assert caveats_of_sharing(trace_of([None, 0, None, 2], [1, 3]), {}) == {THREADS_AND_STRANDS}


def test_opaque_object_matters_only_if_it_is_shared() -> None:
    reason = {SHARED: "cannot be looked into"}

    assert not caveats_of_sharing(trace_of([None, None], [0, 0]), reason)
    assert caveats_of_sharing(trace_of([None, None], [0, 1]), reason) == {"cannot be looked into"}
