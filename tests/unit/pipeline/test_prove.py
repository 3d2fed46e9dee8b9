"""Proofs in a child process: whatever the code does, the caller gets a verdict and nothing is left behind."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.errors import UsageError
from racehound.model.proof import Proof, Verdict
from racehound.model.report import Case
from racehound.model.schedule import encode_token
from racehound.pipeline.hunt import hunt
from racehound.pipeline.proofs import prove_patched
from racehound.pipeline.prove import prove_finding, prove_target, replay_token, run_request
from racehound.scenario.regression import Target, regression_test
from racehound.scenario.request import Request
from racehound.scenario.watchdog import Progress

COUNTER = """
    import threading

    class Counter:
        def __init__(self):
            self._lock = threading.Lock()
            self.value = 0

        def up(self):
            self.value += 1

        def reset(self):
            with self._lock:
                self.value = 0
"""


def write(directory: Path, source: str, name: str = "code_under_proof.py") -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(source), encoding="utf-8")
    return path


def prove(path: Path, class_name: str | None = "Thing", *functions: str, seconds: float = 10.0) -> Proof:
    request = Request(
        path=str(path),
        shown_path=str(path),
        class_name=class_name,
        functions=functions,
        pair=None,
        fields=(),
        seconds=seconds,
    )
    return run_request(request)


@pytest.mark.measured_children
def test_finding_is_proven_and_its_patch_is_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, COUNTER, "counter.py")
    findings, _, _ = hunt(["counter.py"])

    proof = prove_finding(findings[0], budget=10)
    patched = path.read_text().replace("        self.value += 1", "        with self._lock: self.value += 1")
    again = prove_finding(findings[0], budget=10, source_override=patched, first=proof.scenario)

    assert proof.verdict is Verdict.RACE
    assert {step.path for step in proof.timeline} == {"counter.py"}
    assert again.verdict is Verdict.SAFE
    assert path.read_text() == dedent(COUNTER)


LEDGER = """
    import threading

    class Ledger:
        def __init__(self):
            self._lock = threading.Lock()
            self.value = 0

        def add(self):
            self.value += 1

        def reset(self):
            with self._lock:
                self.value = 0

        def merge(self, other: "Ledger"):
            with self._lock, other._lock:
                other.value = 0
"""


@pytest.mark.slow
def test_a_patch_is_proven_beside_a_deadlock_that_was_there_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, LEDGER, "ledger.py")
    finding = next(found for found in hunt(["ledger.py"])[0] if found.rule == "RH102")
    patched = path.read_text().replace("        self.value += 1", "        with self._lock: self.value += 1")

    case = Case(finding=finding, proof=prove_finding(finding, budget=10))
    proof = prove_patched(case, patched, budget=10, prove=prove_finding)

    assert proof.verdict is Verdict.SAFE
    assert proof.reason.endswith("what fails as it did before the patch was left out: `merge`")


@pytest.mark.measured_children
def test_token_is_replayed_from_where_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTER, "counter.py")
    proof = prove_target("counter.py::Counter", budget=10)
    assert proof.token is not None

    assert replay_token(proof.token).timeline == proof.timeline

    write(tmp_path, COUNTER.replace("self.value += 1", "pass"), "counter.py")
    assert replay_token(proof.token).reason == "this schedule does not fail on the code as it is now"

    (tmp_path / "counter.py").unlink()
    with pytest.raises(UsageError, match=r"counter\.py does not exist"):
        replay_token(proof.token)


@pytest.mark.parametrize("token", ["nonsense", "rh1-AAAA", encode_token({"other": 1})])
def test_what_is_no_token_is_said_so(token: str) -> None:
    with pytest.raises(UsageError, match="token"):
        replay_token(token)


def test_generated_test_fails_on_the_racy_code_and_passes_on_the_fixed(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTER, "counter.py")
    proof = prove(path, "Counter", "up")
    test = write(tmp_path, proof.test, "test_generated.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]

    racy = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    source = path.read_text().replace("        self.value += 1", "        with self._lock: self.value += 1")
    path.write_text(source)
    fixed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert racy.returncode == 1, racy.stdout
    assert "test_counter_operations_do_not_race" in racy.stdout
    assert "task 1" in racy.stdout
    assert fixed.returncode == 0, fixed.stdout


def test_module_of_a_package_is_imported_by_its_full_name(tmp_path: Path) -> None:
    write(tmp_path, "", "shop/__init__.py")
    write(tmp_path, "STEP = 1", "shop/steps.py")
    path = write(
        tmp_path,
        """
        from .steps import STEP

        class Thing:
            def __init__(self):
                self.n = 0

            def up(self):
                self.n += STEP
        """,
        "shop/stock.py",
    )

    proof = prove(path)

    assert proof.verdict is Verdict.RACE
    assert "from shop.stock import Thing" in proof.test


@pytest.mark.measured_children
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise RuntimeError('broken import')", "cannot be imported: RuntimeError: broken import"),
        ("import no_such_module_at_all", "made up: no_such_module_at_all"),
        ("raise SystemExit(3)", "exits with status 3"),
        ("import os; os._exit(7)", "ended its process with status 7"),
        ("import os; os.abort()", "ended by SIGABRT"),
        ("import sys; sys.stderr.write('last words'); import os; os._exit(1)", "status 1: last words"),
        ("def f(:", "cannot be imported: SyntaxError"),
        ("x = 1", "has no class Thing"),
    ],
)
def test_code_that_cannot_be_loaded_is_inconclusive_with_the_reason(
    tmp_path: Path, body: str, reason: str
) -> None:
    proof = prove(write(tmp_path, body))

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert reason in proof.reason


METHODS = """
    import ctypes, os, pathlib, signal, socket, subprocess, sys, time, threading

    class Thing:
        def __init__(self):
            self.n = 0

        def up(self):
            {body}
            self.n += 1
