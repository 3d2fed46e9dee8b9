"""Tests that are marked `race`, run by a pytest inside pytest."""

import re
import sys

import pytest

pytest_plugins = ["pytester"]

COUNTER = """
    import asyncio
    import threading

    import pytest


    class Counter:
        def __init__(self):
            self.value = 0

        def increment(self):
            self.value += 1


    class LockedCounter(Counter):
        def __init__(self):
            super().__init__()
            self._lock = threading.Lock()

        def increment(self):
            with self._lock:
                self.value += 1


    def at_once(*calls):
        threads = [threading.Thread(target=call) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
"""


@pytest.fixture(name="suite")
def _suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(counters=COUNTER)
    pytester.makeini("[pytest]\naddopts = --strict-markers\nfilterwarnings = error")
    return pytester


def write(suite: pytest.Pytester, text: str) -> None:
    suite.makepyfile(
        test_it=f"import asyncio\nimport threading\n\nimport pytest\n\nfrom counters import *\n\n\n{text}"
    )


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return suite.runpytest_inprocess(*arguments)


def test_threads_of_the_body_are_raced(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
def test_racy():
    counter = Counter()
    at_once(counter.increment, counter.increment)
    assert counter.value == 2


@pytest.mark.race
def test_sound():
    counter = LockedCounter()
    at_once(counter.increment, counter.increment)
    assert counter.value == 2
""",
    )

    result = run(suite, "-v")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*::test_racy FAILED*",
            "*::test_sound PASSED (safe, * executions)*",
            "race: AssertionError: assert counter.value == 2 (test_it.py:*) (* executions)",
            "*self.value += 1*",
            'again: pytest "test_it.py::test_racy" --race-replay rh1-*',
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_coroutines_are_raced_without_another_plugin(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
async def test_lost():
    value = 0

    async def increment():
        nonlocal value
        seen = value
        await asyncio.sleep(0)
        value = seen + 1

    await asyncio.gather(increment(), increment())
    assert value == 2

test_lost = pytest.mark.race(test_lost)
""",
    )

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["race: AssertionError: assert value == 2 *"])


def test_every_execution_has_fixtures_and_an_instance_of_its_own(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.fixture
def counter(tmp_path, monkeypatch, pytestconfig):
    counter = LockedCounter()
    monkeypatch.setattr(counter, "step", 1, raising=False)
    yield counter
    with (pytestconfig.rootpath / "ends.txt").open("a") as ends:
        ends.write(str(counter.value))


class TestCounter:
    @pytest.mark.race
    @pytest.mark.parametrize("threads", [1, 2])
    def test_sound(self, counter, threads, capsys):
        assert not hasattr(self, "used")
        self.used = True
        print("output")
        at_once(*[counter.increment] * threads)
        assert counter.value == threads
        assert capsys.readouterr().out == "output\\n"


def test_each_was_torn_down(pytestconfig):
    ends = (pytestconfig.rootpath / "ends.txt").read_text()
    assert ends.count("2") > 1
""",
    )

    run(suite).assert_outcomes(passed=3)


def test_shown_output_is_that_of_the_failing_schedule(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
import logging


@pytest.mark.race
def test_racy():
    counter = Counter()
    print("begun")
    at_once(counter.increment, counter.increment)
    logging.getLogger(__name__).warning("ended with %d", counter.value)
    assert counter.value == 2
""",
    )

    shown = run(suite).stdout.str()

    assert shown.count("begun") == 1
    assert shown.count("ended with 1") == 1
    assert "ended with 2" not in shown


def test_deadlock_ends_the_test_at_once(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
def test_stuck():
    first, second = threading.Lock(), threading.Lock()

    def forth():
        with first, second:
            pass

    def back():
        with second, first:
            pass

    at_once(forth, back)
""",
    )

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["race: *wait for each other*", "*waits for ever*"])


def test_exception_that_ends_a_thread_fails_the_test(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
def test_thread_dies():
    at_once(lambda: 1 / 0)
""",
    )

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["without a race: a worker raises ZeroDivisionError*"])


def test_test_that_fails_in_any_case_fails_as_ever(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
def check(value):
    assert value == 2, "it is not"


@pytest.mark.race
def test_wrong():
    at_once(lambda: None, lambda: None)
    check(1)


@pytest.mark.race
def test_nested(race):
    race(setup=Counter, workers=[Counter.increment])
""",
    )

    result = run(suite)

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*check(1)*", "*AssertionError: it is not*", "*explore is already at work*"])
    result.stdout.no_fnmatch_line("*race-replay*")
    result.stdout.no_fnmatch_line("*marked.py*")
    assert list((suite.path / ".pytest_cache" / "d" / "racehound").iterdir()) == []


def test_skip_and_expected_failure_stay_what_they_are(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
def test_skipped():
    pytest.skip("not today")


@pytest.mark.race
def test_expected():
    pytest.xfail("known")


@pytest.mark.race
@pytest.mark.xfail(strict=True)
def test_racy():
    counter = Counter()
    at_once(counter.increment, counter.increment)
    assert counter.value == 2
""",
    )

    run(suite).assert_outcomes(skipped=1, xfailed=2)


