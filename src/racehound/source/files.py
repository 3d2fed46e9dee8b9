"""Which calls work on files, and on which path."""

import ast
import re

from racehound.source.events import OTHER
from racehound.source.filecalls import FileCall, FileVerb
from racehound.source.values import outline
from racehound.source.walk import Walk, span_of

_FUNCTIONS = {
    "os.path.exists": FileVerb.CHECK,
    "os.path.isfile": FileVerb.CHECK,
    "os.path.isdir": FileVerb.CHECK,
    "os.path.lexists": FileVerb.CHECK,
    "os.path.islink": FileVerb.CHECK,
    "os.stat": FileVerb.STAT,
    "os.path.getsize": FileVerb.STAT,
    "os.path.getmtime": FileVerb.STAT,
    "os.path.getctime": FileVerb.STAT,
    "os.access": FileVerb.CHECK,
    "os.mknod": FileVerb.TOUCH,
    "os.mkdir": FileVerb.MAKE,
    "os.makedirs": FileVerb.MAKE,
    "os.remove": FileVerb.REMOVE,
    "os.unlink": FileVerb.REMOVE,
    "os.rmdir": FileVerb.REMOVE,
    "shutil.rmtree": FileVerb.REMOVE,
    "os.rename": FileVerb.RENAME,
    "os.replace": FileVerb.RENAME,
    "shutil.move": FileVerb.RENAME,
    "tempfile.mktemp": FileVerb.NAME,
}
_COPIES = {
    "shutil.copy": FileVerb.WRITE,
    "shutil.copy2": FileVerb.WRITE,
    "shutil.copyfile": FileVerb.WRITE,
    "shutil.copytree": FileVerb.MAKE,
}
"""What these do to the file that they are given last."""
_METHODS = {
    "exists": FileVerb.CHECK,
    "is_file": FileVerb.CHECK,
    "is_dir": FileVerb.CHECK,
    "is_symlink": FileVerb.CHECK,
    "stat": FileVerb.STAT,
    "mkdir": FileVerb.MAKE,
    "touch": FileVerb.TOUCH,
    "unlink": FileVerb.REMOVE,
    "rmdir": FileVerb.REMOVE,
    "rename": FileVerb.RENAME,
    "read_text": FileVerb.READ,
    "read_bytes": FileVerb.READ,
    "write_text": FileVerb.WRITE,
    "write_bytes": FileVerb.WRITE,
}
_WITH_ARGUMENT = frozenset({FileVerb.RENAME, FileVerb.READ, FileVerb.WRITE})
"""Methods of a path that take more than keywords; `exists(name)` is the method of something else."""
_GIVEN = {"read_text": 0, "write_text": 1}
"""How many arguments a path takes before the encoding."""
_OPENERS = frozenset({"open", "io.open", "codecs.open", "aiofiles.open", "anyio.open_file"})
_MODES = {"x": FileVerb.CREATE, "w": FileVerb.WRITE, "a": FileVerb.APPEND, "r": FileVerb.READ}
_BY_NAME = {
    "dump": (FileVerb.WRITE, 1),
    "save": (FileVerb.WRITE, None),
    "savez": (FileVerb.WRITE, 0),
    "savetxt": (FileVerb.WRITE, 0),
    "to_csv": (FileVerb.WRITE, 0),
    "to_json": (FileVerb.WRITE, 0),
    "to_parquet": (FileVerb.WRITE, 0),
    "to_pickle": (FileVerb.WRITE, 0),
    "load": (FileVerb.READ, 0),
    "read": (FileVerb.READ, 0),
    "loadtxt": (FileVerb.READ, 0),
    "read_csv": (FileVerb.READ, 0),
    "read_parquet": (FileVerb.READ, 0),
    "read_pickle": (FileVerb.READ, 0),
}
"""Calls of libraries that open a file themselves, and which argument is its path; None for any of them."""
_NAMES_FILE = re.compile(r"(path|file_?name|fname)\w*\W*$|\bjoin\(", re.IGNORECASE)
_UNNAMED = "a temporary file"
_WRAPPERS = frozenset({"str", "Path", "fspath", "PurePath"})
FILE_METHODS = frozenset(
    {
        *(*_METHODS, *_BY_NAME, "open", "open_file", "replace"),
        *(name.rpartition(".")[2] for name in (*_FUNCTIONS, *_COPIES)),
    }
)


