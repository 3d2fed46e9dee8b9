"""Which functions a wrapper stands in for: those that its decorator was put on."""

from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.source.facts import FunctionFacts, ModuleFacts


def stood_in_for(modules: Iterable[ModuleFacts], kinds: Kinds, wrapper: FunctionFacts) -> Iterator[FunctionFacts]:
    decorator = _outermost(wrapper)
    if decorator is None or wrapper not in stand_ins(decorator):
        return
    for module in modules:
        for item in module.functions:
            if any(kinds.callee(module.functions[0], place) is decorator for place in item.decorators):
                yield item


def _outermost(function: FunctionFacts) -> FunctionFacts | None:
    """The function of the module, or the method, that it is nested in."""
    outer = function.parent
    while outer is not None and outer.parent is not None and not outer.parent.is_module_body:
        outer = outer.parent
    return None if outer is None or outer.is_module_body else outer
