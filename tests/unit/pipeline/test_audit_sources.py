"""Where the source of a command is, so that its findings can be joined to the audit."""

from pathlib import Path

from racehound.pipeline.audit import sources_of


def environment(folder: Path, *, entry: str, first: str = "#!/usr/bin/python3") -> Path:
    """An environment with a console script for `pkg.cli:main`."""
    package = folder / "lib" / "python3.11" / "site-packages" / "pkg"
    package.mkdir(parents=True)
    (package / "cli.py").write_text("def main(): ...\n")
    script = folder / "bin" / "tool"
    script.parent.mkdir()
    script.write_text(f"{first}\n{entry}\n")
    return script


def test_a_script_is_its_own_source(tmp_path: Path) -> None:
    path = tmp_path / "tool.py"
    path.write_text("")

    assert sources_of(f"python3 {path} set k v") == [path]


def test_an_entry_point_leads_to_its_package(tmp_path: Path) -> None:
    script = environment(tmp_path, entry="from pkg.cli import main")

    assert [path.name for path in sources_of(f"{script} set k v")] == ["pkg"]


def test_a_script_without_an_entry_point_is_read_itself(tmp_path: Path) -> None:
    script = environment(tmp_path, entry="print()")

    assert sources_of(f"{script} x") == [script]


def test_a_module_that_is_not_there_has_no_source(tmp_path: Path) -> None:
    script = environment(tmp_path, entry="from elsewhere.cli import main")

    assert sources_of(f"{script} x") == []


def test_programs_in_other_languages_have_no_python_source(tmp_path: Path) -> None:
    script = environment(tmp_path, entry="", first="#!/bin/sh")

    assert sources_of(f"{script} x") == []
    assert sources_of("sed -i x f") == []
    assert sources_of("a | b") == []
