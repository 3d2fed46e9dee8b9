"""How sure the findings about cancellations and forgotten outcomes are, and what they name."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


CLEANUP = """
    import asyncio

    async def convert(client, slots, document):
        await slots.acquire()
        try:
            return await client.convert(document)
        finally:
            await client.forget(document)
            slots.release()
    """
CANCELLERS = {
    "a limit around the call": """
        async def convert_soon(client, slots, document):
            return await asyncio.wait_for(convert(client, slots, document), 5)
        """,
    "a limit that is entered": """
        async def convert_soon(client, slots, document):
            async with asyncio.timeout(5):
                return await convert(client, slots, document)
        """,
    "a limit further out": """
        async def step(client, slots, document):
            return await convert(client, slots, document)

        async def convert_soon(client, slots, document):
            return await asyncio.wait_for(step(client, slots, document), 5)
        """,
    "a task group": """
        async def convert_all(client, slots, documents):
            async with asyncio.TaskGroup() as group:
                for document in documents:
                    group.create_task(convert(client, slots, document))
        """,
    "a cancelled task": """
        async def convert_now(client, slots, document):
            task = asyncio.create_task(convert(client, slots, document))
            await client.closed()
            task.cancel()
            await asyncio.wait([task])
        """,
}


@pytest.mark.parametrize("name", CANCELLERS)
def test_interrupted_cleanup_is_likely_where_somebody_cancels(name: str) -> None:
    (finding,) = findings("RH312", dedent(CLEANUP) + dedent(CANCELLERS[name]))

    assert finding.confidence is Confidence.LIKELY
    assert (finding.location.line, finding.first.function) == (8, "convert")
    assert finding.second.action == "cancels"
    assert finding.further[0].target == "slots.release"


LIMIT_LEFT = """
    async def convert_later(client, slots, document):
        async with asyncio.timeout(5):
            await client.ready()
        return await convert(client, slots, document)
    """


@pytest.mark.parametrize("text", [CLEANUP, dedent(CLEANUP) + dedent(LIMIT_LEFT)])
def test_interrupted_cleanup_is_possible_where_nobody_is_known_to_cancel(text: str) -> None:
    (finding,) = findings("RH312", text)

    assert finding.confidence is Confidence.POSSIBLE
    assert finding.second.target == "slots.release"


def test_what_is_left_of_a_closed_object_hurts_nobody() -> None:
    text = """
        import asyncio

        class Pool:
            async def close(self):
                await self.server.wait()
                self.slots.release()

            async def run(self):
                try:
                    await self.server.serve()
                finally:
                    await self.close()

            async def run_soon(self):
                await asyncio.wait_for(self.run(), 5)
        """

    assert [finding.confidence for finding in findings("RH312", text)] == [Confidence.POSSIBLE]


HANDLERS = {"log.warning('failed: %s', error)": Confidence.LIKELY, "self.failed(error)": Confidence.POSSIBLE}


@pytest.mark.parametrize("handler", HANDLERS)
def test_exception_that_is_only_told_of_is_swallowed(handler: str) -> None:
    text = f"""
        async def poll(self, log):
            while True:
                try:
                    await self.step()
                except BaseException as error:
                    {handler}
        """

    assert [finding.confidence for finding in findings("RH312", text)] == [HANDLERS[handler]]


TOLD = """
                    try:
                        await self.connection.send(b'ping')
                    except OSError as error:
                        await self._tell(error)
"""
STEPS = {
    "await self.connection.send(b'ping')": Confidence.LIKELY,
    "await asyncio.sleep(5); self.beats = next(self.numbers)": Confidence.POSSIBLE,
    "await self._send()": Confidence.POSSIBLE,
    TOLD: Confidence.POSSIBLE,
}


@pytest.mark.parametrize("step", STEPS)
def test_task_that_is_only_cancelled_matters_where_its_loop_may_fail(step: str) -> None:
    text = f"""
        import asyncio

        class Heartbeat:
            def start(self):
                self._task = asyncio.create_task(self._beat())

            async def _beat(self):
                while True:
                    {step}

            async def _tell(self, error):
                await self.connection.send(str(error))

            async def _send(self):
                try:
                    await self.connection.send(b"ping")
                except OSError as error:
                    print(error)

            def stop(self):
                self._task.cancel()
        """

    (finding,) = findings("RH306", text)

    assert finding.confidence is STEPS[step]
    assert "`stop` only cancels the task that `start` keeps in `self._task`" in finding.message


def test_loop_of_another_swallows_nothing_where_it_ends_after_the_call() -> None:
    text = """
        import asyncio

        async def step(source):
            try:
                await source.read()
            except asyncio.CancelledError:
                print("interrupted")

        async def run(source):
            while True:
                await step(source)
                break
        """

    assert findings("RH312", text) == []
