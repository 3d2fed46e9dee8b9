"""What runs at exit, when an object goes or when a signal comes: whom it meets, and how that is told."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule
from racehound.source.prefilter import is_worth_parsing

AT_EXIT = """
    import _thread
    import atexit
    import threading
    from concurrent.futures import ThreadPoolExecutor
    spans = {}
    def sample():
        return 1
    def collect():
        spans[sample()] = 1
    def flush():
        for name in spans:
            print(name)
    """
LOOPING = {
    "daemon": "atexit.register(flush)\nthreading.Thread(target=collect, daemon=True).start()",
    "made a daemon": "atexit.register(flush)\nt = threading.Thread(target=collect)\nt.daemon = True\nt.start()",
    "told to be a daemon": (
        "atexit.register(flush)\nt = threading.Timer(1, collect)\nt.setDaemon(True)\nt.start()"
    ),
    "low-level thread": "atexit.register(flush)\n_thread.start_new_thread(collect, ())",
    "decorated": (
        "@atexit.register\ndef finish():\n    flush()\nthreading.Thread(target=collect, daemon=True).start()"
    ),
    "nameless": "atexit.register(lambda: flush())\nthreading.Thread(target=collect, daemon=True).start()",
    "before threads are waited for": (
        "threading._register_atexit(flush)\nthreading.Thread(target=collect).start()"
    ),
    "class of daemons": """\
class Collector(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
    def run(self):
        collect()
atexit.register(flush)
Collector().start()""",
}
OVER = {
    "waited for": "atexit.register(flush)\nthreading.Thread(target=collect).start()",
    "timer": "atexit.register(flush)\nthreading.Timer(1, collect).start()",
    "pool": "atexit.register(flush)\npool = ThreadPoolExecutor(1)\npool.submit(collect)",
    "class of threads": """\
class Collector(threading.Thread):
    def run(self):
        collect()
atexit.register(flush)
Collector().start()""",
    "joined by the handler": """\
t = threading.Thread(target=collect, daemon=True)
def stop():
    t.join()
@atexit.register
def finish():
    stop()
    flush()
t.start()""",
}


OF_AN_OBJECT = """
    import atexit
    import functools
    import threading
    class Sink:
        def __init__(self):
            self.rows = {}
            self._thread = threading.Thread(target=self._fill, daemon=True)
            self._thread.start()
            atexit.register(functools.partial(self._finish, "out"))
        def _fill(self):
            while True:
                self.rows[len(self.rows)] = 1
        def _stop(self):
            STOPPED
        def _finish(self, path):
            self._stop()
            self._save(path)
        def _save(self, path):
            for row in self.rows.items():
                print(path, row)
    """


def loops(text: str) -> list[Finding]:
    assert is_worth_parsing(text.encode())
    return list(rule_named("RH103").check(Program.of(SourceModule.from_text(text))))


@pytest.mark.parametrize("name", LOOPING)
def test_exit_handlers_meet_threads_that_are_still_there(name: str) -> None:
    found = loops(f"{dedent(AT_EXIT)}{LOOPING[name]}\n")
    assert [finding.confidence for finding in found] == [Confidence.LIKELY]
    assert found[0].first.context.startswith("an exit handler, in the main thread, while ")


@pytest.mark.parametrize("name", OVER)
def test_exit_handlers_do_not_meet_threads_that_are_waited_for(name: str) -> None:
    found = loops(f"{dedent(AT_EXIT)}{OVER[name]}\n")
    assert all(finding.confidence is Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize(("stopped", "is_told"), [("print()", True), ("self._thread.join()", False)])
def test_steps_of_a_handler_come_after_what_it_waits_for(stopped: str, is_told: bool) -> None:
    found = loops(dedent(OF_AN_OBJECT).replace("STOPPED", stopped))
    assert [finding.confidence is not Confidence.POSSIBLE for finding in found] == [is_told]


def test_handler_that_others_call_as_well_meets_their_threads() -> None:
    text = f"{dedent(AT_EXIT)}{OVER['waited for']}\ndef serve():\n    while True:\n        flush()\n"
    text += "threading.Thread(target=serve).start()\n"
    assert any(finding.confidence is Confidence.CERTAIN for finding in loops(text))


def test_finding_names_the_end_and_no_lock_as_its_remedy() -> None:
    (found,) = loops(
        dedent("""
            open_ones = {}
            class Handle:
                def __del__(self):
                    open_ones.pop(id(self), None)
            def report():
                for number in open_ones:
                    print(number)
            """)
    )
    assert found.second is not None
    assert found.second.context.startswith("a finalizer, in whichever thread drops the last reference, defined at")
    assert "A lock does not keep out" in found.remedy
    assert found.subject.unpatched == "`__del__` would wait for the thread that it interrupts"


def test_change_that_hangs_on_something_else_in_a_helper_is_possible() -> None:
    (found,) = loops(
        dedent("""
            class Pool:
                def __init__(self):
                    self.lent = {}
                def release(self, lease, keep=False):
                    if not keep:
                        return
                    self.lent[id(lease)] = lease
                def all(self):
                    return [str(lease) for lease in self.lent.values()]
            class Lease:
                def __init__(self, pool: Pool):
                    self.pool = pool
                def __del__(self):
                    self.pool.release(self)
            """)
    )
    assert found.confidence is Confidence.POSSIBLE
