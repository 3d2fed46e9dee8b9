import asyncio
import threading


class Client:
    """A thread of its own reads the answers."""

    def __init__(self, socket):
        self._socket = socket
        self._lock = threading.Lock()
        self._pending = {}
        threading.Thread(target=self._receive, daemon=True).start()

    def ask(self, question):
        number = question.number
        with self._lock:
            self._socket.send_message(question)
        event = threading.Event()
        self._pending[number] = event  # RH
        event.wait()

    def _receive(self):
        for answer in self._socket:
            self._on_answer(answer)

    def _on_answer(self, answer):
        if answer.number in self._pending:
            self._pending.pop(answer.number).set()


class Tasks:
    def __init__(self, writer):
        self._writer = writer
        self._waiters = {}

    async def ask(self, number, question):
        await self._send(question)
        future = asyncio.get_running_loop().create_future()
        self._waiters[number] = future  # RH
        return await future

    async def _send(self, question):
        self._writer.write(question)
        await self._writer.drain()

    def data_received(self, number, answer):
        future = self._waiters.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)


class Socket(threading.Thread):
    """The thread that reads answers asks questions as well."""

    def __init__(self, socket):
        super().__init__()
        self._socket = socket
        self._callbacks = {}
        self._number = 0

    def run(self):
        while True:
            self._once()

    def _once(self):
        answer = self._socket.receive()
        callback = self._callbacks.pop(answer.number, None)
        if callback is not None:
            callback(answer)
        elif answer.is_ping:
            self.ask(answer.pong)

    def ask(self, question, callback=None):
        number = None
        if callback is not None:
            self._number += 1
            number = self._number
        try:
            self._socket.sendall(question.numbered(number))
        except OSError:
            raise ConnectionError from None
        if callback is not None:
            self._callbacks[number] = callback  # RH
