"""Counts that are only told: lost between known threads, and less than what something hangs on."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Severity
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

SPENT = """
    import threading
    class Sender:
        def __init__(self):
            self._lock = threading.Lock()
            self._link = None
            self._sent = 0
            for _ in range(3):
                threading.Thread(target=self._work).start()
        def _work(self):
            self._link = open_link()
            self._sent += len(self._link.send())
            with self._lock:
                self._sent += 1
        def report(self):
            print(self._sent)
    """

FIGURES = """
    import threading
    class Sender:
        def __init__(self):
            self.sent = 0
            self._socket = None
            for _ in range(4):
                threading.Thread(target=self._send_all).start()
        def _send_all(self):
            while True:
                self.send("tick")
        def send(self, text):
            self._socket = connect(text)
            self.sent += 1
        def report(self):
            print(self.sent)
            self.sent = 0
    """

UNASKED = """
    from concurrent.futures import ThreadPoolExecutor
    class Hooks:
        def __init__(self):
            self.failures = 0
            self.successes = 0
        def failed(self, error):
            self.failures += 1
            send(error)
        def succeeded(self, answer):
            self.successes += 1
            send(answer)
        def run(self, errors):
            with ThreadPoolExecutor() as pool:
                pool.map(self.failed, errors)
    """

RESET_TOGETHER = """
    import threading
    class Stats:
        def __init__(self):
            self._lock = threading.Lock()
            self.hits = 0
            self.misses = 0
        def hit(self):
            self.hits += 1
        def miss(self):
            self.misses += 1
        def reset(self):
            with self._lock:
                self.hits = 0
                self.misses = 0
        def report(self):
            with self._lock:
                return self.hits, self.misses
    """

RAISED_UNDER_LOCK = """
    import threading
    class Pool:
        def __init__(self):
            self._lock = threading.Lock()
            self._free = []
            self._used = 0
        def take(self):
            with self._lock:
                self._used += 1
                return self._free.pop()
        def discard(self, link):
            link.close()
            self._drop()
        def _drop(self):
            self._used -= 1
    """


def lost(text: str) -> list[Finding]:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    return [
        item
        for item in rule_named("RH102").check(Program.of(module))
        if item.confidence is not Confidence.POSSIBLE
    ]


@pytest.mark.parametrize(
    ("text", "told", "asked"),
    [
        (SPENT, "print(self._sent)", "if self._sent > 10: raise OSError"),
        (FIGURES, "print(self.sent)", "if self.sent > 9: stop()"),
        (UNASKED, "send(error)", "pass"),
    ],
)
def test_count_that_is_only_told_is_a_warning(text: str, told: str, asked: str) -> None:
    assert told in text

    assert {(item.severity, item.confidence) for item in lost(text)} == {(Severity.WARNING, Confidence.LIKELY)}
    assert {item.severity for item in lost(text.replace(told, asked))} == {Severity.ERROR}


def test_place_that_goes_round_is_possible() -> None:
    assert not lost(FIGURES.replace("self.sent += 1", "self.sent = (self.sent + 1) % 9"))


def test_lock_is_for_all_counts_that_it_resets() -> None:
    assert len(lost(RESET_TOGETHER)) == 2
    assert (
        len(
            lost(
                RESET_TOGETHER.replace(
                    "with self._lock:\n                return", "if True:\n                return"
                )
            )
        )
        == 2
    )


def test_lock_is_for_a_count_that_is_set_and_read_under_it_whatever_else_it_is_for() -> None:
    kept = RESET_TOGETHER.replace("            self.misses += 1", "            with self._lock: self.misses += 1")

    assert len(lost(kept)) == 1


def test_lock_is_for_a_count_that_is_raised_under_it_though_nobody_asks_for_it() -> None:
    assert [(item.message.split()[-1], item.severity) for item in lost(RAISED_UNDER_LOCK)] == [
        ("`_drop`", Severity.WARNING)
    ]
    assert not lost(RAISED_UNDER_LOCK.replace("                self._used += 1\n", ""))


def test_count_that_is_only_logged_is_a_warning_though_its_class_has_nothing_else() -> None:
    text = """
        import logging
        import threading

        log = logging.getLogger(__name__)

        class Stats:
            def __init__(self):
                self.handled = 0

            def handle(self, request):
                self.handled += 1
                log.info("handled %d, last %s", self.handled, request)

        def main(requests):
            stats = Stats()
            for request in requests:
                threading.Thread(target=stats.handle, args=(request,)).start()
        """

    asked = text.replace("log.info", "request.number")

    assert {(item.severity, item.confidence) for item in lost(text)} == {(Severity.WARNING, Confidence.LIKELY)}
    assert {(item.severity, item.confidence) for item in lost(asked)} == {(Severity.ERROR, Confidence.CERTAIN)}


READ_UNDER_LOCK = """
    import threading

    class Counter:
        def __init__(self):
            self._lock = threading.Lock()
            self.value = 0
            self.last = None
        def add(self):
            self.value += 1
        def is_full(self):
            with self._lock:
                if self.value > 9:
                    return True
            return False
        def note(self, what):
            self.last = what
    """


def test_lock_under_which_nothing_but_the_count_is_read_is_for_the_count() -> None:
    (finding,) = lost(READ_UNDER_LOCK)

    assert finding.message == "`self.value` is read and written back without a lock in `add`"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if self.value > 9:\n", "if self.last or self.value > 9:\n"),
        ("            self.last = what\n", "            with self._lock: self.last = what\n"),
        ("            self.last = what\n", "            with self._lock: print(what)\n"),
    ],
)
def test_lock_that_is_for_more_says_little_of_a_count_that_is_read_under_it(before: str, after: str) -> None:
    assert before in READ_UNDER_LOCK
    assert not lost(READ_UNDER_LOCK.replace(before, after))


def test_lock_under_which_one_of_several_looks_says_nothing_of_what_others_look_at_without_it() -> None:
    text = """
        import threading

        class Transaction:
            def __init__(self):
                self._depth = 0
                self._pending = []
                self._lock = threading.Lock()
            def enter(self):
                self._depth += 1
            def save(self, row):
                with self._lock:
                    self._pending.append((row, self._depth))
            def flush(self):
                with self._lock:
                    {look}
                    self._pending.clear()
            @property
            def depth(self):
                {reading}
        """

    some = text.format(look="pass", reading="return self._depth")
    everybody = text.format(look="if self._depth: return", reading="with self._lock: return self._depth")

    assert not lost(some)
    assert lost(everybody)
