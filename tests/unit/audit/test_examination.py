"""Real commands in a real sandbox: what is learned of them, apart from the command line."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from drivers.audited import a_run
from racehound.audit import auditor, budget, preparing, stage
from racehound.audit.auditor import examine
from racehound.audit.findings import Findings
from racehound.audit.isolation import places_for_flags, with_option
from racehound.audit.refusal import answer_to
from racehound.audit.replaying import replay
from racehound.audit.request import AuditRequest, Progress
from racehound.audit.schedule import Schedule
from racehound.audit.search import Conflict
from racehound.audit.summary import summarised
from racehound.audit.template import pair_of, pairs_of
from racehound.audit.tokens import Recipe
from racehound.errors import UsageError
from racehound.model.audit import Audit
from racehound.processes.backend import Backend
from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.fence import VARIABLE
from racehound.processes.landlock import is_there
from racehound.processes.sandbox import Sandbox

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LOCKED = """
while ! mkdir c.lockdir 2>/dev/null; do sleep 0.02; done
x=$(cat f); echo "$x $1" > f
rmdir c.lockdir
"""
LIMITED = """
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
do mkdir c.lockdir 2>/dev/null && break; [ $try = 20 ] && { echo already locked; exit 1; }; sleep 0.02; done
test ! -e made && echo 1 > made; status=$?
rmdir c.lockdir
exit $status
"""
"""Makes one thing: in every serial order one of two calls fails."""
MAPPED = """
import mmap
with open("f", "r+b") as file, mmap.mmap(file.fileno(), 0) as content:
    content[0] += 1
"""
LOG = "echo $(date +%s%N) $0 >> app.log"
APPEND = ("echo k1 >> f", "echo k2 >> f")
UPDATE = tuple(f"sed -i '$a {key}' f" for key in ("k1", "k2"))


def request(first: str, second: str, **changes: object) -> AuditRequest:
    pairs = (pair_of(first, second),) if first else ()
    values: dict[str, object] = {"pairs": pairs, "setup": ("echo base > f",), "patience": 1.0}
    return AuditRequest(**(values | changes))  # type: ignore[arg-type]  # fields of the request


@pytest.fixture(autouse=True)
def no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a command may take long; only what a budget is for is tried here with a short one."""
    monkeypatch.setattr(budget, "MOST_GRACE", 3600.0)
    monkeypatch.setattr(budget, "LEAST_GRACE", 3600.0)


def examined(asked: AuditRequest) -> tuple[Findings, Audit]:
    seen: list[Progress] = []
    found = examine(asked, seen.append)
    assert seen
    return found, summarised(found, deep=asked.deep)


