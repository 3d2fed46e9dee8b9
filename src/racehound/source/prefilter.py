"""Which files can hold a finding at all, told from their bytes: in a large tree, most need not be parsed.

A file that never imports threads, coroutines or processes, enters nothing that is called a lock, claims no thread
safety, decorates nothing with an object and does not work on files holds no finding by itself. One rule needs none
of these: a loop that resizes what it goes over, for which a pattern stands in. What is wrong in a thread only, as
a change of the current directory is, needs no sign: the file with the thread has one, and leads here.

Literals come first: the search for one runs at the speed of memory, a pattern takes a hundred times as long.
"""

import re
from collections.abc import Iterator
from itertools import chain

SIGNS = {
    b"async def ": (),
    b"Thread": (b"Threading", b"ThreadPool"),
    b"start_new_thread": (),
    b"os.fork": (),
    b".acquire(": (),
    b"urlpatterns": (),
    b"/tmp": (),
    b"gettempdir": (),
    b"write_": (b"write_text(", b"write_bytes("),
    b"os.re": (b"os.replace", b"os.rename"),
    b"racehound:": (),
    b"guarded_by": (),
    b"with self": (b"with self:", b"with self,", b"with self as "),
    b"ContextDecorator": (),
    b"get_response": (b"(self, get_response",),
    b"MiddlewareMixin": (),
    b"WeakValueDictionary": (),
    b"start_response": (b"environ, start_response)",),
    b"django": (b"django.template import", b"from django import template"),
    b"_pb2_grpc": (),
    b"def __del__(": (),
    b"signal.signal(": (),
    b"gc.callbacks": (),
    b".throw(": (),
}
"""Each of these alone makes a file worth parsing; where some have a part in common, that is looked for first."""
_MODULES = (
    *(b"threading", b"_thread", b"asyncio", b"concurrent", b"multiprocessing", b"gevent", b"eventlet", b"trio"),
    *(b"anyio", b"curio", b"socketserver", b"http.server", b"xmlrpc", b"flask", b"fastapi", b"bottle", b"quart"),
    *(b"sanic", b"falcon", b"pyramid", b"starlette", b"rest_framework", b"django.views", b"flask_restful"),
    *(b"grpc", b"cherrypy", b"dramatiq", b"huey", b"apscheduler", b"watchdog", b"paho", b"telebot", b"slack_bolt"),
    *(b"dash", b"joblib", b"asgiref", b"QtCore"),
)
"""Modules whose import makes a file worth parsing, also where it is a module of the program that has this name."""
_IMPORT = re.compile(rb"\n[^\S\n]*(?:from|import)\s([^\n]*)")
_MODULE = re.compile(rb"\b(?:" + b"|".join(map(re.escape, _MODULES)) + rb")\b")
_LOOKS = (b"exists(", b"isfile(", b"isdir(", b"is_file(", b"is_dir(", b"os.access")
_LISTS = (b"listdir(", b"scandir(", b"iterdir(", b"glob(", b"os.walk(")
_REMOVES = (b"remove(", b"unlink(", b"rmdir(", b"rmtree(")
_SIGNALS = (b"os.kill", b"psutil")
_OPENS = (b"open(", b"read_text(")
_STEPS = (
    *(b"open(", b"mkdir(", b"makedirs(", b"remove(", b"unlink(", b"rmdir(", b"rmtree(", b"rename(", b"move("),
    *(b"touch(", b"read_text(", b"read_bytes("),
)
"""A look at a file matters where something is done to a file afterwards."""
_LIBRARY_WRITES = re.compile(rb"\.(?:dump|save|savez|savetxt|to_csv|to_json|to_parquet|to_pickle)\(")
_LIBRARY_READS = re.compile(rb"\.(?:load|loadtxt|read_csv|read_parquet|read_pickle)\(")
"""What libraries write and read by themselves, given a path."""
_WRITE_MODE = re.compile(rb"""["'][bt]?w[bt+]{0,2}["']""")
_READS = (b"read_text(", b"read_bytes(", b"onfigParser(")
_CALLED = re.compile(rb"def __call__\(")
_KEPT = re.compile(rb"\.\w+(?:\[[^\]\n]*\])?[^\n=!<>]{0,80}=[^=]|\b(?:as|for) \w+\.\w")
"""Something is put into an attribute."""
_OWN_STEP = re.compile(rb"\bself\._[a-z]\w*\(")
_ENTERED_LOCK = re.compile(
    rb"with [\w.\[\]()]{0,60}(?:[Ll]ock|LOCK|[Mm]utex|MUTEX|[Ss]ema|SEMA|[Cc]ond|COND|cv|CV|[Gg]uard|[Mm]onitor"
    rb"|not_(?:empty|full))[^\n#]{0,60}:"
)
_LIBRARY_WRITE = re.compile(
    rb"\.(?:dump|save|savez|savetxt|to_csv|to_json|to_parquet|to_pickle)\([^\n]{0,80}(?:path|file_?name|fname|join\()"
)
_CLAIM = re.compile(
    rb"thread[\s-]?safe|(?:safe|shared)\s[^.]{0,50}threads|multi-?threaded|from \w+ threads?"
    rb"|(?:called|used|accessed|invoked|updated|filled|changed|modified|reached|written|read|sold|shared|hit|fed|run)"
    rb"\s[^.]{0,60}\sthread"
)
_CALLED_BACK = re.compile(rb"\b(?:ref|proxy|finalize)\([^(),\n]{1,60},")
"""An object is given a function that is called when it goes."""
_LOOPS = re.compile(rb"for [^\n]{1,80}? in (?:enumerate\()?([\w.]{1,60})(?:\.(?:items|keys|values)\(\))?\)?:")
_RESIZERS = (b".pop(", b".popitem(", b".remove(", b".discard(", b".add(", b".clear(", b".insert(")
_DELETED = re.compile(rb"del ([\w.]{1,60})\[")
_OWN_CALL = re.compile(rb"\b(?:self|cls)\.\w+\(")
_PLAIN_CALL = re.compile(rb"(?<![\w.])(\w+)\(")
_OTHER_NAME = re.compile(rb"\b(\w+) = (?:self|cls)\.\w+\s*$", re.MULTILINE)
_CLASS = b"class "
_CLASS_HEAD = re.compile(rb"class \w+\(([^)]*)\)")
_NAME = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")


