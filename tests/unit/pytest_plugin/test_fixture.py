"""The fixture `race`, run by a pytest inside pytest."""

import pytest

pytest_plugins = ["pytester"]

COUNTER = """
class Counter:
    def __init__(self):
        self.value = 0

    def increment(self):
        self.value += 1

    def read(self):
        return self.value


def test_it(race):
    {call}
"""


def run(pytester: pytest.Pytester, call: str, *arguments: str) -> pytest.RunResult:
    pytester.makepyfile(test_it=COUNTER.format(call=call))
    return pytester.runpytest_inprocess("-v", *arguments)


@pytest.mark.parametrize("name", ["race", "race.explore"])
def test_race_fails_the_test_with_its_timeline(pytester: pytest.Pytester, name: str) -> None:
    result = run(pytester, f"{name}(setup=Counter, workers=[Counter.increment] * 2)")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*Failed: race: the results and the final state are those of no serial order*",
            "*self.value += 1*",
            "*serial outcome: Counter(value=2)",
            "*this outcome:   Counter(value=1)",
            '*again: pytest "test_it.py::test_it" --race-replay rh1-*',
        ]
    )


def test_invariant_has_the_last_word(pytester: pytest.Pytester) -> None:
    call = "race(setup=Counter, workers=[Counter.increment] * 2, invariant=lambda counter: counter.value == 2)"

    run(pytester, call).stdout.fnmatch_lines(
        ["*the invariant does not hold*", "*this outcome:   Counter(value=1)"]
    )


def test_exploration_is_returned(pytester: pytest.Pytester) -> None:
    call = "assert race(setup=Counter, workers=[Counter.read] * 2).verdict == 'safe'"

    result = run(pytester, call)

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*PASSED (safe, 1 execution)*"])


def test_wrong_setting_is_one_line(pytester: pytest.Pytester) -> None:
    result = run(pytester, "race(setup=Counter, workers=[Counter.read], strategy='luck')")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["racehound: there is no strategy luck*"])


def test_command_line_overrides_what_the_test_says(pytester: pytest.Pytester) -> None:
    call = "race(setup=Counter, workers=[Counter.read], strategy='luck', budget='soon')"

    run(pytester, call, "--race-strategy", "dpor", "--race-budget", "5").assert_outcomes(passed=1)


def test_configuration_file_holds_for_all_tests(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nrace_strategy = luck\n")

    run(pytester, "race(setup=Counter, workers=[Counter.read])").stdout.fnmatch_lines(["*no strategy luck*"])
