import asyncio


class Budget:
    def __init__(self, cents):
        self.left = cents

    async def charge(self, model):
        left = self.left
        price = await price_of(model)
        self.left = left - price  # RH


class Agent:
    def __init__(self, name, budget):
        self.name = name
        self.budget = budget

    async def ask(self, prompt):
        await self._pay(prompt)

    async def _pay(self, prompt):
        await self.budget.charge(prompt)


async def price_of(model):
    await asyncio.sleep(1)
    return len(model)


async def main(names):
    budget = Budget(250)
    agents = [Agent(name, budget) for name in names]
    async with asyncio.TaskGroup() as group:
        for agent in agents:
            group.create_task(agent.ask("why"))
