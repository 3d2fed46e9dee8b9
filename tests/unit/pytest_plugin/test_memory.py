"""Failing schedules are tried first on the next run, and forgotten once they no longer fail."""

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

COUNTER = """
import threading


class Counter:
    def __init__(self):
        self.value = 0
        self.lock = threading.Lock()

    def increment(self):
        {increment}
"""
MARKED = """
import threading

import pytest

from counting import Counter


@pytest.mark.race(strategy="dpor")
def test_it():
    counter = Counter()
    threads = [threading.Thread(target=counter.increment) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.value > 1
"""
CALLED = """
from counting import Counter


def test_it(race):
    race(setup=Counter, workers=[Counter.increment] * 3, invariant=lambda it: it.value > 1, strategy="dpor")
"""
RACY = "self.value += 1"
SOUND = "with self.lock: self.value += 1"
FORMS = pytest.mark.parametrize("test", [MARKED, CALLED], ids=["marker", "fixture"])


def run(pytester: pytest.Pytester, test: str, increment: str, *arguments: str) -> pytest.RunResult:
    pytester.makepyfile(counting=COUNTER.format(increment=increment), test_it=test)
    return pytester.runpytest_inprocess(*arguments)


def executions(result: pytest.RunResult) -> int:
    found = re.search(r"\((\d+) executions\)", result.stdout.str())
    assert found is not None
    return int(found.group(1))


def kept(pytester: pytest.Pytester) -> list[Path]:
    folder = pytester.path / ".pytest_cache" / "d" / "racehound"
    return list(folder.iterdir()) if folder.exists() else []


@pytest.mark.slow
@FORMS
def test_failing_schedule_is_replayed_first_until_it_is_fixed(pytester: pytest.Pytester, test: str) -> None:
    first = run(pytester, test, RACY)
    second = run(pytester, test, RACY)
    first.assert_outcomes(failed=1)
    second.assert_outcomes(failed=1)
    assert executions(first) > 2
    assert executions(second) == 2
    assert len(kept(pytester)) == 1

    run(pytester, test, SOUND, "--race-budget", "0.5").assert_outcomes(passed=1)
    assert kept(pytester) == []


@pytest.mark.slow
@FORMS
def test_token_is_all_that_is_run_when_it_is_given(pytester: pytest.Pytester, test: str) -> None:
    shown = run(pytester, test, RACY, "-p", "no:cacheprovider")
    assert kept(pytester) == []
    token = re.search(r"--race-replay (rh1-[\w-]+)", shown.stdout.str())
    assert token is not None

    again = run(pytester, test, RACY, "--race-replay", token.group(1))
    fixed = run(pytester, test, SOUND, "--race-replay", token.group(1))

    assert executions(again) == 2
    fixed.assert_outcomes(passed=1)


def test_token_that_is_none_fails_with_one_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(counting=COUNTER.format(increment=RACY), test_it=MARKED)

    result = pytester.runpytest_inprocess("--race-replay", "nonsense")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*this is not a racehound token*"])


def test_unreadable_memory_is_no_memory(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(counting=COUNTER.format(increment=RACY), test_it=MARKED)
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
    (path,) = kept(pytester)
    path.write_bytes(b"\xff\xfe")

    result = pytester.runpytest_inprocess()

    result.assert_outcomes(failed=1)
    assert executions(result) > 2
