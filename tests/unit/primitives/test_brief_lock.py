from collections.abc import Callable, Sequence

from racehound.engine.execution import Trace
from racehound.primitives.brief_lock import BriefLock
from racehound.primitives.lock import ControlledLock

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Outcomes = Callable[[Callable[[], Sequence[Body]]], set[tuple[str, tuple[object, ...]]]]


def test_holding_it_is_one_step_however_often_it_is_taken(control: Control) -> None:
    def body() -> None:
        lock = BriefLock()
        with lock, lock:
            pass
        with lock.held_to_look():
            pass

    trace = control(body)

    assert [event.operation.kind.value for event in trace.events] == ["start", "call", "read"]


def test_who_comes_while_it_is_held_waits(outcomes: Outcomes) -> None:
    def bodies() -> list[Body]:
        lock, other, seen = BriefLock(), ControlledLock(), []

        def hold() -> None:
            with lock:
                seen.append("in")
                with other:  # something that can be seen, so that others may come
                    seen.append("still in")

        def look() -> object:
            with lock.held_to_look():
                return tuple(seen)

        return [hold, look]

    assert outcomes(bodies) == {("complete", (None, ())), ("complete", (None, ("in", "still in")))}
