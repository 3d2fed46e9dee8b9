"""Running commands on systems where their calls cannot be stopped: whole, or both at once."""

import os
import signal
import subprocess
import time

from racehound.errors import HarnessError
from racehound.processes.backend import NAMES, Backend, unsupported
from racehound.processes.launch import Launch
from racehound.processes.outcome import Run
from racehound.processes.output import KEPT
from racehound.processes.plan import Answer, Greeting, Plan


class PortableKeeping:
    """Takes the place of a keeper process, in the process of whoever asks."""

    process = 0
    greeting = Greeting(0, private=False)

    def perform(self, plan: Plan) -> Answer:
        if plan.observed:
            raise HarnessError(f"calls on files cannot be observed here: {unsupported()}")
        deadline = time.monotonic() + plan.timeout
        started = [_start(launch) for launch in plan.launches]
        runs = tuple(_end(process, deadline, plan.timeout) for process in started)
        return Answer(runs=runs, steps=(), reached=(), waited=tuple(False for _ in runs), gave_way=())

    def backends(self) -> tuple[Backend, ...]:
        return tuple(Backend(name, works=False, why_not=unsupported()) for name in NAMES)

    def close(self) -> None:
        """Every run has cleaned up after itself."""


def _start(launch: Launch) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            launch.argv,
            executable=launch.program(),
            cwd=launch.directory,
            env=launch.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise HarnessError(f"{launch.argv[0]} could not be started: {error.strerror}") from error


def _end(process: "subprocess.Popen[bytes]", deadline: float, timeout: float) -> Run:
    why = ""
    try:
        stdout, stderr = process.communicate(timeout=max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        why = f"did not end within {timeout:g} s"
        _kill_group(process.pid)
        stdout, stderr = process.communicate()
    _kill_group(process.pid)
    code = process.returncode
    return Run(
        status=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        stdout=stdout[:KEPT],
        stderr=stderr[:KEPT],
        calls=(),
        cpu=0.0,
        ended=not why,
        why=why,
    )


def _kill_group(process: int) -> None:
    """Also what the command left behind in its group."""
    try:
        os.killpg(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # nobody is left, or only what is dead already
        return
