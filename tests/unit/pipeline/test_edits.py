"""After an edit, what memory answers is what a hunt from nothing would find; and many edits need no hunt."""

import itertools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from racehound.analysis import islands
from racehound.model.finding import Confidence
from racehound.pipeline import analysing, learned, reading
from racehound.pipeline.edits import Edit, answer_after
from racehound.pipeline.hunt import Answer, hunt
from racehound.pipeline.results import Result

LONG_AGO = time.time() - 3600
SECONDS = itertools.count(1)
"""Files of one size that are written at the same time would be taken for the same."""
STORE = '''import threading


class Store:
    """Keeps things."""

    def __init__(self):
        self._lock = threading.Lock()
        self.items = {}
        self.total = 0

    def add(self, key, value):
        if key not in self.items:
            self.items[key] = value
        with self._lock:
            self.total += 1

    def drop(self, key):
        self.total -= 1
        return self.items.pop(key)

    def ordered(self):
        return sorted(self.items, key=lambda item: item[0])


def spare(value):
    return value * 2


def shown(value):
    return len(value)
'''
WORK = """import threading

from pkg.store import Store, shown

STORE = Store()
LIMIT = 3


def work(store):
    store.total += LIMIT
    return shown(store.items)


def start(count):
    for _ in range(count):
        threading.Thread(target=work, args=(STORE,)).start()
"""
FILES = {
    "store.py": STORE,
    "work.py": WORK,
    "plain.py": "def double(number):\n    return 2 * number\n",
    "apart.py": STORE.replace("Store", "Depot"),
}
LINES = (
    *("# a remark", "", "pass", '"""Says something."""', "value = 7", "LIMIT = 4", "print('line 9')"),
    *("self.total += 1", "self._lock = threading.Lock()", "with self._lock:\n    self.total = 0", "return None"),
    *("threading.Thread(target=work).start()", "import threading", "from pkg.store import spare", "spare(1)"),
    *("import pkg.apart", "from pkg import apart", "from pkg.apart import Depot as Store"),
    *("def spare(value):\n    return value + 1", "def fresh(value):\n    return str(value)", "y = lambda: 0"),
    *(
        "class Other(Store):\n    def drop(self, key):\n        self.items.clear()",
        "@staticmethod",
        "async def a(): 0",
    ),
)


def write(path: Path, text: str, at: float = LONG_AGO) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))


@pytest.fixture(name="tree")
def _tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(islands, "ENOUGH", 0)
    for name, text in FILES.items():
        write(tmp_path / "pkg" / name, text)
    ask(cached=True)
    return tmp_path / "pkg"


def ask(*, cached: bool) -> Answer:
    return hunt(["pkg"], confidence=Confidence.POSSIBLE, cache="cache" if cached else None)


