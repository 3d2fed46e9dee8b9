"""A Markdown page in a terminal; elsewhere it stays Markdown, which can be read and piped as it is."""

from rich.markdown import Markdown

from racehound.reporters.console import captured


def rendered(page: str, *, width: int, color: bool) -> str:
    text = captured([Markdown(page)], width=width, color=color) if color else page
    return text if text.endswith("\n") else f"{text}\n"
