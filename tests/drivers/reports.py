"""Reports to be formatted: what a run may find out, with all that makes formatting hard."""

from dataclasses import replace

from racehound.fixes.diff import unified
from racehound.model.checklist import Answer, Checklist, Question
from racehound.model.finding import Access, Confidence, Finding, Grade, Subject
from racehound.model.location import Location
from racehound.model.patch import Patch, Safety
from racehound.model.proof import Outcome, Proof, ScenarioText, Step, Verdict
from racehound.model.report import Case, Diagnostic, Excerpt, Report, Statistics
from racehound.model.rule import RuleMeta, RuleText, Severity

PATH = "shop/stock_room.py"


def access(line: int, method: str, *locks: str) -> Access:
    return Access(
        location=Location(path=PATH, line=line, column=9, end_line=line),
        function=f"Stock.{method}",
        action="updates",
        target="self._count",
        context=f"any thread that calls `{method}`",
        locks=locks,
    )


DOUBT = "No *two* threads are seen to come to `take` & `restock`."


def finding(line: int = 12, *, rule: str = "RH102") -> Finding:
    return Finding(
        rule=rule,
        name="unlocked-read-modify-write",
        location=Location(path=PATH, line=line, column=9, end_line=line + 1, end_column=20),
        severity=Severity.ERROR,
        confidence=Confidence.CERTAIN,
        grade=Grade.GIL,
        message="`self._count` is read and written back without a lock in `take`",
        race_type="Read-Modify-Write",
        trigger="Two threads run `take` at the same time: both read *before* either writes.",
        impact="Lost update: of two changes, only one remains.",
        evidence='self._count = self._count - 1  # line 12\nnote = """```"""  # line 13',
        first=access(line, "take"),
        second=access(line + 8, "restock", "self._lock"),
        subject=Subject(path=PATH, class_name="Stock", functions=("take", "restock"), fields=("_count",)),
        fingerprint=f"c0ffee{line:02}",
        remedy="Hold `self._lock` over the read and the write.",
    )


def step(task: int, line: int, operation: str, value: str, *, switch: bool = False) -> Step:
    sources = {12: "count = self._count", 13: "self._count = count - 1"}
    return Step(
        task=task,
        path=PATH,
        line=line,
        source=sources[line],
        operation=operation,
        target="self._count",
        value=value,
        switch=switch,
    )


RACE = Proof(
    verdict=Verdict.RACE,
    reason="the results and the final state are those of no serial order",
    executions=2,
    oracle="serial outcomes",
    token="rh1-eNqrVkrOzyvRUbJSMjQyVqoFAB9XBBk",  # noqa: S106 - names a schedule, and is no secret
    timeline=(
        step(0, 12, "read", "5"),
        step(1, 12, "read", "5", switch=True),
        step(1, 13, "read", "5"),
        step(1, 13, "write", "4 | " + "very " * 30 + "long"),
        step(0, 13, "write", "4", switch=True),
    ),
    scenario=ScenarioText(
        setup="Stock(5)",
        prefix=("subject.restock(1)",),
        tasks=(("subject.take()", "subject.take()"), ("subject.take()",)),
    ),
    serial=(
        Outcome(results=("None", "None"), state="Stock(_count=3)", order=("take()", "take()")),
        Outcome(results=("None", "None"), state="Stock(_count=3)", order=("take()", "take()")),
        Outcome(results=("'`ok`'", "None"), state="Stock(_count=2)", order=("take()", "restock()")),
    ),
    outcome=Outcome(results=("None", "None"), state="Stock(_count=4)"),
    masked=("_created", "_id"),
    test="def test_take_loses_an_update() -> None:\n    assert False\n",
)
SAFE = Proof(
    verdict=Verdict.SAFE, reason="98 executions exhausted every interleaving of 49 scenarios", executions=98
)
INCONCLUSIVE = Proof(verdict=Verdict.INCONCLUSIVE, reason="the code ended its process with status 3", executions=1)

