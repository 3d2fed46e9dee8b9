"""Which operations a scenario races, by name."""

import re

from racehound.model.proof import ScenarioText

_OF_SUBJECT = re.compile(r"\bsubject(?:\[\d+\])?\.(\w+)")
_FUNCTION = re.compile(r"(\w+)\(")


def operations_of(scenario: ScenarioText) -> frozenset[str]:
    """The methods or functions of its tasks; what is done by syntax alone goes by its text."""
    return frozenset(_operation(call) for task in scenario.tasks for call in task)


def _operation(call: str) -> str:
    found = _OF_SUBJECT.search(call) or _FUNCTION.search(call)
    return found[1] if found else call
