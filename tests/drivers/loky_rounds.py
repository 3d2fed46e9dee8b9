"""Three rounds of strategies on loky's processes, in a process of their own.

What loky pickles it reads through views of a buffer. The collector may clear such a buffer before its view and
complains then, in whatever test it happens to run: here it disturbs nobody. Python 3.12.1 may even crash over
such a buffer while the interpreter ends, so this one does not wait for its end.
"""

import json
import os
import sys

import loky  # type: ignore[import-untyped]  # it has no types of its own

from drivers.executor_driver import PATIENCE, rounds_on

if __name__ == "__main__":
    with loky.ProcessPoolExecutor(2, timeout=PATIENCE) as pool:
        sys.stdout.write(json.dumps(rounds_on(pool)))
    sys.stdout.flush()
    os._exit(0)
