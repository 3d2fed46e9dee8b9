"""Proofs in child processes: limited in time and memory, and never the caller's problem."""

import ast
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from racehound.errors import UsageError
from racehound.instrument.elsewhere import VARIABLE as SCRATCH
from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText, Step, Verdict
from racehound.model.schedule import Schedule, decode_token
from racehound.pipeline.children import (
    CHILDREN,
    MARK,
    end_marked,
    end_session,
    ended_in_time,
    scratch_directory,
)
from racehound.pipeline.proofs import BESIDE_OUTCOMES, EVERYTHING, Scope
from racehound.pipeline.targets import find_target, relative
from racehound.scenario.limits import BEGUN, LATE
from racehound.scenario.reached import Place
from racehound.scenario.request import Request, proof_from_json, scenario_from_json
from racehound.scenario.stuck import STANDSTILLS
from racehound.strategies.registry import PORTFOLIO, Choice

MEMORY_MB = 2048
PROVING = "racehound.scenario.child"
EXAMPLE = "subject.increment()"
SHORT_GRACE_SECONDS = 0.6
"""Beyond the budget, for a child that does not even say that its answer is coming: it can do nothing any more."""
GRACE_SECONDS = 1.4
"""Beyond the budget, for a child to say what it knows; it is ended then."""
POLL_SECONDS = 0.02
WAITS_WITHOUT_END = frozenset({"RH201", "RH202", "RH203", "RH206", "RH303"})
"""Rules about tasks that never go on: a lost update in the same function is another fault."""
_WORD = re.compile(r"\w+")
START_SECONDS = 30.0
"""For starting Python, which on a busy machine takes its time and is no fault of the target's."""


def prove_finding(
    finding: Finding,
    *,
    budget: float,
    source_override: str | None = None,
    first: ScenarioText | None = None,
    scope: Scope = EVERYTHING,
    choice: Choice = PORTFOLIO,
) -> Proof:
    """Race the operations of a finding; `source_override` is proven in place of the file's own text."""
    subject = finding.subject
    request = Request(
        path=str(Path(subject.path).resolve()),
        shown_path=subject.path,
        class_name=subject.class_name,
        functions=subject.functions,
        pair=_pair(finding),
        fields=subject.fields,
        seconds=budget,
        accused=() if source_override is not None or finding.rule in BESIDE_OUTCOMES else _places(finding),
        standstill=finding.rule in WAITS_WITHOUT_END,
        source=source_override,
        first=first,
        only_first=scope.only_first,
        without=tuple(tuple(sorted(names)) for names in scope.without),
        strategy=choice.name,
        seed=choice.seed,
    )
    proof = run_request(request)
    return proof if source_override is not None or scope.only_first else about(finding, proof)


def about(finding: Finding, proof: Proof) -> Proof:
    """The proof as far as it is one of the finding: of its lines, or at least of its state."""
    if proof.verdict in (Verdict.SAFE, Verdict.BOUNDED) and finding.rule in BESIDE_OUTCOMES:
        told = f"{proof.reason}, but what {finding.rule} accuses changes no outcome that this would show"
        return replace(proof, verdict=Verdict.INCONCLUSIVE, reason=told)
    if finding.rule in WAITS_WITHOUT_END and proof.verdict is Verdict.RACE and proof.oracle not in STANDSTILLS:
        told = "the operations that could be raced show a race, but in none of them a task waits for ever"
        return Proof(verdict=Verdict.INCONCLUSIVE, reason=told, executions=proof.executions)
    if not finding.rule.startswith("RH1") or proof.outcome is None:
        return proof
    lines = {access.location.line for access in (finding.first, finding.second, *finding.further)}
    if any(step.line in lines for step in proof.timeline):
        return proof
    names = set(finding.subject.fields)
    told = ", ".join(f"`{name}`" for name in finding.subject.fields)
    if any(names & set(_WORD.findall(f"{step.target} {step.source}")) for step in proof.timeline):
        return replace(proof, reason=f"{proof.reason}, by other uses of {told} than those named above")
    return Proof(
        verdict=Verdict.INCONCLUSIVE,
        reason=f"the operations that could be raced show a race, but none that touches {told}",
        executions=proof.executions,
    )


