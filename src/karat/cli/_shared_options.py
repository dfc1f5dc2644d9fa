"""Options that several commands have, and what they mean together."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import click

from karat.cli._arguments import named_paths, split_commas
from karat.cli._options import (
    HIERARCHY,
    HOW_SURE,
    INPUT,
    OUTPUT,
    TAGS,
    WHAT,
    Decorator,
    GroupedOption,
    PluginChoice,
    combined,
    fields_of,
    given,
    made_from,
    option,
    options_from,
    refuse,
    values_of,
)
from karat.cli._output import MOST_PROBLEMS, progress_line
from karat.errors import NO_LINE, DataError, Problem
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions

Kind = Literal["columns", "brackets", "key"]  # as karat.corpus.formats has them
FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex", "bibtex")
DOCUMENT_OPTIONS = ("document_from", "document_pattern")
INPUTS = ["conllu", "tsv", "slash", "xces", "ccl", "plain", "krnnt", "dag"]  # as karat.corpus.formats has them


def format_options_with(*others: str, what: str = "Output format.") -> Decorator:
    """`--format`, `--json` and `--cite`: how the result is written, perhaps in other formats as well."""
    return combined(
        [
            option("--format", OUTPUT, what, default="text", choices=[*FORMATS, *others]),
            click.option(
                "--json", "format", cls=GroupedOption, group=OUTPUT, flag_value="json", help="Short for --format json."
            ),
            click.option(
                "--cite",
                "format",
                cls=GroupedOption,
                group=OUTPUT,
                flag_value="bibtex",
                help="Instead of the result, print BibTeX of the methods that it used (--format bibtex).",
            ),
        ]
    )


format_options = format_options_with()
_details_option = option("--details", OUTPUT, "Show more details.", default=False)
detailed_output_options = combined([_details_option, format_options])
paper_output_options = combined(
    [
        _details_option,
        option(
            "--caption",
            OUTPUT,
            "Caption of the table in LaTeX and Markdown; what explains its marks follows.",
            metavar="TEXT",
        ),
        option("--latex-label", OUTPUT, "Label of the table in LaTeX, as in tab:results.", metavar="LABEL"),
        format_options,
    ]
)


page_options = combined(
    [
        option("--report", OUTPUT, "Also write an offline HTML page with tables, drawings, sentences.", metavar="FILE"),
        option("--figures", OUTPUT, "Also write each drawing to this folder as SVG, for papers.", metavar="DIR"),
    ]
)


measure_option = option(
    "--measure measures",
    WHAT,
    "Compute only these measures (case-insensitive); all: every measure that the files allow (repeatable).",
    is_repeatable=True,
    metavar="NAME[,NAME…]",
)
folder_options = combined(
    [
        option(
            "--gold-dir",
            WHAT,
            "Use several treebanks: the gold files in this folder, or the test sets of a UD release.",
            metavar="DIR",
        ),
        option(
            "--system-dir system_dirs",
            WHAT,
            "With --gold-dir: a system's files in this folder, paired by name (repeatable).",
            is_repeatable=True,
            metavar="[NAME=]DIR",
        ),
    ]
)


def refuse_treebank_folder(gold: str, systems: Sequence[str], kind: Kind | None) -> None:
    """Stop before a folder is scored as a file that is not one of trees, and say how several treebanks are given."""
    if kind == "brackets" or not os.path.isdir(gold):
        return
    named = named_paths(systems)
    folders = [
        f"--system-dir {shlex.quote(given)}"
        for given, path in zip(systems, named.values(), strict=False)
        if os.path.isdir(path)
    ]
    hint = " ".join(
        ["several treebanks are given as", f"--gold-dir {shlex.quote(gold)}", *(folders or ["--system-dir DIR"])]
    )
    raise DataError(Problem("K102", "this is a directory", gold, NO_LINE, hint=hint))


def map_option(what: str = "Map the tags on both sides before comparing", group: str = WHAT) -> Decorator:
    """`--map`: what is mapped, by a map that karat has or by a file."""
    return option(
        "--map",
        group,
        f"{what}: penn-upos (XPOS, if present, to UPOS), nkjp-older (older NKJP tags to those of today), or a file "
        "with lines FROM TAB TO (* for all other tags).",
        metavar="FILE|penn-upos|nkjp-older",
    )


verbose_option = option("-v --verbose", INPUT, "Show the detected format of each input.", default=False)
problem_options = combined(
    [
        option(
            "--max-errors", INPUT, "List at most N problems; 0 lists all.", default=MOST_PROBLEMS, least=0, metavar="N"
        ),
        verbose_option,
    ]
)
skip_bad_option = option(
    "--skip-bad",
    INPUT,
    "Skip bad sentences: a bad gold sentence is left out, a bad system sentence is scored as 0.",
    default=False,
)


def input_option(*others: str) -> Decorator:
    """`--input`: the format of all inputs, of words or one of the others."""
    names = {"brackets": "bracketed trees", "key": "sense keys", "text": "one sentence per line"}
    kinds = ["CoNLL-U", "form TAB tag", "word/TAG or word_TAG text", "XCES", "CCL"]
    kinds += ["plain of Corpus2", "KRNNT's table", "Concraft's DAG"]
    kinds += [names[one] for one in others]
    what = f"Format of all inputs: {', '.join(kinds)} (default: detected; -v shows it; plug-ins add others)."
    return option("--input", INPUT, what, type=PluginChoice("reader", [*INPUTS, *others]))


def column_option(columns: Sequence[str], what: str, *, default: str = "upos") -> Decorator:
    """`--column`: which column, for what."""
    return option("--column", INPUT, what, default=default, choices=columns)


COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel", "misc")

input_options = combined(
    [
        input_option("brackets", "key"),
        column_option(
            COLUMNS,
            "Column that the tags of plain tagged text belong to, and that --lexicon, --map, --tagset, --hierarchy and "
            "--ignore-suspicious use.",
        ),
        skip_bad_option,
        problem_options,
    ]
)


def document_options(group: str = HOW_SURE, what: str = "Sentences") -> Decorator:
    """`--document-from` and `--document-pattern`: documents by a comment of sentences."""
    return combined(
        [
            option(
                "--document-from",
                group,
                f"{what} with the same value of this comment are a document, wherever they stand, as in "
                "orig_file_sentence of UD_Polish-PDB (there up to #, without _morph… and a final _A or _B).",
                metavar="COMMENT",
            ),
            option(
                "--document-pattern",
                group,
                "With --document-from: a regular expression; its first group in the comment is the document.",
                metavar="REGEX",
            ),
        ]
    )


inference_options = options_from(InferenceOptions, HOW_SURE)
tag_and_hierarchy_options = combined([options_from(TagOptions, TAGS), options_from(HierarchyOptions, HIERARCHY)])
_WITHOUT_HIERARCHY = ("strict", "smallest_probability")  # of sense keys, whose tags need not be in one


def asked_of_every_gold(options: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked to score or to compare systems, on one gold or on several treebanks."""
    names = split_commas(options["measures"])
    if options["measures"] and not names:
        raise click.UsageError("--measure needs a name.")
    return {
        "measures": names or None,
        "tags": _tags_from(options),
        "inference": made_from(InferenceOptions, options),
        **values_of(options, "like column map input skip_bad"),
    }


