import json

import pytest

from racehound.model.report import Diagnostic
from racehound.source.module import SourceModule
from racehound.source.notebook import notebook_source

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["import nothing\n"]},
    {
        "cell_type": "code",
        "metadata": {},
        "outputs": ["x = 1"],
        "source": ["%matplotlib inline\n", "import os\n", "é = 1"],
    },
    {"cell_type": "code", "metadata": {}, "source": []},
    {"cell_type": "code", "metadata": {}, "source": ["%%bash\n", "rm x"]},
    {"cell_type": "code", "metadata": {}, "source": ["for i in range(3):\n", "    !ls\n", "    os.getcwd?\n"]},
]
NOTEBOOK = {"cells": CELLS, "metadata": {}, "nbformat": 4}


@pytest.mark.parametrize("ascii_only", [True, False])
def test_each_line_keeps_the_number_it_has_in_the_file(ascii_only: bool) -> None:
    text = json.dumps(NOTEBOOK, indent=1, ensure_ascii=ascii_only)

    source = notebook_source(text)

    written = text.split("\n")
    placed = {number: line for number, line in enumerate(source.split("\n")) if line}
    assert list(placed.values()) == ["pass", "import os", "é = 1", "for i in range(3):", "    pass", "    pass"]
    assert all(json.loads(written[at].strip().rstrip(",")).strip() for at in placed)
    assert '"import os' in written[next(at for at, line in placed.items() if line == "import os")]


def test_cells_stand_one_below_the_other_where_the_file_has_another_layout() -> None:
    joined = [{"cell_type": "code", "source": "import os\nx = 1"}, CELLS[4]]

    source = notebook_source(json.dumps({"cells": joined}))

    assert source.split("\n")[:4] == ["import os", "x = 1", "", "for i in range(3):"]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"cells": 3}', "[" * 100_000])
def test_what_is_no_notebook_gets_a_line(text: str) -> None:
    result = SourceModule.from_bytes(text.encode(), "page.ipynb")

    assert isinstance(result, Diagnostic)
    assert "cannot be decoded" in str(result)
    assert "\n" not in str(result)


def test_notebook_is_parsed() -> None:
    module = SourceModule.from_bytes(json.dumps(NOTEBOOK, indent=1).encode(), "page.ipynb")

    assert isinstance(module, SourceModule)
    assert len(module.tree.body) == 4
