"""Whatever it is given, a hunt says one line about what it cannot read, and analyses the rest.

`RACEHOUND_FUZZ_MUTANTS=2000 pytest tests/quality -k mutated --timeout 3600` is the long form of the fuzz test.
"""

import os
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivers.mutation import mutants
from racehound.analysis.state.meeting import Meetings
from racehound.cli import exits
from racehound.cli.main import main
from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt, hunt_text
from racehound.rules import rh102_unlocked_read_modify_write
from racehound.source.module import SourceModule

LIBRARY = Path(sysconfig.get_path("stdlib"))
MUTANTS = int(os.environ.get("RACEHOUND_FUZZ_MUTANTS", "12"))
VICTIMS = ("queue.py", "sched.py", "contextlib.py", "asyncio/locks.py", "asyncio/queues.py", "socketserver.py")

RACY = """import threading

class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self.value = 0

    def increment(self):
        self.value += 1

    def reset(self):
        with self._lock:
            self.value = 0
"""

UNREADABLE = {
    "null bytes": b"x = 1\n\0y = 2\n",
    "utf-16": "x = 1\n".encode("utf-16"),
    "no such encoding": b"# -*- coding: nonsense -*-\nx = 1\n",
    "no text encoding": b"# coding: rot13\nk = 1\n",
    "undefined encoding": b"# coding: undefined\nx = 1\n",
    "not utf-8": b'x = "\xff\xfe"\n',
    "surrogates": b"# \xed\xa0\x80\n",
    "python 2": b'print "hello"\n',
    "python 2 exceptions": b'raise ValueError, "x"\n',
    "tabs and spaces": b"if x:\n\ty\n        z\n",
    "open string": b'x = """abc\n',
    "open bracket": b"x = (1,\n",
    "control character": b"x = 1\n\x1a",
    "nested brackets": b"x = " + b"[" * 1000 + b"]" * 1000 + b"\n",
    "nested blocks": b"".join(b" " * depth + b"if x:\n" for depth in range(1000)) + b" " * 1000 + b"pass\n",
}
"""What Python cannot read either."""

DEEP = {
    "attributes": b"x = a" + b".b" * 20_000,
    "sums": b"x = 1" + b"+1" * 20_000,
    "calls": b"x = f" + b"()" * 20_000,
    "signs": b"x = " + b"-" * 20_000 + b"1",
    "alternatives": b"x = " + b"1 if a else " * 5_000 + b"1",
    "branches": b"if x: pass\n" + b"elif y: pass\n" * 20_000,
    "doubling": b"def f(self):\n    x = self.a\n" + b"    x = x + x\n" * 200,
    "lambdas": b"x = " + b"lambda: " * 1_000 + b"1",
    "comprehensions": b"x = " + b"[y for y in " * 90 + b"z" + b"]" * 90,
    "blocks": b"".join(b" " * depth + b"while x:\n" for depth in range(19)) + b" " * 19 + b"pass\n",
}
"""Whether these can be parsed is up to the interpreter; none may end the hunt."""

READABLE = {
    "byte order mark": b"\xef\xbb\xbf" + RACY.encode(),
    "latin-1": b"# -*- coding: latin-1 -*-\n# \xe9\n" + RACY.encode(),
    "carriage returns": RACY.replace("\n", "\r").encode(),
    "windows line ends": RACY.replace("\n", "\r\n").encode(),
    "form feed": b"\x0c" + RACY.encode(),
    "no line end": RACY.rstrip().encode(),
    "number that Python does not print": RACY.encode() + b"\nMASK = 0x" + b"f" * 10_000 + b"\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counter.py").write_text(RACY)
    return tmp_path


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in UNREADABLE.items()])
def test_file_that_cannot_be_read_gets_one_line_and_the_rest_is_analysed(
    data: bytes, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "bad.py").write_bytes(data)

    assert main(["hunt"]) == exits.FINDINGS

    captured = capsys.readouterr()
    assert captured.err.startswith("racehound: bad.py:")
    assert captured.err.count("\n") == 1
    assert "counter.py:9" in captured.out


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in DEEP.items()])
def test_deep_nesting_ends_no_hunt(data: bytes, project: Path) -> None:
    (project / "deep.py").write_bytes(b"import threading\n" + data + b"\n")

    findings, diagnostics, statistics = hunt(["."])

    assert {item.location.path for item in findings} == {"counter.py"}
    assert len(diagnostics) <= 1
    assert statistics.files == 2


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in READABLE.items()])
def test_odd_but_valid_file_is_analysed(data: bytes) -> None:
    findings, diagnostics, _ = hunt_text(data, "odd.py")

    assert diagnostics == ()
    assert {item.rule for item in findings} == {"RH102"}


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_file_of_a_hundred_thousand_lines_is_analysed(project: Path) -> None:
    text = RACY + "".join(f"name_{number % 500} = {number}\n" for number in range(100_000))
    (project / "long.py").write_text(text)

    findings, diagnostics, statistics = hunt(["long.py"])

    assert {item.rule for item in findings} == {"RH102"}
    assert diagnostics == ()
    assert statistics.lines > 100_000


