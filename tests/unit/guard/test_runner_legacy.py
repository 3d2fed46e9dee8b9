import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from racehound.guard.runner.legacy import LEGACY_ERRORS, legacy_error
from racehound.guard.runner.refusal import read_refusal

INDEX_LOCK = "fatal: Unable to create '/r/.git/index.lock': File exists.\n"
REF_LOCK = "fatal: cannot lock ref 'HEAD': is at 1 but expected 2\n"
CONFIG_LOCK = "error: could not lock config file .git/config: File exists\n"
DATABASE_LOCK = "Error: in prepare, database is locked (5)\n"

SAFE = [
    (["git", "add", "x"], 128, INDEX_LOCK),
    (["/usr/bin/git", "-C", "/r", "-c", "a.b=c", "commit", "-m", "m", "x"], 128, INDEX_LOCK),
    (["git", "commit", "-m", "m"], 128, REF_LOCK),
    (["git", "config", "a.b", "c"], 255, CONFIG_LOCK),
    (["dpkg", "-i", "x.deb"], 2, "dpkg: error: dpkg frontend lock was locked by another process with pid 12\n"),
    (["hg", "commit"], 255, "abort: repository /r: timed out waiting for lock held by 'host:12'\n"),
    (["sqlite3", "a.db", "insert into t values (1);"], 5, DATABASE_LOCK),
    (["terraform", "apply", "-auto-approve"], 1, "Error: Error acquiring the state lock\n"),
    (["terraform", "state", "rm", "x"], 1, "Error: Error acquiring the state lock\n"),
    (["go", "mod", "edit", "-require=x@v1"], 1, "go: go.mod changed during editing; not overwriting\n"),
]
UNSAFE = [
    (["git", "rebase", "main"], 128, INDEX_LOCK),
    (["git", "worktree", "add", "../w"], 128, CONFIG_LOCK),
    (["git", "-C"], 128, INDEX_LOCK),
    (["git", "commit", "--amend"], 128, REF_LOCK),
    (["git", "commit", "--am"], 128, REF_LOCK),
    (["git", "add", "x"], 1, INDEX_LOCK),
    (["git", "add", "x"], 128, "fatal: pathspec 'x' did not match any files\n"),
    (["sh", "-c", "git add x && git commit -m m"], 128, INDEX_LOCK),
    (["hg", "pull", "-u"], 255, "abort: timed out waiting for lock held by 'host:12'\n"),
    (["sqlite3", "a.db", "insert into t values (1); insert into t values (2)"], 5, DATABASE_LOCK),
    (["sqlite3", "a.db"], 5, DATABASE_LOCK),
    (["sqlite3", "-cmd", "insert into t values (0)", "a.db", "select 1"], 5, DATABASE_LOCK),
    (["terraform", "init"], 1, "Error: Error acquiring the state lock\n"),
    (["go", "get", "x"], 1, "go: go.mod changed during editing; not overwriting\n"),
    (["unknown"], 1, "database is locked"),
]


def spoken(case: object) -> str | None:
    return " ".join(case) if isinstance(case, list) else None


@pytest.mark.parametrize(("argv", "status", "stderr"), SAFE, ids=spoken)
def test_lock_error_of_a_command_that_did_nothing_yet_is_recognised(
    argv: list[str], status: int, stderr: str
) -> None:
    assert legacy_error(argv, status, stderr) is not None


@pytest.mark.parametrize(("argv", "status", "stderr"), UNSAFE, ids=spoken)
def test_what_is_not_known_to_be_safe_is_not_recognised(argv: list[str], status: int, stderr: str) -> None:
    assert legacy_error(argv, status, stderr) is None


def test_every_entry_of_the_table_has_a_case_here() -> None:
    assert {legacy_error(*case) for case in SAFE} == set(LEGACY_ERRORS)


def test_edit_that_somebody_else_overtook_counts_as_concurrent_modification() -> None:
    refusal = read_refusal(*_as_output(SAFE[-1]))

    assert refusal is not None
    assert refusal.code == "CONCURRENT_MODIFICATION"


