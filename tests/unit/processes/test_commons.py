"""Commands have the places for everybody's temporary files for themselves, and the user's files there are kept."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from racehound.audit.views.box import box_entries
from racehound.processes import commons, enclosure
from racehound.processes.backend import unsupported
from racehound.processes.command import Command
from racehound.processes.commons import PLACES, Commons, furnish
from racehound.processes.keeping import Keeping
from racehound.processes.run import execute, observe
from racehound.processes.sandbox import Sandbox
from racehound.processes.slots import take_slot
from racehound.processes.territory import Territory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(unsupported()), reason="needs a system on which calls can be stopped"),
]
EVERYBODYS = "/tmp"


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A directory and a file of the user's, directly in the place for temporary files."""
    with (
        tempfile.TemporaryDirectory(dir=EVERYBODYS, prefix="rh-") as name,
        tempfile.NamedTemporaryFile(dir=EVERYBODYS, prefix=Path(name).name) as file,
    ):
        Path(file.name).write_text("old\n")
        (Path(name) / "inner").write_text("old\n")
        (Path(name) / "beside").symlink_to(file.name)
        yield Path(name)


@pytest.fixture
def box(base: Path, theirs: Path) -> Iterator[Sandbox]:
    """What the user has is named, however much else there is."""
    assert base.is_dir()
    with Sandbox(needed=(f"{theirs} {(theirs / 'beside').readlink()}",)) as made:
        if not made.commons.places:
            pytest.skip("needs a system on which a process may have mounts of its own")
        yield made


def shell(text: str) -> Command:
    return Command(("sh", "-c", text))


@pytest.mark.measured_children
def test_a_fixed_path_is_part_of_the_state_and_gone_afterwards(box: Sandbox) -> None:
    name = f"rh-{uuid4().hex}"
    paths = [f"{place}/{name}" for place in box.commons.places]

    run = observe(shell(f"for path in {' '.join(paths)}; do echo word > $path; cat $path; done"), box, timeout=30)

    assert (run.status, run.stdout.split()) == (0, [b"word"] * len(paths))
    assert {call.path for call in run.calls if call.name == "open-truncate" and not call.outside} == set(paths)
    assert {f"{path}: line 'word'" for path in paths} <= set(box_entries(box, locks=frozenset()))
    assert f"{paths[0]}: line 'word'" not in box_entries(box, locks=frozenset({paths[0]}))
    assert not any(map(os.path.lexists, paths))
    box.restore()
    assert execute(shell(f"cat {paths[0]}"), box, timeout=30).status == 1
    assert not any(name in entry for entry in box_entries(box, locks=frozenset()))


def test_what_the_user_has_there_is_seen_and_kept(box: Sandbox, theirs: Path) -> None:
    file = (theirs / "beside").readlink()
    before = (theirs.stat(), (theirs / "inner").stat().st_mode)
    found = box_entries(box, locks=frozenset())

    meddling = f"echo more >> {file}; chmod 777 {theirs}/inner; echo x > {theirs}/inner"

    run = observe(shell(f"cat {theirs}/inner {file}; {meddling}"), box, timeout=30)

    assert run.stdout == b"old\nold\n"
    assert {call.path for call in run.calls if call.outside and call.mutating} == {f"{theirs}/inner"}
    assert box.fence.forbids(f"{theirs}/inner")
    assert box_entries(box, locks=frozenset()).keys() - found.keys() == {
        f"{file}", f"{file}: line 'more'", f"{file}: line 'old'", f"{file}: (order of lines)",
    }  # fmt: skip
    assert (theirs.stat(), (theirs / "inner").stat().st_mode) == before
    execute(shell(f"rm {file}"), box, timeout=30)
    assert f"{file} (removed)" in box_entries(box, locks=frozenset())
    assert file.read_text() == "old\n"


def test_where_no_place_of_its_own_is_allowed_the_keeper_goes_on_without(base: Path) -> None:
    slot = take_slot()
    slot.box.mkdir()
    keeping = Keeping(slot, Commons({EVERYBODYS: "missing"}))

    assert not keeping.greeting.private
    assert keeping.backends()

    keeping.close()
    slot.release()
    assert list(base.iterdir()) == []


def test_of_very_much_the_last_used_comes_along_and_what_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    for number, name in enumerate(("old", "script", "older", "new", "large", "closed")):
        (place / name).write_text(f"#!{place}/older/bin/tool\n")
        os.utime(place / name, (number, number))
    monkeypatch.setattr(commons, "PLACES", {str(place): "here", "/no/such/place": "there"})
    monkeypatch.setattr(commons, "MOST", 3)
    monkeypatch.setattr(commons, "LARGE", 1000)
    (place / "large").write_text("x" * 1001)
    os.utime(place / "large", (10, 10))

    made = furnish(tmp_path / "box", (f"{place}/script --now",), kept=(str(tmp_path / "other"),))

    shown = {Path(path).name for path in (*made.bound, *made.copied)}
    assert shown == {"script", "older", "large"}
    assert made.bound == {f"{place}/large"}
    assert furnish(tmp_path / "kept", (), kept=(str(tmp_path),)).places == {}


def test_what_has_gone_meanwhile_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    (entry,) = os.scandir(tmp_path)
    (tmp_path / "gone").rmdir()

    assert commons._changed(entry) == 0
    enclosure._show([f"{tmp_path}/gone"], {str(tmp_path): os.open(tmp_path, os.O_PATH)})


def test_paths_lead_out_of_a_territory_or_stay_in_it() -> None:
    ours = Territory("/t/box/0", Commons({"/t": "commons/t"}, frozenset({"/t/box", "/t/venv", "/t/socket"})))

    assert [path for path in ("/t/box/0/f", "/t/box/0", "/t/x", "/t/venvs/x") if not ours.holds(path)] == []
    assert [path for path in ("/t/box/1/f", "/t/venv/f", "/t/socket", "/etc/x", "/t") if ours.holds(path)] == []
    assert [path for path in (b"/t/venv/lib", b"/etc/x") if not ours.is_elsewhere(path)] == []
    assert [path for path in (b"/t/venv/../x", b"/t/box/0/f", b"/t/x") if ours.is_elsewhere(path)] == []


def test_each_place_has_a_folder_of_its_own() -> None:
    assert len(set(PLACES.values())) == len(PLACES)
