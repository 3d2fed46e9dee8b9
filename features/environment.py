import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from behave.model import Scenario
from behave.runner import Context

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def before_scenario(context: Context, scenario: Scenario) -> None:
    del scenario
    context.temporary = TemporaryDirectory()
    context.directory = Path(context.temporary.name)


def after_scenario(context: Context, scenario: Scenario) -> None:
    del scenario
    context.temporary.cleanup()
