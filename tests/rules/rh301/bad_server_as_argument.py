from pygls.server import LanguageServer


class Checker:
    def __init__(self):
        self.uri = ""

    async def check(self, uri, text):
        self.uri = uri
        await ask(text)
        publish(self.uri)  # RH


class Server(LanguageServer):
    def __init__(self):
        super().__init__("recipes", "1")
        self.checker = Checker()


server = Server()


@server.feature("textDocument/didChange")
async def changed(ls: Server, params):
    await ls.checker.check(params.uri, params.text)
