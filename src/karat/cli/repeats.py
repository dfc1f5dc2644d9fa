"""`karat repeats`: where does the gold contradict itself, or another corpus?"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._corpora import named_corpora
from karat.cli._options import INPUTS, given, max_errors_option, split_paths, verbose_option
from karat.cli._output import progress_line, result_text, tell_compiling, write_file, write_out
from karat.cli._problems import show_problems, tell_inputs
from karat.errors import DataError

if TYPE_CHECKING:
    from karat.gold.repeats.audit import Audit
    from karat.gold.repeats.options import RepeatOptions

__all__ = ["command"]

FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex", "conllu")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_WHAT: list[Decorator] = [
    click.option(
        "--column",
        default="upos",
        show_default=True,
        metavar="COLUMN[+COLUMN…]",
        help="What is compared: upos, xpos, feats, lemma, deprel, or several together.",
    ),
    click.option("--dependencies", is_flag=True, help="Compare heads and relations inside the repeat instead."),
    click.option("--tokenisation", is_flag=True, help="Compare how repeated characters are cut into words instead."),
    click.option(
        "--words", type=click.Choice(["form", "lemma"]), default="form", show_default=True, help="What is repeated."
    ),
    click.option("--fold-case", is_flag=True, help="Words are the same in upper and lower case."),
    click.option("--no-punctuation", is_flag=True, help="Leave out words of punctuation only."),
]
_WHICH: list[Decorator] = [
    click.option("--between", is_flag=True, help="Only repeats that are in two of the corpora."),
    click.option(
        "--against",
        multiple=True,
        metavar="CORPUS",
        help="Search this corpus too, and keep repeats that are in the ones before: new sentences against a treebank "
        "(repeatable).",
    ),
    click.option(
        "--min-words",
        type=click.IntRange(min=1),
        metavar="N",
        help="At least so many words (default: 3); with --tokenisation, characters (12).",
    ),
    click.option("--max-words", type=click.IntRange(min=1), metavar="N", help="At most so many."),
    click.option("--same-sentence", is_flag=True, help="At any two places; else in two different sentences at least."),
    click.option("--disjoint", is_flag=True, help="Only where two corpora have no labelling in common."),
    click.option("--non-fringe", is_flag=True, help="Only where a word differs that is not the first or last."),
    click.option(
        "--min-majority",
        type=click.FloatRange(0, 1),
        default=0.0,
        metavar="SHARE",
        help="Only where the commonest labelling has this share of the places.",
    ),
    click.option(
        "--preset",
        type=click.Choice(["literal", "paper"]),
        help="paper: the readings that give the numbers of Wisniewski & Yvon 2019 (--same-sentence, and one word is "
        "enough with --between); literal: its text. Default: paper for --table, else literal.",
    ),
]
_RESULT: list[Decorator] = [
    click.option(
        "--top",
        type=click.IntRange(min=0),
        default=20,
        show_default=True,
        metavar="N",
        help="How many rows tables have; 0 for all. Other formats have all.",
    ),
    click.option(
        "--patterns",
        type=click.Choice(["word", "lemma"]),
        help="Count patterns of change by word or lemma (default: lemma, where there are lemmas).",
    ),
    click.option("--check", is_flag=True, help="Exit with 1 if there are suspicious repeats, or new ones: --baseline."),
    click.option("--baseline", metavar="FILE", help="With --check: a former --json; only what is new counts."),
    click.option("--worklist", metavar="FILE", help="Write a worklist, for people to judge (see karat correct)."),
    click.option("--table", type=click.Choice(["4", "5", "6", "8"]), help="This table of the paper instead."),
    click.option("-o", "--output", metavar="FILE", help="Write the result to a file, which is never half-written."),
    click.option(
        "--input", "input_", type=click.Choice([*INPUTS]), help="Format of all corpora (default: by content)."
    ),
    max_errors_option,
    verbose_option,
    click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="How to write the result; conllu: the sentences, with marked words.",
    ),
    click.option("--json", "format_", flag_value="json", help="Short for --format json."),
]


def _all_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed([*_WHAT, *_WHICH, *_RESULT]):
        command = option(command)
    return command


@click.command("repeats")
@click.argument("corpora", nargs=-1, metavar="CORPUS…")
@_all_options
@click.pass_context
def command(context: click.Context, /, corpora: tuple[str, ...], **options: Any) -> int:
    """Where does the gold contradict itself, or another corpus?

    Words that are repeated, and annotated in more than one way (Dickinson & Meurers 2003; Wisniewski & Yvon 2019): the
    patterns of change, then the likeliest errors. A CORPUS is a file, several as one with commas between, or a
    treebank's folder, whose train, dev and test files are one corpus. It may be given a name: NAME=PATH.

    \b
    karat repeats UD_English-EWT
    karat repeats --between train.conllu test.conllu --disjoint
    karat repeats new.conllu --against UD_English-EWT --column upos+feats
    karat repeats UD_English-EWT --json > baseline.json
    karat repeats UD_English-EWT --check --baseline baseline.json
    karat repeats UD_English-EWT UD_English-GUM --table 5
    """  # fmt: skip
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that would only burn time
    if not corpora:
        raise click.UsageError("Give at least one corpus: karat repeats CORPUS…")
    if [*corpora, *options["against"]].count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    try:
        if options["table"]:
            return _table(context, corpora, options)
        return _audit(context, corpora, options)
    except DataError as error:
        show_problems(error.problems, most=options["max_errors"])
        return error.exit_code


_KERNELS = "gold/repeats/_suffix_intervals"


def _audit(context: click.Context, corpora: Sequence[str], options: dict[str, Any]) -> int:
    if options["baseline"] and not options["check"]:
        raise click.UsageError("--baseline goes with --check.")
    if options["between"] and (len(corpora) < 2 or options["against"]):
        raise click.UsageError("--between needs two corpora, and does not go with --against.")
    if options["tokenisation"] and given(context, ["column", "words", "fold_case", "no_punctuation", "patterns"]):
        raise click.UsageError("--tokenisation compares characters: no --column, --words, … go with it.")
    if options["dependencies"] and given(context, ["column"]):
        raise click.UsageError("--dependencies are compared instead of a --column.")
    if options["worklist"] == "-":
        raise click.UsageError("The worklist is written to a file; the result itself goes to standard output.")
    every = _named([*corpora, *options["against"]])
    new = dict(list(every.items())[: len(corpora)])
    wanted = _options(options)
    if options["worklist"]:
        _keep_verdicts(options["worklist"])
    tell_compiling(_KERNELS)
    from karat.gold.repeats.audit import repeats

    found = repeats(
        new,
        against={name: path for name, path in every.items() if name not in new},
        options=wanted,
        baseline=options["baseline"],
        input=options["input_"],
        progress=progress_line("looking for repeats"),
    )
    tell_inputs(found.formats, (), found.warnings, (), verbose=options["verbose"], most=options["max_errors"])
    if options["worklist"]:
        _write_worklist(options["worklist"], found)
    _put(_text(found, options), options["output"])
    return 1 if options["check"] and len(found) else 0


def _named(arguments: Sequence[str]) -> dict[str, str | list[str]]:
    """Corpora by name; one that is given again is another corpus, with the same text."""
    named = named_corpora(list(dict.fromkeys(arguments)))
    names = dict(zip(dict.fromkeys(arguments), named, strict=True))
    found: dict[str, str | list[str]] = {}
    for place, argument in enumerate(arguments):
        times = arguments[: place + 1].count(argument)
        name = names[argument]
        found[name if times == 1 else f"{name} ({times})"] = split_paths(named[name])
    return found


def _options(options: dict[str, Any]) -> RepeatOptions:
    from karat.gold.repeats.options import RepeatOptions

    is_paper = options["preset"] == "paper"
    return RepeatOptions(
        column=options["column"].lower(),
        dependencies=options["dependencies"],
        tokenisation=options["tokenisation"],
        words=options["words"],
        fold_case=options["fold_case"],
        punctuation=not options["no_punctuation"],
        min_words=1 if is_paper and options["between"] and options["min_words"] is None else options["min_words"],
        max_words=options["max_words"],
        same_sentence=options["same_sentence"] or is_paper,
        between=options["between"],
        disjoint=options["disjoint"],
        non_fringe=options["non_fringe"],
        min_majority=options["min_majority"],
        patterns=options["patterns"],
    )


def _keep_verdicts(path: str) -> None:
    from karat.corpus.worklist import keep_verdicts
    from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS

    keep_verdicts(path, REPEAT_VERDICTS)


def _write_worklist(path: str, found: Audit) -> None:
    from karat.corpus.worklist import write_worklist
    from karat.gold.corrections import repeat_worklist

    options = found.options
    known = ("of", "words", "fold-case", "punctuation")
    settings = [(name, value) for name, value in options.settings() if name not in known]
    write_worklist(
        path,
        repeat_worklist(found.ranking.found, words=options.words, fold_case=options.fold_case, settings=settings),
    )


def _text(found: Audit, options: dict[str, Any]) -> str:
    from karat.report import repeats as report

    if options["format_"] == "json":  # of large corpora it is long: an item is made at a time
        return report.audit_json(found)
    if options["format_"] == "conllu":
        return report.marked_sentences(found)
    return result_text(found, options["format_"], lambda: report.audit_tables(found, top=options["top"]))


def _put(text: str, path: str | None) -> None:
    """Write a result to a file that appears once it is complete, or to standard output."""
    if path is None or path == "-":
        write_out(text)
    else:
        write_file(path, text)


_NOT_OF_TABLES: tuple[str, ...] = (
    "dependencies",
    "tokenisation",
    "words",
    "fold_case",
    "no_punctuation",
    "against",
    "min_words",
)
_NOT_OF_TABLES += ("max_words", "same_sentence", "disjoint", "non_fringe", "min_majority", "top", "patterns", "check")
_NOT_OF_TABLES += ("baseline", "worklist")


def _table(context: click.Context, corpora: Sequence[str], options: dict[str, Any]) -> int:
    for option in given(context, _NOT_OF_TABLES):
        raise click.UsageError(f"{option} does not go with --table.")
    if "+" in options["column"] or options["format_"] == "conllu":
        raise click.UsageError("A table is about one --column, and has no sentences to mark.")
    if options["table"] == "4" and len(corpora) != 2:
        raise click.UsageError("Table 4 is about two corpora: --table 4 --between TRAIN TEST.")
    tell_compiling(_KERNELS)
    from karat.gold.repeats.paper_table_inputs import repeat_table
    from karat.report import repeat_tables as report

    found = repeat_table(
        int(options["table"]),
        _named(corpora),
        between=options["between"],
        column=options["column"].lower(),
        preset=options["preset"] or "paper",
        input=options["input_"],
        progress=progress_line("counting repeats"),
    )
    tell_inputs(found.formats, (), (), (), verbose=options["verbose"], most=options["max_errors"])
    text = result_text(found, options["format_"], lambda: report.repeat_table_tables(found))
    _put(text, options["output"])
    return 0
