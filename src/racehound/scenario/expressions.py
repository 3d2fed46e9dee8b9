"""Expressions of a scenario, brought to life among the names of a module.

They publish what they do as the code of the module does: `subject.items.append(1)` is an operation wherever it is
written. The functions that an expression makes belong to the program as much as its own.
"""

import ast
import functools
import inspect
import types
from collections.abc import Callable, Generator, Mapping
from functools import lru_cache
from typing import Any
from zlib import crc32

from racehound.instrument.kinds import INSTRUMENTED
from racehound.instrument.rewrite import instrument
from racehound.scenario.data import is_data
from racehound.scenario.parts import PAUSE, PAUSES, pause, unpaused
from racehound.scenario.shapes import LISTENER, SHARED

SUBJECT = "subject"
PLACE = "<scenario>"
_FUNCTION = "scenario_call"
_HANDED = "handed_function_"
_SHARED = "shared_object_"
_LISTENER = "shared_object_listener_"
_BEGUN = {SHARED: _SHARED, LISTENER: _LISTENER}
_PAUSE = "scenario_pause"


def awaits(text: str) -> bool:
    """Whether an expression has to run on an event loop."""
    code: types.CodeType = compile(unpaused(text), PLACE, "eval", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return bool(code.co_flags & inspect.CO_COROUTINE)


def callable_of(
    text: str, names: Mapping[str, object], functions: dict[str, object] | None = None
) -> Callable[[object], object]:
    """A function of the subject that evaluates an expression; a coroutine function if it awaits.

    Among the names of a module that is not observed it is plain code. `functions` has those that other expressions
    of the scenario hand over: what one registers, another one can take back.
    """
    on_loop = awaits(text)
    written = text.replace(PAUSE, f"(await {_PAUSE}())") if on_loop else text
    shown, made_here = with_names_for_functions(written, _handed_name)
    shown, shared = with_names_for_shared(shown)
    handed = "".join(f"{name} = {ast.unparse(made)}\n" for name, made in (*made_here.items(), *shared.items()))
    source = f"{'async ' if on_loop else ''}def {_FUNCTION}({SUBJECT}):\n return (\n{shown}\n)\n{handed}"
    observed = {INSTRUMENTED: PLACE} if INSTRUMENTED in names else {}
    module = str(names.get("__name__")) if observed else None
    code_of_all = _compiled(source + (_rebinding(text, names) if observed else ""), module)
    made: dict[str, Any] = {**names, **observed}
    exec(code_of_all, made)  # noqa: S102 - running the code under proof is the purpose, in a child process
    code = made[_FUNCTION].__code__
    known = {} if functions is None else functions
    used = {name: known.setdefault(name, made[name]) for name in made_here} | {_PAUSE: pause}

    def fresh() -> types.FunctionType:
        """Names of the module mean what they mean at the moment of the call."""
        objects = {name: known.setdefault(name, known.get(name) or made[name]()) for name in shared}
        return types.FunctionType(code, {**names, **observed, **used, **objects}, _FUNCTION)

    if on_loop:

        async def coroutine(subject: object) -> object:
            return await fresh()(subject)

        setattr(coroutine, PAUSES, text.count(PAUSE))
        return coroutine

    if inspect.isgeneratorfunction(made[_FUNCTION]):

        @functools.wraps(made[_FUNCTION], assigned=())  # it is code of ours, whatever it runs
        def parts(subject: object) -> Generator[object, None, object]:
            result: object = yield from fresh()(subject)
            return result

        return parts

    def call(subject: object) -> object:
        return fresh()(subject)

    return call


def forget_shared(functions: dict[str, object]) -> None:
    """Another execution begins, with other objects."""
    for name in [name for name in functions if name.startswith(_SHARED)]:
        del functions[name]


def listeners_in(functions: Mapping[str, object]) -> dict[str, object]:
    """What was registered to be called back, in an order that is the same in all executions."""
    return {name: functions[name] for name in sorted(functions) if name.startswith(_LISTENER)}


def with_names_for_shared(text: str) -> tuple[str, dict[str, ast.expr]]:
    """The expression with names in place of objects that all calls have in common, and the classes of these."""
    if SHARED not in text and LISTENER not in text:
        return text, {}
    naming = _NamingShared()
    tree = naming.visit(ast.parse(text, mode="eval"))
    return ast.unparse(tree), naming.found


class _NamingShared(ast.NodeTransformer):
    def __init__(self) -> None:
        self.found: dict[str, ast.expr] = {}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Call(args=[ast.Constant(value=kind), *_]) as making, args=[]) if kind in _BEGUN:
                name = f"{_BEGUN[str(kind)]}{crc32(ast.unparse(making).encode()):x}"
                self.found[name] = making
                return ast.Name(name, ast.Load())
        return self.generic_visit(node)


def _handed_name(function: ast.Lambda) -> str:
    """The same for functions that are written the same."""
    return f"{_HANDED}{crc32(ast.unparse(function).encode()):x}"


def with_names_for_functions(text: str, name_of: Callable[[ast.Lambda], str]) -> tuple[str, dict[str, ast.Lambda]]:
    """The expression with names in place of its functions, and these.

    A program hands over functions that live on. One that is made for each call would be gone after it, and where
    only its address is kept, the next one could be taken for it.
    """
    naming = _Naming(name_of)
    tree = naming.visit(ast.parse(text, mode="eval"))
    return ast.unparse(tree), naming.found


class _Naming(ast.NodeTransformer):
    def __init__(self, name_of: Callable[[ast.Lambda], str]) -> None:
        self._name_of = name_of
        self.found: dict[str, ast.Lambda] = {}

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        if SUBJECT in used:
            return node
        name = self._name_of(node)
        self.found[name] = node
        return ast.Name(name, ast.Load())

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return node  # a function inside may use its variables
        return super().generic_visit(node)


@lru_cache(maxsize=4096)
def _compiled(source: str, module: str | None) -> types.CodeType:
    """The same calls come again in many scenarios; without a module it is plain code."""
    tree = ast.parse(source) if module is None else instrument(source, PLACE, module)
    return compile(tree, PLACE, "exec", dont_inherit=True)


def _rebinding(text: str, names: Mapping[str, object]) -> str:
    """Says that other functions may bind the variables of the module anew, so that reading one is published."""
    used = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    shared = sorted(name for name in used & names.keys() if is_data(name, names[name]))
    if not shared:
        return ""
    return f"def others():\n global {', '.join(shared)}\n {' = '.join(shared)} = None\n"
