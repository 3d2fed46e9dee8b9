"""What is read out of files: names that a report can show, and never an exception."""

import bz2
import gzip
import json
import lzma
import os
import sqlite3
import subprocess
import tarfile
import time
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from racehound.audit.views import formats, tree
from racehound.audit.views.formats import UNREADABLE, file_entries, text_entries
from racehound.audit.views.lines import clipped, yaml_entries
from racehound.audit.views.tree import tree_entries
from racehound.errors import HarnessError
from racehound.processes.trees import remove

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]


def names(path: Path, text: str) -> dict[str, str]:
    path.write_text(text)
    return dict(file_entries(path))


def test_json_is_read_as_dotted_keys(tmp_path: Path) -> None:
    found = names(tmp_path / "c.json", '{"x": {"k1": 1, "list": ["a", {"b": 2}], "none": {}}}')

    assert found == {"x.k1": "1", "x.list[] 'a'": "", "x.list[1].b": "2", "x.none": "{}"}


def test_toml_is_read_as_dotted_keys(tmp_path: Path) -> None:
    assert names(tmp_path / "c.toml", '[a.b]\nk = "v"\n') == {"a.b.k": "'v'"}


@pytest.mark.parametrize("name", ["c.ini", "setup.cfg", "pip.conf", ".gitconfig", "config"])
def test_sections_are_read_as_section_and_key(tmp_path: Path, name: str) -> None:
    found = names(tmp_path / name, '[k1]\n\tx = 1\n[remote "origin"]\nurl: u\nbare\n')

    assert found == {
        "[k1]": "",
        "k1.x": "1",
        "[remote.origin]": "",
        "remote.origin.url": "u",
        "[remote.origin] bare": "",
    }


def test_keys_before_any_section_stand_alone(tmp_path: Path) -> None:
    assert names(tmp_path / ".npmrc", "registry=x\n") == {"registry": "x"}


@pytest.mark.parametrize("name", [".env", ".env.local", "a.env"])
def test_dotenv_files_are_read_by_assignment(tmp_path: Path, name: str) -> None:
    assert names(tmp_path / name, "export A=1\nB='x'\n# note\n") == {"A": "1", "B": "'x'", "# note": ""}


def test_yaml_is_read_by_indentation_where_no_parser_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(formats, "import_module", missing)

    found = names(tmp_path / "c.yaml", "---\na:\n  b: 1\n  c:\n    - x\n    - k: 2\nd: e\n")

    assert found == {"a.b": "1", "a.c - x": "", "a.c.k": "2", "d": "e"}


def test_yaml_lines_that_are_no_mapping_stay_lines() -> None:
    assert dict(yaml_entries("plain words\n")) == {"plain words": ""}


class FakeYaml:
    class YAMLError(Exception):
        pass

    def __init__(self, *, broken: bool) -> None:
        self.broken = broken

    def safe_load(self, text: str) -> object:
        if self.broken:
            raise self.YAMLError(text)
        return {"a": 1}


@pytest.mark.parametrize(("broken", "expected"), [(False, "a"), (True, UNREADABLE)])
def test_yaml_is_left_to_a_parser_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool, expected: str
) -> None:
    monkeypatch.setattr(formats, "import_module", lambda name: FakeYaml(broken=broken))

    assert list(names(tmp_path / "c.yml", "a: 1\n")) == [expected]


def test_a_torn_file_is_unreadable_and_an_empty_one_is_empty(tmp_path: Path) -> None:
    assert list(names(tmp_path / "c.json", '{"a": ')) == [UNREADABLE]
    assert list(names(tmp_path / "d.json", "")) == ["(empty)"]


def test_a_file_that_may_not_be_read_is_unreadable(tmp_path: Path) -> None:
    assert [name for name, _ in file_entries(tmp_path / "missing")] == [UNREADABLE]


def test_unknown_text_is_compared_by_line_and_by_order(tmp_path: Path) -> None:
    one, other = names(tmp_path / "f", "a\nb\nb\n"), names(tmp_path / "f", "b\na\nb\n")

    assert one["line 'b'"] == "2"
    assert {name for name in one if one[name] != other[name]} == {"(order of lines)"}


def test_text_that_looks_like_json_is_read_as_json() -> None:
    assert dict(text_entries('{"a": 1}')) == {"a": "1"}
    assert "line '{oops'" in dict(text_entries("{oops"))


def test_long_lines_are_told_apart_by_their_digest() -> None:
    assert clipped("x" * 500) != clipped("x" * 500 + "y")
    assert len(clipped("x" * 500)) < 200


