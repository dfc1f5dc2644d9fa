"""Does `karat diverge` find differences where there are none? Corpora drawn from one, and from two that differ.

`calibration.py` runs this for docs/calibration.md, 1,000 pairs of corpora for each row (needs the data). With no
difference, the documents of one treebank are dealt to two corpora at random, or
documents are simulated, each with a strong topic of its own: a test that keeps its promise finds a difference in 5 % of
the pairs. With a difference, documents are drawn from EWT and from GUM, or from two kinds of text in EWT: an interval
that keeps its promise holds the accuracy found on average in 95 % of the pairs. The paper's procedure, halves of
sentences, stands beside, over the first 200 pairs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import numpy as np

import karat
from karat._arrays import Floats, Indices
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.gold.divergence.classifiers import halves, split_accuracy
from karat.gold.divergence.diverge import FEATURES
from karat.gold.divergence.document_pairs import document_pair
from karat.gold.divergence.document_test import document_test
from karat.gold.divergence.ngrams import ngram_space, text_numbers
from karat.gold.divergence.paper_procedure import splits_interval

DATA = Path(os.environ.get("KARAT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")) / "ud-2.3"
LEVEL, N_PERMUTATIONS, N_SPLITS, N_OF_PAPER = 0.95, 99, 20, 200
N_TOPICS, N_TOPIC_WORDS, N_COMMON_WORDS, N_WORDS = 400, 40, 2000, 12  # words in a sentence


@dataclass(frozen=True)
class Text:
    """Documents: where each begins, in sentences; the texts of these, by number; and their n-grams by features."""

    document_offsets: Indices
    texts: Indices
    ngrams: Mapping[str, Ragged]

    def taken(self, documents: Indices) -> Text:
        """Some of the documents."""
        places, sizes = places_of_rows(self.document_offsets, documents)
        return Text(
            offsets_of(sizes), self.texts.take(places), {name: one.taken(places) for name, one in self.ngrams.items()}
        )


@dataclass(frozen=True)
class Setting:
    """A way to draw two corpora; `is_null` if they do not differ."""

    name: str
    draw: Callable[[np.random.Generator], tuple[Text, Text]]
    is_null: bool
    features: tuple[str, ...] = FEATURES
    n_splits: int = N_SPLITS


@dataclass(frozen=True)
class Found:
    """What was found in each pair of corpora [pairs], and by the paper's procedure in the first of them."""

    accuracy: Floats
    lower: Floats
    upper: Floats
    p: Floats
    paper: Floats = field(default_factory=lambda: np.zeros((0, 3)))


# ---- corpora ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def treebanks() -> tuple[dict[str, Text], dict[str, Indices]]:
    """EWT and GUM, all parts of each as one; and which documents of EWT are of which kind of text."""
    paths = [
        [DATA / f"UD_English-{name}" / f"en_{name.lower()}-ud-{part}.conllu" for part in ("train", "dev", "test")]
        for name in ("EWT", "GUM")
    ]
    corpora = [karat.read(one, trees=False) for one in paths]
    texts = text_numbers(corpora)
    spaces = {features: ngram_space(corpora, features, "upos") for features in FEATURES}
    found = {
        name: Text(corpora[i].document_offsets, texts[i], {one: space.corpora[i] for one, space in spaces.items()})
        for i, name in enumerate(("EWT", "GUM"))
    }
    kinds = np.array([str(name).partition("-")[0] for name in corpora[0].document_names])
    return found, {str(kind): np.flatnonzero(kinds == kind) for kind in np.unique(kinds)}


def dealt(name: str, n: int, random: np.random.Generator) -> tuple[Text, Text]:
    """Twice so many documents of a treebank, dealt to two corpora."""
    text = treebanks()[0][name]
    order = random.permutation(len(text.document_offsets) - 1)
    return text.taken(order[:n]), text.taken(order[n : 2 * n])


def of_two_treebanks(n: int, random: np.random.Generator) -> tuple[Text, Text]:
    """So many documents of EWT and of GUM."""
    found, _ = treebanks()
    first, second = (
        text.taken(random.permutation(len(text.document_offsets) - 1)[:n]) for text in (found["EWT"], found["GUM"])
    )
    return first, second


