"""Functions that run when an object goes, a signal comes or the program ends: nobody calls them where they stand.

A finalizer runs in whichever thread drops the last reference, or makes the object that has the collector start; a
signal handler between two steps of the main thread. Both interrupt what they meet, so no other thread is needed.
An exit handler meets the threads that the interpreter does not wait for.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.testfiles import is_test
from racehound.analysis.threads.activations import Activation, Context, outlives
from racehound.source.events import SELF, Action, Call, Event, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

FINALIZER = "a finalizer, in whichever thread drops the last reference"
WEAK_CALLBACK = "a callback of a weak reference, in whichever thread drops the last strong one"
COLLECTOR = "a callback of the collector, in whichever thread it runs"
SIGNAL = "a signal handler, between two steps of the main thread"
EXIT = "an exit handler, in the main thread, while daemon threads still run"
EARLY_EXIT = "an exit handler, in the main thread, while all threads still run"
INTERRUPTING = frozenset({FINALIZER, WEAK_CALLBACK, COLLECTOR, SIGNAL})
"""Run in the middle of other code, in its own thread."""
NEAR = 2
"""Calls of calls that are followed from there: further on, what lies between decides what is done."""


class _Registrar(NamedTuple):
    position: int
    """Where among the arguments the function stands."""
    what: str
    word: str = ""


_REGISTRARS = {
    "signal.signal": _Registrar(1, SIGNAL, "handler"),
    "weakref.finalize": _Registrar(1, FINALIZER),
    **dict.fromkeys(("weakref.ref", "weakref.proxy", "weakref.WeakMethod"), _Registrar(1, WEAK_CALLBACK)),
    "gc.callbacks.append": _Registrar(0, COLLECTOR),
    "atexit.register": _Registrar(0, EXIT),
    "threading._register_atexit": _Registrar(0, EARLY_EXIT),
}
_PACKAGES = {name: (name.partition(".")[0], name.rpartition(".")[2]) for name in _REGISTRARS}
"""Of each, the package that has it, and the last name, by which it is called."""


class Registered(NamedTuple):
    caller: FunctionFacts
    at: int
    value: Value
    """What is to be called."""
    what: str


def registrations(module: ModuleFacts, calls: Calls) -> Iterator[Registered]:
    """What a module gives to the interpreter, to be called at an end."""
    packages = {name.partition(".")[0] for name in module.imports.values()}
    for origin, (package, name) in _PACKAGES.items():
        if package in packages and name in module.callers:
            for caller in dict.fromkeys(module.callers[name]):
                for at, call in caller.calls_of(name):
                    value = _given(call, _REGISTRARS[origin])
                    found = calls.kinds.callee(caller, call.callee) if value and call.callee else None
                    if value is not None and found == origin:
                        yield Registered(caller, at, value, _REGISTRARS[origin].what)


def _given(call: Call, registrar: _Registrar) -> Value | None:
    if len(call.arguments) > registrar.position:
        return call.arguments[registrar.position]
    return dict(call.keywords).get(registrar.word)


def ends(
    modules: Sequence[ModuleFacts], calls: Calls, hierarchy: Hierarchy
) -> Iterator[tuple[FunctionFacts, Activation]]:
    """Each function that runs at an end, with what others have of what it works on."""
    for module in modules:
        for found in registrations(module, calls):
            function = calls.function(found.caller, found.value)
            if function is not None and not function.is_async:
                shared = {SELF} if _is_shared(found.caller, function, found.value.place) else set[str]()
                yield function, _activation(function, found.what, shared)
        for function in _decorated(module, calls):
            yield function, _activation(function, EXIT, set())
    for item in hierarchy.classes:
        method = item.methods.get("__del__")
        if method is not None:
            yield method, _activation(method, FINALIZER, set(_given_to(item)))


def _activation(function: FunctionFacts, what: str, shared: set[str]) -> Activation:
    context = Context(what, function.module.path, function.span.line, many=False, in_test=is_test(function.module))
    return Activation(context, frozenset(shared))


def _is_shared(caller: FunctionFacts, function: FunctionFacts, place: Place | None) -> bool:
    return not function.is_method or (place is not None and outlives(caller, place, 0))


def _decorated(module: ModuleFacts, calls: Calls) -> Iterator[FunctionFacts]:
    """What `@atexit.register` stands before."""
    if any(name.partition(".")[0] == "atexit" for name in module.imports.values()):
        for function in module.functions:
            for place in function.decorators if function.parent is not None else ():
                if calls.kinds.callee(module.functions[0], place) == "atexit.register":
                    yield function


def before_waiting(function: FunctionFacts, context: Context, calls: Calls) -> Sequence[Event] | None:
    """What an exit handler does before it waits for threads, itself or by what it calls; None if it never does."""
    for index, event in enumerate(function.events) if context.what in {EXIT, EARLY_EXIT} else ():
        if isinstance(event, Call):
            target = calls.target(function, event)
            if event.method in _WAITING or (target is not None and any(map(target.calls_of, _WAITING))):
                return function.events[:index]
    return None


_WAITING = ("join", "shutdown", "wait", "cancel", "terminate")


def _given_to(item: ClassFacts) -> Iterator[str]:
    """Fields for objects that the constructor is given: others have them, too, when the one that goes is gone."""
    made = item.methods.get("__init__")
    for event in made.events if made is not None and Action.WRITE in made.holds else ():
        if isinstance(event, Touch) and event.action is Action.WRITE and len(event.place.attributes) == 1:
            places = [value.place for value in event.values if value.shape is Shape.PLACE]
            if any(place is not None and place.root in _parameters(made) for place in places):
                yield f"{SELF}.{event.place.attributes[0]}"


def _parameters(made: FunctionFacts | None) -> tuple[str, ...]:
    return () if made is None else tuple(made.parameters[1:])
