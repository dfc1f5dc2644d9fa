"""The command that gives a result again, from its signature; none where the signature says more than is known here."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from karat.report.page.named_files import NamedFile, files_of
from karat.report.page.sentence_sets import wanted_by
from karat.report.page.treebank_results import is_over_treebanks

_VERBS = ("score", "compare", "agree", "repeats", "suspects", "noise", "diverge")
_IGNORED = ("karat", "verb", "plugin")
# setting → option, and the value that need not be given
_OPTIONS: dict[str, tuple[str, str]] = {
    "like": ("--like", "karat"),
    "measures": ("--measure", "all"),
    "by": ("--by", ""),
    "confusions": ("--confusions", ""),
    "column": ("--column", "upos"),
    "input": ("--input", ""),
    "statistic": ("--statistic", ""),
    "cluster": ("--cluster", ""),
    "document-from": ("--document-from", ""),
    "level": ("--level", "0.95"),
    "intervals": ("--method", "auto"),
    "resamples": ("--resamples", "10000"),
    "seed": ("--seed", "0"),
    "adjust": ("--adjust", "holm"),
    "baseline": ("--baseline", ""),
    "margin": ("--margin", ""),
    "punctuation": ("--punctuation", "penn"),
    "label": ("--label", ""),
    "cutoff": ("--cutoff", "40"),
    "rank": ("--rank", "combined"),
    "folds": ("--folds", "10"),
    "taggers": ("--taggers", "3"),
    "corpus-error": ("--corpus-error", ""),
    "ambiguity": ("--ambiguity", ""),
    "observed": ("--observed", ""),
    "min-words": ("--min-words", ""),
}
_FLAGS = {  # setting and value → option; None: the default
    ("brackets", "labelled"): "--labelled",
    ("brackets", "unlabelled"): None,
    ("empty", "kept"): "--keep-empty",
    ("empty", "dropped"): None,
    ("doubled", "kept"): "--keep-doubled",
    ("doubled", "merged"): None,
    ("one-word", "kept"): "--keep-one-word",
    ("one-word", "dropped"): None,
    ("bad", "skipped"): "--skip-bad",
    ("statistic", "f1"): None,
    ("statistic", "value"): None,
    ("fold-case", "no"): None,
    ("fold-case", "yes"): "--fold-case",
    ("punctuation", "yes"): None,
    ("marked", "no"): None,
    ("words", "form"): None,
    ("fold-by", "auto"): None,
    ("history", "predicted"): None,
    ("features", "full"): None,
    ("epochs", "10"): None,
    ("system", "perceptron"): None,
    ("priors", "uniform"): None,
    ("features", "words,labels,both"): None,
    ("classifier", "naive-bayes"): None,
    ("splits", "20"): None,
    ("preset", "documents"): None,
    ("permutations", "199"): None,
}
_RENAMED = {("repeats", "of"): "column"}


def command_again(result: Mapping[str, Any]) -> str:
    """The command in a shell's words; empty where it cannot be told."""
    signed = str(result.get("signature", ""))
    settings = [part.partition(":")[::2] for part in signed.split("|")]
    verb = dict(settings).get("verb", "")
    if verb not in _VERBS or "judgements" in dict(settings):
        return ""
    arguments = _options(verb, settings)
    files = _files(verb, result)
    if arguments is None or files is None:
        return ""
    return shlex.join(["karat", verb, *files, *arguments])


def _options(verb: str, settings: list[tuple[str, str]]) -> list[str] | None:
    """The options of all settings; None if one is not known."""
    found: list[str] = []
    has_plugins = "plugin" in dict(settings)  # whose measures are among all only where all are asked for
    for name, value in settings:
        setting = _RENAMED.get((verb, name), name)
        if setting in _IGNORED or (value.rpartition("@sha256:")[1] and setting not in ("cluster", "lexicon")):
            continue
        if setting == "cluster" and "," in value:  # of treebanks with documents and without
            continue
        if setting == "lexicon":
            found += ["--lexicon", value.rpartition("@sha256:")[0]]
        elif (setting, value) in _FLAGS:
            found += [flag] if (flag := _FLAGS[setting, value]) else []
        elif setting in _OPTIONS and "@" not in value:
            option, default = _OPTIONS[setting]
            found += [option, value] if value != default or (has_plugins and setting == "measures") else []
        else:
            return None
    return found


def _files(verb: str, result: Mapping[str, Any]) -> list[str] | None:
    """The files as they are given: of systems and annotators with their names."""
    every = files_of(result)
    if verb in ("repeats", "suspects", "diverge"):
        return [one.path for one in every if one.role == "corpus"]
    if is_over_treebanks(result):
        return _folders(every, [one["name"] for one in result["systems"]])
    wanted = wanted_by(result)
    if not wanted:
        return [] if not every else None
    systems = list(wanted[0].systems.items())
    if verb == "agree":
        systems = [(str(result["annotators"][0]), wanted[0].gold), *systems]
    named = [_named(name, file) for name, file in systems]
    return named if verb == "agree" else [wanted[0].gold.path, *named]


def _folders(files: list[NamedFile], names: list[str]) -> list[str] | None:
    """The folders of gold and systems, as options."""
    gold, *systems = (one.path for one in files if one.role in ("gold", "system"))
    if len(systems) != len(names):
        return None
    named = [option for name, path in zip(names, systems, strict=True) for option in ("--system-dir", f"{name}={path}")]
    return ["--gold-dir", gold, *named]


def _named(name: str, file: NamedFile) -> str:
    """`NAME=PATH`, or the path alone if its end is the name."""
    return file.path if file.path.endswith(name) else f"{name}={file.path}"
