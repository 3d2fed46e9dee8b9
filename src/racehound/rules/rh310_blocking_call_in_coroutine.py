"""A coroutine calls something that blocks the thread.

All tasks of an event loop share one thread. While one of them sleeps, downloads or waits for a subprocess without
giving way, no other task runs: timeouts fire late, heartbeats are missed, connections are dropped. On a quiet
machine with one user nothing of that shows.

Use the awaitable form (`asyncio.sleep`, `asyncio.create_subprocess_exec`, an asynchronous client), or hand the
call to a thread with `asyncio.to_thread`.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.awaiting.held_up import held_up
from racehound.rules.rule import Rule


class BlockingCallInCoroutine(Rule):
    meta = RuleMeta(
        code="RH310",
        name="blocking-call-in-coroutine",
        summary="`{function}` {action} `{what}`{through} and blocks the event loop",
        severity=Severity.WARNING,
        race_type="Blocked Event Loop",
        impact="Stall: every task of the loop stands still until the call returns.",
        since="0.1.0",
        tags=frozenset({"asyncio"}),
    )
    bad = (
        Bad("""
            import time

            async def poll(device):
                while not device.ready:
                    time.sleep(0.1)  # RH
            """),
        Bad("""
            import requests

            def _download(url):
                return requests.get(url, timeout=10).text

            async def page(url):
                return _download(url)  # RH
            """),
    )
    good = (
        Good("""
            import asyncio
            import requests

            def _download(url):
                return requests.get(url, timeout=10).text

            async def page(url):
                await asyncio.sleep(0.1)
                return await asyncio.to_thread(_download, url)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return held_up(self, program, primitives=False)
