"""A finding that an earlier hunt has written down is a target."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.cli import exits
from racehound.cli.main import main
from racehound.errors import UsageError
from racehound.pipeline.findings import Accused, accused_by

SHOP = """
    import threading

    stock = {}

    class Shop:
        def __init__(self):
            self._lock = threading.Lock()
            self.sold = 0

        def sell(self):
            self.sold += 1

        def report(self):
            with self._lock:
                return self._read()

        def _read(self):
            return self.sold

    if True:
        def refill(name: str):
            stock[name] = stock.get(name, 0) + 1
"""


@pytest.fixture(name="shop")
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(dedent(SHOP), encoding="utf-8")
    return tmp_path / "found.json"


def written(place: Path, *findings: tuple[str, str, int, int]) -> Path:
    report = [
        {
            "fingerprint": fingerprint,
            "message": message,
            "path": "shop.py",
            "line": line,
            "related": [{"path": "shop.py", "line": other, "message": ""}, {"path": "else.py", "line": 1}],
        }
        for fingerprint, message, line, other in findings
    ]
    place.write_text(json.dumps({"version": 1, "findings": report}), encoding="utf-8")
    return place


SELL = ("a1", "`self.sold` is updated without a lock", 12, 12)
READ = ("a2", "`self.sold` is read without a lock", 12, 19)
FILL = ("b1", "`stock` is updated without a lock", 23, 23)
NOWHERE = ("c1", "a module is run", 2, 2)


def test_the_functions_around_its_lines_are_what_a_finding_accuses(shop: Path) -> None:
    place = written(shop, SELL, READ, FILL)

    assert accused_by(place, "a1") == Accused(Path("shop.py"), "Shop", ("sell",), ("sell", "sell"), ("sold",))
    assert accused_by(place, "a2") == Accused(Path("shop.py"), "Shop", ("sell",), None, ("sold",))
    assert accused_by(place, "b") == Accused(Path("shop.py"), None, ("refill",), ("refill", "refill"), ("stock",))


def test_the_only_finding_need_not_be_named(shop: Path) -> None:
    assert accused_by(written(shop, SELL), "").functions == ("sell",)


@pytest.mark.parametrize(
    ("fingerprint", "said"),
    [("", "has 3 findings"), ("a", "has 2 findings"), ("z", "has no such finding"), ("c1", "is in no function")],
)
def test_what_is_wrong_with_a_finding_is_said(shop: Path, fingerprint: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        accused_by(written(shop, SELL, READ, NOWHERE), fingerprint)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("{", "is no JSON"),
        ("[]", "holds no findings"),
        ('{"findings": []}', "no findings"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(shop: Path, text: str | None, said: str) -> None:
    if text is not None:
        shop.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=said):
        accused_by(shop, "")


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ("def", "cannot be read as Python")])
def test_what_is_wrong_with_the_source_is_said(shop: Path, text: str | None, said: str) -> None:
    source = shop.parent / "shop.py"
    source.unlink()
    if text is not None:
        source.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=said):
        accused_by(written(shop, SELL), "")


@pytest.mark.slow
def test_what_a_finding_accuses_is_raced_first(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = written(shop, SELL, READ)

    assert main(["prove", f"{place.name}::a1", "--budget", "20"]) == exits.FINDINGS
    assert "task 2     subject.sell()" in capsys.readouterr().out
