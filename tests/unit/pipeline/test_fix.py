"""Patches and their proofs; the prover is a function that answers as the test says."""

import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.reports import INCONCLUSIVE, RACE, SAFE, finding
from racehound.errors import UsageError
from racehound.model.finding import Finding, Subject
from racehound.model.patch import Patch, Refusal
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.model.report import Case, Statistics
from racehound.pipeline.files import read_source, write_source
from racehound.pipeline.fix import fix, fix_all
from racehound.pipeline.hunt import hunt
from racehound.pipeline.proofs import EVERYTHING, MOST_OLDER, Scope, prove_all
from racehound.pipeline.report import assemble
from racehound.pipeline.write import write_patches

STOCK = """\
class Stock:
    def __init__(self):
        self._count = 0
        self._sold = 0

    def take(self):
        self._count -= 1

    def sell(self):
        self._sold += 1


class Till:
    def __init__(self):
        self.cash = 0

    def pay(self, amount):
        self.cash += amount


class Bell:
    def __init__(self):
        self.rings = 0

    def ring(self, listener):
        self.rings += 1
        listener(self.rings)
        self.rings += 1
"""


class Prover:
    """Answers `safe` for patched text unless told otherwise, and remembers what it was asked."""

    def __init__(self, answer: Callable[[Finding, str], Proof] = lambda _finding, _source: SAFE) -> None:
        self.answer = answer
        self.asked: list[tuple[Finding, str | None, ScenarioText | None]] = []
        self.scopes: list[Scope] = []

    def __call__(
        self,
        finding: Finding,
        /,
        *,
        budget: float,
        source_override: str | None = None,
        first: ScenarioText | None = None,
        scope: Scope = EVERYTHING,
    ) -> Proof:
        assert budget == 3.0
        self.asked.append((finding, source_override, first))
        self.scopes.append(scope)
        return RACE if source_override is None else self.answer(finding, source_override)


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    path = tmp_path / "stock.py"
    path.write_text(STOCK)
    return path


def case_for(path: Path, name: str, field: str, *functions: str) -> Case:
    subject = Subject(path=str(path), class_name=name, functions=functions, fields=(field,))
    place = replace(finding().location, path=path.name)
    return Case(finding=replace(finding(), subject=subject, location=place), proof=RACE)


def test_patch_is_proven_with_the_scenario_that_broke_the_code(stock: Path) -> None:
    prover = Prover()
    case = case_for(stock, "Stock", "_count", "take")

    patch = fix(case, budget=3.0, prove=prover)

    assert isinstance(patch, Patch)
    assert patch.proof == SAFE
    assert patch.path == "stock.py"
    assert prover.asked == [(case.finding, patch.after, RACE.scenario)]
    assert stock.read_text() == STOCK


def test_a_scenario_that_broke_nothing_is_none_that_a_patch_is_held_against(stock: Path) -> None:
    """With it, branches that no scenario comes to would be taken as looked at."""
    prover = Prover()
    sampled = replace(SAFE, verdict=Verdict.SAMPLED, scenario=RACE.scenario)
    case = replace(case_for(stock, "Stock", "_count", "take"), proof=sampled)

    patch = fix(case, budget=3.0, prove=prover)

    assert isinstance(patch, Patch)
    assert prover.asked == [(case.finding, patch.after, None)]


def broken_by(*calls: str, oracle: str = RACE.oracle) -> Proof:
    scenario = ScenarioText(setup="Stock(5)", prefix=(), tasks=tuple((call,) for call in calls))
    return replace(RACE, scenario=scenario, oracle=oracle)


def test_what_fails_as_it_did_before_the_patch_is_gone_around_and_told(stock: Path) -> None:
    answers = [broken_by("subject[0].move(subject[1])", "subject.sell()"), SAFE]
    prover = Prover(lambda _finding, _source: answers.pop(0))
    case = case_for(stock, "Stock", "_count", "take")

    patch = fix(case, budget=3.0, prove=prover)

    assert isinstance(patch, Patch)
    assert patch.proof is not None
    assert (patch.proof.verdict, patch.proof.executions) == (SAFE.verdict, SAFE.executions)
    assert (
        patch.proof.reason
        == f"{SAFE.reason}; what fails as it did before the patch was left out: `move` with `sell`"
    )
    assert prover.scopes == [
        EVERYTHING,
        Scope(only_first=True),
        Scope(without=(frozenset({"move", "sell"}),)),
    ]


