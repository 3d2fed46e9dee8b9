"""Takes the census of files, or of a text: program by program, so that no two are in memory at once."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from racehound.analysis.program import Program
from racehound.pipeline.analysing import dismantle, undisturbed
from racehound.pipeline.census import Census, Sight
from racehound.pipeline.census_keys import count_keys
from racehound.pipeline.census_makings import count_makings
from racehound.pipeline.census_state import count_state
from racehound.pipeline.reading import facts_of, read
from racehound.source.discover import Selection, discover
from racehound.source.events import CHANGES, Call, Place, Shape, Touch
from racehound.source.facts import FunctionFacts, ModuleFacts
from racehound.source.module import SourceModule

_SPAWNING = frozenset(
    {"Thread", "Timer", "submit", "run_in_executor", "to_thread", "start_new_thread", "ThreadPool", "Process"}
)
_TASKS = frozenset({"task", "group", "gather"})
_LOCKS = frozenset({"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"})
_PRIMITIVES = _LOCKS | {"Event", "Queue", "LifoQueue", "PriorityQueue", "Future"}
_FOR_THREADS = frozenset({"threading", "_thread", "queue", "asyncio", "multiprocessing", "contextvars", "logging"})
"""Modules whose objects keep a value per thread, or take care of threads themselves."""


def census_of(paths: Sequence[str], selection: Selection | None, text: bytes | None) -> Census:
    """Of the files below `paths`, or of a text that is in no file; what cannot be read has no say."""
    census = Census()
    with undisturbed():
        for program in _programs(paths, selection, text):
            _count(census, program)
            program.gaps.clear()  # they know the program
    census.put_in_order()
    if not census.is_concurrent:
        census.shared.clear()
    return census


def _programs(paths: Sequence[str], selection: Selection | None, text: bytes | None) -> Iterator[Program]:
    if text is not None:
        yield from _alone(SourceModule.from_bytes(text, paths[0]))
        return
    reading = read(discover(paths, selection))
    for part in list(reading.leads.islands(reading.modules, reading.names)):
        yield Program.surveyed(reading.leads.survey_of(part, reading.names))
        dismantle(part)
    for path in reading.unread:
        yield from _alone(SourceModule.from_path(Path(path)))


def _alone(source: object) -> Iterator[Program]:
    facts = facts_of(source) if isinstance(source, SourceModule) else None
    if isinstance(facts, ModuleFacts):
        yield Program.from_facts([facts])
        dismantle([facts])


def _count(census: Census, program: Program) -> None:
    for module in program.modules:
        for item in module.classes:
            if any((base.attributes or (base.root,))[-1] == "Thread" for base in item.bases):
                census.threads.append(Sight(module.path, item.span.line))
            for value in (value for values in item.attributes.values() for value in values):
                if value.shape is Shape.CALL and value.place is not None:
                    place = Sight(module.path, item.span.line)
                    _count_made(census, module, value.place, place, is_early=True)
        for function in module.functions:
            if function.is_async:
                census.coroutines.append(Sight(module.path, function.span.line))
            _count_events(census, program, function)
            count_keys(census, function)
    count_state(census, program)
    count_makings(census, program)


def _count_events(census: Census, program: Program, function: FunctionFacts) -> None:
    for event in function.events:
        if isinstance(event, Call):
            _count_call(census, program, function, event)
        elif isinstance(event, Touch) and event.action in CHANGES:
            _count_global(census, function, event)


def _count_call(census: Census, program: Program, function: FunctionFacts, call: Call) -> None:
    place = Sight(function.module.path, call.span.line)
    if call.method in _SPAWNING:
        census.threads.append(place)
    elif program.coroutines.kind_of_start(function, call) in _TASKS or call.method == "run_coroutine_threadsafe":
        census.tasks.append(place)
    if call.callee is not None:
        _count_made(census, function.module, call.callee, place, is_early=function.is_module_body)


def _count_global(census: Census, function: FunctionFacts, touch: Touch) -> None:
    module, root = function.module, touch.place.root
    if root not in module.variables or function.is_module_body or root in function.bound:
        return
    is_bound_anew = not touch.place.attributes and not touch.method
    if is_bound_anew or not _is_made_for_threads(module, root):
        census.globals.append(Sight(module.path, touch.span.line, root))


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


def _count_made(census: Census, module: ModuleFacts, maker: Place, place: Sight, *, is_early: bool) -> None:
    name = (maker.attributes or (maker.root,))[-1]
    origin = module.imports.get(maker.root, maker.root)
    if origin.partition(".")[0] in {"asyncio", "anyio", "trio"} and name in _PRIMITIVES:
        census.primitives.append(place)
        if is_early:
            census.early_primitives.append(place)
    if name in _LOCKS:
        census.locks.append(place)
