"""What there is in the code to ask about: threads, coroutines, locks, tasks, collections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from racehound.pipeline.reading import facts_of
from racehound.source.discover import Selection, discover
from racehound.source.events import CHANGES, SELF, Action, Call, Event, Shape, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts
from racehound.source.module import SourceModule

_SPAWNING = frozenset(
    {"Thread", "Timer", "submit", "run_in_executor", "to_thread", "start_new_thread", "ThreadPool", "Process"}
)
_TASKS = frozenset({"create_task", "ensure_future", "start_soon", "run_coroutine_threadsafe"})
_LOCKS = frozenset({"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"})
_PRIMITIVES = _LOCKS | {"Event", "Queue", "LifoQueue", "PriorityQueue", "Future"}
_FOR_THREADS = frozenset({"threading", "_thread", "queue", "asyncio", "multiprocessing", "contextvars", "logging"})
"""Modules whose objects keep a value per thread, or take care of threads themselves."""


@dataclass(slots=True)
class Census:
    """Places, as `path:line`, in the order of the files."""

    coroutines: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    locks: list[str] = field(default_factory=list)
    primitives: list[str] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    """Variables of modules that functions change, with their names."""
    awaited_state: list[str] = field(default_factory=list)
    """Attributes that coroutines change, with their names."""
    loops: list[str] = field(default_factory=list)
    """Iterations over what is not local."""
    gets: list[str] = field(default_factory=list)

    @property
    def is_concurrent(self) -> bool:
        return bool(self.coroutines or self.threads or self.tasks or self.locks)


def take_census(modules: Iterable[ModuleFacts]) -> Census:
    census = Census()
    for module in modules:
        for item in module.classes:
            if any((base.attributes or (base.root,))[-1] == "Thread" for base in item.bases):
                census.threads.append(f"{module.path}:{item.span.line}")
            for values in item.attributes.values():
                _count_values(census, module, values, item.span.line)
        for values in module.variables.values():
            _count_values(census, module, values, 1)
        for function in module.functions:
            if function.is_async:
                census.coroutines.append(f"{module.path}:{function.span.line}")
            for event in function.events:
                _count_event(census, function, event)
    return census


def _count_event(census: Census, function: FunctionFacts, event: Event) -> None:
    if isinstance(event, Call):
        place = f"{function.module.path}:{event.span.line}"
        if event.method in _SPAWNING:
            census.threads.append(place)
        elif event.method in _TASKS:
            census.tasks.append(place)
        elif event.method == "get":
            census.gets.append(place)
    elif isinstance(event, Touch):
        _count_touch(census, function, event)


def _count_touch(census: Census, function: FunctionFacts, touch: Touch) -> None:
    module = function.module
    place = f"{module.path}:{touch.span.line}"
    if touch.method == "get":
        census.gets.append(place)
    if touch.action is Action.ITERATE:
        census.loops.append(place)
    if touch.action not in CHANGES:
        return
    _count_values(census, module, touch.values, touch.span.line)
    root = touch.place.root
    if root == SELF and function.is_async:
        _note(census.awaited_state, f"`{touch.place}`", place)
    elif root in module.variables and not function.is_module_body and root not in function.bound:
        is_bound_anew = not touch.place.attributes and not touch.method
        if is_bound_anew or not _is_made_for_threads(module, root):
            _note(census.globals, f"`{root}`", place)


def _is_made_for_threads(module: ModuleFacts, variable: str) -> bool:
    """True for a `threading.local()`, a queue, an event: what several threads do to it does not meet."""
    made = [value.place for value in module.variables[variable] if value.shape is Shape.CALL and value.place]
    if not made or len(made) < len(module.variables[variable]):
        return False
    return all(_home(module, place.root) in _FOR_THREADS for place in made)


def _home(module: ModuleFacts, name: str) -> str:
    """The package that a name comes from; for a class of the module, that of its first base."""
    own = next((item for item in module.classes if item.name == name and item.bases), None)
    origin = name if own is None else own.bases[0].root
    return module.imports.get(origin, origin).partition(".")[0]


def _note(places: list[str], name: str, place: str) -> None:
    """Once per name."""
    if not any(known.startswith(f"{name} ") for known in places):
        places.append(f"{name} ({place})")


def _count_values(census: Census, module: ModuleFacts, values: Iterable[Value], line: int) -> None:
    for value in values:
        if value.shape is not Shape.CALL or value.place is None:
            continue
        name = (value.place.attributes or (value.place.root,))[-1]
        origin = module.imports.get(value.place.root, value.place.root)
        if origin.partition(".")[0] in {"asyncio", "anyio", "trio"} and name in _PRIMITIVES:
            census.primitives.append(f"{module.path}:{line}")
        if name in _LOCKS:
            census.locks.append(f"{module.path}:{line}")


def census_of(paths: Sequence[str], selection: Selection | None, text: bytes | None) -> Census:
    """Of the files below `paths`, or of a text that is in no file; what cannot be read has no say."""
    if text is not None:
        modules = iter([SourceModule.from_bytes(text, paths[0])])
    else:
        modules = map(SourceModule.from_path, discover(paths, selection))
    return take_census(
        facts
        for module in modules
        if isinstance(module, SourceModule) and isinstance(facts := facts_of(module), ModuleFacts)
    )
