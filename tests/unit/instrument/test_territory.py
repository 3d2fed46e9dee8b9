import json
from pathlib import Path

import pytest

from racehound.instrument.territory import Territory, is_library, territory_of


def test_program_is_observed_without_the_libraries_installed_in_it(tmp_path: Path) -> None:
    territory = territory_of(tmp_path / "app" / "main.py", tmp_path)

    assert tmp_path / "app" / "other.py" in territory
    assert tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "x.py" not in territory
    assert Path("/elsewhere/x.py") not in territory


@pytest.mark.parametrize(
    ("module", "inside", "outside"),
    [
        ("shop/stock.py", "shop/deep/shelf.py", "other/x.py"),
        ("lone.py", "lone.py", "other.py"),
    ],
)
def test_installed_module_is_observed_with_its_package_alone(
    tmp_path: Path, module: str, inside: str, outside: str
) -> None:
    packages = tmp_path / "site-packages"
    territory = territory_of(packages / module, packages)
    target = tmp_path / "target"
    (target / "shop-1.0.dist-info").mkdir(parents=True)
    given = territory_of(target / module, target)

    assert packages / inside in territory
    assert packages / outside not in territory
    assert target / inside in given
    assert target / outside not in given


def test_standard_library_is_a_library() -> None:
    assert is_library(Path(json.__file__).resolve())
    assert not is_library(Path(__file__).resolve())


def test_territory_may_be_a_single_file(tmp_path: Path) -> None:
    assert tmp_path / "a.py" in Territory([tmp_path / "a.py"])
    assert tmp_path / "b.py" not in Territory([tmp_path / "a.py"])
