from discord.ext import commands


class Translator:
    def __init__(self, http):
        self.http = http
        self.language = "en"

    async def detect(self, text):
        async with self.http.post("detect", json={"q": text}) as answer:
            self.language = (await answer.json())["language"]

    async def _to(self, text):
        async with self.http.post("translate", json={"q": text}) as answer:
            return await answer.json()

    async def answer(self, question, text):
        await self.detect(question)
        reply = await self._to(text)
        return f"({self.language}) {reply}"  # RH


class Faq(commands.Cog):
    def __init__(self, bot):
        self.translator = Translator(bot.http)

    @commands.Cog.listener()
    async def on_message(self, message):
        await message.channel.send(await self.translator.answer(message.content, "hello"))
