from pathlib import Path

import pytest

from racehound.config.find import settings_for
from racehound.config.read import place_of, read_settings
from racehound.config.settings import READINGS, Settings
from racehound.config.toml import line_of
from racehound.errors import ConfigError

EVERYTHING = """
select = ["RH1"]
ignore = ["RH102"]
extend-select = ["RH301"]
extend-ignore = ["RH302"]
exclude = ["old"]
extend-exclude = ["gen"]
force-exclude = true
respect-gitignore = false
confidence = "certain"
format = "sarif"
output = "out.sarif"
baseline = "baseline.json"
statistics = true
checklist = true
strict = true
strict-suppressions = true
prove = true
unsafe-fixes = true
budget = 3
seed = 7
jobs = 2
cache = false
cache-dir = "cache"

[per-file-ignores]
"tests/**" = ["RH402"]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def complaint(project: Path, text: str, name: str = "racehound.toml") -> str:
    (project / name).write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        settings_for([str(project)])
    return str(caught.value)


def test_everything_can_be_set(project: Path) -> None:
    (project / "racehound.toml").write_text(EVERYTHING)

    assert settings_for([]) == Settings(
        select=("RH1",),
        ignore=("RH102",),
        extend_select=("RH301",),
        extend_ignore=("RH302",),
        per_file_ignores=(("tests/**", ("RH402",)),),
        exclude=("old",),
        extend_exclude=("gen",),
        force_exclude=True,
        respect_gitignore=False,
        confidence="certain",
        format="sarif",
        output=str(project / "out.sarif"),
        baseline=str(project / "baseline.json"),
        statistics=True,
        checklist=True,
        strict=True,
        strict_suppressions=True,
        prove=True,
        unsafe_fixes=True,
        budget=3.0,
        seed=7,
        jobs=2,
        cache=False,
        cache_dir=str(project / "cache"),
        root=str(project),
        source=str(project / "racehound.toml"),
    )
    assert all(f"{key} = " in EVERYTHING or f"[{key}]" in EVERYTHING for key in READINGS)


def test_nearest_file_counts_alone(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.racehound]\nconfidence = "certain"\n')
    inner = project / "package" / "deep"
    inner.mkdir(parents=True)
    (inner / "a.py").write_text("")
    (inner / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert settings_for([str(inner)]).confidence == "certain"

    (project / "package" / "racehound.toml").write_text('ignore = ["RH1"]\n')
    assert settings_for([str(inner / "a.py")]).confidence is None
    assert settings_for([str(inner), str(project)]).confidence == "certain"


def test_in_one_directory_the_hidden_file_comes_first(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.racehound]\njobs = 1\n")
    (project / "racehound.toml").write_text("jobs = 2\n")
    assert settings_for(["."]).jobs == 2

    (project / ".racehound.toml").write_text("jobs = 3\n")
    assert settings_for(["."]).jobs == 3


@pytest.mark.usefixtures("project")
def test_without_a_file_nothing_is_set() -> None:
    assert settings_for(["no/such/place"]) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\n# a\nselct = ["RH1"]\n', "racehound.toml:3: unknown setting `selct`; did you mean `select`?"),
        (
            "per_file_ignores = {}\n",
            "racehound.toml:1: unknown setting `per_file_ignores`; did you mean `per-file-",
        ),
        ("zzz = 1\n", "racehound.toml:1: unknown setting `zzz`; the settings are select, ignore"),
        (
            'jobs = 1\nconfidence = "sure"',
            "racehound.toml:2: `confidence` must be one of certain, likely, possible",
        ),
        ("select = [\n  'a',\n  3,\n]\n", "racehound.toml:1: `select` must be a list of texts, and is ['a', 3]"),
        ("format = 'x'\n", "`format` must be one of text, markdown"),
        ("force-exclude = 1\n", "`force-exclude` must be true or false, and is 1"),
        ("budget = 0\n", "`budget` must be a number of seconds above 0"),
        ("budget = true\n", "`budget` must be a number of seconds above 0"),
        ("jobs = 0\n", "`jobs` must be a whole number from 1"),
        ("baseline = ''\n", "`baseline` must be a text"),
        ("per-file-ignores = 3\n", "`per-file-ignores` must be a table of patterns"),
        (
            "[per-file-ignores]\nb = ['RH1']\na = 'RH1'\n",
            "racehound.toml:3: `per-file-ignores` must have a list of rules for each pattern, and is 'a'",
        ),
        (
            "[per-file-ignores]\n'[a' = ['RH1']\n",
            "racehound.toml:2: `per-file-ignores` has a pattern with a bracket",
        ),
        (
            "exclude = [\n  'a[b]',\n  'a[!]-b',\n]\n",
            "racehound.toml:3: `exclude` has a pattern with a bracket that is not closed, and is 'a[!]-b'",
        ),
        (
            "extend-exclude = ['/']\n",
            "racehound.toml:1: `extend-exclude` has a pattern without a name, and is '/'",
        ),
        (
            "[per-file-ignores]\n'{a,b' = ['RH1']\n",
            "racehound.toml:2: `per-file-ignores` has a pattern with a brace that is not closed",
        ),
        ('output = "a\\u0000b"\n', "racehound.toml:1: `output` must be a text"),
        ("ignore = " + repr(["x", 1] * 40), "..."),
        ("\n\nselect = [\n", "racehound.toml:4: not valid TOML: "),
        ("a = = 1\n", "racehound.toml:1: not valid TOML: Invalid value"),
    ],
)
def test_mistake_is_named_with_file_and_line(text: str, said: str, project: Path) -> None:
    assert said in complaint(project, text)


def test_line_is_found_however_the_key_is_written(project: Path) -> None:
    for text in ("[tool]\nx = 1\n\nracehound.selct = 1\n", "[tool.racehound]\n\n# selct\n'selct' = 1\n"):
        assert complaint(project, text, "pyproject.toml").startswith("pyproject.toml:4: unknown setting `selct`")


def test_line_of_a_key_that_is_not_there_is_the_first() -> None:
    assert line_of("a = 1\nb = 2\n", ("c",)) == 1
    assert line_of("a = 1\n\n\nb = [\n 1,\n]\n", ("b",)) == 4


def test_broken_project_file_that_speaks_of_racehound_is_complained_of(project: Path) -> None:
    assert complaint(project, "[tool.racehound\n", "pyproject.toml").startswith("pyproject.toml:1: not valid TOML")


@pytest.mark.parametrize("text", ["[tool]\nracehound = 3\n", "\n[[tool.racehound]]\nselect = ['RH1']\n"])
def test_table_that_is_none_is_complained_of(text: str, project: Path) -> None:
    assert complaint(project, text, "pyproject.toml").startswith(
        "pyproject.toml:2: `tool.racehound` must be a table"
    )


@pytest.mark.parametrize("text", ["[tool.racehound\n", "tool = 3  # racehound\n"])
def test_project_file_without_the_table_has_no_settings(text: str, project: Path) -> None:
    (project / "pyproject.toml").write_text(text)

    with pytest.raises(ConfigError, match=r"not valid TOML|has no \[tool.racehound\]"):
        read_settings(project / "pyproject.toml")


def test_file_that_cannot_be_read_is_named(project: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read nowhere\.toml: No such file"):
        read_settings(project / "nowhere.toml")

    (project / "racehound.toml").write_bytes(b"a = 1\n\xff = 2\n")
    with pytest.raises(ConfigError, match=r"racehound\.toml:2: not valid TOML: it is not UTF-8"):
        settings_for([])


def test_file_elsewhere_is_named_by_its_whole_path(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "settings.toml"
    other.write_text("\ufeffjobs = 4\n", "utf-8")

    assert read_settings(other).jobs == 4
    assert place_of(other, "jobs") == f"{other}:1"
