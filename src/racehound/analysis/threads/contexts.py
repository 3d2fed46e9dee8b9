"""What runs concurrently: from the places where threads start, down the calls.

With each function goes the set of its roots that other threads share: `self` and parameters. An object that a
thread makes for itself, or gets one of its own of, is not shared, whatever runs on it.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial

from racehound.analysis.awaiting.counterparts import is_counterpart
from racehound.analysis.flow.stretches import between
from racehound.analysis.meaning.arguments import calls_on_arguments, is_untyped
from racehound.analysis.meaning.callees import is_of_object
from racehound.analysis.meaning.calls import POOL_THREAD, Calls, Spawn, is_inherited
from racehound.analysis.meaning.constructions import constructions, given_values, made_often
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import THREAD_CLASSES
from racehound.analysis.meaning.lasting import in_place_of, is_lasting
from racehound.analysis.meaning.names import Read
from racehound.analysis.meaning.tables import table_of
from racehound.analysis.meaning.template_methods import TemplateMethods, heirs_of_threads
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.analysis.testfiles import is_test
from racehound.analysis.threads.activations import Activation, Context, in_order, of_class
from racehound.analysis.threads.beginnings import Beginning, Beginnings, Started, begun_instead
from racehound.analysis.threads.decorated import decorated
from racehound.analysis.threads.ends import INTERRUPTING, NEAR, before_waiting, ends
from racehound.analysis.threads.exits import Exits
from racehound.analysis.threads.given_anew import is_common, passed_places
from racehound.analysis.threads.handed import handed_objects
from racehound.analysis.threads.hooks import hooks
from racehound.analysis.threads.lone import spawns_and_steps
from racehound.analysis.threads.of_one_run import is_of_one_run, is_step_of_coroutine
from racehound.analysis.threads.one_by_one import lock_around
from racehound.analysis.threads.registered import registered
from racehound.analysis.threads.served import served
from racehound.analysis.threads.shared_places import View
from racehound.analysis.threads.starters import learn_starters
from racehound.analysis.threads.twins import Courses, with_twins
from racehound.analysis.threads.waited import is_given_once, is_over_in
from racehound.analysis.threads.ways_on import (
    LOOP_RUNNERS,
    Step,
    Steps,
    is_of_base,
    is_only_made,
    receiver_of,
    started_in,
)
from racehound.source.closures import scope_of, scopes_around
from racehound.source.events import SELF, Acquire, Call, Event, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_NOTHING: frozenset[Activation] = frozenset()
_SEVERAL = "one of several threads"


class Contexts:
    def __init__(
        self, modules: Sequence[ModuleFacts], calls: Calls, hierarchy: Hierarchy, read: Read | None = None
    ) -> None:
        """`read` reads the files on the spot that threads come to."""
        self.modules = modules
        self.calls = calls
        self._hierarchy = hierarchy
        self.crowds: frozenset[ClassFacts] = frozenset()
        """Classes of threads of which there are several."""
        self._activations: dict[FunctionFacts, set[Activation]] = {}
        self.makers: dict[str, set[str]] = {}
        """By class of threads, the classes that make one and give it the object that makes it."""
        self.spawns: dict[FunctionFacts, list[tuple[int, Context]]] = {}
        """Where each function starts something, by event index."""
        self.given: dict[tuple[FunctionFacts, str], list[tuple[FunctionFacts, Value]]] = {}
        """What starters pass for the parameters of the work."""
        self._within: dict[FunctionFacts, frozenset[Context]] = {}
        self.decorating: dict[FunctionFacts, list[FunctionFacts]] = {}
        """By decorator, the functions whose calls share its variables, since they live as long as these."""
        self._open: deque[tuple[FunctionFacts, Activation]] = deque()
        self._steps_of: dict[FunctionFacts, list[Step]] = {}
        self._started: list[Started] = []
        self._open_ended: list[Started] = []
        self._starts_of: dict[FunctionFacts, list[Started]] = {}
        self.thread_classes: dict[ClassFacts, Context] = {}
        self._pools_of_one: dict[tuple[object, Place], Context] = {}
        self.waiting_at_exit: set[FunctionFacts] = set()
        """Exit handlers that wait for threads, once `ends` was asked for."""
        self._given_away: list[tuple[FunctionFacts, int, Context]] = []
        learn_starters(modules, calls, hierarchy)
        spawns, self.steps = spawns_and_steps(modules, calls)
        self._threads(modules, hierarchy)
        of_classes = list(served(modules, hierarchy))
        calls.heed_misses(read)
        for function, index, call, spawn in with_twins(spawns, self._courses):
            self._start(function, index, call, spawn)
        calls.kinds.learn(self.given)
        self._within = started_in(self.spawns)
        hooked = hooks(modules, calls)
        for entry in (*decorated(modules, calls), *registered(modules, calls), *of_classes, *hooked):
            where = entry.function
            context = Context(entry.what, where.module.path, where.span.line, entry.many, is_rare=entry.is_rare)
            self._activate(where, Activation(context, entry.shared))
            self._given_away += [(*entry.given, context)] if entry.given else []
        self._propagate()
        self.begun: dict[FunctionFacts, list[Beginning]] = {}
        """Where functions have threads running beside them."""
        self._beside = self._run_beside(self._beginnings(Beginnings(modules, calls, hierarchy)))
        self._steps_of.clear()
        self._known = {function: frozenset(found) for function, found in self._activations.items()}
        self._all = {function: in_order(found) for function, found in self._known.items()}
        on_shared_self = {
            function: in_order(item for item in found if SELF in item.shared)
            for function, found in self._known.items()
        }
        self._on_shared_self = {function: found for function, found in on_shared_self.items() if found}
        self.shared_owners = frozenset(function.owner for function in self._on_shared_self)
        """Classes with a function that runs on an instance which other threads have too."""

    def _threads(self, modules: Sequence[ModuleFacts], hierarchy: Hierarchy) -> None:
        """Classes derived from Thread: several of them share all but themselves."""
        threads = [
            item
            for item in hierarchy.classes
            if "run" in item.methods and THREAD_CLASSES & hierarchy.outside_bases(item)
        ]
        heirs = heirs_of_threads(hierarchy, threads)
        self._templates = TemplateMethods(hierarchy, heirs)
        often = set(made_often(modules, self.calls, (*threads, *heirs))) if threads else set()
        self.crowds = frozenset(often & {*threads, *heirs})
        for maker, call, item in constructions(modules, self.calls, threads) if threads else ():
            if maker.owner is not None and any(value.place == Place(SELF) for value in given_values(call)):
                self.makers.setdefault(str(item), set()).add(str(maker.owner))
        common: dict[ClassFacts, set[str]] = {}
        for handed in handed_objects(modules, self.calls, self.crowds):
            common.setdefault(handed.owner, set()).add(f"{SELF}.{handed.field}")
        for item in threads:
            context = of_class(item, "the thread", many=False)
            self.thread_classes[item] = context
            self._activate(item.methods["run"], Activation(context, frozenset({SELF})))
        for item in (*threads, *heirs):
            run = hierarchy.method(item, "run") if item in often else None
            if run is not None:
                several = of_class(item, _SEVERAL, many=True)
                self._activate(run, Activation(several, frozenset(common.get(item, ()))))

    def of(self, function: FunctionFacts) -> frozenset[Activation]:
        return self._known.get(function, _NOTHING)

    @cached_property
    def _courses(self) -> Courses:
        return Courses()

    def are_two_threads(self, function: FunctionFacts) -> bool:
        """True if two threads run it, of which one is not started only after the other has ended."""
        known = set(self.all(function))
        return self._courses.have_two((item.function, item.at) for item in self._started if item.context in known)

    def beside(self, function: FunctionFacts) -> frozenset[Activation]:
        """Where a function runs in the thread that has started another, while that one runs."""
        return self._beside.get(function, _NOTHING)

    def _beginnings(self, beginnings: Beginnings) -> Iterator[Beginning]:
        yield from beginnings.of(self._started)
        yield from beginnings.of_objects(self.thread_classes)
        yield from beginnings.of_given(self._given_away)

    def _run_beside(self, seeds: Iterable[Beginning]) -> dict[FunctionFacts, frozenset[Activation]]:
        """What starters do, and what they call, from the start of a thread until they wait for it."""
        beside = self._apart({}, partial(self._begin, seeds))
        steps: Steps = {}
        with self.calls.asking_callers():
            self._start_on_arguments()
            self._follow_arguments(steps)
            return self._apart(beside, partial(self._follow_arguments, steps))

    def _begin(self, seeds: Iterable[Beginning]) -> None:
        places = cache(self._places)
        for seed in seeds:
            self.begun.setdefault(seed.function, []).append(seed)
            activation = Activation(seed.context, seed.shared)
            self._activations.setdefault(seed.function, set()).add(activation)
            for step in between(places(seed.function), seed.begin, seed.end):
                self._follow(seed.function, activation, step)
        self._propagate()

    def _apart(
        self, known: Mapping[FunctionFacts, Iterable[Activation]], grow: Callable[[], None]
    ) -> dict[FunctionFacts, frozenset[Activation]]:
        """What comes of other activations than those of the threads."""
        threads, self._activations = self._activations, {item: set(found) for item, found in known.items()}
        grow()
        beside, self._activations = self._activations, threads
        return {function: frozenset(found) for function, found in beside.items()}

    def _start_on_arguments(self) -> None:
        """`pool.submit(table.add)` on a table that the function was given without a type."""
        for started in self._open_ended:
            if (target := self.calls.function(started.function, started.spawn.target)) is not None:
                self._set_going(started, target, asks_all=True)

    def _follow_arguments(self, known: Steps) -> None:
        """Calls on what a function was given without a type, by what its callers are seen to give."""
        for function in list(self._activations):
            key = (function, function in self._steps_of)
            if key not in known:
                known[key] = self._steps_on_arguments(function)
            for step in known[key]:
                for activation in list(self._activations[function]):
                    self._follow(function, activation, step)
        self._propagate()

    def _steps_on_arguments(self, function: FunctionFacts) -> list[Step]:
        """Those that are not known without asking the callers."""
        known = {id(step.call) for step in self._steps_of.get(function, ())}
        calls = [event for event in calls_on_arguments(function) if id(event) not in known]
        return list(self._steps(function, calls))

    @cached_property
    def ends(self) -> dict[FunctionFacts, frozenset[Activation]]:
        """Where functions run when an object goes, a signal comes or the program ends.

        Kept apart from the rest: that a function runs there as well does not say that it runs nowhere else. Worked
        out when a rule asks, for files that only lead there are not read for its sake.
        """
        seeds = ends(self.modules, self.calls, self._hierarchy)
        threads, self._activations = self._activations, {}
        decorating, self.decorating = self.decorating, {}
        for function, activation in seeds:
            events = before_waiting(function, activation.context, self.calls)
            if events is None:
                self._activate(function, activation)
            else:
                self.waiting_at_exit.add(function)
            for step in self._steps(function, events or ()):
                self._follow(function, activation, step)
        for _ in range(NEAR):
            for _ in range(len(self._open)):
                self._advance(*self._open.popleft())
        self._open = deque(item for item in self._open if item[1].context.what not in INTERRUPTING)
        self._propagate()
        found, self._activations, self.decorating = self._activations, threads, decorating
        self._steps_of.clear()
        return {function: frozenset(activations) for function, activations in found.items()}

    @cached_property
    def exits(self) -> Exits:
        """What runs at exit, and which threads are still there."""
        return Exits(self.ends, self._activations, self._started, self.thread_classes)

    def functions(self) -> Iterable[FunctionFacts]:
        """All that run in some context."""
        return self._activations.keys()

    def raced_for(self, function: FunctionFacts) -> Sequence[FunctionFacts]:
        """What to call so that a function runs: it, or what it decorates."""
        return self.decorating.get(function, (function,))

    def started_within(self, scope: FunctionFacts) -> frozenset[Context]:
        """What a function and those nested in it start."""
        return self._within.get(scope, frozenset())

    def shares(self, function: FunctionFacts, place: Place) -> bool:
        """True if work that runs several times at once has the object there in common."""
        return any(
            activation.context.many and self._is_shared(function, place, activation)
            for activation in self.of(function)
        )

    def is_on_shared_self(self, function: FunctionFacts) -> bool:
        return function in self._on_shared_self

    def on_shared_self(self, function: FunctionFacts) -> tuple[Context, ...]:
        """Contexts in which the function runs on an instance that other threads have too."""
        return self._on_shared_self.get(function, ())

    def all(self, function: FunctionFacts) -> tuple[Context, ...]:
        return self._all.get(function, ())

    def _start(self, function: FunctionFacts, index: int, call: Call, spawn: Spawn) -> None:
        where, over = function.module, is_over_in(function, index)
        context = Context(spawn.what, where.path, call.span.line, spawn.many, str(function.owner or ""))
        context = context._replace(in_test=is_test(where), is_awaited=over, which=spawn.which)
        target = self.calls.function(function, spawn.target)
        context = context._replace(is_step=is_step_of_coroutine(function, index, spawn.target, target))
        context = self._in_line(function, call, context)
        lock = lock_around(self.calls.kinds, function, index)
        if lock is not None:
            context = self._in_turn(function, lock, context._replace(many=False))
        if is_given_once(function, index):
            context = context._replace(many=False)
        context = begun_instead(self._starts_of.get(function, ()), index, spawn) or context
        self.spawns.setdefault(function, []).append((index, context))
        started = Started(function, index, call, spawn, context)
        self._starts_of.setdefault(function, []).append(started)
        if (function, index) in self.steps:
            return
        self._started.append(started)
        if target is not None:
            self._set_going(started, target)
        elif spawn.target.place is not None and is_untyped(function, spawn.target.place):
            self._open_ended.append(started)

    def _set_going(self, started: Started, target: FunctionFacts, *, asks_all: bool = False) -> None:
        function, index, call, spawn, context = started
        is_kept = partial(is_common, self.calls.kinds, self.modules, function, call.loop, asks_all=asks_all)
        passed = dict(passed_places(started, target))
        for name, value in passed.items():
            self.given.setdefault((target, name), []).append((function, value))
        shared = {name for name, value in passed.items() if value.place and is_kept(value.place)}
        receiver = spawn.target.place
        is_one = receiver is not None and is_of_one_run(self.calls.kinds, function, index, receiver)
        is_there = receiver is not None and not is_one and is_kept(receiver_of(receiver))
        if not target.is_method or (is_there and not is_counterpart(function, spawn.target)):
            shared.add(SELF)
        activation = Activation(context, frozenset(shared))
        for method in (target, *self._templates.in_place_of(function, receiver, None, context)):
            self._activate(method, activation)

    def _in_line(self, function: FunctionFacts, call: Call, context: Context) -> Context:
        """All that is given to a pool of one thread runs in that thread, one after the other."""
        pool = None if call.receiver is None else call.receiver.place
        if context.many or context.what != POOL_THREAD or pool is None:
            return context
        return self._in_turn(function, pool, context)

    def _in_turn(self, function: FunctionFacts, keeper: Place, context: Context) -> Context:
        """What a pool of one thread, or a lock of the loop, lets run one after the other."""
        scope = function.owner if keeper.root == SELF else scope_of(function, keeper.root)
        return self._pools_of_one.setdefault((scope or function.module, keeper), context)

    def _activate(self, function: FunctionFacts, activation: Activation) -> None:
        if activation.context.in_test and not is_test(function.module):
            return  # what a test shares says little of what programs share
        known = self._activations.setdefault(function, set())
        if activation not in known:
            known.add(activation)
            self._open.append((function, activation))

    def _propagate(self) -> None:
        while self._open:
            self._advance(*self._open.popleft())

    def _advance(self, function: FunctionFacts, activation: Activation) -> None:
        self._decorated(function, activation)
        self._start_for_each(function, activation)
        if function not in self._steps_of:
            self._steps_of[function] = list(self._steps(function, function.events))
        for step in self._steps_of[function]:
            self._follow(function, activation, step)

    def _start_for_each(self, function: FunctionFacts, activation: Activation) -> None:
        """What is started by something that runs several times at once does so, too; a step of it runs there."""
        for started in self._starts_of.get(function, ()):
            is_step, many = (function, started.at) in self.steps, activation.context.many
            context = activation.context if is_step else started.context._replace(many=True)
            wanted = is_step or (many and not started.context.many)
            target = self.calls.function(function, started.spawn.target) if wanted else None
            if target is None:
                continue
            names = target.parameters[1:] if target.is_method else target.parameters
            shared = {
                name
                for name, value in zip(names, started.spawn.arguments, strict=False)
                if value.place is not None and self._is_shared(function, value.place, activation)
            }
            receiver = started.spawn.target.place
            if not target.is_method:
                shared |= activation.shared & {SELF}
            elif receiver is not None and self._is_shared(function, receiver_of(receiver), activation):
                shared.add(SELF)
            self._activate(target, Activation(context, frozenset(shared)))

    def _steps(self, function: FunctionFacts, events: Iterable[Event]) -> Iterator[Step]:
        """What comes to other functions; the same for all contexts that the function runs in."""
        for event in events:
            if type(event) is Call:
                runs = self.calls.spawn(function, event) is None
                is_given = runs and not self.calls.is_kept(function, event)
                given = tuple(self.calls.handed_over(function, event)) if is_given else ()
                targets = self._run_by(function, event) if runs else ()
                step = Step(event, given, targets, self._read(function, event.callee))
            elif type(event) is Touch:
                read = (*self._read(function, event.place), *self.calls.operators(function, event))
                step = Step(None, (), (), read)
            elif type(event) is Acquire:
                step = Step(None, (), (), tuple(self.calls.entered(function, event)))
            else:
                continue
            if step.given or step.targets or step.read:
                yield step

    def _places(self, function: FunctionFacts) -> list[tuple[int, Step]]:
        """The steps with their indices: a function that starts many threads goes on beside each of them."""
        events = enumerate(function.events)
        return [(index, step) for index, event in events for step in self._steps(function, (event,))]

    def _run_by(self, function: FunctionFacts, call: Call) -> tuple[FunctionFacts, ...]:
        if call.callee is not None:
            named = self.calls.kinds.callee(function, call.callee)
            if isinstance(named, ClassFacts):
                return tuple(in_place_of(self.calls.kinds, named))
            return (named,) if isinstance(named, FunctionFacts) else ()
        found = self.calls.target(function, call) or self.calls.of_result(function, call)
        return tuple(self.calls.of_entry(function, call)) if found is None else (found,)

    def _follow(self, function: FunctionFacts, activation: Activation, step: Step) -> None:
        if step.call is not None:
            self._through(function, activation, step.call, step)
        for base, found in step.read:
            known = base is not None and self._is_shared(function, base, activation)
            self._activate(found, Activation(activation.context, frozenset({SELF} if known else ())))

    def _decorated(self, function: FunctionFacts, activation: Activation) -> None:
        """Whoever calls a decorated function runs what its decorators put in its place."""
        if function.parent is None or not function.parent.is_module_body:
            return
        for place in function.decorators:
            found = self.calls.kinds.callee(function.parent, place)
            if isinstance(found, ClassFacts) and "__call__" in found.methods:
                self._activate(found.methods["__call__"], Activation(activation.context, frozenset({SELF})))
            is_kept = is_of_object(self.calls.kinds, function, place, found)
            shared = frozenset({SELF}) if is_kept else activation.shared & {SELF}
            for stand_in in stand_ins(found) if isinstance(found, FunctionFacts) else ():
                for scope in scopes_around(stand_in):
                    self.decorating.setdefault(scope, []).append(function)
                self._activate(stand_in, Activation(activation.context, shared))

    def _read(self, caller: FunctionFacts, place: Place | None) -> tuple[tuple[Place, FunctionFacts], ...]:
        """Reading `backend.client` runs the property of that name."""
        return tuple(self.calls.properties(caller, place)) if place is not None and place.attributes else ()

    def _through(self, caller: FunctionFacts, activation: Activation, call: Call, step: Step) -> None:
        for value, function in step.given:
            if not function.is_async or call.method in LOOP_RUNNERS:
                self._activate(function, self._inherited(caller, function, value, activation))
        for target in step.targets:
            if not is_only_made(caller, target):
                self._run(caller, activation, call, target)

    def _run(self, caller: FunctionFacts, activation: Activation, call: Call, target: FunctionFacts) -> None:
        if self._is_kept(caller, call, target, activation):
            for scope in scopes_around(target):
                self.decorating.setdefault(scope, []).append(caller)
        shared = set(self._given(caller, target, activation, call))
        if not target.is_method:
            shared |= activation.shared & {SELF}
        elif self._is_on_shared(caller, call, target, activation):
            shared.add(SELF)
        elif call.callee == Place(SELF, (target.name,)) or is_of_base(call, target):
            shared |= {root for root in activation.shared if root.startswith(f"{SELF}.")}
        inner = Activation(activation.context, frozenset(shared))
        if self._templates.runs(target, activation.context):
            self._activate(target, inner)
        for method in self._templates.in_place_of(caller, call.callee, target, activation.context):
            self._activate(method, inner)

    def _is_kept(self, caller: FunctionFacts, call: Call, target: FunctionFacts, activation: Activation) -> bool:
        """True for a nested function that is called from elsewhere: the variables around it outlived their run."""
        around = scopes_around(target)
        if not around or around[0] in {caller, *scopes_around(caller)}:
            return False
        return call.callee is not None and self._is_shared(caller, call.callee, activation)

    def _is_on_shared(
        self, caller: FunctionFacts, call: Call, target: FunctionFacts, activation: Activation
    ) -> bool:
        """True if other threads have the object on which a method is called, or which is called itself."""
        if is_inherited(call):
            return SELF in activation.shared
        if call.callee is None and call.receiver is not None:
            table = table_of(call.receiver)
            known = table is not None and self._is_shared(caller, table, activation)
            return known or is_lasting(self.calls.kinds, caller, call.receiver)
        if call.callee is None:
            return False
        if target.name == "__new__":
            return True
        if is_of_base(call, target):
            return SELF in activation.shared
        is_called_itself = target.name == "__call__" != call.method
        return self._is_shared(caller, call.callee if is_called_itself else receiver_of(call.callee), activation)

    def _inherited(
        self, caller: FunctionFacts, function: FunctionFacts, value: Value, activation: Activation
    ) -> Activation:
        """The activation of a function that is passed on: a method goes with its object, the rest with `self`."""
        root = value.place.root if value.place is not None and function.is_method else SELF
        shared = {SELF} if self._is_shared(caller, Place(root), activation) else set[str]()
        return Activation(activation.context, frozenset(shared))

    def _given(
        self, caller: FunctionFacts, target: FunctionFacts, activation: Activation, call: Call
    ) -> Iterator[str]:
        names = target.parameters[1:] if target.is_method else target.parameters
        for name, value in zip(names, call.arguments, strict=False):
            if value.shape is Shape.PLACE and value.place and self._is_shared(caller, value.place, activation):
                yield name

    def _is_shared(self, function: FunctionFacts, place: Place, activation: Activation) -> bool:
        return View(self.calls.kinds, self.started_within, function, activation).shares(place)
