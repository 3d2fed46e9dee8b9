from concurrent.futures import ThreadPoolExecutor


class Lazy:
    _client = None

    def _create(self):
        raise NotImplementedError

    @property
    def client(self):
        if self._client is None:  # RH
            self._client = self._create()
        return self._client


class Bucket(Lazy):
    def __init__(self, library):
        self._library = library

    def _create(self):
        return self._library.session().client("storage")

    def put(self, path):
        self.client.put(path)

    def put_all(self, paths):
        with ThreadPoolExecutor() as pool:
            list(pool.map(self.put, paths))
