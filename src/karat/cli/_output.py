"""Writing results to standard output, and what is to be known about the work to standard error, whatever they are.

A reader that has seen enough and closed the pipe is no error, and does not change the exit code. A terminal that cannot
show a character is shown a plainer one. A full disk is an error like any other.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from karat._files_read import was_read
from karat.errors import Problem, UsageError, visible, without_very_long_words

if TYPE_CHECKING:
    from karat.evaluation.treebanks import TreebankScores
    from karat.report.text import Style
    from karat.result import Report, Result, Table

MOST_PROBLEMS = 20
CALL = "karat.call"  # where click's context keeps the command and its arguments
_ENOUGH_TO_TELL = 0.05  # of long work must be done, to say how long the rest takes
_PARAMETER = re.compile(r'`(\w+)(?:=("[^"]*"|[\w.…+-]+))?`')  # as messages of the library have them
# called otherwise on the command line
_FLAGS = {"n_resamples": "resamples", "measures": "measure", "with_columns": "with"}
_PLAINER = str.maketrans(
    {"─": "-", "–": "-", "−": "-", "…": "...", "→": "->", "≥": ">=", "×": "x", "Δ": "D", "±": "+-"}
)


_PENDING: list[str] = []  # lines on the work that wait until its result is written


def write_out(text: str) -> None:
    """Write a result to standard output, and then what is to be said of it."""
    write_to(sys.stdout, text)
    say_pending()


def write_file(path: str, text: str) -> None:
    """Write a file beside the result, which appears once it is complete; .gz, .bz2 and .xz are compressed.

    A file that was read is never written over, nor one that is write-protected.
    """
    from karat.corpus.files import compressed, replace_file

    refuse_output(path)
    data = text.encode("utf-8", "backslashreplace")
    target = os.path.realpath(path)  # a link stays one
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:
                device.write(data)
        else:
            replace_file(target, compressed(data, path))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def refuse_output(path: str) -> None:
    """Stop before a page is written to standard output, which has the result, or over a file that was read."""
    if path == "-":
        raise UsageError("give a file name, not -: standard output is for the result")
    refuse_input(path)


def check_target(path: str, what: str) -> None:
    """Stop before any work whose result could not be written to a file of this name."""
    folder = os.path.dirname(path) or "."
    if path == "-":
        raise UsageError(f"give a file name for {what}, not -")
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; name a file for {what}")
    if not os.path.isdir(folder):
        raise UsageError(f"{path} cannot be written: there is no folder {folder}")
    refuse_input(path)


def check_folder(path: str, what: str) -> None:
    """Stop before any work whose results could not be written to a folder of this name."""
    if os.path.exists(path) and not os.path.isdir(path):
        raise UsageError(f"{path} is a file; name a folder for {what}")


def refuse_input(path: str) -> None:
    """Stop before a file is written over that was read, whatever name it goes by."""
    if was_read(path):
        raise UsageError(f"{path} is an input and will not be overwritten; choose another name")


def say(line: str) -> None:
    """Write a line about the work, not its result, to standard error; control characters are written out.

    A terminal would break a long line within a word: there it goes on below, indented.
    """
    text = visible(without_very_long_words(as_options(line)))
    if sys.stderr is not None and sys.stderr.isatty():
        from karat.report.wrapping import wrapped_lines

        width = max(shutil.get_terminal_size((80, 24)).columns, 40)
        text = "\n".join(wrapped_lines(text, width, indent="  ")) if len(text) > width else text
    write_to(sys.stderr, text + "\n")


def say_later(line: str) -> None:
    """Write a line to standard error once the result is written, or the command ends."""
    _PENDING.append(line)


def say_pending() -> None:
    """Write what waited for the result."""
    while _PENDING:
        say(_PENDING.pop(0))


def as_options(text: str) -> str:
    """What the library says of its parameters in the words of the command line.

    >>> as_options('`cluster="document"` resamples documents, `strict=True` refuses them')
    '--cluster document resamples documents, --strict refuses them'
    """
    return _PARAMETER.sub(_option, text)


def _option(match: re.Match[str]) -> str:
    name, value = _FLAGS.get(match[1], match[1]), (match[2] or "True").strip('"')
    return f"--{name.replace('_', '-')}" + (f" {value}" if value != "True" else "")


def announce_compiling(*modules: str | None, duration: str = "ten seconds") -> None:
    """Say, once, that the kernels of any of these modules are compiled now, and how long it takes; None has none."""
    from karat._compiled import will_compile

    if any(module is not None and will_compile(module) for module in modules):
        say(f"compiling for this machine (once only, about {duration})")


def show_inputs(
    options: Mapping[str, Any],
    formats: Iterable[tuple[str, str]] = (),
    oddities: Iterable[Problem] = (),
    warnings: Iterable[str] = (),
    skipped: Iterable[Problem] = (),
    stale: Iterable[Problem] = (),
) -> None:
    """Say, with -v, as what inputs were read; after the result what is odd, what to beware of and what was skipped.

    Of what was skipped, and of exceptions that are stale, at most so many are listed as of problems.
    """
    for path, format_ in formats if options.get("verbose") else ():
        say(f"{path}: read as {format_}")
    for line in (*dict.fromkeys(map(str, oddities)), *warnings):
        say_later(f"warning: {line}")
    for what, problems in (("warning: ", stale), ("skipped: ", skipped)):
        for line in _lines(problems, options.get("max_errors", MOST_PROBLEMS), what):
            say_later(line)


def show_treebank_inputs(scores: TreebankScores, warnings: Iterable[str], options: Mapping[str, Any]) -> None:
    """Say what is missing, surplus or bad among the files of folders."""
    every = [one for system in scores.systems for one in system.treebanks.values()]
    lacking = [
        line
        for one in scores.systems
        for line in (
            *(f"{one.name} has no {treebank}: scored as 0" for treebank in one.absent),
            *(f"{one.treebanks[treebank].path} is broken: scored as 0" for treebank in one.unreadable),
        )
    ]
    formats = [(gold.path, gold.format) for gold in scores.treebanks.values()]
    show_inputs(
        options,
        [*formats, *((one.path, one.format) for one in every if one.source)],
        [],
        [*lacking, *(f"{path}: no gold file of this name; not scored" for path in scores.surplus), *warnings],
        [problem for one in every for problem in one.skipped.problems],
    )
    unreadable = [one.treebanks[name].skipped.problems for one in scores.systems for name in one.unreadable]
    has_good_ones = any(all(problem.sentence is not None for problem in one) for one in unreadable)
    if has_good_ones and not options["skip_bad"]:
        say_later("hint: --skip-bad scores the sentences of a broken file that are good")


def show_problems(problems: Iterable[Problem], *, most: int = MOST_PROBLEMS) -> None:
    """Print problems on stderr, at most so many (0: all), each hint once."""
    for line in _lines(problems, most):
        say(line)


def _lines(problems: Iterable[Problem], most: int, what: str = "") -> Iterator[str]:
    """Problems as lines, at most so many (0: all); `what` goes before each, or each hint follows once."""
    every = list(dict.fromkeys(problems))
    shown = every[: most or None]
    hints: set[str] = set()
    for problem in shown:
        yield f"{what}{problem}"
        if problem.hint and problem.hint not in hints and not what:
            hints.add(problem.hint)
            yield f"  hint: {visible(problem.hint)}"
    left = len(every) - len(shown)
    if left:
        yield f"… and {left:,} more problem{'s' * (left > 1)} (--max-errors 0 shows all)"


def show_result(result: Result, options: Mapping[str, Any], report: Callable[[], Report], **others: Any) -> None:
    """Write a result to standard output as `result_text` has it; then the page and the drawings that were asked for."""
    write_out(result_text(result, options, report, **others))
    write_page_of(result, options, report, others.get("data"))


def write_page_of(
    result: Result,
    options: Mapping[str, Any],
    report: Callable[[], Report],
    data: Callable[[], dict[str, Any]] | None = None,
) -> None:
    """Write the page of a result with --report, and its drawings with --figures."""
    if "report" in options and (options["report"] or options["figures"]):
        from karat.report.page.write import write_report
        from karat.report.written_page import written_page_report

        if options["report"]:
            refuse_output(options["report"])
        written = write_report(result_for_page(result, report, data), options["report"], figures=options["figures"])
        shown = written_page_report(written)
        for line in (*shown.verdict, *shown.notes):
            say_later(line)
        say_pending()


def is_for_paper(options: Mapping[str, Any]) -> bool:
    """Whether tables are to be as papers have them."""
    return options["format"] in ("latex", "markdown")


def result_text(
    result: Result,
    options: Mapping[str, Any],
    report: Callable[[], Report],
    *,
    data: Callable[[], dict[str, Any]] | None = None,
    records: Callable[[], Table] | None = None,
) -> str:
    """A result in the format that the options name: data, records (its own or others), citations, a signed report."""
    from karat.report.tables import separated, written
    from karat.result import json_text

    format_ = options["format"]
    if format_ == "json":
        return json_text(_result_data(result, data))
    if format_ == "bibtex":
        from karat.citations.cite import cite

        return cite(_result_data(result, data)).bibtex
    if format_ in ("csv", "tsv"):
        return separated((records or result.records)(), format_)
    shown = report()
    caption = " ".join(filter(None, [_as_sentence(options.get("caption") or ""), shown.caption]))
    label = options.get("latex_label") or shown.label
    style = _terminal_style(details=options.get("details", False))
    parts = [written(replace(shown, caption=caption, label=label), format_, style)]
    signature = getattr(result, "signature", "")
    if signature:  # what is computed from nothing but numbers has none
        parts.append({"text": "{}\n", "markdown": "`{}`\n", "latex": "% {}\n"}[format_].format(signature))
    return "\n".join(parts)


def _result_data(result: Result, data: Callable[[], dict[str, Any]] | None) -> dict[str, Any]:
    """A result as plain data, its warnings in the words of the command line."""
    found = (data or result.to_dict)()
    if "warnings" in found:
        found["warnings"] = [as_options(one) for one in found["warnings"]]
    return found


def result_for_page(
    result: Result, report: Callable[[], Report], data: Callable[[], dict[str, Any]] | None = None
) -> dict[str, Any]:
    """A result as plain data, with the command that gave it and the sentences that a person reads first."""
    headline = [as_options(visible(one)) for one in report().verdict]
    return {**_result_data(result, data), **_command_data(), **({"headline": headline} if headline else {})}


def _command_data() -> dict[str, str]:
    """The command that is run, in a shell's words."""
    import shlex

    import click

    context = click.get_current_context(silent=True)
    if context is None or CALL not in context.meta:
        return {}
    path, arguments = context.meta[CALL]
    return {"command": shlex.join([*path.split(), *arguments])}


