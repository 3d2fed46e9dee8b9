"""What comes of a fault and what to do about it fit the code at hand, and are said in words that fit any code."""

import re
from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.rules.confidence_page import DOUBTS
from racehound.rules.registry import all_rules, rule_named
from racehound.rules.rh406_process_state_in_worker import _CHANGES, _PUT_ASIDE, _REMEDIES
from racehound.rules.rule import Rule
from racehound.source.module import SourceModule

SHARED = '''
    class Shelf:
        """Thread-safe."""

        def __init__(self):
            self.items = {items}
            self.room = 3

        def use(self, key):
            {use}

        def change(self, key):
            {change}
'''
CHECKS = {
    "an entry that may be gone": (
        ("{}", "return self.items[key] if key in self.items else None", "self.items.pop(key, None)"),
        ("Crash", "`get` or `pop` and a default"),
    ),
    "the last item of a list": (
        ("[]", "return self.items.pop() if self.items else None", "self.items.append(key)"),
        ("Crash", "catch the `IndexError`"),
    ),
    "an entry that only one may add": (
        ("set()", "return key in self.items or self.items.add(key)", "self.items.discard(key)"),
        ("both believe that they are the first", "Add it in one step"),
    ),
}


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


@pytest.mark.parametrize("name", CHECKS)
def test_remedy_of_a_check_fits_what_is_checked(name: str) -> None:
    (items, use, change), (impact, remedy) = CHECKS[name]
    finding = findings("RH101", SHARED.format(items=items, use=use, change=change))[0]

    assert impact in finding.impact
    assert remedy in finding.remedy
    assert "hold one lock over the check and the use" in finding.remedy


def test_queue_that_was_looked_at_is_asked_without_waiting() -> None:
    (finding,) = findings(
        "RH101",
        """
        import queue
        import threading

        class Pool:
            def __init__(self):
                self.jobs = queue.Queue()

            def run(self):
                if not self.jobs.empty():
                    self.jobs.get()

            def start(self):
                for _ in range(4):
                    threading.Thread(target=self.run).start()
        """,
    )

    assert finding.impact.startswith("Hang: `get` waits")
    assert "`get_nowait`" in finding.remedy


def test_copy_that_is_advised_is_one_of_the_container_at_hand() -> None:
    use = "return [item for item in self.items]"
    change = "self.items[key] = 1"
    (finding,) = findings("RH103", SHARED.format(items="{}", use=use, change=change))

    assert "`list(self.items)`" in finding.remedy


def test_container_that_is_handed_out_is_copied_by_its_name() -> None:
    (finding,) = findings(
        "RH110",
        """
        import threading

        class Log:
            def __init__(self):
                self._lock = threading.Lock()
                self._rows = {}

            def add(self, key, row):
                with self._lock:
                    self._rows[key] = row

            def rows(self):
                with self._lock:
                    return self._rows
        """,
    )

    assert "`return self._rows.copy()`" in finding.remedy


