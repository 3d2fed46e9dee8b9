from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from drivers.envelopes import assert_is_failure_envelope
from drivers.lock_processes import holder
from racehound.guard import ConcurrentModification, ConfigInvalid, ConfigStore, LockHeld, WriteFailed, config

if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIXES = ["json", "toml", "ini"]

SET = """
import sys
from racehound.guard import ConfigStore
ConfigStore(sys.argv[1]).set(sys.argv[2], "v")
"""


@pytest.fixture(params=SUFFIXES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / f"config.{request.param}"


def test_values_come_back(path: Path) -> None:
    store = ConfigStore(path)
    store.set("section.key", "value")
    store.set("section.other", "x = 1 # not a comment")
    store.set(["other", "dotted.key"], "y")

    assert store.get("section.key") == "value"
    assert store.get(["other", "dotted.key"]) == "y"
    assert store.get("section.none", 7) == 7
    assert store.get("section.key.deeper") is None
    assert store.read() == {
        "section": {"key": "value", "other": "x = 1 # not a comment"},
        "other": {"dotted.key": "y"},
    }
    assert repr(store) == f"ConfigStore({str(path)!r})"


def test_missing_file_is_empty_and_is_made_with_its_directory(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "deep" / "er" / "c.json")
    assert store.read() == {}
    store.set("a", 1)
    assert store.get("a") == 1
    assert stat.S_IMODE((tmp_path / "deep" / "er").stat().st_mode) == 0o700
    assert stat.S_IMODE(Path(store.path).stat().st_mode) == 0o600


def test_empty_file_is_an_empty_configuration(path: Path) -> None:
    path.touch()
    ConfigStore(path).set("a.b", "c")
    assert ConfigStore(path).read() == {"a": {"b": "c"}}


def test_mode_can_be_chosen(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "c.json", mode=0o644)
    store.set("a", 1)
    assert stat.S_IMODE(Path(store.path).stat().st_mode) == 0o644


def test_keys_can_be_deleted(path: Path) -> None:
    store = ConfigStore(path)
    store.update(lambda _: {"a": {"x": "1", "y": "2"}, "b": {"z": "3"}})
    store.delete("a.x")
    store.delete("b")
    store.delete("none.at.all")
    store.delete("a.y.deeper")
    assert store.read() == {"a": {"y": "2"}}


def test_update_may_change_in_place_or_return(path: Path) -> None:
    store = ConfigStore(path)

    def in_place(config: dict[str, Any]) -> None:
        config["a"] = {"b": "1"}

    assert store.update(in_place) == {"a": {"b": "1"}}
    assert store.update(lambda config: {**config, "c": {"d": "2"}}) == {"a": {"b": "1"}, "c": {"d": "2"}}


def test_update_that_changes_nothing_writes_nothing(path: Path) -> None:
    store = ConfigStore(path)
    store.set("a.b", "1")
    before = path.stat()
    store.set("a.b", "1")
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_true_and_1_differ(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "c.json")
    store.set("a", [1, {"b": 1}])
    store.set("a", [1, {"b": True}])
    assert json.loads(Path(store.path).read_text()) == {"a": [1, {"b": True}]}
    assert "true" in Path(store.path).read_text()


def test_update_that_raises_leaves_file_and_lock_alone(path: Path) -> None:
    store = ConfigStore(path)
    store.set("a.b", "1")

    def broken(config: dict[str, Any]) -> None:
        config.clear()
        raise LookupError

    with pytest.raises(LookupError):
        store.update(broken)
    assert store.read() == {"a": {"b": "1"}}
    assert not store.lock.is_held


def test_parallel_processes_lose_nothing(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", SET, path, f"s.k{i}"]) for i in range(6)]
    assert [writer.wait() for writer in writers] == [0] * 6
    assert ConfigStore(path).read() == {"s": {f"k{i}": "v" for i in range(6)}}
    assert sorted(entry.name for entry in path.parent.iterdir()) == [f".{path.name}.lock", path.name]


def test_parallel_threads_lose_nothing(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "c.json")

    def add() -> None:
        for _ in range(10):
            store.update(lambda config: {"n": config.get("n", 0) + 1})

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get("n") == 40


def test_held_lock_is_an_error_after_the_timeout(path: Path) -> None:
    store = ConfigStore(path, lock_timeout=0.01)
    with holder(store.lock.path), pytest.raises(LockHeld):
        store.set("a.b", 1)
    assert not path.exists()


def foreign_writers(path: Path) -> dict[str, Callable[[], object]]:
    other = path.with_name("other")
    other.write_text("foreign")
    return {
        "rewrites in place": lambda: path.write_text("foreign"),
        "renames over it": lambda: other.rename(path),
        "deletes it": path.unlink,
    }


@pytest.mark.parametrize("how", ["rewrites in place", "renames over it", "deletes it"])
def test_writer_that_ignores_the_lock_is_noticed(path: Path, how: str) -> None:
    store = ConfigStore(path)
    store.set("a.b", "1")
    write = foreign_writers(path)[how]

    def change(config: dict[str, Any]) -> dict[str, Any]:
        write()
        return {**config, "mine": {"x": "1"}}

    with pytest.raises(ConcurrentModification, match="nothing was overwritten") as caught:
        store.update(change)

    assert caught.value.exit_status == 6
    assert caught.value.code == "CONCURRENT_MODIFICATION"
    assert caught.value.retry_after_ms == 100
    assert_is_failure_envelope(caught.value.envelope())
    assert not path.exists() if how == "deletes it" else path.read_text() == "foreign"
    assert not [name for name in os.listdir(path.parent) if name.endswith(".rh-tmp")]  # noqa: PTH208 - names only


def test_rewrite_that_leaves_size_and_times_alone_is_noticed(path: Path) -> None:
    store = ConfigStore(path)
    store.set("a.b", "1")

    def change(config: dict[str, Any]) -> dict[str, Any]:
        times = path.stat()
        path.write_text(path.read_text().replace("1", "2"))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        return {**config, "mine": {"x": "1"}}

    with pytest.raises(ConcurrentModification):
        store.update(change)
    assert store.get("a.b") in {"2", 2}


def test_file_that_appears_meanwhile_is_not_overwritten(path: Path) -> None:
    def change(config: dict[str, Any]) -> dict[str, Any]:
        path.write_text("foreign")
        return {"a": {"b": "1"}}

    with pytest.raises(ConcurrentModification):
        ConfigStore(path).update(change)
    assert path.read_text() == "foreign"


def test_file_that_never_holds_still_is_a_concurrent_modification(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("")
    honest = os.fstat
    size = [0]

    def restless(fd: int) -> os.stat_result:
        size[0] += 1
        path.write_text("\n" * size[0])
        return honest(fd)

    monkeypatch.setattr(os, "fstat", restless)
    with pytest.raises(ConcurrentModification):
        ConfigStore(path).read()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '{"a": '),
        ("c.json", "[1]"),
        ("c.toml", "a = "),
        ("c.ini", "no section\n"),
        ("c.ini", "[a]\nx = 1\nx = 2\n"),
        ("c.json", b"\xff\xfe"),
    ],
)
def test_broken_file_is_a_clear_error_and_is_not_overwritten(tmp_path: Path, name: str, text: str | bytes) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ConfigInvalid, match="Cannot read") as caught:
        ConfigStore(path).set("a.b", "1")
    assert caught.value.exit_status == 2
    assert path.read_bytes() == (text.encode() if isinstance(text, str) else text)


