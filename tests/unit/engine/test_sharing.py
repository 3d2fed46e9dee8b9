from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.sharing import caveats_of_sharing
from racehound.engine.trace import Event, Trace
from racehound.model.schedule import TaskId

SHARED = ObjectId(7)


def trace_of(users: list[int]) -> Trace:
    """Each of these tasks makes one step on the same object."""
    step = Operation(Kind.WRITE, (Effect(SHARED, WHOLE, writes=True),), site=1)
    return Trace(events=[Event(TaskId(user), step) for user in users])


def test_opaque_object_matters_only_if_it_is_shared() -> None:
    reason = {SHARED: "cannot be looked into"}

    assert not caveats_of_sharing(trace_of([0, 0]), reason)
    assert caveats_of_sharing(trace_of([0, 1]), reason) == {"cannot be looked into"}
