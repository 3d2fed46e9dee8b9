"""Ways to let go of an outcome besides a dropped `submit`: lazy results, futures of a loop, ended tasks."""

from collections.abc import Iterator

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.awaiting.unasked import Unasked
from racehound.analysis.meaning.stood_in import stood_in_for
from racehound.analysis.program import Program
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step
from racehound.source.events import EACH, Bind, Call, Flow, Pause, Place, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_EXECUTORS = frozenset(
    f"concurrent.futures.{name}"
    for name in (
        *("Executor", "ThreadPoolExecutor", "ProcessPoolExecutor"),
        *("thread.ThreadPoolExecutor", "process.ProcessPoolExecutor"),
    )
)
_POOLS = frozenset({"multiprocessing.Pool", "multiprocessing.pool.Pool", "multiprocessing.pool.ThreadPool"})
LAZY = {
    "map": _EXECUTORS,
    **dict.fromkeys(("imap", "imap_unordered", "apply_async", "map_async", "starmap_async"), _POOLS),
    "run_in_executor": frozenset[str](),
}
"""Methods that give back something to ask later, by the pools that they belong to; any loop has the last."""
HANDING_OVER = frozenset({"submit", "run_coroutine_threadsafe", *LAZY})
_ASKING = frozenset({"result", "exception", "add_done_callback", "as_completed"})


def work_of_pool(program: Program, function: FunctionFacts, call: Call) -> FunctionFacts | None:
    """What a pool runs whose answer comes in something that somebody has to ask."""
    at = 1 if call.method == "run_in_executor" else 0
    if len(call.arguments) <= at or call.receiver is None or "error_callback" in dict(call.keywords):
        return None
    pools = LAZY[call.method]
    if pools and not program.kinds.value(function, call.receiver) & pools:
        return None
    work = call.arguments[at]
    return program.calls.function(function, work) or decorated_work(program, function, work)


def decorated_work(program: Program, function: FunctionFacts, work: Value) -> FunctionFacts | None:
    """The function that a wrapper hands over in place of itself: the one that was decorated."""
    outer = function.parent
    name = work.place.root if work.place is not None and not work.place.attributes else None
    if outer is None or name not in outer.parameters:
        return None
    return next(stood_in_for(program.modules, program.kinds, function), None)


def waits_for_futures(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True for `wait(futures)` of a pool, after which nobody asks the futures how they ended."""
    if not function.calls_of("submit") or any(function.calls_of(name) for name in _ASKING):
        return False
    return call.callee is not None and program.kinds.callee(function, call.callee) == "concurrent.futures.wait"


def collected_work(program: Program, function: FunctionFacts) -> Iterator[tuple[FunctionFacts, int, Call]]:
    """What the function starts as a task, or gives to a pool, with the call that gives back the outcome."""
    for start in program.coroutines.starts(function):
        for index in range(start.at + 1, len(function.events)):
            call = function.events[index]
            if not isinstance(call, Call) or not is_inside(start.call.span, call.span):
                break
            if program.coroutines.kind_of_start(function, call) == "task":
                yield start.target, index, call
                break
    for index, call in function.calls_of("submit"):
        spawn = program.calls.spawn(function, call)
        target = program.calls.function(function, spawn.target) if spawn is not None else None
        if target is not None and program.calls.target(function, call) is None:
            yield target, index, call


def unasked(program: Program, task: Unasked) -> Incident:
    """The start of a task, and the call that ends it without a question."""
    name = str(task.call.callee) if task.call.callee is not None else task.call.method
    context = program.tasks.describe(task.function)
    starts = Step(function=task.function, span=task.call.span, action="starts", target=name, context=context)
    ends = Step(
        function=task.ender,
        span=task.cancel.span,
        action="ends without a question",
        target=str(task.place),
        context=program.tasks.describe(task.ender),
    )
    exposed = _is_exposed(program, task.target)
    return Incident(
        first=starts,
        second=ends,
        trigger=(
            f"`{task.target.name}` raises; `{task.place}` holds the task, so that not even the collector "
            f"tells of it, and `{task.ender.name}` does nothing but cancel what is over already."
        ),
        confidence=TaskDoubt.MAY_FAIL.likely if exposed else TaskDoubt.SELDOM_FAILS.possible,
        fields=((task.place.attributes or (task.place.root,))[0],),
    )


_PATIENT = frozenset({"sleep", "wait", "get", "join", "acquire"})
"""What only waits for the program itself, and does not fail."""


def _is_exposed(program: Program, target: FunctionFacts) -> bool:
    """True if it waits, in its loop, for something that may fail, and no handler stands ready for that."""
    for index, event in enumerate(target.events):
        if _is_fed_from_outside(program, target, index) and not _is_caught(target, index):
            return True
        call = target.events[index - 1] if isinstance(event, Pause) and not event.yields and index else None
        if not isinstance(call, Call) or not call.loop or call.method in _PATIENT or _is_in_handler(target, index):
            continue
        inner = program.calls.target(target, call)
        if not _is_caught(target, index - 1) and not (inner is not None and inner.attempts):
            return True
    return False


def is_fed(target: FunctionFacts) -> bool:
    """True for a coroutine that goes over what comes in, `async for`: the source may fail at any time."""
    return any(_source(target, index) is not None for index in range(len(target.events)))


def _is_fed_from_outside(program: Program, target: FunctionFacts, index: int) -> bool:
    """True for `async for message in self._socket`, where that is nothing of the program."""
    source = _source(target, index)
    kinds = program.kinds.place(target, source) if source is not None else ()
    return source is not None and not any(isinstance(kind, ClassFacts) for kind in kinds)


def _source(target: FunctionFacts, index: int) -> Place | None:
    """What an `async for` goes over that waits there."""
    match target.events[max(index - 1, 0) : index + 2]:
        case [Flow.LOOP, Pause(yields=False), Bind(values=(each,))] if each.name == EACH and each.arguments:
            return each.arguments[0].place
    return None


def _is_in_handler(target: FunctionFacts, index: int) -> bool:
    """True for what is done about an error that has come: it tells of it."""
    handlers = (caught.events for item in target.attempts for caught in item.handlers)
    return any(begin <= index < end for begin, end in handlers)


def _is_caught(target: FunctionFacts, index: int) -> bool:
    around = (item for item in target.attempts if item.begin <= index < item.end)
    return any(set(caught.names) != {"CancelledError"} for item in around for caught in item.handlers)


def unread_outcomes(function: FunctionFacts) -> Iterator[int]:
    """Awaits of a `gather` whose outcome gets a name that nobody reads; `_` says that it is not wanted."""
    if "gather" not in function.module.callers:
        return
    for at, _ in function.calls_of("gather"):
        match function.events[at + 1 : at + 3]:
            case [Pause(yields=False), Bind(name=name)] if not name.startswith("_") and name in function.bound:
                inner = (item for item in function.module.functions if item.parent is function)
                if not function.loads.get(name) and not any(item.loads.get(name) for item in inner):
                    yield at + 1
