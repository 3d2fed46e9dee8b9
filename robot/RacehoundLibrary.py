"""Keywords for Robot Framework on top of the driver that all acceptance tests share."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from robot.api.deco import keyword, library

from drivers.command import EXAMPLE, Run, installed_racehound, is_one_clear_line, racehound


@library(scope="TEST", auto_keywords=False)
class RacehoundLibrary:
    def __init__(self) -> None:
        self._temporary = TemporaryDirectory()
        self._directory = Path(self._temporary.name)
        self._run = Run(status=0, output="", errors="")

    @keyword
    def copy_the_example(self) -> None:
        shutil.copy(EXAMPLE, self._directory)

    @keyword
    def write_file(self, name: str, *lines: str) -> None:
        (self._directory / name).write_text("\n".join(lines) + "\n")

    @keyword
    def run_racehound(self, arguments: str) -> None:
        self._run = racehound(*shlex.split(arguments), cwd=self._directory)

    @keyword
    def run_installed_racehound(self, arguments: str) -> None:
        self._run = installed_racehound(*shlex.split(arguments), cwd=self._directory)

    @keyword
    def status_should_be(self, status: int) -> None:
        assert self._run.status == status, self._run

    @keyword
    def output_should_contain(self, *texts: str) -> None:
        missing = [text for text in texts if text not in self._run.output]
        assert not missing, f"{missing} not in\n{self._run}"

    @keyword
    def output_should_be_json(self) -> None:
        assert self._run.data["version"] == 1, self._run

    @keyword
    def errors_should_be_one_line_with(self, text: str) -> None:
        assert is_one_clear_line(self._run), self._run
        assert text in self._run.errors, self._run

    @keyword
    def there_should_be_no_traceback(self) -> None:
        assert "Traceback" not in self._run.output + self._run.errors, self._run

    @keyword
    def every_finding_should_be_proven_and_its_patch_safe(self) -> None:
        proofs = {(found["proof"]["verdict"], found["patch"]["proof"]["verdict"]) for found in self._run.findings}
        assert proofs == {("race", "safe")}, self._run

    @keyword
    def keys_of_a_finding_should_be(self, *keys: str) -> None:
        assert set(self._run.findings[0]) == set(keys), sorted(self._run.findings[0])

    @keyword
    def file_should_hold_json(self, name: str) -> None:
        assert json.loads((self._directory / name).read_text())["version"] == 1

    @keyword
    def concurrent_invocations_should_count_exactly(self, invocations: int, failures: int) -> None:
        """Several threads run one executor whose strategy always fails; no failure may be lost."""
        code = (
            "import sys, threading; from circuit_breaker import ParallelStrategyExecutor\n"
            "sys.setswitchinterval(1e-6)\n"
            "def boom(question): raise ValueError(question)\n"
            "executor = ParallelStrategyExecutor({'boom': boom})\n"
            "executor._breaker.failure_threshold = 10**9\n"
            f"def invoke():\n    for _ in range({failures // invocations}): executor.run('x')\n"
            f"threads = [threading.Thread(target=invoke) for _ in range({invocations})]\n"
            "for thread in threads: thread.start()\n"
            "for thread in threads: thread.join()\n"
            "print(executor._breaker._failures['boom'])\n"
        )
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=self._directory, capture_output=True, text=True, timeout=60, check=True)
        assert int(done.stdout) == failures, done.stdout
