"""Which coroutines run as several tasks at once, and on what.

The counterpart of `contexts` for event loops. Between two awaits a task is alone, so only what spans an await can
be disturbed; what disturbs it is another task of the same loop, or the same function a second time.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from racehound.analysis.awaiting.coroutines import HANDING, Coroutines, Start
from racehound.analysis.event_loops.loop_entries import loop_entries
from racehound.analysis.meaning.applications import is_kept_by_application
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.injected import lasting_arguments
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.analysis.threads.activations import Activation, Context, outlives
from racehound.analysis.threads.at_once import is_awaited_task
from racehound.analysis.threads.entries import imports_any
from racehound.analysis.threads.handed import handed_objects
from racehound.source.closures import scopes_around
from racehound.source.events import SELF, Bind, Call, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

RUN = "the event loop run"
"""What a coroutine runs in that the loop was started for."""

_FIELD = f"{SELF}."
"""Begins what tasks share of objects that each has for itself."""
_HANDLERS = frozenset(
    {
        *("get", "post", "put", "delete", "patch", "head", "options", "route", "websocket", "api_route", "view"),
        *("command", "event", "listen", "listener", "subscriber", "message_handler", "middleware", "tool"),
        "feature",
    }
)
_REGISTRARS = frozenset(
    {
        *("add_get", "add_post", "add_put", "add_delete", "add_patch", "add_route", "add_view", "add_api_route"),
        *(
            "Route",
            "WebSocketRoute",
            "add_api_websocket_route",
            "add_websocket_route",
            "start_server",
            "start_unix_server",
            "start_serving",
        ),
        *("serve_tcp", "serve_listeners", "serve_ssl_over_tcp", "serve"),
    }
)


class Tasks:
    def __init__(self, modules: Sequence[ModuleFacts], calls: Calls, coroutines: Coroutines) -> None:
        self._calls = calls
        self._coroutines = coroutines
        self._activations: dict[FunctionFacts, set[Activation]] = {}
        self._open: deque[tuple[FunctionFacts, Activation]] = deque()
        self._started: dict[FunctionFacts, set[int]] = {}
        self._awaited: dict[FunctionFacts, list[Start]] = {}
        self._served: dict[FunctionFacts, dict[str, int]] = {}
        """By function, its own variables whose methods it gives to a server, and where it does so first."""
        self._crowds: list[tuple[FunctionFacts, Context]] = []
        """Methods that run in several tasks, each on an object of its own."""
        self.decorating: set[FunctionFacts] = set()
        """Functions whose variables live as long as what they have handed out, which tasks run."""
        functions = [function for module in modules if _knows_coroutines(module) for function in module.functions]
        for function in functions:
            self._enter(function)
        self._enter_crowds(modules)
        for entry in loop_entries(modules, calls, calls.kinds.hierarchy):
            where = entry.function
            context = Context(entry.what, where.module.path, where.span.line, entry.many)
            self._activate(where, Activation(context, frozenset({SELF} if entry.is_self_shared else ())))
        self._propagate()
        self._start_awaited()

    def of(self, function: FunctionFacts) -> tuple[Context, ...]:
        """All tasks that a function runs in."""
        return tuple(sorted({activation.context for activation in self._activations.get(function, ())}))

    def on_shared_self(self, function: FunctionFacts) -> tuple[Context, ...]:
        """Tasks in which a method runs on an instance that other tasks have too."""
        activations = self._activations.get(function, ())
        return tuple(sorted({item.context for item in activations if SELF in item.shared}))

    def may_overlap(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if two functions, or one twice, run in tasks alive together; methods on one instance."""
        ours = self.on_shared_self(first) if first.owner else self.of(first)
        theirs = self.on_shared_self(second) if second.owner else self.of(second)
        if any(context.many for context in set(ours) & set(theirs)):
            return True
        apart = [(one, other) for one in ours for other in theirs if one != other]
        if first is second:
            return any(
                _is_started_together(one, other) and RUN not in {one.what, other.what} for one, other in apart
            )
        return any(not _is_in_turn(one, other) for one, other in apart)

    def describe(self, function: FunctionFacts) -> str:
        contexts = (self.on_shared_self(function) if function.owner else ()) or self.of(function)
        many = [context for context in contexts if context.many]
        if contexts:
            return str((many or list(contexts))[0])
        if function.is_module_body:
            return "any thread that imports the module"
        who = "task that awaits" if function.is_async else "thread that calls"
        return f"any {who} `{function.name}`"

    def _enter(self, function: FunctionFacts) -> None:
        for start in self._coroutines.starts(function):
            if is_awaited_task(function, start.at):
                self._awaited.setdefault(function, []).append(start)
                continue
            self._started.setdefault(function, set()).add(start.at)
            self._start(function, start, _context(function, start))
        if function.is_async and any(_is_handler(function.module, place) for place in function.decorators):
            context = Context("a request handler", function.module.path, function.span.line, many=True)
            shared = lasting_arguments(self._calls, function)
            self._activate(function, Activation(context, shared | ({SELF} if not function.is_method else set())))
        for event in function.events if self._registers(function) else ():
            if isinstance(event, Call) and event.method in _REGISTRARS:
                self._register(function, event)

    def _registers(self, function: FunctionFacts) -> bool:
        callers = function.module.callers
        return any(function in callers[name] for name in _REGISTRARS & callers.keys())

    def _start_awaited(self) -> None:
        """Tasks awaited at once are steps of who starts them; where nobody is known to run that, tasks in turn."""
        for function, starts in self._awaited.items():
            context = _context(function, starts[0])._replace(many=False)
            for start in starts if function not in self._activations else ():
                self._start(function, start, context)
        self._propagate()

    def _start(self, function: FunctionFacts, start: Start, context: Context) -> None:
        values = start.call.arguments[1:] if start.call.method in HANDING else start.call.arguments
        target = start.target
        self._note_closure(function, target)
        names = target.parameters[1:] if target.is_method else target.parameters
        shared = {
            name
            for name, value in zip(names, values, strict=False)
            if value.place is not None and outlives(function, value.place, start.call.loop)
        }
        receiver = _receiver(start)
        if not target.is_method or (receiver is not None and outlives(function, receiver, start.call.loop)):
            shared.add(SELF)
        elif start.call.loop and context.many:
            self._crowds.append((target, context))
        self._activate(target, Activation(context, frozenset(shared)))

    def _enter_crowds(self, modules: Sequence[ModuleFacts]) -> None:
        """What the objects of several tasks were all made with: `Agent(name, budget)`, each with one `budget`."""
        hierarchy = self._calls.kinds.hierarchy
        owners = {target.owner for target, _ in self._crowds if target.owner is not None}
        families = frozenset(item for owner in owners for item in hierarchy.family(owner))
        common: dict[ClassFacts, set[str]] = {}
        for handed in handed_objects(modules, self._calls, families) if families else ():
            common.setdefault(handed.owner, set()).add(f"{SELF}.{handed.field}")
        for target, context in self._crowds:
            for item in hierarchy.family(target.owner) if target.owner is not None else ():
                if item in common:
                    self._activate(target, Activation(context, frozenset(common[item])))

    def _register(self, function: FunctionFacts, call: Call) -> None:
        for value, target in self._calls.handed_over(function, call):
            if target.is_async:
                context = Context("a request handler", function.module.path, call.span.line, many=True)
                place = value.place
                shared = not target.is_method or (place is not None and outlives(function, place, 0))
                if target.is_method and place is not None and place.root in function.bound:
                    self._served.setdefault(function, {}).setdefault(place.root, function.events.index(call))
                self._activate(target, Activation(context, frozenset({SELF} if shared else ())))

    def _activate(self, function: FunctionFacts, activation: Activation) -> None:
        known = self._activations.setdefault(function, set())
        if activation not in known:
            known.add(activation)
            self._open.append((function, activation))
            self._activate_stand_ins(function, activation)

    def _activate_stand_ins(self, function: FunctionFacts, activation: Activation) -> None:
        """What a decorator of the program runs in place of a coroutine."""
        for place in function.decorators if function.is_async else ():
            found = self._calls.kinds.callee(function.module.functions[0], place)
            for stand_in in stand_ins(found) if isinstance(found, FunctionFacts) else ():
                self.decorating.update(scopes_around(stand_in))
                self._activate(stand_in, Activation(activation.context, activation.shared & {SELF}))

    def _note_closure(self, caller: FunctionFacts, target: FunctionFacts) -> None:
        """A function that another one has made, called from outside of it: all who call it share its variables."""
        around = list(scopes_around(target))
        if around and caller not in around and not any(scope in scopes_around(caller) for scope in around):
            self.decorating.update(around)

    def _propagate(self) -> None:
        while self._open:
            function, activation = self._open.popleft()
            started = self._started.get(function, ())
            for index, event in enumerate(function.events):
                if isinstance(event, Call) and index not in started and self._calls.spawn(function, event) is None:
                    self._through(function, activation, event, index)

    def _through(self, caller: FunctionFacts, activation: Activation, call: Call, index: int) -> None:
        target = self._calls.target(caller, call) or self._calls.of_result(caller, call)
        if target is None:
            return
        self._note_closure(caller, target)
        names = target.parameters[1:] if target.is_method else target.parameters
        shared = {
            name
            for name, value in zip(names, call.arguments, strict=False)
            if value.place is not None and self._is_shared(caller, value.place, activation)
        }
        if not target.is_method:
            shared |= activation.shared & {SELF}
        elif self._is_on_shared(caller, call, activation) or self._is_served(caller, call, activation, index):
            shared.add(SELF)
        elif call.callee == Place(SELF, (target.name,)):
            shared |= {root for root in activation.shared if root.startswith(_FIELD)}
        self._activate(target, Activation(activation.context, frozenset(shared)))

    def _is_served(self, caller: FunctionFacts, call: Call, activation: Activation, index: int) -> bool:
        """True for `await hub.tick()` behind `start_server(hub.connected)`: handlers have that object as well."""
        served = self._served.get(caller, {}) if not activation.context.many else {}
        root = call.callee.root if call.callee is not None else ""
        return served.get(root, index) < index

    def _is_on_shared(self, caller: FunctionFacts, call: Call, activation: Activation) -> bool:
        """True for a method of an object that other tasks have, too."""
        if call.receiver is not None and is_kept_by_application(call.receiver):
            return True
        if call.callee is None:
            return False
        root, field = call.callee.root, call.callee.attributes[:1]
        is_field = root == SELF and len(call.callee.attributes) > 1
        if is_field and f"{_FIELD}{field[0]}" in activation.shared:
            return True
        return self._is_shared(caller, Place(root), activation)

    def _is_shared(self, function: FunctionFacts, place: Place, activation: Activation) -> bool:
        root = place.root
        if root == SELF or root in function.parameters:
            return root in activation.shared
        if root not in function.bound:
            return True
        values = list(_bound_values(function, root))
        if values and all(map(is_kept_by_application, values)):
            return True
        return bool(values) and all(
            value.shape is Shape.PLACE
            and value.place is not None
            and value.place.root != root
            and value.place.root not in function.bound
            and self._is_shared(function, value.place, activation)
            for value in values
        )