LIBRARIES = {
    "asyncio": "`asyncio.sleep`",
    "trio": "`trio.to_thread.run_sync`",
    "anyio": "`anyio.to_thread.run_sync`",
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("code", ["RH310", "RH311"])
def test_coroutine_is_told_what_its_own_library_has(code: str, library: str) -> None:
    wait = "time.sleep(1)" if code == "RH310" else "queue.Queue().get()"
    (finding,) = findings(
        code, f"import queue\nimport time\nimport {library}\n\nasync def work():\n    {wait}\n    await other()\n"
    )

    assert library in finding.remedy
    assert library == "asyncio" or "asyncio" not in finding.remedy


def test_call_that_blocks_holds_up_the_others() -> None:
    (finding,) = findings("RH310", "import time\n\nasync def work():\n    time.sleep(1)\n")

    assert (finding.second.action, finding.second.target) == ("holds up", "the other tasks of the loop")


@pytest.mark.parametrize(("start", "makes"), [("with", "threading.Lock()"), ("async with", "asyncio.Lock()")])
def test_lock_is_entered_as_its_kind_is(start: str, makes: str) -> None:
    awaits = "await " if start == "async with" else ""
    (finding,) = findings(
        "RH204",
        f"""
        import asyncio
        import threading

        LOCK = {makes}

        async def work(step):
            {awaits}LOCK.acquire()
            await step()
            LOCK.release()
        """,
    )

    assert f"`{start} LOCK:`" in finding.remedy


WAITS = {
    "condition.wait()": ("waits for ever", "`while not ready: condition.wait()`"),
    "condition.notify()": ("does not hold the lock", "Hold the lock around the call"),
}


@pytest.mark.parametrize("call", WAITS)
def test_condition_is_told_what_is_wrong_with_this_use(call: str) -> None:
    lines = f"with condition:\n        {call}" if "wait" in call else call
    (finding,) = findings(
        "RH207", f"import threading\n\ncondition = threading.Condition()\n\ndef work():\n    {lines}\n"
    )

    assert WAITS[call][0] in finding.trigger
    assert WAITS[call][1] in finding.remedy


def test_helper_of_a_finalizer_is_not_called_one() -> None:
    (finding,) = findings(
        "RH208",
        """
        import threading

        LOCK = threading.Lock()

        def note():
            with LOCK:
                pass

        def close():
            with LOCK:
                pass

        class Handle:
            def __del__(self):
                close()
        """,
    )

    assert "in `close`, called by `__del__`, a finalizer, which" in finding.message


def test_module_is_not_called_a_function() -> None:
    (finding,) = findings(
        "RH305",
        """
        import asyncio

        async def work():
            await other()

        loop = asyncio.new_event_loop()
        loop.create_task(work())
        loop.run_forever()
        """,
    )

    assert finding.message.endswith("starts in the body of the module")
    assert finding.trigger.startswith("The body of the module goes on")
    assert finding.first.context == "any thread that imports the module"


def test_drawing_a_second_name_is_no_use_of_the_first() -> None:
    first, second = findings(
        "RH402",
        """
        import tempfile

        def dump(text):
            here, there = tempfile.mktemp(), 1
            other = tempfile.mktemp()
            open(here, "w").write(text)
            open(other, "w").write(text)
        """,
    )

    assert {first.second.action, second.second.action} == {"overwrites"}


@pytest.mark.parametrize(
    ("use", "remedy"),
    [
        ("if not os.path.exists(ROOT):\n        os.makedirs(ROOT)", "`exist_ok=True`, or catch `FileExistsError`"),
        ("if os.path.exists(ROOT):\n        return open(ROOT).read()", "Open it without looking first"),
        ("if os.path.exists(ROOT):\n        os.remove(ROOT)", "Remove it without looking first"),
    ],
)
def test_file_that_is_looked_for_is_told_how_to_go_without(use: str, remedy: str) -> None:
    (finding,) = findings("RH401", f"import os\n\nROOT = '/var/lib/tool/state'\n\ndef work():\n    {use}\n")

    assert remedy in finding.remedy


CLUMSY = re.compile(
    r"\b(as a rule|is told by|hangs? on|by the way|come to that|no longer so|takes it that|belongs? into)\b"
)


@pytest.mark.parametrize("text", [doubt.reason for doubts in DOUBTS.values() for doubt in doubts])
def test_doubt_is_plain_english(text: str) -> None:
    assert not CLUMSY.search(text)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.code)
def test_rule_is_plain_english(rule: Rule) -> None:
    meta = rule.meta

    assert not CLUMSY.search(f"{meta.summary} {meta.impact} {rule.remedy}")


@pytest.mark.parametrize(
    ("change", "state", "remedy"),
    [
        ("os.chdir(path)", "the working directory", "absolute paths"),
        ("socket.setdefaulttimeout(path)", "the default timeout of sockets", "`settimeout`"),
        ("random.seed(path)", "the generator of random numbers", "`random.Random`"),
    ],
)
def test_state_of_the_process_is_told_with_what_replaces_it(change: str, state: str, remedy: str) -> None:
    (finding,) = findings(
        "RH406",
        f"""
        import os
        import random
        import socket
        from concurrent.futures import ThreadPoolExecutor

        def work(path):
            {change}

        def main(paths):
            with ThreadPoolExecutor(4) as pool:
                pool.map(work, paths)
        """,
    )

    assert state in finding.impact
    assert remedy in finding.remedy


def test_every_state_of_the_process_has_a_remedy() -> None:
    assert set(_REMEDIES) == {*_CHANGES.values(), *_PUT_ASIDE.values()}


def test_wait_for_something_outside_is_taken_out_of_the_section() -> None:
    (finding,) = findings(
        "RH304",
        """
        import asyncio

        class Line:
            def __init__(self, reader):
                self._lock = asyncio.Lock()
                self._reader = reader

            async def ask(self):
                async with self._lock:
                    return await self._reader.readline()

            async def tell(self, text):
                async with self._lock:
                    self._reader.feed(text)
        """,
    )

    assert finding.impact.startswith("Stall")
    assert "`asyncio.Condition`" not in finding.remedy
    assert "timeout" in finding.remedy


def test_clean_up_that_is_only_abandoned_skips_nothing() -> None:
    text = """
        async def work(stream):
            try:
                await stream.read()
            finally:
                await stream.flush()
        """
    (finding,) = findings("RH312", text)

    assert finding.impact.startswith("Half a clean-up")
    assert finding.trigger.startswith("The task is cancelled while `work` waits")
