"""What there is in the code to ask about: threads, coroutines, locks, tasks, collections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from racehound.pipeline.reading import facts_of
from racehound.source.discover import Selection, discover
from racehound.source.events import (
    CHANGES,
    SELF,
    Acquire,
    Action,
    Call,
    Event,
    Place,
    Release,
    Shape,
    Touch,
    Value,
)
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
    locked_state: list[str] = field(default_factory=list)
    """Attributes that are changed with a lock held, with their names."""
    loops: list[str] = field(default_factory=list)
    """Iterations over what is not local."""
    gets: list[str] = field(default_factory=list)

    @property
    def shared_state(self) -> list[str]:
        """What several tasks use, as far as the code says so by itself."""
        state = (*self.awaited_state, *self.locked_state, *self.globals)
        return list(dict.fromkeys(state)) if self.is_concurrent else []

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
            _count_locked(census, function)
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
        if event.callee is not None:
            _count_made(census, function.module, event.callee, event.span.line)
    elif isinstance(event, Touch):
        _count_touch(census, function, event)


def _count_locked(census: Census, function: FunctionFacts) -> None:
    held: list[Value] = []
    for event in function.events if function.owner is not None else ():
        if isinstance(event, Acquire) and event.value.shape is Shape.PLACE:
            held.append(event.value)
        elif isinstance(event, Release) and event.value in held:
            held.remove(event.value)
        elif isinstance(event, Touch) and held and event.action in CHANGES and event.place.root == SELF:
            _note(census.locked_state, f"`{event.place}`", f"{function.module.path}:{event.span.line}")


def _count_touch(census: Census, function: FunctionFacts, touch: Touch) -> None:
    module = function.module
    place = f"{module.path}:{touch.span.line}"
    if touch.method == "get":
        census.gets.append(place)
    if touch.action is Action.ITERATE:
        census.loops.append(place)
    if touch.action not in CHANGES:
        return
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
        if value.shape is Shape.CALL and value.place is not None:
            _count_made(census, module, value.place, line)


def _count_made(census: Census, module: ModuleFacts, maker: Place, line: int) -> None:
    name = (maker.attributes or (maker.root,))[-1]
    origin = module.imports.get(maker.root, maker.root)
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
