"""Objects that are full: what they throw out to make room is raced with what looks for it.

A cache holds what it was given under one key only once, so that the same call, however often it is made, never
fills it. Calls with different arguments do, up to a size that is made small where the constructor lets it be.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

from racehound.model.proof import ScenarioText
from racehound.scenario.calls import Call

SIZE = 2

Pair = tuple[Call, Call]


def varied(text: str, number: int) -> str:
    """The call with another first argument for each number, or as it is where that is no plain value."""
    tree = ast.parse(text, mode="eval")
    match tree.body:
        case (
            ast.Call(args=[ast.Constant(value=str() | int()) as argument, *_])
            | ast.Await(value=ast.Call(args=[ast.Constant(value=str() | int()) as argument, *_]))
        ) if not isinstance(argument.value, bool):
            argument.value = after(argument.value, number)
            return ast.unparse(tree)
    return text


def after(value: object, number: int) -> str | int:
    """So many names, or numbers, further."""
    if isinstance(value, str):
        return chr(ord(value) + number) if len(value) == 1 and value.isalnum() else f"{value}{number}"
    return int(str(value)) + number


def filled(setup: str, calls: Iterable[Call], pairs: Sequence[Pair]) -> Iterator[ScenarioText]:
    """Pairs of calls after a call that was made with as many arguments as fill the object."""
    for call in calls:
        prefix = tuple(varied(call.text, number) for number in range(SIZE))
        if not call.can_precede or len(set(prefix)) < SIZE:
            continue
        for one, other in pairs:
            third, fourth = varied(other.text, SIZE), varied(other.text, SIZE + 1)
            for tasks in dict.fromkeys([(one.text, third), (varied(one.text, SIZE), fourth)]):
                yield ScenarioText(setup=setup, prefix=prefix, tasks=tuple((task,) for task in tasks))
