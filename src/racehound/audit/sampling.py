"""Races left to chance, for systems on which commands cannot be stopped.

What breaks here is broken; what does not break has only not been met.
"""

import subprocess

from racehound.audit.budget import Budget
from racehound.audit.ending import Ending, status_of
from racehound.audit.judge import judge
from racehound.audit.search import Progress, Search, Tally
from racehound.audit.stage import Stage
from racehound.model.audit import Violation
from racehound.processes.command import Command
from racehound.processes.outcome import Run

ROUNDS = 40
POINT = "both started at once"


def race_at_random(search: Search, budget: Budget, progress: Progress) -> None:
    rounds = budget.rounds or ROUNDS
    for number in range(1, rounds + 1):
        if budget.is_spent:
            return
        _race(search, search.stage)
        budget.done += 1
        progress(number, rounds)


def _race(search: Search, stage: Stage) -> None:
    tally = search.tally
    tally.schedules += 1
    stage.sandbox.restore()
    started = [_start(command, stage) for command in stage.commands]
    first, second = (_end(process, stage.timeout) for process in started)
    ending = Ending(status_of(first), status_of(second), stage.entries())
    judgement = judge(ending, (first, second), search.serial)
    if judgement.harm is None:
        _count(tally, refused=judgement.refused is not None)
        return
    tally.violations.append(
        Violation(
            schedule=tally.schedules,
            pair=search.name,
            point=POINT,
            what=judgement.harm,
            detail=judgement.detail,
            lost=judgement.lost,
            cache_only=judgement.cache_only,
        )
    )


def _count(tally: Tally, *, refused: bool) -> None:
    tally.refused += refused
    tally.serial += not refused


def _start(command: Command, stage: Stage) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command.argv,
        cwd=stage.sandbox.work,
        env=stage.sandbox.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _end(process: "subprocess.Popen[bytes]", timeout: float) -> Run:
    ended = True
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        ended = False
        process.kill()
        stdout, stderr = process.communicate()
    code = process.returncode
    return Run(
        status=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        stdout=stdout,
        stderr=stderr,
        calls=(),
        cpu=0.0,
        ended=ended,
        why="" if ended else f"did not end within {timeout:g} s",
    )