def asked_of_one_gold(options: Mapping[str, Any], kind: Kind | None) -> dict[str, Any]:
    """What else is asked of a single gold of this kind."""
    return {
        "by": split_commas(options["by"]),
        "lexicon": list(options["lexicon"]) or None,
        "hierarchy": hierarchy_from(options, of_keys=kind == "key"),
        "brackets": made_from(BracketOptions, options) if kind == "brackets" and options["like"] is None else None,
        "progress": progress_line("resampling"),
        **values_of(options, "judgements prm"),
        **documents_from(options),
    }


def documents_from(options: Mapping[str, Any]) -> dict[str, str | None]:
    """By which comment documents are found, if by any."""
    if options["document_from"] is None:
        refuse(["document_pattern"], "requires --document-from")
    return values_of(options, "document_from document_pattern")


def _tags_from(options: Mapping[str, Any]) -> TagOptions | None:
    """What the options of rich tags ask for; None without a tagset."""
    if options["tagset"] is None:
        shared = ["probabilities"] if options["hierarchy"] is not None else []
        refuse(fields_of(TagOptions, but=["tagset", *shared]), "requires --tagset")
        is_used = options["hierarchy"] is not None or options["map"] is not None or options.get("ignore_suspicious")
        if options["column"] not in ("upos", "xpos") and not is_used:
            raise click.UsageError(f"--column {options['column']} requires --tagset, --hierarchy or --map.")
        return None
    return made_from(TagOptions, options, column=options["column"] if given(["column"]) else None)


def hierarchy_from(options: Mapping[str, Any], *, of_keys: bool = False) -> HierarchyOptions | None:
    """What the options of hierarchies ask for; None without a hierarchy, which sense keys do not need."""
    if options["hierarchy"] is None:
        without = _WITHOUT_HIERARCHY if of_keys else ()
        refuse(fields_of(HierarchyOptions, but=["hierarchy", *without]), "requires --hierarchy")
        if not of_keys:
            return None
    if options["learn_from"] is None:
        refuse(["alpha"], "requires --learn-from")
    return made_from(HierarchyOptions, options, **values_of(options, "column probabilities"))


_OF_WORDS = (*fields_of(TagOptions, but=["probabilities"]), "lexicon", "confusions", "n_top", "gold_dir", "system_dirs")
_OF_WORDS += ("column", "map", "train", "ignore_suspicious", *DOCUMENT_OPTIONS)
_OF_TREES = (
    *fields_of(BracketOptions),
    *"worklist include_exact sample same_style carry judgements parses prm evalb_steps".split(),
)
_KINDS: Sequence[tuple[Sequence[str], Sequence[Kind]]] = (
    (_OF_WORDS, ("columns",)),
    (fields_of(HierarchyOptions), ("columns", "key")),
    (_OF_TREES, ("brackets",)),
)
_NAMES: Mapping[Kind, str] = {
    "columns": "CoNLL-U or tagged text",
    "brackets": "bracketed trees",
    "key": "sense keys",
}


def check_kind(kind: Kind, like: str | None) -> None:
    """Stop if an option was given, or an evaluator to be `like`, that is for other kinds of data."""
    for names, kinds in _KINDS:
        if kind not in kinds:
            only = (
                f"works only with {_NAMES[kinds[0]]}"
                if kinds == ("brackets",)
                else f"cannot be used with {_NAMES[kind]}"
            )
            refuse(names, only)
    if like == "evalb" and kind != "brackets":
        raise click.UsageError("--like evalb works only with bracketed trees.")
    if like == "conll18" and kind != "columns":
        evalb = "; use --like evalb" if kind == "brackets" else ""
        raise click.UsageError(f"--like conll18 cannot be used with {_NAMES[kind]}{evalb}.")
