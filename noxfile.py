"""The steps of the Makefile, each in a fresh environment of its own."""

import nox

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["lint", "types", "tests", "bdd", "robot", "coverage_report"]

SUPPORTED = nox.project.python_versions(nox.project.load_toml("pyproject.toml"))


def install(session: nox.Session, *groups: str) -> None:
    wanted = [argument for group in groups for argument in ("--group", group)]
    session.install("--upgrade", "pip")
    session.install("--editable", ".[postgres,redis,toml]", *wanted)


def make(session: nox.Session, *targets: str) -> None:
    session.run("make", *targets, f"BIN={session.bin}", external=True)


@nox.session
def lint(session: nox.Session) -> None:
    install(session, "lint")
    make(session, "lint")


@nox.session
def types(session: nox.Session) -> None:
    install(session, "dev")
    make(session, "types")


@nox.session(python=SUPPORTED)
def tests(session: nox.Session) -> None:
    install(session, "test")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def bdd(session: nox.Session) -> None:
    install(session, "test")
    session.run("python", "-m", "behave", "features", *session.posargs)


@nox.session
def robot(session: nox.Session) -> None:
    install(session, "test")
    session.run("python", "-m", "robot", "--outputdir", "build/robot", "--pythonpath", "tests", "robot")


@nox.session
def coverage_report(session: nox.Session) -> None:
    install(session, "test")
    make(session, "suite")


@nox.session
def bench(session: nox.Session) -> None:
    install(session, "bench")
    make(session, "bench")


@nox.session
def storm(session: nox.Session) -> None:
    install(session, "test")
    make(session, "storm")


@nox.session
def fuzz(session: nox.Session) -> None:
    """The long form of the hunt over damaged files."""
    install(session, "test")
    environment = {"RACEHOUND_FUZZ_MUTANTS": "2000"}
    session.run(
        "python",
        "-m",
        "pytest",
        "tests/quality",
        "-k",
        "mutated",
        "--timeout",
        "3600",
        *session.posargs,
        env=environment,
    )
