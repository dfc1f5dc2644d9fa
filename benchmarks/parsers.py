"""Grammars of GUM's trees, and parses by them beside NLTK's ViterbiParser, which is given the same grammar.

Trained on nine of ten documents; what is parsed is of the others, with gold tags. The grammars are A (vertical order 1)
and B (vertical order 2), both of horizontal order 2 and smoothed as karat does it by default. NLTK gets all their rules
and probabilities, and a rule of probability 1 from each tag to a word of its own; it takes minutes, so that it is run
once, on a few short sentences. Its parses must be as likely as karat's. karat's time has the trees' text in it.

Sentences that are longer than GUM's are several joined; they may have no parse, which makes filling the chart no
shorter.

disco-dop, a compiled parser, takes part with the same grammar if `DISCO_DOP_PYTHON` names a Python that has it. PyPI's
newest release (0.5.2) has C files that Python 3.11 cannot compile, without the sources to make them anew. Python 3.6
can, with pip 21: `pip install numpy==1.19.5 roaringbitmap==0.6`, then `pip install --no-build-isolation --no-deps
disco-dop`. It keeps all ways to make each symbol for its k best parses, karat the best way only. Other compiled parsers
could not be given the same grammar: bllipparser has a model of its own, and torch-struct wants dense tensors, 18 GB for
the symbols of A.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from _measuring import DATA, Task, comparison_table, growth_table, measured, memory_table, peak_memory, warm

GUM = DATA / "gum-const"
GRAMMARS = {"1": "A, vertical order 1", "2": "B, vertical order 2"}
SHORT = (5, 6, 7, 8, 9, 10, 11, 12, 13, 15)  # words of the sentences that NLTK parses, too
LENGTHS = (10, 20, 30, 40, 60, 80)
N_EACH = 8  # sentences of each length
OF_DISCO_DOP = 30  # words of the sentences that disco-dop parses, too
TOLERANCE = 1e-6  # of logarithms of probabilities
MOST_BYTES = 500e6
MOST_EXPONENT = 3.0

Sentence = tuple[str, ...]  # tags: the words do not matter


@cache
def trees(part: str) -> Any:
    """The trees of every tenth document ("test"), or of the others ("train")."""
    from karat.systems.parser_training import read_trees

    files = sorted(GUM.glob("*.ptb"))
    test = files[::10]
    return read_trees(test if part == "test" else [file for file in files if file not in test])


def karat_training(vertical: str) -> Any:
    from karat.systems.options import PcfgOptions
    from karat.systems.pcfg.parser import ParseOptions, Pcfg

    found = Pcfg.trained(trees("train"), PcfgOptions(vertical=int(vertical), horizontal=2))
    found.prepare(ParseOptions())
    return found


@cache
def parser(vertical: str) -> Any:
    return karat_training(vertical)


# ---- sentences -------------------------------------------------------------------------------------------------------


@cache
def sentences() -> list[Sentence]:
    """The tags of the test sentences, traces left out; without sentences that have a tag that is new."""
    read = trees("test")
    kept = ~read.traces
    tags = read.tags[np.flatnonzero(kept)].strings()
    bounds = itertools.pairwise(np.append(0, np.cumsum(read.tally_words(kept))).tolist())
    found = (tuple(tags[first:last]) for first, last in bounds if last > first)
    return [one for one in found if all(map(parser("1").knows_tag, one))]


@cache
def short_sentences() -> list[Sentence]:
    """The first test sentence of each of some small numbers of words."""
    return [next(one for one in sentences() if len(one) == n) for n in SHORT]


@cache
def sentences_of(n_words: int) -> list[Sentence]:
    """Test sentences of that many words give or take 5 %; where there are too few, sentences in a row, joined."""
    margin = n_words // 20
    found: list[Sentence] = [one for one in sentences() if abs(len(one) - n_words) <= margin]
    joined: Sentence = ()
    for one in sentences():
        joined = (*joined, *one) if len(joined) + len(one) <= n_words + margin else one
        if abs(len(joined) - n_words) <= margin and joined != one:
            found.append(joined)
            joined = ()
    assert len(found) >= N_EACH
    return found[:N_EACH]


# ---- parsing ---------------------------------------------------------------------------------------------------------


def karat_parses(vertical: str, of: str) -> Any:
    """The parses of short sentences, of those of a length, or of all."""
    chosen = {"short": short_sentences, "all": sentences}.get(of, lambda: sentences_of(int(of)))()
    return [parser(vertical).parse(one, one) for one in chosen]


@cache
def nltk_parser(vertical: str) -> Any:
    from nltk.grammar import PCFG, Nonterminal, ProbabilisticProduction
    from nltk.parse import ViterbiParser

    grammar = parser(vertical).grammar
    symbols = [Nonterminal(name) for name in grammar.names]
    rules = [
        ProbabilisticProduction(symbols[tag], [_word(grammar.names[tag])], prob=1) for tag in range(grammar.n_tags)
    ]
    for rows, scores in ((grammar.unary, grammar.unary_scores), (grammar.binary, grammar.binary_scores)):
        for (parent, *children), score in zip(rows.tolist(), scores.tolist(), strict=True):
            right = [symbols[child] for child in children]
            rules.append(ProbabilisticProduction(symbols[parent], right, prob=math.exp(score)))
    return ViterbiParser(PCFG(symbols[grammar.start], rules), max_time=None)  # 5 s by default


def _word(tag: str) -> str:
    return f"{tag}-word"


def nltk_parses(vertical: str) -> Any:
    return [next(nltk_parser(vertical).parse([_word(tag) for tag in one]), None) for one in short_sentences()]


def nltk_task(vertical: str) -> tuple[Task, Any]:
    """What NLTK takes, run once in this process, and its parses."""
    nltk_parser(vertical)
    start = time.process_time()
    found = nltk_parses(vertical)
    task = Task("NLTK ViterbiParser, once", [], is_warm=True, goal=200)
    task.seconds, task.peak = [time.process_time() - start], peak_memory()
    return task, found


def agreement_line(parses: Any, others: list[float]) -> list[str]:
    """How many parses karat and another parser find, and that they are as likely.

    The others are logarithms of probabilities, −∞ where there is no parse.
    """
    pairs = zip([one.log_probability for one in parses], others, strict=True)
    apart = max(0.0 if ours == theirs else abs(ours - theirs) for ours, theirs in pairs)
    if not apart <= TOLERANCE:
        raise SystemExit(f"logarithms of probabilities are {apart:g} apart")
    n_found = sum(not one.is_missing for one in parses)
    return [
        f"Both find {n_found} parses; logarithms of probabilities are at most {apart:.0e} apart; goal ≤ {TOLERANCE:g}, "
        "met.",
        "",
    ]


TASKS = (karat_training, karat_parses)


# ---- disco-dop -------------------------------------------------------------------------------------------------------


def disco_dop_task(vertical: str, n_words: int, folder: Path) -> Task:
    """disco-dop's parses of the sentences of a length, in a process of its own."""
    grammar = parser(vertical).grammar
    number = {name: place for place, name in enumerate(grammar.names)}
    scores = np.append(grammar.unary_scores, grammar.binary_scores)
    path = folder / f"disco-dop-{vertical}-{n_words}.json"
    of = {
        "rules": [*grammar.unary.tolist(), *grammar.binary.tolist()],
        "weights": np.exp(scores).tolist(),
        "n_tags": grammar.n_tags,
        "start": grammar.start,
        "sentences": [[number[tag] for tag in one] for one in sentences_of(n_words)],
    }
    path.write_text(json.dumps(of), encoding="utf-8")
    command = [os.environ["DISCO_DOP_PYTHON"], str(Path(__file__).with_name("_disco_dop.py")), str(path)]
    return Task("disco-dop", command, is_warm=True)


