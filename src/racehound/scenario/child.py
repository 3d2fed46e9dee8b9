"""The process in which code under proof runs.

It reads a request from its standard input and writes the proof to a file of its own, so that nothing the
target prints can be taken for an answer. It ends without unwinding: threads of the target that never
end cannot keep it.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from racehound.errors import RacehoundError
from racehound.instrument.loader import instrumenting
from racehound.instrument.territory import territory_of
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.primitives.mirrors import installed
from racehound.scenario.candidates import Candidates
from racehound.scenario.limits import limit_resources
from racehound.scenario.program import condition_of, plan_of
from racehound.scenario.prover import HARNESS, Prover
from racehound.scenario.regression import Target, regression_test
from racehound.scenario.request import Request, proof_to_json
from racehound.scenario.target import find_class, import_target, module_name_of
from racehound.strategies.registry import Choice


def prove_request(request: Request) -> Proof:
    """The proof that a request asks for; import and construction troubles are verdicts."""
    name = module_name_of(Path(request.path))
    overrides = {request.path: request.source} if request.source is not None else {}
    with installed(), instrumenting(territory_of(Path(request.path), name.root), overrides):
        try:
            module = import_target(name)
            kind = find_class(module, request.class_name) if request.class_name else None
            widely = request.source is not None  # a patch has to hold for everything the class offers
            candidates = Candidates(module, kind, request.functions, request.pair, widely=widely)
            setup = request.setup or ("" if request.first else candidates.setup())
        except RacehoundError as error:
            return Proof(verdict=Verdict.INCONCLUSIVE, reason=str(error), executions=0, oracle=HARNESS)
        token_target: dict[str, object] = {"path": request.shown_path, "class": request.class_name}
        invariant = None
        if request.invariant is not None:
            token_target["invariant"] = request.invariant
            invariant = condition_of(request.invariant, vars(module))
        prover = Prover(
            lambda scenario: plan_of(scenario, vars(module)),
            target=token_target,
            invariant=invariant,
            choice=Choice(request.strategy, request.seed),
        )
        if request.first is not None and request.schedule is not None:
            proof = prover.replay(request.first, request.schedule)
        else:
            scenarios = _ordered(request, candidates, setup)
            proof = prover.prove(
                scenarios,
                seconds=request.seconds,
                relevant=lambda found: _touches(found, request.fields),
                left_out=() if request.only_first else candidates.left_out,
            )
    if proof.verdict is Verdict.RACE and proof.scenario is not None:
        target = Target(name.name, str(Path(request.shown_path).parent))
        test = regression_test(proof.scenario, target, class_name=request.class_name, invariant=request.invariant)
        return replace(proof, test=test)
    return proof


def _ordered(request: Request, candidates: Candidates, setup: str) -> Iterator[ScenarioText]:
    if request.first is not None:
        yield request.first
    if not request.only_first:
        yield from (scenario for scenario in candidates.scenarios(setup) if scenario != request.first)


def _touches(proof: Proof, fields: tuple[str, ...]) -> bool:
    """Whether the interleaving is about one of the fields."""
    targets = " ".join(step.target for step in proof.timeline)
    return not fields or any(field in targets for field in fields)


def main() -> None:
    answer, megabytes = Path(sys.argv[1]), int(sys.argv[2])
    request = Request.from_json(sys.stdin.read())
    limit_resources(megabytes)
    try:
        proof = prove_request(request)
    except MemoryError:
        proof = Proof(
            verdict=Verdict.INCONCLUSIVE, reason=f"the code needs more than {megabytes} MB", executions=0
        )
    unfinished = answer.with_suffix(".part")
    unfinished.write_text(proof_to_json(proof), encoding="utf-8")
    unfinished.rename(answer)
    os._exit(0)


if __name__ == "__main__":
    main()
