"""What the parent asks a proof child, and what it gets back, as JSON."""

import json
from dataclasses import asdict, dataclass
from time import monotonic

from racehound.model.proof import Birth, Outcome, Proof, ScenarioText, Step, Verdict
from racehound.model.schedule import Schedule
from racehound.scenario.reached import Place
from racehound.strategies.registry import DEFAULT

LEAST = 0.5
"""Of the budget, for the search alone: starting processes on a busy machine takes its time."""
OVERTIME = 0.7
"""Seconds beyond the budget, but no more, that may be added for it."""
SCANT = 0.1
"""Of the budget, where even these are over before the search begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Race the functions of a class (or of the module where there is none)."""

    path: str
    """Absolute path of the file."""
    shown_path: str
    """The path as the user knows it; goes into tokens."""
    class_name: str | None
    functions: tuple[str, ...]
    pair: tuple[str, str] | None
    """The two that a finding names, to be raced with every prefix before the others are."""
    fields: tuple[str, ...]
    """A race that touches one of these is worth more than another."""
    seconds: float
    source: str | None = None
    """Text to prove in place of the file's own."""
    first: ScenarioText | None = None
    """A scenario to race before all others."""
    only_first: bool = False
    """The first scenario is all there is to race."""
    accused: tuple[Place, ...] = ()
    """Where the two operations stand that a finding is about."""
    standstill: bool = False
    """What is asked for is a wait without end; another race is worth less."""
    only_named: bool = False
    """Race the named functions and no others."""
    without: tuple[tuple[str, ...], ...] = ()
    """Operations that are not raced together, one set each; what is raced alone has a set of its own."""
    setup: str | None = None
    """How to make the subject, where the user knows better."""
    invariant: str | None = None
    """A condition on the subject that takes the place of the serial outcomes."""
    strategy: str = DEFAULT
    seed: int = 0
    schedule: Schedule | None = None
    """Only replay this schedule of the first scenario."""
    until: float | None = None
    """When the budget ends, by the monotonic clock, which all processes share."""

    @property
    def left(self) -> float:
        """Seconds of the budget that are left; a search that could begin only late has a part of it anyway."""
        if self.until is None:
            return self.seconds
        left = self.until - monotonic()
        return max(left, min(LEAST * self.seconds, left + OVERTIME), SCANT * self.seconds)

    def to_json(self) -> str:
        data = asdict(self)
        data["schedule"] = self.schedule.to_json() if self.schedule else None
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str) -> "Request":
        data = json.loads(text)
        data["functions"] = tuple(data["functions"])
        data["fields"] = tuple(data["fields"])
        data["accused"] = tuple(Place(**place) for place in data["accused"])
        data["pair"] = tuple(data["pair"]) if data["pair"] else None
        data["without"] = tuple(tuple(names) for names in data["without"])
        data["first"] = scenario_from_json(data["first"]) if data["first"] else None
        data["schedule"] = Schedule.from_json(data["schedule"]) if data["schedule"] else None
        return cls(**data)


def scenario_from_json(data: dict[str, object]) -> ScenarioText:
    match data:
        case {"setup": str(setup), "prefix": list(prefix), "tasks": list(tasks)}:
            return ScenarioText(
                setup=setup,
                prefix=tuple(prefix),
                tasks=tuple(tuple(task) for task in tasks),
                on_loop=data.get("on_loop") is True,
            )
    raise ValueError("not a scenario")


def proof_to_json(proof: Proof) -> str:
    return json.dumps(asdict(proof))


def proof_from_json(text: str) -> Proof:
    data = json.loads(text)
    return Proof(
        verdict=Verdict(data["verdict"]),
        reason=data["reason"],
        executions=data["executions"],
        oracle=data["oracle"],
        token=data["token"],
        timeline=tuple(Step(**step) for step in data["timeline"]),
        births=tuple(Birth(**birth) for birth in data["births"]),
        scenario=scenario_from_json(data["scenario"]) if data["scenario"] else None,
        serial=tuple(_outcome(item) for item in data["serial"]),
        outcome=_outcome(data["outcome"]) if data["outcome"] else None,
        masked=tuple(data["masked"]),
        confirmation=data["confirmation"],
        test=data["test"],
    )


def _outcome(data: dict[str, object]) -> Outcome:
    match data:
        case {"results": list(results), "state": str(state), "order": list(order)}:
            return Outcome(results=tuple(results), state=state, order=tuple(order))
    raise ValueError("not an outcome")