@pytest.mark.parametrize(
    "proof",
    [
        broken_by("subject.take()", "subject.take()"),
        broken_by("subject.sell()", "subject.sell()", oracle="deadlock"),
    ],
    ids=["what the patch is for", "in another way than before"],
)
def test_a_patch_that_breaks_something_is_not_excused(stock: Path, proof: Proof) -> None:
    case = case_for(stock, "Stock", "_count", "take")

    patch = fix(case, budget=3.0, prove=Prover(lambda _finding, _source: proof))

    assert isinstance(patch, Patch)
    assert patch.proof == proof


def test_a_class_that_fails_everywhere_is_given_up(stock: Path) -> None:
    numbers = iter(range(100))
    prover = Prover(lambda _finding, _source: broken_by(f"subject.method_{next(numbers)}()"))
    case = case_for(stock, "Stock", "_count", "take")

    patch = fix(case, budget=3.0, prove=prover)

    assert isinstance(patch, Patch)
    assert patch.proof == broken_by(f"subject.method_{MOST_OLDER}()")


def test_patch_without_a_prover_stays_unproven(stock: Path) -> None:
    case = case_for(stock, "Stock", "_count", "take")

    patch = fix(replace(case, proof=None), budget=3.0)

    assert isinstance(patch, Patch)
    assert patch.proof is None


def test_code_that_was_proven_safe_is_not_patched(stock: Path) -> None:
    case = replace(case_for(stock, "Stock", "_count", "take"), proof=SAFE)

    patch = fix(case, budget=3.0, prove=Prover())

    assert patch == Refusal("the code as it is was proven safe")


def test_no_patch_needs_no_proof(stock: Path) -> None:
    case = case_for(stock, "Missing", "_count")
    prover = Prover()

    (fixed,) = fix_all((case,), budget=3.0, prove=prover)

    assert fixed.patch is None
    assert fixed.patch_reason == "there is no class `Missing` in this file"
    assert prover.asked == []


def test_findings_of_one_class_share_one_patch(stock: Path) -> None:
    cases = (case_for(stock, "Stock", "_count", "take"), case_for(stock, "Stock", "_sold", "sell"))

    first, second = fix_all(cases, budget=3.0, prove=Prover())

    assert first.patch is not None
    assert second.patch is not None
    assert first.patch.diff == second.patch.diff
    assert first.patch.after.count("with self._lock:") == 2


def test_finding_that_no_patch_cures_is_given_no_patch_of_its_class(stock: Path) -> None:
    about_state, task = (case_for(stock, "Stock", "_count", "take"), case_for(stock, "Stock", "_sold", "sell"))
    lost = replace(task.finding, rule="RH306", subject=replace(task.finding.subject, fields=()))

    first, second = fix_all((about_state, replace(task, finding=lost)), budget=3.0, prove=Prover())

    assert first.patch is not None
    assert first.patch.after.count("with self._lock:") == 1
    assert second.patch is None
    assert second.patch_reason == "no patch cures it; the remedy says what does"


def test_every_finding_is_proven() -> None:
    cases = prove_all([finding(), finding(20)], budget=3.0, prove=Prover())

    assert [case.proof for case in cases] == [RACE, RACE]


def test_report_counts_the_verdicts() -> None:
    cases = [Case(finding=finding(), proof=RACE), Case(finding=finding(), proof=SAFE), Case(finding=finding())]

    report = assemble(cases, statistics=Statistics(files=1, lines=2))

    assert report.statistics.verdicts == {"race": 1, "safe": 1}
    assert report.statistics.lines == 2


def test_proven_patch_is_written(stock: Path) -> None:
    prover = Prover()
    cases = fix_all((case_for(stock, "Stock", "_count", "take"),), budget=3.0, prove=prover)

    (writing,) = write_patches(cases, budget=3.0, prove=prover)

    assert writing.written
    assert (writing.path, writing.reason) == ("stock.py", "fixed 1 finding")
    assert cases[0].patch is not None
    assert stock.read_text() == cases[0].patch.after


def test_patch_that_is_not_proven_is_not_written(stock: Path) -> None:
    prover = Prover(lambda _finding, _source: INCONCLUSIVE)
    proven = fix_all((case_for(stock, "Stock", "_count", "take"),), budget=3.0, prove=prover)
    unproven = fix_all((case_for(stock, "Stock", "_count", "take"),), budget=3.0)

    for cases in (proven, unproven):
        (writing,) = write_patches(cases, budget=3.0, prove=prover)
        assert not writing.written
        assert "not proven safe" in writing.reason
    assert stock.read_text() == STOCK


