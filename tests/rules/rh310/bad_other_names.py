from requests import get as fetch


async def locate(address):
    return fetch(f"https://ip.example/{address}")  # RH
