import asyncio

import paho.mqtt.client as mqtt


class Bridge:
    def __init__(self):
        self.messages = asyncio.Queue()
        self.connected = asyncio.Event()
        self.client = mqtt.Client()
        self.client.on_connect = self._on_connect
        self.client.on_message = self._on_message

    def start(self):
        self.client.connect("broker")
        self.client.loop_start()

    def _on_connect(self, client, userdata, flags, code):
        self.connected.set()  # RH

    def _on_message(self, client, userdata, message):
        self._push(message.payload)

    def _push(self, payload):
        self.messages.put_nowait(payload)  # RH
