"""Three callers, two tokens, and a check that is not part of the taking."""


class Bucket:
    def __init__(self) -> None:
        self.tokens = 2
        self.served = 0

    def take(self) -> None:
        if self.tokens > 0:
            self.tokens -= 1
            self.served += 1


setup = Bucket
WORKERS = [Bucket.take, Bucket.take, Bucket.take]


def invariant(bucket: Bucket) -> bool:
    return bucket.tokens >= 0 and bucket.served <= 2
