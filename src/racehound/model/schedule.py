"""The choices of one execution: replay, shrinking, timeline and test derive from them.

A schedule is kept as the deviations from "let the running task go on": most of an execution follows that
default, so the text form stays short and a person can read how many switches a race needs.
"""

import base64
import json
import zlib
from dataclasses import dataclass
from typing import NewType

from racehound.errors import UsageError

TaskId = NewType("TaskId", int)

LONGEST = 10_000_000
"""Steps; a token that asks for more was not made by us."""

TOKEN_PREFIX = "rh1-"  # noqa: S105 - the name of a format, not a secret


@dataclass(frozen=True, slots=True)
class Schedule:
    """The task chosen at each step, from the first to the last."""

    choices: tuple[TaskId, ...]

    @property
    def switches(self) -> tuple[tuple[int, TaskId], ...]:
        """The steps at which another task than the one before goes on."""
        pairs = enumerate(zip((None, *self.choices), self.choices, strict=False))
        return tuple((step, task) for step, (before, task) in pairs if task != before)

    def to_json(self) -> dict[str, object]:
        return {"length": len(self.choices), "switches": [list(switch) for switch in self.switches]}

    @classmethod
    def from_json(cls, data: dict[str, object]) -> "Schedule":
        match data:
            case {"length": int(length), "switches": list(switches)} if length <= LONGEST:
                return cls(_expand(length, switches))
        raise _no_schedule()


def _expand(length: int, switches: list[object]) -> tuple[TaskId, ...]:
    choices: list[TaskId] = []
    for switch in switches:
        match switch:
            case [int(step), int(task)] if len(choices) <= step < length and (step > 0) == bool(choices):
                choices.extend(choices[-1:] * (step - len(choices)))
                choices.append(TaskId(task))
            case _:
                raise _no_schedule()
    if length and not choices:
        raise _no_schedule()
    return (*choices, *choices[-1:] * (length - len(choices)))


def _no_schedule() -> UsageError:
    return UsageError("this is not a schedule", hint="pass a token that racehound printed")


def encode_token(payload: dict[str, object]) -> str:
    """A short text that carries `payload` and can be pasted into a shell."""
    packed = zlib.compress(json.dumps(payload, separators=(",", ":"), sort_keys=True).encode(), 9)
    return TOKEN_PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_token(token: str) -> dict[str, object]:
    """The payload of a token, or a UsageError that says it is none."""
    try:
        body = token.strip().removeprefix(TOKEN_PREFIX)
        payload = json.loads(zlib.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))
    except (ValueError, zlib.error) as error:
        raise UsageError("this is not a racehound token", hint="copy it whole, from rh1- to its end") from error
    if not isinstance(payload, dict):
        raise UsageError("this is not a racehound token", hint="copy it whole, from rh1- to its end")
    return payload
