"""Classes whose methods a server or a framework calls, each call in a thread of its own."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.own_server import HANDLERS, SERVER
from racehound.analysis.threads.entries import REQUEST, Entry
from racehound.source.events import SELF, Exit, Shape
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_SERVER = frozenset({f"{SELF}.{SERVER}"})
_THREADED = frozenset(
    {
        *("socketserver.ThreadingMixIn", "socketserver.ThreadingTCPServer", "socketserver.ThreadingUDPServer"),
        *("http.server.ThreadingHTTPServer",),
    }
)
_SERVERS = frozenset({"socketserver", "http.server", "http"})
_SERVER_METHODS = frozenset({"process_request_thread", "finish_request", "handle_error", "shutdown_request"})
_VIEW_METHODS = frozenset(
    {
        *("get", "post", "put", "patch", "delete", "head", "options", "dispatch", "dispatch_request"),
        *("list", "create", "retrieve", "update", "partial_update", "destroy", "get_queryset", "get_context_data"),
        *("form_valid", "perform_create", "perform_update", "perform_destroy"),
    }
)
_MIDDLEWARE_METHODS = frozenset(
    {"__call__", "process_request", "process_response", "process_view", "process_exception"}
)


LOGGING, OBSERVING = "whichever thread logs", "the observer thread"
IN_TURN = frozenset({LOGGING, OBSERVING})
"""Whoever logs holds the lock of the handler meanwhile; an observer has one thread for all that it tells."""


class _Family(NamedTuple):
    """Classes with a base whose dotted name begins so."""

    bases: tuple[str, ...]
    methods: frozenset[str]
    what: str
    is_self_shared: bool
    many: bool = True
    is_rare: bool = False


_FAMILIES = (
    _Family(
        ("django.views.", "rest_framework.", "flask.views.", "flask_restful.", "flask_restx."),
        _VIEW_METHODS,
        REQUEST,
        is_self_shared=False,
    ),
    _Family(("django.utils.deprecation.MiddlewareMixin",), _MIDDLEWARE_METHODS, REQUEST, is_self_shared=True),
    _Family(("django.template.",), frozenset({"render"}), REQUEST, is_self_shared=True),
    _Family(
        ("watchdog.events.",),
        frozenset(
            {"dispatch", *(f"on_{event}" for event in ("any_event", "created", "modified", "deleted", "moved"))}
        ),
        OBSERVING,
        is_self_shared=True,
        many=False,
    ),
    _Family(
        tuple(f"{binding}.QtCore.QRunnable" for binding in ("PyQt5", "PyQt6", "PySide2", "PySide6")),
        frozenset({"run"}),
        "a pool thread",
        is_self_shared=False,
    ),
    _Family(
        ("logging.",),
        frozenset({"emit"}),
        LOGGING,
        is_self_shared=True,
        many=False,  # whoever calls it holds the lock of the handler
        is_rare=True,
    ),
)
_METHODS = frozenset[str]().union(*(family.methods for family in _FAMILIES))


def served(modules: Sequence[ModuleFacts], hierarchy: Hierarchy) -> Iterator[Entry]:
    threaded = any(_knows_threaded_servers(module) for module in modules)
    for module in modules:
        yield from _plain_applications(module)
        if any(origin.startswith(_ANSWERS) for origin in module.imports.values()):
            yield from _views(module)
    for item in hierarchy.classes:
        if threaded and item.bases:
            yield from _handlers(item, hierarchy)
        yield from _middleware(item)
        yield from _applications(item)
        if item.bases and not _METHODS.isdisjoint(item.methods):
            yield from _of_families(item, hierarchy)
        if any(place.attributes[-1:] and place.attributes[-1].endswith("Servicer") for place in item.bases):
            yield from _servicer(item, hierarchy)


def _knows_threaded_servers(module: ModuleFacts) -> bool:
    origins = module.imports.values()
    if not _THREADED.isdisjoint(origins):
        return True
    return not _SERVERS.isdisjoint(origins) and "Threading" in module.text


def _handlers(item: ClassFacts, hierarchy: Hierarchy) -> Iterator[Entry]:
    if not any(name in _SERVER_METHODS or name.startswith(("do_", "handle")) for name in item.methods):
        return
    outside = hierarchy.outside_bases(item)
    for name, method in item.methods.items():
        if outside & HANDLERS and (name == "handle" or name.startswith("do_")):
            yield Entry(method, REQUEST, is_self_shared=False, common=_SERVER)
        if outside & _THREADED and name in _SERVER_METHODS:
            yield Entry(method, REQUEST, is_self_shared=True)


def _middleware(item: ClassFacts) -> Iterator[Entry]:
    """Django makes one object of it, of which it calls the methods for every request."""
    start, call = item.methods.get("__init__"), item.methods.get("__call__")
    if start is not None and call is not None and "get_response" in start.parameters and not call.is_async:
        yield from _entries(item, _MIDDLEWARE_METHODS, REQUEST, is_self_shared=True)


def _applications(item: ClassFacts) -> Iterator[Entry]:
    """Objects that a server calls for every request, as WSGI says."""
    for method in (item.methods.get(name) for name in ("__call__", "wsgi_app")):
        if method is not None and tuple(method.parameters[1:]) == _WSGI:
            yield Entry(method, REQUEST, is_self_shared=True)


def _plain_applications(module: ModuleFacts) -> Iterator[Entry]:
    for function in module.functions:
        if tuple(function.parameters) == _WSGI and not function.is_method:
            yield Entry(function, REQUEST, is_self_shared=False)


_WSGI = ("environ", "start_response")


def _views(module: ModuleFacts) -> Iterator[Entry]:
    """Views of Django by their form: the module that names their addresses is often another one."""
    for function in module.functions:
        is_plain = function.parent is None or function.parent.is_module_body
        if not is_plain or function.is_async or function.is_method or function.parameters[:1] != ("request",):
            continue
        if any(map(_is_answer, function.events)):
            yield Entry(function, REQUEST, is_self_shared=False)


def _is_answer(event: object) -> bool:
    value = event.value if isinstance(event, Exit) and event.kind == "return" else None
    return value is not None and value.shape is Shape.CALL and _ANSWER.fullmatch(value.name) is not None


_ANSWERS = ("django.http", "django.shortcuts")
_ANSWER = re.compile(r"render|redirect|\w*Response\w*")


def _of_families(item: ClassFacts, hierarchy: Hierarchy) -> Iterator[Entry]:
    outside = {*hierarchy.outside_bases(item), *_inside_bases(item, hierarchy)}
    for family in _FAMILIES:
        if any(name.startswith(family.bases) for name in outside):
            shared, many = family.is_self_shared, family.many
            for entry in _entries(item, family.methods, family.what, is_self_shared=shared, many=many):
                yield entry._replace(is_rare=family.is_rare)


def _inside_bases(item: ClassFacts, hierarchy: Hierarchy) -> Iterator[str]:
    """The base of what the templates of Django are made of, where Django itself is read."""
    for base in hierarchy.linear(item)[1:]:
        if base.name == "Node" and base.module.path.endswith("django/template/base.py"):
            yield "django.template.Node"


def _servicer(item: ClassFacts, hierarchy: Hierarchy) -> Iterator[Entry]:
    """What gRPC generates a base for: one object answers the calls of all threads of the server's pool."""
    if any("_pb2_grpc" in name for name in hierarchy.outside_bases(item)):
        answering = frozenset(name for name, method in item.methods.items() if len(method.parameters) == 3)
        yield from _entries(item, answering, "a pool thread of the server", is_self_shared=True)


def _entries(
    item: ClassFacts, names: frozenset[str], what: str, *, is_self_shared: bool, many: bool = True
) -> Iterator[Entry]:
    found: list[FunctionFacts] = [method for name, method in item.methods.items() if name in names]
    for method in found:
        if not method.is_async:
            yield Entry(method, what, is_self_shared, many)