def test_search_that_was_cut_short_says_so_and_fails_where_that_is_wanted(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race(budget=0.2)
def test_large():
    counter = LockedCounter()
    at_once(*[counter.increment] * 9)
    assert counter.value == 9
""",
    )

    lenient, strict = run(suite), run(suite, "--race-strict")

    lenient.assert_outcomes(passed=1)
    lenient.stdout.fnmatch_lines(["*not exhausted*", "test_it.py::test_large: sampled, the budget ended*"])
    strict.assert_outcomes(failed=1)
    strict.stdout.fnmatch_lines(["sampled: the budget ended*"])


def test_what_cannot_be_decided_is_a_failure(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
LOOP = asyncio.new_event_loop()


@pytest.mark.race
def test_foreign_loop():
    LOOP.run_forever()


def test_close():
    LOOP.close()
""",
    )

    result = run(suite)

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["inconclusive: *"])


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ("bogus=1", "takes only the keywords budget, strategy, seed, strict"),
        ("5", "takes only the keywords"),
        ("budget='soon'", "'soon' is no race budget"),
        ("budget=0", "0 is no race budget"),
        ("seed='x'", "'x' is no race seed"),
        ("strategy='luck'", "there is no strategy luck"),
    ],
)
def test_wrong_marker_fails_with_one_line(suite: pytest.Pytester, marker: str, said: str) -> None:
    write(suite, f"@pytest.mark.race({marker})\ndef test_it():\n    pass\n")

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"racehound: *{said}*"])


def test_method_of_unittest_is_refused(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
import unittest


class TestOld(unittest.TestCase):
    @pytest.mark.race
    def test_it(self):
        pass
""",
    )

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["racehound: a method of unittest.TestCase cannot be marked race*"])


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_hypothesis_chooses_arguments_and_each_is_raced(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
from hypothesis import given, settings, strategies as st

few = settings(max_examples=4, deadline=None, database=None, derandomize=True)


@pytest.mark.race
@few
@given(st.integers(0, 3))
def test_racy_from_two_on(threads):
    counter = Counter()
    at_once(*[counter.increment] * threads)
    assert counter.value == threads


@pytest.mark.race
@few
@given(st.integers(0, 2))
def test_sound(threads):
    counter = LockedCounter()
    at_once(*[counter.increment] * threads)
    assert counter.value == threads
""",
    )

    result = run(suite, "-p", "no:hypothesispytest")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["race: AssertionError: assert counter.value == threads *", "*task 3"])


def test_file_that_cannot_be_collected_is_reported_as_ever(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_broken="import no_such_module_at_all", test_skipped="import pytest\npytest.importorskip('x')"
    )

    result = run(suite, "-v", "-ra")

    result.assert_outcomes(errors=1, skipped=1)
    result.stdout.fnmatch_lines(["ERROR test_broken.py*"])


def test_unmarked_tests_do_not_load_the_prover(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
import sys


def test_plain():
    assert "racehound.pytest_plugin" in sys.modules
    assert not [name for name in sys.modules if name.startswith(("racehound.engine", "racehound.pipeline"))]
""",
    )

    suite.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.mark.slow
@pytest.mark.timeout(240)  # several starts of Python
@pytest.mark.usefixtures("unmeasured")
def test_workers_of_xdist_race_and_remember(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
@pytest.mark.parametrize("number", range(4))
def test_racy(number):
    counter = Counter() if number % 2 else LockedCounter()
    at_once(counter.increment, counter.increment)
    assert counter.value == 2
""",
    )

    result = suite.runpytest_subprocess("-n", "2", "-v")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*PASSED (safe, * executions)*"])
    assert len(list((suite.path / ".pytest_cache" / "d" / "racehound").iterdir())) == 2


@pytest.mark.slow
@pytest.mark.timeout(240)  # several starts of Python
def test_coverage_sees_what_is_raced(suite: pytest.Pytester) -> None:
    write(
        suite,
        """
@pytest.mark.race
def test_sound():
    counter = LockedCounter()
    at_once(counter.increment, counter.increment)
    assert counter.value == 2
""",
    )
    data = "--data-file=measured"
    command = (sys.executable, "-m", "coverage")

    suite.run(*command, "run", "--rcfile=", data, "--include=*counters.py", "-m", "pytest").assert_outcomes(
        passed=1
    )
    shown = suite.run(*command, "report", "--rcfile=", data, "--show-missing").stdout.str()

    assert re.search(r"counters\.py\s+\d+\s+1\s+\d+%\s+12\n", shown), (
        shown
    )  # the method that LockedCounter overrides
