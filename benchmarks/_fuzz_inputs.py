"""What the fuzzer starts from: small good files of every kind that karat reads, and calls that read each of them.

Most of both are those of the tests (`tests/cli/every_command.py`); here are the side files and options that only single
tests know. Everything is made anew, and is the same each time.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

import karat
from _measuring import ROOT
from karat.cli import main

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "cli")]

from every_command import COMMANDS, write_inputs, write_judgements  # noqa: E402

_TEXTS = {
    "priors.toml": "C = {uniform = [0.02, 0.04]}\nu = {beta = [9, 1]}\np = {point = 0.7}\nt = {beta = [20, 1]}\n",
    "punctuation.txt": "# of these trees\n.\n,\nNN\n",
    "clusters.txt": "".join(f"group {number // 3}\n" for number in range(20)),
    "clusters-of-words.txt": "".join(f"{'abc'[number % 3]}\n" for number in range(3)),
    "dotted.txt": "A.1a\nA.1b\nA.2\nB.1\nB.2\nB.3\n",
    "pairs.txt": "parent\tchild\nA\tA.1\nA.1\tA.1a\nA.1\tA.1b\nA\tA.2\nB\tB.1\nB\tB.2\nB\tB.3\nB\tA.2\n",
    "constraints.txt": "50 NOUN <- [-1 DET]\n-2.5 ADV|ADJ <- [0 {ADJ|ADV}] [+1 ^VERB]  # 12 C\n"
    '3 PROPN <- [-1 "mr."|"mrs."]\n'
    "2 VERB <- [0 unknown:lower] [-2 EDGE]\n",
    "elimination.rules": "# of Polish\nremove case=acc unless -8..-1: pos=fin\n"
    "remove case=nom & pos=subst|adj unless 1..8: pos=fin\n",
    "queries.cqp": '[pos="NOUN"] [pos="VERB" & lemma!="be"]\n"the" []{0,3} "gate"\n',
    "suspect-exceptions.tsv": "#schema karat/exceptions/1\nkind\tcolumn\ttext\tlabels\treason\n"
    "suspect\tupos\tnear the old gate grass\t\ta name\n",
    "odd.prm": "DEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 40\nLABELED 1\nDISC_ONLY 0\nDELETE_LABEL TOP\nDELETE_LABEL -NONE-\n"
    "DELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\nEQ_WORD the a\n",
    "words.txt": "The old gate creaks .\nWe may well win .\n",
}
_TAGSETS = ("nkjp.toml", "ud.toml", "penn.toml", "pdt.toml")
_FEW = "--resamples 60"
_CALLS = [
    "noise gold.conllu ada=ada.conllu --lexicon more.conllu --corpus-error 0.03 --priors priors.toml",
    "noise --observed 0.91 --corpus-error 0.03 --ambiguity 2.5 --priors priors.toml",
    f"score {_FEW} gold.ptb ada.ptb --punctuation punctuation.txt",
    f"score {_FEW} gold.ptb ada.ptb --cluster clusters.txt --like evalb --intervals --prm odd.prm",
    f"compare {_FEW} classes.tsv ada=answers.tsv bix=classes.tsv --cluster clusters-of-words.txt",
    *(
        f"score {_FEW} gold.key ada.key --measure all --hierarchy {one}"
        for one in ("dotted.txt", "pairs.txt", "senses.txt --tree", "dotted.txt --layout dotted --downward distinct")
    ),
    f"score {_FEW} gold.key ada.key --hierarchy wordnet --layout wordnet",
    f"agree {_FEW} ada.key bix.key --hierarchy pairs.txt --downward downward.tsv",
    "train relaxation gate.conllu -o r.karat --constraints B --constraints-file constraints.txt --no-calibration",
    "train layered-trees gold.tagged -o l.karat --column xpos --tagset nkjp --rules elimination.rules --no-calibration",
    "train hmm gate.conllu -o h.karat --no-calibration",
    "train brill gate.conllu -o b.karat --threshold 1 --no-calibration",
    "train perceptron gate.conllu -o p.karat --epochs 1 --no-calibration",
    "train most-frequent gates.conllu -o f.karat --lexicon gate.conllu --no-calibration",
    *(f"tagset check {one} gold.tagged" for one in ("nkjp.toml", "penn.toml")),
    "tagset check ud.toml gate.conllu",
    "tagset compare nkjp.toml subst:sg:nom:m1 subst:sg:acc:m1 --weights conditional.toml",
    "tagset show pdt.toml NNFS1-----A----",
    "tagset show ud.toml 'NOUN|Case=Acc'",
    f"score {_FEW} gold.tagged ada.tagged --tagset nkjp.toml --weights conditional.toml",
    "weights queries queries.cqp --language cqp --tagset ud --corpus gate.conllu",
    "weights show conditional.toml",
    "weights ambiguity gold.tagged --tagset nkjp.toml --conditional",
    "suspects gates.conllu --rank repeats --exceptions suspect-exceptions.tsv",
    "suspects gates.conllu --probabilities-from gates-likely.tsv --worklist s.tsv --carry judged-suspects.tsv",
    "tag -m hmm.karat gate.conllu -o t.conllu",
    *(f"tag -m {one}.karat gate.conllu -o t.tsv --probabilities" for one in ("most", "brill", "perceptron", "relaxed")),
    "tag -m layered.karat gold.tagged -o t.tsv",
    "tag -m xpos.karat words.txt -o t.tsv --input text",
    "parse -m pcfg.karat words.txt -o p.ptb --tagger xpos.karat",
    "attach apply -m attach-small.karat gate.conllu -o a.conllu",
    "attach evaluate gate.conllu --stats words.stats --folds 2 --resamples 20 --classifiers decision-tree",
    "attach groups gate.conllu --groups groups.toml --tagset penn",
    "attach groups gold.tagged --groups cascade.toml",
    "repeats gate.conllu --carry judged-repeats.tsv --worklist r.tsv",
    "diff gold.conllu newer.conllu --carry judged-changes.tsv --worklist d.tsv",
    "report score.json -o page.html",
    "report every.json -o page.html",
    "grid small-grid.toml -o grid-of-fuzz",
    "grid --from a-grid --table matrix",
    "grid UD_One UD_Two -o a-grid --system most-frequent --seeds 2",
    "convert gold.conllu.gz -o words.tsv --to tsv --column upos",
    "convert gold.xml.xz -o words.plain --to plain",
    "score gold.tsv.bz2 ada.tsv --resamples 0",
    "measures items.json.gz",
    *(f"convert gate.{one} -o c.out --to conllu --column upos" for one in ("conllu", "tsv", "txt")),
    *(f"convert twice.{one} -o c.out --to xces" for one in ("xml", "ccl", "plain", "krnnt", "dag", "concraft")),
    "convert small.ptb -o c.out --to brackets",
    "score small.ptb small.ptb --resamples 0",
    "score gate.conllu gate.conllu --resamples 0",
    "score gate.conllu gate.conllu --like conll18",
    f"compare {_FEW} gold.ptb ada=ada.ptb bix=bix.ptb --punctuation punctuation.txt",
    f"compare {_FEW} gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --weights conditional.toml",
    f"compare {_FEW} gold.key ada=ada.key bix=bix.key --hierarchy senses.txt --measure brier --learn-from bix.key",
    f"compare {_FEW} classes.tsv ada=answers.tsv bix=classes.tsv --hierarchy classes.txt --downward downward.tsv",
    "noise classes.tsv ada=answers.tsv --lexicon more.conllu --corpus-error 0.03 --cluster clusters-of-words.txt",
    "noise plan classes.tsv ada=answers.tsv -o n.tsv --budget 5 --cluster clusters-of-words.txt",
    f"leaks {_FEW} more.conllu classes.tsv ada=answers.tsv --cluster clusters-of-words.txt",
    f"agree {_FEW} classes.tsv answers.tsv --cluster clusters-of-words.txt",
    "weights rules --grammar polish.fcfg --sentences sentences.txt --tagset nkjp.toml",
    "attach apply -m attach-small.karat gate.conllu -o a.conllu --groups ud --map coarse.tsv",
    "attach evaluate gate.conllu --stats words.stats --folds 2 --resamples 0 --classifiers decision-tree "
    "--tagset ud.toml --groups groups.toml --map coarse.tsv --cluster clusters.txt",
    "attach train gate.conllu --stats words.stats -o a.karat --rules attach-rules.toml --tagset ud --groups ud "
    "--map coarse.tsv",
    "reproduce wisniewski-2019 --quick --data ud-2.3",
    "review judged-one.tsv --no-browser",
    "review judged-repeats.tsv --judge ina --judge jan --no-browser",
    "review judged-brackets.tsv --gold gold.ptb --system ada.ptb --no-browser --export e.jsonl",
    "review judged-upos.tsv --no-browser",
    "review judged-changes.tsv --no-browser",
    "review judged-suspects.tsv --no-browser",
    "review kept.tsv --no-browser --export e.jsonl",
    "review again-two.tsv judged-two.tsv --adjudicate --judge ida --no-browser",
]
_ALSO_READ = {"review kept.tsv": "kept.tsv.karat-review", "wordnet": "wordnet/index.noun"}
_TOO_LONG = ("demo", "reproduce", "simulate")  # of the tests' calls: here a few of their own
_CALLS += ["simulate -o sim --tokens 100", "reproduce padro-1998", "reproduce melamed-2000 acedanski-2010 --quick"]
_RARE = ("attach evaluate", "attach train", "noise estimate", "report", "reproduce", "weights rules", "train", "grid")

# What files are, by their names: the first pattern that fits. The second word is how they are built.
_KINDS = (
    ("a-*/cells/*.conllu.gz", "kept result", "packed conllu"),
    ("*/cells/*.npz", "kept result", "zip"),
    ("a-*/*.json|some-folds/*.json", "kept result", "json"),
    ("*.karat-review", "review store", "bytes"),
    ("judged-*.tsv|again-*.tsv|half-*.tsv|few-all.tsv|open-*.tsv|sampled-*.tsv|kept.tsv", "worklist", "table"),
    ("*exceptions.tsv", "exceptions", "table"),
    ("coarse.tsv|nkjp.tsv", "map of tags", "table"),
    ("downward.tsv", "downward probabilities", "table"),
    ("gates-likely.tsv", "probabilities of tags", "table"),
    ("matrix.*", "confusion matrix", "table"),
    ("*items.json*", "items", "json"),
    ("baseline.json|known-suspects.json", "baseline", "json"),
    ("*.json", "result", "json"),
    ("uses.jsonl", "uses of rules", "json lines"),
    ("*grid.toml", "grid", "toml"),
    ("groups.toml|cascade.toml", "groups", "toml"),
    ("attach-rules.toml", "rules of attachment", "toml"),
    ("priors.toml", "priors", "toml"),
    ("conditional.toml", "weights", "toml"),
    ("*.toml", "tagset", "toml"),
    ("words.stats", "statistics of attachment", "model"),
    ("*.karat", "model", "model"),
    ("wordnet/*|lemmas.tab", "wordnet", "table"),
    ("senses.txt|classes.txt|dotted.txt|pairs.txt", "hierarchy", "text"),
    ("constraints.txt", "constraints", "text"),
    ("elimination.rules", "elimination rules", "text"),
    ("queries.*", "queries", "text"),
    ("*.fcfg", "grammar", "text"),
    ("*.prm", "parameters of EVALB", "text"),
    ("clusters*.txt", "clusters", "text"),
    ("punctuation.txt|parses.txt", "list of lines", "text"),
    ("words.txt|trees.txt|sentences.txt", "running text", "text"),
    ("*.conllu", "CoNLL-U", "conllu"),
    ("*.conllu.gz", "CoNLL-U", "packed conllu"),
    ("*.ptb", "bracketed trees", "brackets"),
    ("*.ptb.gz", "bracketed trees", "packed brackets"),
    ("*.key", "sense keys", "table"),
    ("*.xml|*.ccl", "XCES, CCL", "xml"),
    ("*.xml.xz", "XCES, CCL", "packed xml"),
    ("*.plain", "plain of Corpus2", "table"),
    ("*.krnnt", "KRNNT's table", "table"),
    ("*.dag|*.concraft", "DAG", "table"),
    ("*.txt|*.slashes", "word/TAG", "text"),
    ("*.tsv.bz2", "form TAB tag", "packed table"),
    ("*.tsv|*.tagged", "form TAB tag", "table"),
)
NO_FILE = "options only"
FOLDER = "/folder-of-the-run"  # stands in files for the folder that a call runs in


def kind_of(name: str) -> tuple[str, str]:
    """What a file is, and how it is built."""
    for patterns, kind, build in _KINDS:
        if any(fnmatch(name, pattern) for pattern in patterns.split("|")):
            return kind, build
    return "other", "bytes"


@dataclass(frozen=True)
class Call:
    """A call that karat understands, and the files that it reads, by their names in the folder."""

    arguments: tuple[str, ...]
    reads: tuple[str, ...]

    @property
    def is_rare(self) -> bool:
        """Whether the call takes so long that it is made seldom."""
        return " ".join(self.arguments).startswith(_RARE)


@dataclass(frozen=True)
class Inputs:
    """All files, by name, and all calls."""

    files: Mapping[str, bytes]

    @cached_property
    def calls(self) -> list[Call]:
        kept = [one.arguments for one in COMMANDS if one.arguments[0] not in _TOO_LONG]
        every = [*kept, *map(shlex.split, _CALLS)]
        every = [[*one, "--seconds", "0.2"] if "--grammar" in one else one for one in every]
        return [Call(tuple(one), tuple(self._read_by(one))) for one in every]

    @cached_property
    def calls_by_kind(self) -> dict[str, list[Call]]:
        """The calls that read files of each kind."""
        found: dict[str, list[Call]] = {}
        for call in self.calls:
            for kind in dict.fromkeys(kind_of(name)[0] for name in call.reads):
                found.setdefault(kind, []).append(call)
        return found

    @cached_property
    def names_by_build(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.files:
            found.setdefault(kind_of(name)[1], []).append(name)
        return found

    def _read_by(self, arguments: Sequence[str]) -> list[str]:
        parts = [part for one in arguments[1:] for part in re.split("[=,]", one)]
        written = " ".join(arguments)
        parts += [more for beginning, more in _ALSO_READ.items() if beginning in written]
        folders = {part: [name for name in self.files if name.startswith(f"{part}/")] for part in parts}
        found = [name for part in parts for name in ([part] if part in self.files else folders[part])]
        return sorted(set(found), key=found.index)


def made_inputs(folder: Path) -> Inputs:
    """The inputs, made in an empty folder, which then has nothing else in it."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        write_inputs(folder)
        write_judgements(_printed, folder)
        _write_more(folder)
    finally:
        os.chdir(before)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return Inputs({str(path.relative_to(folder)): path.read_bytes() for path in paths})