"""


@pytest.mark.measured_children
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(2)", "ends the program: SystemExit"),
        ("os._exit(3)", "ends its process: os._exit(3)"),
        ("ctypes.CDLL(None)._exit(3)", "ended its process with status 3"),
        ("self.big = bytearray(8 << 30)", "the code needs more than 2048 MB"),
        ("[threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(80)]", "more than 64 threads"),
        (
            "threading.Thread(target=threading.Event().wait).start()",
            "a thread that the operations start never ends",
        ),
        ("os.fork()", "forks a process"),
        ("ctypes.string_at(0)", "ended by SIGSEGV"),
    ],
)
def test_operation_that_ends_or_escapes_is_inconclusive(tmp_path: Path, body: str, reason: str) -> None:
    proof = prove(write(tmp_path, METHODS.format(body=body)))

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert reason in proof.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "os.read(os.pipe()[0], 1)",
        "door = socket.socket(); door.bind(('127.0.0.1', 0)); door.listen(); door.accept()",
        "threading.Thread(target=os.read, args=(os.pipe()[0], 1)).start()",
        "ctypes.CDLL(None).kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_operation_that_waits_outside_is_inconclusive_in_time(tmp_path: Path, body: str) -> None:
    proof = prove(write(tmp_path, METHODS.format(body=body)), seconds=0.5)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert "did not come to an end within 0.5 seconds: it may wait for something outside" in proof.reason


@pytest.mark.slow
def test_operation_that_makes_steps_for_ever_is_inconclusive_in_time(tmp_path: Path) -> None:
    proof = prove(write(tmp_path, METHODS.format(body="[None for _ in iter(int, 1)]")), seconds=0.5)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert re.match("the budget ended before|the operations take more than 100,000 steps", proof.reason)


@pytest.mark.slow
def test_module_that_does_not_come_to_the_end_of_its_import_is_inconclusive(tmp_path: Path) -> None:
    source = "import os\n\nos.fork() and os.read(os.pipe()[0], 1)\n" + dedent(METHODS.format(body="pass"))

    proof = prove(write(tmp_path, source), seconds=0.5)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert "did not come to an end" in proof.reason


@pytest.mark.slow
@pytest.mark.parametrize("end", ["os.read(os.pipe()[0], 1)", "os._exit(5)", "sys.exit(5)"])
def test_nothing_that_the_code_started_outlives_its_proof(
    tmp_path: Path, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RACEHOUND_WRITABLE", str(tmp_path))
    pidfile = tmp_path / "pid"
    command = f"echo $$ > {pidfile}.$$; mv {pidfile}.$$ {pidfile}; exec sleep 300"  # it is there with its number
    wait = f"[None for _ in iter(pathlib.Path({str(pidfile)!r}).exists, True)]"
    body = f"subprocess.Popen(['/bin/sh', '-c', {command!r}], env={{}}, start_new_session=True); {wait}; {end}"

    proof = prove(write(tmp_path, METHODS.format(body=body)), seconds=1.0)

    assert proof.verdict is Verdict.INCONCLUSIVE
    while is_running(int(pidfile.read_text())):  # the signal is on its way
        os.sched_yield()


def test_search_that_is_at_work_when_the_time_is_over_has_seen_something() -> None:
    progress = Progress(2.0)

    assert progress.conclude(is_at_work=True).verdict is Verdict.INCONCLUSIVE  # so far one after the other
    progress.has_raced = lambda: True
    assert progress.conclude(is_at_work=True).verdict is Verdict.SAMPLED
    assert progress.conclude(is_at_work=False).verdict is Verdict.INCONCLUSIVE
    progress.race = lambda: Proof(verdict=Verdict.RACE, reason="", executions=1)
    assert progress.conclude(is_at_work=False).verdict is Verdict.RACE


def is_running(pid: int) -> bool:
    """Whether the process still does anything; one that nobody has reaped yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # gone, or going while it is read
        return False
    return state != "Z"


@pytest.mark.measured_children
def test_target_writes_nothing_into_the_directory_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = tmp_path / "caller"
    caller.mkdir()
    monkeypatch.chdir(caller)
    monkeypatch.setenv("HOME", str(caller))
    body = "open('left', 'w').close(); open(os.path.expanduser('~/left'), 'w').close(); print('noise')"

    prove(write(tmp_path, METHODS.format(body=body)))

    assert list(caller.iterdir()) == []


