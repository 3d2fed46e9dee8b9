"""Which function of the program a call runs, and which calls start something concurrent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from racehound.analysis.meaning.applications import is_below_application
from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.names import Names, Read
from racehound.analysis.meaning.tables import entries, table_of
from racehound.analysis.threads.waited import is_waited_for_at_once
from racehound.source.events import MEMBER, OTHER, SELF, Acquire, Action, Bind, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts
from racehound.source.likeness import THREAD_BACKENDS


class Spawn(NamedTuple):
    """Work handed to another thread."""

    target: Value
    arguments: tuple[Value, ...]
    what: str
    many: bool
    """The same work may run several times at once."""
    which: int = 0
    """Its number, where a loop starts several that are listed."""


POOL_THREAD = "a pool thread"
LENT_THREAD = "a worker thread"
"""That a coroutine has a step done in, for which it waits."""
Starters: TypeAlias = dict[FunctionFacts, dict[str, bool]]
"""By function or constructor, the parameters that it runs in a thread; True where several do so at once."""

_THREADS = {"threading.Thread": ("target", 1), "threading.Timer": ("function", 1)}
_STARTERS = frozenset(
    {
        *("_thread.start_new_thread", "asyncio.to_thread", "anyio.to_thread.run_sync", "trio.to_thread.run_sync"),
        *("starlette.concurrency.run_in_threadpool", "fastapi.concurrency.run_in_threadpool"),
    }
)
_POOLS = frozenset({"concurrent.futures.ThreadPoolExecutor", "concurrent.futures.thread.ThreadPoolExecutor"})
_PROCESS_POOLS = frozenset({"concurrent.futures.ProcessPoolExecutor", "multiprocessing.Pool"})
_THREAD_POOLS = frozenset({"multiprocessing.pool.ThreadPool", "multiprocessing.dummy.Pool"})
MAPS = frozenset({"imap", "imap_unordered", "map", "map_async", "starmap"})
"""Methods of pools that give each run of the work an item of its own."""
_POOL_METHODS = MAPS | {"apply_async", "submit"}
_SPAWNING = (
    frozenset(
        {
            *("Thread", "Timer", "start_new_thread", "to_thread", "run_sync", "run_in_executor"),
            *("add_done_callback", "run_in_threadpool", "sync_to_async", "start_soon", "delayed"),
        }
    )
    | _POOL_METHODS
)


_JOBS = frozenset({"joblib.delayed", "joblib.parallel.delayed"})
_LATER = re.compile(
    r"_*(defer|enqueue|schedule|put|append|push|register|subscribe|connect|call_(soon|later|at)|add_|on_|set_)\w*"
    r"|signal|finalize|ref|proxy|WeakMethod"
)
"""Methods that keep the function they are given, and leave it to somebody else to call it."""
_BY_KEY = {
    Action.READ: "__getitem__",
    Action.CHECK: "__contains__",
    Action.WRITE_ITEM: "__setitem__",
    Action.DELETE: "__delitem__",
}
"""What an object with entries is asked by, as a dictionary is."""


class Calls:
    def __init__(self, names: Names, kinds: Kinds) -> None:
        self._names = names
        self.kinds = kinds
        self._starters: Starters = {}
        self._spawning = _SPAWNING

    def learn(self, starters: Starters, names: frozenset[str]) -> None:
        """From now on, calls of these start something, too; `names` are those that they are called by."""
        self._starters = starters
        self._spawning = _SPAWNING | names

    def function(self, caller: FunctionFacts, value: Value) -> FunctionFacts | None:
        """The function that a value is: a method, a nested function, a lambda, a partial of one."""
        if value.shape is Shape.FUNCTION:
            found = self._names.local(caller.module, value.name)
            return found if isinstance(found, FunctionFacts) else None
        if value.shape is Shape.CALL and value.arguments:
            return self.function(caller, value.arguments[0]) if value.name == "partial" else None
        if value.shape is Shape.PLACE and value.place is not None:
            target = self.kinds.callee(caller, value.place)
            return target if isinstance(target, FunctionFacts) else None
        return self._of_fresh(caller, value) if value.name.startswith(MEMBER) else None

    def _of_fresh(self, caller: FunctionFacts, value: Value) -> FunctionFacts | None:
        """The method that is taken off the result of a call: `Worker(queue).run`."""
        kinds = (kind for item in value.arguments for kind in self.kinds.value(caller, item))
        found = (
            self.kinds.hierarchy.method(kind, value.name[1:]) for kind in kinds if isinstance(kind, ClassFacts)
        )
        return next((method for method in found if method is not None), None)

    def target(self, caller: FunctionFacts, call: Call) -> FunctionFacts | None:
        """The function that a call runs; constructors are left out, for they own what they touch."""
        if call.callee is None and is_kept_for_requests(call):
            return next(self._methods(caller, call.receiver or OTHER, call.method), None)
        if call.callee is None:
            return self._inherited(caller, call) if is_inherited(call) else None
        if call.receiver is not None and is_cut_short(call):
            return next(self._methods(caller, call.receiver, call.method), None)
        found = self.kinds.callee(caller, call.callee)
        return found if isinstance(found, FunctionFacts) else None

    def _inherited(self, caller: FunctionFacts, call: Call) -> FunctionFacts | None:
        """The method behind `super().add(...)`."""
        if caller.owner is None or call.method.startswith("__"):
            return None
        bases = self.kinds.hierarchy.linear(caller.owner)[1:]
        return next((base.methods[call.method] for base in bases if call.method in base.methods), None)

    def of_result(self, caller: FunctionFacts, call: Call) -> FunctionFacts | None:
        """The method behind `registry().add(...)`, by what the call before it gives."""
        if call.callee is not None or call.receiver is None or call.receiver.shape is not Shape.CALL:
            return None
        return next(self._methods(caller, call.receiver, call.method), None)

    def of_entry(self, caller: FunctionFacts, call: Call) -> Iterator[FunctionFacts]:
        """What `HANDLERS[name].run()` and `HANDLERS[name]()` may run, by what the table holds."""
        table = table_of(call.receiver) if call.callee is None and call.receiver is not None else None
        if call.receiver is None or table is None:
            return
        yield from self._methods(caller, call.receiver, call.method or "__call__")
        for body, value in () if call.method else entries(self.kinds, caller, table):
            found = self.function(body, value)
            if found is not None:
                yield found

    def _methods(self, caller: FunctionFacts, receiver: Value, name: str) -> Iterator[FunctionFacts]:
        owners = [kind for kind in self.kinds.value(caller, receiver) if isinstance(kind, ClassFacts)]
        found = (self.kinds.hierarchy.method(owner, name) for owner in owners)
        yield from dict.fromkeys(method for method in found if method is not None)

    def properties(self, caller: FunctionFacts, place: Place) -> Iterator[tuple[Place, FunctionFacts]]:
        """Properties of the program that reading a place runs, each with the object it runs on."""
        for depth in range(len(place.attributes)):
            base = Place(place.root, place.attributes[:depth])
            for kind in self.kinds.place(caller, base):
                found = self.kinds.property_of(kind, place.attributes[depth])
                if found is not None:
                    yield base, found

    def operators(self, caller: FunctionFacts, touch: Touch) -> Iterator[tuple[Place, FunctionFacts]]:
        """Methods of the program that `settings[name]` runs, and `name in settings`, each with its object."""
        name = _BY_KEY.get(touch.action) if touch.key is not None and not touch.method else None
        for kind in self.kinds.place(caller, touch.place) if name is not None else ():
            found = self.kinds.hierarchy.method(kind, name) if isinstance(kind, ClassFacts) and name else None
            if found is not None:
                yield touch.place, found

    def entered(self, caller: FunctionFacts, event: Acquire) -> Iterator[tuple[Place | None, FunctionFacts]]:
        """Methods of the program that a `with` block runs, each with its object, unless that is made there."""
        if event.value.shape not in {Shape.PLACE, Shape.CALL}:
            return
        place = event.value.place if event.value.shape is Shape.PLACE else None
        owners = [kind for kind in self.kinds.value(caller, event.value) if isinstance(kind, ClassFacts)]
        for name in ("__aenter__", "__aexit__") if event.is_async else ("__enter__", "__exit__"):
            found = (self.kinds.hierarchy.method(owner, name) for owner in owners)
            yield from ((place, method) for method in found if method is not None)

    def handed_over(self, caller: FunctionFacts, call: Call) -> Iterator[tuple[Value, FunctionFacts]]:
        """Functions passed as arguments: taken to run before the call returns, unless the call spawns."""
        for value in (*call.arguments, *(value for _, value in call.keywords)):
            if value.shape is Shape.FUNCTION or value.shape is Shape.PLACE:
                function = self.function(caller, value)
                if function is not None:
                    yield value, function

    def is_kept(self, caller: FunctionFacts, call: Call) -> bool:
        """True if what the call is given runs later, in a thread that cannot be told from here."""
        if _LATER.fullmatch(call.method) is None:
            return False
        target = self.target(caller, call)
        return target is None or not _calls_what_it_is_given(target)

    def spawn(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        if call.method not in self._spawning and not self._is_imported_as(caller, call):
            return None
        return (
            self._thread(caller, call)
            or self._pooled(caller, call)
            or self._callback(caller, call)
            or self._by_a_task(caller, call)
            or self._by_a_starter(caller, call)
        )

    def _is_imported_as(self, caller: FunctionFacts, call: Call) -> bool:
        """True for `from threading import Thread as Worker`."""
        origin = caller.module.imports.get(call.method) if call.receiver is None else None
        return origin is not None and origin.rpartition(".")[2] in self._spawning

    def heed_misses(self, read: Read | None) -> None:
        """What was looked for in unread files so far does not matter; from here on, it does."""
        self._names.heed(read)

    @contextmanager
    def asking_callers(self) -> Iterator[None]:
        """Parameters without a type are what callers give for them; no file is read for that."""
        with self._names.reading_nothing():
            self.kinds.ask_callers(asks=True)
            yield

    def spawning(self, module: ModuleFacts) -> list[FunctionFacts]:
        """Functions with a call that may hand over work, as far as its name tells."""
        names = self._spawning.union(module.aliases(self._spawning)) & module.callers.keys()
        found = [item for name in names for item in module.callers[name]]
        return sorted(set(found), key=lambda function: function.span)

    def _thread(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        name = self.kinds.callee(caller, call.callee) if call.callee is not None else None
        if not isinstance(name, str):
            return None
        if name in _THREADS:
            if is_waited_for_at_once(caller, call):
                return None
            word, position = _THREADS[name]
            target = _argument(call, word, position)
            given = dict(call.keywords).get("args")
            arguments = given.arguments if given is not None else _bound_before(target)
            return target and Spawn(target, arguments, "a thread", call.loop > 0)
        if name in _STARTERS and call.arguments:
            many = call.loop > 0 or name != "_thread.start_new_thread"
            what = LENT_THREAD if name != "_thread.start_new_thread" else "a thread"
            return Spawn(call.arguments[0], call.arguments[1:], what, many)
        if call.arguments and _is_wrapped_for_threads(caller, call, name):
            return Spawn(call.arguments[0], (), POOL_THREAD, many=True)
        return None

    def _by_a_task(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        """`group.start_soon(to_thread.run_sync, work)`."""
        if call.method != "start_soon" or len(call.arguments) < 2 or call.arguments[0].place is None:
            return None
        if self.kinds.callee(caller, call.arguments[0].place) not in _STARTERS:
            return None
        return Spawn(call.arguments[1], call.arguments[2:], LENT_THREAD, many=True)

    def _by_a_starter(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        """A function or a class of the program that runs what it is given in a thread."""
        found = self.kinds.callee(caller, call.callee) if self._starters and call.callee is not None else None
        start = self.kinds.hierarchy.method(found, "__init__") if isinstance(found, ClassFacts) else found
        run = self._starters.get(start) if isinstance(start, FunctionFacts) else None
        if run is None or not isinstance(start, FunctionFacts):
            return None
        passed = dict(given(start, call))
        for name, many in run.items():
            if name in passed and passed[name].shape is not Shape.CONSTANT:
                return Spawn(passed[name], (), LENT_THREAD if many else "a thread", many or call.loop > 0)
        return None

    def _pooled(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        if call.method == "run_in_executor" and len(call.arguments) > 1:
            return Spawn(call.arguments[1], call.arguments[2:], POOL_THREAD, many=True)
        if call.method not in _POOL_METHODS or call.receiver is None or not call.arguments:
            return None
        kinds = self.kinds.value(caller, call.receiver)
        known = kinds & (_POOLS | _THREAD_POOLS)
        if kinds & _PROCESS_POOLS or (not known and call.method != "submit"):
            return None
        own = self.target(caller, call)
        if own is not None and "submit" not in (event.method for event in own.events if isinstance(event, Call)):
            return Spawn(call.arguments[0], call.arguments[1:], "a worker thread", many=False)
        many = not self._is_single(caller, call.receiver)
        arguments = () if call.method in MAPS else call.arguments[1:]
        return Spawn(call.arguments[0], arguments, POOL_THREAD, many)

    def _is_single(self, caller: FunctionFacts, receiver: Value) -> bool:
        """True for a pool that was made with one worker: it keeps its work in order."""
        values = [receiver] if receiver.shape is Shape.CALL else list(self._made_as(caller, receiver.place))
        return any(_workers(value) == "1" for value in values)

    def _made_as(self, caller: FunctionFacts, place: Place | None) -> Iterator[Value]:
        if place is None:
            return
        if place.root == SELF and caller.owner is not None and len(place.attributes) == 1:
            yield from (value for _, value in self.kinds.field_values(caller.owner, place.attributes[0]))
        scope: FunctionFacts | None = caller
        while scope is not None:
            for event in scope.events:
                if isinstance(event, Bind) and event.name == place.root:
                    yield from event.values
            scope = scope.parent
        yield from caller.module.variables.get(place.root, ())

    def _callback(self, caller: FunctionFacts, call: Call) -> Spawn | None:
        """A callback of a future that a thread pool made runs in the worker, or at once in the caller."""
        if call.method != "add_done_callback" or not call.arguments or call.receiver is None:
            return None
        future = call.receiver
        values = [future] if future.shape is Shape.CALL else self._made_as(caller, future.place)
        if not any(value.shape is Shape.CALL and value.name == "submit" for value in values):
            return None
        return Spawn(call.arguments[0], (), "the thread that completes the future", many=True)


def _is_wrapped_for_threads(caller: FunctionFacts, call: Call, name: str) -> bool:
    """True where it is said that threads are wanted: otherwise these use one, or processes."""
    if name == "asgiref.sync.sync_to_async":
        return any(word == "thread_sensitive" and value.name == "False" for word, value in call.keywords)
    return name in _JOBS and any(words in caller.module.text for words in THREAD_BACKENDS)


def _bound_before(target: Value | None) -> tuple[Value, ...]:
    """What `partial(work, table)` gives to the work."""
    is_partial = target is not None and target.shape is Shape.CALL and target.name == "partial"
    return target.arguments[1:] if is_partial and target is not None else ()


def is_cut_short(call: Call) -> bool:
    """True for `request.app.state.hub.send`, of which the path is kept without its end."""
    callee = call.callee
    return callee is not None and is_below_application(callee) and callee.attributes[-1] != call.method


def is_kept_for_requests(call: Call) -> bool:
    """True for `request.app["hub"].send()`, of which the receiver is known by what the application keeps."""
    place = call.receiver.place if call.receiver is not None and call.receiver.shape is Shape.PLACE else None
    return place is not None and is_below_application(place)


def is_inherited(call: Call) -> bool:
    """True for `super().add(...)`, which runs on the same object."""
    return call.callee is None and call.receiver is not None and call.receiver.place == Place("super")


def _calls_what_it_is_given(function: FunctionFacts) -> bool:
    return any(
        isinstance(event, Call)
        and event.callee is not None
        and event.callee.root in function.parameters
        and not event.callee.attributes
        for event in function.events
    )


def _argument(call: Call, word: str, position: int) -> Value | None:
    named = dict(call.keywords)
    if word in named:
        return named[word]
    return call.arguments[position] if len(call.arguments) > position else None


def _workers(value: Value) -> str | None:
    for word, item in value.keywords:
        if word == "max_workers":
            return item.name
    return value.arguments[0].name if value.arguments else None
