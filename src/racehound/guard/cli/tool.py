import os
import sys
import time
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Any

from racehound.guard.cancelled import Cancelled
from racehound.guard.cli.answer import Answer, plain
from racehound.guard.cli.call import Call
from racehound.guard.cli.cancellation import cancellable
from racehound.guard.cli.flags import Flags, take_flags
from racehound.guard.errors import GENERAL_ERROR, GuardError


class Tool:
    """A command-line tool that is safe to call in parallel.

    The work of a command is a function that takes a `Call` and returns the `data` of the answer.
    What it raises becomes the `error`: a `GuardError` with its own code and exit status, anything
    else as `GENERAL_ERROR`.

    Args:
        name: Name of the program. Its state lies in `~/.name`, its variables begin with `NAME_`.
        environment: Where those variables are looked up.
    """

    def __init__(self, name: str, *, environment: Mapping[str, str] = os.environ) -> None:
        self.name = name
        self._environment = environment

    def add_flags(self, parser: ArgumentParser) -> None:
        """Give an argparse program the flags; what it parses goes into `run`."""
        from racehound.guard.cli.argparse_flags import add_flags  # noqa: PLC0415 - one parser per program

        add_flags(parser)

    def run(self, arguments: Namespace | Flags, work: Callable[[Call], object]) -> int:
        """Do the work, print the answer and return the exit status."""
        flags = arguments if isinstance(arguments, Flags) else take_flags({**vars(arguments)})
        return self.run_passing((), flags, work)

    def run_passing(
        self, passing: tuple[type[Exception], ...], flags: Flags, work: Callable[[Call], object]
    ) -> int:
        """Like `run`, for a framework that uses exceptions of its own to end a program."""
        answer = self._answer(passing, flags, work)
        return answer.give(as_json=not sys.stdout.isatty() if flags.json is None else flags.json)

    def click(self, function: Callable[..., object]) -> Callable[..., None]:
        """Give a click command the flags, and its function a `Call` as the first argument."""
        from racehound.guard.cli.click_flags import guarded  # noqa: PLC0415 - one parser per program

        return guarded(self, function)

    def typer(self, function: Callable[..., object]) -> Callable[..., None]:
        """Give a typer command the flags, and its function a `Call` as the first argument."""
        from racehound.guard.cli.typer_flags import guarded  # noqa: PLC0415 - one parser per program

        return guarded(self, function)

    def _answer(
        self, passing: tuple[type[Exception], ...], flags: Flags, work: Callable[[Call], object]
    ) -> Answer:
        started = time.monotonic()
        facts: dict[str, Any] = {"meta": {}, "warnings": []}
        try:
            with cancellable():
                data = plain(self._work(flags, work, facts))
        except passing:
            raise
        except (GuardError, Cancelled) as error:
            return Answer(envelope=error.envelope(**_timed(facts, started)), exit_status=error.exit_status)
        except Exception as error:  # noqa: BLE001 - the caller is owed an answer, whatever the bug
            traceback.print_exc()
            general = GuardError(str(error) or type(error).__name__, code="GENERAL_ERROR")
            return Answer(envelope=general.envelope(**_timed(facts, started)), exit_status=GENERAL_ERROR)
        return Answer(envelope={"ok": True, "data": data, "error": None, **_timed(facts, started)})

    def _work(self, flags: Flags, work: Callable[[Call], object], facts: dict[str, Any]) -> object:
        call = Call(self.name, flags, self._environment)
        with call.session:
            facts.update(meta=call.meta(), warnings=call.warnings)
            return work(call)


def _timed(facts: dict[str, Any], started: float) -> dict[str, Any]:
    duration_ms = round((time.monotonic() - started) * 1000)
    return {"warnings": facts["warnings"], "meta": {**facts["meta"], "duration_ms": duration_ms}}