def test_unsafe_patch_is_written_only_when_allowed(stock: Path) -> None:
    prover = Prover()
    cases = fix_all((case_for(stock, "Bell", "rings", "ring"),), budget=3.0, prove=prover)

    (kept,) = write_patches(cases, budget=3.0, prove=prover)
    assert not kept.written
    assert "--unsafe-fixes" in kept.reason
    assert stock.read_text() == STOCK

    (writing,) = write_patches(cases, budget=3.0, prove=prover, unsafe=True)
    assert writing.written
    assert "with self._lock:" in stock.read_text()


def test_patches_of_several_classes_are_proven_together_before_they_are_written(stock: Path) -> None:
    prover = Prover()
    cases = fix_all(
        (case_for(stock, "Stock", "_count", "take"), case_for(stock, "Till", "cash", "pay")),
        budget=3.0,
        prove=prover,
    )
    prover.asked.clear()

    (writing,) = write_patches(cases, budget=3.0, prove=prover)

    assert writing.reason == "fixed 2 findings"
    assert stock.read_text().count("self._lock = threading.Lock()") == 2
    assert [source for _, source, _ in prover.asked] == [stock.read_text()] * 2


def test_patches_that_do_not_hold_together_are_not_written(stock: Path) -> None:
    def fails_together(_finding: Finding, source: str) -> Proof:
        return RACE if source.count("self._lock = ") > 1 else SAFE

    prover = Prover(fails_together)
    cases = fix_all(
        (case_for(stock, "Stock", "_count", "take"), case_for(stock, "Till", "cash", "pay")),
        budget=3.0,
        prove=prover,
    )

    (writing,) = write_patches(cases, budget=3.0, prove=prover)

    assert not writing.written
    assert "together" in writing.reason
    assert stock.read_text() == STOCK


def test_file_that_changed_meanwhile_is_left_alone(stock: Path) -> None:
    cases = fix_all((case_for(stock, "Stock", "_count", "take"),), budget=3.0, prove=Prover())
    stock.write_text("# edited\n" + STOCK)

    with pytest.raises(UsageError, match="has changed since it was read"):
        write_patches(cases, budget=3.0, prove=Prover())

    assert stock.read_text() == "# edited\n" + STOCK


