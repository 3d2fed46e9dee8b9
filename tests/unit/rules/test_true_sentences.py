"""What a finding says of a program holds there: who takes a lock, where a handler runs, what comes second."""

from textwrap import dedent

from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def the_finding(code: str, text: str) -> Finding:
    program = Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))
    (finding,) = rule_named(code).check(program)
    return finding


def test_second_operation_of_a_thread_without_loop_is_its_start() -> None:
    finding = the_finding(
        "RH309",
        """
        import asyncio
        import threading

        def worker():
            asyncio.get_event_loop().run_until_complete(job())

        def main():
            threading.Thread(target=worker).start()
        """,
    )

    assert (finding.second.function, finding.second.location.line) == ("main", 8)
    assert "loop beside" not in finding.second.action
    assert finding.subject.functions == ("worker",)


def test_made_up_name_is_not_one_that_every_run_uses() -> None:
    finding = the_finding(
        "RH402",
        """
        import tempfile

        def dump(data):
            name = tempfile.mktemp()
            with open(name, "w") as file:
                file.write(data)
        """,
    )

    assert "every other run" not in finding.message
    assert "picks a free name" in finding.trigger
    assert finding.second.location.line == 5


def test_signal_handler_runs_on_the_main_thread_and_finalizer_on_whichever_lets_go() -> None:
    handler = """
        import signal
        import threading

        LOCK = threading.Lock()

        def work():
            with LOCK:
                pass

        def stop(number, frame):
            with LOCK:
                pass

        signal.signal(signal.SIGTERM, stop)
        """
    finalizer = """
        import threading

        LOCK = threading.Lock()

        class Handle:
            def __init__(self):
                with LOCK:
                    pass

            def __del__(self):
                with LOCK:
                    pass
        """

    assert the_finding("RH208", handler).first.context.startswith("the main thread")
    assert "lets go of the object" in the_finding("RH208", finalizer).first.context


def test_locks_of_the_same_name_are_told_apart_by_their_classes() -> None:
    finding = the_finding(
        "RH201",
        """
        import threading

        class Cache:
            def __init__(self, index: "Index"):
                self._mutex = threading.Lock()
                self._index = index

            def store(self, key):
                with self._mutex:
                    self._index.add(key)

            def evict(self, key):
                with self._mutex:
                    print(key)

        class Index:
            def __init__(self, cache: Cache):
                self._mutex = threading.Lock()
                self.cache = cache

            def add(self, key):
                with self._mutex:
                    print(key)

            def shrink(self, key):
                with self._mutex:
                    self.cache.evict(key)
        """,
    )

    assert "holds `Cache._mutex` and waits for `Index._mutex`" in finding.trigger
    assert finding.subject.fields == ("_mutex",)


def test_helper_under_the_lock_of_its_caller_does_not_take_it() -> None:
    finding = the_finding(
        "RH304",
        """
        import asyncio

        class Client:
            def __init__(self):
                self._lock = asyncio.Lock()
                self._ready = asyncio.Event()

            async def token(self):
                async with self._lock:
                    await self._wait()

            async def _wait(self):
                await self._ready.wait()

            async def login(self):
                async with self._lock:
                    self._ready.set()
        """,
    )

    assert finding.trigger.startswith("`_wait` is called under `_lock`")


def test_lost_error_is_that_of_the_work_and_of_a_task_where_several_are_started() -> None:
    one = """
        import asyncio

        async def load(name):
            await fetch(name)

        async def refresh(names):
            await asyncio.gather(*(load(name) for name in names), return_exceptions=True)
            print("done")
        """
    two = (
        one.replace("*(load(name) for name in names)", "load(1), store(2)")
        + """
        async def store(name):
            await send(name)
        """
    )

    assert the_finding("RH306", one).second.function == "load"
    assert the_finding("RH306", one).trigger.startswith("`load` raises")
    assert the_finding("RH306", two).trigger.startswith("One of the tasks raises")
    assert the_finding("RH306", two).second != the_finding("RH306", two).first


def test_task_that_nobody_holds_is_dropped_by_the_collector() -> None:
    finding = the_finding(
        "RH305",
        """
        import asyncio

        def wrapper(function):
            asyncio.create_task(function())
        """,
    )

    assert "the collector" in finding.second.action


def test_lock_between_tasks_is_wanted_by_the_next_task() -> None:
    finding = the_finding(
        "RH204",
        """
        import asyncio

        class Limiter:
            def __init__(self):
                self.turns = asyncio.Semaphore(2)

            async def call(self, work):
                await self.turns.acquire()
                await work()
                self.turns.release()
        """,
    )

    assert "the next task that wants it" in finding.trigger
    assert finding.second.location.line == 10


def test_lock_that_lets_its_thread_in_does_not_stop_it() -> None:
    finding = the_finding(
        "RH303",
        """
        import threading

        class Store:
            def __init__(self):
                self._lock = threading.RLock()

            async def add(self, row):
                with self._lock:
                    await self.persist(row)
        """,
    )

    assert "let in" in finding.trigger
    assert "Deadlock" not in finding.impact


def test_stored_is_the_object_and_not_the_part_that_is_read_later() -> None:
    finding = the_finding(
        "RH301",
        """
        import asyncio

        class Api:
            async def profile(self, number):
                self.user = await self.database.user(number)
                orders = await self.database.orders(number)
                return self.user.name, orders

            async def both(self):
                await asyncio.gather(self.profile(1), self.profile(2))
        """,
    )

    assert "stores its own value in `self.user` " in finding.trigger
