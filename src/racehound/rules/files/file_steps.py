"""What the rules about files share: paths worth naming, and the two steps of a finding."""

import re
from collections.abc import Iterator

from racehound.analysis.meaning.calls import LENT_THREAD
from racehound.analysis.program import Program
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Acquire, Place, Release, Shape
from racehound.source.facts import FunctionFacts, ModuleFacts
from racehound.source.filecalls import FileCall

FILE_ERRORS = frozenset(
    {
        "OSError",
        "IOError",
        "EnvironmentError",
        "Exception",
        "BaseException",
        "FileNotFoundError",
        "FileExistsError",
    }
)
LOCK_PATH = re.compile(r"(?<![bc])lock(?!s?_?(time|dir|er))|pid_?(file|path)|\.pid\b|mutex", re.IGNORECASE)
_LOCK = re.compile(r"(?<![bc])lock", re.IGNORECASE)
_OWN_PATH = re.compile(r"te?mp|scratch", re.IGNORECASE)
_OWN_DIRECTORY = re.compile(r"(te?mp|scratch)\w*(dir|folder)|mkdtemp", re.IGNORECASE)
_SCRIPTS = frozenset({"tools", "scripts", "script", "examples", "docs", "benchmarks", "benchmark", "devtools"})
_CALLERS_OF_CALLERS = 4
"""How far up a lock is looked for."""
_OTHER_PROCESS = "another process, or another thread of this one"
_ONE_RUN = "one run of the program"
_OTHER_RUN = "another run of it at the same time"


def is_own(path: str) -> bool:
    """True for a temporary file: nobody else knows its name."""
    return bool(_OWN_PATH.search(path))


def is_own_directory(path: str) -> bool:
    """True for a temporary directory, whose files are nobody else's either."""
    return bool(_OWN_DIRECTORY.search(path))


def is_caught(program: Program, function: FunctionFacts, call: FileCall) -> bool:
    """True if the function expects that others were quicker."""
    return any(attempt.guards(call.at, FILE_ERRORS) for attempt in function.attempts) or _is_suppressed(
        program, function, call
    )


def _is_suppressed(program: Program, function: FunctionFacts, call: FileCall) -> bool:
    """True inside `with suppressed_errors():`, which the program has made for itself."""
    if Acquire not in function.holds:
        return False
    if function not in program.suppressing:
        program.suppressing[function] = tuple(_suppressing(function))
    return sum(step for index, step in program.suppressing[function] if index < call.at) > 0


def _suppressing(function: FunctionFacts) -> Iterator[tuple[int, int]]:
    """Where such a block begins, as 1, and where it ends, as -1."""
    for index, event in enumerate(function.events):
        if isinstance(event, Acquire | Release) and "suppress" in event.value.name:
            yield index, 1 if isinstance(event, Acquire) else -1


def is_excluded(program: Program, function: FunctionFacts, *calls: FileCall) -> bool:
    """True if a lock is held at each of the calls, or one between processes around all of them."""
    held = -1
    for call in calls:
        held &= program.locksets.at(function, call.at)
    return bool(held) or runs_under_file_lock(program, function)


def runs_under_file_lock(
    program: Program, function: FunctionFacts, called: frozenset[FunctionFacts] = frozenset()
) -> bool:
    """True if it takes a lock between processes, or everybody who calls it does."""
    known = program.file_locks
    if function not in known:
        known[function] = takes_file_lock(function)
    if known[function]:
        return True
    if len(called) > _CALLERS_OF_CALLERS:
        return False
    path = called | {function}
    callers = [caller for caller in callers_of(program, function) if caller not in path]
    return bool(callers) and all(runs_under_file_lock(program, caller, path) for caller in callers)


def callers_of(program: Program, function: FunctionFacts) -> Iterator[FunctionFacts]:
    """Functions that call it by its name."""
    for module in program.modules:
        for caller in dict.fromkeys(module.callers.get(function.name, ())):
            calls = caller.calls_of(function.name)
            if any(program.calls.target(caller, call) is function for _, call in calls):
                yield caller


def takes_file_lock(function: FunctionFacts) -> bool:
    names = {getattr(event, "method", "") for event in function.events}
    return any(names_lock(name) and name not in _NO_FILE_LOCKS for name in names)


_NO_FILE_LOCKS = frozenset({"unlock", "Lock", "RLock"})
"""Who makes a lock between threads keeps no other process out."""


def names_lock(name: str) -> bool:
    """True for `flock` and `_file_lock`, not for `block` and `clock`."""
    return bool(_LOCK.search(name))


def is_script(module: ModuleFacts) -> bool:
    """True for what developers run by hand, one at a time: scripts in a directory for such."""
    *directories, name = module.path.replace("\\", "/").split("/")
    if _SCRIPTS.isdisjoint(directories):
        return False
    return "__main__" in module.text or not name.removesuffix(".py").isidentifier()


def is_program(module: ModuleFacts) -> bool:
    """True for a module that is a command of its own: it reads its arguments, and runs when it is named."""
    origins = {origin.partition(".")[0] for origin in module.imports.values()}
    return not origins.isdisjoint({"argparse", "optparse", "getopt"}) and "__main__" in module.text


def is_lasting(function: FunctionFacts, path: str) -> bool:
    """True for a path that the object or the module keeps, so that all work on the same file."""
    return path.startswith(("self.", "cls.")) or path.partition(".")[0] in function.module.variables


def is_single(call: FileCall) -> bool:
    """True for `self.path` itself: the object has this file, and no others that keys tell apart."""
    return call.value.shape is Shape.PLACE and call.path.startswith(("self.", "cls."))


def is_crowded(program: Program, function: FunctionFacts) -> bool:
    """True if it runs beside itself; a thread that a coroutine has a step done in is no sign that two come."""
    return any(context.many and context.what not in _NO_CROWD for context in program.contexts.all(function))


_NO_CROWD = frozenset({LENT_THREAD, "a thread"})


def is_met_in(program: Program, function: FunctionFacts, path: str) -> bool:
    """True if threads that are started on one object, or on what a module has, come to the same file."""
    if not is_lasting(function, path) or not any(
        context.many and context.what != LENT_THREAD for context in program.contexts.all(function)
    ):
        return False
    return not path.startswith("self.") or program.contexts.shares(function, Place(SELF))


def accuse_files(
    rule: Rule,
    program: Program,
    pair: tuple[tuple[FunctionFacts, FileCall], tuple[FunctionFacts, FileCall]],
    trigger: str,
    confidence: Sureness,
    *,
    runs: bool = False,
    **facts: str,
) -> Finding:
    """Accuses the first of two calls; the second is what it meets: with `runs`, another run of the program."""
    (function, call), (other, rival) = pair
    runs = runs and not program.contexts.all(function)
    incident = Incident(
        first=_step(function, call, _ONE_RUN if runs else _context(program, function)),
        second=_step(other, rival, _OTHER_RUN if runs else _OTHER_PROCESS),
        trigger=trigger,
        confidence=confidence,
    )
    return report(rule, incident, path=call.path or rival.path, function=function.name, **facts)


def _step(function: FunctionFacts, call: FileCall, context: str) -> Step:
    return Step(function=function, span=call.span, action=call.verb.value, target=call.path, context=context)


def _context(program: Program, function: FunctionFacts) -> str:
    contexts = program.contexts.all(function)
    if contexts:
        return str(contexts[0])
    return "any process that runs it" if function.is_module_body else f"any process that calls `{function.name}`"
