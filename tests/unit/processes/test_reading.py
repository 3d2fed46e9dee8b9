"""Calls are named by what they do, and files by one path, whichever way a program takes to them."""

import ctypes
import mmap
import os
import platform
import threading
from pathlib import Path

import pytest

from drivers.tools import python
from racehound.processes.calls import Detail
from racehound.processes.command import Command
from racehound.processes.dull import Dull
from racehound.processes.links import Links
from racehound.processes.memory import MOST_OPEN, Memory
from racehound.processes.operands import Descriptor, Name
from racehound.processes.places import Places
from racehound.processes.run import FileCall, Run, observe
from racehound.processes.sandbox import Sandbox

EVERYTHING = """
import ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
file = os.open('file', os.O_RDWR | os.O_CREAT)
os.write(file, b'text')
os.pwrite(file, b'T', 0)
os.writev(file, [b'a', b'b'])
os.ftruncate(file, 2)
os.truncate('file', 1)
os.posix_fallocate(file, 0, 16)
os.fchmod(file, 0o600)
os.chmod('file', 0o644)
os.fchown(file, -1, -1)
os.chown('file', -1, -1)
os.lchown('file', -1, -1)
os.utime('file', (1, 1))
os.utime(file, (1, 1))
other = os.open('other', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
os.sendfile(other, file, 0, 4)
try:
    os.copy_file_range(file, other, 4)
except OSError:
    pass
fcntl.lockf(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_UN)
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.flock(file, fcntl.LOCK_UN)
os.link('file', 'linked')
os.symlink('file', 'pointer')
os.mkdir('folder')
folder = os.open('folder', os.O_RDONLY)
os.rename('linked', 'inner', dst_dir_fd=folder)
os.rename('folder/inner', 'folder/moved')
os.unlink('moved', dir_fd=folder)
os.mkdir('deep', dir_fd=folder)
os.rmdir('deep', dir_fd=folder)
os.rmdir('folder')
os.mkfifo('pipe')
os.unlink('pipe')
os.close(os.open('pointer', os.O_WRONLY))
os.close(os.open('fresh', os.O_WRONLY | os.O_CREAT | os.O_EXCL))
how = (ctypes.c_ulonglong * 3)(os.O_WRONLY, 0, 0)
libc.syscall(437, -100, b'file', ctypes.byref(how), 24)
os.write(1, b'not a file')
ours, theirs = socket.socketpair()
os.write(ours.fileno(), b'not a file either')
"""

EXPECTED = [
    "open-create work/file", "write work/file", "write work/file", "write work/file",
    "truncate work/file", "truncate work/file", "fallocate work/file",
    "chmod work/file", "chmod work/file", "chown work/file", "chown work/file", "chown work/file",
    "utime work/file", "utime work/file",
    "open-truncate work/other", "sendfile work/file -> work/other", "copy work/file -> work/other",
    "fcntl-lock work/file", "fcntl-unlock work/file", "flock work/file", "flock-unlock work/file",
    "link work/file -> work/linked", "symlink work/pointer", "mkdir work/folder",
    "rename work/linked -> work/folder/inner", "rename work/folder/inner -> work/folder/moved",
    "unlink work/folder/moved", "mkdir work/folder/deep", "rmdir work/folder/deep", "rmdir work/folder",
    "mknod work/pipe", "unlink work/pipe",
    "open-write work/file", "open-exclusive work/fresh", "open-write work/file",
]  # fmt: skip


def changes(run: Run) -> list[FileCall]:
    return [call for call in run.calls if call.mutating or call.locking]


def test_every_way_to_change_a_file_is_seen_by_its_name(each_sandbox: Sandbox) -> None:
    run = observe(python(EVERYTHING), each_sandbox, timeout=30)

    assert (run.status, run.stderr) == (0, b"")
    assert [str(call) for call in changes(run)] == EXPECTED
    assert [call for call in changes(run) if call.outside] == []


