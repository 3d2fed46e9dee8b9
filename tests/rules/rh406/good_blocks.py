import random
import warnings
from concurrent.futures import ThreadPoolExecutor


async def quietly(step):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prepared = step.prepare()
    return await prepared


async def main():
    with warnings.catch_warnings():
        await serve()


def once(step):
    with warnings.catch_warnings():
        return step()


def drawn(seed):
    return random.Random(seed).random()


def all_of(seeds):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(drawn, seeds))
