"""The keys of signatures, as docs/signature.md has them, and calls that print the rarer ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from console_examples import ROOT
from karat.systems.options import options_of_systems

__all__ = ["OF_ALL", "PAGE", "RARER", "ROW", "documented", "options_of_system", "printed_keys"]

PAGE = (ROOT / "docs" / "signature.md").read_text(encoding="utf-8")
ROW = re.compile(r"\| (`[^|]+`) \| ([a-z, -]+) \| [^|]+ \| [^|]+ \|")
OF_ALL = {"karat", "verb"}
WITH_OPTIONS_OF_SYSTEMS = ("train", "tag", "suspects", "parse")
RARER = (  # options that no other test of the command line has to try on every kind of data
    "compare gold.conllu ada=ada.conllu bix=bix.conllu --effect 0.01 --power 0.9 --resamples 0",
    "compare gold.conllu ada=ada.conllu bix=bix.conllu broken=broken.conllu --skip-bad --measure LAS --input conllu",
    "compare gold.ptb ada=ada.ptb bix=bix.ptb --label NP --resamples 200 --measure 'Labelled F1'",
    "compare gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --slots declared --ignore-category case "
    "--missing-weight 0 --measure PA",
    "compare gold.key ada=ada.key bix=bix.key --hierarchy senses.txt --layout indented --tree --strict "
    "--learn-from gold.key --measure exact",
    "compare classes.tsv ada=classes.tsv bix=answers.tsv --hierarchy classes.txt --layout indented --measure exact",
    "score gold.tagged ada.tagged --tagset nkjp --ignore-category case --missing-weight 0 --measure PA",
    "score gold.key ada.key --hierarchy senses.txt --layout indented --tree --strict --measure exact",
    "agree ada.key bix.key --hierarchy senses.txt --layout indented --resamples 0",
    "noise gold.conllu broken.conllu --lexicon more.conllu --corpus-error 0.03 --skip-bad",
    "score probable.tsv probable.tsv --hierarchy classes.txt --probabilities --measure exact",
    "compare probable.tsv a=probable.tsv b=probable.tsv --hierarchy classes.txt --probabilities --measure exact",
    "agree probable.tsv probable.tsv --hierarchy classes.txt --probabilities --resamples 0",
    "repeats gate.conllu --same-sentence --max-words 9 --non-fringe --min-majority 0.6",
)


def documented() -> dict[str, set[str]]:
    """The keys of every verb, as the page has them."""
    found: dict[str, set[str]] = defaultdict(set)
    for keys, verbs in ROW.findall(PAGE):
        for verb in verbs.split(", "):
            found[verb] |= {key.strip("` ") for key in keys.split(",")}
    return found


def printed_keys(signatures: Iterable[str]) -> dict[str, set[str]]:
    """The keys of every verb that signatures have."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in signatures:
        parts = [part.partition(":")[::2] for part in one.split("|")]
        found[dict(parts)["verb"]] |= {re.sub(r"^run of .*", "run of NAME", key) for key, _ in parts}
    return found


def options_of_system(verb: str) -> set[str]:
    """Keys that are options of taggers and parsers, if a verb has them."""
    return {one.name for one, _ in options_of_systems()} if verb in WITH_OPTIONS_OF_SYSTEMS else set()
