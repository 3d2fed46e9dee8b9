from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server


class Server(ThreadingMixIn, WSGIServer):
    pass


class Application:
    def __init__(self):
        self.user = None

    def __call__(self, environ, start_response):
        self.user = environ.get("REMOTE_USER")  # RH
        start_response("200 OK", [])
        return [self.user]


def main():
    make_server("", 8000, Application(), server_class=Server).serve_forever()