def prove_target(  # noqa: PLR0913 - one argument for each thing to say about a race
    target: str,
    *,
    budget: float,
    setup: str | None = None,
    operations: Sequence[str] = (),
    invariant: str | None = None,
    choice: Choice = PORTFOLIO,
    begun: float | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Proof:
    """Race a class, a method or a function (`path.py::Name`, `package.module:Name`), or what a finding accuses.

    `operations` are expressions on `subject`, one per task (a single one races against itself); `setup` is the
    expression that makes the subject; `invariant` is a condition on it that replaces the serial outcomes. What
    is not given is made up from the code. The budget is counted from `begun`, by the monotonic clock, or from now;
    `meanwhile` is called while the child is at work.
    """
    for expression in (setup, invariant, *operations):
        _check_expression(expression)
    named = find_target(target)
    raced = tuple(operations) * 2 if len(operations) == 1 else tuple(operations)
    calls = tuple((call,) for call in raced)
    return run_request(
        Request(
            path=str(named.path.resolve()),
            shown_path=str(named.path),
            class_name=named.class_name,
            functions=named.functions,
            pair=named.accused.pair if named.accused is not None else None,
            fields=named.accused.fields if named.accused is not None else (),
            seconds=budget,
            setup=setup,
            first=ScenarioText(setup=setup or "", prefix=(), tasks=calls) if raced else None,
            only_first=bool(raced),
            only_named=named.function is not None and not raced,
            invariant=invariant,
            strategy=choice.name,
            seed=choice.seed,
            until=None if begun is None else begun + budget,
        ),
        meanwhile=meanwhile,
    )


def _invariant(target: dict[object, object]) -> str | None:
    found = target.get("invariant")
    return found if isinstance(found, str) else None


def _check_expression(expression: str | None) -> None:
    try:
        compile(expression or "None", "<expression>", "eval", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError) as error:
        raise UsageError(
            f"{expression!r} is no Python expression", hint=f"write one, such as {EXAMPLE}"
        ) from error


def _pair(finding: Finding) -> tuple[str, str] | None:
    """The names of the two functions that the finding says can meet, if both are called from outside."""
    first, second = (access.function.rpartition(".")[2] for access in (finding.first, finding.second))
    return (first, second) if {first, second} <= set(finding.subject.functions) else None


def _places(finding: Finding) -> tuple[Place, ...]:
    """Where its two operations stand, as far as the hunt can say it."""
    found = {access.location: access.target for access in (finding.first, finding.second) if access.location.line}
    return tuple(
        Place(str(Path(where.path).resolve()), where.line, max(where.line, where.end_line), target)
        for where, target in found.items()
    )


def replay_token(token: str, *, budget: float = 30.0) -> Proof:
    """Run the schedule of a token again, on the code as it is now."""
    return run_request(request_of(token, budget))


def request_of(token: str, seconds: float) -> Request:
    """What a token asks for: one schedule of one scenario."""
    match decode_token(token):
        case {
            "target": {"path": str(path), "class": str() | None as name, **more},
            "scenario": dict(scenario),
            "schedule": dict(steps),
        }:
            if not Path(path).is_file():
                raise UsageError(
                    f"{path} does not exist", hint="replay from the directory in which the token was made"
                )
            return Request(
                path=str(Path(path).resolve()),
                shown_path=path,
                class_name=name,
                functions=(),
                pair=None,
                fields=(),
                seconds=seconds,
                first=scenario_from_json(scenario),
                invariant=_invariant(more),
                schedule=Schedule.from_json(steps),
            )
    raise UsageError("this token does not name a schedule", hint="copy it whole, from rh1- to its end")


def run_request(request: Request, *, meanwhile: Callable[[], None] = lambda: None) -> Proof:
    """The child's answer, or `inconclusive` with what became of the child."""
    request = in_time(request)
    answer = answer_of(request.to_json(), request, meanwhile=meanwhile)
    return _with_shown_paths(proof_from_json(answer), request) if isinstance(answer, str) else answer


def in_time(request: Request) -> Request:
    """The request with an end of its budget; what it takes to start the child is part of it."""
    return request if request.until is not None else replace(request, until=monotonic() + request.seconds)


def answer_of(
    asked: str, request: Request, *, module: str = PROVING, meanwhile: Callable[[], None] = lambda: None
) -> str | Proof:
    """What a child writes that runs a module of ours, or what became of it."""
    with scratch_directory() as base:
        (base / "home").mkdir()
        child = _start(base, module)
        with CHILDREN.watching(child):
            _send(child, asked)
            meanwhile()
            ended = _wait(child, base, request, module)
        answer = base / "answer.json"
        if answer.is_file():
            return answer.read_text(encoding="utf-8")
        reason = _what_became_of(child.returncode, base / "errors.txt") if ended else _too_slow(request)
    return Proof(verdict=Verdict.INCONCLUSIVE, reason=reason, executions=0)


def _start(base: Path, module: str) -> "subprocess.Popen[str]":
    home = str(base / "home")
    with (base / "errors.txt").open("w", encoding="utf-8") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", module, str(base / "answer.json"), str(MEMORY_MB)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            text=True,
            cwd=home,
            env=_environment(home, str(base)),
            start_new_session=True,
        )


def _environment(home: str, mark: str) -> dict[str, str]:
    """Ours, with the scratch directory in place of the user's own ones."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {"HOME": home, "TMPDIR": home, "PYTHONHASHSEED": "0", MARK: mark, SCRATCH: home}


def _wait(child: "subprocess.Popen[str]", base: Path, request: Request, module: str) -> bool:
    """Whether the child ended by itself in time; nothing that it started is left afterwards."""
    try:
        _await_begin(child, base / f"answer{BEGUN}")
        if ended_in_time(child, request.left + SHORT_GRACE_SECONDS):
            return True
        is_coming = module != PROVING or (base / f"answer{LATE}").exists()
        return is_coming and ended_in_time(child, GRACE_SECONDS - SHORT_GRACE_SECONDS)
    finally:
        end_session(child)
        end_marked(str(base))


def _await_begin(child: "subprocess.Popen[str]", begun: Path) -> None:
    deadline = monotonic() + START_SECONDS
    while not begun.exists() and monotonic() < deadline:
        if ended_in_time(child, POLL_SECONDS):
            return


def _send(child: "subprocess.Popen[str]", text: str) -> None:
    with suppress(BrokenPipeError):  # a child that is gone already is judged by its end
        if child.stdin is not None:
            child.stdin.write(text)
            child.stdin.close()


def _too_slow(request: Request) -> str:
    return (
        f"the code did not come to an end within {request.seconds:.3g} seconds: it may wait for something outside"
    )


def _what_became_of(status: int, errors: Path) -> str:
    if status < 0:
        return f"the process that ran the code was ended by {signal.Signals(-status).name}"
    lines = [line for line in errors.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    said = f": {lines[-1]}" if lines else ""
    return f"the code ended its process with status {status}{said}"


def _with_shown_paths(proof: Proof, request: Request) -> Proof:
    def shown(step: Step) -> Step:
        path = request.shown_path if step.path == request.path else relative(step.path)
        return replace(step, path=path)

    return replace(proof, timeline=tuple(shown(step) for step in proof.timeline))
