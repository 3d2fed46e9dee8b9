"""Races again on real threads of the plain interpreter."""

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Proof, Verdict
from racehound.pipeline.confirm import confirmed
from racehound.pipeline.prove import prove_target, replay_token

MEASURED = pytest.mark.measured_children
"""One of each kind: the others run through the same lines."""
COUNTER = """
    class Counter:
        def __init__(self):
            self.value = 0
            self.seen = {}

        def increment(self):
            self.value += 1

        def claim(self):
            if "key" not in self.seen:
                self.seen["key"] = 0
                return True
            return False

        def drop(self):
            self.seen["key"] = 1
            if "key" in self.seen:
                del self.seen["key"]
"""
DEADLOCK = """
    import threading


    class Pair:
        def __init__(self):
            self.first = threading.Lock()
            self.second = threading.Lock()

        def forth(self):
            with self.first:
                with self.second:
                    return 1

        def back(self):
            with self.second:
                with self.first:
                    return 2
"""
COROUTINES = """
    import asyncio


    class Counter:
        def __init__(self):
            self.value = 0

        async def increment(self):
            seen = self.value
            await asyncio.sleep(0)
            self.value = seen + 1

        def reset(self):
            self.value = 0
"""
STARTED = """
    import asyncio
    import threading
    from concurrent.futures import ThreadPoolExecutor


    class Counter:
        def __init__(self):
            self.value = 0
            self.first = threading.Lock()
            self.second = threading.Lock()
            self.pool = ThreadPoolExecutor(2)

        def increment(self):
            self.value += 1

        def together(self, *targets):
            threads = [threading.Thread(target=target) for target in targets]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        def in_threads(self):
            self.together(self.increment, self.increment)

        def in_pool(self):
            for future in [self.pool.submit(self.increment) for _ in range(2)]:
                future.result()

        def later(self):
            threading.Timer(600, self.increment).start()

        async def away(self):
            await asyncio.to_thread(self.increment)

        async def slowly(self):
            seen = self.value
            await asyncio.sleep(0)
            self.value = seen + 1

        def forth(self):
            with self.first, self.second:
                pass

        def back(self):
            with self.second, self.first:
                pass

        def crosswise(self):
            self.together(self.forth, self.back)
"""

WAITING = """
    import threading


    class Buffer:
        def __init__(self):
            self.items = []
            self.changed = threading.Condition()
            self.given = threading.Semaphore(0)
            self.taken = 0

        def put(self):
            with self.changed:
                self.items.append(1)
                self.changed.notify_all()

        def get(self):
            with self.changed:
                if not self.items:
                    self.changed.wait()
                return self.items.pop()

        def open(self):
            with self.changed:
                self.items.append(1)
                self.changed.notify()

        def pass_through(self):
            with self.changed:
                while not self.items:
                    self.changed.wait()

        def give(self):
            self.given.release(2)

        def take(self):
            self.given.acquire()
            self.taken += 1
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def race(source: str, *operations: str, name: str = "Counter", invariant: str | None = None) -> Proof:
    Path("code.py").write_text(dedent(source), encoding="utf-8")
    proof = prove_target(f"code.py::{name}", budget=20, operations=operations, invariant=invariant)
    assert proof.verdict is Verdict.RACE
    return proof


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["increment", "claim", pytest.param("drop", marks=MEASURED)])
def test_race_of_threads_is_seen_on_the_plain_interpreter(operation: str) -> None:
    proof = confirmed(race(COUNTER, f"subject.{operation}()"))

    assert proof.confirmation.startswith("confirmed: ")
    assert "free-running threads" in proof.confirmation
    assert "code.py:" in proof.confirmation
    assert ("KeyError" in proof.confirmation) == (operation == "drop")


@pytest.mark.slow
def test_broken_invariant_is_seen_on_the_plain_interpreter() -> None:
    proof = race(COUNTER, "subject.increment()", invariant="subject.value == 2")

    assert confirmed(proof).confirmation.startswith("confirmed: the invariant does not hold")


@pytest.mark.slow
def test_deadlock_is_seen_on_the_plain_interpreter() -> None:
    proof = race(DEADLOCK, "subject.forth()", "subject.back()", name="Pair")

    assert confirmed(proof).confirmation.startswith("confirmed: the threads wait for each other for ever")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operations", "seen"),
    [
        pytest.param(["get()", "get()", "put()"], "IndexError('pop from empty list') is raised", marks=MEASURED),
        (["pass_through()", "pass_through()", "open()"], "the threads wait for each other for ever"),
        (["take()", "take()", "give()"], "no serial order gives this outcome"),
    ],
    ids=["if", "one-notify", "semaphore"],
)
def test_serial_orders_in_which_somebody_waits_for_ever_take_no_time(operations: list[str], seen: str) -> None:
    proof = race(WAITING, *(f"subject.{operation}" for operation in operations), name="Buffer")

    assert confirmed(proof).confirmation.startswith(f"confirmed: {seen}")


@pytest.mark.slow
def test_coroutines_are_left_to_the_plain_event_loop() -> None:
    proof = race(COROUTINES, "await subject.increment()")

    assert "on the plain event loop" in confirmed(proof).confirmation


ON_ONE_LOOP = """
    import asyncio


    class Lease:
        def __init__(self):
            self.loop = asyncio.get_running_loop()
            self.open = 0

        async def __aenter__(self):
            seen = self.open
            await asyncio.sleep(0)
            self.open = seen + 1

        async def __aexit__(self, *_):
            seen = self.open
            await asyncio.sleep(0)
            self.open = seen - 1
