"""Starting costs are paid on every call of the command and on every start of a program that uses guard."""

import os
import sys
from importlib.util import find_spec

import pytest

RUNS = 7


def cpu_seconds(*command: str) -> float:
    """The least CPU time that one run of the command took, user and system; the least is nearest to the truth."""
    return min(_one_run(command) for _ in range(RUNS))


def _one_run(command: tuple[str, ...]) -> float:
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(sys.executable, [sys.executable, *command], unmeasured, file_actions=silence)
    _, status, usage = os.wait4(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.slow
def test_version_is_answered_within_a_tenth_of_a_second() -> None:
    assert cpu_seconds("-m", "racehound", "--version") <= 0.100


@pytest.mark.slow
@pytest.mark.skipif(find_spec("racehound.guard") is None, reason="this build comes without racehound.guard")
def test_importing_guard_costs_at_most_fifteen_milliseconds() -> None:
    bare = cpu_seconds("-c", "pass")

    assert cpu_seconds("-c", "import racehound.guard") - bare <= 0.015


def test_version_imports_no_heavy_library() -> None:
    code = (
        "import runpy, sys\n"
        "sys.argv = ['racehound', '--version']\n"
        "try: runpy.run_module('racehound', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'rich', 'libcst', 'hypothesis', 'asyncio'} & set(sys.modules)))\n"
    )

    assert _one_run(("-c", code)) > 0
