"""What was collected of each parsed file, for the next hunt: a changed file alone has to be parsed then.

Facts are taken apart into columns and pickled, and read back by a reader that makes nothing but the values of
which facts consist: a file which somebody else has put there can be wrong, but cannot run anything. Named tuples
are made past their constructors.

Facts are read back when they are asked for. Until then there is an outline of the module, which is enough to see
that the island it belongs to is as it was.
"""

import copyreg
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeAlias

from racehound.pipeline import reading
from racehound.pipeline.cachedir import CacheDirectory, Draft, part_of
from racehound.pipeline.columns import columns_of, module_of
from racehound.pipeline.conclusions import Conclusions
from racehound.pipeline.results import Unread
from racehound.pipeline.signatures import Witness, content_of, digest, signature
from racehound.source import events
from racehound.source.extraction import extract
from racehound.source.facts import Measure, ModuleFacts
from racehound.source.module import SourceModule, decoded

Places: TypeAlias = dict[str, list[Any]]
"""By path: where the facts begin in the file of all facts, how many bytes they take, a digest of these, lines and
bases of the file where others led to it, and the outline of the module, where that is enough for a start."""

Keep: TypeAlias = Callable[[Iterable[ModuleFacts]], None]

_ROOM = "racehound.source."
_ENDING = ".facts"
_DAMAGE = (ValueError, LookupError, AttributeError, TypeError, pickle.UnpicklingError, EOFError, SyntaxError)
"""What reading raises that comes upon something else."""


def _named_tuple(kind: type[tuple[Any, ...]], parts: tuple[Any, ...]) -> Any:
    return tuple.__new__(kind, parts)


