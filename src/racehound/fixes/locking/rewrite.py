"""The rewriting itself, on the concrete syntax tree: all that is not changed keeps its formatting and comments."""

from collections.abc import Sequence

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from racehound.fixes.locking.regions import Region

Statement = cst.BaseStatement


class Located(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        place = self.get_metadata(PositionProvider, node)
        assert isinstance(place, CodeRange)  # noqa: S101 - what the provider gives for every node
        return place.start.line, place.end.line


class WrapRegions(Located):
    """Puts each region into a `with` statement of its own."""

    def __init__(self, regions: Sequence[Region]) -> None:
        super().__init__()
        self._starts = {region.start: region for region in regions}
        self._functions = {region.function_line: region for region in regions}

    def leave_IndentedBlock(  # noqa: N802 - the name that LibCST calls
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.BaseSuite:
        places = [self.lines(child) for child in original_node.body]
        for index, (start, _) in enumerate(places):
            region = self._starts.get(start)
            if region is not None and region.start != region.function_line:
                count = sum(region.start <= first and last <= region.end for first, last in places)
                return _wrap_statements(updated_node, index, index + count, region)
        return updated_node

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        region = self._functions.get(self.lines(original_node)[0])
        if region is None or not isinstance(updated_node.body, cst.SimpleStatementSuite):
            return updated_node
        block = as_block(updated_node.body)
        return updated_node.with_changes(body=_wrap_statements(block, 0, 1, region))


class DropWiths(Located):
    """Takes the lock out of `with` statements that stand where it is held anyway."""

    def __init__(self, lines: frozenset[int], names: frozenset[str]) -> None:
        """`names` are all those by which the lock goes."""
        super().__init__()
        self._lines = lines
        self._names = names

    def leave_With(  # noqa: N802
        self, original_node: cst.With, updated_node: cst.With
    ) -> cst.With | cst.FlattenSentinel[Statement]:
        if self.lines(original_node)[0] not in self._lines:
            return updated_node
        kept = [item for item in updated_node.items if not _is_lock(item.item, self._names)]
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return updated_node.with_changes(items=kept)
        block = as_block(updated_node.body)
        first, *rest = block.body
        comment = [block.header] if block.header.comment else []
        lines = [*updated_node.leading_lines, *map(_own_line, comment), *leading_lines(first)]
        last = [*rest] or []
        return cst.FlattenSentinel([first.with_changes(leading_lines=lines), *last])


def _own_line(line: cst.TrailingWhitespace) -> cst.EmptyLine:
    return cst.EmptyLine(comment=line.comment)


def _is_lock(node: cst.BaseExpression, names: frozenset[str]) -> bool:
    match node:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name in names
    return False


def rewrite(source: str, transformer: cst.CSTTransformer) -> str:
    return MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True).visit(transformer).code


def as_block(suite: cst.BaseSuite) -> cst.IndentedBlock:
    """The same statements on lines of their own."""
    if isinstance(suite, cst.IndentedBlock):
        return suite
    assert isinstance(suite, cst.SimpleStatementSuite)  # noqa: S101 - the only other suite
    line = cst.SimpleStatementLine(body=suite.body, trailing_whitespace=suite.trailing_whitespace)
    return cst.IndentedBlock(body=[line])


def leading_lines(statement: Statement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def _wrap_statements(block: cst.IndentedBlock, start: int, end: int, region: Region) -> cst.IndentedBlock:
    first, *rest = block.body[start:end]
    blank, kept = _split_blank(leading_lines(first))
    inner = cst.IndentedBlock(body=[first.with_changes(leading_lines=kept), *rest], indent=block.indent)
    is_last = end >= len(block.body)
    if is_last:
        inner = inner.with_changes(footer=block.footer)
    wrapped = cst.With(
        items=[cst.WithItem(cst.parse_expression(region.expression))],
        body=inner,
        asynchronous=cst.Asynchronous() if region.is_async else None,
        leading_lines=blank,
    )
    body = [*block.body[:start], wrapped, *block.body[end:]]
    return block.with_changes(body=body, footer=() if is_last else block.footer)


def _split_blank(lines: Sequence[cst.EmptyLine]) -> tuple[list[cst.EmptyLine], list[cst.EmptyLine]]:
    """Blank lines stay before the `with`; from the first comment on, the lines belong to the statement."""
    blanks = next((index for index, line in enumerate(lines) if line.comment), len(lines))
    return list(lines[:blanks]), list(lines[blanks:])
