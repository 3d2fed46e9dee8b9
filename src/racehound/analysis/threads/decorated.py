"""Functions that a decorator gives to a framework, which calls several of them at once."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.threads.entries import REQUEST, Entry, imports_any
from racehound.source.closures import scope_of
from racehound.source.events import Place
from racehound.source.facts import FunctionFacts, ModuleFacts

_WORKER = "a worker thread"
_CONFIGURED = "a worker (a thread, if the program is run so)"
_VERBS = frozenset({"route", "get", "post", "put", "patch", "delete", "websocket"})
_HOOKS = frozenset({"before_request", "after_request", "teardown_request", "context_processor", "errorhandler"})


class _Application(NamedTuple):
    """What `@app.name` does to a function, where `app` is an object of one of the kinds."""

    kinds: frozenset[str]
    names: frozenset[str]
    what: str = REQUEST


_WEB = _Application(
    frozenset(
        {
            *("flask.Flask", "flask.Blueprint", "bottle.Bottle", "fastapi.FastAPI", "fastapi.APIRouter"),
            *("fastapi.routing.APIRouter", "fastapi.applications.FastAPI"),
        }
    ),
    _VERBS | _HOOKS,
)
_APPLICATIONS = (
    _WEB,
    _Application(frozenset({"dash.Dash"}), frozenset({"callback"})),
    _Application(
        frozenset({"telebot.TeleBot"}),
        frozenset({"message_handler", "callback_query_handler", "inline_handler", "channel_post_handler"}),
        "a handler thread",
    ),
    _Application(
        frozenset({"slack_bolt.App", "slack_bolt.app.App"}),
        frozenset({"event", "message", "command", "action", "shortcut", "view", "options"}),
        "a listener thread",
    ),
    _Application(
        frozenset(f"huey.{name}" for name in ("Huey", "RedisHuey", "SqliteHuey", "MemoryHuey", "FileHuey")),
        frozenset({"task", "periodic_task"}),
        _WORKER,
    ),
    _Application(frozenset({"celery.Celery"}), frozenset({"task"}), _CONFIGURED),
)
_PLAIN = {
    **dict.fromkeys((f"bottle.{verb}" for verb in _VERBS), REQUEST),
    **dict.fromkeys(("rest_framework.decorators.api_view", "rest_framework.decorators.action"), REQUEST),
    **dict.fromkeys(("pyramid.view.view_config", "cherrypy.expose"), REQUEST),
    **dict.fromkeys(("celery.shared_task", "celery.task", "rq.decorators.job", "rq.job"), _CONFIGURED),
    "dramatiq.actor": _WORKER,
    "tornado.concurrent.run_on_executor": "a pool thread",
}
"""Decorators that are functions, by their dotted names."""
_ON_ONE_OBJECT = frozenset({"cherrypy.expose"})
"""The object whose methods they mark was made once, for all requests."""
_FRAMEWORKS = frozenset({"flask", "bottle", "fastapi", "quart", "flask_restx", "sanic", "falcon", "pyramid"})
_PACKAGES = (
    _FRAMEWORKS
    | {name.partition(".")[0] for name in _PLAIN}
    | {kind.partition(".")[0] for application in _APPLICATIONS for kind in application.kinds}
)


def decorated(modules: Iterable[ModuleFacts], calls: Calls) -> Iterator[Entry]:
    for module in modules:
        if imports_any(module, _PACKAGES):
            for function in module.functions:
                if function.decorators and not function.is_async:
                    yield from _entry(module, function, calls)


def _entry(module: ModuleFacts, function: FunctionFacts, calls: Calls) -> Iterator[Entry]:
    for place in function.decorators:
        name = calls.kinds.callee(module.functions[0], place)
        if isinstance(name, str) and name in _PLAIN:
            what = _PLAIN[name]
            yield Entry(function, what, is_self_shared=name in _ON_ONE_OBJECT, is_rare=what == _CONFIGURED)
            return
        what = _what(function, calls, place)
        if what:
            yield Entry(function, what, is_self_shared=False, is_rare=what == _CONFIGURED)
            return


def _what(function: FunctionFacts, calls: Calls, place: Place) -> str:
    """`@app.route`, where `app` is an application or, in a web program, comes from another module or a caller."""
    if len(place.attributes) != 1:
        return ""
    module, around = function.module, function.parent or function.module.functions[0]
    kinds = calls.kinds.place(around, Place(place.root))
    for application in _APPLICATIONS:
        if place.attributes[0] in application.names and kinds & application.kinds:
            return application.what
    scope = scope_of(around, place.root)
    is_given = scope is not None and place.root in scope.parameters
    is_foreign = not kinds and (is_given or place.root in module.imports) and imports_any(module, _FRAMEWORKS)
    return REQUEST if is_foreign and place.attributes[0] in _WEB.names else ""
