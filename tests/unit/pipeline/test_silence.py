from pathlib import Path

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt

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


def hunted(tmp_path: Path, comment: str, line: str = "        self.value += 1", **options: object) -> list[str]:
    path = tmp_path / "counter.py"
    path.write_text(RACY.replace(line, f"{line}  {comment}"), "utf-8")
    findings, diagnostics, _ = hunt([path], **options)  # type: ignore[arg-type]  # what each test names
    return [finding.rule for finding in findings] + [
        str(item).removeprefix(f"{path.as_posix()}:") for item in diagnostics
    ]


@pytest.mark.parametrize("codes", ["", "[RH102,RH107]", "[RH1]", "[shared-state]", "[ALL]"])
def test_findings_are_silenced_by_whatever_selects_rules(codes: str, tmp_path: Path) -> None:
    assert hunted(tmp_path, f"# racehound: ignore{codes} a statistic") == []


@pytest.mark.parametrize("line", ["    def increment(self) -> None:", "class Counter:"])
def test_comment_at_a_definition_silences_all_in_it(line: str, tmp_path: Path) -> None:
    assert hunted(tmp_path, "# racehound: benign[RH102,RH107]", line) == []


def test_comment_for_the_file_silences_all_in_it(tmp_path: Path) -> None:
    assert hunted(tmp_path, "\n# racehound: ignore-file", "import threading") == []


def test_comment_that_silences_nothing_is_reported(tmp_path: Path) -> None:
    assert hunted(tmp_path, "# racehound: ignore[RH102,RH107,RH301]") == [
        "7: unused suppression: RH301 is not found here [unused-suppression]"
    ]
    assert hunted(tmp_path, "# racehound: ignore", "        self._lock = threading.Lock()") == [
        "RH102",
        "4: unused suppression: nothing is found here [unused-suppression]",
    ]


def test_finding_too_unsure_to_be_shown_still_uses_its_comment(tmp_path: Path) -> None:
    assert hunted(tmp_path, "# racehound: ignore", confidence=Confidence.CERTAIN) == []


def test_of_rules_that_did_not_run_nothing_is_said(tmp_path: Path) -> None:
    assert hunted(tmp_path, "# racehound: ignore[RH301]", select=["RH204"]) == []
    assert hunted(tmp_path, "# racehound: ignore", select=["RH204"]) == []


def test_unknown_code_and_comment_that_means_nothing_are_reported(tmp_path: Path) -> None:
    (found, complaint) = hunted(tmp_path, "# racehound: ignore[RH1022]")
    assert found == "RH102"
    assert complaint.startswith("7: unknown rule: RH1022; did you mean RH102")
    assert complaint.endswith("[invalid-suppression]")

    assert hunted(tmp_path, "# racehound: ignore[")[-1] == ("7: the bracket is not closed [invalid-suppression]")


LOCKED_ELSEWHERE = """import threading
class Tally:
    \"\"\"Thread-safe.\"\"\"
    def __init__(self):
        self._lock = threading.Lock()
        self.total = 0
        self.count = 0
    def tick(self):
        with self._lock:
            self.count += 1
    def add(self):
        self.total = self.total + weigh(1)
    def take(self):
        self.total = self.total + weigh(2)
def weigh(x): return x
"""


def test_silenced_finding_does_not_come_back_in_the_text_of_another_one(tmp_path: Path) -> None:
    path = tmp_path / "tally.py"
    path.write_text(LOCKED_ELSEWHERE)
    (plain,), _, _ = hunt([path])
    path.write_text(LOCKED_ELSEWHERE.replace("(1)", "(1)  # racehound: ignore[RH102] known"))
    (told,), diagnostics, _ = hunt([path])

    assert (plain.rule, told.rule) == ("RH107", "RH107")
    assert "RH102 adds: " in plain.trigger
    assert "RH102" not in told.trigger
    assert not diagnostics


DECLARED = """import threading
from queue import Queue
class Base(Later): ...
class Later(Base):
    def __init__(self):
        self._lock = threading.Lock()
class Stock(Later):
    def __init__(self):
        self.known = 0  # racehound: guarded_by(_lock)
        self.count = 0  # racehound: guarded_by(_lokc)
    def take(self):
        with self._lock:
            self.count -= 1
    # racehound: confined
    def left(self):
        return self.count
class Jobs(Queue):
    def __init__(self):
        self.done = 0  # racehound: guarded_by(mutex)
    def __repr__(self):
        # guarded_by: nothing that is said to us
        return ""
LIMIT = 3  # racehound: guarded_by(LOKC)
TABLE = {}  # racehound: guarded_by(LOCK)
LOCK = threading.Lock()
"""


def test_declaration_that_means_nothing_is_reported_and_accuses_nobody(tmp_path: Path) -> None:
    path = tmp_path / "stock.py"
    path.write_text(DECLARED)

    findings, diagnostics, _ = hunt([path])

    assert [str(item).partition("stock.py:")[2] for item in diagnostics] == [
        "10: there is no `_lokc` in `Stock` to guard `count` [invalid-declaration]",
        "14: it speaks of no field: put it behind an assignment, or on the line above one [invalid-declaration]",
        "23: there is no `LOKC` in the module to guard `LIMIT` [invalid-declaration]",
    ]
    assert "RH115" not in {finding.rule for finding in findings}