@pytest.fixture(name="hunts")
def _hunts(tree: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each hunt that was needed after the first; the first has been answered."""
    assert tree.is_dir()
    seen: list[int] = []
    real = analysing.analyse

    def counted(*arguments: object, **words: object) -> object:
        seen.append(1)
        return real(*arguments, **words)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(analysing, "analyse", counted)
    return seen


def edited(text: str, at: int, kind: str, line: str) -> str:
    lines = text.split("\n")
    at %= len(lines)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    if kind == "insert":
        lines[at:at] = [indent + row for row in line.split("\n")]
    elif kind == "remove":
        del lines[at]
    else:
        lines[at] = lines[at].replace("1", "2").replace("work", "job") + "  # so"
    return "\n".join(lines)


Tree: TypeAlias = dict[str, str]


def renamed(files: Tree, old: str, new: str) -> Tree:
    return {name: text.replace(old, new) for name, text in files.items()}


def moved(files: Tree) -> Tree:
    """The threads are started by another module."""
    kept, start, rest = files.get("work.py", "").partition("def start(")
    head = "import threading\n\nfrom pkg.work import STORE, work\n\n\n"
    return {**files, "work.py": kept, "late.py": f"{head}{start}{rest}"}


def without(files: Tree, gone: str) -> Tree:
    return {name: text for name, text in files.items() if name != gone}


NAMES = st.sampled_from(list(FILES))
CHANGES = st.one_of(
    st.builds(
        lambda name, *edit: lambda files: {**files, name: edited(files.get(name, ""), *edit)},
        NAMES,
        st.integers(0, 60),
        st.sampled_from(["insert", "insert", "remove", "change"]),
        st.sampled_from(LINES),
    ),
    st.builds(
        lambda names: lambda files: renamed(files, *names),
        st.sampled_from([("total", "count"), ("work(", "job("), ("Store", "Shop"), ("_lock", "_mutex")]),
    ),
    st.builds(lambda name: lambda files: without(files, name), NAMES),
    st.sampled_from([moved, lambda files: {**files, "late.py": WORK}]),
)


@settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(CHANGES, min_size=1, max_size=3))
@pytest.mark.usefixtures("unmeasured")
def test_answer_after_an_edit_is_that_of_a_hunt_from_nothing(
    tree: Path, changes: list[Callable[[Tree], Tree]]
) -> None:
    """One tree for all examples: what was kept of one state is there when the next one is asked about."""
    files = FILES
    for change in changes:
        files = change(files)
    settle(tree, files, LONG_AGO + 5)
    try:
        assert ask(cached=True) == ask(cached=False)
    finally:
        settle(tree, FILES)
        ask(cached=True)


LED_TO = {
    **FILES,
    "shaft.py": WORK.replace("store import Store, shown", "level import Level").replace("Store()", "Level()"),
    "level.py": (
        "from pkg.deep import Deep\n\n\nclass Level(Deep):\n    def rise(self):\n        self.total += 1\n"
        "\n\ndef shown(level):\n    level.sink()\n"
    ),
    "deep.py": "class Deep:\n    def sink(self):\n        self.depth = self.depth - 1\n",
    "cellar.py": "class Cellar(Depot):\n    def drop(self, key):\n        self.total -= 2\n",
}
"""Three of these have no sign by themselves."""
MORE = st.builds(
    lambda name, *edit: lambda files: {**files, name: edited(files.get(name, ""), *edit)},
    st.sampled_from([name for name in LED_TO if name not in FILES]),
    st.integers(0, 20),
    st.sampled_from(["insert", "insert", "remove", "change"]),
    st.sampled_from(
        (*LINES, "class Other(Level): pass", "class Other(Store): pass", "from pkg.shaft import LEVEL")
    ),
)


@pytest.fixture(name="led_tree")
def _led_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(islands, "ENOUGH", 0)
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    (tmp_path / "pkg").mkdir()
    settle(tmp_path / "pkg", LED_TO, known=LED_TO)
    ask(cached=True)
    return tmp_path / "pkg"


@settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.one_of(MORE, CHANGES), min_size=1, max_size=2))
@pytest.mark.usefixtures("unmeasured")
def test_answer_after_an_edit_is_the_same_where_files_are_read_because_others_lead_to_them(
    led_tree: Path, changes: list[Callable[[Tree], Tree]]
) -> None:
    """One edit after the other: each is answered with what was kept of the one before."""
    files = LED_TO
    for change in changes:
        files = change(files)
    settle(led_tree, files, LONG_AGO + next(SECONDS), known=LED_TO)

    assert ask(cached=True) == ask(cached=False)


def settle(tree: Path, files: Tree, at: float = LONG_AGO, known: Tree = FILES) -> None:
    """Makes the tree consist of the files; those that are as they were keep their time."""
    for path in tree.iterdir():
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        write(tree / name, text, at if text != known.get(name) else LONG_AGO)


SAME = {
    "comment": STORE.replace("        self.total = 0", "        # none yet\n        self.total = 0"),
    "docstring": STORE.replace("Keeps things.", "Keeps things.\n\n    All of them."),
    "computing function": f"{STORE}\n\ndef fresh(value):\n    return str(value) + 'x'\n",
    "computing function that changes": STORE.replace("value * 2", "abs(value) * 3"),
    "computing function that goes": STORE.replace("def spare(value):\n    return value * 2\n", ""),
}
OTHER = {
    "comment that silences": STORE.replace("self.total -= 1", "self.total -= 1  # racehound: ignore"),
    "field": STORE.replace("self.total = 0", "self.total = []"),
    "function that others ask for": STORE.replace("return len(value)", "return max(value)"),
    "function that is mentioned": STORE.replace('"""Keeps things."""', "twice = spare(2)"),
    "function that comes twice": f"{STORE}\n\ndef spare(value):\n    return value\n",
    "function that waits": f"{STORE}\n\ndef fresh(value):\n    return input(value)\n",
    "coroutine": f"{STORE}\n\nasync def fresh(value):\n    return value\n",
    "decorated function": f"{STORE}\n\n@staticmethod\ndef fresh(value):\n    return value\n",
    "function over a global": f"{STORE}\n\ndef fresh(value):\n    global shown\n    shown = value\n",
    "method call": f"{STORE}\n\ndef fresh(value):\n    return value.close()\n",
    "hidden built-in": f"{STORE}\n\ndef len(value):\n    return value\n",
    "word in the text": STORE.replace("Keeps things.", "Keeps things, not async."),
    "text of what takes a lock": STORE.replace("with self._lock:", "with self._lock:  # mine"),
    "statement that is reported": STORE.replace("self.total -= 1", "self.total  -=  1"),
    "no Python": STORE.replace("class", "klass"),
    "no reason to parse": "def fresh(value):\n    return value\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_edit_that_teaches_nothing_new_needs_no_hunt(tree: Path, hunts: list[int], text: str) -> None:
    write(tree / "store.py", text, LONG_AGO + 5)

    answer = ask(cached=True)

    assert hunts == []
    assert answer == ask(cached=False)
    assert answer[0]


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER.keys())
def test_edit_that_may_matter_is_hunted_in(tree: Path, hunts: list[int], text: str) -> None:
    write(tree / "store.py", text, LONG_AGO + 5)

    answer = ask(cached=True)

    assert hunts == [1]
    assert answer == ask(cached=False)


def kept() -> Iterator[Path]:
    return Path("cache").glob("*/*")


@pytest.mark.parametrize("spoiled", [b"", b"no more than this"])
def test_texts_that_are_not_the_ones_of_the_answer_are_not_compared(
    tree: Path, hunts: list[int], spoiled: bytes
) -> None:
    next(path for path in kept() if path.name.endswith(".texts")).write_bytes(spoiled)
    write(tree / "store.py", SAME["comment"], LONG_AGO + 5)

    ask(cached=True)

    assert hunts == [1]
    write(tree / "store.py", SAME["docstring"], LONG_AGO + 7)
    write(tree / "work.py", f"# so\n{WORK}", LONG_AGO + 7)
    assert ask(cached=True) == ask(cached=False)
    assert hunts == [1, 1]  # the second one without memory: what was spoiled has been kept anew


@pytest.mark.parametrize("ending", [".texts", ".learned"])
def test_answer_without_what_was_learned_is_found_anew(tree: Path, hunts: list[int], ending: str) -> None:
    next(path for path in kept() if path.name.endswith(ending)).unlink()
    write(tree / "store.py", SAME["comment"], LONG_AGO + 5)

    ask(cached=True)

    assert hunts == [1]


def test_many_changed_files_are_not_compared_one_by_one(
    tree: Path, hunts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned, "_FEW", 0)
    write(tree / "store.py", SAME["comment"], LONG_AGO + 5)

    ask(cached=True)

    assert hunts == [1]


def test_texts_of_files_that_did_not_change_are_still_those_of_the_answer(tree: Path, hunts: list[int]) -> None:
    write(tree / "work.py", WORK.replace("count", "times"), LONG_AGO + 5)
    ask(cached=True)
    hunts.clear()
    write(tree / "store.py", SAME["comment"], LONG_AGO + 6)

    answer = ask(cached=True)

    assert hunts == []
    assert answer == ask(cached=False)


def test_second_changed_file_that_matters_is_noticed(tree: Path, hunts: list[int]) -> None:
    write(tree / "store.py", SAME["comment"], LONG_AGO + 5)
    write(tree / "work.py", WORK.replace("count", "times"), LONG_AGO + 5)

    assert ask(cached=True) == ask(cached=False)
    assert hunts[:1] == [1]


def test_what_cannot_be_parsed_cannot_be_compared() -> None:
    known = Result((), (), 1, 1, {})

    assert answer_after(Edit("a.py", b"x = 1\n", b"x = 1  # so\n"), known, frozenset()) == known
    assert answer_after(Edit("a.py", b"x = 1\n", b"x = (\n"), known, frozenset()) is None