def _as_output(case: tuple[list[str], int, str]) -> tuple[list[str], int, bytes, bytes]:
    argv, status, stderr = case
    return argv, status, b"", stderr.encode()


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C")
    path = tmp_path / "repository"
    for command in (
        ["init", "-q", str(path)],
        ["-C", str(path), "config", "user.name", "n"],
        ["-C", str(path), "config", "user.email", "n@example.org"],
        ["-C", str(path), "commit", "-q", "--allow-empty", "-m", "first"],
    ):
        subprocess.run(["git", *command], check=True)
    (path / "tracked").write_text("1")
    subprocess.run(["git", "-C", str(path), "add", "tracked"], check=True)
    subprocess.run(["git", "-C", str(path), "commit", "-q", "-m", "second"], check=True)
    (path / "new").write_text("2")
    return path


@needs_git
@pytest.mark.parametrize(
    ("lock", "arguments"),
    [
        ("index.lock", ["add", "new"]),
        ("index.lock", ["rm", "-q", "tracked"]),
        ("index.lock", ["mv", "tracked", "moved"]),
        ("index.lock", ["commit", "-q", "-m", "m", "tracked"]),
        ("index.lock", ["reset", "-q", "--hard"]),
        ("index.lock", ["restore", "tracked"]),
        ("index.lock", ["update-index", "--add", "new"]),
        ("config.lock", ["config", "a.b", "c"]),
        ("refs/tags/v1.lock", ["tag", "v1"]),
        ("refs/heads/other.lock", ["update-ref", "refs/heads/other", "HEAD"]),
    ],
    ids=spoken,
)
def test_git_refused_by_a_lock_changed_nothing_and_is_recognised(
    repository: Path, lock: str, arguments: list[str]
) -> None:
    (repository / ".git" / lock).touch()
    before = digest(repository)

    argv = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(argv, capture_output=True, check=False)

    assert read_refusal(argv, done.returncode, done.stdout, done.stderr) is not None
    assert digest(repository) == before


@needs_git
def test_commit_refused_by_the_lock_of_head_is_not_in_the_history(repository: Path) -> None:
    (repository / ".git" / "HEAD.lock").touch()

    argv = ["git", "-C", str(repository), "commit", "-q", "--allow-empty", "-m", "third"]
    done = subprocess.run(argv, capture_output=True, check=False)
    log = subprocess.run(
        ["git", "-C", str(repository), "log", "--format=%s"], capture_output=True, check=True, text=True
    )

    assert read_refusal(argv, done.returncode, done.stdout, done.stderr) is not None
    assert log.stdout.split() == ["second", "first"]


def digest(directory: Path) -> dict[str, str]:
    files = (path for path in directory.rglob("*") if path.is_file() and "objects" not in path.parts)
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 shell is not installed")
def test_sqlite3_refused_by_a_lock_is_recognised(tmp_path: Path) -> None:
    database = tmp_path / "a.db"
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("CREATE TABLE t (k)")
    holder.execute("BEGIN EXCLUSIVE")

    argv = ["sqlite3", str(database), "insert into t values (1)"]
    done = subprocess.run(argv, capture_output=True, check=False)
    holder.execute("COMMIT")

    assert read_refusal(argv, done.returncode, done.stdout, done.stderr) is not None
    assert holder.execute("SELECT count(*) FROM t").fetchone() == (0,)
    holder.close()


@contextmanager
def record_lock(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is not installed")
def test_dpkg_refused_by_a_lock_is_recognised(tmp_path: Path) -> None:
    for name in ("updates", "info"):
        (tmp_path / name).mkdir()
    for name in ("status", "available"):
        (tmp_path / name).touch()

    argv = ["dpkg", f"--admindir={tmp_path}", "--configure", "-a"]
    with record_lock(tmp_path / "lock-frontend"):
        done = subprocess.run(argv, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})

    assert read_refusal(argv, done.returncode, done.stdout, done.stderr) is not None


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("terraform") is None, reason="terraform is not installed")
def test_terraform_refused_by_a_lock_is_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHECKPOINT_DISABLE", "1")
    (tmp_path / "main.tf").write_text('output "x" { value = 1 }\n')

    argv = ["terraform", "apply", "-no-color", "-auto-approve"]
    with record_lock(tmp_path / "terraform.tfstate"):
        done = subprocess.run(argv, capture_output=True, check=False)

    assert read_refusal(argv, done.returncode, done.stdout, done.stderr) is not None
    assert (tmp_path / "terraform.tfstate").read_text() == ""
