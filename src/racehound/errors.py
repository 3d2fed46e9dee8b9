"""What can go wrong, told apart by who can act on it.

`RacehoundError` and its children are for the user: they name the thing and say what would be right.
`InternalError` is a defect of racehound itself.
"""


class RacehoundError(Exception):
    """Something the user can act on: `code` is stable, `hint` is one imperative sentence."""

    code = "ERROR"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return _revive, (type(self), self.message, self.hint)


def _revive(kind: type[RacehoundError], message: str, hint: str) -> RacehoundError:
    return kind(message, hint=hint)


class UsageError(RacehoundError):
    """A path, rule, format or target that does not exist."""

    code = "USAGE"


class ConfigError(RacehoundError):
    """A setting that cannot be understood; the message points at file and line."""

    code = "CONFIG"


class HarnessError(RacehoundError):
    """The code under proof could not be imported, constructed or called."""

    code = "HARNESS"


class ReplayDrift(RacehoundError):
    """The program made a choice that the schedule does not know; the message says which."""

    code = "REPLAY_DRIFT"


class InternalError(Exception):
    """A defect of racehound."""
