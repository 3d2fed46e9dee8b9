"""Twice as many like parts take about twice the work: counted in calls, which a busy machine leaves alone."""

import sys
from collections.abc import Callable

import pytest

from racehound.pipeline.hunt import hunt_text

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


@pytest.mark.parametrize("written", [threads, closures, lambdas, tables])
def test_work_grows_with_the_file(written: Callable[[int], str]) -> None:
    calls_of(written(2))  # what is made once is made now

    assert calls_of(written(2 * FEW)) < MOST * calls_of(written(FEW))


def calls_of(text: str) -> int:
    counted = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal counted
        counted += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        hunt_text(text.encode(), "program.py")
    finally:
        sys.setprofile(before)
    return counted
