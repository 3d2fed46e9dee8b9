import gc
import sys
import sysconfig
from pathlib import Path

import pytest

from racehound.errors import UsageError
from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt, hunt_text

RACY = """import threading
class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0
    def increment(self) -> None:
        self.value += 1
    def reset(self) -> None:
        with self._lock:
            self.value = 0
def work(counter: Counter) -> None:
    threads = [threading.Thread(target=counter.increment) for _ in range(2)]
    for t in threads: t.start()
    for t in threads: t.join()
"""
SOUND = RACY.replace("        self.value += 1\n", "        with self._lock:\n            self.value += 1\n")


@pytest.fixture
def counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "counter.py"
    path.write_text(RACY, "utf-8")
    return path


def test_racy_counter_is_accused_and_counted(counter: Path) -> None:
    findings, diagnostics, statistics = hunt([counter])

    assert [(finding.rule, str(finding.location)) for finding in findings] == [
        ("RH102", "counter.py:7"),
    ]
    assert diagnostics == ()
    assert (statistics.files, statistics.lines) == (1, 14)
    assert statistics.rules == {"RH102": 1}


def test_counter_that_locks_everywhere_is_silent(counter: Path) -> None:
    counter.write_text(SOUND, "utf-8")

    assert hunt([counter], confidence=Confidence.POSSIBLE)[0] == ()


def test_rules_can_be_selected_and_ignored(counter: Path) -> None:
    asked = hunt([counter], select=["RH107"], confidence=Confidence.POSSIBLE)[0]

    assert [finding.rule for finding in asked] == ["RH107"]
    assert [finding.rule for finding in hunt([counter], ignore=["RH107"])[0]] == ["RH102"]


def test_unknown_rule_is_a_usage_error(counter: Path) -> None:
    with pytest.raises(UsageError, match="unknown rule: RH999"):
        hunt([counter], select=["RH999"])


def test_only_findings_as_sure_as_asked_for_are_shown(counter: Path) -> None:
    certain = hunt([counter], confidence=Confidence.CERTAIN)[0]

    assert [finding.rule for finding in certain] == ["RH102"]


def test_suppressed_finding_is_silent(counter: Path) -> None:
    counter.write_text(RACY.replace("+= 1", "+= 1  # racehound: ignore[RH102] a statistic"), "utf-8")

    assert hunt([counter])[:2] == ((), ())


def test_bad_file_gets_a_line_and_the_rest_is_analysed(counter: Path) -> None:
    (counter.parent / "broken.py").write_text("def f(:\n", "utf-8")

    findings, diagnostics, statistics = hunt([counter.parent])

    assert len(findings) == 1
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    told = [str(diagnostic) for diagnostic in diagnostics]
    assert told == [f"broken.py:1: not valid Python {version}: invalid syntax"]
    assert statistics.files == 2


def test_fingerprints_survive_other_quotes() -> None:
    code = "import os\n\ndef f(path):\n    if not os.path.exists('a.lock'):\n        open('a.lock', 'w').close()\n"
    single, double = (hunt_text(text.encode(), "m.py")[0] for text in (code, code.replace("'", '"')))

    assert [item.fingerprint for item in single] == [item.fingerprint for item in double] != []


def test_fingerprints_survive_edits_above_and_tell_equal_statements_apart(counter: Path) -> None:
    before = [finding.fingerprint for finding in hunt([counter])[0]]
    counter.write_text("# a comment\n\nx = 1\n" + RACY, "utf-8")
    assert [finding.fingerprint for finding in hunt([counter])[0]] == before

    counter.write_text(RACY + RACY.replace("Counter", "Other"), "utf-8")
    assert len({finding.fingerprint for finding in hunt([counter])[0]}) == 2

    text = "import time\nasync def go():\n    time.sleep(5)\n"
    counter.write_text(text + "if x:\n" + "".join(f"    {line}\n" for line in text.splitlines()), "utf-8")
    found = hunt([counter])[0]
    assert len({finding.fingerprint for finding in found}) == len(found) == 2


def test_same_tree_gives_the_same_findings(counter: Path) -> None:
    (counter.parent / "other.py").write_text(RACY, "utf-8")

    assert hunt([counter.parent]) == hunt([counter.parent / "other.py", counter])


def test_file_nested_too_deeply_gets_a_line(counter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("racehound.pipeline.reading._RECURSION_LIMIT", 0)
    counter.write_text("if x: pass\n" + "elif x: pass\n" * 400, "utf-8")

    findings, diagnostics, _ = hunt([counter])

    assert findings == ()
    assert [str(diagnostic) for diagnostic in diagnostics] == ["counter.py: nested too deeply to be analysed"]


def test_long_chains_are_analysed(counter: Path) -> None:
    counter.write_text("if x: pass\n" + "elif x: pass\n" * 400 + RACY, "utf-8")

    assert len(hunt([counter])[0]) == 1


@pytest.mark.parametrize("collecting", [True, False])
def test_collector_and_recursion_limit_are_left_as_they_were(counter: Path, collecting: bool) -> None:
    limit, before = sys.getrecursionlimit(), gc.isenabled()
    try:
        if not collecting:
            gc.disable()
        hunt([counter])
        assert gc.isenabled() is collecting
    finally:
        if before:
            gc.enable()
    assert sys.getrecursionlimit() == limit


@pytest.mark.usefixtures("unmeasured")
def test_hunt_goes_through_the_standard_library_and_is_quiet() -> None:
    packages = ["asyncio", "concurrent", "logging", "multiprocessing", "unittest", "xml"]
    findings, diagnostics, statistics = hunt([Path(sysconfig.get_path("stdlib"), name) for name in packages])

    assert diagnostics == ()
    assert len(findings) <= statistics.lines / 1000
