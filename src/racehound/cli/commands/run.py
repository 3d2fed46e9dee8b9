import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from racehound.guard.cancelled import Cancelled
    from racehound.guard.errors import GuardError
    from racehound.guard.runner import Runner


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--lock", metavar="NAME", help="Commands with one lock never overlap. Default: the program's name.")
@click.option(
    "--lock-timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="How long to wait for the command before.",
)
@click.option("--session-id", metavar="ID", help="Session of the command. Default: a fresh one.")
@click.option("--session-flag", metavar="NAME", help="Option of the command that takes the session id.")
@click.option(
    "--retries",
    metavar="N",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How often to run a command again that was refused by a lock. 0: run it attached to this terminal.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document with the output and all attempts.")
@click.argument("argv", metavar="-- COMMAND...", nargs=-1, required=True, type=click.UNPROCESSED)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    lock: str | None,
    lock_timeout: float,
    session_id: str | None,
    session_flag: str | None,
    retries: int,
    as_json: bool,
    argv: tuple[str, ...],
) -> None:
    """Run a command alone, and again when it was refused by a lock.

    Exits with the status of the command, or 4 where the lock was not free in time. A command runs
    again only if it failed with LOCK_HELD, CONCURRENT_MODIFICATION or a lock error of git, dpkg,
    hg, sqlite3, terraform or go that is known to leave nothing behind.
    """
    from racehound.guard.runner import Runner  # noqa: PLC0415 - the commands load what they need

    _check_name("--lock", lock if lock is None or os.sep not in lock else None)
    _check_name("--session-id", session_id)
    if lock_timeout != lock_timeout:  # noqa: PLR0124 - NaN, which is in every range
        raise click.BadParameter("give seconds from 0 on", param_hint="--lock-timeout")
    runner = Runner(
        lock=lock,
        lock_timeout=lock_timeout,
        retries=retries,
        session_id=session_id,
        session_flag=session_flag,
    )
    sys.exit(_run(runner, argv, as_json=as_json))


def _run(runner: "Runner", argv: Sequence[str], *, as_json: bool) -> int:
    from racehound.guard.cancelled import Cancelled  # noqa: PLC0415 - the commands load what they need
    from racehound.guard.errors import GuardError  # noqa: PLC0415
    from racehound.guard.runner import OutputLost  # noqa: PLC0415

    _occupy_standard_descriptors()
    try:
        return _run_as_json(runner, argv) if as_json else _run_plainly(runner, argv)
    except OutputLost as error:
        return _complain(error)
    except (GuardError, Cancelled) as error:
        return _answer(error) if as_json else _complain(error)


def _occupy_standard_descriptors() -> None:
    """What is opened first would take the number of a closed stdout, and be written to in its place."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    while descriptor <= 2:
        descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)


def _answer(error: "GuardError | Cancelled") -> int:
    from racehound.guard.runner import OutputLost  # noqa: PLC0415 - the commands load what they need

    try:
        _print_json(error.envelope())
    except OutputLost as lost:
        return _complain(lost)
    return error.exit_status


def _complain(error: "GuardError | Cancelled") -> int:
    click.echo(f"racehound: {error.code}: {error.message}", err=True)
    return error.exit_status


def _run_as_json(runner: "Runner", argv: Sequence[str]) -> int:
    run = runner.run(argv)
    _print_json(run.envelope())
    return run.exit_status


def _print_json(document: dict[str, object]) -> None:
    from racehound.guard.runner import DescriptorSink, reporting_loss  # noqa: PLC0415 - loads what it needs

    with reporting_loss():
        DescriptorSink(1).write(json.dumps(document).encode() + b"\n")


def _run_plainly(runner: "Runner", argv: Sequence[str]) -> int:
    from racehound.guard.runner import DescriptorSink  # noqa: PLC0415 - the commands load what they need

    if runner.retries == 0:
        return runner.run_attached(argv).exit_status
    return runner.run(argv, sinks=(DescriptorSink(1), DescriptorSink(2))).exit_status


def _check_name(option: str, name: str | None) -> None:
    from racehound.guard.places import why_unsafe  # noqa: PLC0415 - the commands load what they need

    reason = "" if name is None else why_unsafe(name)
    if reason:
        raise click.BadParameter(f"{name!r} does not do: {reason}", param_hint=option)
