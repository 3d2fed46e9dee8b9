import fcntl
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drivers.reports import finding
from racehound.errors import ConfigError, UsageError
from racehound.model.finding import Confidence
from racehound.pipeline import inquiry as inquiry_module
from racehound.pipeline.baseline import compare, complaints, entries_of
from racehound.pipeline.baseline_file import Entry, read_baseline, write_baseline
from racehound.pipeline.hunt import hunt
from racehound.pipeline.inquiry import Inquiry, inquire

RULES = ("RH102", "RH107")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "baseline.json")


def test_what_is_written_is_read_again_in_a_fixed_order(file: str) -> None:
    entries = entries_of([finding(20), finding(12), finding(12)])

    write_baseline(file, entries)
    text = Path(file).read_text("utf-8")
    assert {(entry.fingerprint, entry.count) for entry in read_baseline(file)} == {
        ("c0ffee12", 2),
        ("c0ffee20", 1),
    }
    assert [line.count('"fingerprint"') for line in text.splitlines()] == [0, 0, 0, 1, 1, 0, 0]

    write_baseline(file, reversed(entries))
    assert Path(file).read_text("utf-8") == text


def test_name_of_a_file_that_is_no_text_is_read_again(file: str) -> None:
    (entry,) = entries_of([finding()])
    entry = replace(entry, path="shop/odd\udcff.py", message="`é`")

    write_baseline(file, [entry])

    assert read_baseline(file) == (entry,)


def test_empty_baseline_can_be_written(file: str) -> None:
    write_baseline(file, ())

    assert read_baseline(file) == ()


def test_known_findings_are_left_out_as_often_as_they_are_known() -> None:
    entries = entries_of([finding(12)])

    result = compare([finding(12), finding(12), finding(20)], entries, paths=["."], rules=RULES)

    assert [item.location.line for item in result.new] == [12, 20]
    assert result.known == entries
    assert result.gone == ()


@pytest.mark.usefixtures("file")
def test_gone_findings_are_named() -> None:
    entries = entries_of([finding(12), finding(12), finding(20)])

    result = compare([finding(12)], entries, paths=["."], rules=RULES)

    assert result.new == ()
    assert [(entry.fingerprint, entry.count) for entry in result.known] == [("c0ffee12", 1)]
    (line,) = complaints(result, "b.json")
    assert str(line) == (
        "shop/stock_room.py: RH102 is gone, but b.json still has it; --update-baseline takes it out"
        " [gone-from-baseline]"
    )


def test_of_files_and_rules_that_were_not_looked_at_nothing_is_said(file: str) -> None:
    path = Path(file).parent / "shop" / "stock_room.py"
    path.parent.mkdir()
    path.write_text("")
    entries = entries_of([finding()])

    assert compare([], entries, paths=["other"], rules=RULES).gone == ()
    assert compare([], entries, paths=["shop"], rules=["RH301"]).gone == ()
    assert compare([], entries, paths=["shop/stock_room.py"], rules=RULES).gone == entries
    path.unlink()
    assert compare([], entries, paths=["other"], rules=RULES).gone == entries


@pytest.mark.usefixtures("file")
def test_of_findings_less_sure_than_what_was_asked_for_nothing_is_said() -> None:
    entries = entries_of([replace(finding(12), confidence=Confidence.LIKELY, doubt="No two are seen.")])
    certain = compare([], entries, paths=["."], rules=RULES, confidence=Confidence.CERTAIN)
    assert (certain.gone, certain.known) == ((), entries)
    assert compare([], entries, paths=["."], rules=RULES, confidence=Confidence.LIKELY).gone == entries

    older = (replace(entries[0], confidence=""),)
    assert compare([], older, paths=["."], rules=RULES, confidence=Confidence.CERTAIN).gone == ()
    assert compare([], older, paths=["."], rules=RULES).gone == older


def test_baseline_is_read_before_the_hunt_begins(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("racehound.pipeline.inquiry.hunt")
    Path(file).write_text("[]")

    with pytest.raises(ConfigError):
        inquire(Inquiry(paths=(".",), baseline=file))


GOOD = {"rule": "RH102", "path": "a.py", "fingerprint": "f", "count": 1, "message": "m"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "baseline.json:1: not a baseline: Expecting value"),
        ('{\n  "version": 1,\n  oops\n}', "baseline.json:3: not a baseline: Expecting property name"),
        ("[]", 'baseline.json:1: not a baseline: it needs "version" and "findings"'),
        ('{"version": 2, "findings": []}', "its version is 2, and this racehound reads 1"),
        ('{"version": 1, "findings": {}}', 'it needs "version" and "findings"'),
        ("[" * 100_000, "not a baseline"),
        (
            '{"version": 1, "findings": [\n'
            + json.dumps(GOOD)
            + ",\n"
            + json.dumps({**GOOD, "count": 0})
            + "\n]}",
            "baseline.json:3: not a baseline: a finding needs",
        ),
        ('{"version": 1, "findings": [\n\n\n 3]}', "baseline.json:4: not a baseline: a finding needs"),
    ],
)
def test_broken_file_is_named_with_the_line(text: str, said: str, file: str) -> None:
    Path(file).write_text(text, "utf-8")

    with pytest.raises(ConfigError) as caught:
        read_baseline(file)

    assert said in str(caught.value)
    assert "--write-baseline" in caught.value.hint


