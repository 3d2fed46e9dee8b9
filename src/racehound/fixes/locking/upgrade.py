"""A lock that one thread comes to take twice must be an RLock."""

import libcst as cst

from racehound.fixes.locking.rewrite import Located


class RenameFactory(Located):
    """Has the statement on one line make its lock by another factory, and annotate it so."""

    def __init__(self, line: int, expression: str) -> None:
        super().__init__()
        self._line = line
        self._expression = expression

    def leave_SimpleStatementLine(  # noqa: N802 - the name that LibCST calls
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        if self.lines(original_node)[0] != self._line:
            return updated_node
        return updated_node.with_changes(body=[self._remade(part) for part in updated_node.body])

    def _remade(self, part: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        match part:
            case cst.Assign(value=cst.Call() as call):
                return part.with_changes(value=self._called(call))
            case cst.AnnAssign(value=cst.Call() as call, annotation=annotation):
                named = annotation.with_changes(annotation=cst.parse_expression(self._expression))
                return part.with_changes(value=self._called(call), annotation=named)
        return part

    def _called(self, call: cst.Call) -> cst.Call:
        factory = cst.parse_expression(self._expression)
        if all(argument.keyword is None for argument in call.args):
            return call.with_changes(func=factory)
        return call.with_changes(args=[_with_factory(argument, factory) for argument in call.args])


def _with_factory(argument: cst.Arg, factory: cst.BaseExpression) -> cst.Arg:
    is_factory = argument.keyword is not None and argument.keyword.value == "default_factory"
    return argument.with_changes(value=factory) if is_factory else argument
