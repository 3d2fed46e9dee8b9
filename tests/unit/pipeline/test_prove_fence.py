"""Whatever code under proof does, the files and processes of the user stay as they are."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Proof, Verdict
from racehound.pipeline.prove import prove_target

ATTACKS = """
    import ctypes, os, pathlib, shutil, signal, sqlite3, subprocess, sys, threading

    HERE = pathlib.Path(__file__).parent
    VICTIM = HERE / "victim"
    KEPT = VICTIM / "kept.txt"
    OTHER = int((HERE / "other.pid").read_text())

    def through_a_link():
        os.symlink(VICTIM, "link")
        open("link/kept.txt", "w").close()

    def through_a_directory():
        directory = os.open(VICTIM, os.O_RDONLY)
        os.remove("kept.txt", dir_fd=directory)

    def through_an_open_directory():
        directory = os.open(VICTIM, os.O_RDONLY)
        os.close(os.open("kept.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=directory))

    def by_a_hard_link():
        os.link(KEPT, "mine")
        open("mine", "w").close()

    def by_sqlite():
        sqlite3.connect(VICTIM / "new.db").execute("create table a (b)")

    def in_a_thread():
        thread = threading.Thread(target=KEPT.unlink)
        thread.start()
        thread.join()

    def in_a_child():
        child = os.fork()
        if child == 0:
            try:
                KEPT.unlink()
            finally:
                os._exit(0)
        os.waitpid(child, 0)

    ATTACKS = [
        through_a_link, through_a_directory, through_an_open_directory, by_a_hard_link, by_sqlite, in_a_thread,
        in_a_child,
        lambda: KEPT.write_text("gone"),
        lambda: KEPT.unlink(),
        lambda: KEPT.open("r+"),
        lambda: KEPT.rename("mine"),
        lambda: KEPT.rename(VICTIM / "renamed.txt"),
        lambda: KEPT.chmod(0),
        lambda: os.truncate(KEPT, 0),
        lambda: os.utime(KEPT, (1, 1)),
        lambda: (VICTIM / "new").mkdir(),
        lambda: (VICTIM / "new").touch(),
        lambda: os.mkfifo(VICTIM / "fifo"),
        lambda: os.symlink("kept.txt", VICTIM / "new-link"),
        lambda: shutil.rmtree(VICTIM),
        lambda: shutil.move(VICTIM, "mine"),
        lambda: ctypes.CDLL(None).unlink(os.fsencode(KEPT)),
        lambda: os.system(f"rm -rf {VICTIM}"),
        lambda: subprocess.run(["rm", "-rf", str(VICTIM)]),
        lambda: subprocess.run([sys.executable, "-c", f"import os; os.kill({OTHER}, 9)"]),
        lambda: os.kill(OTHER, signal.SIGKILL),
        lambda: os.killpg(OTHER, signal.SIGKILL),
        lambda: os.kill(-OTHER, signal.SIGKILL),
        lambda: ctypes.CDLL(None).kill(OTHER, 9),
        lambda: os.kill(os.getppid(), signal.SIGKILL),
    ]
    for attack in ATTACKS:
        try:
            attack()
        except (OSError, sqlite3.Error):
            pass

    class Thing:
        def __init__(self):
            self.value = 0

        def up(self):
            self.value += 1
"""


def prove(directory: Path, source: str, name: str = "Thing") -> Proof:
    path = directory / "code_under_proof.py"
    path.write_text(dedent(source), encoding="utf-8")
    return prove_target(f"{path}::{name}", budget=10.0)


def tree(directory: Path) -> dict[str, tuple[int, int, bytes]]:
    found = ((path, path.lstat()) for path in sorted(directory.rglob("*")))
    return {str(path): (at.st_mode, at.st_mtime_ns, path.read_bytes()) for path, at in found}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a kernel that can confine a process")
def test_no_attack_on_files_or_processes_of_the_user_succeeds(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "kept.txt").write_text("kept", encoding="utf-8")
    before = tree(victim)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        (tmp_path / "other.pid").write_text(str(other.pid), encoding="utf-8")

        proof = prove(tmp_path, ATTACKS)

        assert other.poll() is None
        other.kill()
    assert tree(victim) == before
    assert not list(tmp_path.glob("__pycache__"))
    assert proof.verdict is Verdict.RACE


@pytest.mark.slow
def test_method_that_would_delete_a_file_is_not_carried_out_and_the_reason_names_the_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("kept", encoding="utf-8")
    source = """
        import pathlib

        class Thing:
            def delete(self):
                try:
                    (pathlib.Path(__file__).parent / "kept.txt").unlink()
                except OSError:
                    pass
    """

    proof = prove(tmp_path, source)

    assert kept.read_text(encoding="utf-8") == "kept"
    assert proof.verdict is Verdict.INCONCLUSIVE
    assert f"the code wants to change {kept}" in proof.reason


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_link_that_the_code_puts_in_place_of_its_own_file_is_not_followed_when_files_are_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("kept", encoding="utf-8")
    monkeypatch.setenv("RACEHOUND_WRITABLE", f"{tmp_path}:{tmp_path / 'missing'}")
    source = """
        import os
        import pathlib

        pathlib.Path("mine").write_text("mine")

        class Thing:
            def swap(self):
                os.unlink("mine")
                os.symlink(pathlib.Path(__file__).parent / "kept.txt", "mine")
    """

    assert prove(tmp_path, source).verdict is not Verdict.SAFE
    assert kept.read_text(encoding="utf-8") == "kept"