def of_two_kinds(first: str, second: str, n: int, random: np.random.Generator) -> tuple[Text, Text]:
    """So many documents of each of two kinds of text in EWT."""
    found, kinds = treebanks()
    ours, theirs = (found["EWT"].taken(random.permutation(kinds[kind])[:n]) for kind in (first, second))
    return ours, theirs


def with_topics(
    n_sentences: Callable[[np.random.Generator], tuple[Indices, Indices]], random: np.random.Generator
) -> tuple[Text, Text]:
    """Documents of so many sentences each: half of a document's words are of its own topic, the others of all texts."""
    ours, theirs = n_sentences(random)
    sizes = np.concatenate([ours, theirs])
    topic = np.repeat(random.integers(N_TOPICS, size=len(sizes)), sizes)
    shape = len(topic), N_WORDS
    common = np.minimum(random.zipf(1.3, shape), N_COMMON_WORDS) - 1
    own = N_COMMON_WORDS + topic[:, None] * N_TOPIC_WORDS + random.integers(N_TOPIC_WORDS, size=shape)
    words = np.where(random.random(shape) < 0.5, common, own)
    whole = Text(
        offsets_of(sizes),
        np.arange(len(topic)),
        {"words": Ragged(N_WORDS * np.arange(len(topic) + 1), words.ravel().astype(np.intp))},
    )
    return whole.taken(np.arange(len(ours))), whole.taken(len(ours) + np.arange(len(theirs)))


def equal_sizes(_: np.random.Generator) -> tuple[Indices, Indices]:
    return np.full(20, 15), np.full(20, 15)


def long_tailed_sizes(random: np.random.Generator) -> tuple[Indices, Indices]:
    sizes = 1 + np.minimum(random.lognormal(2, 1.3, 40), 300).astype(np.intp)
    return sizes[:20], sizes[20:]


def many_small_few_large(_: np.random.Generator) -> tuple[Indices, Indices]:
    return np.full(80, 5), np.full(8, 50)


SETTINGS = [
    Setting(
        f"{name}, {n} and {n} documents",
        partial(dealt, name, n),
        True,
        n_splits=5 if (name, n) == ("GUM", 47) else N_SPLITS,
    )
    for name in ("EWT", "GUM")
    for n in (10, 20, 47)
]
SETTINGS += [
    Setting(f"topics, {name}", partial(with_topics, sizes), True, ("words",))
    for name, sizes in (
        ("20 and 20 documents of 15 sentences", equal_sizes),
        ("20 and 20 documents of 1 to 300 sentences", long_tailed_sizes),
        ("80 documents of 5, 8 of 50 sentences", many_small_few_large),
    )
]
SETTINGS += [
    Setting("EWT and GUM, 20 documents each", partial(of_two_treebanks, 20), False),
    Setting("reviews and answers, 20 documents each", partial(of_two_kinds, "reviews", "answers", 20), False),
    Setting("reviews and answers, 47 documents each", partial(of_two_kinds, "reviews", "answers", 47), False),
]


# ---- what is found ---------------------------------------------------------------------------------------------------


def one_pair(setting: Setting, number: int, *, with_paper: bool) -> dict[str, list[float]]:
    """Accuracy, ends and p of one pair of corpora for each set of features; then those of the paper's procedure."""
    random = np.random.default_rng([number, len(setting.name), *setting.name.encode()])
    first, second = setting.draw(random)
    pair = document_pair(first.texts, second.texts, first.document_offsets, second.document_offsets)
    found = {}
    for features in setting.features:
        ours, theirs = first.ngrams[features], second.ngrams[features]
        test = document_test(
            pair,
            ours,
            theirs,
            classifier="naive-bayes",
            n_splits=setting.n_splits,
            n_permutations=N_PERMUTATIONS,
            level=LEVEL,
            random=np.random.default_rng(number),
        )
        assert test.lower is not None
        assert test.upper is not None
        assert test.p is not None
        found[features] = [test.accuracy, test.lower, test.upper, test.p]
        if with_paper:
            found[features] += by_sentences(first, second, features, number)
    return found


