from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor()


def parse(text):
    return text.split()


async def handle(text):
    future = pool.submit(parse, text)
    return future.result()  # RH


async def at_once(text):
    return pool.submit(parse, text).result()  # RH
