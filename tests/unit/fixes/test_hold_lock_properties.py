"""What must hold for any class: the patch is complete, loses nothing, and one thread sees no difference."""

import ast
import io
import tokenize
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racehound.fixes.hold_lock import hold_lock
from racehound.model.finding import Subject

pytestmark = pytest.mark.usefixtures("unmeasured")

FIELDS = ("a", "b", "c")
STATEMENTS = (
    "self.{0} += {2}",
    "self.{0} = self.{1} + {2}  # from {1}",
    "self.items.append(self.{0})",
    "self.items.clear()",
    "if self.{0} > {2}:\n    # too many\n    self.{1} = 0\nelse:\n    self.{0} += 1",
    "for step in range({2}):\n    self.{0} += step",
    "with self.guard:\n    self.{0} -= {2}",
    "local = self.{0}\nself.{1} = local * 2",
    "def add():\n    self.{0} += {2}\nadd()",
    "self.items.extend(value for value in range({2}) if value > self.{0})",
    "text = '''# no comment\n  kept'''",
    "return self.{0}",
    "try:\n    self.{0} //= {2}\nexcept ZeroDivisionError:\n    self.{1} = 1",
)

statements = st.builds(
    lambda template, one, two, number: template.format(one, two, number),
    st.sampled_from(STATEMENTS),
    st.sampled_from(FIELDS),
    st.sampled_from(FIELDS),
    st.integers(0, 5),
)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    lines = draw(st.lists(statements, min_size=1, max_size=4))
    if draw(st.booleans()):
        lines.insert(0, '"""What it does."""\n')
    if draw(st.booleans()):
        lines.append("# and that is all")
        lines.append("self.done = True")
    return "\n".join(lines)


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A class with a guard of its own, which some of its methods use, and methods that call each other."""
    methods = draw(st.lists(bodies(), min_size=1, max_size=3))
    indent = draw(st.sampled_from(["    ", "  ", "\t"]))
    head = draw(st.sampled_from(['"""Doc."""\n\nimport threading\n', "import threading as th\nthreading = th\n"]))
    lines = [head, "class Subject:  # under test"]
    init = ["self.guard = threading.RLock()", "self.items = []", *(f"self.{name} = 1" for name in FIELDS)]
    lines += [f"{indent}def __init__(self):", *(f"{indent}{indent}{line}" for line in init)]
    for number, body in enumerate(methods):
        lines += ["", f"{indent}def method_{number}(self):  # number {number}"]
        lines += [f"{indent}{indent}{line}" if line else line for line in _indented(body, indent)]
        if number and draw(st.booleans()):
            lines.append(f"{indent}{indent}self.method_{number - 1}()")
    return "\n".join(lines) + "\n"


def _indented(body: str, indent: str) -> list[str]:
    return body.replace("\n    ", f"\n{indent}").split("\n")


def subject(*, lock: str | None = None) -> Subject:
    return Subject(path="m.py", class_name="Subject", functions=(), fields=(*FIELDS, "items"), lock=lock)


def comments(source: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def behaviour(source: str) -> list[object]:
    """Results and state after each method has been called twice."""
    space: dict[str, object] = {}
    exec(compile(source, "m.py", "exec"), space)  # noqa: S102 - source that this test has made
    made = space["Subject"]
    assert isinstance(made, type)
    seen: list[object] = []
    instance = made()
    for name in sorted(name for name in vars(made) if name.startswith("method_")) * 2:
        seen.append(getattr(instance, name)())
        seen.append({key: value for key, value in vars(instance).items() if "lock" not in key and key != "guard"})
    return [str(SimpleNamespace(value=item)) for item in seen]


def bare_touches(source: str, lock: str) -> list[int]:
    """Lines outside `__init__` where a field is touched by a statement that is under no `with` of the lock."""
    found: list[int] = []

    def visit(node: ast.AST, *, held: bool) -> None:
        if isinstance(node, ast.With):
            held |= any(ast.unparse(item.context_expr) == f"self.{lock}" for item in node.items)
        if isinstance(node, ast.FunctionDef):
            held = False
        if isinstance(node, ast.Attribute) and node.attr in {*FIELDS, "items"} and not held:
            found.append(node.lineno)
        for child in ast.iter_child_nodes(node):
            visit(child, held=held)

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("method_"):
            visit(node, held=False)
    return found


@pytest.mark.slow
@settings(max_examples=50, deadline=None, derandomize=True)
@given(sources())
def test_patch_guards_every_touch_and_changes_nothing_else(source: str) -> None:
    patch = hold_lock(source, subject=subject(), path="m.py")

    after = patch.after if patch else source
    lock = "guard" if "with self.guard" in after else "_lock"
    assert bare_touches(after, lock) == []
    assert comments(after) == comments(source)
    assert behaviour(after) == behaviour(source)
    assert hold_lock(after, subject=subject(), path="m.py") is None


@pytest.mark.slow
@settings(max_examples=20, deadline=None, derandomize=True)
@given(sources())
def test_lock_that_the_finding_names_is_used(source: str) -> None:
    patch = hold_lock(source, subject=subject(lock="guard"), path="m.py")

    after = patch.after if patch else source
    assert bare_touches(after, "guard") == []
    assert "_lock" not in after
    assert behaviour(after) == behaviour(source)
