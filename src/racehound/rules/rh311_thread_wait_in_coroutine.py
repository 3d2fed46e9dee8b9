"""A coroutine waits for another thread, and stops the event loop meanwhile.

`queue.Queue.get`, `threading.Event.wait`, `Thread.join` and their like block the thread until another one does its
part. In a coroutine that is the thread of the event loop: no other task runs, and if the other thread needs the
loop to do its part, nobody ever goes on.

Use the primitives of `asyncio` between tasks. Towards threads, wait in a thread with `asyncio.to_thread`, or have
the thread signal the loop with `call_soon_threadsafe`.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.awaiting.held_up import held_up
from racehound.rules.rule import Rule


class ThreadWaitInCoroutine(Rule):
    meta = RuleMeta(
        code="RH311",
        name="thread-wait-in-coroutine",
        summary="`{function}` {action} `{what}`{through} and blocks the event loop",
        severity=Severity.ERROR,
        race_type="Blocked Event Loop",
        impact="Stall or deadlock: no task of the loop runs until another thread does its part.",
        since="0.1.0",
        tags=frozenset({"asyncio", "threads"}),
    )
    bad = (
        Bad("""
            import queue

            JOBS = queue.Queue()

            async def consume():
                while True:
                    job = JOBS.get()  # RH
                    await job.run()
            """),
    )
    good = (
        Good("""
            import asyncio
            import queue

            JOBS = queue.Queue()

            async def consume():
                while True:
                    job = await asyncio.to_thread(JOBS.get)
                    await job.run()
            """),
        Good("""
            import queue

            JOBS = queue.Queue()

            async def drain():
                while not JOBS.empty():
                    job = JOBS.get(block=False)
                    await job.run()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return held_up(self, program, primitives=True)
