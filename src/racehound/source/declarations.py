"""What authors say about fields: `# guarded_by: _lock`, `# racehound: confined`, the same in `Annotated`."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.comments import comments

_MARKS = ("guarded_by", "racehound: confined", "racehound:confined")
_GUARDED = re.compile(r"\bguarded_by\s*[:(]\s*[\"']?(?:self\.|cls\.)?([A-Za-z_][\w.]*)")
_CONFINED = re.compile(r"#\s*racehound:\s*confined\b")
_TO_US = re.compile(r"#\s*racehound:")
"""Other tools know `guarded_by`, too, and prose does: only what is said to us is complained of."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Declaration(NamedTuple):
    owner: str
    """Qualified name of the class; empty for a variable of the module."""
    field: str
    """Empty for a comment at something that is no field."""
    lock: str
    """What guards the field; empty where it is confined to one thread or loop."""
    line: int


def declarations(text: str, tree: ast.Module) -> tuple[Declaration, ...]:
    if "guarded_by" not in text and "confined" not in text:
        return ()
    found = list(comments(text, *_MARKS))
    said = {line: lock for comment in found for line, lock in _said(comment.line, comment.text)}
    reader = _Reader(said, {comment.line for comment in found if comment.alone})
    declared = tuple(reader.block(tree.body, "", None))
    to_us = [comment.line for comment in found if _TO_US.search(comment.text)]
    lost = [line for line in to_us if line in said and line not in reader.heard]
    return (*declared, *(Declaration("", "", said[line], line) for line in lost))


def _said(line: int, comment: str) -> Iterator[tuple[int, str]]:
    if guarded := _GUARDED.search(comment):
        yield line, guarded[1]
    elif _CONFINED.search(comment):
        yield line, ""


class _Reader:
    def __init__(self, said: dict[int, str], alone: set[int]) -> None:
        self._said = said
        self._alone = alone
        self.heard: set[int] = set()
        """Lines of comments that belong to a field."""

    def block(self, body: list[ast.stmt], owner: str, bound: str | None) -> Iterator[Declaration]:
        """Declarations among these statements; `bound` is the name of the object in a method."""
        for node in body:
            match node:
                case ast.ClassDef():
                    yield from self.block(node.body, f"{owner}.{node.name}" if owner else node.name, None)
                case ast.FunctionDef() | ast.AsyncFunctionDef() if owner:
                    yield from self.block(node.body, owner, _first_parameter(node))
                case ast.If() | ast.Try() | ast.With() | ast.AsyncWith():
                    yield from self.block(node.body, owner, bound)
                    yield from self.block(getattr(node, "orelse", []), owner, bound)
                case ast.Assign(targets=targets):
                    yield from self._declared(node, targets, None, owner, bound)
                case ast.AnnAssign(target=target, annotation=annotation):
                    yield from self._declared(node, [target], annotation, owner, bound)

    def _declared(
        self,
        node: ast.stmt,
        targets: list[ast.expr],
        annotation: ast.expr | None,
        owner: str,
        bound: str | None,
    ) -> Iterator[Declaration]:
        lock = self._spoken(node) if annotation is None else _annotated(annotation)
        lock = self._spoken(node) if lock is None else lock
        if lock is None:
            return
        for name in _fields(targets, bound):
            self.heard.update(self._lines(node))
            yield Declaration(owner, name, lock, node.lineno)

    def _spoken(self, node: ast.stmt) -> str | None:
        """By a comment behind the statement, or on the line above it."""
        return next((self._said[line] for line in self._lines(node)), None)

    def _lines(self, node: ast.stmt) -> list[int]:
        behind = [line for line in range(node.lineno, (node.end_lineno or node.lineno) + 1) if line in self._said]
        above = node.lineno - 1
        return [*behind, above] if above in self._alone and above in self._said else behind


def _fields(targets: list[ast.expr], bound: str | None) -> Iterator[str]:
    for target in targets:
        match target:
            case ast.Name(id=name) if bound is None:
                yield name
            case ast.Attribute(value=ast.Name(id=root), attr=name) if root == bound:
                yield name


def _first_parameter(node: _Function) -> str:
    arguments = (*node.args.posonlyargs, *node.args.args)
    return arguments[0].arg if arguments else ""


def _annotated(annotation: ast.expr) -> str | None:
    """What an annotation with `Annotated` in it declares."""
    for node in ast.walk(_unquoted(annotation)):
        match node:
            case (
                ast.Call(func=function, args=[ast.Constant(value=str(lock))])
                | ast.Call(func=function, keywords=[ast.keyword(arg="lock", value=ast.Constant(value=str(lock)))])
            ) if _name(function) == "guarded_by":
                return lock.removeprefix("self.")
            case ast.Name() | ast.Attribute() if _name(node) == "confined":
                return ""
    return None


def _unquoted(annotation: ast.expr) -> ast.expr:
    """The annotation itself, where it is written as a text."""
    match annotation:
        case ast.Constant(value=str(text)):
            try:
                return ast.parse(text.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return annotation  # a text that is no annotation
    return annotation


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
