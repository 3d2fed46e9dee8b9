import threading


class Tokens:
    def __init__(self, client):
        self._lock = threading.RLock()
        self._client = client
        self._token = None

    async def _refresh(self):
        answer = await self._client.log_in()
        self._token = answer.token

    async def token(self):
        with self._lock:
            if self._token is None:
                await self._refresh()  # RH
            return self._token