@pytest.mark.parametrize(
    "way",
    [
        "state",
        "./state",
        "folder/../state",
        "link",
        "through/state",
        "{root}/work/state",
        "{root}/work//state",
    ],
)
def test_a_file_has_one_path_whichever_way_is_taken_to_it(sandbox: Sandbox, way: str) -> None:
    (sandbox.work / "folder").mkdir()
    (sandbox.work / "state").write_text("text")
    (sandbox.work / "link").symlink_to("state")
    (sandbox.work / "through").symlink_to(".")

    run = observe(python("import sys; open(sys.argv[1])", way.format(root=sandbox.root)), sandbox, timeout=30)

    assert [call.path for call in run.calls if call.name == "open-read"] == ["work/state"]


@pytest.mark.parametrize("way", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_file_is_known_by_a_name_for_a_descriptor(sandbox: Sandbox, way: str) -> None:
    run = observe(Command(("sh", "-c", f"echo text >> {way}")), sandbox, timeout=30)
    assert changes(run) == []

    run = observe(Command(("sh", "-c", f"sh -c 'echo text >> {way}' >> state")), sandbox, timeout=30)
    assert [call.name for call in changes(run) if call.path == "work/state"] == [
        "open-append",
        "open-append",
        "write",
    ]


def test_a_link_that_is_not_followed_is_itself(sandbox: Sandbox) -> None:
    (sandbox.work / "link").symlink_to("elsewhere")
    code = "import os\ntry: os.open('link', os.O_RDONLY | os.O_NOFOLLOW)\nexcept OSError: pass\nos.unlink('link')"

    run = observe(python(code), sandbox, timeout=30)

    assert [str(call) for call in run.calls][-2:] == ["open-read work/link", "unlink work/link"]


def test_a_file_that_was_removed_keeps_its_name(sandbox: Sandbox) -> None:
    code = "import os\nfile = open('gone', 'w')\nos.unlink('gone')\nfile.write('text')"

    run = observe(python(code), sandbox, timeout=30)

    assert [str(call) for call in changes(run)] == [
        "open-truncate work/gone",
        "unlink work/gone",
        "write work/gone",
    ]


def test_a_file_without_a_name_is_nobody_elses_business(each_sandbox: Sandbox) -> None:
    code = """
import os, sys
for place in ('.', sys.argv[1]):
    os.write(os.open(place, os.O_TMPFILE | os.O_RDWR), b'x')
path = os.path.join(sys.argv[1], 'gone')
file = os.open(path, os.O_CREAT | os.O_WRONLY)
os.unlink(path)
os.write(file, b'x')
"""
    run = observe(python(code, str(each_sandbox.slot.directory)), each_sandbox, timeout=30)

    assert [call.name for call in changes(run)] == ["open-create", "unlink"]


def test_programs_outside_are_named_and_directories_that_exist_are_not_changes(sandbox: Sandbox) -> None:
    run = observe(Command.parse("mkdir -p / made/deep; env true"), sandbox, timeout=30)

    assert [call.path for call in changes(run)] == ["work/made", "work/made/deep"]
    assert [call.path.rpartition("/")[2] for call in run.calls if call.name == "exec"][-1] == "true"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs the calls that only x86_64 has")
def test_old_calls_are_understood(each_sandbox: Sandbox) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None)
for number, *arguments in [
    (85, b'made', 0o600), (2, b'made', 0), (82, b'made', b'moved'), (86, b'moved', b'second'), (88, b'x', b'soft'),
    (83, b'folder', 0o700), (84, b'folder'), (87, b'second'), (90, b'moved', 0o600), (132, b'moved', None),
]:
    assert libc.syscall(number, *arguments, 0) >= 0, number