def _printed(*arguments: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(arguments)
    assert code == 0, arguments
    return out.getvalue()


def _write_more(folder: Path) -> None:
    import bz2
    import lzma

    for name, text in _TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    home = Path(karat.__file__).parent
    for name in _TAGSETS:
        shutil.copy(home / "tagsets" / "data" / name, folder)
    shutil.copy(home / "systems" / "groups" / "data" / "nkjp.toml", folder / "cascade.toml")
    trees = (folder / "gold.ptb").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "small.ptb").write_text("".join(trees[:3]), encoding="utf-8")
    (folder / "gold.conllu.gz").write_bytes(gzip.compress((folder / "gate.conllu").read_bytes(), mtime=0))
    (folder / "gold.xml.xz").write_bytes(lzma.compress((folder / "gold.xml").read_bytes()))
    (folder / "gold.tsv.bz2").write_bytes(bz2.compress((folder / "gold.tsv").read_bytes()))
    (folder / "items.json.gz").write_bytes(gzip.compress((folder / "items.json").read_bytes(), mtime=0))
    (folder / "small-grid.toml").write_text(
        'corpora = ["UD_One"]\ntests = ["UD_Two"]\nseeds = 1\nmeasures = ["UPOS"]\n[[systems]]\nname = "mine"\n'
        'train = ["cp", "{train}", "{model}"]\ntag = ["cp", "{input}", "{output}"]\n'
        '[[systems]]\nname = "most-frequent"\noptions = {suffixes = true}\n'
    )
    for line in (
        "train most-frequent gold.conllu -o most.karat",
        "train brill gate.conllu -o brill.karat --threshold 1",
        "train perceptron gate.conllu -o perceptron.karat --epochs 1",
        "train relaxation gate.conllu -o relaxed.karat --constraints BTC",
        "train layered-trees gold.tagged -o layered.karat --column xpos --tagset nkjp",
        "attach train gold.conllu --stats words.stats -o attach-small.karat --max-words 8",
    ):
        _printed(*shlex.split(line))
    (folder / "every.json").write_text(_printed(*shlex.split(f"compare {_FEW} gold.ptb a=ada.ptb b=bix.ptb --json")))
    _write_store(folder)
    for path in folder.glob("*/cells/*.json"):
        _forget_run(path, folder)


def _write_store(folder: Path) -> None:
    """A list that was judged on the page, and what the page keeps beside it."""
    import time
    from unittest.mock import patch

    from karat.review.store import ReviewStore

    shutil.copy(folder / "judged-one.tsv", folder / "kept.tsv")
    lines = (folder / "kept.tsv").read_text(encoding="utf-8").splitlines()
    items = [line.split("\t")[0] for line in lines if line.startswith("w")]
    path = folder / "kept.tsv.karat-review"
    with patch.object(time, "time", return_value=1.7e9), ReviewStore(path, items) as store:
        for number, item in enumerate(items[:9]):
            store.decide("", item, "ab"[number % 2], request=f"request {number}")


def _forget_run(path: Path, folder: Path) -> None:
    """What a cell cost is another each time, and so is the folder; the fuzzer must have the same files each time."""
    cell = json.loads(path.read_text(encoding="utf-8").replace(str(folder), FOLDER))
    cell |= {"train_seconds": 0.25, "tag_seconds": 0.125, "tokens_per_second": 64.0, "peak_bytes": 300_000_000}
    path.write_text(json.dumps(cell, ensure_ascii=False), encoding="utf-8")
