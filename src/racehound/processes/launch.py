"""Starting a command: a fork of the keeper that arranges itself and becomes the command."""

import os
import shutil
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from racehound.errors import HarnessError
from racehound.processes.kernel import PR_SET_PDEATHSIG, prctl
from racehound.processes.room import why_not_started

NOT_STARTED = 127
DEFAULT_SIGNALS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD, signal.SIGTERM)
"""What the interpreter ignores or handles, and a command expects as a shell leaves it."""


class Launch(NamedTuple):
    """Everything that is needed to start a command. A tuple, as one crosses to the keeper with each run."""

    argv: tuple[str, ...]
    variables: str
    """`NAME=value`, each ended by a zero; see `block_of`. One text is sent and compared quicker than thirty."""
    directory: str

    @property
    def environment(self) -> dict[str, str]:
        return _environment(self.variables)

    def program(self) -> str:
        """Looked up beforehand, so that the search along PATH is no part of what is observed."""
        name = self.argv[0]
        if "/" in name:
            return str(Path(self.directory, name))
        found = _looked_up(name, self.environment.get("PATH", os.defpath))
        if found is None:
            raise HarnessError(f"{name}: no such command", hint="check the spelling and PATH")
        return found


def block_of(environment: Mapping[str, str]) -> str:
    """The variables as the kernel lays them out before a program."""
    return "".join(f"{name}={value}\0" for name, value in environment.items())


@cache
def _environment(block: str) -> dict[str, str]:
    """Remembered: nearly all commands of a sandbox are started with the same variables."""
    pairs = (variable.partition("=") for variable in block.split("\0")[:-1])
    return {name: value for name, _, value in pairs}


@cache
def _looked_up(name: str, places: str) -> str | None:
    """Remembered: the same commands are started again and again, and nothing they do moves programs."""
    return shutil.which(name, path=places)


@dataclass(frozen=True, slots=True)
class Started:
    process: int
    stdout: int
    stderr: int
    trouble: int | None = None
    """Says why the command could not be started; closed without a word when it was."""


def spawn(launch: Launch) -> Started:
    """Starts the command as the calling thread is: whatever that is under, the command is under, too."""
    program = launch.program()
    _go_to(launch.directory)
    out, err = os.pipe(), os.pipe()
    try:
        process = os.posix_spawn(
            program,
            launch.argv,
            launch.environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, out[1], 1),
                (os.POSIX_SPAWN_DUP2, err[1], 2),
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=DEFAULT_SIGNALS,
        )
    except OSError as error:
        for descriptor in (*out, *err):
            os.close(descriptor)
        why = why_not_started(program, error)
        raise HarnessError(f"{launch.argv[0]} could not be started: {why}") from error
    for ours, theirs in (out, err):
        os.close(theirs)
        os.set_blocking(ours, False)
    return Started(process, out[0], err[0])


def _go_to(directory: str) -> None:
    try:
        os.chdir(directory)
    except OSError as error:
        message = f"a command took the directory away in which commands are started: {error.strerror}"
        raise HarnessError(message, hint="let it work in a directory below, which --setup CMD can make") from error


def start(launch: Launch, prepare: Callable[[], None]) -> Started:
    """`prepare` runs in the new process just before the command takes its place."""
    program = launch.program()
    _go_to(launch.directory)
    out, err, trouble = os.pipe(), os.pipe(), os.pipe()
    process = os.fork()
    if process == 0:
        _become(program, launch, prepare, (out[1], err[1], trouble[1]))
    for _, end in (out, err, trouble):
        os.close(end)
    for descriptor, _ in (out, err, trouble):
        os.set_blocking(descriptor, False)
    return Started(process, out[0], err[0], trouble[0])


def _become(program: str, launch: Launch, prepare: Callable[[], None], ends: tuple[int, int, int]) -> None:
    try:
        arrange(launch.directory, ends[0], ends[1])
        prepare()
        os.execve(program, launch.argv, launch.environment)  # noqa: S606 - the command is what was asked for
    except BaseException as error:  # noqa: BLE001 - nothing may return into the keeper's code from here
        os.write(ends[2], str(error).encode())
    finally:
        os._exit(NOT_STARTED)


def arrange(directory: str, stdout: int, stderr: int) -> None:
    """A session and process group of its own, nothing on its input, and the signals as a shell leaves them."""
    os.setsid()
    os.chdir(directory)
    os.umask(0o022)
    for number in DEFAULT_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, standard in ((nothing, 0), (stdout, 1), (stderr, 2)):
        os.dup2(descriptor, standard)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
