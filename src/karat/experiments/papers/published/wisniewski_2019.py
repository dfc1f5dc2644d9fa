"""Every number of Wisniewski & Yvon 2019, with ours.

Repeats, divergence and counts are of the English and French treebanks of UD 2.3 that may be had: there, much comes out
as printed, under readings that `karat.gold.repeats` names. Error rates are of karat's tagger, not the paper's. What the
paper prints over all 129 treebanks has another number here, where one can be given at all. Figures 2 and 3
are curves and bars without numbers; of them there are only the percentages of sections 5 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from karat.experiments.papers import wisniewski_2019_prints as prints
from karat.experiments.papers.published import wisniewski_2019_claims as claims, wisniewski_2019_tables as tables
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
_RUNS = "karat has three unless more are asked for"
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
    yield _given("Table 1", "training sessions", str(prints.RUNS), why=_RUNS, command=f"{RUN} --seeds 10")
    yield from _treebanks(here)
    yield from _tagger(evidence)
    yield from _repeats(here)
    yield from tables.table_4(here)
    yield from tables.table_5(here)
    yield from _caption_of_table_5(here)
    yield claims.larger_than_in_the_wsj()
    yield from tables.table_6(here)
    yield from claims.more_variation_across_treebanks()
    yield from _divergence(here)
    yield from tables.table_7(here)
    yield from tables.figure_1(here)
    yield from _totals(here)
    yield from claims.totals_by_table_8()
    yield from _errors(evidence)
    yield from _ignoring(evidence)
    yield from claims.correction_by_table_1()
    yield from tables.table_8(here)


def _introduction() -> Iterator[PublishedNumber]:
    rates = prints.TABLE_1.values()
    why = "the largest and the smallest error rate of Table 1: 55.7/2.8"
    printed = f"more than {prints.FACTOR}"
    ours = max(rates) / min(rates)
    yield _counted("Section 1", "factor between error rates", printed, "misprint", ours, why, relation="above")
    of, n = "treebanks of French", len(prints.TREEBANKS["French"][1])
    why = "the columns of Table 1, with Old French (SRCMF), and PUD, which is only a test set"
    yield _counted("Section 1", of, "seven treebanks", ours=n, why=why, worked="7")


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
        elif of in _OF_FIGURE:
            tests = prints.TREEBANKS[_OF_FIGURE[of]][1]
            yield _counted(
                "Section 2",
                of,
                printed,
                ours=len(tests),
                why=f"the columns of {'Table 1' if 'French' in of else 'Figure 1'}",
            )
        else:
            yield _impossible("Section 2", of, printed, why=_ELSEWHERE)
    for where, of, printed in (
        ("Footnote 3", "treebanks annotated with these tags by hand", str(prints.NATIVE_TREEBANKS)),
        ("Footnote 4", "contributors to one corpus only", prints.ONE_CORPUS),
        ("Footnote 4", "treebanks of which all contributors made one", prints.ALL_IN_ONE),
    ):
        yield _impossible(where, of, printed, why=_ELSEWHERE)


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
        yield _given("Section 2", of, "two", why=why, command=RUN, worked="2")
    ours = evidence.number("Section 2", "mean accuracy in-domain", times=100)
    why = "karat's tagger on the 7 treebanks here that have a train set, not the paper's on all"
    yield _trained(
        "Section 2", "mean accuracy of the tagger, %", f"{100 * prints.MEAN_ACCURACY:.2f} %", ours=ours, why=why
    )
    yield _given("Section 2", "mean accuracy of UDPipe 1.2, %", prints.UDPIPE_ACCURACY, why="cited from another paper")
    yield _given("Section 2", "runs", str(prints.RUNS), why=_RUNS, command=f"{RUN} --seeds 10")


# ---- section 3 -------------------------------------------------------------------------------------------------------


def _repeats(here: UdTreebanks) -> Iterator[PublishedNumber]:
    examples = here.examples_of_table_2
    n_here = None if examples is None else sum(name == "EWT" for name, _ in examples)
    why = "the first and the third are from the train part of ParTUT"
    row = partial(PublishedNumber, needs="data")
    of, printed = "examples from EWT, of three", "in the English Web Treebank (EWT) corpus"
    yield row("Table 2", of, printed, "misprint", n_here, why, EXAMPLES, worked="3")
    reading = here.reading_of_table_5
    ours = None if reading is None else reading[0]
    why = "a definition that the numbers do not follow: Table 5 comes out only if repeats inside one sentence count"
    yield row("Section 3", "sentences that a repeat is in, at least", "two", "misprint", ours, why, TABLE_5, worked="2")
    two, same = partial(_given, "Section 3", printed="two", worked="2"), "karat's definition, too"
    yield two("annotations of a suspicious repeat, at least", why=same, command=BETWEEN)
    yield two("heuristics", why="length and disjoint labels", command=TABLE_4)
    shortest = None if examples is None else min(length for _, length in examples)
    why = "the longest repeats with the examples' words"
    printed = f"at least {prints.LONGEST_EXAMPLES}"
    yield row(
        "Section 3", "words of the repeats in Table 2", printed, "equal", shortest, why, EXAMPLES, relation="at least"
    )
    yield two("corpora with disjoint labels, at least", why=same, command=BETWEEN)
    yield from claims.disjoint_heuristic()
    of, printed = "examples from EWT and PUD, of two", "between the English EWT and PUD corpora"
    ours, why = here.examples_of_table_3, "both are suspicious repeats of the two"
    yield row("Table 3", of, printed, "equal", ours, why, BETWEEN, worked="2")
    labels = here.labels_of("n't", "EWT", "train")
    share = None if labels is None else 100 * labels.get("PART", 0) / sum(labels.values())
    why = "645 times"
    yield row("Section 3", "n't in EWT that is a particle, %", "always", "equal", share, why, BETWEEN, worked="100")
    labels = here.labels_of("n't", "PUD", "test")
    n_labels, why = None if labels is None else len(labels), "PART 16 times, ADV once"
    of, printed = "labels of n't in PUD", "either as particle or an adverb"
    yield row("Section 3", of, printed, "equal", n_labels, why, BETWEEN, worked="2")


def _caption_of_table_5(here: UdTreebanks) -> Iterator[PublishedNumber]:
    ours = None if here.reading_of_table_5 is None else here.reading_of_table_5[1]
    why = "the shares of sentences come out for 5 words or more in all five treebanks, and for no other length"
    row = partial(PublishedNumber, "Table 5", printed="at least three words", worked="3", command=TABLE_5, needs="data")
    yield row("share of sentences: words of a repeat, at least", status="misprint", ours=ours, why=why)
    why = "the shares of these repeats that are not consistent come out for 3 words, and for no other length up to 6"
    ours = here.words_of_inconsistent_repeats
    yield row("inconsistent repeats: words of a repeat, at least", ours=ours, why=why)


# ---- sections 4 to 6 -------------------------------------------------------------------------------------------------


def _divergence(here: UdTreebanks) -> Iterator[PublishedNumber]:
    why = "karat takes as many"
    yield _given("Section 4.2", "n-grams, at most of so many words", "1-gram and 2-gram", why=why, command=DIVERGE)
    from karat.gold.divergence.diverge import FEATURES

    why = "words, labels, and words with their labels"
    yield _given("Section 4.2", "sets of features", "three", ours=len(FEATURES), why=why, command=DIVERGE, worked="3")
    yield claims.sentence_pairs()
    why = "karat makes as many"
    yield _given("Section 4.2", "splits", str(prints.SPLITS), why=why, command=DIVERGE)
    ours, printed = here.largest_ratio, f"as large as {prints.LARGEST_RATIO}"
    yield _here(
        "Footnote 9",
        "ratio of the sizes of two corpora",
        printed,
        ours=ours,
        command=DIVERGE,
        relation="at most",
    )


def _totals(here: UdTreebanks) -> Iterator[PublishedNumber]:
    of = {"matches": "", "of_3_words": ", 3 words or more", "of_5_words": ", 5 words or more", "disjoint": ", disjoint"}
    ours = here.totals or (None,) * 4
    for (name, printed), found in zip(prints.TOTALS.items(), ours, strict=True):
        yield _here("Section 5", f"suspicious repeats{of[name]}", f"{printed:,}", ours=found, why=_HERE, command=QUICK)


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
    why = "karat has the same: disjoint, size, none"
    yield _given("Section 6", "filters", "three", ours=filters, why=why, command=RUN, worked="3")
    why = "“three and more words” later in the section, and size=3 in Table 4, which has them"
    of = "words of the shortest repeats that the size filter keeps"
    yield _counted("Section 6", of, "more than three words", "misprint", 3, why, relation="above", worked="3")
    for name, share in prints.BEATS_IN_DOMAIN.items():
        kept = "disjoint" if name == "disjoint" else "3 words or more"
        of = f"{kept}, conditions in which ignoring beats in-domain, %"
        ours = evidence.number("Section 6", f"conditions: ignoring beats in-domain, {name}", times=100)
        why = "karat's tagger on English and French, not all languages"
        yield _trained("Section 6", of, f"more than {100 * share:.0f} %", ours=ours, why=why, relation="above")
    for of, printed in prints.CORRECTED.items():
        yield _impossible("Section 6", of, printed, why=_UNSEEN)
    of = "error rate on FTB that ignores repeats of three words and more, close to that after correction, %"
    yield _impossible("Section 6", of, "close", why=_UNSEEN, worked="5.11")
    of = "words of these repeats, at least"
    why = "the size filter of Table 4, and of the section's beginning, which says “more than three words”"
    yield _given("Section 6", of, "three and more words", why=why, command=RUN, worked="3")