def _as_sentence(text: str) -> str:
    """A text of the user's, so that another sentence may follow."""
    return text if not text or text.rstrip().endswith((".", "?", "!", ":")) else f"{text.rstrip()}."


def _terminal_style(*, details: bool) -> Style:
    """The width of the terminal, 80 if it is not known; and bold where it has that and is not told to do without."""
    from karat.report.text import Style

    width = shutil.get_terminal_size((80, 24)).columns
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    is_bold = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return Style(max(width, 40), is_bold, details)


def progress_line(what: str) -> Callable[[float], None] | None:
    """What shows the share of long work that is done, in a line on a terminal that it wipes at the end; else None."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return None
    began = time.monotonic()
    shown = [0.0]

    def show(share: float) -> None:
        now = time.monotonic()
        if share >= 1:
            if shown[0]:
                write_to(stream, "\r\x1b[K")
        elif now - began > 1 and now - shown[0] > 0.2:
            shown[0] = now
            left = (now - began) * (1 - share) / share if share > _ENOUGH_TO_TELL else None
            write_to(
                stream, f"\r\x1b[K{what} {100 * share:.0f} %{'' if left is None else f', {shown_time(left)} left'}"
            )

    return show


def shown_time(seconds: float) -> str:
    """A time that is still to wait, in words."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def write_to(stream: TextIO | None, text: str) -> None:
    if stream is None:  # the caller closed it
        return
    try:
        stream.write(_encodable(text, stream.encoding or "utf-8"))
        stream.flush()
    except BrokenPipeError:
        give_up_output(stream)
    except OSError as error:
        give_up_output(stream)
        raise UsageError(f"the result cannot be written: {error.strerror}") from None


def give_up_output(stream: TextIO | None = None) -> None:
    """Write nothing more to a stream, standard output if none is named, or Python tries again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def _encodable(text: str, encoding: str) -> str:
    """The text in characters that the encoding has."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plainer = text.translate(_PLAINER)
        return plainer.encode(encoding, "backslashreplace").decode(encoding)
    return text
