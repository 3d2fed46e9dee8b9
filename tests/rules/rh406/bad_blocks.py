import contextlib
import io
import random
import warnings
from concurrent.futures import ThreadPoolExecutor


async def quietly(step):
    with warnings.catch_warnings():  # RH
        warnings.simplefilter("ignore")
        return await step()


def captured(job):
    with contextlib.redirect_stdout(io.StringIO()) as out:  # RH
        job()
    return out.getvalue()


def drawn(seed):
    random.seed(seed)  # RH
    return random.random()


def all_of(jobs, seeds):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(captured, jobs)), list(pool.map(drawn, seeds))


async def both(step):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # RH
        await step()
    with contextlib.redirect_stderr(io.StringIO()):
        await step()