def test_a_lock_directory_serialises_waits_and_is_stuck_after_a_crash(tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    script.write_text(LOCKED)
    found, audit = examined(request(f"sh {script} k1", f"sh {script} k2", patience=0.4))

    assert audit.violations == ()
    assert audit.waited > 0
    assert audit.flags == ("waits without limit",)
    assert audit.score == 1
    assert any(point.stuck for point in audit.crash_points)
    assert found.locked
    assert {item.signal for item in found.cancellations} == {"SIGTERM", "SIGINT"}


def test_times_and_process_numbers_are_masked_and_nothing_is_accused() -> None:
    _, audit = examined(request(f"sh -c '{LOG}' k1", f"sh -c '{LOG}' k2", setup=()))

    assert audit.violations == ()
    assert audit.masked
    assert audit.flags == ("append only", "no conflict")


def test_who_makes_sure_of_the_folder_only_appends_all_the_same() -> None:
    _, audit = examined(request("mkdir -p d; echo a >> d/log", "mkdir -p d; echo b >> d/log", rounds=3))

    assert "append only" in audit.flags


def test_what_is_changed_elsewhere_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    _, audit = examined(request(f"touch {tmp_path}/elsewhere", f"echo x >> {tmp_path}/elsewhere"))

    assert audit.outside == (f"{tmp_path}/elsewhere",)
    assert (audit.score, audit.verdict) == (1, "inconclusive")
    assert "elsewhere" in audit.reason


@pytest.mark.skipif(not is_there(), reason="needs a kernel with Landlock")
def test_a_file_elsewhere_that_commands_are_kept_from_is_named_and_may_have_mattered() -> None:
    elsewhere = Path("/usr/racehound-was-here")
    _, audit = examined(request(*(f"echo {key} >> f; echo {key} >> {elsewhere}; true" for key in ("a", "b"))))

    assert audit.outside == (str(elsewhere),)
    assert any(f"kept from changing {elsewhere}" in note for note in audit.notes)
    assert (audit.score, audit.verdict) == (1, "inconclusive")
    with pytest.raises(UsageError, match=f"may not change {elsewhere}.*{VARIABLE}"):
        examined(request(f"touch {elsewhere}", "echo x >> f"))
    assert not elsewhere.exists()


def test_writes_through_memory_are_no_proof_of_safety(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    tool.write_text(MAPPED)

    _, audit = examined(request(*[f"{sys.executable} -I -S {tool}"] * 2, rounds=1))

    assert (audit.score, audit.verdict) == (1, "inconclusive")
    assert "work/f through mapped memory" in audit.reason


def test_a_file_of_which_nothing_can_be_compared_is_no_proof_of_safety() -> None:
    sealed = "(printf '\\0'; date +%s%N; grep -ao 'k[12]' f; echo {}) > $$.new; mv $$.new f"
    asked = request(sealed.format("k1"), sealed.format("k2"))

    _, blind = examined(asked)
    _, shown = examined(replace(asked, view="grep -ao 'k[12]' f | sort"))

    assert (blind.verdict, blind.score, blind.violations) == ("inconclusive", 1, ())
    assert "work/f" in blind.reason
    assert shown.verdict == "race"


def test_what_changes_in_no_file_is_no_proof_of_safety() -> None:
    _, audit = examined(request("true", "true", view="cat /proc/sys/kernel/random/uuid"))

    assert (audit.score, audit.verdict) == (1, "inconclusive")
    assert "in a server" in audit.reason


def test_a_temporary_directory_of_its_own_is_in_nobodys_way_when_half_of_it_is_left() -> None:
    lines = (f"d=$(mktemp -d); echo {key} > $d/log; echo {key} > $d/more" for key in "ab")
    _, audit = examined(request(*lines))

    assert {point.state for point in audit.crash_points} == {"old"}


def test_a_search_that_is_cut_short_says_so_and_is_never_the_best() -> None:
    _, audit = examined(request(*UPDATE, rounds=1, view="true"))

    assert audit.schedules == 1
    assert (audit.verdict, audit.score) == ("sampled", 2)
    assert "limit of 1 schedules" in audit.reason
    assert any("raise --budget" in note for note in audit.notes)


def test_time_that_is_spent_too_early_is_no_good_news(monkeypatch: pytest.MonkeyPatch) -> None:
    found, audit = examined(request(*UPDATE, seconds=0.01))
    assert (audit.score, audit.schedules, found.crashes, found.isolation) == (0, 1, None, None)
    assert "there was no time left for whether sessions are kept apart" in found.cut_short

    monkeypatch.setattr(auditor, "LEAST_SCHEDULES", 0)
    found, audit = examined(request(*APPEND, seconds=0.01))
    assert (audit.score, audit.schedules, audit.verdict) == (1, 0, "inconclusive")
    assert audit.checks[0].evidence == "no schedule was tried"
    assert "crash points left" in audit.reason


@pytest.mark.skipif(not is_there(), reason="needs a kernel with Landlock")
def test_a_set_up_command_leaves_other_files_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where only Landlock holds it, which knows nothing of modes."""
    (tmp_path / "mine").touch(mode=0o640)

    for private in (True, False):
        monkeypatch.setattr(preparing, "Sandbox", partial(Sandbox, private=private))
        with pytest.raises(UsageError, match="the set-up command"):
            examined(request(*APPEND, setup=("true", f"chmod 777 {tmp_path}/mine")))

    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o640


def test_nothing_goes_on_when_all_time_is_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(budget, "LEAST_GRACE", 0.0)
    monkeypatch.setattr(budget, "MOST_GRACE", 1.0)
    endless = request(f"while [ -e {tmp_path} ]; do sleep 0.1; done", "true", seconds=1.0)

    for asked in (endless, replace(endless, seconds=0.0)):
        found, audit = examined(asked)

        assert [pair.name for pair in found.pairs] == ["the two commands"]
        assert (audit.verdict, audit.schedules, audit.score) == ("inconclusive", 0, 1)
        assert f"the time of {asked.seconds:g} seconds ended in “the two commands”" in audit.reason


def test_what_there_was_no_time_to_ask_is_not_passed(tmp_path: Path) -> None:
    tool = tmp_path / "tool.sh"
    tool.write_text(LOCKED)

    _, audit = examined(request(f"sh {tool} k1", f"sh {tool} k2", seconds=0.01))

    passed = {check.id: check.passed for check in audit.checks}
    assert audit.waited
    assert not passed["refusal"]
    assert not passed["cancellation"]
    assert "no time left for what a call is told that is kept out" in audit.reason


def test_pairs_beyond_the_budget_are_named() -> None:
    asked = request(*UPDATE, pairs=pairs_of("sed -i '$a k{i}' f"), rounds=1)

    found, _ = examined(asked)

    assert any("before “new keys”" in text for text in found.cut_short)


def test_a_pair_that_cannot_be_prepared_is_left_out() -> None:
    asked = request("x", "y", pairs=pairs_of("sh -c 'test {i} != 0 && echo k{i} >> f'"), rounds=4)

    found, _ = examined(asked)

    assert [pair.name for pair in found.pairs] == ["new keys"]
    assert len(found.notes) == 2


def test_a_command_that_always_fails_and_yet_does_something_may_be_no_checker() -> None:
    found, audit = examined(request("touch a; echo no server >&2; exit 3", "touch b", rounds=1))

    assert "fails alone" in audit.flags
    assert [note.partition("` ends ")[2] for note in found.notes] == ["with 3 also when it runs alone: no server"]


def test_calls_that_change_nothing_are_named_also_where_the_search_was_cut_short() -> None:
    _, audit = examined(request("echo base > f", "cat f > g; mv g f", rounds=1))
    _, other = examined(request(*UPDATE, rounds=1))

    idle = [any("changed nothing" in note for note in item.notes) for item in (audit, other)]
    assert idle == [True, False]


def test_a_command_that_fails_and_leaves_only_a_log_of_it_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="fails also when it runs alone"):
        examined(request(*["mkdir -p .tool/logs; echo no >> .tool/logs/today; false"] * 2))


def test_a_call_that_waits_and_fails_as_it_does_in_some_order_has_a_limit(tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    script.write_text(LIMITED)
    asked = request(f"sh {script}", f"sh {script}")
    holding = Schedule(Point("rmdir", "work/c.lockdir"))

    with preparing.prepared(asked.pairs[0], asked) as bare:
        ready, serial = stage.recorded(bare)
        answer = answer_to(Conflict(holding, 1, a_run()), ready, serial, patience=20.0)

    assert answer is not None
    assert answer.gave_up
    assert "already locked" in answer.words


def test_a_template_of_which_no_pair_works_is_wrong_use() -> None:
    asked = request("x", "y", pairs=pairs_of("sh -c 'test {i} = 9'")[::2])

    with pytest.raises(UsageError, match="ended with 1"):
        examine(asked, lambda _: None)


def test_a_command_that_never_ends_is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "LEAST_TIMEOUT", 0.5)
    monkeypatch.setattr(stage, "LEAST_TIMEOUT", 0.5)

    for pair in (pair_of("sleep 1000", "true"), pairs_of("sleep 100{i}")[0]):
        with pytest.raises(UsageError, match="did not come to an end"):
            examine(request("", "", pairs=(pair,), seconds=0.5), lambda _: None)


def test_a_directory_is_copied_into_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("theirs\n")

    _, audit = examined(request(*UPDATE, setup=(), directory=str(tmp_path), rounds=1))

    assert audit.violations[0].lost == ("work/f: line 'k2'",)
    assert (tmp_path / "f").read_text() == "theirs\n"


def test_two_switches_and_reads_are_tried_when_asked_for() -> None:
    _, audit = examined(request(*APPEND, deep=True, rounds=30))

    assert audit.violations == ()
    assert audit.schedules > 6


def test_without_a_backend_calls_are_raced_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    unusable = (Backend("seccomp-notify", works=False, why_not="not here"),)
    prepared = preparing.prepared
    monkeypatch.setattr(auditor, "prepared", lambda pair, asked, *_: prepared(pair, asked, unusable))

    _, clean = examined(request(*APPEND, rounds=3))
    _, racy = examined(request(*UPDATE, rounds=40))

    assert (clean.verdict, clean.schedules, clean.score) == ("sampled", 3, 1)
    assert clean.backend.startswith("nothing")
    assert "not here" in clean.reason
    assert racy.schedules == 40
    assert all(violation.token == "" for violation in racy.violations)


def test_a_token_of_a_mended_command_shows_no_violation(tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    script.write_text('x=$(cat f); echo "$x $1" > f\n')
    _, audit = examined(request(f"sh {script} k1", f"sh {script} k2", rounds=1))
    token = audit.violations[0].token
    script.write_text("echo $1 >> f\n")

    assert replay(token).violation is None


def test_a_token_without_a_schedule_cannot_be_replayed() -> None:
    with pytest.raises(UsageError, match="does not name a schedule"):
        replay(Recipe(first="true", second="true", setup=(), view=None).token())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b", ["a | b --id s1"]),
        ("tool x", ["tool x --id s1", "tool --id s1 x"]),
        ("sh tool add x", ["sh tool add x --id s1", "sh --id s1 tool add x", "sh tool --id s1 add x"]),
    ],
)
def test_a_session_goes_where_the_command_wants_it(text: str, expected: list[str]) -> None:
    command = Command.parse(text)
    tried = [str(with_option(command, place, "--id", "s1")) for place in places_for_flags(command, command)]
    assert tried[: len(expected)] == expected


def test_a_version_is_asked_of_programs_and_not_of_shell_lines(tmp_path: Path) -> None:
    script = tmp_path / "tool.py"
    script.write_text("import sys; print('tool 1.2' if '--version' in sys.argv else '')\n")
    found, _ = examined(request(f"{sys.executable} {script} a", f"{sys.executable} {script} b", rounds=1))
    shell, _ = examined(request(*APPEND, rounds=1))

    assert found.tool_version == "tool 1.2"
    assert shell.tool_version == ""


def test_findings_without_a_loser_have_no_sample() -> None:
    assert summarised(replace(Findings()), deep=False).sample is None


WHOLE = "echo {0} > {0}.$$; mv {0}.$$ {0}; echo {0} > index-{0}.$$; mv index-{0}.$$ index-{0}"
IN_PLACE = "echo {0} > {0}; echo {0} > index-{0}"


def test_files_that_are_whole_are_not_torn_where_only_one_of_them_is_new() -> None:
    found, audit = examined(request(WHOLE.format("a"), WHOLE.format("b")))
    torn, _ = examined(request(IN_PLACE.format("a"), IN_PLACE.format("b")))

    assert {point.state for point in found.crashes or ()} == {"old", "between", "new"}
    assert audit.score == 3
    assert "torn" in {point.state for point in torn.crashes or ()}


TAKE = "for job in pending/*; do mv $job running/{0} && mv running/{0} done/{0} && break; done"


def test_a_job_between_two_folders_is_whole() -> None:
    found, _ = examined(
        request(
            TAKE.format("a"),
            TAKE.format("b"),
            setup=("mkdir pending running done; echo 1 | tee pending/x pending/y",),
        )
    )

    assert {point.state for point in found.crashes or ()} <= {"old", "between", "new"}


def test_a_waiting_call_may_leave_what_has_a_name_of_its_own(tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    update = "exec 9> l; flock 9; rmdir mine.$$; read x < f; echo $x $1 > f.$$; mv f.$$ f\n"
    own = f"mkdir mine.$$; mktemp -d >&2; {update}"
    found = {}
    for name, text in (("own", own), ("common", own.replace("mine.$$", "mine"))):
        script.write_text(text)
        asked = request(f"sh {script} a", f"sh {script} b", patience=0.4, rounds=3)
        found[name] = [item.complaints for item in examined(asked)[0].cancellations]

    assert found["own"] == [(), ()]
    assert all("work/mine/ is left behind" in complaint for (complaint,) in found["common"])


POLLING = """
end=$(($(date +%s%N) + 3000000000))
while ! mkdir c.lockdir 2>/dev/null
do
    [ $(date +%s%N) -gt $end ] && { echo '{"error": {"code": "LOCK_HELD", "retry_after_ms": 1}}'; exit 4; }
    sleep 0.05
done
x=$(cat f); echo "$x $1" > f
rmdir c.lockdir
"""


def test_who_looks_again_and_again_is_given_more_time_to_give_up(tmp_path: Path) -> None:
    script = tmp_path / "tool.sh"
    script.write_text(POLLING)
    found, _ = examined(request(f"sh {script} k1", f"sh {script} k2", patience=2.0, rounds=4, seconds=300.0))

    assert [answer.gave_up for answer in found.answers] == [True]
