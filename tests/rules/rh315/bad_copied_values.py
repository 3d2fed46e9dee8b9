class Hub:
    def __init__(self):
        self.sockets = {}

    async def leave(self, name):
        socket = self.sockets[name]
        await socket.close()
        del self.sockets[name]  # RH

    async def broadcast(self, text):
        for socket in list(self.sockets.values()):
            await socket.send(text)
