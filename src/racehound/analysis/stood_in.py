"""Which functions a wrapper stands in for: those that its decorator was put on."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.wrappers import stand_ins
from racehound.source.facts import FunctionFacts


def stood_in_for(program: Program, wrapper: FunctionFacts) -> Iterator[FunctionFacts]:
    decorator = _outermost(wrapper)
    if decorator is None or wrapper not in stand_ins(decorator):
        return
    for module in program.modules:
        for item in module.functions:
            if item.decorators and any(
                program.kinds.callee(module.functions[0], place) is decorator for place in item.decorators
            ):
                yield item


def _outermost(function: FunctionFacts) -> FunctionFacts | None:
    """The function of the module, or the method, that it is nested in."""
    outer = function.parent
    while outer is not None and outer.parent is not None and not outer.parent.is_module_body:
        outer = outer.parent
    return None if outer is None or outer.is_module_body else outer
