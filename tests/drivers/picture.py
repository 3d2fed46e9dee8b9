"""The proof that the README shows, taken from what the command really prints: `make picture` puts it there."""

from pathlib import Path

from drivers.command import ROOT, racehound

README = ROOT / "README.md"
OPENING, CLOSING = "```text\n", "```\n"


def printed_picture() -> str:
    """From the verdict to the outcome that no serial order gives."""
    run = racehound("hunt", "examples/circuit_breaker.py", "--prove", "--select", "RH102")
    if run.status != 1:
        raise RuntimeError(f"there is no proof to show: {run}")
    picture = run.output[run.output.index("proof: race") : run.output.index("\nreplay ")]
    return "\n".join(line.rstrip() for line in picture.splitlines()).rstrip() + "\n"


def shown_picture(readme: Path = README) -> str:
    return readme.read_text(encoding="utf-8").split(OPENING)[1].split(CLOSING)[0]


def renew_picture(readme: Path = README) -> None:
    text = readme.read_text(encoding="utf-8")
    readme.write_text(text.replace(shown_picture(readme), printed_picture()), encoding="utf-8")


if __name__ == "__main__":
    renew_picture()