def is_worth_parsing(data: bytes) -> bool:
    return (
        _has_sign(data)
        or _imports_concurrency(data)
        or (b"mktemp" in data and b"tempfile" in data)
        or (any(look in data for look in _LOOKS) and any(step in data for step in _STEPS))
        or (any(step in data for step in _LISTS) and any(step in data for step in _REMOVES))
        or (b"pid" in data and any(step in data for step in _SIGNALS) and any(step in data for step in _OPENS))
        or (b"fcntl" in data and (b"flock(" in data or b"lockf(" in data))
        or _rewrites_files(data)
        or any(_keeps(_block(data, head)) for head in _CALLED.finditer(data))
        or (_LIBRARY_WRITES.search(data) is not None and _LIBRARY_READS.search(data) is not None)
        or _ENTERED_LOCK.search(data) is not None
        or ((b".load" in data or b".read_" in data) and _LIBRARY_WRITE.search(data) is not None)
        or (b"hread" in data and _claims_safety(data.lower()))
        or (b"weakref" in data and _CALLED_BACK.search(data) is not None)
        or _resizes_own_iterable(data)
    )


def _keeps(block: bytes) -> bool:
    """True for the body of a `__call__` that puts something into an attribute, or has a step that may."""
    return _KEPT.search(block) is not None or _OWN_STEP.search(block) is not None


def _has_sign(data: bytes) -> bool:
    for part, signs in SIGNS.items():
        if part in data and (not signs or any(sign in data for sign in signs)):
            return True
    return False


