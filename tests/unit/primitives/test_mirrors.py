import _thread
import threading
import time

import pytest

from drivers.observed import operations, run_task
from racehound.engine.control import CONTROL
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.primitives.mirrors import MirrorTable, installed


def test_threading_hands_out_mirrors_within_the_context_and_originals_after_it() -> None:
    before = threading.Lock, threading.RLock, time.sleep, threading.Thread.start
    with installed():
        assert isinstance(threading.Lock(), ControlledLock)
        assert isinstance(threading.RLock(), ControlledRLock)
        assert CONTROL.mirror_of is not None

    assert (threading.Lock, threading.RLock, time.sleep, threading.Thread.start) == before
    assert CONTROL.mirror_of is None


def test_original_has_one_mirror_of_its_kind() -> None:
    table = MirrorTable()
    plain, nested = _thread.allocate_lock(), _thread.RLock()

    assert isinstance(table.mirror_of(plain), ControlledLock)
    assert isinstance(table.mirror_of(nested), ControlledRLock)
    assert table.mirror_of(plain) is table.mirror_of(plain)
    assert table.mirror_of(plain) is not table.mirror_of(_thread.allocate_lock())


def test_sleeping_under_control_only_lets_others_run() -> None:
    trace = run_task(lambda: time.sleep(3600))

    assert [operation.kind.value for operation in operations(trace)] == ["yield"]


def test_sleeping_a_negative_time_is_refused_as_ever() -> None:
    trace = run_task(lambda: time.sleep(-1))

    assert repr(trace.tasks[0].error) == "ValueError('sleep length must be non-negative')"


def test_sleeping_outside_an_execution_is_real() -> None:
    with installed():
        started = time.monotonic()
        time.sleep(0.001)

        assert time.monotonic() - started >= 0.001


def test_thread_outside_an_execution_is_real() -> None:
    with installed():
        ran: list[int] = []
        thread = threading.Thread(target=ran.append, args=(1,))
        thread.start()
        thread.join()

    assert ran == [1]


_start_new_thread = _thread.start_new_thread  # before a mirror takes its place


@pytest.mark.parametrize("operation", ["acquire", "locked"])
def test_code_on_a_thread_that_is_no_task_weakens_the_verdict(operation: str) -> None:
    lock = ControlledLock()
    done = _thread.allocate_lock()
    done.acquire()

    def stranger() -> None:
        getattr(lock, operation)()
        done.release()

    def work() -> None:
        _start_new_thread(stranger, ())
        done.acquire()

    trace = run_task(work)

    assert trace.caveats == {"the code runs threads that are not under control"}