def _context(function: FunctionFacts, start: Start) -> Context:
    span, many = start.call.span, start.many and not _is_run_in_turn(start)
    return Context(start.what, function.module.path, span.line, many, f"{function}:{span.column}")


def _is_handler(module: ModuleFacts, decorator: Place) -> bool:
    """`@app.get("/")`; a command of a terminal program runs once."""
    name = decorator.attributes[-1:]
    return bool(name) and name[0] in _HANDLERS and not (name[0] == "command" and imports_any(module, _TERMINALS))


_TERMINALS = ("click", "asyncclick", "rich_click", "typer", "cyclopts")


def _is_run_in_turn(start: Start) -> bool:
    """True where a loop is run round by round: one after the other."""
    return start.what == RUN and start.starter != "run_coroutine_threadsafe"


def _is_started_together(one: Context, other: Context) -> bool:
    """True if one function starts both: what two functions start may be alternatives."""
    return one.starter.rpartition(":")[0] == other.starter.rpartition(":")[0]


def _is_in_turn(one: Context, other: Context) -> bool:
    """True if a loop runs one after the other: two runs, or a run and what the same function starts beside it."""
    if one.what == other.what == RUN:
        return True
    return RUN in {one.what, other.what} and _is_started_together(one, other)


def _knows_coroutines(module: ModuleFacts) -> bool:
    return "async" in module.text


def _receiver(start: Start) -> Place | None:
    place = start.call.callee
    if start.call.method in HANDING:
        place = start.call.arguments[0].place
    return None if place is None else Place(place.root, place.attributes[:-1])


def _bound_values(function: FunctionFacts, name: str) -> Iterator[Value]:
    for event in function.events if name in function.bound else ():
        if isinstance(event, Bind) and event.name == name:
            yield from event.values
