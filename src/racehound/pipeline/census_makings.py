"""Things made late: the one object of a class, variables of classes, what is made when it is first asked for."""

from collections.abc import Iterator

from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_none
from racehound.analysis.state.singletons import is_on_class, makes_itself
from racehound.pipeline.census import Census, Making, Sight
from racehound.source.events import SELF, Action, Decision, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


def count_makings(census: Census, program: Program) -> None:
    for module in program.modules:
        for item in module.classes:
            census.class_variables += _variables(module, item)
        for function in module.functions[1:]:
            for use in _stores(program, function):
                _count_store(census, program, use)


def _variables(module: ModuleFacts, item: ClassFacts) -> Iterator[Sight]:
    for name, values in item.attributes.items():
        if any(value.shape is not Shape.ANNOTATION for value in values):
            yield Sight(module.path, item.span.line, f"{item.name}.{name}")


def _stores(program: Program, function: FunctionFacts) -> Iterator[Use]:
    """What it stores that is more than a constant, in what outlives it."""
    for index, touch in enumerate(function.events):
        if isinstance(touch, Touch) and _is_store(touch):
            yield Use(function, index, touch, program.locksets.at(function, index), changes=True)


def _is_store(touch: Touch) -> bool:
    return touch.action is Action.WRITE and any(value.shape is not Shape.CONSTANT for value in touch.values)


def _count_store(census: Census, program: Program, use: Use) -> None:
    function, place = use.function, use.touch.place
    at = Sight(function.module.path, use.touch.span.line, str(place))
    making = Making(at, bool(use.locks))
    owner = _class_of(program, use)
    if owner is not None:
        census.late_class_variables.append(making)
        if makes_itself(owner, use):
            census.singletons.append(making)
    if function.name != "__init__" and _is_empty_at_first(program, use) and _is_looked_at(use):
        census.lazy.append(making)


def _class_of(program: Program, use: Use) -> ClassFacts | None:
    """The class whose own variable is stored."""
    root, attributes = use.touch.place
    owner = use.function.owner if root == SELF else use.function.module.definitions.get(root)
    if not isinstance(owner, ClassFacts) or len(attributes) != 1:
        return None
    return owner if is_on_class(program, owner, use.function, root) else None


def _is_empty_at_first(program: Program, use: Use) -> bool:
    root, attributes = use.touch.place
    function = use.function
    if root == SELF and function.owner is not None and len(attributes) == 1:
        return NONE in program.kinds.field(function.owner, attributes[0])
    owner = function.module.definitions.get(root)
    if isinstance(owner, ClassFacts) and len(attributes) == 1:
        return any(map(is_none, owner.attributes.get(attributes[0], ())))
    is_global = root in function.shared_names and not attributes
    return is_global and any(map(is_none, function.module.variables.get(root, ())))


def _is_looked_at(use: Use) -> bool:
    """True if a decision before it hangs on what is there already."""
    events = use.function.events
    looks = (source for event in events[: use.index] if isinstance(event, Decision) for source in event.sources)
    return any(getattr(events[source], "place", None) == use.touch.place for source in looks)
