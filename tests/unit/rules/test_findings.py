"""What a finding tells, on the breaker that the documentation starts from."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding, Grade
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

BREAKER = """
    from concurrent.futures import ThreadPoolExecutor

    class Breaker:
        def __init__(self) -> None:
            self._failures: dict[str, int] = {}
            self._disabled: set[str] = set()

        def record_failure(self, name: str) -> None:
            count = self._failures.get(name, 0) + 1
            self._failures[name] = count
            if count >= 3:
                self._disabled.add(name)

        def record_success(self, name: str) -> None:
            self._failures[name] = 0
            self._disabled.discard(name)

        def is_open(self, name: str) -> bool:
            return name in self._disabled
    """
EXECUTOR = """
    from concurrent.futures import ThreadPoolExecutor
    from breaker import Breaker

    class Executor:
        def __init__(self, breaker: Breaker):
            self._breaker = breaker

        def run(self, names):
            with ThreadPoolExecutor() as pool:
                for name in names:
                    pool.submit(self._one, name)

        def _one(self, name):
            self._breaker.record_failure(name)
            self._breaker.record_success(name)
    """


def findings(code: str, *sources: tuple[str, str]) -> list[Finding]:
    modules = [SourceModule.from_text(dedent(text).lstrip(), path) for path, text in sources]
    return list(rule_named(code).check(Program.of(*modules)))


def test_read_modify_write_is_certain_when_another_module_runs_it_in_a_pool() -> None:
    (finding,) = findings("RH102", ("app/breaker.py", BREAKER), ("app/executor.py", EXECUTOR))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.grade is Grade.GIL
    assert finding.race_type == "Read-Modify-Write"
    assert finding.location.path == "app/breaker.py"
    assert (finding.location.line, finding.location.column) == (10, 9)
    assert finding.message == "`self._failures[name]` is read and written back without a lock in `record_failure`"
    assert finding.first.context == "a pool thread started at app/executor.py:11"
    assert finding.trigger.startswith("Two threads run `record_failure` at the same time")
    assert finding.evidence == (
        "count = self._failures.get(name, 0) + 1  # line 9\nself._failures[name] = count  # line 10"
    )
    assert finding.subject.class_name == "Breaker"
    assert finding.subject.functions == ("record_failure", "record_success")
    assert finding.subject.fields == ("_failures",)
    assert finding.subject.lock is None


def test_nothing_is_said_of_a_class_that_nobody_shares() -> None:
    assert findings("RH102", ("app/breaker.py", BREAKER)) == []
    assert findings("RH107", ("app/breaker.py", BREAKER)) == []


def test_inconsistent_guard_names_the_two_methods_that_change_the_state() -> None:
    failures, disabled = findings("RH107", ("app/breaker.py", BREAKER), ("app/executor.py", EXECUTOR))

    assert failures.subject.fields == ("_failures",)
    assert disabled.subject.fields == ("_disabled",)
    assert disabled.subject.functions == ("record_failure", "record_success", "is_open")
    assert disabled.race_type == "Inconsistent Guard"
    assert disabled.grade is Grade.GIL
    assert disabled.first.action == "changes"
    assert "between two steps" in disabled.trigger


@pytest.mark.parametrize(
    ("statement", "grade"),
    [
        ("self.n += 1", Grade.FREE_THREADED),
        ("self.n = self.n + 1", Grade.FREE_THREADED),
        ("self.n += len(item)", Grade.GIL),
        ("self.n = max(self.n, item)", Grade.GIL),
        ("n = self.n\n        for i in item: n = i\n        self.n = self.n + n", Grade.FREE_THREADED),
        ("n = self.n\n        for i in item: n += i\n        self.n = n", Grade.GIL),
    ],
)
def test_grade_says_whether_the_interpreter_may_switch_in_between(statement: str, grade: Grade) -> None:
    text = f"""
class Meter:
    '''Thread-safe.'''
    def __init__(self):
        self.n = 0
    def record(self, item):
        {statement}