@pytest.mark.usefixtures("unmeasured")
def test_class_with_hundreds_of_methods_is_analysed() -> None:
    methods = "".join(f"    def m{number}(self):\n        self.value += {number}\n" for number in range(300))

    findings, _, _ = hunt_text((RACY + "\n" + methods).encode(), "wide.py", select=["RH102"])

    assert findings


def test_work_grows_with_the_methods_of_a_class_not_with_their_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    may_meet = Meetings.may_meet

    def counted(*given: Any) -> bool:
        asked.append(given)
        return may_meet(*given)

    monkeypatch.setattr(rh102_unlocked_read_modify_write, "_ASKED", 10)
    monkeypatch.setattr(Meetings, "may_meet", counted)
    methods = "".join(f"    def m{number}(self):\n        self.value += {number}\n" for number in range(60))

    findings, _, _ = hunt_text((RACY + "\n" + methods).encode(), "wide.py", select=["RH102"])

    assert findings
    assert len(asked) < 60 * 15


def test_name_of_a_file_cannot_break_the_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "two\nlines.py").write_text("def (\n")
    (project / "odd\udcff.py").write_text("def (\n")

    assert main(["hunt", "--format", "github"]) == exits.FINDINGS

    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("format_name", ["text", "markdown", "json", "sarif", "html", "github", "gitlab", "junit"])
def test_every_format_bears_a_name_that_is_no_text(
    format_name: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "counter.py").rename(project / "odd\udcff.py")

    assert main(["hunt", "--format", format_name, "--output", "report.txt"]) == exits.FINDINGS
    assert capsys.readouterr().err == ""
    assert main(["hunt", "--format", format_name]) == exits.FINDINGS


@pytest.mark.parametrize("name", VICTIMS)
def test_mutated_real_file_ends_no_hunt(name: str) -> None:
    """Every finding and every diagnostic stands on a line of the file."""
    data = (LIBRARY / name).read_bytes()
    for mutant in mutants(data, seed=len(data), count=MUTANTS):
        findings, diagnostics, _ = hunt_text(mutant, name, confidence=Confidence.POSSIBLE)

        last = len(mutant.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n").split("\n")) + 1
        places = [place.location.line for item in findings for place in (item, item.first, item.second)]
        assert all(1 <= line <= last for line in (*places, *(item.line or 1 for item in diagnostics)))
        assert all("\n" not in str(item) for item in diagnostics)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200))
def test_any_bytes_are_a_module_or_a_line(data: bytes) -> None:
    result = SourceModule.from_bytes(data, "any.py")

    assert isinstance(result, SourceModule) or "\n" not in str(result)


SNIPPETS = (
    "self.x = self.x + 1",
    "with self._lock:",
    "    self.x += 1",
    "if self.x is None:",
    "async def f(self):",
    "    await self.y",
    "for k in self.d:",
    "    del self.d[k]",
    "# racehound: ignore",
    "# guarded_by: _lock",
    "class C:",
    "  def m(self):",
    "    return self.x",
    "threading.Thread(target=f).start()",
    "try:",
    "finally:",
    "    pass",
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(SNIPPETS), max_size=14))
def test_any_order_of_lines_is_analysed_or_gets_a_line(lines: list[str]) -> None:
    findings, diagnostics, _ = hunt_text("\n".join(lines).encode(), "any.py", confidence=Confidence.POSSIBLE)

    assert not (findings and any(item.kind == "unreadable" for item in diagnostics))
