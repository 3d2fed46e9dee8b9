class Model:
    """Listeners may take themselves out while others are being told."""

    def __init__(self):
        self._listeners: list[object] = []

    def add_listener(self, listener):
        self._listeners.append(listener)

    def remove_listener(self, listener):
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def _emit(self, event):
        for listener in self._listeners:  # RH
            await listener.on_event(event)
