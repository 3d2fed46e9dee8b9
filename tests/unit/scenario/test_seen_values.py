"""Arguments that tests of the project use."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any, Literal, Protocol, TypeVar

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target
from racehound.scenario.seen_values import MOST_FILES, SeenValues, files_of_tests, fits, seen_in_tests

TESTS = """
    import pytest

    from bank import Account, pay

    START = 50

    @pytest.fixture
    def account():
        return Account("eve", START)

    def test_withdraw(account):
        account.withdraw(30)
        account.withdraw(amount=30)
        account.withdraw(7, note="x")
        other = Account("eve", 50)
        other.deposit(*[1])
        other.deposit(str(5))
        {}.get("owner", 1)
        pay("bob", 3)

    def test_refused(account):
        with pytest.raises(ValueError):
            account.withdraw(-1)
            Account("", -5)

    def test_block():
        with Account("adam", 1) as opened:
            opened.deposit(9)
        Account("adam", 2).close(True)
"""


class Asked(Protocol):
    def ask(self) -> int: ...


class Account:
    def __init__(self, owner: str, balance: int) -> None: ...

    def withdraw(self, amount: int, note: str = "") -> None: ...


@pytest.fixture(name="bank")
def _bank(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests" / "deep").mkdir(parents=True)
    (tmp_path / "tests" / "deep" / "test_bank.py").write_text(dedent(TESTS), encoding="utf-8")
    (tmp_path / "src").mkdir()
    return tmp_path / "src" / "bank.py"


def values(seen: SeenValues, function: Callable[..., object], parameter: str) -> list[str]:
    skip = function is not Account
    return seen.of(function.__name__, inspect.signature(function), parameter, skip_first=skip)


def test_constructor_and_methods_get_what_tests_give_them_most(bank: Path) -> None:
    seen = seen_in_tests(bank, "Account", ())

    assert values(seen, Account, "owner") == ["'eve'", "'adam'"]
    assert values(seen, Account, "balance") == ["50", "1", "2"]
    assert values(seen, Account.withdraw, "amount") == ["30", "7"]
    assert values(seen, Account.withdraw, "note") == ["'x'"]
    assert set(seen.calls) == {"Account", "withdraw", "deposit", "close"}


def test_functions_get_what_tests_give_them(bank: Path) -> None:
    seen = seen_in_tests(bank, None, ["pay"])

    assert [call.positional for call in seen.calls["pay"]] == [("'bob'", "3")]
    assert set(seen.calls) == {"pay"}


def test_files_that_cannot_be_read_say_nothing(bank: Path) -> None:
    tests = bank.parents[1] / "tests"
    (tests / "test_broken.py").write_text("def Account(:", encoding="utf-8")
    (tests / "test_binary.py").write_bytes(b"\xff\xfeAccount")
    (tests / "test_huge.py").write_text("# Account\n" * 100_000, encoding="utf-8")

    assert set(seen_in_tests(bank, "Account", ()).calls) == {"Account", "withdraw", "deposit", "close"}


def test_search_ends_at_the_top_of_the_project(bank: Path) -> None:
    beyond = bank.parents[2] / "test_beyond.py"
    beyond.touch()
    try:
        assert [file.name for file in files_of_tests(bank)] == ["test_bank.py"]
    finally:
        beyond.unlink()


def test_installed_packages_have_no_project_around_them() -> None:
    assert list(files_of_tests(Path(pytest.__file__))) == []


def test_number_of_files_is_limited(bank: Path) -> None:
    for number in range(MOST_FILES + 5):
        (bank.parents[1] / "tests" / f"test_{number:03}.py").write_text("Account('x', 1)\n", encoding="utf-8")

    given = [call.positional for call in seen_in_tests(bank, "Account", ()).calls["Account"]]

    assert given.count(("'x'", "1")) == MOST_FILES - 1


@pytest.mark.parametrize(
    ("text", "hint", "answer"),
    [
        ("1", int, True),
        ("1", float, True),
        ("'a'", int, False),
        ("1", int | str, True),
        ("1.5", int | str, False),
        ("'w'", Literal["r", "w"], True),
        ("'x'", Literal["r", "w"], False),
        ("[1]", list[int], True),
        ("[1]", Sequence[int], True),
        ("[1]", dict[str, int], False),
        ("1", Any, True),
        ("1", "Forward", True),
        ("1", TypeVar("T"), True),
        ("1", inspect.Parameter.empty, True),
        ("1", Asked, False),
        ("1", Callable[[], int], False),
    ],
)
def test_value_has_to_fit_the_type(text: str, hint: object, answer: bool) -> None:
    assert fits(text, hint) is answer


@pytest.mark.slow
def test_race_behind_a_check_is_found_with_the_values_of_the_tests(
    bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
        class Account:
            def __init__(self, owner, iban):
                if not iban.startswith("DE"):
                    raise ValueError(iban)
                self.paid = {}

            def pay(self, reference):
                if reference[:3] != "INV":
                    raise ValueError(reference)
                self.paid[reference] = self.paid.get(reference, 0) + 1
    """
    bank.write_text(dedent(source), encoding="utf-8")
    monkeypatch.chdir(bank.parent)
    test = bank.parents[1] / "tests" / "deep" / "test_bank.py"
    test.write_text("account = Account('eve', 'DE12')\naccount.pay('INV-7')\n", encoding="utf-8")

    proof = prove_target("bank.py::Account", budget=20)

    assert proof.verdict is Verdict.RACE
    assert proof.scenario is not None
    assert proof.scenario.setup == "Account('eve', 'DE12')"
    assert proof.scenario.tasks[0] == ("subject.pay('INV-7')",)