def disco_dop_table(vertical: str, n_words: int, folder: Path) -> list[str]:
    theirs = disco_dop_task(vertical, n_words, folder)
    ours = warm("karat", karat_parses, 3, vertical, n_words)
    printed = json.loads(subprocess.check_output(theirs.command))
    others = [-math.inf if score is None else score for score in printed["scores"]]
    agreement = agreement_line(karat_parses(vertical, str(n_words)), others)
    title = f"Parse {N_EACH} unseen sentences of {n_words} words with grammar {GRAMMARS[vertical]}, warm"
    return [*comparison_table(title, measured([ours, theirs], 2)), *agreement]


# ---- tables ----------------------------------------------------------------------------------------------------------


def nltk_table(vertical: str) -> list[str]:
    (ours,) = measured([warm("karat", karat_parses, 20, vertical, "short")], 3)
    theirs, nltk = nltk_task(vertical)
    grammar = parser(vertical).grammar
    title = (
        f"Parse {len(SHORT)} unseen sentences of {SHORT[0]} to {SHORT[-1]} words with grammar {GRAMMARS[vertical]} "
        f"({len(grammar.unary) + len(grammar.binary):,} rules), warm"
    )
    likely = [-math.inf if tree is None else math.log(tree.prob()) for tree in nltk]
    return [*comparison_table(title, [ours, theirs]), *agreement_line(karat_parses(vertical, "short"), likely)]


