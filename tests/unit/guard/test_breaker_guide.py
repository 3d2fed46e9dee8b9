"""The guide does what it says."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from racehound.guard.breaker import EventKind, Settings
from racehound.guard.breaker.settings import Options

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "circuit-breaker.md"


def test_its_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102 - our own guide
    store = names["shared"]._store  # type: ignore[attr-defined]  # only to close its file
    store.close()

    said = capsys.readouterr().out.splitlines()
    assert said == ["['HOUND']", "forced-open search forced-open 0"]


def test_it_names_every_setting_and_every_kind_of_event() -> None:
    text = GUIDE.read_text(encoding="utf-8")

    assert [field.name for field in fields(Settings) if f"| `{field.name}` |" not in text] == []
    assert [kind for kind in EventKind if f"`{kind}`" not in text] == []


def test_settings_and_keyword_arguments_are_the_same() -> None:
    assert {field.name for field in fields(Settings)} == set(Options.__annotations__)
