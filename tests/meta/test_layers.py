"""Each room imports only the rooms below it.

Every import statement counts, wherever it stands: one inside a function is still a dependency, only a later one,
and one under TYPE_CHECKING still means that the room cannot be understood without the other.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "src" / "racehound"

ANALYSIS = {"model", "source", "analysis"}
PROVING = {"model", "engine", "strategies", "primitives", "instrument"}
ALL_BUT_GUARD = ANALYSIS | PROVING | {"rules", "fixes", "scenario", "processes", "audit", "reporters", "config"}
EDGES = {"cli", "servers", "pytest_plugin"}

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "markers": set(),
    "model": set(),
    "source": {"model"},
    "analysis": {"model", "source"},
    "rules": ANALYSIS,
    "fixes": ANALYSIS,
    "engine": {"model"},
    "strategies": {"model", "engine"},
    "primitives": {"model", "engine"},
    "instrument": {"model", "engine"},
    "scenario": PROVING,
    "processes": {"model"},
    "audit": {"model", "processes"},
    "reporters": {"model"},
    "config": {"model"},
    "guard": set(),
    "pipeline": ALL_BUT_GUARD,
    "cli": ALL_BUT_GUARD | {"pipeline", "guard", "__init__"},
    "servers": ALL_BUT_GUARD | {"pipeline", "__init__"},
    "pytest_plugin": ALL_BUT_GUARD | {"pipeline", "__init__"},
    "__init__": ALL_BUT_GUARD | {"pipeline", "markers"},
    "__main__": {"cli"},
}
OPTIONAL_IN_GUARD = {"redis", "psycopg", "tomlkit", "prometheus_client", "opentelemetry"}
PARSERS_IN_GUARD = {"click", "typer"}


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                # `from racehound import guard` depends on racehound.guard.
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom(lineno=line):
                pytest.fail(f"{path.name}:{line} imports relatively: whole names can be searched for")


def layer_of(module: str) -> str:
    """The room of `racehound.room.file`; names that the package itself offers belong to `__init__`."""
    room = module.split(".")[1]
    return room if (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file() else "__init__"


def imported_layers(path: Path) -> set[str]:
    ours = (module for module in imported_modules(path) if module.startswith("racehound."))
    return {layer_of(module) for module in ours if module != "racehound.__version__"}


def own_layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


SOURCES = sorted(ROOT.rglob("*.py"))
GUARD = sorted((ROOT / "guard").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_module_imports_only_the_layers_below_it(path: Path) -> None:
    layer = own_layer(path)
    allowed = MAY_IMPORT[layer] | {layer}
    if layer != "guard":
        allowed |= {"errors"}

    assert imported_layers(path) <= allowed


def test_every_room_has_its_place_in_the_layers() -> None:
    assert {own_layer(path) for path in SOURCES} <= set(MAY_IMPORT)


def test_the_layers_have_no_cycle() -> None:
    order = TopologicalSorter(MAY_IMPORT).static_order()

    assert set(order) == set(MAY_IMPORT)


def test_guard_imports_only_the_standard_library_and_itself() -> None:
    modules = {module.split(".")[0] for path in GUARD for module in imported_modules(path)}

    assert modules - {"racehound"} - OPTIONAL_IN_GUARD - PARSERS_IN_GUARD <= sys.stdlib_module_names


@pytest.mark.parametrize("parser", sorted(PARSERS_IN_GUARD))
def test_guard_imports_a_parser_only_in_the_file_named_after_it(parser: str) -> None:
    files = {path.name for path in GUARD if parser in (module.split(".")[0] for module in imported_modules(path))}

    assert files == {f"{parser}_flags.py"}


def test_guard_imports_clients_of_servers_only_when_they_are_used() -> None:
    eager = {
        module.split(".")[0]
        for path in GUARD
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for module in imports_of_statement(node)
    }

    assert not eager & OPTIONAL_IN_GUARD


def imports_of_statement(node: ast.stmt) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
    return []


def test_an_import_counts_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from racehound.model.finding import Finding\n"
        "def f():\n"
        "    import racehound.errors\n"
        "    from racehound import explore\n"
    )

    assert imported_layers(path) == {"model", "errors", "__init__"}
