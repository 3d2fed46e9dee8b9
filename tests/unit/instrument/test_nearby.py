"""Which modules of a large package are observed."""

from pathlib import Path

import pytest

from racehound.instrument import nearby
from racehound.instrument.nearby import imported_from
from racehound.instrument.territory import territory_of
from racehound.model.proof import Verdict
from racehound.pipeline.prove import run_request
from racehound.scenario.request import Request

FILES = {
    "__init__.py": "from pkg import needless\nfrom pkg.far.away import Thing\n",
    "needless.py": "from pkg.far import away",
    "core.py": (
        "import typing\nimport pkg.plain\nfrom . import sibling, VERSION\nfrom .inner.leaf import Leaf\n"
        "try:\n    from pkg import tried\nexcept ImportError:\n    from .inner import fallback\n"
        "if typing.TYPE_CHECKING:\n    from pkg import needless\nelse:\n    from pkg.otherwise import *\n"
        "class Thing:\n    from .within import part\n    def act(self):\n        from pkg import needless\n"
    ),
    "inner/__init__.py": "",
    "inner/leaf.py": "from ..deep import Deep\n",
    "far/__init__.py": "",
    "broken.py": "def (",
}
EMPTY = (
    *("plain.py", "sibling.py", "tried.py", "otherwise.py", "within.py", "deep.py"),
    *("inner/fallback.py", "far/away.py"),
)


@pytest.fixture(name="package")
def _package(tmp_path: Path) -> Path:
    package = tmp_path / "site-packages" / "pkg"
    for name, text in {**dict.fromkeys(EMPTY, ""), **FILES}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    return package


def names(package: Path, start: str) -> set[str]:
    return {str(path.relative_to(package)) for path in imported_from(package / start, package)}


def test_what_a_module_imports_when_it_is_imported_belongs_to_it(package: Path) -> None:
    assert names(package, "core.py") == {
        *("core.py", "__init__.py", "plain.py", "sibling.py", "tried.py", "otherwise.py", "within.py", "deep.py"),
        *("inner/leaf.py", "inner/fallback.py"),
    }


def test_package_itself_is_followed_if_it_is_what_is_asked_for(package: Path) -> None:
    assert names(package, "__init__.py") == {"__init__.py", "needless.py", "far/away.py"}


def test_file_that_cannot_be_read_imports_nothing(package: Path) -> None:
    assert names(package, "broken.py") == {"broken.py"}


def test_small_package_is_observed_as_a_whole(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = package / "core.py"

    assert package / "needless.py" in territory_of(target, package.parent)
    monkeypatch.setattr(nearby, "LARGE", 10)
    assert package / "needless.py" not in territory_of(target, package.parent)
    assert package / "inner" / "leaf.py" in territory_of(target, package.parent)


@pytest.mark.slow
def test_what_is_not_observed_is_not_called_safe(package: Path) -> None:
    (package / "padding.py").write_text("#" * (nearby.LARGE + 1), encoding="utf-8")
    (package / "needless.py").write_text(
        "count = 0\ndef up():\n    global count\n    count += 1\n", encoding="utf-8"
    )
    target = str(package / "core.py")
    request = Request(
        path=target, shown_path=target, class_name="Counter", functions=(), pair=None, fields=(), seconds=5
    )
    (package / "core.py").write_text(
        "class Counter:\n    def up(self):\n        from pkg import needless\n        needless.up()\n",
        encoding="utf-8",
    )

    proof = run_request(request)

    assert proof.verdict in {Verdict.SAMPLED, Verdict.INCONCLUSIVE}
