"""Each format of each sample report is as accepted; `ACCEPT_OUTPUT=1 pytest tests/formats` accepts it anew."""

import os
from pathlib import Path

import pytest

from drivers.reports import REPORTS
from racehound.reporters.registry import FORMATS, reporter

ACCEPTED = Path(__file__).parent / "accepted"
SUFFIXES = {
    "text": "txt",
    "markdown": "md",
    "json": "json",
    "sarif": "sarif",
    "html": "html",
    "github": "github",
    "gitlab": "gitlab.json",
    "junit": "xml",
}


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("format_name", FORMATS)
def test_output_is_the_accepted_one(format_name: str, name: str) -> None:
    path = ACCEPTED / f"{name}.{SUFFIXES[format_name]}"

    output = reporter(format_name)(REPORTS[name])

    if os.environ.get("ACCEPT_OUTPUT"):
        path.write_bytes(output.encode())
    assert output.encode() == path.read_bytes()
