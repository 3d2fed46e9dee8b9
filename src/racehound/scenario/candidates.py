"""Scenarios worth racing: which operations, after which prefix, with which arguments."""

import inspect
import re
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, islice, permutations, product

from racehound.errors import HarnessError
from racehound.model.proof import ScenarioText
from racehound.scenario.calls import OF_TWO, OPERATORS, SYNTAX, Call, CallMaker
from racehound.scenario.companions import Companions
from racehound.scenario.crossed import about_two, both, crossed
from racehound.scenario.crowds import crowds
from racehound.scenario.expressions import SUBJECT
from racehound.scenario.filling import SIZE, filled
from racehound.scenario.makings import limited, more, richer, tighter
from racehound.scenario.one_loop import is_of_one_loop
from racehound.scenario.parts import unpaused
from racehound.scenario.stages import Seen, new_stages, raced_at
from racehound.scenario.taking import taking_of
from racehound.scenario.thread_bodies import begun_by
from racehound.scenario.turning import WHILE, WHILE_ON_LOOP, looks_at_clock, numbers_counted_to
from racehound.scenario.untaken import Untaken, untaken_in_classes, untaken_in_module
from racehound.scenario.variations import (
    FEW,
    Pair,
    Texts,
    after_one_of,
    after_several,
    alike,
    at_turns,
    nearly_full,
    up_to_the_limit,
    with_more_arguments,
    with_one_stand_in,
    with_other_arguments,
    with_two_listeners,
)

LIMIT = 1000
FEW_CALLS = 5
MANY = 64
"""What a class counts up to: a number below is tried anyway, one above would take too long."""
DEEPER = (3, 6)
OFTEN = 1000
"""How often a call is made before the race, where nothing else has led everywhere, and how often at most."""
LIBRARIES = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "threading", "typing"})
ENTRY_POINTS = frozenset({"main"})
"""Functions that a program calls once: not raced where there are others."""
CONSTRUCTORS = frozenset({"__init__", "__new__"})


@dataclass(frozen=True, slots=True)
class Told:
    """What the user says of the subject."""

    setup: str | None = None
    """How it is made."""
    invariant: str | None = None
    """What holds for it, and so for one object and not for several."""


NOTHING_TOLD = Told()


