"""Racy programs are found, proven racy, patched, and proven safe; what a single task sees is as it was before."""

import subprocess
import sys
from pathlib import Path

import pytest

from racehound.model.finding import Confidence
from racehound.model.patch import Patch
from racehound.model.proof import Verdict
from racehound.model.report import Case
from racehound.pipeline.fix import fix
from racehound.pipeline.hunt import hunt
from racehound.pipeline.prove import prove_finding

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unmeasured")]

PROGRAMS = Path(__file__).resolve().parents[1] / "programs" / "fixable"
BUDGET = 15.0
"""Seconds; alone, most of these searches are over within one."""
LONG = {"block_left", "loop_in_worker", "task_of_loop"}
"""Event loops at work: thousands of executions, which a busy machine does not finish in time."""
CODES = {
    "block_left": "RH307",
    "delete_while_iterating": "RH104",
    "early_return": "RH204",
    "if_before_wait": "RH207",
    "leaked_lock": "RH204",
    "loop_in_worker": "RH309",
    "nested_locks": "RH201",
    "statements_between": "RH201",
    "taken_twice": "RH203",
    "task_of_loop": "RH305",
    "thread_lock_in_coroutine": "RH303",
    "told_while_they_join": "RH103",
    "two_accounts": "RH202",
    "two_tanks": "RH202",
}
OF_ONE_TASK = {"RH203", "RH204"}
"""Faults that need no second task: whether an interleaving shows them is chance."""


def test_every_program_is_listed() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.py")} == set(CODES)


CHECKS = {"loop_in_worker": "asyncio.set_event_loop(asyncio.new_event_loop())\nassert worker(3) == 6"}
"""What is tested instead of `check()`."""


def functional(name: str, text: str) -> str:
    """What the test of the program itself says, in a process of its own."""
    check = CHECKS.get(name, "check()")
    command = [sys.executable, "-W", "ignore", "-c", f"{text}\n{check}\nprint('fine')"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30).stdout


@pytest.mark.parametrize("name", CODES)
def test_racy_program_is_patched_and_proven_safe(name: str) -> None:
    path = PROGRAMS / f"{name}.py"
    findings, _, _ = hunt([path], select=[CODES[name]], confidence=Confidence.POSSIBLE)
    before = prove_finding(findings[0], budget=BUDGET)

    patch = fix(Case(finding=findings[0], proof=before), among=findings, budget=BUDGET, prove=prove_finding)

    assert before.verdict is Verdict.RACE or CODES[name] in OF_ONE_TASK
    assert isinstance(patch, Patch)
    assert patch.proof is not None
    enough = {Verdict.SAFE, Verdict.SAMPLED} if name in LONG else {Verdict.SAFE}
    assert patch.proof.verdict in enough, patch.proof.reason
    assert functional(name, patch.before) == functional(name, patch.after) == "fine\n"
