"""What is printed and logged is no state, and may still be wrong: then nothing is called safe."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target

DESK = """
    import asyncio
    import logging

    log = logging.getLogger("desk")

    class Desk:
        def __init__(self):
            self.current = None

        async def serve(self, item: str):
            {begin}
            await asyncio.sleep(0.01)
            {tell}
"""


@pytest.mark.parametrize(
    ("begin", "tell", "verdict"),
    [
        ("self.current = item", "print('served', self.current)", Verdict.SAMPLED),
        ("self.current = item", "log.warning('served %s', self.current)", Verdict.SAMPLED),
        ("current = item", "print('served', current)", Verdict.SAFE),
        ("current = item", "log.warning('served %s', current)", Verdict.SAFE),
        ("self.current = item", "print('served', self)", Verdict.SAFE),
    ],
)
def test_what_is_said_in_no_serial_order_is_not_called_safe(
    tmp_path: Path, begin: str, tell: str, verdict: Verdict
) -> None:
    (tmp_path / "desk.py").write_text(dedent(DESK).format(begin=begin, tell=tell))

    proof = prove_target(f"{tmp_path / 'desk.py'}::Desk", budget=30)

    assert proof.verdict is verdict
    assert ("printed or logged" in proof.reason) is (verdict is Verdict.SAMPLED)
