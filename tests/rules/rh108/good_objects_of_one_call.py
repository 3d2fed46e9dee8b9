class WebSocket:
    """Made for one request: it gives itself to what it stands in for."""

    def __init__(self, handler):
        self.handler = handler

    def __call__(self, environ):
        self.socket = connect(environ)
        answer = self.handler(self)
        return answer, self.socket.mode
