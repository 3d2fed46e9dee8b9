"""Proofs of many findings, before and after a patch; whoever makes them is passed in."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.model.report import Case
from racehound.pipeline.children import CHILDREN
from racehound.scenario.raced import operations_of

Item = TypeVar("Item")
Done = TypeVar("Done")
Progress = Callable[[int], None]
"""Told how many are done."""


MOST_OLDER = 3
"""Failures of the old text that a search on the new one goes around."""


BESIDE_OUTCOMES = frozenset(
    {"RH104", "RH120", "RH203", "RH204", "RH208", "RH209"}
    | {"RH304", "RH305", "RH306", "RH308", "RH309", "RH310", "RH311", "RH312"}
    | {f"RH4{number:02}" for number in range(1, 100)}
)
"""Rules about what goes wrong in one thread alone, in other processes, for those who wait, or by the collector.

What is started late starts late for calls one after the other, too, so that no order of them is the right one.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How much of what could be raced is."""

    only_first: bool = False
    """The first scenario and no other."""
    without: tuple[frozenset[str], ...] = ()
    """Operations that are not raced together, one set each."""


EVERYTHING = Scope()


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
        scope: Scope = EVERYTHING,
    ) -> Proof: ...


def prove_all(
    findings: Sequence[Finding], *, budget: float, prove: Prove, progress: Progress = lambda _: None
) -> tuple[Case, ...]:
    """Each finding with its proof, in order; as many at a time as there are processors."""

    def proven(finding: Finding) -> Case:
        return Case(finding=finding, proof=prove(finding, budget=budget))

    return each_at_once(proven, findings, progress)


def each_at_once(work: Callable[[Item], Done], items: Sequence[Item], progress: Progress) -> tuple[Done, ...]:
    """Do the work for all items in a few threads; an interrupt ends the children that are at work."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for count, future in enumerate(as_completed(futures), start=1):
                future.result()  # what one of them raises ends the rest
                progress(count)
            return tuple(future.result() for future in futures)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            while wait(futures, timeout=0.05).not_done:  # one of them may only now start its child
                CHILDREN.end_all()
            raise


def prove_patched(case: Case, source: str, *, budget: float, prove: Prove) -> Proof:
    """Search again on the patched text, beginning with the scenario that broke the old one.

    What fails in the patched text just as it does in the old one is no fault of the patch: the search goes on
    without the operations that fail together, and says so.
    """
    is_broken = case.proof is not None and case.proof.verdict is Verdict.RACE
    first = case.proof.scenario if case.proof is not None and is_broken else None
    older: list[frozenset[str]] = []
    while True:
        scope = Scope(without=tuple(older))
        proof = prove(case.finding, budget=budget, source_override=source, first=first, scope=scope)
        failing = _failing_elsewhere(case, proof, first) if len(older) < MOST_OLDER else None
        if not failing or not _fails_as_before(case, proof, budget=budget, prove=prove):
            return _apart_from(older, proof)
        older.append(failing)


def _failing_elsewhere(case: Case, proof: Proof, first: ScenarioText | None) -> frozenset[str]:
    """The operations that fail on the patched text, if they are not those that the patch is for.

    Where no interleaving shows what the patch is for, and all were tried, none of them is.
    """
    if proof.verdict is not Verdict.RACE or proof.scenario is None:
        return frozenset()
    failing = operations_of(proof.scenario)
    if first is None:
        return failing if case.proof is not None and _shows_nothing(case.finding, case.proof) else frozenset()
    return frozenset() if failing <= operations_of(first) else failing


def _shows_nothing(finding: Finding, proof: Proof) -> bool:
    beside = proof.verdict is Verdict.INCONCLUSIVE and finding.rule in BESIDE_OUTCOMES
    return beside or proof.verdict is Verdict.SAFE


def _fails_as_before(case: Case, proof: Proof, *, budget: float, prove: Prove) -> bool:
    """Whether the old text fails in the scenario as well, and in the same way."""
    before = prove(case.finding, budget=budget, first=proof.scenario, scope=Scope(only_first=True))
    return (before.verdict, before.oracle) == (Verdict.RACE, proof.oracle)


def _apart_from(older: list[frozenset[str]], proof: Proof) -> Proof:
    if not older or proof.verdict is Verdict.RACE:
        return proof
    told = "; ".join(" with ".join(f"`{name}`" for name in sorted(names)) for names in older)
    return replace(proof, reason=f"{proof.reason}; what fails as it did before the patch was left out: {told}")
