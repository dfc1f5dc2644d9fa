"""The command line: one module a command, loaded when that command is called."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from karat import __version__
from karat._files_read import forget_files
from karat.cli._output import give_up_output, say, show_problems
from karat.errors import NO_LINE, DataError, KaratError, Problem, UsageError, visible

__all__ = ["main"]

_GROUPS = {
    "How good are systems?": {
        "score": "How good is each system, and how sure are we?",
        "compare": "Which differences between systems are real?",
        "noise": "What can the real accuracy be when the gold has errors?",
        "measures": "List all measures; compute those of parsers from counts of brackets.",
    },
    "How good is the gold?": {
        "repeats": "Where does the gold contradict itself, or another corpus?",
        "suspects": "Where is the gold wrong, by repeats and by a tagger's doubts?",
        "diff": "What changed between two versions of a corpus?",
        "review": "Judge a worklist on a local page: one key per item, nothing is lost.",
        "correct": "Apply judged corrections to a corpus and change nothing else.",
        "diverge": "How different are corpora, in words and in annotation?",
        "leaks": "Which test sentences are in the training text?",
        "agree": "How well do annotators agree?",
    },
    "What is a tag worth?": {
        "tagset": "Does a corpus fit a tagset? What does a tag consist of?",
        "weights": "What is each grammatical category worth?",
    },
    "karat's own taggers and parsers": {
        "train": "Train a tagger or a parser: perceptron, hidden Markov model, grammar, …",
        "tag": "Tag text with a trained tagger, or a corpus part by part.",
        "parse": "Parse text with a trained parser.",
        "attach": "Group words, and learn from co-occurrence what is attached to what.",
    },
    "Experiments": {
        "grid": "Train and test on every pair of corpora, and survive interruption.",
        "reproduce": "Run a paper's experiments again, its printed numbers beside ours.",
    },
    "Show it": {
        "report": "One offline HTML page from results: verdict, tables, drawings, sentences.",
    },
    "Files": {
        "convert": "Write a corpus in another format; what is lost is listed.",
    },
    "Try it out": {
        "simulate": "Make corpora and systems whose truth is known.",
        "demo": "See all of karat at work, in a minute, on data that it makes itself.",
    },
}
_COMMANDS = {name: what for commands in _GROUPS.values() for name, what in commands.items()}


INTERRUPTED = 130


class _Commands(click.Group):
    """The commands by name; a command's module is imported only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"karat.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Verbs and what they answer, without a look into their modules; options of karat itself after a dash."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name, help=what) for name, what in _COMMANDS.items() if name.startswith(incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in _COMMANDS:
            import difflib

            close = difflib.get_close_matches(name, _COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"No such command: {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), what) for name, what in commands.items()])


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="karat %(version)s")
def cli() -> None:
    """An evaluation workbench for taggers and parsers: how much of that score is gold?"""


def _comes_of_interruption(error: BaseException) -> bool:
    """Whether an interruption is among what led to an error."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None or isinstance(cause, KeyboardInterrupt):
            break
        cause = cause.__cause__ or cause.__context__
    return isinstance(cause, KeyboardInterrupt)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run karat and return its exit code: 0 fine, 1 a gate failed, 2 usage, 3 bad input, 130 interrupted."""
    if "_KARAT_COMPLETE" in os.environ:  # a shell asks how to complete a line
        cli.main(prog_name="karat")
    forget_files()
    try:
        # not cli.main(), which would make an exit code of its own out of a closed pipe
        with cli.make_context("karat", list(sys.argv[1:] if arguments is None else arguments)) as context:
            result = cli.invoke(context)
        code = result if isinstance(result, int) else 0  # most commands return nothing
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt, SystemError) as error:
        if isinstance(error, SystemError) and not _comes_of_interruption(error):
            raise  # else it is what compiled code makes of an interruption
        say("interrupted")
        code = INTERRUPTED
    except DataError as error:
        show_problems(error.problems)
        code = error.exit_code
    except KaratError as error:
        say(f"Error: {visible(str(error))}")
        code = error.exit_code
    except MemoryError:
        say("Error: not enough memory: give karat less at once, or a machine that has more")
        code = DataError.exit_code
    except BrokenPipeError:  # only help is still written past write_out
        code = 0
    except PermissionError as error:  # of a folder, where nothing asked for it in particular
        if error.filename is None:
            raise
        show_problems([Problem("K103", f"cannot be used: {error.strerror}", os.fsdecode(error.filename), NO_LINE)])
        code = DataError.exit_code
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        give_up_output()
        say(f"Error: the result cannot be written: {error.strerror}")
        code = UsageError.exit_code
    return code
