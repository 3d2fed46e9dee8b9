"""Two threads that ask for the one instance at the same time get two.

`if cls._instance is None: cls._instance = cls()` is a check and a write with a constructor between them. Both
threads pass the check, each makes an instance, and the one that lost the race keeps a second "singleton", with
state of its own, for as long as it lives.

Make the instance at import, or under a lock that is held over the check and the making.
"""

import re
from collections.abc import Iterator

from racehound.analysis.meaning.metaclasses import is_metaclass
from racehound.analysis.program import Program
from racehound.analysis.state.hazards import Hazard, hazard, is_idempotent
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.module_meeting import are_claimed
from racehound.analysis.state.plain import goes_on, is_lifeless, is_plain
from racehound.analysis.state.singletons import (
    class_containers,
    has_lock,
    is_filled_at_import,
    is_made_at_import,
    is_on_class,
    knows_threads,
    makes_itself,
    may_be_single,
)
from racehound.analysis.testfiles import is_test
from racehound.model.doubt import CERTAIN, Doubt, Sureness
from racehound.model.finding import Finding
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Rule, once
from racehound.rules.state.creation import (
    Creation,
    accusation,
    creations,
    is_made_elsewhere,
    is_stateless,
    opens_something,
    takes_its_time,
)
from racehound.rules.state.filled_later import is_filled_later
from racehound.rules.state.kept_objects import keeps_life
from racehound.source.facts import ClassFacts, ModuleFacts


