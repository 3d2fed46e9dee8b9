"""Proofs of many findings, before and after a patch; whoever makes them is passed in."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from typing import Protocol, TypeVar

from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText
from racehound.model.report import Case
from racehound.pipeline.children import CHILDREN

Item = TypeVar("Item")
Done = TypeVar("Done")
Progress = Callable[[int], None]
"""Told how many are done."""


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
    """Search again on the patched text, beginning with the scenario that broke the old one."""
    first = case.proof.scenario if case.proof else None
    return prove(case.finding, budget=budget, source_override=source, first=first)