def by_sentences(first: Text, second: Text, features: str, seed: int) -> list[float]:
    """Accuracy and ends by the paper's procedure."""
    ours, theirs = first.ngrams[features], second.ngrams[features]
    scratch = np.full(int(max(ours.values.max(), theirs.values.max())) + 1, -1, dtype=np.intp)
    accuracies = np.array(
        [
            split_accuracy(ours, theirs, split, classifier="naive-bayes", scratch=scratch)
            for split in halves(first.texts, second.texts, N_SPLITS, np.random.default_rng(seed))
        ]
    )
    lower, upper = splits_interval(accuracies, LEVEL)
    assert lower is not None
    assert upper is not None
    return [float(accuracies.mean()), lower, upper]


def simulated(setting: Setting, numbers: range, n_of_paper: int = N_OF_PAPER) -> dict[str, Found]:
    """What is found in so many pairs of corpora, by features."""
    every = [one_pair(setting, number, with_paper=number < n_of_paper) for number in numbers]
    found = {}
    for features in setting.features:
        accuracy, lower, upper, p = np.array([one[features][:4] for one in every]).T
        paper = np.array([one[features][4:] for one in every if len(one[features]) > 4]).reshape(-1, 3)
        found[features] = Found(accuracy, lower, upper, p, paper)
    return found


def joined(parts: list[dict[str, Found]]) -> dict[str, Found]:
    """Several runs as one."""
    return {
        features: Found(
            *(
                np.concatenate([getattr(part[features], name) for part in parts])
                for name in ("accuracy", "lower", "upper", "p", "paper")
            )
        )
        for features in parts[0]
    }


def row(setting: Setting, features: str, found: Found) -> str:
    """A row of the table."""
    accuracy, lower, upper, p = found.accuracy, found.lower, found.upper, found.p
    truth = 0.5 if setting.is_null else float(accuracy.mean())
    cells = [
        setting.name,
        features,
        f"{accuracy.mean():.3f}",
        f"{100 * np.mean(p <= 1 - LEVEL):.1f}",
        f"{100 * np.mean((lower > 0.5) | (upper < 0.5)):.1f}",
        f"{100 * np.mean((lower <= truth) & (truth <= upper)):.1f}",
        f"{100 * np.mean(upper - lower):.1f}",
        f"{4 * accuracy.max() - 2:.2f}",
    ]
    if len(found.paper):
        mean, low, high = found.paper.T
        cells += [f"{mean.mean():.3f}", f"{100 * np.mean((low > 0.5) | (high < 0.5)):.1f}", f"{4 * mean.max() - 2:.2f}"]
    else:
        cells += ["–"] * 3
    return f"| {' | '.join(cells)} |"


_OURS = ["accuracy", "p ≤ 0.05", "excludes chance", "covers", "width", "largest divergence"]
_PAPERS = ["paper: accuracy", "excludes chance", "largest divergence"]
HEADING = (
    f"| corpora | features | {' | '.join(_OURS + _PAPERS)} |",
    f"|---|---|{'---:|' * len(_OURS + _PAPERS)}",
)


def lines(n: int, jobs: int) -> list[str]:
    """The section of docs/calibration.md; all shares in %."""
    found = [
        "## Divergence",
        "",
        f"`karat diverge` on {n:,} pairs of corpora for each row, {N_SPLITS} splits (47 documents of GUM: 5),",
        f"{N_PERMUTATIONS} permutations. All shares in %. *covers*: how often the interval holds chance or, with a",
        "difference, the mean accuracy. *paper*: `--preset paper`, halves of sentences, over the first "
        f"{N_OF_PAPER} pairs.",
    ]
    step = max(1, min(50, n // jobs))
    parts = [range(start, min(start + step, n)) for start in range(0, n, step)]
    with ProcessPoolExecutor(jobs) as pool:
        for is_null in (True, False):
            found += ["", f"### {'No difference' if is_null else 'A difference'}", "", *HEADING]
            for setting in SETTINGS:
                if setting.is_null == is_null:
                    of_features = joined(list(pool.map(partial(simulated, setting), parts)))
                    found += [row(setting, features, one) for features, one in of_features.items()]
    return found
