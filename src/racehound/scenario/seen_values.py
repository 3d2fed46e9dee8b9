"""Arguments that the project's own tests use, read from their source and never run.

Only literals count, and constants of the test file that are literals. A call that is expected to raise says
nothing about good arguments and is left out.
"""

import ast
import inspect
import re
import types
import typing
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final

from racehound.instrument.territory import is_library

MOST_FILES: Final = 200
LARGEST: Final = 400_000
"""Bytes."""
LEVELS: Final = 5
_ENDS = ("pyproject.toml", "setup.cfg", "setup.py", ".git", ".hg")
"""A directory with one of these is the top of a project."""
_EXPECTED = re.compile(r"raises|warns|fails", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SeenCall:
    """The literals among the arguments of one call, as source text."""

    positional: tuple[str | None, ...]
    keywords: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SeenValues:
    """Calls by the name of what is called."""

    calls: dict[str, list[SeenCall]] = field(default_factory=dict)
    insists: bool = False
    """Whether the values are given even for what has a default."""

    def of(self, name: str, signature: inspect.Signature, parameter: str, *, skip_first: bool) -> list[str]:
        """The values that a parameter was given, the most frequent first."""
        names = list(signature.parameters)[1:] if skip_first else list(signature.parameters)
        given = (value for call in self.calls.get(name, ()) for value in _given(call, names, parameter))
        return [value for value, _ in Counter(given).most_common()]


NOTHING_SEEN: Final = SeenValues()


def fits(text: str, hint: object) -> bool:
    """Whether a literal can be of the type; where the type says nothing, it can, and so can a name."""
    try:
        value: object = ast.literal_eval(text)
    except ValueError:  # a name, such as of a member of an enumeration, that the code itself compares with
        return True
    if hint in (inspect.Parameter.empty, typing.Any) or isinstance(hint, str | typing.TypeVar):
        return True
    if isinstance(hint, type):
        return _is_a(value, hint) or (hint is float and isinstance(value, int))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(text, argument) for argument in arguments)
    if origin is typing.Literal:
        return value in arguments
    return isinstance(origin, type) and _is_a(value, origin)


def _is_a(value: object, kind: type) -> bool:
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be asked
        return False


def _given(call: SeenCall, names: Sequence[str], parameter: str) -> Iterator[str]:
    yield from (value for name, value in call.keywords if name == parameter)
    for name, value in zip(names, call.positional, strict=False):
        if name == parameter and value is not None:
            yield value


def seen_in_tests(path: Path, kind: str | None, functions: Collection[str]) -> SeenValues:
    """What the tests near a file pass to a class and its methods, or to functions."""
    return _seen(islice(files_of_tests(path.resolve()), MOST_FILES), kind, functions)


def seen_in_file(path: Path, kind: str | None, functions: Collection[str]) -> SeenValues:
    """What the program itself passes to them, in their own file."""
    return _seen([path.resolve()], kind, functions)


def _seen(files: Iterable[Path], kind: str | None, functions: Collection[str]) -> SeenValues:
    calls: dict[str, list[SeenCall]] = {}
    for tree in _trees(files, kind or "", functions):
        reader = _Reader(tree, kind, functions)
        reader.visit(tree)
        for name, call in reader.found:
            calls.setdefault(name, []).append(call)
    return SeenValues(calls)


def _trees(files: Iterable[Path], kind: str, functions: Collection[str]) -> Iterator[ast.Module]:
    wanted = re.compile(rf"\b(?:{'|'.join(map(re.escape, [kind] if kind else functions))})\b")
    for file in files:
        try:
            text = file.read_text(encoding="utf-8") if file.stat().st_size <= LARGEST else ""
            if wanted.search(text):
                yield ast.parse(text)
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue  # what cannot be read has nothing to say


def files_of_tests(path: Path) -> Iterator[Path]:
    """Tests beside a file, and in the test folders of its project."""
    if is_library(path):
        return
    for directory in islice(path.parents, LEVELS):
        folders = [directory / name for name in ("tests", "test") if (directory / name).is_dir()]
        inside = chain.from_iterable(sorted(folder.rglob("*.py")) for folder in folders)
        yield from (
            file for file in chain(sorted(directory.glob("*.py")), inside) if _is_test(file) and file != path
        )
        if any((directory / name).exists() for name in _ENDS):
            return


def _is_test(file: Path) -> bool:
    return file.name.startswith("test_") or file.stem.endswith("_test") or file.name == "conftest.py"


class _Reader(ast.NodeVisitor):
    """Collects calls of one class and of methods on what was made of it, or calls of functions."""

    def __init__(self, tree: ast.Module, kind: str | None, functions: Collection[str]) -> None:
        self.found: list[tuple[str, SeenCall]] = []
        self._kind = kind
        self._functions = functions
        self._constants = dict(_constants(tree))
        self._instances = set(_instances(tree, kind)) if kind else set()

    def visit_With(self, node: ast.With) -> None:
        if not any(_EXPECTED.search(ast.unparse(item.context_expr)) for item in node.items):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        if name is not None and self._is_meant(node.func, name):
            self.found.append((name, self._seen(node)))
        self.generic_visit(node)

    def _is_meant(self, function: ast.expr, name: str) -> bool:
        if self._kind is None:
            return name in self._functions
        if name == self._kind:
            return True
        return isinstance(function, ast.Attribute) and self._is_instance(function.value)

    def _is_instance(self, receiver: ast.expr) -> bool:
        if isinstance(receiver, ast.Call):
            return _last_name(receiver.func) == self._kind
        return _last_name(receiver) in self._instances

    def _seen(self, node: ast.Call) -> SeenCall:
        positional: list[str | None] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                break
            positional.append(self._literal(argument))
        pairs = ((item.arg, self._literal(item.value)) for item in node.keywords if item.arg)
        return SeenCall(tuple(positional), tuple((name, value) for name, value in pairs if value is not None))

    def _literal(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return self._constants.get(node.id)
        return _text_of_literal(node)


def _text_of_literal(node: ast.expr) -> str | None:
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                text = _text_of_literal(value)
                if text is not None:
                    yield name, text


def _instances(tree: ast.Module, kind: str) -> Iterator[str]:
    """Names that stand for an instance somewhere in the file: variables, and fixtures that make one."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=value) if _makes(value, kind):
                yield _last_name(target) or ""
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target) if _makes(value, kind):
                yield _last_name(target) or ""
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if _returns(node, kind):
                yield name


def _makes(value: ast.expr, kind: str) -> bool:
    return isinstance(value, ast.Call) and _last_name(value.func) == kind


def _returns(function: ast.AST, kind: str) -> bool:
    ends = (node for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield))
    return any(node.value is not None and _makes(node.value, kind) for node in ends)


def _last_name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None
