"""Who can meet whom, and how sure the hunt is of it."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.analysis.state.meeting import Meetings
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def program_of(text: str) -> Program:
    return Program.of(SourceModule.from_text(dedent(text).lstrip()))


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(program_of(text)))


LOCKED_ELSEWHERE = """
    import threading

    class Box:
        {class_lock}
        def __init__(self):
            {lock}
            self._rows = {{}}

        {other}

        {prefix}def {name}(self, key):
            if key in self._rows:
                return self._rows[key]

        {prefix}def drop(self, key):
            self._rows.pop(key, None)
    """


def box(**changes: str) -> str:
    parts = {
        "class_lock": "",
        "lock": "self._lock = threading.Lock()",
        "other": "",
        "prefix": "",
        "name": "find",
    }
    return LOCKED_ELSEWHERE.format(**(parts | changes))


def test_class_with_a_general_lock_is_likely_shared() -> None:
    (finding,) = findings("RH101", box())

    assert finding.confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"class_lock": "_lock = threading.Lock()", "lock": "pass"}, id="only a lock of the class"),
        pytest.param({"name": "close"}, id="the end of the object"),
        pytest.param({"lock": "self._waitpid_lock = threading.Lock()"}, id="a lock for something else"),
        pytest.param(
            {"other": "def use(self, key):\n            with self._lock:\n                self.find(key)"},
            id="a step of a method that locks",
        ),
        pytest.param(
            {"other": "async def one(self): pass\n        async def two(self): pass"}, id="a class of coroutines"
        ),
    ],
)
def test_doubtful_sharing_is_only_possible(changes: dict[str, str]) -> None:
    (finding,) = findings("RH101", box(**changes))

    assert finding.confidence is Confidence.POSSIBLE


def test_step_that_is_also_called_without_the_lock_stays_likely() -> None:
    locked = "with self._lock:\n                self.find(key)"
    other = f"def use(self, key):\n            {locked}\n            self.find(key)"
    (finding,) = findings("RH101", box(other=other))

    assert finding.confidence is Confidence.LIKELY


def test_coroutines_alone_do_not_meet_between_awaits() -> None:
    assert findings("RH101", box(prefix="async ")) == []


def test_private_functions_of_one_thread_do_not_meet() -> None:
    program = program_of("""
        import threading

        class Worker(threading.Thread):
            def run(self):
                self._one()
                self._two()
                self.open()

            def _one(self): pass
            def _two(self): self._three()
            def _three(self): self._two()
            def open(self): self._shared()
            def _shared(self): pass
        """)
    meetings = Meetings(program)
    (owner,) = program.hierarchy.classes
    thread = meetings.confined(owner.methods["run"])

    assert thread is not None
    assert meetings.confined(owner.methods["_one"]) == thread
    assert meetings.confined(owner.methods["open"]) is None
    assert meetings.confined(owner.methods["_shared"]) is None
    assert not meetings.may_meet(owner, owner.methods["run"], owner.methods["_one"])


def test_module_function_without_a_known_context_is_only_possible() -> None:
    (finding,) = findings(
        "RH103",
        """
        import threading

        TABLE = {}

        def show():
            return [key for key in TABLE]

        def fill():
            TABLE[1] = 1

        threading.Thread(target=fill).start()
        """,
    )

    assert finding.confidence is Confidence.POSSIBLE


def test_one_time_set_up_meets_nobody() -> None:
    text = """
        import threading

        class Apps:
            def __init__(self):
                self._lock = threading.RLock()
                self.ready = False
                self.rows = {{}}

            def fill(self, names):
                if self.ready:
                    return
                with self._lock:
                    for name in names:
                        self.rows[name] = 1
                    {last}

            def all(self):
                return [row for row in self.rows]
        """

    assert findings("RH103", text.format(last="self.ready = True")) == []
    assert findings("RH107", text.format(last="self.ready = True")) == []
    assert len(findings("RH103", text.format(last="self.ready = False"))) == 1