BEFORE = "class Stock:\n    def take(self):\n        self._count -= 1\n"
AFTER = "class Stock:\n    def take(self):\n        with self._lock:\n            self._count -= 1\n"
PATCH = Patch(
    path=PATH,
    summary="`Stock` gets a lock, `_lock`, held in `take`",
    before=BEFORE,
    after=AFTER,
    diff=unified(PATH, BEFORE, AFTER),
    safety=Safety.SAFE,
    proof=SAFE,
)

STATISTICS = Statistics(files=3, lines=120, rules={"RH102": 2}, verdicts={"race": 2})

META = RuleMeta(
    code="RH102",
    name="unlocked-read-modify-write",
    summary="`{target}` is read and written back",
    severity=Severity.ERROR,
    race_type="Read-Modify-Write",
    impact="Lost update: of two changes, only one remains.",
    since="0.1.0",
    tags=frozenset({"threads", "shared-state"}),
)


def _hostile() -> Finding:
    """What marks up text in one format or another, and a lock."""
    plain = finding()
    return replace(
        plain,
        message="`a < b` & ]]> ::error:: 100%, \x1b[0m \x00",
        second=replace(plain.second, location=Location(path="shop/é, b.py", line=1)),
        subject=replace(plain.subject, lock="_lock"),
    )


CHECKLISTS = (
    Checklist(
        "Async Safety",
        (
            Question(
                text="Are tasks tracked?",
                answer=Answer.NO,
                is_good=False,
                reason="1 finding",
                findings=(finding(20),),
            ),
            Question(text="Are keys checked?", answer=Answer.YES, is_good=True, reason="none was found"),
            Question(
                text="Is there a pool?", answer=Answer.NOT_APPLICABLE, is_good=None, reason="nothing runs <there>"
            ),
        ),
    ),
)

REPORTS = {
    "proven": Report(
        cases=(
            Case(finding=finding(), proof=RACE, patch=PATCH),
            Case(finding=finding(20, rule="RH107"), proof=replace(RACE, test="", scenario=None), patch=PATCH),
        ),
        statistics=STATISTICS,
    ),
    "doubtful": Report(
        cases=(
            Case(finding=finding(), proof=INCONCLUSIVE),
            Case(
                finding=finding(20),
                proof=RACE,
                patch=replace(PATCH, safety=Safety.UNSAFE, proof=replace(RACE, timeline=())),
            ),
            Case(
                finding=replace(finding(30), first=access(30, "take"), second=access(30, "take")),
                proof=replace(RACE, oracle="", token=None, serial=(), outcome=None, masked=()),
            ),
        ),
        statistics=replace(STATISTICS, files=1),
    ),
    "plain": Report(
        cases=(Case(finding=finding(), patch=replace(PATCH, proof=None)),),
        diagnostics=(Diagnostic(path="shop/broken.py", message="invalid syntax", line=3),),
        statistics=STATISTICS,
    ),
    "audit": Report(
        cases=(
            Case(finding=_hostile(), patch_reason="`poll` hands control away & more"),
            Case(
                finding=replace(finding(20), severity=Severity.WARNING, confidence=Confidence.LIKELY, doubt=DOUBT)
            ),
            Case(
                finding=replace(finding(28), severity=Severity.INFO, confidence=Confidence.POSSIBLE, doubt=DOUBT)
            ),
        ),
        diagnostics=(
            Diagnostic(path="shop/é, b.py", message="100% wrong:\r\nreally"),
            Diagnostic(path=PATH, message="unused suppression: RH102 is not found here", line=4, kind="unused"),
        ),
        statistics=replace(STATISTICS, rules={"RH102": 3}, verdicts={}),
        rules=(RuleText(META, "# RH102\n\nA *page* with <b>, & and `code`.\n"),),
        excerpts=(
            Excerpt(path=PATH, line=10, lines=("", "    def take(self):", "        é = self._count  # <b>")),
            Excerpt(path="shop/é, b.py", line=1, lines=("import os",)),
        ),
        checklists=CHECKLISTS,
        known=2,
    ),
    "empty": Report(cases=(), statistics=replace(STATISTICS, rules={}, verdicts={})),
}
