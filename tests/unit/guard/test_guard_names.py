"""The public face of guard, and what it costs to look at it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from importlib import import_module

import pytest

from racehound import guard

BUDGET_MS = 15.0
RUNS = 9


def cpu_ms(code: str) -> float:
    """CPU time of a fresh interpreter; the least of several runs is the one without disturbance."""
    return min(_cpu_ms_once(code) for _ in range(RUNS))


def _cpu_ms_once(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    subprocess.run([sys.executable, "-c", code], check=True, env=plain)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


@pytest.mark.slow
def test_import_stays_within_its_budget() -> None:
    assert cpu_ms("import racehound.guard") - cpu_ms("pass") <= BUDGET_MS


def test_import_loads_neither_other_libraries_nor_costly_parts_of_the_standard_one() -> None:
    code = "import sys; import racehound.guard; from racehound.guard import Lock, LockHeld; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ""}
    )
    loaded = set(result.stdout.split())

    assert not loaded & {"click", "rich", "redis", "psycopg", "tomlkit", "json", "dataclasses", "asyncio"}


@pytest.mark.parametrize("name", guard.__all__)
def test_every_public_name_resolves_and_is_kept(name: str) -> None:
    value = getattr(guard, name)

    assert value is getattr(import_module(f"racehound.guard.{guard._MODULE_OF[name]}"), name)
    assert vars(guard)[name] is value
    assert name in dir(guard)


def test_unknown_name_is_the_usual_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Lokc'"):
        guard.Lokc  # type: ignore[attr-defined]  # noqa: B018 - looking is the test


def test_windows_part_can_be_imported_anywhere() -> None:
    assert import_module("racehound.guard.windows").__doc__
