"""`@pytest.mark.race` and the fixture `race`: tests that are run under every schedule that can matter.

pytest loads this file at each start, so it imports nothing but pytest: the prover is loaded by the first test
that needs it.
"""

from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from racehound.pytest_plugin.fixture import Race

MARKER = (
    "race(budget=SECONDS, strategy=NAME, seed=NUMBER, strict=BOOL): run the test under every schedule of the"
    " threads and tasks it starts that can make a difference"
)
VERDICT = "race_verdict"
EXECUTIONS = "race_executions"
REASON = "race_reason"
TOKEN = "race_token"  # noqa: S105 - the name of a property, not a secret


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("racehound", "races (racehound)")
    group.addoption("--race-budget", type=float, metavar="SECONDS", help="time for the search of each race test")
    group.addoption("--race-strategy", metavar="NAME", help="how to search (default: portfolio)")
    group.addoption(
        "--race-seed", type=int, metavar="NUMBER", help="where the strategy leaves something to chance"
    )
    group.addoption(
        "--race-strict", action="store_true", default=None, help="fail unless the search was exhausted"
    )
    group.addoption("--race-replay", metavar="TOKEN", help="run the race tests under this one schedule")
    parser.addini("race_budget", "seconds for the search of each race test", default="10")
    parser.addini("race_strategy", "how to search", default="portfolio")
    parser.addini("race_seed", "where the strategy leaves something to chance", default="0")
    parser.addini("race_strict", "fail unless the search was exhausted", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Whatever would have called the test, be it for coroutines or for threads, the search does it instead."""
    if isinstance(item, pytest.Function) and item.get_closest_marker("race") is not None:
        from racehound.pytest_plugin.marked import run_marked  # noqa: PLC0415 - most suites need none of it

        item.runtest = partial(run_marked, item)  # type: ignore[method-assign]  # as plugins for coroutines do


@pytest.fixture(name="race")
def _race(request: pytest.FixtureRequest) -> "Iterator[Race]":
    """Races functions: `race(setup=..., workers=[...], invariant=...)` fails the test with the timeline."""
    from racehound.pytest_plugin.fixture import Race  # noqa: PLC0415 - most suites need none of it

    race = Race(request.node)
    yield race
    race.close()


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """With `-v`, what the search says stands beside the word."""
    said = _said(report)
    if VERDICT not in said or report.when != "call" or not report.passed:
        return None
    return report.outcome, ".", f"PASSED ({said[VERDICT]}, {_executions(said)})"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Searches that were cut short have passed, but they have not shown that all is well."""
    reports = terminalreporter.getreports("passed")
    short = [(report, said) for report in reports if (said := _said(report)).get(REASON)]
    if not short:
        return
    terminalreporter.section("race tests that were not exhausted")
    for report, said in short:
        terminalreporter.line(f"{report.nodeid}: {said[VERDICT]}, {said[REASON]}")


def _said(report: object) -> dict[str, object]:
    """What the search says of a test; nothing of files that could not be collected."""
    return dict(getattr(report, "user_properties", ()))


def _executions(said: dict[str, object]) -> str:
    count = said[EXECUTIONS]
    return "1 execution" if count == 1 else f"{count} executions"
