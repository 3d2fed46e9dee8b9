"""Making the lock: in the initializer, in a new one, as a dataclass field, in the class body, in the module."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from racehound.fixes.locking.choice import Choice, Home
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.imports import Import, imported_module
from racehound.fixes.locking.initializer import Signature
from racehound.fixes.locking.rewrite import Located, Statement, as_block, leading_lines

BLANK = cst.EmptyLine(indent=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What the rewriting needs to know of the place where the lock is made."""

    choice: Choice
    factory: Import
    """How this file says `threading.Lock`, `threading.RLock` or `asyncio.Lock`."""
    library: str = "threading"
    class_line: int = 0
    initializer_line: int = 0
    at_end: bool = False
    """In an initializer that lets nobody see the object before it is done, the lock may come last."""
    signature: Signature | None = None
    """Of the initializer to be written."""
    field: Import | None = None
    """How this file says `dataclasses.field`."""
    receiver: str = "self"


class MakeLock(Located):
    def __init__(self, site: Site) -> None:
        super().__init__()
        self._site = site

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        if self.lines(original_node)[0] != self._site.initializer_line:
            return updated_node
        block = as_block(updated_node.body)
        site = self._site
        made = cst.parse_statement(f"{site.receiver}.{site.choice.name} = {site.factory.expression}()")
        body = [statement for statement in block.body if not _is_filler(statement)]
        first = 1 if body and _is_docstring(body[0]) else 0
        body.insert(len(body) if site.at_end else first, made)
        return updated_node.with_changes(body=block.with_changes(body=body))

    def leave_ClassDef(  # noqa: N802
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.ClassDef:
        if self.lines(original_node)[0] != self._site.class_line:
            return updated_node
        block = as_block(updated_node.body)
        if self._site.choice.home is not Home.CLASS_BODY:
            block = block.with_changes(body=[_with_slot(line, self._site.choice.name) for line in block.body])
        return updated_node.with_changes(body=self._furnish(block))

    def _furnish(self, block: cst.IndentedBlock) -> cst.IndentedBlock:
        site = self._site
        match site.choice.home:
            case Home.NEW_INITIALIZER:
                return _insert_initializer(block, site)
            case Home.DATACLASS_FIELD:
                field = site.field.expression if site.field else "field"
                made = site.factory.expression
                options = f"default_factory={made}, init=False, repr=False, compare=False"
                return _insert_attribute(block, f"{site.choice.name}: {made} = {field}({options})")
            case Home.CLASS_BODY:
                return _insert_attribute(block, f"{site.choice.name} = {site.factory.expression}()")
        return block


def _insert_attribute(block: cst.IndentedBlock, text: str) -> cst.IndentedBlock:
    """Behind the last attribute that stands before the first method."""
    body = [statement for statement in block.body if not _is_filler(statement)]
    place = _first_definition(body)
    made: Statement = cst.parse_statement(text)
    if place and _is_docstring(body[place - 1]):
        made = made.with_changes(leading_lines=[BLANK])
    if place < len(body) and not leading_lines(body[place]):
        body[place] = body[place].with_changes(leading_lines=[BLANK])
    return block.with_changes(body=[*body[:place], made, *body[place:]])


def _insert_initializer(block: cst.IndentedBlock, site: Site) -> cst.IndentedBlock:
    body = [statement for statement in block.body if not _is_filler(statement)]
    place = _first_definition(body)
    signature = site.signature or Signature()
    lines = [f"def __init__({signature.parameters}){signature.returns}:"]
    lines.append(f"    self.{site.choice.name} = {site.factory.expression}()")
    if signature.super_arguments is not None:
        lines.append(f"    super().__init__({signature.super_arguments})")
    made: Statement = cst.parse_statement("\n".join(lines) + "\n")
    if place:
        made = made.with_changes(leading_lines=[BLANK])
    if place < len(body) and not leading_lines(body[place]):
        body[place] = body[place].with_changes(leading_lines=[BLANK])
    return block.with_changes(body=[*body[:place], made, *body[place:]])


def _first_definition(body: Sequence[Statement]) -> int:
    """The index of the first method or nested class, or the end."""
    found = (index for index, line in enumerate(body) if isinstance(line, cst.FunctionDef | cst.ClassDef | cst.If))
    return next(found, len(body))


def _is_docstring(statement: Statement) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
            return True
    return False


def _is_filler(statement: Statement) -> bool:
    """A `pass` or `...` that another statement makes needless; one that carries a comment stays."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Pass() | cst.Expr(value=cst.Ellipsis())]):
            return "#" not in cst.Module([]).code_for_node(statement)
    return False


def _with_slot(line: Statement, name: str) -> Statement:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=value) as assign]):
            if isinstance(target.target, cst.Name) and target.target.value == "__slots__":
                return line.with_changes(body=[assign.with_changes(value=_extended(value, name))])
    return line


def _extended(slots: cst.BaseExpression, name: str) -> cst.BaseExpression:
    text = cst.Module([]).code_for_node(slots)
    if not isinstance(ast.parse(text, mode="eval").body, ast.Tuple | ast.List | ast.Constant):
        raise CannotHold("`__slots__` is not written as a literal")
    quote = "'" if "'" in text else '"'
    match slots:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            new = cst.Element(cst.parse_expression(f"{quote}{name}{quote}"))
            return slots.with_changes(elements=_append(list(elements), new))
    return cst.parse_expression(f"({text}, {quote}{name}{quote})")


def _append(elements: list[cst.BaseElement], new: cst.Element) -> list[cst.BaseElement]:
    if not elements:
        return [new.with_changes(comma=cst.Comma())]
    last = elements[-1]
    between = elements[0].comma if len(elements) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    trailing = last.comma if len(elements) > 1 else cst.MaybeSentinel.DEFAULT
    return [*elements[:-1], last.with_changes(comma=between), new.with_changes(comma=trailing)]


def make_module_lock(module: cst.Module, site: Site, global_name: str) -> cst.Module:
    """Behind the statement that first gives the global a value, and behind the import that the lock needs."""
    made = cst.parse_statement(f"{site.choice.name} = {site.factory.expression}()")
    body = list(module.body)
    imports = [index for index, line in enumerate(body) if imported_module(line)]
    needed = [index for index in imports if imported_module(body[index]) == site.library]
    given = [index for index, line in enumerate(body) if _gives_value(line, global_name)][:1]
    place = max(needed + (given or imports)) + 1
    if imported_module(body[place - 1]):
        made = made.with_changes(leading_lines=[BLANK])
    body.insert(place, made)
    return module.with_changes(body=body)


def _gives_value(line: cst.CSTNode, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=found))])]):
            return found == name
        case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(value=found))]):
            return found == name
    return False
