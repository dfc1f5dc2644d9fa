"""Every number of Wisniewski & Yvon 2019, with ours.

Repeats, divergence and counts are of the English and French treebanks of UD 2.3 that may be had: there, much comes out
as printed, under readings that `karat.gold.repeats` names. Error rates are of karat's tagger, not the paper's. What the
paper prints over all 129 treebanks has another number here, where one can be given at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from karat.experiments.papers import wisniewski_2019_prints as prints
from karat.experiments.papers.published import wisniewski_2019_tables as tables
from karat.experiments.papers.published.numbers import PaperEvidence, PaperFigure, PublishedNumber
from karat.experiments.papers.published.wisniewski_2019_commands import (
    BETWEEN,
    DIVERGE,
    EXAMPLES,
    FROM_PRINT,
    QUICK,
    RUN,
    TABLE_4,
    TABLE_5,
)

if TYPE_CHECKING:
    from karat.experiments.papers.published.wisniewski_2019_treebanks import UdTreebanks

TITLE = "Wisniewski & Yvon 2019, How Bad are PoS Taggers in Cross-Corpora Settings?"
_HERE = "of the English and French treebanks here, not of all 129"
_ELSEWHERE = "about all 129 treebanks of UD 2.3, of which 11 are here"
_UNSEEN = "FTB has no words in UD, and the corrected files are missing"

_given = partial(PublishedNumber, status="given")
_counted = partial(PublishedNumber, command=FROM_PRINT)  # from the paper's own numbers
_impossible = partial(PublishedNumber, status="not runnable")
_here = partial(PublishedNumber, status="other data", why=_HERE, needs="data")
_trained = partial(PublishedNumber, status="other data", command=RUN, needs="training")


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """The paper's numbers in its order, with ours."""
    from karat.experiments.papers.published.wisniewski_2019_treebanks import UdTreebanks

    here = UdTreebanks(evidence)
    if evidence.experiment is None:  # which has the figure, too
        title = "Figure 1: how well treebanks are told apart"
        evidence.figures += [
            PaperFigure(f"{title}, {language}", title, one) for language, one in here.divergences.items()
        ]
    yield from _introduction()
    yield from tables.table_1(evidence)
    yield from _treebanks(here)
    yield from _tagger(evidence)
    yield from _repeats(here)
    yield from tables.table_4(here)
    yield from tables.table_5(here)
    yield from _caption_of_table_5(here)
    yield from tables.table_6(here)
    yield from _divergence(here)
    yield from tables.table_7(here)
    yield from tables.figure_1(here)
    yield from _totals(here)
    yield from _errors(evidence)
    yield from _ignoring(evidence)
    yield from tables.table_8(here)


def _introduction() -> Iterator[PublishedNumber]:
    rates = prints.TABLE_1.values()
    why = "the largest and the smallest error rate of Table 1: 55.7/2.8"
    printed = f"more than {prints.FACTOR}"
    ours = max(rates) / min(rates)
    yield _counted("Section 1", "factor between error rates", printed, "misprint", ours, why, relation="above")


# ---- section 2 -------------------------------------------------------------------------------------------------------


def _treebanks(here: UdTreebanks) -> Iterator[PublishedNumber]:
    why = "karat looks for a folder of this release"
    yield _given("Section 2", "release of Universal Dependencies", prints.RELEASE, why=why, command=RUN)
    sizes = here.sizes or {"train": [], "test": []}
    n_pairs, across = len(here.pairs) or None, sum(one != other for one, other in here.pairs) or None
    ours = {
        "sentences of the smallest train set": min(sizes["train"], default=None),
        "sentences of the largest train set": max(sizes["train"], default=None),
        "sentences of the smallest test set": min(sizes["test"], default=None),
        "sentences of the largest test set": max(sizes["test"], default=None),
        "pairs of a train and a test set of a language": n_pairs,
        "pairs across corpora, run again": across,
    }
    for of, n in prints.UD.items():
        printed = f"{n:,}"
        if of == "pairs across corpora":
            yield _across(of, printed)
            of = f"{of}, run again"
        if of in ours:
            yield _here("Section 2", of, printed, ours=ours[of], command=DIVERGE)
        elif of.partition(" (")[0] in _OF_FIGURE:
            tests = prints.TREEBANKS[_OF_FIGURE[of.partition(" (")[0]]][1]
            yield _counted(
                "Section 2",
                of,
                printed,
                ours=len(tests),
                why=f"the columns of {'Table 1' if 'French' in of else 'Figure 1'}",
            )
        else:
            yield _impossible("Section 2", of, printed, why=_ELSEWHERE)
    for of, printed in (
        ("treebanks annotated with these tags by hand (footnote 3)", str(prints.NATIVE_TREEBANKS)),
        ("contributors to one corpus only, almost (footnote 4)", prints.ONE_CORPUS),
        ("treebanks of which all contributors made one, more than (footnote 4)", prints.ALL_IN_ONE),
    ):
        yield _impossible("Section 2", of, printed, why=_ELSEWHERE)


