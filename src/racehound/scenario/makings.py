"""Further ways to make an object whose making is known, as source text."""

import ast
import inspect
import types
from collections.abc import Mapping, Sequence

from racehound.errors import HarnessError
from racehound.instrument.observed import OBSERVED
from racehound.scenario.arguments import ArgumentBuilder
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.expressions import callable_of

PLENTY = 10
"""In place of a default of nothing: what is checked for is there then."""


def first_possible(texts: Sequence[str], names: Mapping[str, object]) -> str:
    """The first that can be evaluated, or just the first."""
    before = Checkpoint(OBSERVED.all())
    try:
        return next((text for text in dict.fromkeys(texts) if _can_be_made(text, names)), texts[0])
    finally:
        before.restore()


def another(text: str, kind: type, module: types.ModuleType) -> str:
    """A second object, told from the first by its arguments: programs put locks in order by such."""
    making = _call(text)
    if making is None or not (making.args or making.keywords):
        return text
    try:
        builder = ArgumentBuilder(vars(module), others=True)
        other = builder.call(ast.unparse(making.func), kind, skip_first=False)
    except HarnessError:
        return text
    return text if "1 / 0" in other else first_possible((other, text), vars(module))


def richer(text: str, kind: type, module: types.ModuleType) -> str:
    """The same object with plenty of what it has none of by default."""
    making = _call(text)
    if making is None:
        return text
    try:
        signature = inspect.signature(kind)
        given = signature.bind_partial(
            *making.args, **{each.arg or "": each for each in making.keywords}
        ).arguments
    except (TypeError, ValueError):
        return text
    empty = [
        name for name, each in signature.parameters.items() if name not in given and _is_nothing(each.default)
    ]
    making.keywords.extend(ast.keyword(name, ast.Constant(PLENTY)) for name in empty)
    return first_possible((ast.unparse(making), text), vars(module)) if empty else text


def _is_nothing(default: object) -> bool:
    return type(default) in (int, float) and default == 0


def _call(text: str) -> ast.Call | None:
    body = ast.parse(text, mode="eval").body
    return body if isinstance(body, ast.Call) else None


def _can_be_made(text: str, names: Mapping[str, object]) -> bool:
    try:
        callable_of(text, names)(None)
    except (Exception, SystemExit):  # noqa: BLE001 - whatever the code under proof raises, it cannot
        return False
    return True