class Candidates:
    """The calls that a class or module offers, and their combinations in the order worth trying."""

    def __init__(
        self,
        module: types.ModuleType,
        kind: type | None,
        wanted: Sequence[str],
        pair: tuple[str, str] | None = None,
        *,
        widely: bool = False,
        told: Told = NOTHING_TOLD,
    ) -> None:
        self._module = module
        self._kind = kind
        self._widely = widely
        self._told = told
        self._maker = CallMaker(module, kind, told.setup)
        self._taking = taking_of(kind)
        self.left_out: list[str] = []
        first = begun_by(pair or (), kind)
        self._first = self._calls([name for name in first if name not in CONSTRUCTORS])
        self._names_wanted = (*first, *begun_by(wanted, kind))
        self._wanted = self._calls(self._names_wanted)
        others = self._calls([name for name in self._public_names() if name not in wanted])
        self._others = sorted(others, key=lambda call: call.rank)
        self.on_loop = self._is_of_one_loop(pair)
        """Whether everything is called on one event loop."""

    def _is_of_one_loop(self, pair: tuple[str, str] | None) -> bool:
        """Two plain methods that a finding names are said to run on threads."""
        found = {text.startswith("await ") for call in self._first for text in (call.text,)}
        return (pair is None or True in found) and is_of_one_loop(self._own_classes())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to race at all."""
        return self.lacks_operations and not self._has_constructor({"__new__"})

    @property
    def lacks_operations(self) -> bool:
        """Whether nothing can be called of an object, or of a module."""
        return not self._wanted and not self._others

    @property
    def lacks_named(self) -> bool:
        """Whether nothing can be called of what was asked for."""
        return not self._wanted

    def untaken(self, names: Collection[str]) -> Iterator[Untaken]:
        """What no scenario has come to so far, in the named operations or in all there are."""
        if self._kind is None:
            return untaken_in_module(self._module, names or self._public_names())
        return untaken_in_classes(self._own_classes(), names)

    def pointed(self, names: Collection[str], setup: str) -> Iterator[ScenarioText]:
        """Scenarios for functions with ways that nobody has gone, with arguments that lead there, it may be."""
        offered = {*self._names_wanted, *self._public_names()}
        names = [name for name in names if name in offered]  # others are called by these alone
        calls = (*self._wanted, *self._others)
        every = [call.text for call in calls]
        plain: list[Texts] = [(), *((call.text,) for call in calls if call.can_precede)]
        prepared = (texts for name in self._public_names() for texts in self._maker.prepared(name))
        before = [*plain, *(texts for texts in dict.fromkeys(prepared) if texts)]
        for text in (text for name in names for text in self._maker.pointed(name)):
            pairs = [(text, text), *((text, other) for other in every)]
            found = chain(product([()], pairs), product(before, pairs[:1]))
            yield from self._worth_it(_raced(setup, found))

    def after_two(self, names: Collection[str], setup: str) -> Iterator[ScenarioText]:
        """The same calls after two different ones, each made once or for two things: `create`, then `add`."""
        calls = [call for call in (*self._wanted, *self._others) if call.can_precede]
        steps = [step for call in calls for step in ((call.text,), *islice(both(call, ()), 1))]
        before = [(*one, *other) for one, other in permutations(steps, 2)]
        raced = [call for call in self._raced_calls() if self._name_of(call) in names]
        usual = [(call.text, call.text) for call in raced]
        apart = [
            (pair.forward, text)
            for call in raced
            for pair in crossed(call)
            for text in (pair.forward, pair.backward)
        ]
        yield from self._worth_it(_raced(setup, product(before, [*usual, *apart])))

    def repeated(self, setup: str) -> Iterator[ScenarioText]:
        """Calls that are made again and again before the race, more often than is worth it for all code."""
        calls = [call for call in (*self._wanted, *self._others) if call.can_precede]
        pairs = [(call, call) for call in self._raced_calls()]
        often = (((one.text,) * count, alike(pair)) for count in DEEPER for one in calls for pair in pairs)
        counted = (number for number in self._numbers(OFTEN) if number > MANY)
        to_limit = (((one.text,) * (count - 1), alike((one, one))) for count in counted for one in calls)
        fuller = [text for text in (self._more(setup), *self._fuller()) if text != setup]
        before: list[Texts] = [(), *((call.text,) * count for count in (1, FEW) for call in calls)]
        made = (scenario for each in fuller for scenario in _raced(each, product(before, map(alike, pairs))))
        yield from self._worth_it(chain(_raced(setup, chain(often, to_limit)), made))

    def _worth_it(self, scenarios: Iterable[ScenarioText]) -> Iterator[ScenarioText]:
        """Where they run, and without those in which something is given back that nobody has taken."""
        return (replace(each, on_loop=self.on_loop) for each in scenarios if self._taking.admits(each))

    def scenarios(self, setup: str | None = None) -> Iterator[ScenarioText]:
        """At most LIMIT scenarios: the wanted operations first, short prefixes first."""
        seen: set[ScenarioText] = set()
        for scenario in self._worth_it(self._ordered(setup or self.setup())):
            if scenario in seen:
                continue
            if len(seen) == LIMIT:
                self.left_out.append(f"only the first {LIMIT} scenarios were raced")
                return
            seen.add(scenario)
            yield scenario

    def crowds(self, waits: Callable[[str], bool], setup: str | None = None) -> Iterator[ScenarioText]:
        """What takes more than two calls to show; an invariant may count on there being two."""
        if self._told.invariant is None:
            calls = self._wanted or self._others
            texts = self._taking.in_blocks([call.text for call in calls])
            found = crowds(setup or self.setup(), texts, waits)
            yield from self._worth_it(found)

    def later(
        self, look: Callable[[ScenarioText], Seen | None], setup: str | None = None
    ) -> Iterator[ScenarioText]:
        """Pairs in states to which only several different calls lead, and where these were made for two things."""
        setup = setup or self.setup()
        calls = [call for call in (*self._wanted, *self._others) if call.can_precede]
        raced = {call.text for call in self._raced_calls()}

        def seen(before: Texts, call: str) -> Seen | None:
            found = next(self._worth_it(_raced(setup, [(before, (call, call))])), None)
            return None if found is None else look(replace(found, tasks=((unpaused(call),),)))

        others = {call.text: call.other for call in calls if call.other is not None}
        rivals = {call.text: call.rival for call in calls if call.rival is not None}
        for stage in new_stages([call.text for call in calls], seen):
            yield from self._worth_it(_raced(setup, raced_at(stage, raced, others, rivals)))

    def constructions(self, setup: str | None = None) -> Iterator[ScenarioText]:
        """Two tasks that each make an object where there is none yet: what a class keeps of them is raced so."""
        if self._has_constructor(CONSTRUCTORS):
            text = setup or self.setup()
            yield ScenarioText(setup="None", prefix=(), tasks=((text,), (text,)), on_loop=self.on_loop)

    def _has_constructor(self, names: AbstractSet[str]) -> bool:
        """Whether the class has one of its own by one of the names, or a metaclass that makes its objects."""
        if self._kind is None:
            return False
        own = {name for owner in self._own_classes() for name in vars(owner)}
        return not own.isdisjoint(names) or type(self._kind).__call__ is not type.__call__

    def setup(self) -> str:
        """The expression that makes the subject."""
        return self._told.setup or self._maker.setup()

    def further_setups(self) -> list[str]:
        """Other expressions that make the subject, for one of which nothing could be used."""
        return [] if self._told.setup else self._maker.larger()

    def _ordered(self, setup: str) -> Iterator[ScenarioText]:
        """The pair in question after every prefix, then all pairs from the start, after one call, after many."""
        first = [(self._first[0], self._first[-1])] if self._first else []
        pairs = self._pairs()
        everything = [*self._wanted, *self._others]
        several = self._companions(setup)
        variants = [v for pair in (*first, *pairs) for v in (alike(pair), *with_other_arguments(pair))]
        shared = self._about_several(several, self._raced_calls())
        return chain(
            several.against_themselves([call for call in self._first if call in shared]),
            _raced(setup, product(self._prefixes(), map(alike, first))),
            several.against_themselves(shared),
            _raced(setup, product([()], variants)),
            several.against_others(shared, everything),
            _raced(setup, about_two(self._raced_calls(), everything, self._prepared)),
            _raced(self._richer(setup), product([()], variants)),
            _raced(self._limited(setup), product([()], variants)),
            several.kept([] if self._told.invariant else everything),
            _raced(setup, with_one_stand_in(everything)),
            _raced(setup, with_two_listeners(everything, pairs)),
            _raced(setup, self._after_others(first, pairs)),
            filled(self._tighter(setup), everything, pairs),
            _raced(self._tighter(setup), nearly_full(pairs)),
            _raced(setup, at_turns(everything, pairs)),
            _raced(setup, self._after_a_while(pairs)),
        )

    def _prepared(self, call: Call) -> Iterator[Texts]:
        name = self._name_of(call)
        return self._maker.prepared(name) if name else iter(())

    def _name_of(self, call: Call) -> str:
        """Of what is plainly called."""
        found = re.match(rf"(?:await )?(?:{SUBJECT}\.)?(\w+)\(", call.text)
        return found[1] if found is not None else ""

    def _richer(self, setup: str) -> str:
        """With plenty of everything, where nobody says how the subject is to be made."""
        if self._kind is None or self._told.setup is not None:
            return setup
        return richer(setup, self._kind, self._module)

    def _fuller(self) -> list[str]:
        return [] if self._told.setup else self._maker.fuller()

    def _more(self, setup: str) -> str:
        """With one more of what there is one of, likewise."""
        if self._kind is None or self._told.setup is not None:
            return setup
        return more(setup, self._kind, self._module)

    def _limited(self, setup: str) -> str:
        """With little of what there is no end of, likewise."""
        if self._kind is None or self._told.setup is not None:
            return setup
        return limited(setup, self._kind, self._module)

    def _tighter(self, setup: str) -> str:
        """With room for little, likewise."""
        if self._kind is None or self._told.setup is not None:
            return setup
        return tighter(setup, self._kind, self._module, SIZE)

    def _after_others(
        self, first: list[tuple[Call, Call]], pairs: list[tuple[Call, Call]]
    ) -> Iterator[tuple[Texts, Pair]]:
        return chain(
            ((prefix, pair) for prefix in self._short_prefixes() for pair in map(alike, pairs)),
            (item for pair in (*first, *pairs) for item in after_one_of(pair)),
            (item for pair in pairs for item in up_to_the_limit(pair, self._numbers())),
            (item for pair in pairs for item in after_several(pair, self._numbers())),
            with_more_arguments([*self._wanted, *self._others]),
            () if self._widely else self._with_the_rest(),
        )

    def _companions(self, setup: str) -> Companions:
        """Where a finding is to be proven it says which state is shared; else what a function takes is."""
        return Companions(self._module, self._kind, setup, lone=self._kind is None and not self._first)

    def _about_several(self, several: Companions, calls: list[Call]) -> list[Call]:
        """The calls that may be raced with several objects."""
        if not self._told.invariant:
            return calls
        if next(several.against_themselves(calls), None) is not None:
            self.left_out.append("calls about several objects are not raced where an invariant speaks of one")
        return []

    def _raced_calls(self) -> list[Call]:
        return [*self._wanted, *self._others] if self._widely else self._wanted or self._others

    def _pairs(self) -> list[tuple[Call, Call]]:
        """Each call against itself first: most races are of that kind."""
        calls = self._raced_calls()
        return [*((call, call) for call in calls), *combinations(calls, 2)]

    def _with_the_rest(self) -> Iterator[tuple[Texts, Pair]]:
        """What was asked for against everything else: the other half of a race need not have been named."""
        for pair in product(self._wanted, self._others):
            yield from product(self._short_prefixes(), [alike(pair)])
            yield from (((), variant) for variant in with_other_arguments(pair))
            yield from after_one_of(pair)

    def _after_a_while(self, pairs: list[tuple[Call, Call]]) -> Iterator[tuple[Texts, Pair]]:
        """What is due later, or has been there for too long."""
        if not looks_at_clock(self._own_classes()):
            return
        passed = WHILE_ON_LOOP if self.on_loop else WHILE
        calls = [call.text for call in (*self._wanted, *self._others) if call.can_precede]
        before = [
            (),
            *((text,) * count for text in calls for count in (1, *(n for n in self._numbers() if n <= FEW_CALLS))),
        ]
        yield from (((*prefix, passed), alike(pair)) for pair in pairs for prefix in before)

    def _numbers(self, most: int = MANY) -> list[int]:
        return [number for number in self._mentioned if number <= most]

    @cached_property
    def _mentioned(self) -> list[int]:
        """The numbers that the class mentions: defaults of its constructor, constants of its own."""
        if self._kind is None:
            return []
        members = (item for owner in self._own_classes() for item in vars(owner).items())
        constants = [value for name, value in members if not name.startswith("__")]  # nor the line it begins at
        try:
            parameters = inspect.signature(self._kind).parameters.values()
        except (TypeError, ValueError):
            parameters = ()  # type: ignore[assignment]  # nothing to read
        found = [*(parameter.default for parameter in parameters), *constants]
        found += numbers_counted_to(self._own_classes())
        return sorted({value for value in found if type(value) is int and value > FEW})

    def _prefixes(self) -> Iterator[Texts]:
        yield ()
        wanted = [call.text for call in self._wanted if call.can_precede]
        for count in (1, 2, 4, *(number - 1 for number in self._numbers())):
            for text in wanted:
                yield (text,) * count
        for call in self._others:
            if call.can_precede:
                yield (call.text,)

    def _short_prefixes(self) -> list[Texts]:
        calls = (*self._wanted, *self._others)
        return list(dict.fromkeys([(), *((call.text,) for call in calls if call.can_precede)]))

    def _calls(self, names: Sequence[str]) -> list[Call]:
        calls: list[Call] = []
        for name in dict.fromkeys(names):
            try:
                found = list(self._maker.calls(name))
            except HarnessError as error:
                self.left_out.append(str(error))
                continue
            calls.extend(found)
            calls.extend(Call(block) for call in found if (block := self._block(call)) is not None)
        return calls

    def _block(self, call: Call) -> str | None:
        return self._taking.block(call.text, lambda giver: (each.text for each in self._maker.calls(giver)))

    def _public_names(self) -> list[str]:
        if self._kind is None:
            held = ((name, value) for name, value in vars(self._module).items() if not isinstance(value, type))
            home = self._module.__name__
            names = [name for name, value in held if getattr(value, "__module__", "") == home]
            public = [name for name in names if name[0] != "_"]
            return [name for name in public if name not in ENTRY_POINTS] or public
        names = [name for owner in self._own_classes() for name in vars(owner)]
        called = OPERATORS | OF_TWO | SYNTAX.keys()
        return [name for name in dict.fromkeys(names) if not name.startswith("_") or name in called]

    def _own_classes(self) -> list[type]:
        """The class and those it derives from, but the libraries'."""
        return [owner for owner in self._kind.__mro__ if owner.__module__ not in LIBRARIES] if self._kind else []


def _raced(setup: str, found: Iterable[tuple[Texts, Pair]]) -> Iterator[ScenarioText]:
    for prefix, pair in found:
        before = tuple(map(unpaused, prefix))
        yield ScenarioText(setup=setup, prefix=before, tasks=tuple((call,) for call in pair))
