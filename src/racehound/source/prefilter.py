"""Which files can hold a finding at all, told from their bytes: in a large tree, most need not be parsed.

A file that never imports threads, coroutines or processes, enters nothing that is called a lock, claims no thread
safety, decorates nothing with an object and does not work on files holds no finding by itself. One rule needs none
of these: a loop that resizes what it goes over, for which a pattern stands in.

Literals come first: the search for one runs at the speed of memory, a pattern takes a hundred times as long.
"""

import re

SIGNS = (
    *(b"async def ", b"Threading", b"ThreadPool", b"start_new_thread", b"os.fork", b".acquire(", b"urlpatterns"),
    *(b"/tmp", b"tempfile", b"mktemp", b"gettempdir", b"write_text(", b"write_bytes(", b"os.replace"),
    *(b"os.rename", b"chdir(", b"umask(", b"environ[", b"setlocale(", b"racehound:", b"guarded_by"),
    *(b"with self:", b"with self,", b"with self as ", b"ContextDecorator", b"def __call__("),
)
"""Each of these alone makes a file worth parsing."""
_MODULES = (
    *(b"threading", b"_thread", b"asyncio", b"concurrent", b"multiprocessing", b"gevent", b"eventlet", b"trio"),
    *(b"anyio", b"curio", b"socketserver", b"http.server", b"xmlrpc", b"flask", b"fastapi", b"bottle", b"quart"),
    *(b"sanic", b"falcon", b"pyramid"),
)
_IMPORT = re.compile(
    rb"^[ \t]*(?:from|import)[ \t][^\n]*\b(?:" + b"|".join(map(re.escape, _MODULES)) + rb")\b", re.MULTILINE
)
"""Modules whose import makes a file worth parsing, also where it is a module of the program that has this name."""
_LOOKS = (b"exists(", b"isfile(", b"isdir(", b"is_file(", b"is_dir(", b"os.access")
_STEPS = (
    *(b"open(", b"mkdir(", b"makedirs(", b"remove(", b"unlink(", b"rmdir(", b"rmtree(", b"rename(", b"move("),
    *(b"touch(", b"read_text(", b"read_bytes("),
)
"""A look at a file matters where something is done to a file afterwards."""
_WRITE_MODE = re.compile(rb"""["'][bt]?w[bt+]{0,2}["']""")
_ENTERED_LOCK = re.compile(
    rb"with [\w.\[\]()]{0,60}(?:[Ll]ock|LOCK|[Mm]utex|MUTEX|[Ss]ema|SEMA|[Cc]ond|COND|cv|CV|[Gg]uard|[Mm]onitor"
    rb"|not_(?:empty|full))[^\n#]{0,60}:"
)
_CLAIM = re.compile(rb"thread[\s-]?safe", re.IGNORECASE)
_OWN_RESIZE = re.compile(
    rb"for [^\n]{1,80}? in (?:enumerate\()?([\w.]{1,60})(?:\.(?:items|keys|values)\(\))?\)?:"
    rb"[^\0]{1,2000}?(?:del \1\[|\1\.(?:pop|popitem|remove|discard|add|clear|insert)\()"
)
_CLASS_HEAD = re.compile(rb"^[ \t]*class \w+\(([^)]*)\)", re.MULTILINE)
_NAME = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")


def is_worth_parsing(data: bytes) -> bool:
    return (
        any(sign in data for sign in SIGNS)
        or (any(name in data for name in _MODULES) and _IMPORT.search(data) is not None)
        or (any(look in data for look in _LOOKS) and any(step in data for step in _STEPS))
        or (b"open(" in data and _WRITE_MODE.search(data) is not None)
        or _ENTERED_LOCK.search(data) is not None
        or (b"afe" in data and _CLAIM.search(data) is not None)
        or _OWN_RESIZE.search(data) is not None
    )


def base_names(data: bytes) -> frozenset[str]:
    """Names that stand in the heads of class definitions."""
    found = (name for head in _CLASS_HEAD.findall(data) for name in _NAME.findall(head))
    return frozenset(name.decode("ascii") for name in found)