def _reduced(value: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    return _named_tuple, (type(value), tuple(value))


def _put_together(module: ModuleFacts, read: ModuleFacts) -> None:
    """Gives a module the functions and classes that were read for it."""
    module.text, module.imports, module.variables = read.text, read.imports, read.variables
    module.claims_thread_safety, module.claims_processes = read.claims_thread_safety, read.claims_processes
    module.functions, module.classes, module.callers = read.functions, read.classes, read.callers
    for item in read.classes:
        item.module = module
    for function in read.functions:
        function.module = module


_EVENTS = [item for item in vars(events).values() if isinstance(item, type) and issubclass(item, tuple)]


class _Writer(pickle.Pickler):
    dispatch_table = {  # noqa: RUF012 - pickle's own
        **copyreg.dispatch_table,
        **dict.fromkeys(_EVENTS, _reduced),
    }


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Values of the room in which facts are made, and nothing else."""
        if (module, name) == (__name__, _named_tuple.__name__):
            return tuple.__new__
        found = getattr(sys.modules.get(module), name, None) if module.startswith(_ROOM) else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of facts")
        return found


class FactStore:
    """The facts of an earlier hunt, as far as their files have not changed since."""

    def __init__(
        self,
        entries: CacheDirectory,
        key: str,
        files: Mapping[str, Witness],
        places: Mapping[str, Any],
        unread: Mapping[str, Unread],
    ) -> None:
        self._entries = entries
        self._name = f"{key}{_ENDING}"
        self._files = files
        self._places = places
        self._unread = unread
        self._is_of_everything = len(files) <= reading.EVERYTHING
        """Files were parsed whatever was in them: in a larger tree they may not be."""
        self.recalled: set[str] = set()
        """Paths of files whose facts were asked for and are as they were."""

    def recall(self, path: Path, name: str, *, is_wanted: bool) -> ModuleFacts | Unread | None:
        """What a look at the file would give; `is_wanted` says that it is to be parsed whatever is in it."""
        text = str(path)
        if not self._is_as_before(text):
            return None
        if text in self._unread:
            return None if is_wanted else self._unread[text]
        try:
            _, _, _, unread, outline = self._places[text]
            if not is_wanted and self._is_of_everything:
                return None
            if not is_wanted and unread is not None:
                return Unread(int(unread[0]), frozenset(unread[1]))
            return self._facts(path, name) if outline is None else self._outlined(path, name, outline)
        except _DAMAGE:
            return None  # there are none, or they were not written by us

    def _outlined(self, path: Path, name: str, outline: Any) -> ModuleFacts:
        (lines, events, text), imports = outline
        measure = Measure(int(lines), int(events), str(text))
        module = ModuleFacts.recalled(name, measure, dict(imports), partial(self._load, path))
        self.recalled.add(str(path))
        return module

    def _is_as_before(self, path: str) -> bool:
        known, content = self._files.get(path, (None, None))
        if known is not None and signature(path) == known:
            return True
        return content is not None and content_of(path) == content

    def _load(self, path: Path, module: ModuleFacts) -> None:
        """Where the facts cannot be had any more, the file is read again."""
        found = self._facts(path, module.path) or _collected(path, module.path)
        _put_together(module, found)

    def _facts(self, path: Path, name: str) -> ModuleFacts | None:
        packed = self.packed(str(path))
        try:
            facts = None if packed is None else module_of(_Reader(BytesIO(packed)).load())
            data = path.read_bytes()
            if facts is not None and facts.path == name and digest(data) == self._files[str(path)][1]:
                facts.text = decoded(data, name)
                self.recalled.add(str(path))
                return facts
        except (*_DAMAGE, OSError):
            pass  # not written by us, or gone meanwhile
        self.recalled.discard(str(path))
        return None

    def packed(self, path: str) -> bytes | None:
        with self._entries.opened(self._name) as file:
            found = self.copied(file, path)
        return None if found is None or digest(found[0]) != found[1] else found[0]

    def copied(self, file: IO[bytes] | None, path: str) -> tuple[bytes, Any] | None:
        """The bytes, and the digest that they must have: whoever reads them compares the two."""
        start, size, known, *_ = self._places[path]
        packed = None if file is None else part_of(file, int(start), int(size))
        return None if packed is None or len(packed) != size else (packed, known)


class FactKeeper:
    """Keeps the facts of a hunt; what it had from an earlier one is copied as it is."""

    def __init__(self, entries: CacheDirectory, key: str, earlier: FactStore | None) -> None:
        self._entries = entries
        self._name = f"{key}{_ENDING}"
        self.conclusions = Conclusions(entries, key)
        self.earlier = earlier
        self.places: Places = {}
        self._end = 0

    @contextmanager
    def keeping(self, paths: Mapping[str, str], led_to: Mapping[str, Unread]) -> Iterator[Keep]:
        """Takes modules as soon as nobody asks for them any more; `paths` are those of their files, by name.

        `led_to` are files that were parsed because others led to them.
        """
        with self._entries.opened(self._name) as before, Draft(self._entries, self._name) as draft:
            yield partial(self._keep, (before, draft), paths, led_to)
        self.conclusions.keep()

    def _keep(
        self,
        entry: tuple[IO[bytes] | None, Draft],
        paths: Mapping[str, str],
        led_to: Mapping[str, Unread],
        modules: Iterable[ModuleFacts],
    ) -> None:
        before, draft = entry
        for module in modules:
            path = paths[module.path]
            found = self._again(before, path) or _pack(module)
            if found is not None:
                packed, known = found
                unread = led_to.get(path)
                otherwise = None if unread is None else [unread.lines, sorted(unread.bases)]
                self.places[path] = [self._end, len(packed), known, otherwise, _outline(module)]
                self._end += len(packed)
                draft.add(packed)

    def _again(self, before: IO[bytes] | None, path: str) -> tuple[bytes, Any] | None:
        if self.earlier is None or path not in self.earlier.recalled:
            return None
        return self.earlier.copied(before, path)


def _outline(module: ModuleFacts) -> list[Any] | None:
    """None for a module with comments that speak to us: they are needed from the start."""
    is_plain = not module.suppressions and not module.declarations
    return [module.measure, module.imports] if is_plain else None


def _collected(path: Path, name: str) -> ModuleFacts:
    """What is in the file now; where that cannot be told any more, nothing."""
    found = reading.read_file((path, name), is_wanted=True)
    return found if isinstance(found, ModuleFacts) else extract(SourceModule.from_text("", name))


def _pack(module: ModuleFacts) -> tuple[bytes, str] | None:
    module.load()
    module.forget_text()
    packed = BytesIO()
    try:
        _Writer(packed, pickle.HIGHEST_PROTOCOL).dump(columns_of(module))
    except RecursionError:
        return None
    return packed.getvalue(), digest(packed.getvalue())
