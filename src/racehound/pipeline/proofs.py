"""Proofs of many findings, before and after a patch; whoever makes them is passed in."""

from collections.abc import Sequence
from typing import Protocol

from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText
from racehound.model.report import Case


class Prove(Protocol):
    """`racehound.pipeline.prove.prove_finding`, or what a test puts in its place."""

    def __call__(
        self,
        finding: Finding,
        /,
        *,
        budget: float,
        source_override: str | None = None,
        first: ScenarioText | None = None,
    ) -> Proof: ...


def prove_all(findings: Sequence[Finding], *, budget: float, prove: Prove) -> tuple[Case, ...]:
    return tuple(Case(finding=finding, proof=prove(finding, budget=budget)) for finding in findings)


def prove_patched(case: Case, source: str, *, budget: float, prove: Prove) -> Proof:
    """Search again on the patched text, beginning with the scenario that broke the old one."""
    first = case.proof.scenario if case.proof else None
    return prove(case.finding, budget=budget, source_override=source, first=first)
