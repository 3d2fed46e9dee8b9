"""What a hunt is told: the command line first, then the file of settings, then what is usual."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from racehound.config.patterns import fault_of
from racehound.config.settings import Settings
from racehound.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from racehound.source.discover import Selection

T = TypeVar("T")
STANDARD_INPUT = "-"
CACHE = ".racehound_cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The command line; None and empty where nothing was said."""

    paths: tuple[str, ...]
    prove: bool | None
    fix: bool
    diff: bool
    write_baseline: bool
    update_baseline: bool
    stdin_filename: str | None
    config: str | None
    isolated: bool
    unsafe_fixes: bool | None
    format: str | None
    output: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    extend_ignore: tuple[str, ...]
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool | None
    respect_gitignore: bool | None
    confidence: str | None
    baseline: str | None
    statistics: bool | None
    checklist: bool | None
    strict: bool | None
    strict_suppressions: bool | None
    budget: float | None
    no_cache: bool
    cache_dir: str | None
    jobs: int | None
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything decided."""

    given: Given
    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...]
    root: str
    selection: "Selection"
    confidence: str
    format: str
    output: str | None
    baseline: str | None
    statistics: bool
    checklist: bool
    strict: bool
    strict_suppressions: bool
    prove: bool
    unsafe_fixes: bool
    budget: float
    seed: int
    cache: str | None
    """The directory in which answers are remembered."""
    jobs: int
    """0 leaves it to the number of cores."""

    @property
    def reads_standard_input(self) -> bool:
        return self.given.paths == (STANDARD_INPUT,)


def settings_of(given: Given) -> Settings:
    """Those that apply, with rules that exist."""
    from racehound.config.find import settings_for
    from racehound.config.read import read_settings

    if given.isolated:
        return Settings()
    if given.config is not None:
        settings = read_settings(Path(given.config))
    else:
        named = [path for path in given.paths if path != STANDARD_INPUT]
        settings = settings_for(named or [given.stdin_filename or "."])
    _check_rules(settings)
    _check_baseline(given, settings)
    if settings.select == () and not (settings.extend_select or given.select or given.extend_select):
        from racehound.config.read import place_of

        place = place_of(Path(settings.source), "select")
        raise ConfigError(f"{place}: `select` names no rule", hint="`racehound rules` lists them all")
    return settings


def _check_rules(settings: Settings) -> None:
    """A rule that the file names and that does not exist is a mistake on that line of the file."""
    named: dict[tuple[str, ...], tuple[str, ...]] = {
        ("select",): settings.select or (),
        ("ignore",): settings.ignore or (),
        ("extend-select",): settings.extend_select,
        ("extend-ignore",): settings.extend_ignore,
        **{("per-file-ignores", pattern): codes for pattern, codes in settings.per_file_ignores},
    }
    for keys, codes in named.items():
        for code in codes:
            _check_rule(settings, keys, code)


def _check_baseline(given: Given, settings: Settings) -> None:
    """So is a baseline that the file names and that is not there, unless it is about to be written."""
    is_read = given.baseline is None and settings.baseline is not None and not given.write_baseline
    if is_read and not os.path.exists(settings.baseline or ""):  # noqa: PTH110 - does not raise
        from racehound.config.read import place_of, shown

        place, missing = place_of(Path(settings.source), "baseline"), shown(Path(settings.baseline or ""))
        message = f"{place}: there is no baseline {missing}"
        raise ConfigError(message, hint="write it with --write-baseline")


def _check_rule(settings: Settings, keys: tuple[str, ...], code: str) -> None:
    from racehound.config.read import place_of
    from racehound.rules.selection import check_selector

    try:
        check_selector(code)
    except UsageError as error:
        place = place_of(Path(settings.source), *keys, item=code)
        raise ConfigError(f"{place}: {error.message}", hint=error.hint) from error


def options_of(given: Given, settings: Settings) -> Options:
    return Options(
        given=given,
        paths=given.paths or (".",),
        select=_selected(given, settings),
        ignore=(*_ignored(given, settings), *settings.extend_ignore, *_codes(given.extend_ignore)),
        per_file_ignores=settings.per_file_ignores,
        root=settings.root,
        selection=_selection(given, settings),
        confidence=_first(given.confidence, settings.confidence, "likely"),
        format=_first(given.format, settings.format, "text"),
        output=given.output or settings.output,
        baseline=given.baseline or settings.baseline,
        statistics=_first(given.statistics, settings.statistics),
        checklist=_first(given.checklist, settings.checklist),
        strict=_first(given.strict, settings.strict),
        strict_suppressions=_first(given.strict_suppressions, settings.strict_suppressions),
        prove=_first(given.prove, settings.prove and _may_prove(given, settings)),
        unsafe_fixes=_first(given.unsafe_fixes, settings.unsafe_fixes),
        budget=_first(given.budget, settings.budget, 60.0),
        seed=_first(given.seed, settings.seed, 0),
        cache=_cache(given, settings),
        jobs=_first(given.jobs, settings.jobs, 0),
    )


def _may_prove(given: Given, settings: Settings) -> bool:
    """Code is not run because a file says so that came with it: it counts for those who work in its project."""
    here = Path.cwd()
    is_at_home = Path(settings.root).absolute() in (here, *here.parents)
    return STANDARD_INPUT not in given.paths and (given.config is not None or is_at_home)


def _cache(given: Given, settings: Settings) -> str | None:
    if given.no_cache or (given.cache_dir is None and not settings.cache):
        return None
    usual = Path(settings.root, settings.cache_dir or CACHE)
    return given.cache_dir or str(usual)


def _selected(given: Given, settings: Settings) -> tuple[str, ...]:
    chosen = _codes(given.select) or settings.select
    further = (*settings.extend_select, *_codes(given.extend_select))
    return () if chosen is None else (*chosen, *further)


def _ignored(given: Given, settings: Settings) -> tuple[str, ...]:
    """A rule that the command line asks for is not ignored because a file says so."""
    if given.ignore or given.select:
        return _codes(given.ignore)
    asked_for = _codes(given.extend_select)
    return tuple(code for code in settings.ignore or () if code not in asked_for)


def _selection(given: Given, settings: Settings) -> "Selection":
    from racehound.source.discover import DEFAULT_EXCLUDES, Selection

    usual = DEFAULT_EXCLUDES if settings.exclude is None else settings.exclude
    return Selection(
        exclude=(*(_patterns(given.exclude) or usual), *settings.extend_exclude, *_patterns(given.extend_exclude)),
        root=settings.root,
        force_exclude=_first(given.force_exclude, settings.force_exclude),
        respect_gitignore=_first(given.respect_gitignore, settings.respect_gitignore),
    )


def _first(*choices: T | None) -> T:
    """The first that was said."""
    return next(choice for choice in choices if choice is not None)


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    patterns = _codes(values)
    for pattern in patterns:
        if fault := fault_of(pattern):
            raise UsageError(f"--exclude {fault}: {pattern}", hint="patterns are those of .gitignore")
    return patterns


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


def check(options: Options) -> None:
    """Complain of what does not go together, before the work begins."""
    given = options.given
    if given.isolated and given.config is not None:
        raise UsageError("--isolated and --config exclude each other", hint="choose one of them")
    for option, values in (("--select", given.select), ("--ignore", given.ignore)):
        if values and not _codes(values):
            raise UsageError(f"{option} names no rule", hint="`racehound rules` lists them all")
    if given.fix and given.diff:
        raise UsageError("--fix and --diff exclude each other", hint="choose to write the patches or to see them")
    if given.write_baseline and given.update_baseline:
        raise UsageError("--write-baseline and --update-baseline exclude each other", hint="choose one of them")
    if (given.write_baseline or given.update_baseline) and options.baseline is None:
        raise UsageError("there is no baseline to write", hint="name its file with --baseline FILE")
    if STANDARD_INPUT in given.paths and not options.reads_standard_input:
        raise UsageError("- stands for standard input and goes with no other path", hint="name - or paths")
    if given.stdin_filename and not options.reads_standard_input:
        raise UsageError("--stdin-filename goes with the path - alone", hint="name - as the path")
    if options.reads_standard_input and (given.prove or given.fix or given.diff):
        raise UsageError("what stands on standard input is read, not run or changed", hint="name a file instead")
