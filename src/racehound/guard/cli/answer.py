"""What the caller reads: an envelope for programs, plain text for people."""

import json
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    envelope: dict[str, Any]
    exit_status: int = 0

    def print(self, *, as_json: bool) -> None:
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


def _print_error(error: dict[str, Any]) -> None:
    print(f"error: {error['message']} [{error['code']}]", file=sys.stderr)  # noqa: T201
    if error.get("suggestion"):
        print(error["suggestion"], file=sys.stderr)  # noqa: T201


def _text(data: object) -> str:
    return data if isinstance(data, str) else json.dumps(data, indent=2, default=str)
