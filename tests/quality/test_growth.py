"""Twice as many like parts take about twice the work: counted in calls, which a busy machine leaves alone."""

import sys
from collections.abc import Callable

import pytest

from racehound.analysis.program import Program
from racehound.pipeline.hunt import hunt_text
from racehound.source.module import SourceModule

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unmeasured")]

FEW = 60
MOST = 2.6
"""Times the work for twice the parts; four times is what a pass over all parts for each part takes."""


def threads(count: int) -> str:
    starts = "".join(
        f"    t{n} = threading.Thread(target=work, args=({n},))\n    t{n}.start()\n" for n in range(count)
    )
    joins = "".join(f"    t{n}.join()\n" for n in range(count))
    return f"import threading\ndef work(n):\n    print(n)\ndef main():\n{starts}{joins}main()\n"


def closures(count: int) -> str:
    parts = "".join(
        f"    def c{n}(x):\n        jobs.append(x)\n    threading.Thread(target=c{n}, args=({n},)).start()\n"
        for n in range(count)
    )
    return f"import threading\ndef main():\n    jobs = []\n{parts}main()\n"


def lambdas(count: int) -> str:
    parts = "".join(f"threading.Thread(target=lambda: jobs.append({n})).start()\n" for n in range(count))
    return f"import threading\njobs = []\n{parts}"


def tables(count: int) -> str:
    made = "".join(
        f"g{n} = {{}}\ndef f{n}(k):\n    if k not in g{n}:\n        g{n}[k] = 1\n" for n in range(count)
    )
    starts = "".join(f"threading.Thread(target=f{n}, args=(1,)).start()\n" for n in range(count))
    return f"import threading\n{made}{starts}"


def sections(count: int) -> str:
    return _method("        with self._lock:\n            self.x += 1\n" * count)


def fields(count: int) -> str:
    return _method("".join(f"        self.f{n} += 1\n" for n in range(count)))


def files(count: int) -> str:
    return "def main(path):\n" + "    open(path, 'w').write('x')\n" * count


def awaited_looks(count: int) -> str:
    looks = "".join(
        f"        if {n} not in self.t:\n            self.t[{n}] = await self.make({n})\n" for n in range(count)
    )
    return (
        "import asyncio\nclass Table:\n    def __init__(self):\n        self.t = {}\n"
        f"    async def fill(self):\n{looks}    async def make(self, n):\n        return n\n"
    )


def file_looks(count: int) -> str:
    looks = (f"    p{n} = join(d, '{n}')\n    if exists(p{n}):\n        remove(p{n})\n" for n in range(count))
    return f"from os import remove\nfrom os.path import exists, join\ndef clear(d):\n{''.join(looks)}"


def settings(count: int) -> str:
    pairs = (
        f"def read{n}():\n    with open('conf{n}.json') as file:\n        return json.load(file)\n"
        f"def write{n}(x):\n    with open('conf{n}.json', 'w') as file:\n        json.dump(x, file)\n"
        for n in range(count)
    )
    return f"import json\n{''.join(pairs)}"


def owners_of_locks(count: int) -> str:
    return "import threading\n" + "".join(
        f"class C{n}:\n    def __init__(self):\n        self._lock = threading.Lock()\n        self.n = 0\n"
        "    def add(self):\n        self.n += 1\n"
        "    def get(self):\n        with self._lock:\n            return self.n\n"
        for n in range(count)
    )


def _method(body: str) -> str:
    return (
        "import threading\nclass Meter:\n    def __init__(self):\n        self._lock = threading.Lock()\n"
        "        self.x = 0\n    def start(self):\n        threading.Thread(target=self.run).start()\n"
        f"    def run(self):\n{body}"
    )


@pytest.mark.parametrize(
    "written",
    [
        threads,
        closures,
        lambdas,
        tables,
        sections,
        fields,
        files,
        awaited_looks,
        file_looks,
        settings,
        owners_of_locks,
    ],
)
def test_work_grows_with_the_file(written: Callable[[int], str]) -> None:
    calls_of(written(2))  # what is made once is made now

    assert calls_of(written(2 * FEW)) < MOST * calls_of(written(FEW))


def test_what_a_class_inherits_is_found_with_its_base() -> None:
    few, many = (Program.of(SourceModule.from_text(heirs(count))) for count in (FEW, 2 * FEW))

    assert counted(lambda: inherited(many)) < MOST * counted(lambda: inherited(few))


def test_update_is_asked_once_per_class_of_a_line_that_inherits_it() -> None:
    """So that the work grows with the pairs of classes; with each third one between them, it was eight times."""
    few, many = counting_heirs(FEW // 3), counting_heirs(2 * FEW // 3)
    calls_of(few)

    assert calls_of(many) < 4.6 * calls_of(few)


def counting_heirs(count: int) -> str:
    first = (
        "import threading\nclass C0:\n    def __init__(self):\n        self._lock = threading.Lock()\n"
        "        self.n = 0\n    def m(self):\n        with self._lock:\n            self.n += 1\n"
    )
    return first + "".join(
        f"class C{n}(C{n - 1}):\n    def m{n}(self):\n        self.n += 1\n" for n in range(1, count)
    )


def heirs(count: int) -> str:
    first = "class C0:\n    def __init__(self):\n        self.x = {}\n"
    return first + "".join(f"class C{n}(C{n - 1}):\n    pass\n" for n in range(1, count))


def inherited(program: Program) -> None:
    for item in program.modules[0].classes:
        program.kinds.field(item, "x")


def calls_of(text: str) -> int:
    return counted(lambda: hunt_text(text.encode(), "program.py"))


def counted(work: Callable[[], object]) -> int:
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
