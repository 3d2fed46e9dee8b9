"""How to search: what the command line says, else the marker, else the configuration file."""

from dataclasses import dataclass

import pytest

from racehound.errors import UsageError
from racehound.strategies.registry import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    budget: float
    choice: Choice
    strict: bool
    """A search that was not exhausted fails, too."""
    replay: str | None
    """The one schedule to run."""


LONGEST = 1e6
NAMES = ("budget", "strategy", "seed", "strict")


def settings_of(item: pytest.Item, **given: object) -> Settings:
    """`given` is what the test itself says; None stands for nothing."""
    marker = item.get_closest_marker("race")
    marked = dict(marker.kwargs) if marker is not None else {}
    if marker is not None and (marker.args or set(marked) - set(NAMES)):
        raise UsageError("the marker race takes only the keywords " + ", ".join(NAMES))
    told = marked | {name: value for name, value in given.items() if value is not None}
    chosen = {name: _chosen(item.config, name, told) for name in NAMES}
    return Settings(
        budget=_seconds(chosen["budget"]),
        choice=Choice(str(chosen["strategy"]), _whole(chosen["seed"])),
        strict=bool(chosen["strict"]),
        replay=item.config.getoption("race_replay"),
    )


def _chosen(config: pytest.Config, name: str, told: dict[str, object]) -> object:
    option = config.getoption(f"race_{name}")
    if option is not None:
        return option
    return told[name] if name in told else config.getini(f"race_{name}")


def _seconds(value: object) -> float:
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < LONGEST:  # which is how `nan` answers every comparison
        raise UsageError(f"{value!r} is no race budget", hint="give a number of seconds above 0")
    return seconds


def _whole(value: object) -> int:
    try:
        return int(str(value))
    except ValueError as error:
        raise UsageError(f"{value!r} is no race seed", hint="give a whole number") from error