@pytest.mark.measured_children
def test_functions_race_on_the_globals_of_their_module(tmp_path: Path) -> None:
    source = "total = 0\n\ndef add(amount):\n    global total\n    total += amount\n"

    proof = prove(write(tmp_path, source), None, "add")

    assert proof.verdict is Verdict.RACE
    assert proof.outcome is not None
    assert proof.outcome.state == "total=1"
    assert "from code_under_proof import add" in proof.test


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_file.py::Thing", "no_such_file.py does not exist"),
        ("no.such.module:Thing", "no module no.such.module"),
        ("code_under_proof.py", "names no class or function"),
        ("code_under_proof.py::Nope", "has no class or function Nope"),
    ],
)
def test_target_that_does_not_exist_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTER)

    with pytest.raises(UsageError, match=message):
        prove_target(target, budget=5)


def test_target_is_named_by_path_or_by_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTER, "counter.py")
    write(tmp_path, "total = 0\n\ndef add(amount):\n    global total\n    total += amount\n", "sums.py")

    assert prove_target("counter.py::Counter", budget=5).verdict is Verdict.RACE
    assert prove_target("counter:Counter", budget=5).verdict is Verdict.RACE
    assert prove_target("sums.py::add", budget=5).verdict is Verdict.RACE


@pytest.mark.measured_children
def test_own_scenario_is_raced_as_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTER, "counter.py")

    safe = prove_target("counter.py::Counter", budget=5, operations=["subject.reset()", "subject.reset()"])
    racy = prove_target("counter.py::Counter", budget=5, setup="Counter()", operations=["subject.up()"])

    assert (safe.verdict, racy.verdict) == (Verdict.SAFE, Verdict.RACE)
    assert racy.scenario is not None
    assert racy.scenario.tasks == (("subject.up()",), ("subject.up()",))


@pytest.mark.measured_children
def test_child_does_not_outlive_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_WRITABLE", str(tmp_path))
    pidfile = tmp_path / "pid"
    body = f"open({str(pidfile)!r}, 'w').write(str(os.getpid())); os.read(os.pipe()[0], 1)"
    path = write(tmp_path, METHODS.format(body=body))
    call = f"prove_target({str(path) + '::Thing'!r}, budget=60)"
    script = f"from racehound.pipeline.prove import prove_target; {call}"
    parent = subprocess.Popen([sys.executable, "-c", script])
    while not (pidfile.exists() and pidfile.read_text()):
        assert parent.poll() is None
    child = int(pidfile.read_text())
    assert is_running(child)

    parent.kill()
    parent.wait()

    while is_running(child):
        os.sched_yield()


def test_update_of_a_file_that_is_lost_is_a_race(tmp_path: Path) -> None:
    source = """
        import json, pathlib, tempfile

        class Settings:
            def __init__(self):
                self.path = pathlib.Path(tempfile.mkdtemp()) / "settings.json"
                self.path.write_text("{}")

            def put(self, key: str):
                settings = json.loads(self.path.read_text())
                settings[key] = 1
                replacement = self.path.with_suffix(".new")
                replacement.write_text(json.dumps(settings))
                replacement.replace(self.path)
        """

    proof = prove(write(tmp_path, source), "Settings")

    assert proof.verdict is Verdict.RACE


def test_operations_before_the_race_wait_in_virtual_time(tmp_path: Path) -> None:
    source = """
        import threading

        class Thing:
            def __init__(self):
                self._items = []
                self._changed = threading.Condition()

            def put(self, item: int):
                with self._changed:
                    self._items.append(item)
                    self._changed.notify()

            def take(self):
                with self._changed:
                    self._changed.wait_for(lambda: self._items, timeout=600)
                    return self._items.pop() if self._items else None
        """

    proof = prove(write(tmp_path, source), seconds=20.0)

    assert proof.verdict is Verdict.SAFE, proof.reason


def test_sound_blocks_are_safe(tmp_path: Path) -> None:
    source = """
        import threading
        from contextlib import contextmanager

        class Thing:
            def __init__(self):
                self._slots = threading.BoundedSemaphore(2)
                self._lock = threading.Lock()
                self.used = 0

            @contextmanager
            def use(self):
                with self._slots:
                    with self._lock:
                        self.used += 1
                    yield
        """

    proof = prove(write(tmp_path, source), seconds=20.0)

    assert proof.verdict is Verdict.SAFE, proof.reason


def test_iterating_over_a_stream_of_coroutines_is_raced_and_written_as_a_test(tmp_path: Path) -> None:
    source = """
        import asyncio

        class Thing:
            def __init__(self):
                self.left = [1]

            def __aiter__(self):
                self.asked = True
                return self

            async def __anext__(self):
                if not self.left:
                    raise StopAsyncIteration
                await asyncio.sleep(0)
                return self.left.pop()
        """

    proof = prove(write(tmp_path, source), seconds=20.0)
    assert proof.scenario is not None
    test = regression_test(proof.scenario, Target.of("code_under_proof", "x.py"), class_name="Thing")

    assert proof.verdict is Verdict.RACE, proof.reason
    assert "async def task_0(subject):\n    return [item async for item in subject]" in test