def test_directory_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteFailed, match="Not a directory"):
        ConfigStore(tmp_path / "file" / "deeper" / "c.json").set("a", 1)


def test_directory_in_place_of_the_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "c.json").mkdir()
    with pytest.raises(ConfigInvalid, match="Is a directory"):
        ConfigStore(tmp_path / "c.json").read()


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("c.json", "a", float("nan")),
        ("c.json", "a", object()),
        ("c.toml", "a", None),
        ("c.toml", "a", {1: 2}),
        ("c.ini", "a", "no section"),
        ("c.ini", "a.b", []),
        ("c.ini", "a.b", "line\n\nline"),
        ("c.ini", "a.b", " blank "),
        ("c.ini", "a.#b", "c"),
    ],
)
def test_value_that_the_format_lacks_is_refused(tmp_path: Path, name: str, key: str, value: object) -> None:
    store = ConfigStore(tmp_path / name)
    store.set("s.k", "old")
    with pytest.raises(ConfigInvalid, match="Cannot write"):
        store.set(key, value)
    assert store.read() == {"s": {"k": "old"}}


@pytest.mark.parametrize("key", ["", "a..b", ".", []])
def test_empty_parts_of_a_key_are_refused(path: Path, key: str | list[str]) -> None:
    with pytest.raises(ConfigInvalid, match="is no key"):
        ConfigStore(path).get(key)


def test_value_is_not_turned_into_a_section(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "c.json")
    store.set("a", 1)
    with pytest.raises(ConfigInvalid, match="'a' is a value, not a section"):
        store.set("a.b", 2)


def test_format_is_told_by_suffix_or_name(tmp_path: Path) -> None:
    ConfigStore(tmp_path / "settings", format="toml").set("a", 1)
    assert (tmp_path / "settings").read_text() == "a = 1\n"
    with pytest.raises(ConfigInvalid, match="Cannot tell the format"):
        ConfigStore(tmp_path / "settings")
    with pytest.raises(ConfigInvalid, match=r"\.yaml"):
        ConfigStore(tmp_path / "settings.yaml")


def test_link_to_a_configuration_shares_its_lock(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    link, real = ConfigStore(tmp_path / "link.json"), ConfigStore(tmp_path / "real.json")
    link.set("a", 1)
    assert real.get("a") == 1
    assert link.lock.path == real.lock.path


@pytest.mark.parametrize("returned", [[1], 5, "text"])
def test_a_change_that_returns_no_mapping_is_refused_and_the_file_stays(path: Path, returned: object) -> None:
    store = ConfigStore(path)
    store.set("s.k", "v")
    with pytest.raises(ConfigInvalid, match="returned"):
        store.update(lambda _: returned)  # type: ignore[arg-type, return-value]  # what a caller got wrong

    assert store.get("s.k") == "v"


def test_what_nests_too_deeply_is_invalid_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"a":' * 100_000)
    with pytest.raises(ConfigInvalid, match="recursion"):
        ConfigStore(path).read()
    path.write_text("{}")
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ConfigInvalid, match="recursion"):
        ConfigStore(path).set("k", deep)
    assert path.read_text() == "{}"


def test_what_is_read_but_nests_too_deeply_to_be_copied_is_invalid_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(_: object) -> object:
        raise RecursionError("maximum recursion depth exceeded")

    path = tmp_path / "c.json"
    path.write_text("{}")
    monkeypatch.setattr(config, "deepcopy", too_deep)
    with pytest.raises(ConfigInvalid, match="recursion"):
        ConfigStore(path).set("k", 1)


def test_text_that_cannot_be_encoded_is_refused(path: Path) -> None:
    store = ConfigStore(path)
    with pytest.raises(ConfigInvalid, match="surrogates"):
        store.set("s.k", "\ud800")
