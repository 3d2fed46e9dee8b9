from functools import lru_cache
from typing import Annotated

from discord.ext import commands
from fastapi import APIRouter, Depends, FastAPI, Request

app = FastAPI()
router = APIRouter()


class Meter:
    def __init__(self, store):
        self.store = store
        self.units = 0

    async def count(self, more):
        seen = self.units
        await self.store.note(seen)
        self.units = seen + more  # RH


@lru_cache
def meter():
    return Meter(None)


@router.post("/units")
async def count(wanted: Annotated[Meter, Depends(meter)], more: int):
    await wanted.count(more)


class Tally:
    def __init__(self, store):
        self.store = store
        self.votes = 0

    async def vote(self):
        seen = self.votes
        await self.store.note(seen)
        self.votes = seen + 1  # RH


@app.on_event("startup")
async def begin():
    app.state.tally = Tally(None)


@router.post("/votes")
async def vote(request: Request):
    await request.app.state.tally.vote()


class Till:
    def __init__(self, store):
        self.store = store
        self.cents = 0

    async def pay(self, more):
        seen = self.cents
        await self.store.note(seen)
        self.cents = seen + more  # RH


@router.post("/cents")
async def pay(request, more: int):
    till: Till = request.app["till"]
    await till.pay(more)


class Raffle(commands.Cog):
    def __init__(self, store):
        self.store = store
        self.sold = 0

    @commands.command()
    async def buy(self, ctx):
        seen = self.sold
        await self.store.note(seen)
        self.sold = seen + 1  # RH
