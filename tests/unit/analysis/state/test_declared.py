"""What is declared decides over what is observed."""

from textwrap import dedent

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt_text

RACY = """
    import threading

    TOTAL = 0{module}

    class Base:
        def __init__(self):
            self._lock = threading.Lock()
            self.count = 0{field}
            self.other = 0

    class Counter(Base):
        def add(self):
            self.count += 1

        def drop(self):
            with self._lock:
                self.count -= 1

    def bump():
        global TOTAL
        TOTAL += 1

    def work(counter: Counter):
        for _ in range(3):
            threading.Thread(target=bump).start()
        threading.Thread(target=counter.add).start()
        threading.Thread(target=counter.add).start()
    """


def found(**comments: str) -> list[tuple[str, str]]:
    text = dedent(RACY).format(**{"module": "", "field": "", **comments})
    findings, _, _ = hunt_text(text.encode(), "counter.py", confidence=Confidence.POSSIBLE)
    return [(item.rule, item.subject.fields[0]) for item in findings]


def test_without_declarations_what_is_observed_counts() -> None:
    assert {("RH102", "count"), ("RH102", "TOTAL")} <= set(found())


def test_confined_state_is_silent() -> None:
    fields = {field for _, field in found(field="  # racehound: confined", module="  # racehound: confined")}

    assert fields.isdisjoint({"count", "TOTAL"})


def test_declared_guard_is_demanded_and_replaces_the_general_finding() -> None:
    rules = found(field="  # guarded_by: _lock")

    assert ("RH115", "count") in rules
    assert ("RH107", "count") not in rules


@pytest.mark.parametrize("lock", ["_lock", "self._lock"])
def test_finding_names_both_operations_and_the_lock(lock: str) -> None:
    text = dedent(RACY).format(module="", field=f"  # guarded_by: {lock}")

    findings, _, _ = hunt_text(text.encode(), "counter.py", select=["RH115"])

    (item,) = findings
    assert item.message == "`self.count` is declared guarded by `_lock`, and `add` writes it without that lock"
    assert (item.first.function, item.second.function) == ("Counter.add", "Counter.drop")
    assert item.second.locks == ("_lock",)
    assert item.subject.lock == "_lock"
    assert item.confidence is Confidence.LIKELY