"""
    (finding,) = findings("RH102", ("meter.py", text))

    assert finding.grade is grade
    assert finding.confidence is Confidence.LIKELY


def test_locked_here_and_bare_there_names_the_lock() -> None:
    text = """
        import threading

        class Counter:
            def __init__(self):
                self._lock = threading.Lock()
                self.value = 0

            def increment(self):
                self.value += 1

            def reset(self):
                with self._lock:
                    self.value = 0
        """
    (finding,) = findings("RH107", ("counter.py", text))

    assert finding.subject.lock == "_lock"
    assert finding.subject.functions == ("increment", "reset")
    assert finding.first.locks == ()
    assert finding.second.locks == ("_lock",)
    assert finding.trigger.startswith("`reset` holds `_lock` while it writes `self.value`")
    assert finding.second.context == "any thread that calls `reset`"


def test_one_value_read_whole_without_the_lock_is_only_possible() -> None:
    text = """
        import threading

        class Bucket:
            def __init__(self):
                self._lock = threading.Lock()
                self._level = 0

            def fill(self, amount):
                with self._lock:
                    self._level = self._level + amount

            def level(self):
                return self._level
        """
    (finding,) = findings("RH107", ("bucket.py", text))

    assert finding.confidence is Confidence.POSSIBLE


def test_lock_that_is_for_something_else_makes_a_read_modify_write_only_possible() -> None:
    text = """
        import threading

        class Process:
            def __init__(self):
                self._waitpid_lock = threading.Lock()
                self.offset = 0

            def feed(self):
                self.offset += 1
        """
    (finding,) = findings("RH102", ("process.py", text))

    assert finding.confidence is Confidence.POSSIBLE


def test_update_of_one_thread_against_a_change_of_another_names_both() -> None:
    text = """
        import threading

        class Poller(threading.Thread):
            def run(self):
                self.seen = merged(self.seen)

            def accept(self, names):
                self.seen = names
        """
    (finding,) = findings("RH102", ("poller.py", text))

    assert finding.subject.functions == ("run", "accept")
    assert "changes it in `accept`" in finding.trigger
    assert finding.first.context == "the thread started at poller.py:3"
    assert finding.confidence is Confidence.LIKELY


@pytest.mark.parametrize("change", ["self.seen = 0", "self.seen = names"])
def test_a_step_that_must_hit_an_instant_of_a_count_is_only_possible(change: str) -> None:
    text = f"""
        import threading

        class Poller(threading.Thread):
            def run(self):
                self.seen = self.seen + 1

            def accept(self, names):
                {change}
        """
    (finding,) = findings("RH102", ("poller.py", text))

    assert finding.confidence is Confidence.POSSIBLE


GAUGE = """
    import threading

    class Gauge:
        def __init__(self):
            self._lock = threading.Lock()
            self.active = 0

        def run(self, job, shared):
            {steps}
    """


def gauge(*steps: str) -> Finding:
    text = dedent(GAUGE).format(steps="\n        ".join(steps))
    (finding,) = findings("RH102", ("gauge.py", text))
    return finding


def test_bare_update_in_the_same_run_as_a_locked_one_is_likely() -> None:
    found = gauge("with self._lock:", "    self.active += 1", "job()", "self.active -= 1")

    assert found.confidence is Confidence.LIKELY


def test_bare_update_on_another_path_than_the_locked_one_is_possible() -> None:
    locked = ("if shared:", "    with self._lock:", "        self.active += 1")

    assert gauge(*locked, "else:", "    self.active += 1").confidence is Confidence.POSSIBLE


def test_object_has_the_name_that_the_method_gives_it() -> None:
    text = """
        import threading

        class Service:
            _instance = None

            @classmethod
            def get(cls):
                if cls._instance is None:
                    cls._instance = cls()
                return cls._instance
        """

    (finding,) = findings("RH106", ("service.py", text))

    said = [finding.message, finding.trigger, finding.first.target, finding.second.target]
    assert all("cls._instance" in item for item in said)
    assert not any("self" in item for item in said)


@pytest.mark.parametrize(
    ("start", "confidence"),
    [
        ("os.fork()", Confidence.LIKELY),
        ("multiprocessing.Process(target=print).start()", Confidence.LIKELY),
        (
            "multiprocessing.get_context(METHOD); multiprocessing.Process(target=print).start()",
            Confidence.POSSIBLE,
        ),
    ],
)
def test_process_that_is_started_beside_a_thread_is_accused(start: str, confidence: Confidence) -> None:
    text = f"""
        import multiprocessing
        import os
        import threading

        def serve():
            threading.Thread(target=print).start()
            {start}
        """

    (finding,) = findings("RH209", ("serve.py", text))

    assert finding.confidence is confidence


def test_list_that_loses_an_item_raises_no_key_error() -> None:
    text = """
        import threading

        class Jobs:
            def __init__(self):
                self.jobs = []

            def drop(self, at):
                if self.jobs[at] is None:
                    print(at)
                    self.jobs.pop(at)

        def main(jobs: Jobs):
            for at in range(3):
                threading.Thread(target=jobs.drop, args=(at,)).start()
        """

    (finding,) = findings("RH101", ("jobs.py", text))

    assert "takes an item out, and the use raises IndexError or finds another item" in finding.trigger


def test_coroutine_is_awaited_by_tasks_and_not_called_by_threads() -> None:
    text = """
        import threading

        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = {}

            async def show(self):
                for name in self.total:
                    print(name)

            def add(self, name):
                with self._lock:
                    self.total[name] = 1

            def drop(self, name):
                with self._lock:
                    self.total.pop(name, None)
        """

    (finding,) = findings("RH103", ("meter.py", text))

    assert finding.first.context == "any task that awaits `show`"
    assert finding.second.context == "any thread that calls `add`"


def test_lock_that_goes_into_the_next_round_is_kept_where_the_round_ends() -> None:
    source = """
        import threading
        lock = threading.Lock()

        def raise_all(keys, counts):
            for key in keys:
                lock.acquire()
                if key not in counts:
                    continue
                counts[key] += 1
                lock.release()
        """

    (finding,) = findings("RH204", ("counts.py", source))

    assert (finding.first.action, finding.first.location.line) == ("keeps", 8)
    assert (finding.second.action, finding.second.location.line) == ("acquires", 6)
