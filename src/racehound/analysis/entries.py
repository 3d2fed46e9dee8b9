"""Functions that a framework or a server calls, several at once: the places where nobody writes `Thread`."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.calls import Calls
from racehound.analysis.hierarchy import Hierarchy
from racehound.source.events import Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_FRAMEWORKS = frozenset({"flask", "bottle", "fastapi", "quart", "flask_restx", "sanic", "falcon", "pyramid"})
_APPLICATIONS = frozenset(
    {
        *("flask.Flask", "flask.Blueprint", "bottle.Bottle", "fastapi.FastAPI", "fastapi.APIRouter"),
        *("fastapi.routing.APIRouter", "fastapi.applications.FastAPI"),
    }
)
_VERBS = frozenset({"route", "get", "post", "put", "patch", "delete", "websocket"})
_HOOKS = frozenset({"before_request", "after_request", "teardown_request", "context_processor", "errorhandler"})
_URLS = frozenset({"django.urls.path", "django.urls.re_path", "django.conf.urls.url"})
_HANDLERS = frozenset(
    {
        *("socketserver.BaseRequestHandler", "socketserver.StreamRequestHandler"),
        *("http.server.BaseHTTPRequestHandler", "http.server.SimpleHTTPRequestHandler"),
    }
)
_THREADED = frozenset(
    {
        *("socketserver.ThreadingMixIn", "socketserver.ThreadingTCPServer", "socketserver.ThreadingUDPServer"),
        *("http.server.ThreadingHTTPServer",),
    }
)
_SERVER_METHODS = frozenset({"process_request_thread", "finish_request", "handle_error", "shutdown_request"})


class Entry(NamedTuple):
    function: FunctionFacts
    what: str
    is_self_shared: bool
    """The object that it runs on is the same in all threads."""


def handlers(modules: Iterable[ModuleFacts], hierarchy: Hierarchy) -> Iterator[Entry]:
    """Methods that a server calls, each in a thread of its own."""
    if any(_knows_threaded_servers(module) for module in modules):
        for item in hierarchy.classes:
            yield from _handlers(item, hierarchy)


def views(modules: Iterable[ModuleFacts], calls: Calls) -> Iterator[Entry]:
    """Functions that a web framework calls."""
    for module in modules:
        if any(name.partition(".")[0] in _FRAMEWORKS for name in module.imports.values()):
            yield from _views(module, calls)
        if any(name in _URLS for name in module.imports.values()):
            yield from _routed(module, calls)


def _views(module: ModuleFacts, calls: Calls) -> Iterator[Entry]:
    for function in module.functions:
        if not function.is_async and any(_is_route(module, calls, place) for place in function.decorators):
            yield Entry(function, "a request thread", is_self_shared=False)


def _is_route(module: ModuleFacts, calls: Calls, place: Place) -> bool:
    """`@app.route` and `@app.get`, where `app` is an application or comes from another module."""
    if len(place.attributes) != 1 or place.attributes[0] not in _VERBS | _HOOKS:
        return False
    kinds = calls.kinds.place(module.functions[0], Place(place.root))
    return bool(kinds & _APPLICATIONS) or (not kinds and place.root in module.imports)


def _routed(module: ModuleFacts, calls: Calls) -> Iterator[Entry]:
    """`path("orders/", views.orders)`; a class-based view is made anew for every request."""
    body = module.functions[0]
    for event in body.events:
        if isinstance(event, Call) and len(event.arguments) > 1 and _is_url(calls, body, event):
            function = calls.function(body, event.arguments[1])
            if function is not None and not function.is_async:
                yield Entry(function, "a request thread", is_self_shared=False)


def _is_url(calls: Calls, body: FunctionFacts, call: Call) -> bool:
    return call.callee is not None and calls.kinds.callee(body, call.callee) in _URLS


def _knows_threaded_servers(module: ModuleFacts) -> bool:
    origins = module.imports.values()
    if not _THREADED.isdisjoint(origins):
        return True
    return not _SERVERS.isdisjoint(origins) and "Threading" in module.text


_SERVERS = frozenset({"socketserver", "http.server", "http"})


def _handlers(item: ClassFacts, hierarchy: Hierarchy) -> Iterator[Entry]:
    if not any(name in _SERVER_METHODS or name.startswith(("do_", "handle")) for name in item.methods):
        return
    outside = hierarchy.outside_bases(item)
    for name, method in item.methods.items():
        if outside & _HANDLERS and (name == "handle" or name.startswith("do_")):
            yield Entry(method, "a request thread", is_self_shared=False)
        if outside & _THREADED and name in _SERVER_METHODS:
            yield Entry(method, "a request thread", is_self_shared=True)


def made_often(
    modules: Iterable[ModuleFacts], calls: Calls, classes: Iterable[ClassFacts]
) -> Iterator[ClassFacts]:
    """Those of the classes of which a loop makes objects, or more than one place does."""
    seen: set[ClassFacts] = set()
    for _, event, found in constructions(modules, calls, classes):
        if found in seen or event.loop > 0:
            yield found
        seen.add(found)


def constructions(
    modules: Iterable[ModuleFacts], calls: Calls, classes: Iterable[ClassFacts]
) -> Iterator[tuple[FunctionFacts, Call, ClassFacts]]:
    """Where objects of the classes, or of others that have the same name, are made."""
    names = {item.name for item in classes}
    for module in modules:
        for function in _making(module, names):
            for event in function.events:
                found = _constructed(calls, function, event)
                if found is not None and isinstance(event, Call):
                    yield function, event, found


def _making(module: ModuleFacts, names: set[str]) -> Iterator[FunctionFacts]:
    """Functions with a call that has one of the names, or one under which the module imports it."""
    called = names.union(module.aliases(names)) & module.callers.keys()
    found = [item for name in sorted(called) for item in module.callers[name]]
    yield from dict.fromkeys(found)


def _constructed(calls: Calls, function: FunctionFacts, event: object) -> ClassFacts | None:
    if not isinstance(event, Call) or event.callee is None or not event.method[:1].isupper():
        return None
    found = calls.kinds.callee(function, event.callee)
    return found if isinstance(found, ClassFacts) else None
