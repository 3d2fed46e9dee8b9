"""Real redis-server and postgres processes for tests, on a unix socket in a temporary directory.

Each context manager starts the server, waits until it answers, hands out a handle and ends the process
and its directory at the end. Where the program is not installed the test is skipped with the reason.

    with redis_server() as server:
        client = redis.Redis.from_url(server.url)
    with postgres_server() as server:
        connection = psycopg.connect(server.url)

A handle can be hurt on purpose: `kill()` ends the server at once, `pause()` and `resume()` freeze it,
`restart()` starts it again on the same directory and address.
"""

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_START_SECONDS = 30.0
_POSTGRES_DIRECTORIES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)


class Server:
    """A server process that belongs to the test."""

    def __init__(
        self, *, url: str, argv: list[str], directory: Path, is_ready: Callable[[], bool], user: str | None = None
    ) -> None:
        self.url = url
        self.directory = directory
        self._argv = argv
        self._is_ready = is_ready
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **as_user(self._user)
            )
        wait_until(self._answers, what=f"{self._argv[0]} to answer")

    def restart(self) -> None:
        self.stop()
        self.start()

    def pause(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Gone with all its children: those of postgres go on until they notice."""
        children = _children_of(self.pid)
        self._end(signal.SIGKILL)
        wait_until(lambda: not any(map(_is_alive, children)), what="the children of the server to end")

    def stop(self) -> None:
        """SIGQUIT is "immediate shutdown" for postgres, which then takes its children along."""
        self._end(signal.SIGQUIT if "postgres" in self.url else signal.SIGKILL)

    def _end(self, signal_number: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(signal_number)
        self._process.wait(timeout=_START_SECONDS)
        self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            log = (self.directory / "log").read_text(errors="replace")
            pytest.fail(f"{self._argv[0]} ended with {self._process.returncode}:\n{log[-2000:]}")
        return self._is_ready()


def _children_of(pid: int) -> list[str]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return listed.read_text().split() if listed.exists() else []


def _is_alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def redis_server(*options: str) -> Iterator[Server]:
    program = redis_program() or pytest.skip("redis-server is not installed")
    with _private_directory("rh-redis-") as directory:
        address = directory / "s"
        argv = [program, "--port", "0", "--unixsocket", str(address), "--dir", str(directory), "--save", ""]
        server = Server(
            url=f"unix://{address}",
            argv=[*argv, *options],
            directory=directory,
            is_ready=lambda: _redis_answers(address),
        )
        yield from _running(server)


@contextmanager
def postgres_server(*options: str) -> Iterator[Server]:
    postgres = postgres_program("postgres") or pytest.skip("postgres is not installed")
    initdb = postgres_program("initdb") or pytest.skip("initdb is not installed")
    user = _unprivileged_user()
    with _private_directory("rh-pg-") as directory:
        data = directory / "data"
        if user is not None:
            shutil.chown(directory, user)
        subprocess.run(["cp", "-a", _initialized(initdb, user), data], check=True)
        argv = [postgres, "-D", str(data), "-k", str(directory), "-c", "listen_addresses=", "-c", "fsync=off"]
        url = f"postgresql://test@/postgres?host={directory}"
        server = Server(
            url=url,
            argv=[*argv, *options],
            directory=directory,
            is_ready=lambda: _postgres_answers(url),
            user=user,
        )
        yield from _running(server)


def wait_until(holds: Callable[[], bool], *, what: str, seconds: float = _START_SECONDS) -> None:
    """Ask until it holds; the pauses only spare the processor."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {seconds:g} s for {what}")
        time.sleep(0.01)


def as_user(user: str | None) -> dict[str, Any]:
    """Arguments for subprocess: postgres refuses to run as root."""
    if user is None or os.getuid() != 0:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _running(server: Server) -> Iterator[Server]:
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def _private_directory(prefix: str) -> Iterator[Path]:
    # A unix socket path is limited to about 100 bytes, so pytest's own long tmp_path does not do.
    path = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@cache
def _initialized(initdb: str, user: str | None) -> Path:
    """A data directory to be copied: making one takes longer than all that a test does with it."""
    directory = Path(tempfile.mkdtemp(prefix="rh-pg-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    if user is not None:
        shutil.chown(directory, user)
    data = directory / "data"
    subprocess.run(
        [initdb, "-D", str(data), "--auth", "trust", "--username", "test", "--no-sync", "--encoding", "UTF8"],
        check=True,
        capture_output=True,
        cwd=directory,
        **as_user(user),
    )
    return data


def _unprivileged_user() -> str | None:
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


def redis_program() -> str | None:
    return shutil.which("redis-server")


def postgres_program(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return found
    candidates = (path for pattern in _POSTGRES_DIRECTORIES for path in Path("/").glob(f"{pattern[1:]}/{name}"))
    newest = max(candidates, default=None)
    return None if newest is None else str(newest)


def _redis_answers(address: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(address))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _postgres_answers(url: str) -> bool:
    psycopg = pytest.importorskip("psycopg")
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