"""
    run = observe(python(code), each_sandbox, timeout=30)

    assert run.stderr == b""
    assert [str(call) for call in run.calls if call.path.startswith("work/")] == [
        "open-truncate work/made", "open-read work/made", "rename work/made -> work/moved",
        "link work/moved -> work/second", "symlink work/soft", "mkdir work/folder", "rmdir work/folder",
        "unlink work/second", "chmod work/moved", "utime work/moved",
    ]  # fmt: skip


def test_what_a_bad_pointer_names_is_not_known(each_sandbox: Sandbox) -> None:
    code = "import ctypes\nctypes.CDLL(None).unlink(ctypes.c_void_p(8))\nctypes.CDLL(None).close(-1)"

    run = observe(python(code), each_sandbox, timeout=30)

    assert run.status == 0
    assert changes(run) == []
    assert any("memory may not be read" in limit for limit in run.limits)


def test_reads_of_other_files_are_dull(sandbox: Sandbox) -> None:
    (sandbox.work / "state").write_text("text")
    code = "import os\nos.stat('/etc/passwd'); open('/etc/passwd').read(); os.stat('state'); os.read(0, 1)"

    run = observe(python(code), sandbox, timeout=30, detail=Detail.ALL)

    assert {call.path for call in run.calls if call.name != "exec"} == {"work/state"}


@pytest.mark.measured_children
def test_a_program_is_read_in_its_own_memory_though_it_was_started_in_that_of_its_parent(sandbox: Sandbox) -> None:
    code = """
import os
opens = [(os.POSIX_SPAWN_OPEN, 1, "log", os.O_WRONLY | os.O_CREAT, 0o600)]
os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "echo x > state"], os.environ, file_actions=opens), 0)
"""

    run = observe(python(code), sandbox, timeout=30, detail=Detail.CHANGES)

    assert [str(call) for call in run.calls if not call.outside] == [
        "open-create work/log", "open-truncate work/state", "write work/state"
    ]  # fmt: skip


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


class TestMemory:
    def test_reads_up_to_the_end_of_what_is_mapped(self) -> None:
        memory, place = Memory(), mmap.mmap(-1, mmap.PAGESIZE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(place))
        place[-5:] = b"path\0"

        assert memory.text(os.getpid(), address + mmap.PAGESIZE - 5) == "path"
        assert memory.peek(os.getpid(), address + mmap.PAGESIZE - 5) == b"path"

    def test_reads_a_path_longer_than_the_first_look(self) -> None:
        path = ctypes.create_string_buffer(b"x" * 3000)

        assert Memory().text(os.getpid(), ctypes.addressof(path)) == "x" * 3000

    def test_keeps_but_few_open(self) -> None:
        memory = Memory()
        path = ctypes.create_string_buffer(b"path")
        ready = threading.Event()
        threads = [threading.Thread(target=ready.wait) for _ in range(MOST_OPEN + 1)]
        for thread in threads:
            thread.start()

        before = _open_descriptors()
        found = {memory.text(thread.native_id or 0, ctypes.addressof(path)) for thread in threads}
        most = _open_descriptors()
        ready.set()
        for thread in threads:
            thread.join()
        memory.forget()
        assert found == {"path"}
        assert most <= before + MOST_OPEN
        assert _open_descriptors() == before

    def test_says_that_it_failed(self) -> None:
        memory = Memory()

        assert memory.text(os.getpid(), 8) is None
        assert memory.failed
        assert memory.peek(os.getpid(), 8) == b""
        assert memory.peek(os.getpid(), 1 << 63) == b""


class TestPlaces:
    @pytest.fixture
    def places(self) -> Places:
        return Places("/box", Memory(), Links())

    def test_a_descriptor_that_is_not_open_is_no_file(self, places: Places) -> None:
        assert places.locate(os.getpid(), Descriptor(0), (9999,), everywhere=True) is None

    def test_a_path_below_a_directory_that_is_not_open_is_no_file(self, places: Places) -> None:
        path = ctypes.create_string_buffer(b"file")

        found = places.locate(os.getpid(), Name(1, 0), (9999, ctypes.addressof(path)), everywhere=True)

        assert found is None

    def test_outside_is_told_only_when_asked_for(self, places: Places) -> None:
        path = ctypes.create_string_buffer(b"/etc/hosts")
        arguments = (ctypes.addressof(path),)

        assert places.locate(os.getpid(), Name(0), arguments, everywhere=False) is None
        assert places.locate(os.getpid(), Name(0), arguments, everywhere=True) == "/etc/hosts"


@pytest.mark.parametrize("descriptor", [9999, 0xFFFFFFFF])
def test_a_write_to_nothing_is_dull(descriptor: int) -> None:
    assert Dull("/box", "x86_64", Memory(), Links())(os.getpid(), 1, [descriptor, 0, 0, 0, 0, 0])
