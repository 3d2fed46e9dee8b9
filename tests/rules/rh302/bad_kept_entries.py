import asyncio
from dataclasses import dataclass

CONNECTIONS = {}


@dataclass
class Quota:
    limit: int
    used: int = 0


class Usage:
    def __init__(self, billing):
        self.billing = billing
        self.quotas = {}

    async def quota(self, key):
        quota = self.quotas.get(key)
        if quota is None:
            quota = Quota(await self.billing.limit(key))
            self.quotas[key] = quota  # RH
        return quota

    async def use(self, key, units):
        quota = await self.quota(key)
        quota.used += units


async def use_all(usage, keys):
    await asyncio.gather(*[usage.use(key, 1) for key in keys])


async def connection(host):
    if host not in CONNECTIONS:
        CONNECTIONS[host] = await dial(host)  # RH
    return CONNECTIONS[host]


async def ask_all(hosts):
    await asyncio.gather(*[connection(host) for host in hosts])
