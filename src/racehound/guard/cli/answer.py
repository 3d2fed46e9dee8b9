"""What the caller reads: an envelope for programs, plain text for people."""

import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from racehound.guard.errors import GENERAL_ERROR


def plain(data: object) -> object:
    """The data as a reader of the JSON will find it.

    Raises:
        TypeError, ValueError, RecursionError: for what JSON does not have.
    """
    return json.loads(json.dumps(data, default=str, allow_nan=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    envelope: dict[str, Any]
    exit_status: int = 0

    def give(self, *, as_json: bool) -> int:
        """Print the answer; returns the exit status, which says so if the answer could not be printed."""
        try:
            self._print(as_json=as_json)
        except BrokenPipeError:  # whoever asked has left
            _say_nothing_more()
        except OSError as error:
            _say_nothing_more()
            print(f"error: cannot write the answer: {error.strerror}", file=sys.stderr)  # noqa: T201 - to the user
            return self.exit_status or GENERAL_ERROR
        return self.exit_status

    def _print(self, *, as_json: bool) -> None:
        if as_json:
            print(json.dumps(self.envelope, default=str))  # noqa: T201 - the answer of the tool
        else:
            self._print_text()
        sys.stdout.flush()

    def _print_text(self) -> None:
        for warning in self.envelope["warnings"]:
            print(f"warning: {warning}", file=sys.stderr)  # noqa: T201
        if not self.envelope["ok"]:
            _print_error(self.envelope["error"])
        elif self.envelope["data"] is not None:
            print(_text(self.envelope["data"]))  # noqa: T201


def _say_nothing_more() -> None:
    """What is left in the buffer would be tried again when the interpreter ends, with a traceback."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _print_error(error: dict[str, Any]) -> None:
    print(f"error: {error['message']} [{error['code']}]", file=sys.stderr)  # noqa: T201
    if error.get("suggestion"):
        print(error["suggestion"], file=sys.stderr)  # noqa: T201


def _text(data: object) -> str:
    return data if isinstance(data, str) else json.dumps(data, indent=2)
