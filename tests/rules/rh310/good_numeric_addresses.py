"""Addresses that are numbers are looked up without a wait, and others by the loop."""

import asyncio
import socket

NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


async def look_up(host, port):
    try:
        return socket.getaddrinfo(host, port, flags=NUMERIC)
    except socket.gaierror:
        return await asyncio.get_running_loop().getaddrinfo(host, port)
