"""Changing a text at some places, on the concrete syntax tree: all else keeps its formatting and comments."""

import ast
from collections.abc import Callable, Sequence

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from racehound.fixes.editing.reading import Extent, Reading
from racehound.fixes.transformation import CannotChange

Statement = cst.BaseStatement
ChangeStatement = Callable[[Statement], Sequence[Statement]]
ChangeExpression = Callable[[cst.BaseExpression], cst.BaseExpression]


class Editor(cst.CSTTransformer):
    """Collects what is to be changed where, and changes it in one go."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading
        self._statements: dict[tuple[int, int], ChangeStatement] = {}
        self._expressions: dict[Extent, ChangeExpression] = {}
        self._done: set[object] = set()

    def statement(self, node: ast.stmt, change: ChangeStatement) -> None:
        line, column, _, _ = self._reading.extent(node)
        self._statements[line, column] = change

    def expression(self, node: ast.expr, change: ChangeExpression) -> None:
        self._expressions[self._reading.extent(node)] = change

    def replace(self, node: ast.expr, text: str) -> None:
        self.expression(node, lambda _old: cst.parse_expression(text))

    def text(self) -> str:
        module = cst.parse_module(self._reading.source)
        after = MetadataWrapper(module, unsafe_skip_copy=True).visit(self).code
        if self._done != {*self._statements, *self._expressions}:
            raise CannotChange("the statement is written in a way that cannot be changed here")
        return after

    def on_leave(  # type: ignore[override]  # one place for nodes of all kinds
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.FlattenSentinel[cst.CSTNode] | cst.RemovalSentinel:
        if isinstance(original_node, cst.BaseExpression):
            place = self._place(original_node)
            if place in self._expressions and place not in self._done:
                assert isinstance(updated_node, cst.BaseExpression)  # noqa: S101 - nothing changes the kind
                self._done.add(place)
                return _in_brackets_of(updated_node, self._expressions[place](updated_node))
        elif isinstance(original_node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            line, column, _, _ = self._place(original_node)
            change = self._statements.get((line, column))
            if change is not None:
                assert isinstance(updated_node, cst.BaseStatement)  # noqa: S101 - likewise
                self._done.add((line, column))
                return cst.FlattenSentinel(change(updated_node))
        return updated_node

    def _place(self, node: cst.CSTNode) -> Extent:
        place = self.get_metadata(PositionProvider, node)
        assert isinstance(place, CodeRange)  # noqa: S101 - what the provider gives for every node
        return Extent(place.start.line, place.start.column, place.end.line, place.end.column)


def _in_brackets_of(old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
    if new is old or not old.lpar or new.lpar:
        return new
    return new.with_changes(lpar=old.lpar, rpar=old.rpar)


def code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def listed(old: cst.BaseExpression) -> cst.BaseExpression:
    """`list(...)` around an expression, which takes the place of its brackets."""
    return cst.Call(cst.Name("list"), [cst.Arg(old.with_changes(lpar=[], rpar=[]))])


def parsed(text: str) -> Statement:
    made = cst.parse_statement(text)
    assert isinstance(made, cst.BaseStatement)  # noqa: S101 - the only thing that is parsed to
    return made


def lines_of(statement: Statement) -> list[cst.EmptyLine]:
    """The comments and empty lines before it."""
    return list(getattr(statement, "leading_lines", ()))


def comments_of(statement: Statement) -> list[cst.EmptyLine]:
    """All that is said before a statement and behind it, on lines of its own."""
    trailing = getattr(statement, "trailing_whitespace", None)
    behind = [cst.EmptyLine(comment=trailing.comment)] if trailing is not None and trailing.comment else []
    return [*lines_of(statement), *behind]


def preceded(statement: Statement, lines: Sequence[cst.EmptyLine]) -> Statement:
    """The statement with further lines before it."""
    return statement.with_changes(leading_lines=[*lines, *lines_of(statement)])