def test_encoding_line_ends_mode_and_link_survive_a_write(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    raw = "# coding: latin-1\r\nname = 'é'\r\n".encode("latin-1")
    real.write_bytes(raw)
    real.chmod(0o750)
    link = tmp_path / "link.py"
    link.symlink_to(real)

    before = read_source(link)
    write_source(link, before=before, after=before + "more = 'ü'\r\n")

    assert real.read_bytes() == raw + "more = 'ü'\r\n".encode("latin-1")
    assert stat.S_IMODE(real.stat().st_mode) == 0o750
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py"]


def test_byte_order_mark_survives_a_write(tmp_path: Path) -> None:
    path = tmp_path / "marked.py"
    path.write_bytes(b"\xef\xbb\xbfx = 1\n")

    write_source(path, before=read_source(path), after="x = 2\n")

    assert path.read_bytes() == b"\xef\xbb\xbfx = 2\n"


def test_failed_write_leaves_the_file_and_nothing_beside_it(stock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)

    with pytest.raises(UsageError, match=r"cannot write .*stock\.py: Permission denied"):
        write_source(stock, before=STOCK, after="")

    assert stock.read_text() == STOCK
    assert [path.name for path in stock.parent.iterdir()] == ["stock.py"]


CLOSURE = """
import threading

COUNT = 0


def count():
    global COUNT
    COUNT += 1


def total():
    found = 0

    def worker():
        nonlocal found
        found += 1

    for _ in range(4):
        threading.Thread(target=worker).start()
        threading.Thread(target=count).start()
"""


def test_a_variable_of_a_function_is_left_to_its_author_and_that_of_the_module_is_guarded(tmp_path: Path) -> None:
    path = tmp_path / "counts.py"
    path.write_text(CLOSURE, "utf-8")
    findings, _, _ = hunt([path])

    cases = fix_all([Case(finding=finding) for finding in findings], budget=1)

    reasons = {case.finding.subject.fields: case.patch_reason for case in cases}
    assert reasons["found",].startswith("`found` is a variable of `total`")
    assert "with" in next(case.patch.after for case in cases if case.patch is not None)


TASKS = """\
import asyncio
import threading


class Hub:
    def __init__(self):
        self._lock = threading.Lock()
        self.seen = {}

    async def publish(self, event):
        await asyncio.sleep(0)
        self.seen[event] = True

    async def emit(self, event):
        asyncio.create_task(self.publish(event))

    async def emit_all(self, events):
        for event in events:
            asyncio.create_task(self.publish(event))

    def forget(self):
        for event in self.seen:
            if event.old:
                del self.seen[event]

    def count(self):
        with self._lock:
            return len(self.seen)

    def report(self):
        with self._lock:
            return f"{self.count()} events"
"""


def test_patches_of_several_kinds_are_written_together(tmp_path: Path) -> None:
    path = tmp_path / "hub.py"
    path.write_text(TASKS, "utf-8")
    prover = Prover()
    findings, _, _ = hunt([path], select=["RH104", "RH203", "RH305"])
    cases = fix_all([Case(finding=finding) for finding in findings], budget=3.0, prove=prover)

    (writing,) = write_patches(cases, budget=3.0, prove=prover)

    text = path.read_text("utf-8")
    assert writing.reason == "fixed 4 findings"
    assert text.count("_tasks = set()") == 1
    assert text.count("_tasks.add(") == text.count("_tasks.discard)") == 2
    assert "for event in list(self.seen):" in text
    assert "self._lock = threading.RLock()" in text
    assert (
        fix_all(
            [Case(finding=finding) for finding in hunt([path], select=["RH104", "RH203", "RH305"])[0]], budget=3.0
        )
        == ()
    )


SESSIONS = """\
class Sessions:
    def __init__(self):
        self.seen = {}

    def forget(self):
        for event in self.seen:
            if event.old:
                del self.seen[event]
"""


def test_lock_is_added_where_the_change_alone_is_not_proven(tmp_path: Path) -> None:
    path = tmp_path / "hub.py"
    path.write_text(SESSIONS, "utf-8")
    findings, _, _ = hunt([path], select=["RH104"])
    prover = Prover(lambda _finding, source: SAFE if "with self._lock:" in source else INCONCLUSIVE)

    (case,) = fix_all([Case(finding=finding, proof=RACE) for finding in findings], budget=3.0, prove=prover)

    assert case.patch is not None
    assert case.patch.proof == SAFE
    assert "for event in list(self.seen):" in case.patch.after
    assert "goes over a copy" in case.patch.summary
    (writing,) = write_patches((case,), budget=3.0, prove=prover)
    assert writing.written


def test_fault_of_one_task_is_patched_though_no_interleaving_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "hub.py"
    path.write_text(TASKS, "utf-8")
    findings, _, _ = hunt([path], select=["RH104", "RH305"])

    cases = fix_all([Case(finding=finding, proof=SAFE) for finding in findings], budget=3.0, prove=Prover())

    assert {case.finding.rule: case.patch is None for case in cases} == {"RH104": False, "RH305": True}


def test_patch_of_a_fault_of_one_task_is_not_blamed_for_what_failed_before(tmp_path: Path) -> None:
    path = tmp_path / "hub.py"
    path.write_text(TASKS, "utf-8")
    findings, _, _ = hunt([path], select=["RH203"])
    answers = [broken_by("subject.forget()"), SAFE]
    prover = Prover(lambda _finding, _source: answers.pop(0))

    (case,) = fix_all([Case(finding=finding, proof=SAFE) for finding in findings], budget=3.0, prove=prover)

    assert case.patch is not None
    assert case.patch.proof is not None
    assert case.patch.proof.verdict is SAFE.verdict
    assert "`forget`" in case.patch.proof.reason


def test_patch_of_a_fault_that_was_not_seen_may_be_the_one_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "hub.py"
    path.write_text(TASKS, "utf-8")
    findings, _, _ = hunt([path], select=["RH203"])
    failing = broken_by("subject.forget()")
    prover = Prover(lambda _finding, _source: failing)

    (case,) = fix_all(
        [Case(finding=finding, proof=INCONCLUSIVE) for finding in findings], budget=3.0, prove=prover
    )

    assert case.patch is not None
    assert case.patch.proof == failing
