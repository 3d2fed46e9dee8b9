"""A lock under which a variable of a module is changed says that threads come for it; who calls may say more."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


TABLE = """
    import threading

    _lock = threading.Lock()
    _hooks = {{}}

    def add(name, hook):
        with _lock:
            _hooks[name] = hook

    def remove(name):
        with _lock:
            del _hooks[name]

    def {name}(key):
        if key in _hooks:
            return _hooks[key].run()

    {use}
    """


@pytest.mark.parametrize(
    ("name", "use", "doubt"),
    [
        ("call", "", MeetingDoubt.BY_LOCK),
        ("call", "call('exit')", MeetingDoubt.AT_IMPORT),
        ("close", "", MeetingDoubt.AT_THE_END),
        ("reset", "", MeetingDoubt.BETWEEN_USES),
        ("_call", "", MeetingDoubt.UNHEARD),
        (
            "call",
            """
    def call_all():
        with _lock:
            call('exit')
            """,
            MeetingDoubt.CALLED_LOCKED,
        ),
    ],
)
def test_who_calls_decides_how_sure_it_is(name: str, use: str, doubt: MeetingDoubt) -> None:
    (found,) = findings("RH101", TABLE.format(name=name, use=use.strip()))

    assert found.doubt == doubt.reason
    assert found.confidence is (Confidence.LIKELY if doubt is MeetingDoubt.BY_LOCK else Confidence.POSSIBLE)


def test_a_lock_of_a_corner_says_nothing_of_the_rest() -> None:
    steps = "".join(f"\n    def set_{n}(key):\n        _hooks[key] = {n}\n" for n in range(8))
    text = TABLE.format(name="call", use="").replace("    def remove", f"{steps}\n    def remove")
    text = text.replace("    _hooks = {}", "    _hooks = {}\n    _count = 0")
    text += "\n    def count():\n        global _count\n        with _lock:\n            _count = len(_hooks)\n"

    assert not findings("RH101", text)


def test_a_lock_of_a_function_is_nobody_elses() -> None:
    text = """
        import threading

        def remembered(function):
            lock = threading.Lock()
            known = {}

            def wrapper(key):
                if key in known:
                    return known[key]
                with lock:
                    known[key] = function(key)
                    return known[key]

            def forget(key):
                with lock:
                    del known[key]

            wrapper.forget = forget
            return wrapper
        """
    (found,) = findings("RH101", text)

    assert found.confidence is Confidence.LIKELY
    assert not findings("RH101", text.replace("threading.Lock()", "asyncio.Lock()"))


STEP = """
    import threading

    class Client:
        def __init__(self):
            self._lock = threading.Lock()
            self._done = []
            self._worker = threading.Thread(target=self._work)
            self._worker.start()

        def _work(self):
            while True:
                self.poll()

        def poll(self):
            with self._lock:
                self._done.extend(receive())
            self._fire()

        def _fire(self):
            while self._done:
                self._done.pop()()

    {user}
    """


@pytest.mark.parametrize(
    ("user", "confidence"),
    [
        ("", Confidence.POSSIBLE),
        ("def read(client: Client):\n        client.poll()", Confidence.LIKELY),
    ],
)
def test_a_public_step_that_others_call_as_well_is_no_step_of_one_thread(
    user: str, confidence: Confidence
) -> None:
    found = [item for item in findings("RH101", STEP.format(user=user)) if "_done" in item.subject.fields]

    assert [item.confidence for item in found] == [confidence]


MAILBOX = """
    import threading

    ready = threading.Condition()
    letters = []

    def {name}():
        with ready:
            if not letters:
                ready.wait()
            return letters.pop()

    def put(letter):
        with ready:
            letters.append(letter)
            ready.notify()
    """


@pytest.mark.parametrize(("name", "confidence"), [("take", Confidence.LIKELY), ("_take", Confidence.POSSIBLE)])
def test_a_public_function_is_no_step_that_a_loop_may_be_around(name: str, confidence: Confidence) -> None:
    (found,) = findings("RH207", MAILBOX.format(name=name))

    assert found.confidence is confidence
