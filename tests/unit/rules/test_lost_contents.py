"""What is lost with an object that is made twice; claims of several threads; events that may not be there."""

from textwrap import dedent

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt_text

BROKER = """
    import threading

    class Broker:
        def __init__(self):
            self.topics = {}
            self.colour = "red"
        def subscribe(self, topic, handler):
            self.topics[topic] = handler
        def paint(self, colour):
            self.colour = colour

    _broker = None

    def broker():
        global _broker
        if _broker is None:
            _broker = Broker()
        return _broker

    def listen(topic):
        USE

    for name in ("a", "b"):
        threading.Thread(target=listen, args=(name,)).start()
    """


def confidences(text: str, rule: str) -> set[Confidence]:
    findings, _, _ = hunt_text(dedent(text).encode(), "module.py", confidence=Confidence.POSSIBLE)
    return {finding.confidence for finding in findings if finding.rule == rule}


def _broker(use: str) -> set[Confidence]:
    return confidences(BROKER.replace("USE", use), "RH106")


def test_late_object_that_callers_fill_is_likely() -> None:
    for use in (
        "broker().subscribe(topic, print)",
        "broker().topics[topic] = print",
        "broker().topics.setdefault(topic, print)",
        "mine = broker(); mine.subscribe(topic, print)",
        "mine = broker(); mine.topics.update(topic)",
    ):
        assert _broker(use) == {Confidence.LIKELY}, use


def test_late_object_that_callers_only_ask_or_paint_is_possible() -> None:
    for use in ("print(broker().colour)", "broker().paint(topic)", "print(broker().topics.get(topic))"):
        assert _broker(use) == {Confidence.POSSIBLE}, use


def test_late_cache_that_callers_fill_is_possible() -> None:
    text = BROKER.replace("Broker", "TopicCache").replace("USE", "broker().subscribe(topic, print)")

    assert confidences(text, "RH106") == {Confidence.POSSIBLE}


def test_claim_by_key_that_is_refused_with_an_error_is_certain() -> None:
    text = """
        import threading, time
        _running = {}
        def begin(name, job):
            if name in _running:
                raise RuntimeError(name)
            _running[name] = time.monotonic()
            job()
        def main(jobs):
            for name, job in jobs:
                threading.Thread(target=begin, args=(name, job)).start()
        """

    assert confidences(text, "RH101") == {Confidence.CERTAIN}


def test_closing_by_key_counts_where_several_threads_are_seen_to_do_it() -> None:
    text = """
        from concurrent.futures import ThreadPoolExecutor
        class Ledger:
            def __init__(self):
                self.balances = {}
            def close(self, account):
                if account in self.balances:
                    print(self.balances.pop(account))
        def settle(ledger: Ledger, accounts):
            with ThreadPoolExecutor() as pool:
                for account in accounts:
                    pool.submit(ledger.close, account).result
                    pool.submit(ledger.close, account).result
        """

    assert confidences(text, "RH101") == {Confidence.CERTAIN}


def test_event_of_another_object_that_is_asked_for_first_is_possible() -> None:
    text = """
        import asyncio, threading
        class Stream:
            def __init__(self):
                self.arrived = None
            async def read(self):
                self.arrived = asyncio.Event()
                await self.arrived.wait()
        class Connection:
            def __init__(self):
                self.streams = {}
            def open(self, number):
                self.streams[number] = Stream()
            def end(self, number):
                stream = self.streams.get(number)
                if stream.arrived:
                    stream.arrived.set()
        def serve(connection: Connection):
            threading.Thread(target=connection.end, args=(1,)).start()
        """
    unasked = text.replace("if stream.arrived:", "if number:")

    assert confidences(text, "RH309") == {Confidence.POSSIBLE}
    assert confidences(unasked, "RH309") == {Confidence.CERTAIN}
