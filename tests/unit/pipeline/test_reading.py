"""In a large tree only files that can matter are parsed."""

from pathlib import Path

import pytest

from racehound.pipeline import reading
from racehound.pipeline.hunt import hunt

STARTER = """
import threading
from pkg.store import Store
from . import helper

def main():
    store = Store()
    for _ in range(3):
        threading.Thread(target=store.add).start()
"""
STORE = """
from pkg import table

class Store:
    def __init__(self):
        self.count = 0
        self.table = table.Table()

    def add(self):
        self.count += 1
        self.table.add()
"""
TABLE = """
class Table:
    def __init__(self):
        self.rows = 0

    def add(self):
        self.rows += 1
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    package = tmp_path / "pkg"
    package.mkdir()
    for name, text in {"starter": STARTER, "store": STORE, "table": TABLE, "helper": "x = 1\n"}.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    return package


def accused(path: Path) -> list[tuple[str, str]]:
    return [(finding.rule, str(finding.location)) for finding in hunt([path])[0]]


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\n\0",
        b"# caf\xe9\nx = 1\n",
        b"# coding: klingon\nx = 1\n",
        b"def f():\n    print 'hello'\n",
        b"try:\n    x\nexcept OSError, error:\n    pass\n",
        b"x = 1\n<<<<<<< ours\nx = 2\n",
        b"from {{ name }} import x\n",
        b"if True print\n",
        b"x = 1\n" * 1000 + b"y = (\n",
        b"x = 1\n" * 1000 + b'y = "a\n',
        b"x = 1\n" * 1000 + b"if x\n    pass\n",
    ],
)
def test_file_that_is_not_python_gets_its_line_also_where_it_need_not_be_parsed(tree: Path, data: bytes) -> None:
    (tree / "helper.py").write_bytes(data)

    (line,) = reading.read(sorted(tree.iterdir())).diagnostics

    assert line.path == "pkg/helper.py"


@pytest.mark.parametrize(
    "text", ['x = """\nprint "this"\n"""\n', 'x = "{% if y %}"\n', "# coding: latin-1\nx = 1\n"]
)
def test_file_that_only_looks_damaged_is_passed_over_like_its_neighbours(tree: Path, text: str) -> None:
    (tree / "helper.py").write_text(text, "utf-8")

    found = reading.read(sorted(tree.iterdir()))

    assert found.diagnostics == []
    assert any(path.endswith("helper.py") for path in found.unread)


def test_what_threads_come_to_is_read_through_imports_of_imports(tree: Path) -> None:
    assert accused(tree) == [("RH102", "pkg/store.py:10"), ("RH102", "pkg/table.py:7")]


def test_what_threads_come_to_is_read_however_many_files_lie_between(tree: Path) -> None:
    steps = 12
    for step in range(steps):
        text = f"from pkg import step{step + 1}\n\ndef go(store):\n    step{step + 1}.go(store)\n"
        (tree / f"step{step}.py").write_text(text, "utf-8")
    last = "total = 0\n\ndef go(store):\n    global total\n    total += 1\n"
    (tree / f"step{steps}.py").write_text(last, "utf-8")
    (tree / "begin.py").write_text(
        "import threading\nfrom pkg import step0\n\ndef main(store):\n    for _ in range(3):\n"
        "        threading.Thread(target=step0.go, args=(store,)).start()\n",
        "utf-8",
    )

    assert ("RH102", f"pkg/step{steps}.py:5") in accused(tree)


def test_bases_of_what_is_read_on_the_way_are_left_out_where_nobody_shares_them(tree: Path) -> None:
    (tree / "table.py").write_text(f"from pkg.plain import Plain\n\nclass Other(Plain): ...\n{TABLE}", "utf-8")
    (tree / "plain.py").write_text("class Plain: ...\n", "utf-8")

    modules = reading.read(sorted(tree.glob("*.py"))).modules

    assert [module.path for module in modules] == ["pkg/starter.py", "pkg/store.py", "pkg/table.py"]


def test_all_lines_are_counted_and_files_without_a_sign_are_not_parsed(tree: Path) -> None:
    (tree / "plain.py").write_text("x = 1\n" * 1000, "utf-8")

    _, diagnostics, statistics = hunt([tree])

    assert diagnostics == ()
    assert (statistics.files, statistics.unparsed) == (5, 2)
    assert statistics.lines == sum(path.read_text("utf-8").count("\n") for path in tree.glob("*.py"))


def test_files_that_cannot_be_read_or_parsed_get_their_line(tree: Path) -> None:
    (tree / "broken.py").write_text("import threading\ndef (:\n", "utf-8")
    (tree / "gone.py").symlink_to("nowhere.py")
    (tree / "odd.py").write_bytes(b"import threading\n\xff\n")

    _, diagnostics, statistics = hunt([tree / "broken.py", tree, tree / "odd.py"])

    messages = list(map(str, diagnostics))
    assert statistics.unparsed == 1 + len(messages) > 1
    assert any(message.startswith("pkg/broken.py:2: not valid Python") for message in messages)
    assert any("odd.py: cannot be decoded" in message for message in messages)


def test_file_that_vanishes_gets_its_line(tree: Path) -> None:
    found = reading.read([tree / "missing.py"]).diagnostics

    assert [str(item) for item in found] == ["pkg/missing.py: cannot be read: No such file or directory"]


def test_loop_that_resizes_its_own_container_needs_no_other_sign(tree: Path) -> None:
    (tree / "loop.py").write_text("def f(d):\n    for k in d:\n        d.pop(k)\n", "utf-8")

    assert ("RH104", "pkg/loop.py:3") in accused(tree)


def test_class_that_derives_from_one_with_a_lock_is_read(tree: Path) -> None:
    base = """
import threading

class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self.rows = []

    def add(self, row):
        with self._lock:
            self.rows.append(row)
"""
    derived = """
from pkg.base import Base

class Derived(Base):
    def take(self):
        if self.rows:
            return self.rows.pop()
"""
    (tree / "base.py").write_text(base, "utf-8")
    (tree / "derived.py").write_text(derived, "utf-8")

    assert ("RH101", "pkg/derived.py:6") in accused(tree)
