"""Which tools take a session: those that put it somewhere, or that refuse what they do not know."""

import sys
from pathlib import Path

import pytest

from drivers.audited import calls
from racehound.audit.isolation import Isolation, isolation, temporary_paths
from racehound.audit.preparing import prepared
from racehound.audit.request import AuditRequest
from racehound.audit.stage import recorded
from racehound.audit.template import pair_of

pytestmark = pytest.mark.slow

HEAD = "import argparse, os, sys, tempfile\nfolder = tempfile.gettempdir()\n"
BEHIND = """
parser = argparse.ArgumentParser()
parser.add_argument("text")
parser.add_argument("--session-id", default=str(os.getpid()))
name = parser.parse_args().session_id
"""
AHEAD = """
parser = argparse.ArgumentParser()
parser.add_argument("--session-id", default=str(os.getpid()))
parser.add_subparsers(required=True).add_parser("put").add_argument("text")
name = parser.parse_args().session_id
"""
TAKES_ANYTHING = 'name = "fixed"\n'
TAKES_ANYTHING_AND_HEEDS_IT = """
parser = argparse.ArgumentParser()
parser.add_argument("--session-id", default=str(os.getpid()))
name = parser.parse_known_args()[0].session_id
"""
REFUSES = "sys.exit(2) if len(sys.argv) > 2 else None\nname = str(os.getpid())\n"
WRITE = """
path = os.path.join(folder, "tool-" + name)
with open(path, "w") as file:
    file.write("x")
"""


def seen(tool: Path, source: str, words: str) -> Isolation:
    tool.write_text(HEAD + source + WRITE)
    pair = pair_of(*(f"{sys.executable} {tool} {words}{number}" for number in (1, 2)))
    with prepared(pair, AuditRequest(pairs=(pair,))) as bare:
        return isolation(*recorded(bare), "--session-id")


@pytest.mark.parametrize(
    ("source", "words"), [(BEHIND, "a"), (AHEAD, "put a"), (TAKES_ANYTHING_AND_HEEDS_IT, "put a")]
)
def test_a_session_is_known_wherever_the_option_stands(tmp_path: Path, source: str, words: str) -> None:
    found = seen(tmp_path / "tool.py", source, words)

    assert (found.known, found.shared) == (True, ())


@pytest.mark.parametrize("source", [TAKES_ANYTHING, REFUSES])
def test_who_takes_any_option_or_none_takes_no_session(tmp_path: Path, source: str) -> None:
    assert not seen(tmp_path / "tool.py", source, "a").known


def test_results_in_one_temporary_file_overwrite_each_other(tmp_path: Path) -> None:
    result = "path = os.path.join(folder, 'result')\nwith open(path, 'w') as file: file.write({})\n"
    cache = "open(os.path.join(folder, 'my-cache-' + sys.argv[1]), 'w').close()\n"
    lost = seen(tmp_path / "tool.py", TAKES_ANYTHING + result.format("sys.argv[1]"), "a")
    same = seen(tmp_path / "tool.py", TAKES_ANYTHING + result.format("'fonts'") + cache, "a")

    assert lost.overwritten == ("tmp/result",)
    assert (same.overwritten, "tmp/result" in same.shared) == ((), True)


def test_results_that_are_written_under_a_lock_are_somebody_elses_concern(tmp_path: Path) -> None:
    locked = (
        "import fcntl\nlock = open(os.path.join(folder, 'l'), 'a')\nfcntl.flock(lock, fcntl.LOCK_EX)\n"
        "with open(os.path.join(folder, 'result'), 'w') as file: file.write(sys.argv[1])\n"
    )

    assert seen(tmp_path / "tool.py", TAKES_ANYTHING + locked, "a").overwritten == ()


def test_what_is_made_under_the_lock_beside_its_target_is_shared_with_nobody() -> None:
    before = calls("open-truncate work/d.tmp", "rename work/d.tmp -> work/d")
    under = calls("flock work/l", "open-truncate work/c.tmp", "open-truncate tmp/x", "rename work/c.tmp -> work/c")

    assert temporary_paths([*before, *under], frozenset({"work/l"})) == {"work/d.tmp", "tmp/x"}
    assert temporary_paths(under) == {"work/c.tmp", "tmp/x"}