def test_binary_files_are_compared_by_digest(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_bytes(b"\0\1")
    (digest, unordered) = file_entries(path)
    path.write_bytes(b"\1\0")

    assert [digest[0], unordered[0]] == ["(content)", "(content in any order)"]
    assert file_entries(path)[1] == unordered
    assert file_entries(path)[0] != digest


def test_text_in_another_encoding_is_text_and_signs_that_no_text_has_make_it_none(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_bytes("crème\n".encode("latin-1"))
    text = file_entries(path)
    path.write_bytes(b"\x81\xa8http://x\x91\xa1y")

    assert ("line 'crème'", "1") in text
    assert file_entries(path)[0][0] == "(content)"


def test_lines_of_json_are_lines_however_many_there_are(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"text": "a"}\n')

    assert ('line \'{"text": "a"}\'', "1") in file_entries(path)


def test_rows_of_sqlite_are_named_and_its_journals_are_no_state(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with closing(sqlite3.connect(tmp_path / "work" / "a.db")) as database:
        database.execute("create table t(k, n)")
        database.execute("insert into t values ('k1', 1)")
        database.commit()
    (tmp_path / "work" / "a.db-journal").write_bytes(b"")

    found = tree_entries(tmp_path, ["work"])

    assert found["work/a.db: t('k1', 1)"] == "1"
    assert not any("journal" in name for name in found)


def packed(*members: str) -> bytes:
    """A tar archive whose members were packed just now."""
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in members:
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(name), time.time_ns() // 10
            archive.addfile(member, BytesIO(name.encode()))
    return buffer.getvalue()


def zipped(*members: str) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in members:
            archive.writestr(name, name * 100)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.tar", packed("one", "two")),
        ("a.tgz", gzip.compress(packed("one", "two"))),
        ("a.tar.bz2", bz2.compress(packed("one", "two"))),
        ("a.tar.xz", lzma.compress(packed("one", "two"))),
        ("a.jar", zipped("one", "two")),
    ],
)
def test_archives_are_read_by_their_members(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)

    assert [name for name, _ in file_entries(path)] == ["member one", "member two"]


def test_the_time_at_which_a_member_was_packed_does_not_count(tmp_path: Path) -> None:
    found = []
    for data in (packed("one"), packed("one")):
        (tmp_path / "a.tar").write_bytes(data)
        found.append(file_entries(tmp_path / "a.tar"))

    assert found[0] == found[1]


def test_compressed_text_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "c.json.gz"
    path.write_bytes(gzip.compress(b'{"k": 1}', mtime=time.time()))

    assert file_entries(path) == [("k", "1")]


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"text" * 100, mtime=0)[:-9],
        packed("one", "x" * 90)[:1100],
        zipped("one", "two")[:-5],
        zipped("one").replace(b"one", b"on\xff", 1),
        lzma.compress(b"text")[:20],
    ],
    ids=["a cut stream", "a cut tar", "a cut zip", "a zip with a name that is no text", "a cut lzma"],
)
def test_a_broken_archive_is_unreadable(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(data)

    assert UNREADABLE in [name for name, _ in file_entries(path)]


def test_what_unpacks_to_more_than_is_read_is_compared_by_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "LARGEST", 1000)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"0" * 2000))

    assert [name for name, _ in file_entries(path)] == ["(content)", "(content in any order)"]


def test_a_broken_database_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"SQLite format 3\0" + b"\1" * 100)

    assert [name for name, _ in file_entries(path)] == [UNREADABLE]


@pytest.mark.parametrize("version", ["2", "4"])
def test_a_git_index_is_read_by_what_is_staged(tmp_path: Path, version: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    for name in ("k1", "k2", "a-much-longer-name-in-it"):
        (work / name).write_text(name)
    for arguments in (["init", "-q"], ["add", "."], ["update-index", "--index-version", version]):
        subprocess.run([*GIT, *arguments], cwd=work, check=True, capture_output=True)

    found = tree_entries(tmp_path, ["work"])

    staged = {name.rpartition(" ")[2] for name in found if ": staged " in name}
    assert staged == {"k1", "k2", "a-much-longer-name-in-it"}
    assert not any("/objects/" in name for name in found)


@pytest.mark.parametrize("rest", [b"\0\0\0\2\0\0\0\1", b"\0\0\0\7\0\0\0\1"])
def test_a_cut_off_git_index_is_unreadable(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "index"
    path.write_bytes(b"DIRC" + rest)

    assert [name for name, _ in file_entries(path)] == [UNREADABLE]


def test_the_tree_holds_links_directories_modes_and_not_what_locks_hold(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "__pycache__").mkdir(parents=True)
    (work / "empty").mkdir()
    (work / "link").symlink_to("target")
    (work / "run").write_text("")
    (work / "run").chmod(0o755)
    (work / "a.lock").write_text("pid 7")

    found = tree_entries(tmp_path, ["work", "absent"], locks=frozenset({"work/a.lock"}))

    assert found["work/empty/"] == ""
    assert found["work/link"] == "→ target"
    assert found["work/run"] == "mode 755"
    assert [name for name in found if "lock" in name] == ["work/a.lock"]
    assert not any("pycache" in name for name in found)


def test_the_same_line_twice_in_a_section_is_counted(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "c.ini").write_text("[s]\nk = 1\nk = 2\n")

    assert {name.partition(": ")[2] for name in tree_entries(tmp_path, ["work"])} >= {"s.k", "s.k #2"}


def test_entries_are_plain_json_values(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "c.json").write_text('{"a": null}')

    assert json.loads(json.dumps(tree_entries(tmp_path, ["work"])))


def test_a_tree_deeper_than_any_path_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        monkeypatch.chdir(tmp_path)
        for _ in range(30):
            Path("d" * 200).mkdir()
            os.chdir("d" * 200)
        with pytest.raises(HarnessError, match="deeper than any path"):
            tree_entries(tmp_path, [""])
    finally:
        os.fchdir(here)
        os.close(here)
        remove(tmp_path)


def test_a_tree_of_too_many_levels_is_the_same_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: object) -> object:
        raise RecursionError

    monkeypatch.setattr(tree, "_all_entries", lambda *_: endless(_))
    with pytest.raises(HarnessError, match="deeper than any path"):
        tree_entries(tmp_path, [""])
