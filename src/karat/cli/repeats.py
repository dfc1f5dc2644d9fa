"""`karat repeats`: where does the gold contradict itself, or another corpus?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_inputs, read_once
from karat.cli._options import OUTPUT, Verb, fields_of, given, made_from, option, options_from, refuse, values_of
from karat.cli._output import (
    announce_compiling,
    progress_line,
    refuse_input,
    result_text,
    say,
    show_inputs,
    write_file,
    write_out,
    write_page_of,
)
from karat.cli._shared_options import format_options_with, input_option, page_options, problem_options
from karat.cli._worklists import carried_over, carry_option, read_worklists
from karat.gold.repeats.options import RepeatOptions

if TYPE_CHECKING:
    from karat.gold.exceptions import Exceptions
    from karat.gold.repeats.audit import Audit
    from karat.result import Report

COMPARED, WHICH, KEPT = "What is compared", "Which repeats", "What to do with them"
_OF_COMPARED = ("column", "map", "dependencies", "tokenisation", "words", "fold_case", "no_punctuation")


@click.command("repeats", cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS…")
@options_from(RepeatOptions, COMPARED, _OF_COMPARED)
@options_from(RepeatOptions, WHICH, fields_of(RepeatOptions, but=[*_OF_COMPARED, "patterns"]))
@option(
    "--against",
    WHICH,
    "Also search this corpus, but keep only repeats that occur in a CORPUS, as for new sentences against a treebank "
    "(repeatable).",
    is_repeatable=True,
    metavar="CORPUS",
)
@option(
    "--preset",
    WHICH,
    "Follow the numbers of Wisniewski & Yvon 2019 (paper: --same-sentence, --marked, and one word is enough with "
    "--between) or its text (literal). Default: paper for --table, else literal.",
    choices=["literal", "paper"],
)
@option("--worklist", KEPT, "Write a worklist for people to judge (see karat correct).", metavar="FILE")
@carry_option(KEPT)
@option("--check", KEPT, "Exit with 1 if there are suspicious repeats (with --baseline: new ones).", default=False)
@option("--baseline", KEPT, "With --check: an earlier --json result; only new findings count.", metavar="FILE")
@option(
    "--exceptions",
    KEPT,
    "File of findings that are right as they are, with reasons: they are left out; those that are no longer found are "
    "reported.",
    metavar="FILE",
)
@option(
    "--write-exceptions",
    KEPT,
    "Write the findings to this file, as exceptions to give reasons for; with --exceptions, after those that still "
    "hold.",
    metavar="FILE",
)
@option("--table", KEPT, "Print this table of the paper instead.", choices=["4", "5", "6", "8"])
@input_option()
@problem_options
@option(
    "--top",
    OUTPUT,
    "Show N rows in tables; 0 shows all. If given, --worklist and --format github have the first N only; other formats "
    "always have all.",
    default=10,
    least=0,
    metavar="N",
)
@options_from(RepeatOptions, OUTPUT, ["patterns"])
@option("-o --output", OUTPUT, "Write the result to this file.", metavar="FILE")
@page_options
@format_options_with(
    "conllu", "github", what="Output format; conllu: the sentences, with marked words; github: workflow annotations."
)
def command(corpora: tuple[str, ...], **options: Any) -> int:
    """Where does the gold contradict itself, or another corpus?

    Finds words that are repeated but annotated in more than one way (Dickinson & Meurers 2003; Wisniewski & Yvon 2019),
    and lists the likeliest errors first, in one row those that are alike. A CORPUS is a file, several files joined by
    commas, or a treebank's folder, whose train, dev and test files are one corpus. NAME=PATH names a corpus.

    \b
    karat repeats UD_English-EWT
    karat repeats --between train.conllu test.conllu --disjoint
    karat repeats new.conllu --against UD_English-EWT --column upos+feats
    karat repeats wsj.conllu --map penn-upos
    karat repeats UD_English-EWT --json > baseline.json
    karat repeats UD_English-EWT --check --baseline baseline.json
    karat repeats UD_English-EWT --write-exceptions exceptions.tsv
    karat repeats UD_English-EWT --check --exceptions exceptions.tsv
    karat repeats UD_English-EWT UD_English-GUM --table 5
    """  # fmt: skip
    if not corpora:
        raise click.UsageError("Give at least one corpus: karat repeats CORPUS…")
    read_once([*corpora, *options["against"]])
    return (_table if options["table"] else _audit)(corpora, options)


_KERNELS = "gold/repeats/_suffix_intervals"


def _audit(corpora: Sequence[str], options: dict[str, Any]) -> int:
    if not options["check"]:
        refuse(["baseline"], "requires --check")
    if not options["worklist"]:
        refuse(["carry"], "requires --worklist")
    if options["between"] and (len(corpora) < 2 or options["against"]):
        raise click.UsageError("--between requires two corpora and cannot be used with --against.")
    if options["tokenisation"] and given(("column", "map", "words", "fold_case", "no_punctuation", "patterns")):
        raise click.UsageError("--tokenisation compares characters and cannot be used with --column, --words, …")
    if options["dependencies"] and given(["column", "map"]):
        raise click.UsageError("--dependencies replaces --column and cannot be used with --column or --map.")
    if options["map"] and options["worklist"]:
        raise click.UsageError("--worklist needs the corpus's own labels and cannot be used with --map.")
    for name in ("worklist", "write_exceptions"):
        if options[name] == "-":
            flag = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{flag} needs a file name, not -: standard output is for the result.")
    every = _named([*corpora, *options["against"]])
    new = dict(list(every.items())[: len(corpora)])
    wanted = _options(options)
    if options["worklist"]:
        from karat.corpus.worklist import keep_verdicts
        from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS

        keep_verdicts(options["worklist"], REPEAT_VERDICTS)
    exceptions = _read_exceptions(options)
    announce_compiling(_KERNELS)
    from karat.gold.repeats.search import repeats

    found = repeats(
        new,
        against={name: path for name, path in every.items() if name not in new},
        options=wanted,
        exceptions=exceptions,
        progress=progress_line("looking for repeats"),
        **values_of(options, "baseline input"),
    )
    show_inputs(options, found.formats, warnings=found.warnings, stale=found.stale)
    if options["worklist"]:
        _write_worklist(options["worklist"], found, options["carry"], _given_top(options))
    if options["write_exceptions"]:
        _write_exceptions(options["write_exceptions"], found, exceptions)
    _put(_text(found, options), options["output"])
    write_page_of(found, options, lambda: _report(found, options), lambda: _first_items(found))
    return 1 if options["check"] and len(found) else 0


def _read_exceptions(options: dict[str, Any]) -> Exceptions | None:
    """The exceptions that were given; before anything else is done, what is wrong with them or with their new file."""
    from karat.gold.exceptions import keep_reasons, read_exceptions

    exceptions = read_exceptions(options["exceptions"]) if options["exceptions"] else None
    if options["write_exceptions"]:
        refuse_input(options["write_exceptions"])
        keep_reasons(options["write_exceptions"])
    return exceptions


def _write_exceptions(path: str, found: Audit, old: Exceptions | None) -> None:
    from karat.gold.exceptions import exceptions_text
    from karat.gold.repeats.acknowledged import renewed_exceptions

    entries = renewed_exceptions(found, old)
    write_file(path, exceptions_text(entries))
    n_open = sum(not one.reason for one in entries)
    kept = f", {len(entries) - n_open:,} with their reasons" if old else ""
    say(f"{path}: {n_open:,} finding{'s' * (n_open != 1)} to give a reason for{kept}")


def _named(corpora: Sequence[str]) -> dict[str, str | list[str]]:
    return named_inputs(corpora, "corpora", may_repeat=True)


def _options(options: dict[str, Any]) -> RepeatOptions:
    wanted = {**options, "column": options["column"].lower()}
    if options["preset"] == "paper":
        wanted |= {"same_sentence": True, "marked": True}
        if options["between"] and options["min_words"] is None:
            wanted["min_words"] = 1
    return made_from(RepeatOptions, wanted)


def _given_top(options: dict[str, Any]) -> int:
    """How many findings were asked for; 0: all of them."""
    return options["top"] if given(["top"]) else 0


def _write_worklist(path: str, found: Audit, carry: Sequence[str], top: int) -> None:
    import numpy as np

    from karat.corpus.worklist import write_worklist
    from karat.gold.repeats.carried_places import CarriedPlaces
    from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS, repeat_worklist

    options = found.options
    known = ("of", "words", "fold-case", "punctuation")
    settings = [(name, value) for name, value in options.settings() if name not in known]
    ranking = found.ranking.chosen(np.arange(min(top or len(found), len(found))))
    scores, words, fold_case = ranking.score.tolist(), options.words, options.fold_case
    made = repeat_worklist(ranking.found, scores=scores, words=words, fold_case=fold_case, settings=settings)
    places = CarriedPlaces(made, ranking.found.all_repeats.text)
    write_worklist(path, carried_over(made, read_worklists(carry, REPEAT_VERDICTS), places.question))
    limits = "; karat correct counts verdicts on tokenisation, but does not apply them" * options.tokenisation
    say(f"{path}: {len(made.rows):,} rows to judge{limits}")


def _text(found: Audit, options: dict[str, Any]) -> str:
    from karat.report import repeats as report

    if options["format"] == "json":  # of large corpora it is long: an item is made at a time
        return report.audit_json(found)
    if options["format"] == "conllu":
        return report.marked_sentences(found)
    if options["format"] == "github":
        from karat.report.github import workflow_annotations

        return workflow_annotations(found, top=_given_top(options))
    return result_text(found, options, lambda: _report(found, options), data=lambda: _first_items(found))


def _report(found: Audit, options: dict[str, Any]) -> Report:
    from karat.report.repeats import audit_report

    return audit_report(found, top=options["top"])


def _first_items(found: Audit) -> dict[str, Any]:
    """The data of an audit with as many repeats as a page shows: of large corpora there are very many."""
    from itertools import islice

    from karat.report.page.sections.gold_errors import MOST

    items = list(islice(found.item_dicts(), MOST))
    return {**found.counts_dict(), "items": items, "groups": [], "patterns": list(found.pattern_dicts())}


def _put(text: str, path: str | None) -> None:
    """Write a result to a file that appears once it is complete, or to standard output."""
    if path is None or path == "-":
        write_out(text)
    else:
        write_file(path, text)


_NOT_OF_TABLES = (
    *fields_of(RepeatOptions, but=["column", "between"]),
    *"against top check baseline exceptions write_exceptions worklist carry".split(),
)


def _table(corpora: Sequence[str], options: dict[str, Any]) -> int:
    refuse(_NOT_OF_TABLES, "cannot be used with --table")
    if "+" in options["column"] or options["format"] in ("conllu", "github"):
        raise click.UsageError("--table works with one --column, and not with --format conllu or github.")
    if options["table"] == "4" and len(corpora) != 2:
        raise click.UsageError("--table 4 requires two corpora: --table 4 --between TRAIN TEST.")
    announce_compiling(_KERNELS)
    from karat.gold.repeats.paper_table_inputs import repeat_table
    from karat.report.repeat_tables import repeat_table_report

    found = repeat_table(
        int(options["table"]),
        _named(corpora),
        column=options["column"].lower(),
        preset=options["preset"] or "paper",
        progress=progress_line("counting repeats"),
        **values_of(options, "between input"),
    )
    show_inputs(options, found.formats)
    _put(result_text(found, options, lambda: repeat_table_report(found)), options["output"])
    write_page_of(found, options, lambda: repeat_table_report(found))
    return 0
