"""Further ways to make an object whose making is known, as source text."""

import ast
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf

from racehound.errors import HarnessError
from racehound.instrument.observed import OBSERVED
from racehound.scenario.arguments import ArgumentBuilder
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.expressions import callable_of
from racehound.scenario.one_loop import needs_loop

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
    return _with_defaults(text, module, dict.fromkeys(_defaults(text, kind, _is_nothing), PLENTY))


def limited(text: str, kind: type, module: types.ModuleType) -> str:
    """The same object with little of what it has no limit for by default."""
    return _with_defaults(text, module, dict.fromkeys(_defaults(text, kind, _is_endless), 1))


def tighter(text: str, kind: type, module: types.ModuleType, size: int) -> str:
    """The same object with no more of anything than so much by default."""
    return _with_defaults(text, module, dict.fromkeys(_defaults(text, kind, partial(_is_more, size)), size))


def more(text: str, kind: type, module: types.ModuleType) -> str:
    """The same object with two of what it has one of by default: after the first there is another one."""
    return _with_defaults(text, module, dict.fromkeys(_defaults(text, kind, _is_one), 2))


def _defaults(text: str, kind: type, wanted: Callable[[object], bool]) -> list[str]:
    """The arguments that the expression does not give, and whose defaults are such."""
    making = _call(text)
    if making is None:
        return []
    try:
        signature = inspect.signature(kind)
        named = {each.arg or "": each for each in making.keywords}
        given = signature.bind_partial(*making.args, **named).arguments
    except (TypeError, ValueError):
        return []
    return [name for name, each in signature.parameters.items() if name not in given and wanted(each.default)]


def _with_defaults(text: str, module: types.ModuleType, values: Mapping[str, int]) -> str:
    making = _call(text)
    if making is None or not values:
        return text
    making.keywords.extend(ast.keyword(name, ast.Constant(value)) for name, value in values.items())
    return first_possible((ast.unparse(making), text), vars(module))


def _is_nothing(default: object) -> bool:
    return type(default) in (int, float) and default == 0


def _is_one(default: object) -> bool:
    return type(default) is int and default == 1


def _is_endless(default: object) -> bool:
    return type(default) is float and default == inf


def _is_more(size: int, default: object) -> bool:
    return (type(default) is int and default > size) or _is_endless(default)


def _call(text: str) -> ast.Call | None:
    body = ast.parse(text, mode="eval").body
    return body if isinstance(body, ast.Call) else None


def _can_be_made(text: str, names: Mapping[str, object]) -> bool:
    try:
        callable_of(text, names)(None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever else the code under proof raises, it cannot
        return needs_loop(str(error))
    return True
