"""Functions that an event loop calls between the steps of its tasks, and coroutines that a server starts on it."""

from collections.abc import Iterator, Sequence

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.threads.activations import outlives
from racehound.analysis.threads.entries import Entry
from racehound.source.events import Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_CALLBACK = "a callback of the event loop"
_TRANSPORT = "a callback of the transport"
_REQUEST = "a request handler"
_SCHEDULERS = {
    **dict.fromkeys(("call_soon", "call_soon_threadsafe"), 0),
    **dict.fromkeys(("call_later", "call_at", "add_reader", "add_writer", "add_signal_handler"), 1),
}
"""Methods of a loop, and where among their arguments the function stands."""
_PROTOCOLS = ("asyncio.Protocol", "asyncio.BufferedProtocol", "asyncio.DatagramProtocol", "asyncio.protocols.")
_RECEIVING = frozenset(
    {
        *("connection_made", "connection_lost", "data_received", "eof_received", "buffer_updated"),
        *("datagram_received", "error_received", "pause_writing", "resume_writing"),
    }
)
_VIEWS = ("tornado.web.RequestHandler", "aiohttp.web.View", "starlette.endpoints.", "sanic.views.", "quart.views.")
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "dispatch", "dispatch_request"})


def loop_entries(modules: Sequence[ModuleFacts], calls: Calls, hierarchy: Hierarchy) -> Iterator[Entry]:
    for module in modules:
        for name in _SCHEDULERS.keys() & module.callers.keys():
            for function in module.callers[name]:
                yield from _scheduled(function, name, calls)
    for item in hierarchy.classes:
        if item.bases and any(method.is_async for method in item.methods.values()):
            yield from _of_bot(item, hierarchy.outside_bases(item))
        if item.bases and not (_RECEIVING | _VERBS).isdisjoint(item.methods):
            yield from _of_class(item, hierarchy.outside_bases(item))


_BOTS = frozenset({"Cog", "GroupCog", "Bot", "AutoShardedBot", "Client", "AutoShardedClient"})
_BOT_LIBRARIES = ("discord.", "nextcord.", "disnake.", "twitchio.", "commands.")
_LISTENING = frozenset({"command", "listener", "event", "hybrid_command", "slash_command", "user_command"})
_EVENT = "an event of the bot"


def _of_bot(item: ClassFacts, bases: frozenset[str]) -> Iterator[Entry]:
    """A bot makes one object of such a class, and a task for each event that it is told of."""
    if not any(base.startswith(_BOT_LIBRARIES) and base.rpartition(".")[2] in _BOTS for base in bases):
        return
    for name, method in item.methods.items():
        listens = any((place.attributes or (place.root,))[-1] in _LISTENING for place in method.decorators)
        if method.is_async and (listens or (name.startswith("on_") and not method.decorators)):
            yield Entry(method, _EVENT, is_self_shared=True)


def _scheduled(caller: FunctionFacts, name: str, calls: Calls) -> Iterator[Entry]:
    for event in caller.events:
        if isinstance(event, Call) and event.method == name and len(event.arguments) > _SCHEDULERS[name]:
            value = event.arguments[_SCHEDULERS[name]]
            function = calls.function(caller, value)
            if function is not None and not function.is_async:
                yield Entry(function, _CALLBACK, _is_shared(caller, function, value.place), many=False)


def _is_shared(caller: FunctionFacts, function: FunctionFacts, place: Place | None) -> bool:
    """True unless it is a method of an object that its caller has made for the occasion."""
    return not function.is_method or (place is not None and outlives(caller, place, 0))


def _of_class(item: ClassFacts, bases: frozenset[str]) -> Iterator[Entry]:
    for name, method in item.methods.items():
        if name in _RECEIVING and not method.is_async and any(base.startswith(_PROTOCOLS) for base in bases):
            yield Entry(method, _TRANSPORT, is_self_shared=True, many=False)
        if name in _VERBS and method.is_async and any(base.startswith(_VIEWS) for base in bases):
            yield Entry(method, _REQUEST, is_self_shared=False)