def note_file_call(walk: Walk, node: ast.Call, method: str) -> None:
    """Adds what a call of one of `FILE_METHODS` does to a file, if that is what it does."""
    function = node.func
    place = walk.place(function)
    name = ""
    if place is not None:
        name = ".".join((walk.surroundings.imports.get(place.root, place.root), *place.attributes))
    if name in _OPENERS:
        _note(walk, node, _mode(node, 1), node.args[0] if node.args else None)
    elif name == "os.open":
        _note(walk, node, _flags(walk, node), node.args[0] if node.args else None)
    elif name in _COPIES:
        _note(walk, node, _COPIES[name], node.args[1] if len(node.args) > 1 else None)
    elif name in _FUNCTIONS:
        _note(walk, node, _FUNCTIONS[name], node.args[0] if node.args else None)
    elif method == "read" and _is_of_config_parser(walk, node):
        _note(walk, node, FileVerb.READ, node.args[0])
    elif method in _BY_NAME:
        verb, position = _BY_NAME[method]
        _note(walk, node, verb, _named_file(walk, node.args, position))
    elif isinstance(function, ast.Attribute):
        _note(walk, node, _method(node, method), function.value)


def _is_of_config_parser(walk: Walk, node: ast.Call) -> bool:
    """True for `parser.read(path)`; a file that is open is told how much to read, if anything."""
    known = "configparser" in {name.partition(".")[0] for name in walk.surroundings.imports.values()}
    return known and len(node.args) == 1 and not isinstance(node.args[0], ast.Constant | ast.BinOp)


def _named_file(walk: Walk, given: list[ast.expr], position: int | None) -> ast.expr | None:
    """The argument that is called a path: what is called a file is one that is open already."""
    chosen = given if position is None else given[position : position + 1]
    return next((node for node in chosen if _NAMES_FILE.search(walk.text(node))), None)


def _method(node: ast.Call, method: str) -> FileVerb | None:
    if method == "open":
        is_store = bool(node.args) and any(word.arg == "mode" for word in node.keywords)
        return None if is_store else _mode(node, 0)  # `store.open(path, mode="w")` is the method of something else
    if method == "replace":
        return FileVerb.RENAME if len(node.args) == 1 and not node.keywords else None
    verb = _METHODS.get(method)
    if (
        method in _GIVEN
        and len(node.args) > _GIVEN[method]
        and any(word.arg == "encoding" for word in node.keywords)
    ):
        return None  # `store.read_text(name, encoding="utf-8")` is told which file
    return verb if verb in _WITH_ARGUMENT or not node.args else None


def _note(walk: Walk, node: ast.Call, verb: FileVerb | None, path: ast.expr | None) -> None:
    if verb is FileVerb.REMOVE and _is_forgiving(node, verb):
        verb = FileVerb.CLEAR
    if verb is None or (path is None and verb is not FileVerb.NAME) or _is_forgiving(node, verb):
        return
    renamed = verb is FileVerb.RENAME and node.args
    call = FileCall(
        verb=verb,
        at=len(walk.events),
        path=_UNNAMED if verb is FileVerb.NAME or path is None else _text(walk, path),
        value=OTHER if path is None else outline(walk, path),
        span=span_of(node),
        tested=walk.testing,
        destination=_text(walk, node.args[-1]) if renamed else "",
    )
    walk.facts.files.append(call)


def _text(walk: Walk, node: ast.expr) -> str:
    while isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        if (getattr(node.func, "id", "") or getattr(node.func, "attr", "")) not in _WRAPPERS:
            break
        node = node.args[0]
    return walk.text(node)


def _mode(node: ast.Call, position: int) -> FileVerb | None:
    """What `open` does; None where the mode is not written there."""
    words = {word.arg: word.value for word in node.keywords}
    mode = words.get("mode") or (node.args[position] if len(node.args) > position else None)
    if mode is None:
        return FileVerb.READ
    if not isinstance(mode, ast.Constant) or not isinstance(mode.value, str):
        return None
    return next((verb for letter, verb in _MODES.items() if letter in mode.value), None)


def _flags(walk: Walk, node: ast.Call) -> FileVerb | None:
    """What `os.open` does; None where its flags are not written there."""
    text = walk.text(node.args[1]) if len(node.args) > 1 else ""
    if "O_EXCL" in text:
        return FileVerb.CREATE
    if "O_APPEND" in text:
        return FileVerb.APPEND
    return FileVerb.WRITE if "O_WRONLY" in text or "O_TRUNC" in text else None


_FORGIVING = frozenset({"exist_ok", "dirs_exist_ok", "missing_ok", "ignore_errors", None})


def _is_forgiving(node: ast.Call, verb: FileVerb) -> bool:
    """True for forms that do not mind what others did: `exist_ok`, `missing_ok`, `ignore_errors`."""
    if verb not in {FileVerb.MAKE, FileVerb.REMOVE}:
        return False
    return any(word.arg in _FORGIVING for word in node.keywords)
