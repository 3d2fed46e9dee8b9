"""The flags that make a tool safe to call in parallel, independent of who parses them."""

from dataclasses import dataclass, fields

from racehound.guard.timeouts import DEFAULT_TIMEOUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the caller asked for."""

    session_id: str | None = None
    instance_id: str | None = None
    lock_timeout: float = DEFAULT_TIMEOUT
    force_unlock: bool = False
    json: bool | None = None


HELP = {
    "session_id": "Keep temporary files apart from those of other sessions.",
    "instance_id": "Keep state and locks apart from those of other instances.",
    "lock_timeout": f"Seconds to wait for a lock. [default: {DEFAULT_TIMEOUT:g}]",
    "force_unlock": "Free a lock whose holder is dead.",
    "json": "Answer with a JSON envelope. [default: unless stdout is a terminal]",
}
NAMES = tuple(field.name for field in fields(Flags))


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


def take_flags(values: dict[str, object]) -> Flags:
    """Remove our values from those that a parser collected. Unset ones are None there."""
    ours = {name: values.pop(name) for name in NAMES if name in values}
    return Flags(**{name: value for name, value in ours.items() if value is not None})  # type: ignore[arg-type] # typed by the parser
