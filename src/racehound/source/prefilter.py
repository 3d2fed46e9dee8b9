"""Which files can hold a finding at all, told from their bytes: in a large tree, most need not be parsed.

A file that never mentions threads, coroutines, processes or files on disk holds no finding by itself. One rule
needs none of these: a loop that resizes what it goes over, for which a pattern stands in.
"""

import re

SIGNS = (
    *(b"hread", b"async", b"concurrent", b"multiprocessing", b"socketserver", b"http.server"),
    *(b"flask", b"fastapi", b"bottle", b"django.urls", b"gevent", b"trio", b"anyio", b"os.fork"),
    *(b".exists(", b"isfile(", b"isdir(", b"os.access", b"tempfile", b"/tmp", b"mktemp", b"gettempdir"),
    *(b"chdir(", b"umask(", b"environ[", b"setlocale(", b"lockfile", b".lock", b"write_text("),
    *(b'"w"', b"'w'", b'"wb"', b"'wb'", b'"wt"', b"'wt'", b'"w+"', b"'w+'"),
    *(b"racehound:", b"guarded_by"),
    *(b"write_bytes(", b"os.replace", b"os.rename", b"makedirs(", b".mkdir("),
)
SPAWNS = (
    *(b"Thread(", b"ThreadPool", b".submit(", b"run_in_executor", b"to_thread", b"start_new_thread", b"Timer("),
    *(b"Threading", b".route(", b"fastapi", b"flask", b"django.urls", b"(threading.Thread)"),
)
"""What starts threads hands work to other files: those that it imports are needed too."""

_OWN_RESIZE = re.compile(
    rb"for [^\n]{1,80}? in (?:enumerate\()?([\w.]{1,60})(?:\.(?:items|keys|values)\(\))?\)?:"
    rb"[^\0]{1,600}?(?:del \1\[|\1\.(?:pop|popitem|remove|discard|add|clear|insert)\()"
)
_CLASS_HEAD = re.compile(rb"^[ \t]*class \w+\(([^)]*)\)", re.MULTILINE)
_NAME = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")


def is_worth_parsing(data: bytes) -> bool:
    return any(sign in data for sign in SIGNS) or _OWN_RESIZE.search(data) is not None


def starts_threads(data: bytes) -> bool:
    return any(sign in data for sign in SPAWNS)


def base_names(data: bytes) -> frozenset[str]:
    """Names that stand in the heads of class definitions."""
    found = (name for head in _CLASS_HEAD.findall(data) for name in _NAME.findall(head))
    return frozenset(name.decode("ascii") for name in found)