_OF_FIGURE = {"test sets of French": "French", "test sets of English": "English"}


def _across(of: str, printed: str) -> PublishedNumber:
    every, trains = (
        prints.UD[name] for name in ("pairs of a train and a test set of a language", "treebanks with a train set")
    )
    why = "290 pairs, of which 97 are a treebank with itself: 193; one of the three numbers is wrong"
    return _counted("Section 2", of, printed, "misprint", every - trains, why)


def _tagger(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    why = "karat's features=paper has them"
    for of in ("words before and behind a word, each, as features", "labels before a word, as features"):
        yield _given("Section 2", of, "two (2)", why=why, command=RUN)
    ours = evidence.number("Section 2", "mean accuracy in-domain", times=100)
    why = "karat's tagger on the 7 treebanks here that have a train set, not the paper's on all"
    yield _trained(
        "Section 2", "mean accuracy of the tagger, %", f"{100 * prints.MEAN_ACCURACY:.2f} %", ours=ours, why=why
    )
    yield _given("Section 2", "mean accuracy of UDPipe 1.2, %", prints.UDPIPE_ACCURACY, why="cited from another paper")
    why = "karat has three unless more are asked for"
    yield _given("Section 2", "runs (also Table 1)", str(prints.RUNS), why=why, command=f"{RUN} --seeds 10")


# ---- section 3 -------------------------------------------------------------------------------------------------------


def _repeats(here: UdTreebanks) -> Iterator[PublishedNumber]:
    examples = here.examples_of_table_2
    n_here = None if examples is None else sum(name == "EWT" for name, _ in examples)
    why = "the first and the third are from the train part of ParTUT"
    row = partial(PublishedNumber, needs="data")
    yield row("Table 2", "examples from EWT, all by the caption", "three (3)", "misprint", n_here, why, EXAMPLES)
    reading = here.reading_of_table_5
    ours = None if reading is None else reading[0]
    why = "a definition that the numbers do not follow: Table 5 comes out only if repeats inside one sentence count"
    yield row("Section 3", "sentences that a repeat is in, at least", "two (2)", "misprint", ours, why, TABLE_5)
    same = "karat's definition, too"
    yield _given("Section 3", "annotations of a suspicious repeat, at least", "two (2)", why=same, command=BETWEEN)
    yield _given("Section 3", "heuristics", "two (2)", why="length and disjoint labels", command=TABLE_4)
    shortest = None if examples is None else min(length for _, length in examples)
    why = "the longest repeats with the examples' words"
    printed = f"at least {prints.LONGEST_EXAMPLES}"
    yield row(
        "Section 3", "words of the repeats in Table 2", printed, "equal", shortest, why, EXAMPLES, relation="at least"
    )
    yield _given("Section 3", "corpora with disjoint labels, at least", "two (2)", why=same, command=BETWEEN)
    of, why = "examples from EWT and PUD", "both are suspicious repeats of the two"
    yield row("Table 3", of, "two (2)", "equal", here.examples_of_table_3, why, BETWEEN)
    labels = here.labels_of("n't", "EWT", "train")
    share = None if labels is None else 100 * labels.get("PART", 0) / sum(labels.values())
    why = "645 times"
    yield row("Section 3", "n't in EWT that is a particle, %", "always (100)", "equal", share, why, BETWEEN)
    labels = here.labels_of("n't", "PUD", "test")
    n_labels, why = None if labels is None else len(labels), "PART 16 times, ADV once"
    yield row("Section 3", "labels of n't in PUD", "either … or (2)", "equal", n_labels, why, BETWEEN)


def _caption_of_table_5(here: UdTreebanks) -> Iterator[PublishedNumber]:
    ours = None if here.reading_of_table_5 is None else here.reading_of_table_5[1]
    why = "the shares of sentences come out for 5 words or more in all five treebanks, and for no other length"
    of = "words of a repeat, at least, in the share of sentences"
    yield PublishedNumber("Table 5", of, "three (3)", "misprint", ours, why, TABLE_5, "data")


# ---- sections 4 to 6 -------------------------------------------------------------------------------------------------


def _divergence(here: UdTreebanks) -> Iterator[PublishedNumber]:
    why = "karat takes as many"
    yield _given("Section 4.2", "n-grams, at most of so many words", "1-gram and 2-gram", why=why, command=DIVERGE)
    from karat.gold.divergence.diverge import FEATURES

    why = "words, labels, and words with their labels"
    yield _given("Section 4.2", "sets of features", "three (3)", ours=len(FEATURES), why=why, command=DIVERGE)
    why = "karat makes as many"
    yield _given("Section 4.2", "splits", str(prints.SPLITS), why=why, command=DIVERGE)
    ours, printed = here.largest_ratio, f"as large as {prints.LARGEST_RATIO}"
    yield _here(
        "Section 4.2",
        "ratio of the sizes of two corpora (footnote 9)",
        printed,
        ours=ours,
        command=DIVERGE,
        relation="at most",
    )


def _totals(here: UdTreebanks) -> Iterator[PublishedNumber]:
    of = {"matches": "", "of_3_words": ", 3 words or more", "of_5_words": ", 5 words or more", "disjoint": ", disjoint"}
    ours = here.totals or (None,) * 4
    sums = "the paper's own Table 8 has fewer, 57,597 of 3 words and more, 3,113 of 5; dev parts may be one reason"
    for (name, printed), found in zip(prints.TOTALS.items(), ours, strict=True):
        why = f"{_HERE}; {sums}" if "words" in name else _HERE
        yield _here("Section 5", f"suspicious repeats{of[name]}", f"{printed:,}", ours=found, why=why, command=QUICK)


def _errors(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    why = "karat's tagger, over 11 treebanks of English and French, not all languages"
    ours = evidence.number("Section 5", "correlation with errors, all repeats")
    of = "correlation of error rates and suspicious repeats"
    yield _trained("Section 5", of, str(prints.CORRELATION), ours=ours, why=why)
    for (language, which), share in prints.WITH_ERROR.items():
        filtered = "" if which == "all" else f", {which}"
        of, name = f"{language}{filtered}, suspicious repeats with an error, %", f"{language}, {which}"
        for treebanks, suffix in (("", ""), (" (treebanks of Figure 3)", " (Fig. 3)")):
            ours = evidence.number("Section 5", f"repeats with an error, {name}{suffix}", times=100)
            why = f"karat's tagger, without {'ESL' if language == 'English' else 'FTB and the train part of GSD'}"
            yield _trained("Section 5", f"{of}{treebanks}", f"{100 * share:.1f} %", ours=ours, why=why)


def _ignoring(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    filters = len(prints.BEATS_IN_DOMAIN) + 1
    yield _given(
        "Section 6", "filters", "three (3)", ours=filters, why="karat has the same: disjoint, size, none", command=RUN
    )
    why = "“three and more words” later in the section, and size=3 in Table 4, which has them"
    of = "words of the shortest repeats that the size filter keeps"
    yield _counted("Section 6", of, "more than three (3)", "misprint", 3, why, relation="above")
    for name, share in prints.BEATS_IN_DOMAIN.items():
        kept = "disjoint" if name == "disjoint" else "3 words or more"
        of = f"{kept}, conditions in which ignoring beats in-domain, %"
        ours = evidence.number("Section 6", f"conditions: ignoring beats in-domain, {name}", times=100)
        why = "karat's tagger on English and French, not all languages"
        yield _trained("Section 6", of, f"more than {100 * share:.0f} %", ours=ours, why=why, relation="above")
    for of, printed in prints.CORRECTED.items():
        yield _impossible("Section 6", of, printed, why=_UNSEEN)
