"""The few calls to the kernel for which Python has no name."""

import ctypes
import os
from functools import cache

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 36, 38
CAP_LINUX_IMMUTABLE = 9
SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_MODE_FILTER = 1
NEW_LISTENER, WAIT_KILLABLE = 1 << 3, 1 << 5
WORD = ctypes.c_void_p


@cache
def _libc() -> ctypes.CDLL:
    """Looked up when it is first needed: other systems have no such calls, and import this module all the same."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    library.ptrace.restype = ctypes.c_long
    library.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, WORD, WORD]
    return library


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class Vector(ctypes.Structure):
    _fields_ = (("address", ctypes.c_void_p), ("length", ctypes.c_size_t))


def prctl(option: int, value: int) -> None:
    if _libc().prctl(option, value, 0, 0, 0):
        raise last_error(f"prctl {option}")


def unshare(what: int) -> None:
    if _libc().unshare(what):
        raise last_error("unshare")


def install_filter(program: bytes, architecture: str, flags: int) -> int:
    """Puts this thread and all it will start under the filter; with NEW_LISTENER gives the listener."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    instructions = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    result = system_call(SECCOMP[architecture], SET_MODE_FILTER, flags, ctypes.byref(header))
    if result < 0:
        raise last_error("seccomp")
    return result


def ptrace(request: int, thread: int, address: int = 0, data: int = 0) -> int:
    ctypes.set_errno(0)
    result = int(_libc().ptrace(request, thread, address, data))
    if result == -1 and ctypes.get_errno():
        raise last_error(f"ptrace {request:#x}")
    return result


def system_call(number: int, *arguments: object) -> int:
    return int(_libc().syscall(number, *arguments))


def last_error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def address_of_library() -> int:
    """An address in the code of this process's C library."""
    return ctypes.cast(_libc().execve, ctypes.c_void_p).value or 0


def personality() -> int:
    return int(_libc().personality(0xFFFFFFFF))


class TraceBuffer:
    """Memory that ptrace fills."""

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size)
        self._size = size
        self.address = ctypes.addressof(self._memory)

    def content(self) -> bytes:
        return self._memory.raw

    def zero(self) -> None:
        ctypes.memset(self.address, 0, self._size)


class RegisterValue:
    """Memory from which ptrace takes the new value of a register of 32 bits."""

    def __init__(self, value: int) -> None:
        self._value = ctypes.c_int32(value)
        self._vector = Vector(ctypes.addressof(self._value), ctypes.sizeof(self._value))
        self.address = ctypes.addressof(self._vector)
