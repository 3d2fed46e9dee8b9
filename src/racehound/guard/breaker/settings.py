from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Any, TypedDict

ExceptionRule = type[BaseException] | tuple[type[BaseException], ...] | Callable[[BaseException], bool]
DEFAULT_THRESHOLD = 3
DEFAULT_CEILING = 10  # times `open_seconds`


def require(condition: bool, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)


def require_count(number: int, name: str) -> None:
    """A fraction would do where it is compared, and break a call down where it is an index."""
    try:
        index(number)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {number!r}") from None
    require(number >= 1, f"{name} must be at least 1")


def require_rule(rule: object, name: str) -> None:
    classes = rule if isinstance(rule, tuple) else (rule,)
    are_exceptions = all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in classes)
    is_predicate = callable(rule) and not isinstance(rule, type)
    if not (are_exceptions or is_predicate):
        raise TypeError(f"{name} is an exception class, a tuple of them, or a predicate, not {rule!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Opens the circuit by rates: over the last `calls` calls, or over the last `seconds` where given.

    No rate is judged before `minimum_calls` calls are in the window. A call that takes longer than
    `slow_seconds` is slow, whether it succeeds or fails. A window over time is exact to a thousandth of its
    length and keeps eight bytes per call.
    """

    calls: int = 100
    seconds: float | None = None
    minimum_calls: int = 10
    failure_rate: float | None = 0.5
    slow_rate: float | None = None
    slow_seconds: float | None = None

    def __post_init__(self) -> None:
        require_count(self.calls, "calls")
        require(self.seconds is None or self.seconds > 0, "seconds must be positive")
        require_count(self.minimum_calls, "minimum_calls")
        require(
            self.seconds is not None or self.minimum_calls <= self.calls,
            "minimum_calls must not exceed calls: the window would never be judged",
        )
        for rate in (self.failure_rate, self.slow_rate):
            require(rate is None or 0 < rate <= 1, "a rate must be above 0 and at most 1")
        require((self.slow_rate is None) == (self.slow_seconds is None), "slow_rate and slow_seconds go together")


class CommonOptions(TypedDict, total=False):
    """The fields of `Settings` but the first, as keyword arguments."""

    open_seconds: float
    backoff: float
    max_open_seconds: float | None
    jitter: float
    half_open_probes: int
    success_threshold: int
    probe_seconds: float
    window: Window | None
    failure_on: ExceptionRule
    ignore: ExceptionRule
    failure_result: Callable[[Any], bool] | None
    report_successes: bool


class Options(CommonOptions, total=False):
    failure_threshold: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one circuit behaves.

    Attributes:
        failure_threshold: failures in a row that open the circuit. None: 3, or no such limit where a
            `window` decides.
        open_seconds: how long the circuit stays open the first time.
        backoff: factor by which that time grows with every opening in a row.
        max_open_seconds: its ceiling, jitter included. None: ten times `open_seconds`.
        jitter: part of the time that is left to chance, 0 to 1: 0.1 is ten per cent up or down.
        half_open_probes: calls that may probe the backend at the same time.
        success_threshold: probes that must succeed before the circuit closes.
        probe_seconds: lease of a probe; after it the right to probe passes to another call.
        window: rates that open the circuit.
        failure_on: exceptions that are failures: a class, a tuple of them, or a predicate. Other exceptions
            are an answer of the backend: success.
        ignore: exceptions that say nothing about the backend. The permit is given back without verdict.
        failure_result: tells which returned values are failures.
        report_successes: send an event for each successful call as well; costs the lock-free path.
    """

    failure_threshold: int | None = None
    open_seconds: float = 30.0
    backoff: float = 1.0
    max_open_seconds: float | None = None
    jitter: float = 0.0
    half_open_probes: int = 1
    success_threshold: int = 1
    probe_seconds: float = 60.0
    window: Window | None = None
    failure_on: ExceptionRule = (Exception,)
    ignore: ExceptionRule = ()
    failure_result: Callable[[Any], bool] | None = None
    report_successes: bool = False

    def __post_init__(self) -> None:
        require(
            self.failure_threshold is None or self.failure_threshold >= 1, "failure_threshold must be at least 1"
        )
        require(self.open_seconds > 0, "open_seconds must be positive")
        require(self.backoff >= 1, "backoff must be at least 1")
        require(self.ceiling >= self.open_seconds, "max_open_seconds must not be below open_seconds")
        require(0 <= self.jitter <= 1, "jitter must be from 0 to 1")
        require_count(self.half_open_probes, "half_open_probes")
        require_count(self.success_threshold, "success_threshold")
        require(self.probe_seconds > 0, "probe_seconds must be positive")
        require_rule(self.failure_on, "failure_on")
        require_rule(self.ignore, "ignore")

    @property
    def streak_limit(self) -> float:
        """Failures in a row that open the circuit; infinite where only the window decides."""
        if self.failure_threshold is not None:
            return self.failure_threshold
        return DEFAULT_THRESHOLD if self.window is None else float("inf")

    @property
    def ceiling(self) -> float:
        if self.max_open_seconds is not None:
            return self.max_open_seconds
        return self.open_seconds * DEFAULT_CEILING

    def open_duration(self, attempt: int, draw: float) -> float:
        """Seconds to stay open at the given opening in a row (1 is the first); `draw` is chance, 0 to 1."""
        try:
            grown = self.open_seconds * self.backoff ** (attempt - 1)
        except OverflowError:
            grown = self.ceiling
        return min(min(grown, self.ceiling) * (1 + self.jitter * (2 * draw - 1)), self.ceiling)
