"""Functions and objects that are given to a framework, which calls them later, in threads of its own."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.threads.entries import REQUEST, Entry, imports_any
from racehound.source.events import Action, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_URLS = frozenset({"django.urls.path", "django.urls.re_path", "django.conf.urls.url"})
_JOB = "a scheduler's thread"
_NETWORK = "the client's network thread"
_NAMED = 99
"""A position for what is only given by name."""


class _Registrar(NamedTuple):
    """A call that is given a function or an object, in a module that imports one of the packages."""

    packages: tuple[str, ...]
    position: int
    word: str
    """Its name, where it is given by one; several are parted by `|`."""
    what: str = REQUEST
    many: bool = True
    methods: str = ""
    """Which methods of an object are called, as a pattern; empty where a function is given."""
    imported: tuple[str, ...] = ()
    """The module imports one of these as well: it tells threads from what else the package offers."""
    threaded: bool = False
    """The module has a threaded server, or the call says `threaded=True`."""


_REGISTRARS = {
    "add_url_rule": _Registrar(("flask", "quart"), 2, "view_func"),
    "Route": _Registrar(("starlette",), 1, "endpoint"),
    "add_api_route": _Registrar(("fastapi",), 1, "endpoint"),
    "Depends": _Registrar(("fastapi",), 0, "dependency"),
    "add_task": _Registrar(("fastapi", "starlette"), 0, "func", "a pool thread", imported=("BackgroundTasks",)),
    "add_route": _Registrar(("falcon",), 1, "resource", methods=r"on_\w+"),
    "register_function": _Registrar(("xmlrpc",), 0, "function", threaded=True),
    "register_instance": _Registrar(("xmlrpc",), 0, "instance", threaded=True, methods=r"[a-zA-Z]\w*"),
    "make_server": _Registrar(("wsgiref", "werkzeug"), 2, "app", threaded=True),
    "run_simple": _Registrar(("werkzeug",), 2, "application", threaded=True),
    "add_job": _Registrar(
        ("apscheduler",), 0, "func", _JOB, many=False, imported=("BackgroundScheduler", "BlockingScheduler")
    ),
    "schedule": _Registrar(
        ("watchdog",), 0, "event_handler", "the observer thread", many=False, methods=r"on_\w+|dispatch"
    ),
    "message_callback_add": _Registrar(("paho",), 1, "callback", _NETWORK, many=False),
    **dict.fromkeys(
        ("InputStream", "OutputStream", "Stream", "RawInputStream", "RawOutputStream", "RawStream"),
        _Registrar(("sounddevice",), _NAMED, "callback", "the audio thread", many=False),
    ),
    "open": _Registrar(("pyaudio",), _NAMED, "stream_callback", "the audio thread", many=False),
    "Listener": _Registrar(
        ("pynput",), _NAMED, "on_press|on_release|on_move|on_click|on_scroll", "the listener's thread", many=False
    ),
    "add_hotkey": _Registrar(("keyboard",), 1, "callback", "the listener's thread", many=False),
    "add_event_detect": _Registrar(("RPi",), 2, "callback", "the thread of the pins", many=False),
    "subscribe": _Registrar(("google",), 1, "callback", "a thread of the subscriber"),
}
_HOOKS = frozenset({"on_message", "on_connect", "on_disconnect", "on_publish", "on_subscribe", "on_log"})
"""What a client of MQTT calls from its network thread."""
_EXCEPTHOOK = frozenset({"excepthook"})
_FAILED = "a thread that has failed"


def registered(modules: Iterable[ModuleFacts], calls: Calls) -> Iterator[Entry]:
    for module in modules:
        for name in _REGISTRARS.keys() & module.callers.keys():
            registrar = _REGISTRARS[name]
            if imports_any(module, registrar.packages) and _imports_what_has_threads(module, registrar):
                yield from _given(module, name, registrar, calls)
        if any(origin in _URLS for origin in module.imports.values()):
            yield from _routed(module, calls)
        if "loop_start" in module.callers and imports_any(module, ("paho",)):
            yield from _hooked(
                module, calls, _HOOKS, Entry(module.functions[0], _NETWORK, is_self_shared=False, many=False)
            )
        if imports_any(module, ("threading",)):
            yield from _hooked(
                module, calls, _EXCEPTHOOK, Entry(module.functions[0], _FAILED, is_self_shared=False)
            )


def _imports_what_has_threads(module: ModuleFacts, registrar: _Registrar) -> bool:
    names = {name.rpartition(".")[2] for name in module.imports.values()}
    return not registrar.imported or not names.isdisjoint(registrar.imported)


def _is_threaded(module: ModuleFacts, call: Call) -> bool:
    return "Threading" in module.text or any(
        word == "threaded" and value.name == "True" for word, value in call.keywords
    )


def _given(module: ModuleFacts, name: str, registrar: _Registrar, calls: Calls) -> Iterator[Entry]:
    for function in module.callers[name]:
        for index, event in enumerate(function.events):
            if not isinstance(event, Call) or event.method != name:
                continue
            is_meant = not registrar.threaded or _is_threaded(module, event)
            for value in _arguments(event, registrar) if is_meant else ():
                found = _of_object if registrar.methods else _of_function
                yield from (
                    entry._replace(given=(function, index)) for entry in found(function, value, registrar, calls)
                )


def _arguments(call: Call, registrar: _Registrar) -> list[Value]:
    words = registrar.word.split("|")
    named = [value for word, value in call.keywords if word in words]
    return named or list(call.arguments[registrar.position : registrar.position + 1])


def _of_function(caller: FunctionFacts, value: Value, registrar: _Registrar, calls: Calls) -> Iterator[Entry]:
    found = calls.function(caller, value)
    if found is not None and not found.is_async:
        yield Entry(found, registrar.what, found.is_method, registrar.many)


def _of_object(caller: FunctionFacts, value: Value, registrar: _Registrar, calls: Calls) -> Iterator[Entry]:
    for kind in calls.kinds.value(caller, value):
        for name, method in kind.methods.items() if isinstance(kind, ClassFacts) else ():
            if re.fullmatch(registrar.methods, name) and not method.is_async:
                yield Entry(method, registrar.what, is_self_shared=True, many=registrar.many)


def _routed(module: ModuleFacts, calls: Calls) -> Iterator[Entry]:
    """`path("orders/", views.orders)`; a class-based view is made anew for every request."""
    body = module.functions[0]
    for event in body.events:
        if isinstance(event, Call) and len(event.arguments) > 1 and _is_url(calls, body, event):
            function = calls.function(body, event.arguments[1])
            if function is not None and not function.is_async:
                yield Entry(function, REQUEST, is_self_shared=False)


def _is_url(calls: Calls, body: FunctionFacts, call: Call) -> bool:
    return call.callee is not None and calls.kinds.callee(body, call.callee) in _URLS


def _hooked(module: ModuleFacts, calls: Calls, names: frozenset[str], entry: Entry) -> Iterator[Entry]:
    """`client.on_message = handle`: who has the client calls it, in a thread of its own."""
    for function in module.functions:
        for index, event in enumerate(function.events) if Action.WRITE in function.holds else ():
            if isinstance(event, Touch) and event.action is Action.WRITE and _is_one(event.place, names):
                for value in event.values:
                    found = calls.function(function, value) if value.shape is not Shape.CONSTANT else None
                    if found is not None:
                        yield entry._replace(
                            function=found, is_self_shared=found.is_method, given=(function, index)
                        )


def _is_one(place: Place, names: frozenset[str]) -> bool:
    """`client.on_message`, `threading.excepthook`; what `sys` calls belongs to the main thread."""
    return place.attributes[-1:] != () and place.attributes[-1] in names and place.root != "sys"
