from collections.abc import Mapping
from pathlib import Path

from racehound.guard.cli.flags import Flags
from racehound.guard.config import ConfigStore
from racehound.guard.errors import ARGUMENT_ERROR, GuardError
from racehound.guard.lock import Lock
from racehound.guard.places import why_unsafe
from racehound.guard.session import Session
from racehound.guard.session_id import GENERIC_VARIABLE, tool_variable


class InstanceRefused(GuardError):
    """The instance id is not safe as a part of a path."""

    code = "INSTANCE_REFUSED"
    exit_status = ARGUMENT_ERROR


class TimeoutRefused(GuardError):
    """The time to wait for locks is none."""

    code = "ARG_ERROR"
    exit_status = ARGUMENT_ERROR


class Call:
    """One call of the tool: its session, its state, its locks.

    Files that the tool keeps lie in `state_dir`, temporary ones below `session.directory`.
    """

    def __init__(self, tool: str, flags: Flags, environment: Mapping[str, str]) -> None:
        if not flags.lock_timeout >= 0:  # also false for NaN, which the parsers let through
            raise TimeoutRefused(f"--lock-timeout is {flags.lock_timeout}: give seconds from 0 on")
        self.flags = flags
        self.warnings: list[str] = []
        self.instance_id = _instance_id(tool, flags, environment)
        self._home = Path(environment.get("HOME") or Path.home()) / f".{tool}"
        self.state_dir = self._home / "instances" / self.instance_id if self.instance_id else self._home
        # Whoever names a session reads its files after we have ended.
        is_named = flags.session_id or tool_variable(tool) in environment or GENERIC_VARIABLE in environment
        self.session = Session(tool, flags.session_id, keep=bool(is_named), environment=environment)

    def temporary_path(self, name: str) -> str:
        """A path that no other session uses."""
        return self.session.path(name)

    def lock(self, name: str) -> Lock:
        """The lock of that name in this instance, for `with`. Honours the flags for locks."""
        self._make_state_dir()
        path = self.state_dir / f"{name}.lock"
        return self._freed(Lock(path, timeout=self.flags.lock_timeout, session=self.session.id))

    def config(self, name: str) -> ConfigStore:
        """The configuration file of that name in this instance."""
        self._make_state_dir()
        store = ConfigStore(self.state_dir / name, lock_timeout=self.flags.lock_timeout)
        self._freed(store.lock)
        return store

    def warn(self, message: str) -> None:
        """Add to `warnings` of the answer."""
        self.warnings.append(message)

    def meta(self) -> dict[str, object]:
        instance = {"instance_id": self.instance_id} if self.instance_id else {}
        return self.session.meta | instance

    def _make_state_dir(self) -> None:
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.instance_id:
            # Each on its own: parents that are made along the way would not get the mode.
            self.state_dir.parent.mkdir(mode=0o700, exist_ok=True)
            self.state_dir.mkdir(mode=0o700, exist_ok=True)

    def _freed(self, lock: Lock) -> Lock:
        """The lock, taken from a dead holder if the caller asked for that."""
        if self.flags.force_unlock:
            for orphan in lock.force_unlock().orphans:
                self.warn(
                    f"Process {orphan.pid} ({orphan.command}) may still work under the lock of its dead parent"
                )
        return lock


def _instance_id(tool: str, flags: Flags, environment: Mapping[str, str]) -> str | None:
    prefix = tool_variable(tool).removesuffix("_SESSION_ID")
    sources = {
        "--instance-id": flags.instance_id,
        f"{prefix}_INSTANCE_ID": environment.get(f"{prefix}_INSTANCE_ID"),
        "TOOL_INSTANCE_ID": environment.get("TOOL_INSTANCE_ID"),
    }
    for source, value in sources.items():
        if value is None:
            continue
        reason = why_unsafe(value)
        if reason:
            raise InstanceRefused(f"The instance id from {source} is refused: {reason}")
        return value
    return None