def _rewrites_files(data: bytes) -> bool:
    """True where a file is opened to be written, and a file is read: it may be the same one."""
    opened = data.count(b"open(")
    if not opened or _WRITE_MODE.search(data) is None:
        return False
    return opened > 1 or any(step in data for step in _READS) or _LIBRARY_READS.search(data) is not None


def _imports_concurrency(data: bytes) -> bool:
    """True if a line that begins an import has one of the modules in it, as a word."""
    lines = b"\n".join(_IMPORT.findall(b"\n" + data))
    return _MODULE.search(lines) is not None


def _claims_safety(text: bytes) -> bool:
    return _CLAIM.search(text) is not None


def _resizes_own_iterable(data: bytes) -> bool:
    """A loop over something that is resized in it, or by a method or function of the file that is called in it."""
    loops = list(_LOOPS.finditer(data))
    resized = set(_resized(data, {loop[1] for loop in loops})) if loops else set()
    return any(_may_resize(data, loop) for loop in loops if loop[1] in resized)


def _may_resize(data: bytes, loop: "re.Match[bytes]") -> bool:
    block, place = _block(data, loop), loop[1]
    if any(_resized(block, {place})):
        return True
    if place.startswith((b"self.", b"cls.")):
        return _calls_own_method(data, block)
    return b"." not in place and _is_of_module(data, place) and _calls_own_function(data, block)


def _is_of_module(data: bytes, name: bytes) -> bool:
    """True for `NAME = ...` at the beginning of a line."""
    return data.startswith(name) or b"\n" + name + b" = " in data or b"\n" + name + b": " in data


def _calls_own_function(data: bytes, block: bytes) -> bool:
    return any(b"\ndef " + name + b"(" in data for name in _PLAIN_CALL.findall(block))


def _calls_own_method(data: bytes, block: bytes) -> bool:
    """As `self.drop()`, or by a name that the method was given: `drop = self.drop`."""
    if _OWN_CALL.search(block) is not None:
        return True
    return not set(_OTHER_NAME.findall(data)).isdisjoint(_PLAIN_CALL.findall(block))


def _resized(data: bytes, places: set[bytes]) -> Iterator[bytes]:
    """Those of the places that a method or `del` takes something out of, or puts something into."""
    ends = tuple(places)
    for before in chain((match[1] for match in _DELETED.finditer(data)), _called_on(data)):
        if before.endswith(ends):
            yield from (place for place in places if before.endswith(place))


def _called_on(data: bytes) -> Iterator[bytes]:
    """What stands before the methods that resize a container."""
    for method in _RESIZERS:
        at = data.find(method)
        while at >= 0:
            yield data[max(0, at - 60) : at]
            at = data.find(method, at + 1)


def _block(data: bytes, head: "re.Match[bytes]") -> bytes:
    """What follows a head, on its line and on those that are indented deeper."""
    begin = data.rfind(b"\n", 0, head.start()) + 1
    depth = _depth(data[begin : head.start()] + b".")
    end = data.find(b"\n", head.end()) + 1
    while 0 < end < len(data):
        after = data.find(b"\n", end) + 1 or len(data)
        line = data[end:after]
        if line.strip() and not line.lstrip().startswith((b"#", b")")) and _depth(line) <= depth:
            break
        end = after
    return data[head.end() : end or len(data)]


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def base_names(data: bytes) -> frozenset[str]:
    """Names that stand in the heads of class definitions."""
    found = (name for bases in _class_heads(data) for name in _NAME.findall(bases))
    return frozenset(name.decode("ascii") for name in found)


def _class_heads(data: bytes) -> Iterator[bytes]:
    """What stands in the brackets of each class that begins a line."""
    at = data.find(_CLASS)
    while at >= 0:
        head = None
        if not data[data.rfind(b"\n", 0, at) + 1 : at].strip(b" \t"):
            head = _CLASS_HEAD.match(data, at)
        if head is not None:
            yield head[1]
        at = data.find(_CLASS, at + 1 if head is None else head.end())