class SingletonRace(Rule):
    meta = RuleMeta(
        code="RH106",
        name="singleton-race",
        summary="`{target}` may be created twice in `{function}`, once per thread that asks first",
        severity=Severity.ERROR,
        race_type="Singleton Without Lock",
        impact="Two instances of what must exist once, each with a state of its own.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Service:
                _instance = None

                @classmethod
                def get(cls):
                    if cls._instance is None:  # RH
                        cls._instance = cls()
                    return cls._instance
            """,
            fixed="""
            import threading

            class Service:
                _instance = None
                _lock = threading.Lock()

                @classmethod
                def get(cls):
                    with cls._lock:
                        if cls._instance is None:
                            cls._instance = cls()
                        return cls._instance
            """,
        ),
        Bad("""
            import threading

            class Single(type):
                _instances = {}

                def __call__(cls, *args):
                    if cls not in cls._instances:  # RH
                        cls._instances[cls] = super().__call__(*args)
                    return cls._instances[cls]
            """),
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            _client = None

            def client():
                global _client
                if _client is None:  # RH
                    _client = Client()
                return _client

            def fetch_all(urls):
                with ThreadPoolExecutor() as pool:
                    return list(pool.map(lambda url: client().fetch(url), urls))
            """),
    )
    good = (
        Good("""
            import threading

            class Service:
                _instance = None
                _lock = threading.Lock()

                @classmethod
                def get(cls):
                    if cls._instance is None:
                        with cls._lock:
                            if cls._instance is None:
                                cls._instance = cls()
                    return cls._instance
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        owners: list[Owner] = [item for item in program.hierarchy.classes if may_be_single(program, item)]
        for owner in (*owners, *program.modules):
            for found in creations(program, owner, _hazards(program, owner)):
                if not is_idempotent(found.gap.act.use):
                    yield from self._judge(program, found)
        for item in program.hierarchy.classes:
            if class_containers(program, item) and has_lock(program, item.module):
                yield from self._registers(program, item)

    def _registers(self, program: Program, owner: ClassFacts) -> Iterator[Finding]:
        """A table of the class itself, filled by whoever misses something, where the module knows locks."""
        names = class_containers(program, owner)
        for found in creations(program, owner, frozenset({Hazard.INSERT})):
            act = found.gap.act.use
            if found.field in names and not is_idempotent(act) and act.function.owner is owner:
                facts = accusation(program, found, act, MeetingDoubt.BY_MODULE.likely)
                target = f"{act.touch.place}{act.touch.key or ''}"
                yield self.accuse(program, facts, target=target, function=found.gap.function.name)

    def _judge(self, program: Program, found: Creation) -> Iterator[Finding]:
        act = found.gap.act.use
        owner = found.owner
        if isinstance(owner, ClassFacts) and not is_on_class(program, owner, act.function, act.touch.place.root):
            return
        if isinstance(owner, ClassFacts) and owner is not (act.function.owner or owner):
            return  # accused in the base class
        facts = accusation(program, found, act, _sure(program, found))
        yield self.accuse(program, facts, target=str(act.touch.place), function=found.gap.function.name)


_SETTING_UP = re.compile(
    r"(enable|install|load|set_?up|set|configure|start|activate|patch|register|init|initiali[sz]e|bootstrap)(_|$)"
)


def _hazards(program: Program, owner: Owner) -> frozenset[Hazard]:
    if isinstance(owner, ClassFacts) and is_metaclass(program.hierarchy, owner):
        return frozenset({Hazard.CREATE, Hazard.INSERT})
    return frozenset({Hazard.CREATE})


def _sure(program: Program, found: Creation) -> Sureness:
    """What two known threads read or fetch twice is told, though either will do.

    An object that callers fill is lost with what is in it, whatever else it is.
    """
    sure = _confidence(program, found)
    crowded = any(context.many for context in program.contexts.all(found.gap.function))
    if not sure.is_possible or not crowded or is_filled_at_import(program, found.uses):
        return sure
    if is_filled_later(program, found):
        return HarmDoubt.SHORT_WINDOW.likely
    told = sure.doubt is HarmDoubt.PLAIN_DATA and takes_its_time(program, found)
    return HarmDoubt.PLAIN_DATA.likely if told else sure


def _confidence(program: Program, found: Creation) -> Sureness:
    """Two things are asked: who comes there at the same time, and what is lost if it is made twice.

    Whoever sets a program up does so once, before it has threads; so does a module that is imported.
    """
    doubt = _doubt(program, found)
    if doubt is not None:
        return doubt.possible
    function = found.gap.function
    contexts = program.contexts.all(function)
    single = isinstance(found.owner, ClassFacts) and makes_itself(found.owner, found.gap.act.use)
    lives = single or keeps_life(found.gap.act.use) or opens_something(program, found)
    if len(contexts) > 1 or any(context.many for context in contexts):
        lives = lives or is_made_elsewhere(program, found) or goes_on(found.gap, found.uses)
        return CERTAIN if lives else HarmDoubt.NOT_LIVED.possible
    if lives and (contexts or Meetings(program).lock_of(use for use in found.uses if use.changes)):
        return MeetingDoubt.ONE_SEEN.likely if contexts else MeetingDoubt.BY_LOCK.likely
    owner = found.owner
    if isinstance(owner, ModuleFacts):
        told = lives and (are_claimed(owner, function) or knows_threads(owner))
        return MeetingDoubt.BY_MODULE.likely if told else MeetingDoubt.UNSEEN.possible
    asked = function.name != "__call__" or hazard(found.gap) is not Hazard.CREATE
    if is_made_at_import(owner):
        return MeetingDoubt.AT_IMPORT.possible
    if not ((single and asked) or goes_on(found.gap, found.uses)):
        return HarmDoubt.ONE_OF_A_KIND.possible
    is_shared = program.shared.why(owner) is not None or knows_threads(owner.module)
    if is_shared:
        return MeetingDoubt.BY_MODULE.likely
    is_anybodys = single and not function.name.startswith("__") and _has_threads(program)
    if is_anybodys and not Meetings(program).are_called_on_loops(function):
        return MeetingDoubt.BY_PROGRAM.likely
    return MeetingDoubt.UNSHARED_CLASS.possible


def _has_threads(program: Program) -> bool:
    """Where there are threads in any module, `Registry.instance()` is for them as well as for the others.

    A constructor that gives the one object says less: most such objects are made while a program is set up.
    """
    return any(knows_threads(module) for module in program.modules if not is_test(module))


def _doubt(program: Program, found: Creation) -> Doubt | None:
    if is_plain(program, found.gap, found.uses):
        return HarmDoubt.PLAIN_DATA
    if is_filled_at_import(program, found.uses):
        return MeetingDoubt.AT_IMPORT
    if is_stateless(program, found):
        return HarmDoubt.STATELESS
    if is_lifeless(program, found.gap, found.uses):
        return HarmDoubt.LIFELESS
    return MeetingDoubt.SETTING_UP if _SETTING_UP.match(found.gap.function.name) else None
