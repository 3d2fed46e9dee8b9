"""A pytest module that fails as long as the race is there."""

import ast
import builtins
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from racehound.model.proof import ScenarioText
from racehound.scenario.expressions import SUBJECT, with_names_for_functions, with_names_for_shared
from racehound.scenario.leaving import LEFT
from racehound.scenario.parts import PAUSE

LIBRARIES = frozenset({"site-packages", "dist-packages"})
"""What lies below is found by everybody."""
_ROOT = re.compile(r"^sys\.path\.insert\(0, (['\"].*)\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Target:
    """How the test gets at the code."""

    module: str
    root: str
    """The directory from which the module is imported, as the user names it from where the tests run."""

    @classmethod
    def of(cls, module: str, path: str) -> "Target":
        """Of a module whose file the user names by this path; a package lies above its modules."""
        steps = module.count(".") + (Path(path).stem == "__init__")
        return cls(module, os.path.normpath(Path(path).parent.joinpath(*[os.pardir] * steps)))

    @property
    def is_installed(self) -> bool:
        return not LIBRARIES.isdisjoint(Path(self.root).parts)


TEMPLATE = '''\
"""Fails as long as the operations can end {ending}."""

{imports}

from racehound import explore

{functions}
{loop}def set_up():
    {subject} = {setup}
{prefix}    return {subject}


{coroutines}def {test}():
    result = explore(
        setup=set_up,
        workers=[
{workers}
        ],
{invariant}    )
    result.assert_safe()
'''


def regression_test(
    scenario: ScenarioText, target: Target, *, class_name: str | None, invariant: str | None = None
) -> str:
    """The text of the test; it imports the code as its package does."""
    scenario, functions = _with_functions(scenario)
    tasks = range(len(scenario.tasks))
    coroutines = {index for index in tasks if scenario.on_loop or any(map(_awaits, scenario.tasks[index]))}
    on_loop = len(coroutines) == len(tasks)
    workers = [
        f"            {f'task_{index}' if index in coroutines else f'lambda {SUBJECT}: {_sequence(task)}'},"
        for index, task in enumerate(scenario.tasks)
    ]
    return TEMPLATE.format(
        ending="in a state that breaks the invariant" if invariant else "as no serial order of them does",
        coroutines="".join(_coroutine(index, scenario.tasks[index]) for index in sorted(coroutines)),
        imports=_imports(target, scenario, functions, runs=not on_loop and any(map(_awaits, scenario.prefix))),
        functions="".join(f"\n{_definition(name, function)}\n" for name, function in functions.items()),
        subject=SUBJECT,
        setup=scenario.setup,
        loop="async " if on_loop else "",
        prefix="".join(f"    {line}\n" for call in scenario.prefix for line in _before(call, on_loop=on_loop)),
        test=f"test_{_snake(class_name or target.module)}_operations_do_not_race",
        workers="\n".join(workers),
        invariant=f"        invariant=lambda {SUBJECT}: {invariant},\n" if invariant else "",
    )


def _with_functions(scenario: ScenarioText) -> tuple[ScenarioText, dict[str, ast.expr]]:
    """The scenario with names for what it hands over: what one call registers, another takes back."""
    functions: dict[str, ast.expr] = {}
    names: dict[str, str] = {}

    def name_of(function: ast.Lambda) -> str:
        return names.setdefault(ast.unparse(function), f"function_{len(names) + 1}")

    def named(call: str) -> str:
        text, found = with_names_for_functions(call, name_of)
        shown, shared = with_names_for_shared(text)
        functions.update(found)
        functions.update(shared)
        return shown if found or shared else call

    text = ScenarioText(
        setup=named(scenario.setup),
        prefix=tuple(map(named, scenario.prefix)),
        tasks=tuple(tuple(map(named, task)) for task in scenario.tasks),
        on_loop=scenario.on_loop,
    )
    return text, functions


def _definition(name: str, function: ast.expr) -> str:
    """A function, or the object of a class that all calls have in common."""
    if not isinstance(function, ast.Lambda):
        return f"{name} = {ast.unparse(function)}()\n"
    return f"def {name}({ast.unparse(function.args)}):\n    return {ast.unparse(function.body)}\n"


def _awaits(call: str) -> bool:
    nodes = ast.walk(ast.parse(call, mode="eval"))
    return any(isinstance(node, ast.Await) or getattr(node, "is_async", 0) for node in nodes)


def _coroutine(index: int, task: tuple[str, ...]) -> str:
    """One operation is a coroutine; several, or one with a pause, are a generator that yields their results."""
    if len(task) == 1 and PAUSE not in task[0]:
        lines = [f"return {task[0]}"]
    else:
        lines = [line for call in task[:-1] for line in _in_parts(call, is_last=False)]
        lines += _in_parts(task[-1], is_last=True)
    body = "".join(f"    {line}\n" for line in lines)
    return f"async def task_{index}({SUBJECT}):\n{body}\n\n"


def _in_parts(call: str, *, is_last: bool) -> list[str]:
    """An operation of several; others may come in after it."""
    after = [] if is_last else ["yield"]
    if block := _BLOCK.fullmatch(call):
        return [*_with(block, " as value", "yield value"), *after]
    return [call, *after] if PAUSE in call else [f"yield {call}"]


_BLOCK = re.compile(
    r"\((?P<await>(?:await )?)\(block := (?P<manager>.*)\)\.__a?enter__\(\), (?:\(yield\)|None), "
    rf"(?:await )?block\.__a?exit__\({LEFT}\)\)\[0\]"
)


def _with(block: re.Match[str], name: str, inner: str) -> list[str]:
    """A block as a statement; one that fails leaves its exception behind, where the block itself does not."""
    opened = f"{block['await'] and 'async '}with {block['manager']}{name}:"
    if not block["fails"]:
        return [opened, f"    {inner}"]
    lines = [opened, f"    {inner}", "    raise ValueError"]
    return ["try:", *(f"    {line}" for line in lines), "except ValueError:", "    pass"]


def _before(call: str, *, on_loop: bool) -> list[str]:
    """A call of the set-up, which may be a coroutine itself."""
    block = _BLOCK.fullmatch(call)
    lines = _with(block, "", "pass") if block else [call]
    if on_loop or not _awaits(call):
        return lines
    return ["async def before():", *(f"    {line}" for line in lines), "", "asyncio.run(before())"]


def _sequence(task: tuple[str, ...]) -> str:
    """Others may come in between operations."""
    return task[0] if len(task) == 1 else f"[{f', {PAUSE}, '.join(task)}]"


def _imports(target: Target, scenario: ScenarioText, functions: Mapping[str, ast.expr], *, runs: bool) -> str:
    asyncio = "import asyncio\n" if runs else ""
    names = _names(scenario, functions)
    if all(part.isidentifier() for part in target.module.split(".")):
        library, lines = "", [f"from {target.module} import {', '.join(names)}"] if names else []
    else:
        library = "from importlib import import_module\n"
        lines = [f"{name} = import_module({target.module!r}).{name}" for name in names]
    if target.is_installed:
        return "\n".join([f"{asyncio}{library}", *lines]).strip()
    late = [f"{line}  # noqa: E402" if line.startswith("from") else line for line in lines]
    return "\n".join([f"{asyncio}import sys\n{library}", f"sys.path.insert(0, {target.root!r})", *late])


def placed(test: str, file: Path) -> str:
    """The test as it stands in a file: it finds the code from there, wherever it is run."""

    def line(found: re.Match[str]) -> str:
        root = Path(ast.literal_eval(found[1])).resolve()
        way = Path(os.path.relpath(root, file.resolve().parent)).as_posix()
        return f"sys.path.insert(0, str((Path(__file__).parent / {way!r}).resolve()))"

    text, count = _ROOT.subn(line, test)
    return text.replace("import sys\n", "import sys\nfrom pathlib import Path\n", 1) if count else text


def _names(scenario: ScenarioText, functions: Mapping[str, ast.expr]) -> list[str]:
    """What the calls mean by the names they use, but for the subject, the test's own and the built-in ones."""
    calls = [scenario.setup, *scenario.prefix, *(call for task in scenario.tasks for call in task)]
    trees = [*(ast.parse(call, mode="eval") for call in calls), *functions.values()]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    free = {node.id for node in nodes if isinstance(node, ast.Name)}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return sorted(free - bound - {SUBJECT, *functions, *_parameters(nodes)} - set(dir(builtins)))


def _parameters(nodes: Iterable[ast.AST]) -> Iterator[str]:
    return (node.arg for node in nodes if isinstance(node, ast.arg))


def _snake(name: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).lower()


def skipped_without(test: str, packages: Sequence[str]) -> str:
    """The test for those who have the packages that were made up here."""
    if not packages or "import sys\n" not in test:
        return test
    asked = "".join(f"pytest.importorskip({name!r})\n" for name in packages)
    text = test.replace("import sys\n", "import sys\n\nimport pytest\n", 1)
    return _ROOT.sub(lambda found: f"{found[0]}\n{asked.rstrip()}", text, count=1)