"""


@pytest.mark.slow
def test_blocks_that_need_a_running_loop_are_opened_on_the_plain_one() -> None:
    proof = race(ON_ONE_LOOP, name="Lease")

    assert proof.scenario is not None
    assert proof.scenario.on_loop
    assert confirmed(proof).confirmation.startswith("confirmed: no serial order gives this outcome, on the plain")


WORKER_OF_ITS_OWN = """
    import queue
    import threading


    class Desk:
        def __init__(self):
            self.jobs = queue.Queue()
            self.done = 0
            threading.Thread(target=self._work, daemon=True).start()

        def _work(self):
            while True:
                self.done += self.jobs.get()
                self.jobs.task_done()

        def hand_in(self):
            self.jobs.put(1)
            self.done += 1
            self.jobs.join()
"""


@pytest.mark.slow
def test_threads_of_the_set_up_are_held_as_well() -> None:
    proof = race(WORKER_OF_ITS_OWN, "subject.hand_in()", name="Desk")

    assert confirmed(proof).confirmation.startswith(
        "confirmed: no serial order gives this outcome, on free-running"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "operations",
    [
        pytest.param(["subject.in_pool()"], marks=MEASURED),
        ["subject.later()", "subject.increment()"],
        pytest.param(["await subject.away()"], marks=MEASURED),
        ["await subject.slowly()", "subject.increment()"],
        ["subject.crosswise()", "subject.value"],
    ],
    ids=["pool", "timer", "coroutines-with-threads", "coroutine-and-thread", "deadlock"],
)
def test_threads_that_the_code_starts_are_held_as_well(operations: list[str]) -> None:
    proof = confirmed(race(STARTED, *operations))

    assert proof.confirmation.startswith("confirmed: ")
    assert "free-running threads" in proof.confirmation


@pytest.mark.slow
def test_thread_is_held_only_if_it_is_known_who_starts_it() -> None:
    proof = race(STARTED, "subject.in_threads()", "subject.value")

    assert confirmed(proof).confirmation.startswith("confirmed: ")
    assert "nobody knows who starts it" in confirmed(replace(proof, births=())).confirmation


@pytest.mark.measured_children
@pytest.mark.slow
def test_deadlock_of_coroutines_is_seen_on_the_plain_event_loop() -> None:
    source = (
        DEADLOCK.replace("threading", "asyncio").replace("def ", "async def ").replace("async def __", "def __")
    )
    source = source.replace("with", "async with").replace("asyncio.Lock", "asyncio.Semaphore")
    source = source.replace("with self.first:", "with self.first:\n                await asyncio.sleep(0)", 1)
    proof = race(source, "await subject.forth()", "await subject.back()", name="Pair")

    assert confirmed(proof).confirmation.startswith("confirmed: the threads wait for each other for ever")


@pytest.mark.slow
def test_race_that_is_gone_is_not_confirmed() -> None:
    proof = race(COUNTER, "subject.increment()")
    Path("code.py").write_text(dedent(COUNTER).replace("self.value += 1", "pass"), encoding="utf-8")

    assert "did not show it" in confirmed(proof).confirmation


@pytest.mark.measured_children
def test_code_that_no_longer_loads_is_not_confirmed() -> None:
    proof = race(COUNTER, "subject.increment()")
    Path("code.py").write_text("raise RuntimeError('gone')", encoding="utf-8")

    assert confirmed(proof).confirmation == "not confirmed: code cannot be imported: RuntimeError: gone"


def test_only_a_race_is_confirmed() -> None:
    Path("code.py").write_text(dedent(COUNTER), encoding="utf-8")
    proof = prove_target("code.py::Counter", budget=20, operations=["subject.value"])

    assert confirmed(proof) is proof
    assert proof.confirmation == ""


def test_token_is_enough_to_confirm() -> None:
    token = race(COUNTER, "subject.increment()").token
    assert token is not None

    assert confirmed(replay_token(token)).confirmation.startswith("confirmed: ")
