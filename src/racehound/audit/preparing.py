"""From the commands of a request to a sandbox that is ready for the race."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from racehound.audit.complaining import first_line
from racehound.audit.ending import said, status_of
from racehound.audit.isolation import SESSION, SESSIONS
from racehound.audit.judge import agrees
from racehound.audit.locks import changed_outside
from racehound.audit.request import AuditRequest
from racehound.audit.serial import Serial
from racehound.audit.stage import FIRST_TIMEOUT, LEAST_TIMEOUT, Stage, check_ended
from racehound.audit.template import Pair
from racehound.errors import UsageError
from racehound.processes.backend import Backend, choose
from racehound.processes.command import Command
from racehound.processes.fence import VARIABLE, Fence
from racehound.processes.outcome import Run
from racehound.processes.room import copy_into
from racehound.processes.run import Detail, execute, observe
from racehound.processes.sandbox import Sandbox

SETUP_SECONDS = 300.0


class PreparationFailed(Exception):
    """The command that makes the first key does not work, so there is nothing to race beside it."""


@contextmanager
def prepared(
    pair: Pair, request: AuditRequest, known: tuple[Backend, ...] = (), deadline: float = float("inf")
) -> Iterator[Stage]:
    """A stage whose golden state is what the set-up leaves; `known` spares trying the backends again.

    The set-up may take the time it needs; after the deadline, of the monotonic clock, nothing else runs.
    """
    with Sandbox(needed=_texts(pair, request)) as sandbox:
        if request.directory is not None:
            copy_into(sandbox.work, request.directory)
        for text in request.setup:
            _set_up(text, sandbox)
        sandbox.deadline = deadline
        timeout = min(FIRST_TIMEOUT, max(LEAST_TIMEOUT, request.seconds))
        for text in pair.prepare:
            command = Command.parse(without_session(text))
            run = execute(command, sandbox, timeout=timeout)
            check_ended(command, run, timeout)
            if status_of(run) != 0:
                raise PreparationFailed(f"{text} ended with {status_of(run)}: {first_line(said(run))}")
        sandbox.keep_as_golden()
        yield Stage(
            sandbox=sandbox,
            backends=known or sandbox.backends(),
            commands=(
                Command.parse(pair.first.replace(SESSION, SESSIONS[0])),
                Command.parse(pair.second.replace(SESSION, SESSIONS[1])),
            ),
            view=Command.parse(request.view) if request.view else None,
            detail=Detail.ALL if request.deep else Detail.OPENS,
            sessions=SESSION in pair.first and SESSION in pair.second,
            following=request.patience,
            timeout=timeout,
        )


def _texts(pair: Pair, request: AuditRequest) -> tuple[str, ...]:
    return (pair.first, pair.second, *pair.prepare, *request.setup, request.view or "")


def without_session(text: str) -> str:
    return text.replace(SESSION, "racehound-setup")


def _set_up(text: str, sandbox: Sandbox) -> None:
    command = Command.parse(without_session(text))
    if sandbox.commons.places or choose(sandbox.backends()) is None:
        run = execute(command, sandbox, timeout=SETUP_SECONDS)
    else:  # modes, owners and times of other files are safe from what is observed alone
        run = observe(command, sandbox, timeout=SETUP_SECONDS, detail=Detail.CHANGES)
    if status_of(run) != 0:
        raise UsageError(
            f"the set-up command `{text}` ended with {status_of(run)}: {first_line(said(run)) or 'no message'}",
            hint="it runs in an empty directory with a home of its own, and may change nothing else; "
            "--directory DIR copies files into it",
        )


def check_usable(serial: Serial, stage: Stage) -> None:
    """A command that fails always and changes nothing cannot be judged.

    One that fails and does its work all the same may mean it: a checker says with its status what it found.
    """
    for task, command in enumerate(stage.commands):
        if 0 in serial.statuses(task) or not agrees(serial.alone(task), serial.state(serial.base)):
            continue
        run = (serial.forward.first, serial.backward.second)[task]
        raise UsageError(
            f"`{command}` fails also when it runs alone, with {status_of(run)}: "
            f"{first_line(said(run)) or 'no message'}",
            hint=_remedy(run, stage.sandbox.fence),
        )


def always_failing(serial: Serial, stage: Stage) -> Iterator[str]:
    """What is to be said of such a checker: perhaps it is none."""
    runs = (serial.forward.first, serial.backward.second)
    for task, (command, run) in enumerate(zip(stage.commands, runs, strict=True)):
        if 0 not in serial.statuses(task):
            told = first_line(said(run)) or "no message"
            yield f"`{command}` ends with {status_of(run)} also when it runs alone: {told}"


def _remedy(run: Run, fence: Fence) -> str:
    """Perhaps it fails because it was kept from a file."""
    kept = next((path for path in sorted(changed_outside(run.calls)) if fence.forbids(path)), "")
    beyond = (
        f"; it may not change {kept}, outside the sandbox, unless {VARIABLE} names a directory above"
        if kept
        else ""
    )
    return f"let --setup CMD make what it needs, or copy it into the sandbox with --directory DIR{beyond}"


def existing_directory(text: str | None) -> str | None:
    if text is None:
        return None
    path = Path(text)
    if not path.is_dir():
        raise UsageError(f"{text} is no directory", hint="name one that is to be copied into the sandbox")
    return str(path.resolve())
