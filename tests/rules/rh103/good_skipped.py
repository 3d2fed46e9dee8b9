class Model:
    def __init__(self):
        self._listeners = []
        self._parts = []
        self._steps = []

    def add_listener(self, listener):
        self._listeners.append(listener)

    def remove_listener(self, listener):
        self._listeners.remove(listener)

    async def emit(self, event):
        for listener in list(self._listeners):
            await listener.on_event(event)

    def tell(self, event):
        for listener in self._listeners:
            listener.on_event(event)

    def add_part(self, part):
        self._parts.append(part)

    async def load(self):
        for part in self._parts:
            await part.load()

    def _drop(self, step):
        self._steps.remove(step)

    async def run(self):
        for step in self._steps:
            if await step.run():
                break

    async def close(self):
        for listener in self._listeners:
            await listener.close()