def test_file_that_is_not_there_or_not_text_is_complained_of(file: str) -> None:
    with pytest.raises(UsageError, match="cannot read the baseline"):
        read_baseline(file)

    Path(file).write_bytes(b"{\n\xff")
    with pytest.raises(ConfigError, match=r"baseline\.json:2: not a baseline: it is not UTF-8"):
        read_baseline(file)


def test_file_is_replaced_at_once_and_keeps_its_mode(file: str) -> None:
    Path(file).write_text("old")
    Path(file).chmod(0o640)

    write_baseline(file, entries_of([replace(finding(), message="é")]))

    assert Path(file).stat().st_mode & 0o777 == 0o640
    assert [path.name for path in Path(file).parent.iterdir()] == ["baseline.json"]
    assert "é" in Path(file).read_text("utf-8")


def test_place_that_cannot_be_written_is_a_usage_error(file: str) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        write_baseline(f"{file}/below", ())


TWO = """\
class Meter:
    '''Thread-safe.'''

    def __init__(self):
        self.count = 0

    def one(self):
        self.count += 1

    def two(self):
        self.count += 2
"""
THIRD = "\n    def three(self):\n        self.count += 3\n"
MENDED = TWO.replace("        self.count += 1\n", "        return self.count\n")


def outcome(file: str, text: str, *, update: bool = False) -> tuple[int, int, int]:
    """How many findings are new, known and gone."""
    Path("meter.py").write_text(text)
    answers = inquire(Inquiry(paths=("meter.py",), baseline=file, update_baseline=update))
    return len(answers.findings), answers.known, len(answers.diagnostics)


def test_what_is_left_of_a_finding_that_told_several_is_known(file: str) -> None:
    Path("meter.py").write_text(TWO)
    inquire(Inquiry(paths=("meter.py",), baseline=file, write_baseline=True))

    assert outcome(file, TWO) == (0, 1, 0)
    assert outcome(file, MENDED) == (0, 1, 0)
    assert outcome(file, TWO + THIRD) == (1, 0, 1)

    assert outcome(file, MENDED, update=True) == (0, 1, 0)
    assert outcome(file, TWO) == (1, 0, 1)


def test_parts_that_are_no_texts_are_complained_of(file: str) -> None:
    write_baseline(file, [replace(entries_of([finding(12)])[0], parts=("a", "b"))])
    assert read_baseline(file)[0].parts == ("a", "b")

    Path(file).write_text(Path(file).read_text().replace('["a", "b"]', "3"))
    with pytest.raises(ConfigError, match=r"baseline\.json:4: not a baseline: a finding needs"):
        read_baseline(file)


@pytest.fixture
def mended(file: str) -> str:
    """A baseline with the findings of two files, neither of which has any now."""
    for name in ("meter.py", "gauge.py"):
        Path(name).write_text(TWO)
    inquire(Inquiry(paths=(".",), baseline=file, write_baseline=True))
    assert len(read_baseline(file)) == 2
    for name in ("meter.py", "gauge.py"):
        Path(name).write_text("x = 1\n")
    return file


def update(file: str, path: str) -> None:
    inquire(Inquiry(paths=(path,), baseline=file, update_baseline=True))


def test_update_puts_nothing_back_that_another_has_taken_out_meanwhile(
    mended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(paths: Sequence[str], **options: Any) -> Any:
        monkeypatch.setattr(inquiry_module, "hunt", hunt)
        update(mended, "gauge.py")
        return hunt(paths, **options)

    monkeypatch.setattr(inquiry_module, "hunt", interrupted)
    update(mended, "meter.py")

    assert read_baseline(mended) == ()


def test_nobody_else_updates_while_the_baseline_is_read_and_written(
    mended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asking(path: str, entries: Iterable[Entry]) -> None:
        directory = os.open(Path(path).parent, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(directory)
        write_baseline(path, entries)

    monkeypatch.setattr(inquiry_module, "write_baseline", asking)
    update(mended, "meter.py")

    assert [entry.path for entry in read_baseline(mended)] == ["gauge.py"]
