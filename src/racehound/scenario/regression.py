"""A pytest module that fails as long as the race is there."""

import ast
import builtins
import re
from dataclasses import dataclass

from racehound.model.proof import ScenarioText
from racehound.scenario.program import SUBJECT


@dataclass(frozen=True, slots=True)
class Target:
    """How the test gets at the code."""

    module: str
    directory: str
    """Of the file, as the user names it from where the tests run."""


TEMPLATE = '''\
"""Fails as long as the operations can end as no serial order of them does."""

{imports}

from racehound import explore


def set_up():
    {subject} = {setup}
{prefix}    return {subject}


def {test}():
    result = explore(
        setup=set_up,
        workers=[
{workers}
        ],
{invariant}    )
    result.assert_safe()
'''


def regression_test(
    scenario: ScenarioText, target: Target, *, class_name: str | None, invariant: str | None = None
) -> str:
    """The text of the test; it imports the code as its package does, or from the file's own directory."""
    workers = [f"            lambda {SUBJECT}: {_sequence(task)}," for task in scenario.tasks]
    return TEMPLATE.format(
        imports=_imports(target, scenario),
        subject=SUBJECT,
        setup=scenario.setup,
        prefix="".join(f"    {call}\n" for call in scenario.prefix),
        test=f"test_{_snake(class_name or target.module)}_operations_do_not_race",
        workers="\n".join(workers),
        invariant=f"        invariant=lambda {SUBJECT}: {invariant},\n" if invariant else "",
    )


def _sequence(task: tuple[str, ...]) -> str:
    return task[0] if len(task) == 1 else f"[{', '.join(task)}]"


def _imports(target: Target, scenario: ScenarioText) -> str:
    line = f"from {target.module} import {', '.join(_names(scenario))}"
    if "." in target.module:
        return line
    return f"import sys\n\nsys.path.insert(0, {target.directory!r})\n{line}  # noqa: E402"


def _names(scenario: ScenarioText) -> list[str]:
    """What the calls mean by the names they use, but for the subject and the built-in ones."""
    calls = [scenario.setup, *scenario.prefix, *(call for task in scenario.tasks for call in task)]
    nodes = (node for call in calls for node in ast.walk(ast.parse(call, mode="eval")))
    free = {node.id for node in nodes if isinstance(node, ast.Name)}
    return sorted(free - {SUBJECT, "args", "kwargs"} - set(dir(builtins)))


def _snake(name: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).lower()
