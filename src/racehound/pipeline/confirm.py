"""`--confirm`: a race again, on real threads of the plain interpreter that are only held at its switches."""

import json
from dataclasses import asdict, replace
from pathlib import Path

from racehound.model.proof import Proof, Verdict
from racehound.pipeline.prove import answer_of, in_time, request_of

SECONDS = 20.0


def confirmed(proof: Proof, *, seconds: float = SECONDS) -> Proof:
    """The proof with what the plain interpreter showed; only a race has something to show."""
    if proof.verdict is not Verdict.RACE or proof.token is None:
        return proof
    request = in_time(request_of(proof.token, seconds))
    claim = {"request": request.to_json(), "timeline": _timeline(proof)}
    claim |= {"births": [asdict(birth) for birth in proof.births], "oracle": proof.oracle}
    answer = answer_of(json.dumps(claim), request, module="racehound.scenario.plain_child")
    if not isinstance(answer, str):
        return replace(proof, confirmation=f"not confirmed: {answer.reason}")
    found = json.loads(answer)
    return replace(proof, confirmation=f"{'' if found['seen'] else 'not '}confirmed: {found['said']}")


def _timeline(proof: Proof) -> list[dict[str, object]]:
    return [asdict(step) | {"path": _as_loaded(step.path)} for step in proof.timeline]


def _as_loaded(path: str) -> str:
    """Expressions of the scenario are in no file."""
    return path if path.startswith("<") else str(Path(path).resolve())