def training_table() -> list[str]:
    tasks = measured([warm(name, karat_training, 10, vertical) for vertical, name in GRAMMARS.items()], 4)
    n_words = trees("train").n_text_words
    speeds = " and ".join(f"{n_words / task.best:,.0f}" for task in tasks)
    lines = growth_table(f"Read a grammar off GUM's trees ({n_words:,} words), warm", "grammar", tasks)
    return [*lines, f"{speeds} words per CPU second.", ""]


def length_table(vertical: str, tasks: list[Task]) -> list[str]:
    """Seconds over sentences' lengths, words per second, and the exponent that fits."""
    words = [sum(map(len, sentences_of(n))) for n in LENGTHS]
    seconds = [task.best / N_EACH for task in tasks]
    rows = [
        f"| {n} | {1000 * took:.2f} | {took / seconds[0]:.1f} | {of_all / task.best:,.0f} | {task.peak / 1e6:.0f} |"
        for n, of_all, took, task in zip(LENGTHS, words, seconds, tasks, strict=True)
    ]
    exponent = float(np.polyfit(np.log(np.array(words) / N_EACH), np.log(seconds), 1)[0])
    verdict = "met" if exponent <= MOST_EXPONENT else "NOT met"
    return [
        f"## Growth: parsing with grammar {GRAMMARS[vertical]}, {N_EACH} sentences of each length, warm",
        "",
        "| words | CPU ms per sentence | × first | words per CPU s | peak MB |",
        "|---:|---:|---:|---:|---:|",
        *rows,
        "",
        f"CPU seconds grow as n^{exponent:.2f}; goal about n^{MOST_EXPONENT:g} or less, {verdict}.",
        "",
    ]


def tables(folder: Path) -> list[str]:
    lines = training_table()
    by_length: dict[str, list[Task]] = {}
    for vertical in GRAMMARS:
        tasks = [warm(f"{n} words", karat_parses, max(4, 400 // n), vertical, n) for n in LENGTHS]
        by_length[vertical] = measured(tasks, 4)  # short ones take a moment only, in which a busy machine may be slow
        lines += length_table(vertical, tasks)
    longest = by_length["2"][-1]
    lines += memory_table(f"Grammar B, sentences of {LENGTHS[-1]} words, in less than 500 MB", longest, MOST_BYTES)
    every = measured([warm(name, karat_parses, 1, vertical, "all") for vertical, name in GRAMMARS.items()], 2)
    n_words = sum(map(len, sentences()))
    lines += growth_table(f"Parse {len(sentences()):,} unseen sentences ({n_words:,} words), warm", "grammar", every)
    speeds = " and ".join(f"{n_words / task.best:,.0f}" for task in every)
    lines += [f"{speeds} words per CPU second.", ""]
    for vertical in GRAMMARS:
        lines += nltk_table(vertical)
        if "DISCO_DOP_PYTHON" in os.environ:
            lines += disco_dop_table(vertical, OF_DISCO_DOP, folder)
    return lines
