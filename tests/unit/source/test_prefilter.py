"""What the prefilter leaves out holds nothing that a rule could accuse."""

import textwrap
from pathlib import Path

import pytest

from racehound.model.finding import Confidence, Finding
from racehound.pipeline import reading
from racehound.pipeline.analysing import analyse
from racehound.rules.registry import all_rules
from racehound.source.prefilter import base_names, is_worth_parsing

CASES = Path(__file__).parents[2] / "rules"
STANDARD_LIBRARY = Path(textwrap.__file__).parent
BAD = [(rule.meta.code, case.code) for rule in all_rules() for case in rule.bad]
FILES = sorted(path for path in CASES.rglob("*.py") if path.stem.startswith("bad"))


@pytest.mark.parametrize(("code", "text"), BAD, ids=[f"{code}-{number}" for number, (code, _) in enumerate(BAD)])
def test_bad_example_of_a_rule_is_worth_parsing(code: str, text: str) -> None:
    assert is_worth_parsing(textwrap.dedent(text).encode())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_file_that_a_rule_accuses_is_worth_parsing(path: Path) -> None:
    assert is_worth_parsing(path.read_bytes())


@pytest.mark.parametrize(
    "text",
    [
        "import os, threading\n",
        "    from asyncio import Lock\n",
        "with self._lock:\n    pass\n",
        "with locks[key], other:\n    pass\n",
        '"""This class is Thread-Safe."""\n',
        "if os.path.exists(path):\n    os.remove(path)\n",
        "with open(path, mode='wb') as file:\n    pass\nwith open(path) as file:\n    pass\n",
        "class C:\n    def __call__(self, item):\n        def run():\n            self.item, last = item, 1\n",
        "for key in self.rows:\n    if key:\n        del self.rows[key]\n",
        "for key in self.rows:\n    self.drop(key)\n\nself.rows.pop(key)\n",
        "drop = self.drop\nfor key in self.rows:\n    drop(key)\n\nself.rows.pop(key)\n",
        "from tempfile import mktemp\n\npath = mktemp()\n",
        "server = ThreadPoolServer()\n",
    ],
)
def test_sign_makes_a_file_worth_parsing(text: str) -> None:
    assert is_worth_parsing(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "def f(block):\n    return block\n",
        "asyncio = None\n",
        "if query.exists():\n    pass\n",
        "# a thread\n",
        "with open(path, mode='wb') as file:\n    pass\n",
        "for key in self.rows:\n    print(key)\n\nself.rows.pop(key)\n",
        "path = self.mktemp()\n",
        "error = ThreadError()\n",
        "class C:\n    def __call__(self):\n        return self.a == 1\n\n    def f(self):\n        self.a = 1\n",
    ],
)
def test_file_without_a_sign_is_left_out(text: str) -> None:
    assert not is_worth_parsing(text.encode())


def test_bases_are_the_names_in_the_heads_of_classes() -> None:
    assert base_names(b"class A(b.C, D[int], metaclass=E):\n    class F(G): pass\n") >= {"b", "C", "D", "E", "G"}


def test_class_that_a_sentence_speaks_of_has_no_bases() -> None:
    assert base_names(b"# a class of (many\nclass F(G): pass\n# the class X(Y)\n") == {"G"}


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_hunt_of_the_standard_library_finds_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = ("asyncio", "concurrent", "logging")
    files = [path for name in packages for path in sorted((STANDARD_LIBRARY / name).rglob("*.py"))]
    files += sorted(STANDARD_LIBRARY.glob("[st]*.py"))
    monkeypatch.setattr(reading, "EVERYTHING", len(files))
    everything = found(files)
    monkeypatch.setattr(reading, "EVERYTHING", 0)

    assert found(files) == everything
    assert len(everything) > 2


def found(files: list[Path]) -> tuple[Finding, ...]:
    return analyse(files, all_rules(), Confidence.LIKELY).findings
