SESSIONS = {}


async def session(user):
    return SESSIONS.get(user)


async def log_out(user):
    await SESSIONS[user].close()
    SESSIONS.pop(user, None)  # RH


class Hub:
    def __init__(self):
        self._clients = set()

    async def broadcast(self, text):
        for client in list(self._clients):
            await client.send(text)

    async def leave(self, client):
        await client.close()
        self._clients.discard(client)  # RH
