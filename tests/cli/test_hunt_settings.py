"""What a hunt does with settings, baselines, standard input and answers to findings."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from racehound.cli import exits
from racehound.cli.commands.hunt import command
from racehound.cli.hunt_options import Options
from racehound.cli.main import main
from racehound.config.settings import READINGS
from racehound.model.finding import Finding
from racehound.model.report import Case
from racehound.rules.rh405_unlocked_file_update import UnlockedFileUpdate

RACY = """import threading

class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self.value = 0

    def increment(self):
        self.value += 1

    def reset(self):
        with self._lock:
            self.value = 0

def work(counter: Counter):
    threading.Thread(target=counter.increment).start()
    threading.Thread(target=counter.increment).start()
"""

Output = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counter.py").write_text(RACY)
    return tmp_path


def rules(capsys: Output, *arguments: str) -> list[str]:
    capsys.readouterr()
    main(["hunt", "--format", "json", *arguments])
    return [item["rule"] for item in json.loads(capsys.readouterr().out)["findings"]]


def configure(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.racehound]\n{text}\n")


def type_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_command_line_beats_the_file(project: Path, capsys: Output) -> None:
    assert rules(capsys) == ["RH102"]
    configure(project, 'ignore = ["RH102"]')
    assert rules(capsys, "--confidence", "possible") == ["RH107"]
    assert rules(capsys, "--ignore", "RH107") == ["RH102"]
    assert rules(capsys, "--confidence", "possible", "--extend-ignore", "RH107") == []
    assert rules(capsys, "--isolated") == ["RH102"]

    configure(project, 'select = ["RH107"]\nconfidence = "certain"')
    assert rules(capsys) == []
    assert rules(capsys, "--confidence", "possible") == ["RH107"]
    assert rules(capsys, "--extend-select", "RH102") == ["RH102"]

    (project / "other.toml").write_text('select = ["RH2"]')
    assert rules(capsys, "--config", "other.toml") == []


def test_every_option_that_is_no_deed_can_be_set() -> None:
    deeds = {"fix", "diff", "write-baseline", "update-baseline"}
    of_the_call = {"paths", "config", "isolated", "stdin-filename", "no-cache"}
    options = {(item.name or "").replace("_", "-") for item in command.params}

    assert options - deeds - of_the_call <= set(READINGS)


def test_proofs_can_be_set_for_those_who_work_in_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    configure(project, "prove = true\nseed = 5")
    asked: list[tuple[int, bool]] = []

    def pursue(findings: tuple[Finding, ...], options: Options) -> tuple[Case, ...]:
        asked.append((options.seed, options.prove))
        return tuple(Case(finding=finding) for finding in findings)

    monkeypatch.setattr("racehound.cli.commands.hunt._pursue", pursue)
    assert rules(capsys) == rules(capsys, "--no-prove", "--seed", "6") == ["RH102"]
    (project / "elsewhere").mkdir()
    monkeypatch.chdir(project / "elsewhere")
    assert rules(capsys, "../counter.py") == ["RH102"]
    (project / "elsewhere" / "racehound.toml").write_text("prove = true")
    (project / "elsewhere" / "counter.py").write_text(RACY)
    monkeypatch.chdir(project)
    assert main(["hunt", "elsewhere"]) == exits.FINDINGS
    assert "asks for proofs" in capsys.readouterr().err

    assert asked == [(5, True), (6, False), (5, True), (0, False)]


def test_format_and_output_can_be_set(project: Path, capsys: Output) -> None:
    configure(project, 'format = "json"\noutput = "found.json"')

    assert main(["hunt"]) == exits.FINDINGS

    assert capsys.readouterr().out == ""
    assert json.loads((project / "found.json").read_text())["version"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('select = ["RH1"]\nignore = ["RH9"]', "racehound: pyproject.toml:3: unknown rule: RH9"),
        ('[tool.racehound.per-file-ignores]\n"a" = ["orphan-task"]', "did you mean orphan-tasks"),
        ('select = [\n  "RH1",\n  "RH9",\n]', "racehound: pyproject.toml:4: unknown rule: RH9"),
        ('[tool.racehound.per-file-ignores]\n"a" = ["RH1"]\n"b" = ["RH9"]', "pyproject.toml:4: unknown rule: RH9"),
        ('format = "json"\nbaseline = "known.json"', "pyproject.toml:3: there is no baseline known.json"),
        ("seed = true", "racehound: pyproject.toml:2: `seed` must be a whole number, and is True"),
        ("jobz = 1", "racehound: pyproject.toml:2: unknown setting `jobz`; did you mean `jobs`?"),
    ],
)
def test_mistake_in_the_file_is_one_line_with_its_number(
    text: str, said: str, project: Path, capsys: Output
) -> None:
    configure(project, text)

    assert main(["hunt"]) == exits.USAGE

    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("pattern", "silenced"),
    [("counter.py", True), ("*.py", True), ("/counter.py", True), ("!other.py", True), ("other.py", False)],
)
def test_rules_can_be_ignored_per_file(pattern: str, silenced: bool, project: Path, capsys: Output) -> None:
    configure(project, f'[tool.racehound.per-file-ignores]\n"{pattern}" = ["RH102", "inconsistent-guard"]')

    assert (rules(capsys) == []) is silenced


def test_directories_fit_patterns_of_ignored_files(project: Path, capsys: Output) -> None:
    (project / "tests").mkdir()
    (project / "counter.py").rename(project / "tests" / "counter.py")
    configure(project, '[tool.racehound.per-file-ignores]\n"tests/" = ["ALL"]')

    assert rules(capsys) == []


def test_command_line_that_selects_a_rule_beats_a_file_that_ignores_it(project: Path, capsys: Output) -> None:
    configure(project, 'ignore = ["RH102"]')

    assert rules(capsys, "--select", "RH102") == ["RH102"]
    assert rules(capsys, "--select", "RH1") == ["RH102"]
    assert rules(capsys, "--extend-select", "RH102") == ["RH102"]
    assert rules(capsys, "--extend-select", "RH1") == []

    configure(project, 'extend-ignore = ["RH102"]')
    assert rules(capsys, "--select", "RH102") == []


def test_file_that_selects_nothing_runs_what_is_added_to_it(project: Path, capsys: Output) -> None:
    configure(project, 'select = []\nextend-select = ["RH2"]')
    assert rules(capsys) == []
    assert rules(capsys, "--extend-select", "RH102") == ["RH102"]

    configure(project, "select = []")
    assert rules(capsys, "--select", "RH102") == ["RH102"]
    assert main(["hunt"]) == exits.USAGE
    assert "pyproject.toml:2: `select` names no rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pattern", "silenced"),
    [
        ("{counter,other}.py", True),
        ("{other,co{un,x}ter}.{py,pyi}", True),
        ("{other,another}.py", False),
        ("!{counter,other}.py", False),
        ("!{other,another}.py", True),
        ("!**.py", False),
        ("src/**.py", False),
        ("{root}/counter.py", True),
        ("{root}/other.py", False),
    ],
)
def test_patterns_are_understood_as_those_of_ruff(
    pattern: str, silenced: bool, project: Path, capsys: Output
) -> None:
    written = pattern.replace("{root}", str(project))
    configure(project, f'per-file-ignores = {{ "{written}" = ["RH1"] }}')
    assert rules(capsys) == ([] if silenced else ["RH102"])

    if not pattern.startswith("!"):
        configure(project, f'extend-exclude = ["{written}"]')
        assert rules(capsys) == ([] if silenced else ["RH102"])


def test_stars_in_a_name_go_over_directories_in_settings(project: Path, capsys: Output) -> None:
    (project / "src" / "deep").mkdir(parents=True)
    (project / "counter.py").rename(project / "src" / "deep" / "counter.py")

    configure(project, 'per-file-ignores = { "!src/**.py" = ["RH1"] }')
    assert rules(capsys) == ["RH102"]
    configure(project, 'per-file-ignores = { "src/**.py" = ["RH1"] }')
    assert rules(capsys) == []


def test_files_can_be_excluded(project: Path, capsys: Output) -> None:
    assert rules(capsys, "--exclude", "counter.py") == []
    assert rules(capsys, "--extend-exclude", "other.py,counter.py") == []
    assert len(rules(capsys, "counter.py", "--exclude", "counter.py")) == 1
    assert rules(capsys, "counter.py", "--exclude", "counter.py", "--force-exclude") == []

    (project / ".gitignore").write_text("counter.py\n")
    assert rules(capsys) == []
    assert len(rules(capsys, "--no-respect-gitignore")) == 1


def test_baseline_is_written_read_and_updated(project: Path, capsys: Output) -> None:
    assert main(["hunt", "--baseline", "b.json", "--write-baseline"]) == exits.NOTHING
    assert "b.json now has 1 finding" in capsys.readouterr().err
    configure(project, 'baseline = "b.json"')
    assert main(["hunt"]) == exits.NOTHING
    assert "1 more is in the baseline" in capsys.readouterr().out

    (project / "counter.py").write_text(RACY.replace("self.value += 1", "self.value -= 1"))
    assert main(["hunt"]) == exits.FINDINGS
    assert capsys.readouterr().err.count("[gone-from-baseline]") == 1

    assert main(["hunt", "--update-baseline"]) == exits.FINDINGS
    assert "b.json now has 0 findings" in capsys.readouterr().err
    assert json.loads((project / "b.json").read_text())["findings"] == []


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--write-baseline"], "there is no baseline to write"),
        (["--baseline", "b", "--write-baseline", "--update-baseline"], "exclude each other"),
        (["--baseline", "missing.json"], "cannot read the baseline missing.json"),
        (["--config", "missing.toml"], "cannot read missing.toml"),
        (["-", "counter.py"], "goes with no other path"),
        (["--stdin-filename", "x.py"], "goes with the path - alone"),
        (["-", "--prove"], "read, not run"),
        (["--isolated", "--config", "c.toml"], "--isolated and --config exclude each other"),
        (["--exclude", "[a-"], "--exclude has a pattern with a bracket that is not closed: [a-"),
        (["--select", ""], "--select names no rule"),
        (["--ignore", " , "], "--ignore names no rule"),
        (["--output", "x" * 300, "--format", "json"], "cannot write"),
        (["--output", ".", "--format", "json"], "it is a directory"),
    ],
)
def test_what_does_not_go_together_is_one_line(arguments: list[str], said: str, capsys: Output) -> None:
    assert main(["hunt", *arguments]) == exits.USAGE

    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.fixture
def package(project: Path) -> Path:
    """Two directories below the settings, with a baseline written at the top."""
    configure(project, 'baseline = "known.json"')
    inner = project / "src" / "pkg"
    inner.mkdir(parents=True)
    (project / "counter.py").rename(inner / "counter.py")
    main(["hunt", "--write-baseline"])
    return inner


def test_fingerprints_are_those_of_the_project_wherever_one_stands(
    project: Path, package: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    configure(project, "statistics = false")
    seen: list[str] = []
    for place, path in ((project, "."), (package, "."), (project / "src", "pkg/counter.py"), (package, "../..")):
        monkeypatch.chdir(place)
        capsys.readouterr()
        main(["hunt", path, "--format", "json"])
        (found,) = json.loads(capsys.readouterr().out)["findings"]
        seen += found["fingerprint"], found["path"]

    assert len(set(seen[::2])) == 1
    assert seen[1::2] == ["src/pkg/counter.py", "counter.py", "pkg/counter.py", "../../src/pkg/counter.py"]


def test_baseline_of_the_project_holds_wherever_one_stands(
    project: Path, package: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    known = (project / "known.json").read_text()
    assert json.loads(known)["findings"][0]["path"] == "src/pkg/counter.py"
    for place in (package, project / "src"):
        monkeypatch.chdir(place)
        assert rules(capsys) == []
        main(["hunt", "--update-baseline"])
        assert (project / "known.json").read_text() == known
    type_in(monkeypatch, RACY.encode())
    assert rules(capsys, "-", "--stdin-filename", "pkg/counter.py") == []

    (package / "counter.py").unlink()
    main(["hunt"])
    assert "racehound: pkg/counter.py: RH102 is gone" in capsys.readouterr().err


def test_broken_baseline_is_named_with_its_line(project: Path, capsys: Output) -> None:
    (project / "b.json").write_text('{\n"version": 1\n')

    assert main(["hunt", "--baseline", "b.json"]) == exits.USAGE
    assert "b.json:3: not a baseline" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_standard_input_is_hunted(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    type_in(monkeypatch, RACY.encode())
    assert main(["hunt", "-", "--stdin-filename", "shop/typed.py"]) == exits.FINDINGS
    assert "shop/typed.py:9" in capsys.readouterr().out

    type_in(monkeypatch, b"def f(:\n")
    assert main(["hunt", "-"]) == exits.NOTHING
    assert capsys.readouterr().err.startswith("racehound: stdin.py:1: not valid Python")


@pytest.mark.usefixtures("project")
def test_questions_are_answered_for_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    type_in(monkeypatch, RACY.encode())

    main(["hunt", "-", "--checklist"])

    assert "Is access protected by locks?" in capsys.readouterr().out


def test_answers_to_nothing_are_told_and_fail_only_when_asked(project: Path, capsys: Output) -> None:
    (project / "counter.py").write_text("x = 1  # racehound: ignore[RH102] nothing\n")

    assert main(["hunt"]) == exits.NOTHING
    assert "counter.py:1: unused suppression: RH102 is not found here" in capsys.readouterr().err
    assert main(["hunt", "--strict-suppressions"]) == exits.FINDINGS


def test_markdown_fills_a_directory_with_a_report_for_each_file(project: Path, capsys: Output) -> None:
    for name in ("a/same.py", "b/same.py"):
        (project / name).parent.mkdir()
        (project / name).write_text(RACY)

    assert main(["hunt", "--format", "markdown", "--output", "audit"]) == exits.FINDINGS

    assert "3 reports written to audit" in capsys.readouterr().err
    written = {path.name: path.read_text() for path in (project / "audit").iterdir()}
    assert set(written) == {"RACE_AUDIT_counter.md", "RACE_AUDIT_a_same.md", "RACE_AUDIT_b_same.md"}
    assert "### File: counter.py:9" in written["RACE_AUDIT_counter.md"]
    assert "a/same.py" not in written["RACE_AUDIT_b_same.md"]


def test_checklist_of_a_directory_of_reports_stands_in_one_of_everything(project: Path) -> None:
    assert main(["hunt", ".", "--checklist", "--format", "markdown", "--output", "out/"]) == exits.FINDINGS

    written = {path.name: path.read_text("utf-8") for path in Path("out").iterdir()}
    assert {name for name, text in written.items() if "### Checklist" in text} == {"RACE_AUDIT.md"}
    assert "RACE_AUDIT_counter.md" in written


def test_checklist_is_written_where_nothing_is_found(project: Path) -> None:
    Path("clean.py").write_text("x = 1\n", "utf-8")

    assert main(["hunt", "clean.py", "--checklist", "--format", "markdown", "--output", "out/"]) == exits.NOTHING
    assert "### Checklist" in Path("out/RACE_AUDIT.md").read_text("utf-8")


def test_reports_of_other_runs_are_named_and_left_alone(project: Path, capsys: Output) -> None:
    command = ["hunt", "--format", "markdown", "--output", "reports/"]
    main(command)
    assert "did not write" not in capsys.readouterr().err
    (project / "counter.py").write_text("x = 1\n")
    for number in range(6):
        (project / "reports" / f"RACE_AUDIT_{number}.md").write_text("mine")

    main(command)

    said = capsys.readouterr().err
    assert "reports that this run did not write: RACE_AUDIT_0.md, RACE_AUDIT_1.md" in said
    assert "RACE_AUDIT_4.md and 2 more" in said
    assert len(list((project / "reports").iterdir())) == 7


def test_no_report_overwrites_another_one(project: Path) -> None:
    places = ("a/b/same.py", "a_b/same.py", "Same.py", "a_b_same.py")
    for name in places:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(RACY)

    main(["hunt", *places, "--format", "markdown", "--output", "audit"])

    written = {path.name.casefold(): path.read_text() for path in (project / "audit").iterdir()}
    assert len(written) == len(places)
    assert all(sum(f"### File: {name}:" in text for text in written.values()) == 1 for name in places)


def test_directory_that_cannot_be_made_is_one_line(project: Path, capsys: Output) -> None:
    (project / "file").write_text("")

    assert main(["hunt", "--format", "markdown", "--output", "file/audit/"]) == exits.USAGE
    assert "cannot make file/audit" in capsys.readouterr().err


def test_counts_stand_beside_a_report_for_programs(project: Path, capsys: Output) -> None:
    configure(project, "statistics = true")

    main(["hunt", "--format", "markdown"])
    assert "RH102  1\n" in capsys.readouterr().out
    main(["hunt", "--format", "markdown", "--output", "r.md"])
    assert "RH102  1\n" in capsys.readouterr().out
    main(["hunt", "--format", "gitlab"])
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 1
    assert "racehound: RH102 1\n" in captured.err


def test_file_that_cannot_be_analysed_is_counted_and_tells_in_the_status_where_asked(
    project: Path, capsys: Output
) -> None:
    (project / "broken.py").write_text("def f(:\n")

    assert main(["hunt", "broken.py"]) == exits.NOTHING
    assert "No findings in 1 file (1 could not be analysed)." in capsys.readouterr().out
    assert main(["hunt", "broken.py", "--strict"]) == exits.INCONCLUSIVE
    assert main(["hunt", "--strict"]) == exits.FINDINGS
    configure(project, "strict = true")
    assert main(["hunt", "broken.py"]) == exits.INCONCLUSIVE
    assert main(["hunt", "broken.py", "--no-strict"]) == exits.NOTHING


def test_hunt_without_files_says_so(project: Path, capsys: Output) -> None:
    (project / "empty").mkdir()

    assert main(["hunt", "empty", "--format", "json"]) == exits.NOTHING
    assert capsys.readouterr().err == "racehound: no Python files were found\n"


def test_input_that_is_closed_is_named(project: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["hunt", "-"]) == exits.USAGE
    assert "there is no standard input to read" in capsys.readouterr().err

    with (project / "write-only").open("w") as file:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.FileIO(file.fileno(), "w", closefd=False)))
        assert main(["hunt", "-"]) == exits.USAGE
    assert "cannot read standard input" in capsys.readouterr().err


def test_excluded_name_of_input_is_left_out_where_exclusion_is_forced(
    project: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(project, 'extend-exclude = ["gen"]')
    for name, arguments, count in [
        ("gen/a.py", ["--force-exclude"], 0),
        ("gen/a.py", [], 1),
        ("a.py", ["--force-exclude"], 1),
    ]:
        type_in(monkeypatch, RACY.encode())
        assert len(rules(capsys, "-", "--stdin-filename", name, *arguments)) == count


@pytest.mark.parametrize(
    ("format_name", "is_told"), [("sarif", True), ("github", True), ("json", False), ("html", False)]
)
def test_answers_that_a_format_cannot_hold_are_not_lost_silently(
    format_name: str, is_told: bool, project: Path, capsys: Output
) -> None:
    del project
    main(["hunt", "--checklist", "--format", format_name])

    assert ("has no place for the answers of --checklist" in capsys.readouterr().err) is is_told


def test_rule_that_breaks_down_is_named_and_the_others_go_on(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    main(["hunt", "--baseline", "known.json", "--write-baseline", "--no-cache"])
    known = (project / "known.json").read_text()

    def broken(_: object, program: object) -> list[Finding]:
        raise ZeroDivisionError(f"division of {type(program).__name__}")

    with monkeypatch.context() as damage:
        damage.setattr(UnlockedFileUpdate, "check", broken)
        for _ in range(2):  # nothing of it is remembered
            capsys.readouterr()
            assert main(["hunt", "--format", "json"]) == exits.INTERNAL
            out, err = capsys.readouterr()
            assert [item["rule"] for item in json.loads(out)["findings"]] == ["RH102"]
            assert err.startswith(
                "racehound: counter.py: RH405 broke down, a defect of racehound: ZeroDivisionError"
            )
            assert err.count("\n") == 1
        assert main(["hunt", "--baseline", "known.json", "--update-baseline"]) == exits.INTERNAL
        type_in(damage, RACY.encode())
        assert main(["hunt", "-"]) == exits.INTERNAL
        damage.setenv("RACEHOUND_DEBUG", "1")
        with pytest.raises(ZeroDivisionError):
            main(["hunt"])

    assert (project / "known.json").read_text() == known
    assert main(["hunt"]) == exits.FINDINGS
