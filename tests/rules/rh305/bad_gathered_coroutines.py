import asyncio


async def ping(host):
    await host.ping()


async def ping_all(hosts, told):
    calls = [ping(host) for host in hosts]
    done = asyncio.gather(*calls)  # RH
    done.add_done_callback(told)
