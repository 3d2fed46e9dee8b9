import asyncio
import threading


class Client:
    def __init__(self, socket):
        self._socket = socket
        self._lock = threading.Lock()
        self._pending = {}
        self._sizes = {}
        threading.Thread(target=self._receive, daemon=True).start()

    def ask(self, number, question):
        event = threading.Event()
        self._pending[number] = event
        self._socket.send(question)
        event.wait()

    def ask_locked(self, number, question):
        event = threading.Event()
        with self._lock:
            self._socket.send(question)
            self._pending[number] = event
        event.wait()

    def subscribe(self, question, callback):
        number = self._socket.request(question)
        self._pending[number] = callback

    def count(self, name, question):
        self._socket.send(question)
        self._sizes[name] = len(question)

    def _receive(self):
        for answer in self._socket:
            with self._lock:
                event = self._pending.pop(answer.number, None)
            if event is not None:
                event.set()
            self._sizes.get(answer.name)


class Tasks:
    """Nobody comes between the write and the note: there is no await."""

    def __init__(self, writer):
        self._writer = writer
        self._waiters = {}

    async def ask(self, number, question):
        self._writer.write(question)
        future = asyncio.get_running_loop().create_future()
        self._waiters[number] = future
        return await future

    def data_received(self, number, answer):
        future = self._waiters.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)
