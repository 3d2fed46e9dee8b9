"""What must hold for the files of the repository, whoever changes them."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

import racehound
from drivers.picture import printed_picture, shown_picture
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule

ROOT = Path(__file__).resolve().parents[2]

MACHINE_PATH = re.compile(r"(?<![\w.<{-])/(?:home|Users|root)/\w")
REGISTRY = re.compile(
    r"(?:pypi|pythonhosted|npmjs|crates)\.(?:org|com|io)|artifactory|devpi|nexus\.(?!py\b)", re.IGNORECASE
)
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/index.md"]
PUBLIC = {"Exploration", "__version__", "confined", "explore", "guarded_by"}


def own_files() -> list[Path]:
    """All files but those that .gitignore leaves out."""
    folders = [ROOT]
    files: list[Path] = []
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if not is_ignored(path):
                (folders if path.is_dir() else files).append(path)
    return files


def is_ignored(path: Path) -> bool:
    entries = [".git", *(line.rstrip("/") for line in text_of(ROOT / ".gitignore").splitlines())]
    return any(fnmatch(name, entry) for entry in entries for name in (path.name, str(path.relative_to(ROOT))))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


@pytest.mark.parametrize("forbidden", [MACHINE_PATH, REGISTRY], ids=["machine paths", "registry hosts"])
def test_no_file_depends_on_one_machine(forbidden: re.Pattern[str]) -> None:
    here = Path(__file__)
    guilty = [path for path in own_files() if path != here and forbidden.search(text_of(path))]

    assert guilty == []


def test_the_patterns_for_machine_dependence_can_fail() -> None:
    assert MACHINE_PATH.search("open('/home/somebody/notes')")
    assert REGISTRY.search("--index-url https://pypi.org/simple")
    assert not MACHINE_PATH.search("$HOME/.pyenv and https://example.org/home/page")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.code)
class TestRule:
    def test_has_its_page(self, rule: Rule) -> None:
        assert (ROOT / "docs" / "rules" / f"{rule.meta.code}.md").is_file()

    def test_has_a_bad_and_a_good_example(self, rule: Rule) -> None:
        assert rule.bad
        assert rule.good

    def test_is_named_after_its_smell(self, rule: Rule) -> None:
        assert re.fullmatch(r"RH\d{3}", rule.meta.code)
        assert type(rule).__module__.endswith(f".{rule.meta.code.lower()}_{rule.meta.name.replace('-', '_')}")


def test_every_page_belongs_to_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("RH*.md")}

    assert pages == {rule.meta.code for rule in all_rules()}


def test_the_public_names_are_these() -> None:
    assert set(racehound.__all__) == PUBLIC
    assert all(getattr(racehound, name) for name in PUBLIC)


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'hunt_everything'"):
        racehound.hunt_everything  # noqa: B018 - looking it up is the test


def test_the_version_is_a_literal() -> None:
    body = ast.parse(text_of(ROOT / "src" / "racehound" / "__init__.py")).body
    assigned = {ast.unparse(node.targets[0]): node.value for node in body if isinstance(node, ast.Assign)}

    assert ast.literal_eval(assigned["__version__"]) == racehound.__version__


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text_of(path))

    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.slow
def test_the_picture_in_the_readme_is_real_output() -> None:
    """`make picture` takes a new one."""
    assert shown_picture() == printed_picture()
