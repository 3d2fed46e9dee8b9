"""Modules that cannot name anything of each other are analysed apart."""

import pytest

from racehound.analysis import islands as islands_module
from racehound.analysis.islands import islands
from racehound.analysis.meaning.names import Names
from racehound.source.extraction import extract
from racehound.source.module import SourceModule


@pytest.fixture(name="_enough", autouse=True)
def _enough_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(islands_module, "ENOUGH", 0)


def parts(files: dict[str, str], unread: tuple[str, ...] = ()) -> list[set[str]]:
    modules = [extract(SourceModule.from_text(text, path)) for path, text in sorted(files.items())]
    return [{module.path for module in part} for part in islands(modules, Names(modules, unread))]


@pytest.mark.parametrize(
    "text",
    [
        "import a.b.c",
        "from a.b.c import D",
        "from a.b import c",
        "import a",
        "from . import c",
        "from .c import D",
    ],
)
def test_import_joins_modules_in_whichever_form(text: str) -> None:
    files = {"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": "class D: ...\n", "a/b/e.py": f"{text}\n"}

    assert parts(files) == [set(files)] or parts(files) == [{"a/__init__.py"}, set(files) - {"a/__init__.py"}]


def test_modules_without_imports_of_each_other_are_apart() -> None:
    files = {
        "a.py": "import threading\n",
        "b.py": "import asyncio\nimport c\n",
        "c.py": "",
        "d.py": "import other\n",
    }

    assert parts(files) == [{"a.py"}, {"b.py", "c.py"}, {"d.py"}]


def test_package_that_was_not_read_joins_those_who_name_something_below_it() -> None:
    files = {"a/b.py": "X = 1\n", "c.py": "import a\n", "d.py": "from a.z import q\n"}

    assert parts(files, ("a/__init__.py",)) == [{"a/b.py", "c.py"}, {"d.py"}]


def test_neighbour_that_is_imported_by_its_bare_name_is_joined() -> None:
    files = {"scripts/tool.py": "import helper\n", "scripts/helper.py": "", "other/helper.py": ""}

    assert {"scripts/tool.py", "scripts/helper.py"} <= next(
        part for part in parts(files) if "scripts/tool.py" in part
    )


def test_small_islands_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(islands_module, "ENOUGH", 2)

    assert parts({"a.py": "x = 1\n", "b.py": "x = 1\n", "c.py": "x = 1\n"}) == [{"a.py", "b.py"}, {"c.py"}]


def test_relative_import_joins_modules_above_the_place_where_the_hunt_began() -> None:
    files = {"../a/b/__init__.py": "", "../a/b/c.py": "class D: ...\n", "../a/b/e.py": "from .c import D\n"}

    assert {"../a/b/c.py", "../a/b/e.py"} in [part - {"../a/b/__init__.py"} for part in parts(files)]
