"""Proofs in child processes: limited in time and memory, and never the caller's problem."""

import ast
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from racehound.errors import UsageError
from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText, Step, Verdict
from racehound.model.schedule import Schedule, decode_token
from racehound.pipeline.children import CHILDREN, end_session, ended_in_time, scratch_directory
from racehound.scenario.request import Request, proof_from_json, scenario_from_json
from racehound.strategies.registry import PORTFOLIO, Choice

MEMORY_MB = 2048
PROVING = "racehound.scenario.child"
EXAMPLE = "subject.increment()"
GRACE_SECONDS = 5.0
"""For starting Python and importing the target, beyond the budget of the search."""


def prove_finding(
    finding: Finding, *, budget: float, source_override: str | None = None, first: ScenarioText | None = None
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
        source=source_override,
        first=first,
    )
    return run_request(request)


def prove_target(
    target: str,
    *,
    budget: float,
    setup: str | None = None,
    operations: Sequence[str] = (),
    invariant: str | None = None,
    choice: Choice = PORTFOLIO,
) -> Proof:
    """Race a class or the functions of a module: `path.py::Name` or `package.module:Name`.

    `operations` are expressions on `subject`, one per task (a single one races against itself); `setup` is the
    expression that makes the subject; `invariant` is a condition on it that replaces the serial outcomes. What
    is not given is made up from the code.
    """
    for expression in (setup, invariant, *operations):
        _check_expression(expression)
    path, name = resolve_target(target)
    is_class = _kind_of(path, name) is ast.ClassDef
    raced = tuple(operations) * 2 if len(operations) == 1 else tuple(operations)
    first = None
    if raced:
        made = setup or (f"{name}()" if is_class else "None")
        first = ScenarioText(setup=made, prefix=(), tasks=tuple((call,) for call in raced))
    return run_request(
        Request(
            path=str(path.resolve()),
            shown_path=str(path),
            class_name=name if is_class else None,
            functions=() if is_class else (name,),
            pair=None,
            fields=(),
            seconds=budget,
            setup=setup,
            first=first,
            only_first=bool(raced),
            invariant=invariant,
            strategy=choice.name,
            seed=choice.seed,
        )
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


def resolve_target(target: str) -> tuple[Path, str]:
    """The file that a target names, and the class or function in it."""
    place, separator, name = target.partition("::")
    if not separator:
        place, separator, name = target.partition(":")
    if not name:
        raise UsageError(f"{target} names no class or function", hint="write path.py::Name or package.module:Name")
    path = Path(place)
    if place.endswith(".py"):
        if not path.is_file():
            raise UsageError(f"{place} does not exist", hint="name a file, as in path.py::Name")
        return path, name
    return _file_of_module(place), name


def _file_of_module(module: str) -> Path:
    sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    finally:
        sys.path.pop(0)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise UsageError(f"there is no module {module} with source", hint="name a module that can be imported")
    return Path(_relative(spec.origin))


def _kind_of(path: Path, name: str) -> type[ast.AST]:
    """Whether the file defines a class or a function of that name; without running it."""
    try:
        scope: list[ast.stmt] = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as Python: {error}") from error
    defined: ast.AST | None = None
    for part in name.split("."):
        defined = next((node for node in scope if getattr(node, "name", None) == part), None)
        scope = getattr(defined, "body", [])
    if not isinstance(defined, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        raise UsageError(
            f"{path} has no class or function {name}", hint="write path.py::Name as the file defines it"
        )
    return type(defined)


def _pair(finding: Finding) -> tuple[str, str]:
    """The names of the two functions that the finding says can meet."""
    first, second = (access.function.rpartition(".")[2] for access in (finding.first, finding.second))
    return first, second


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


def run_request(request: Request) -> Proof:
    """The child's answer, or `inconclusive` with what became of the child."""
    answer = answer_of(request.to_json(), request)
    return _with_shown_paths(proof_from_json(answer), request) if isinstance(answer, str) else answer


def answer_of(asked: str, request: Request, *, module: str = PROVING) -> str | Proof:
    """What a child writes that runs a module of ours, or what became of it."""
    with scratch_directory() as base:
        (base / "home").mkdir()
        child = _start(base, module)
        with CHILDREN.watching(child):
            in_time = _wait(child, asked, request.seconds)
        answer = base / "answer.json"
        if answer.is_file():
            return answer.read_text(encoding="utf-8")
        reason = _what_became_of(child.returncode, base / "errors.txt") if in_time else _too_slow(request)
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
            env=os.environ | {"HOME": home, "TMPDIR": home, "PYTHONHASHSEED": "0"},
            start_new_session=True,
        )


def _wait(child: "subprocess.Popen[str]", asked: str, seconds: float) -> bool:
    """Whether the child ended by itself in time; nothing of its session is left afterwards."""
    try:
        _send(child, asked)
        return ended_in_time(child, seconds + GRACE_SECONDS)
    finally:
        end_session(child)


def _send(child: "subprocess.Popen[str]", text: str) -> None:
    with suppress(BrokenPipeError):  # a child that is gone already is judged by its end
        if child.stdin is not None:
            child.stdin.write(text)
            child.stdin.close()


def _too_slow(request: Request) -> str:
    return f"the code did not come to an end within {request.seconds:g} seconds: it may wait for something outside"


def _what_became_of(status: int, errors: Path) -> str:
    if status < 0:
        return f"the process that ran the code was ended by {signal.Signals(-status).name}"
    lines = [line for line in errors.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    said = f": {lines[-1]}" if lines else ""
    return f"the code ended its process with status {status}{said}"


def _with_shown_paths(proof: Proof, request: Request) -> Proof:
    def shown(step: Step) -> Step:
        path = request.shown_path if step.path == request.path else _relative(step.path)
        return replace(step, path=path)

    return replace(proof, timeline=tuple(shown(step) for step in proof.timeline))


def _relative(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
