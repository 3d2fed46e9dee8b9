"""All that a run found out, in one value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from racehound.model.report import Case, Diagnostic, Report, Statistics


def assemble(cases: Sequence[Case], *, diagnostics: Sequence[Diagnostic] = (), statistics: Statistics) -> Report:
    verdicts = Counter(case.proof.verdict.value for case in cases if case.proof)
    counted = replace(statistics, verdicts=dict(sorted(verdicts.items())))
    return Report(cases=tuple(cases), diagnostics=tuple(diagnostics), statistics=counted)
