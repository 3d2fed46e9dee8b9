"""Whatever a transformation is pointed to, it gives a text that compiles and keeps comments, or says why not."""

import ast
import io
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.reports import finding
from racehound.fixes.registry import patch_by, transformations_for
from racehound.model.finding import Confidence, Finding
from racehound.model.location import Location
from racehound.model.patch import Patch
from racehound.pipeline.hunt import hunt

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unmeasured")]

RULES = Path(__file__).resolve().parents[2] / "rules"
LIBRARY = Path(sysconfig.get_path("stdlib"))
PACKAGES = (
    "asyncio",
    "concurrent/futures",
    "logging",
    "multiprocessing",
    "threading.py",
    "queue.py",
    "tempfile.py",
)
MOST = 2
"""Of one rule in one file."""
LARGEST = 30_000
"""Bytes; each attempt parses the file."""
RULES_BY_METHOD = {
    "create_task": ("RH305", "RH307", "RH309"),
    "ensure_future": ("RH305", "RH307", "RH309"),
    "get_event_loop": ("RH309",),
    "call_soon": ("RH309",),
    "put_nowait": ("RH309",),
    "stop": ("RH309",),
    "set_result": ("RH309", "RH313"),
    "wait": ("RH207",),
    "acquire": ("RH204",),
    "makedirs": ("RH401",),
    "mkdir": ("RH401",),
    "unlink": ("RH401",),
    "remove": ("RH401",),
}


def comments(source: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def check(source: str, accused: Finding) -> None:
    for transformation in transformations_for(accused):
        patch = patch_by(transformation, source, findings=[accused], path="m.py")
        if isinstance(patch, Patch):
            compile(patch.after, "m.py", "exec", dont_inherit=True)
            assert not comments(source) - comments(patch.after), patch.diff
            assert patch.after != source
            assert patch.summary


@pytest.mark.parametrize("folder", sorted(RULES.glob("rh*")), ids=lambda path: path.name)
def test_no_finding_in_the_cases_of_the_rules_breaks_a_transformation(folder: Path) -> None:
    findings, _, _ = hunt([folder], confidence=Confidence.POSSIBLE)

    for accused in findings:
        check(Path(accused.subject.path).read_text("utf-8"), accused)


def place(node: ast.expr) -> Location:
    return Location(
        path="m.py",
        line=node.lineno,
        column=node.col_offset + 1,
        end_line=node.end_lineno or 0,
        end_column=(node.end_col_offset or 0) + 1,
    )


def pointed(code: str, first: ast.expr, second: ast.expr | None = None) -> Finding:
    made = finding(rule=code)
    at, other = place(first), place(second or first)
    return replace(
        made,
        location=at,
        first=replace(made.first, location=at),
        second=replace(made.second, location=other),
    )


def method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def everything(tree: ast.Module) -> Iterator[Finding]:
    """Findings that nobody has made, at each place that looks a little like one."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.With | ast.AsyncWith)]
    for block in blocks:
        for other in blocks:
            if other is not block:
                for code in ("RH201", "RH202"):
                    yield pointed(code, block.items[0].context_expr, other.items[0].context_expr)
        for statement in block.body:
            if isinstance(statement, ast.Assign | ast.Expr) and isinstance(statement.value, ast.Call):
                yield pointed("RH307", statement.value, block.items[0].context_expr)
    for node in ast.walk(tree):
        yield from at_node(node)


def at_node(node: ast.AST) -> Iterator[Finding]:
    if isinstance(node, ast.Call):
        yield from (pointed(code, node) for code in RULES_BY_METHOD.get(method(node), ()))
    if isinstance(node, ast.For) and isinstance(node.body[-1], ast.Expr):
        yield pointed("RH104", node.body[-1].value, node.iter)
    if isinstance(node, ast.ClassDef):
        yield from locks_of(node)


def locks_of(node: ast.ClassDef) -> Iterator[Finding]:
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call() as made) if (
                method(made) == "Lock"
            ):
                for code in ("RH203", "RH303"):
                    accused = pointed(code, made)
                    yield replace(accused, subject=replace(accused.subject, class_name=node.name, lock=name))


def library() -> Iterator[Path]:
    for name in PACKAGES:
        for path in [LIBRARY / name] if "." in name else (LIBRARY / name).glob("*.py"):
            if path.stat().st_size <= LARGEST:
                yield path


FILES = sorted(library())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_place_in_real_code_breaks_a_transformation(path: Path) -> None:
    source = path.read_text("utf-8")
    done: Counter[str] = Counter()

    for accused in everything(ast.parse(source)):
        done[accused.rule] += 1
        if done[accused.rule] <= MOST:
            check(source, accused)
