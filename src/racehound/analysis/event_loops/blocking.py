"""Calls that hold up the thread they run in, and the functions that make them.

A function handed to a thread or a pool runs elsewhere: what it does holds up nobody here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.event_loops.usual_calls import usual_calls
from racehound.analysis.files.databases import STATEMENTS, is_statement
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import is_owed
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import Bind, Call, Pause, Place, Shape, Value
from racehound.source.facts import FunctionFacts

_HTTP = ("get", "post", "put", "delete", "patch", "head", "options", "request")
BLOCKING_CALLS = frozenset(
    {
        "time.sleep",
        "urllib.request.urlopen",
        "urllib.request.urlretrieve",
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "os.system",
        "os.waitpid",
        "socket.create_connection",
        *("socket.gethostbyname", "socket.gethostbyname_ex", "socket.gethostbyaddr"),
        "input",
        *(f"{module}.connect" for module in ("psycopg2", "psycopg", "pymysql", "MySQLdb", "mysql.connector")),
        *(f"requests.{method}" for method in _HTTP),
        *(f"httpx.{method}" for method in _HTTP),
    }
)
_QUEUES = ("queue.Queue", "queue.SimpleQueue", "queue.LifoQueue", "queue.PriorityQueue", "multiprocessing.Queue")
BLOCKING_METHODS = {
    **{(kind, "get"): "waits for an item of" for kind in _QUEUES},
    **{(kind, "join"): "waits for all work of" for kind in _QUEUES},
    ("threading.Event", "wait"): "waits for",
    ("threading.Condition", "wait"): "waits for",
    ("threading.Barrier", "wait"): "waits at",
    ("threading.Thread", "join"): "waits for the end of",
    ("multiprocessing.Process", "join"): "waits for the end of",
    ("threading.Lock", "acquire"): "waits for",
    ("threading.RLock", "acquire"): "waits for",
    ("threading.Semaphore", "acquire"): "waits for",
}
"""Methods that wait for another thread, by the type of the object."""

_CONNECTING = frozenset(
    {
        *("smtplib.SMTP", "smtplib.SMTP_SSL", "imaplib.IMAP4", "imaplib.IMAP4_SSL", "ftplib.FTP"),
        *("ftplib.FTP_TLS", "poplib.POP3", "poplib.POP3_SSL", "telnetlib.Telnet"),
    }
)
"""Classes whose constructor waits for the other side, where it is given an address."""
_OUTSIDE_METHODS = {
    **{(kind, method): kind for kind in ("requests.Session", "requests.sessions.Session") for method in _HTTP},
    **{("httpx.Client", method): "httpx.Client" for method in _HTTP},
    **{("smtplib.SMTP", method): "smtplib.SMTP" for method in ("sendmail", "send_message", "login", "connect")},
    ("subprocess.Popen", "communicate"): "subprocess.Popen",
    ("paramiko.SSHClient", "connect"): "paramiko.SSHClient",
}
"""Methods that wait for the outside world, by the type of the object."""

_POOLS = frozenset(
    f"{module}.{name}"
    for module in ("concurrent.futures", "concurrent.futures.thread", "concurrent.futures.process")
    for name in ("ThreadPoolExecutor", "ProcessPoolExecutor", "Executor")
)
_DEPTH = 5
"""How many functions lie between a coroutine and the call that blocks, at most."""
_NAMES = (
    frozenset(name.rpartition(".")[2] for name in BLOCKING_CALLS | _CONNECTING)
    | {method for _, method in (*BLOCKING_METHODS, *_OUTSIDE_METHODS)}
    | {"result"}
    | STATEMENTS
)


def _is_imported_as(function: FunctionFacts, call: Call) -> bool:
    """True for `from requests import get as fetch`."""
    origin = function.module.imports.get(call.method) if call.receiver is None else None
    return origin is not None and origin in BLOCKING_CALLS


class Blocker(NamedTuple):
    """A call that blocks, in the function that makes it."""

    function: FunctionFacts
    call: Call
    what: str
    """`time.sleep`, or the object that is waited for."""
    action: str
    is_primitive: bool
    """It waits for another thread, not for the outside world."""


class Blocking:
    def __init__(self, calls: Calls, kinds: Kinds) -> None:
        self._calls = calls
        self._kinds = kinds
        self._known: dict[FunctionFacts, tuple[Blocker, ...]] = {}
        self._below: dict[tuple[FunctionFacts, int], Blocker | None] = {}

    def direct(self, function: FunctionFacts) -> tuple[Blocker, ...]:
        """What a function calls itself."""
        if function not in self._known:
            self._known[function] = tuple(self._find(function))
        return self._known[function]

    def below(self, function: FunctionFacts, call: Call, depth: int = _DEPTH) -> Blocker | None:
        """What a call blocks on in the end in its usual course, through functions that are not coroutines."""
        target = self._calls.target(function, call) or self._calls.of_result(function, call)
        if target is None or target.is_async or depth == 0 or _runs_elsewhere(target):
            return None
        key = (target, depth)
        if key not in self._below:
            self._below[key] = None  # functions that call each other add nothing
            found = (self._inside(item, depth) for item in self._in_place_of(target) if not _is_generator(item))
            self._below[key] = next((item for item in found if item is not None), None)
        return self._below[key]

    def _in_place_of(self, target: FunctionFacts) -> Iterator[FunctionFacts]:
        """What derived classes have in place of a method that only says what they owe."""
        yield target
        if target.owner is not None and is_owed(target):
            found = self._kinds.hierarchy.overriding(target.owner, target.name)
            yield from (item for item in found if not item.is_async)

    def _inside(self, target: FunctionFacts, depth: int) -> Blocker | None:
        direct = {id(blocker.call): blocker for blocker in self.direct(target)}
        for event in usual_calls(self._calls, target):
            if id(event) in direct:
                return direct[id(event)]
            found = None if self._calls.spawn(target, event) else self.below(target, event, depth - 1)
            if found is not None:
                return found
        return None

    def _find(self, function: FunctionFacts) -> Iterator[Blocker]:
        for event in function.events if Call in function.holds else ():
            if type(event) is Call and (event.method in _NAMES or _is_imported_as(function, event)):
                blocker = self._classify(function, event)
                if blocker is not None:
                    yield blocker

    def _classify(self, function: FunctionFacts, call: Call) -> Blocker | None:
        name = self._kinds.callee(function, call.callee) if call.callee is not None else None
        if isinstance(name, str) and name in BLOCKING_CALLS:
            harmless = any(value.shape is Shape.CONSTANT and value.name == "0" for value in call.arguments[:1])
            harmless = harmless or "WNOHANG" in str(call.arguments)
            return None if harmless else Blocker(function, call, name, "calls", is_primitive=False)
        if isinstance(name, str) and name in _CONNECTING and call.arguments:
            return Blocker(function, call, name, "calls", is_primitive=False)
        if call.method == "result":
            return self._result(function, call)
        if call.method in STATEMENTS:
            found = is_statement(self._kinds, function, call)
            return (
                Blocker(function, call, f"sqlite3 {call.method}", "calls", is_primitive=False) if found else None
            )
        return self._outside(function, call) or self._primitive(function, call)

    def _outside(self, function: FunctionFacts, call: Call) -> Blocker | None:
        kinds = self._kinds.value(function, call.receiver) if call.receiver is not None else ()
        known = [kind for kind in kinds if isinstance(kind, str) and (kind, call.method) in _OUTSIDE_METHODS]
        if not known or _does_not_wait(call):
            return None
        return Blocker(function, call, f"{min(known)}.{call.method}", "calls", is_primitive=False)

    def _primitive(self, function: FunctionFacts, call: Call) -> Blocker | None:
        if call.receiver is None or _does_not_wait(call) or _is_local(function, call):
            return None
        for kind in sorted(str(kind) for kind in self._kinds.value(function, call.receiver)):
            action = BLOCKING_METHODS.get((kind, call.method))
            if action is not None:
                return Blocker(function, call, str(call.receiver.place or kind), action, is_primitive=True)
        return None

    def _result(self, function: FunctionFacts, call: Call) -> Blocker | None:
        """`pool.submit(work).result()`: the future of a pool that is asked at once, before it can have ended.

        That of `run_coroutine_threadsafe` never ends where its loop is the one that is held up.
        """
        value = _asked(function, call)
        if value is None or value.shape is not Shape.CALL or _does_not_wait(call):
            return None
        pool = value.place
        if value.name == "run_coroutine_threadsafe":
            return Blocker(function, call, value.name, "waits for the result of", is_primitive=True)
        if (
            value.name != "submit"
            or pool is None
            or not self._kinds.place(function, Place(pool.root, pool.attributes[:-1])) & _POOLS
        ):
            return None
        return Blocker(function, call, str(pool), "waits for the result of", is_primitive=True)


def _runs_elsewhere(target: FunctionFacts) -> bool:
    """True for what a decorator hands to a pool: `@run_on_executor`."""
    names = ((place.attributes or (place.root,))[-1].lower() for place in target.decorators)
    return any("executor" in name or "thread" in name for name in names)


def _asked(function: FunctionFacts, call: Call) -> Value | None:
    """What was bound to the name that is asked, with no await between the two."""
    receiver = call.receiver
    if receiver is None or receiver.place is None or receiver.place.attributes:
        return receiver
    for event in reversed(function.events[: function.events.index(call)]):
        if isinstance(event, Pause):
            return None
        if isinstance(event, Bind) and event.name == receiver.place.root:
            return event.values[0] if len(event.values) == 1 else None
    return None


def _is_local(function: FunctionFacts, call: Call) -> bool:
    """True for an object that the function made itself: nobody else holds it up."""
    place = call.receiver.place if call.receiver is not None else None
    return place is not None and place.root in function.bound


def _does_not_wait(call: Call) -> bool:
    """`get(block=False)`, `acquire(False)`, `wait(0)`."""
    words = dict(call.keywords)
    first = call.arguments[0] if call.arguments else words.get("block") or words.get("blocking")
    given = [value for value in (first, words.get("timeout")) if value is not None]
    return any(value.shape is Shape.CONSTANT and value.name in {"False", "0"} for value in given)


def _is_generator(function: FunctionFacts) -> bool:
    return Pause in function.holds and any(getattr(event, "yields", False) for event in function.events)
