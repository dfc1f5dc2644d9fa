"""Every number of Slaski, Acedański & Przepiórkowski 2012, with ours: from its own counts, and on other sentences.

Ratios follow from the paper's own counts. What needs its sentences is of UD_Polish-PDB instead (other data); how many
features, measures and signals there are follows from their definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from karat.experiments.papers import slaski_2012_prints as prints
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber

if TYPE_CHECKING:
    from karat.measures.class_measures import ClassMeasures, ClassScore

TITLE = "Slaski, Acedański & Przepiórkowski 2012, Machine Learning of Syntactic Attachment"
_RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_COUNTS = ("found, right", "found, wrong", "not found", "rest")
# A confusion matrix with the printed precision and recall of the baseline: 3666/4700 = .78 and 3666/7800 = .47
BASELINE_CONFUSION = (3666, 1034, 4134, 0)

_STATS = (
    "karat attach stats DIR/ud-2.18/UD_Polish-PDB/*.conllu DIR/ud-2.18/UD_Polish-PUD/*.conllu "
    "DIR/ud-2.16/UD_Polish-LFG/*.conllu --map nkjp-older --wordnet /usr/share/wordnet "
    "--lemmas DIR/plwordnet/wn-data-pol.tab -o pl.stats --json"
)
_EVALUATE = (
    f"{_STATS}; cat DIR/ud-2.18/UD_Polish-PDB/*.conllu | "
    "karat attach evaluate - --stats pl.stats --max-words 14 --sentences 963 --details --json"
)
_GAIN = "F1 of Table 1 minus that of the baseline, .718 − .587"

_again = partial(
    PublishedNumber,
    status="other data",
    why="UD_Polish-PDB, not the National Corpus of Polish; a tenth of its statistics; other groups and rules",
    command=_EVALUATE,
    needs="training",
)
_of_sentences = partial(
    PublishedNumber,
    status="other data",
    why="963 sentences drawn from UD_Polish-PDB, not those of the National Corpus of Polish; of at most 14 words, so "
    "that there are as many pairs",
    command=_EVALUATE,
    needs="data",
    relation="above",
)
_defined = partial(PublishedNumber, command=_STATS)


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """The paper's numbers in its order, with ours."""
    yield from _abstract()
    why = "a syntactic and a semantic one; karat has the same"
    yield PublishedNumber("Section 1", "heads of a syntactic object", "the two", "given", why=why, worked="2")
    yield from _valence()
    yield from _features(evidence)
    yield from _signals()
    yield from _sentences(evidence)
    for part in prints.CONFUSION:
        yield from _table_1(evidence, part)
    yield from _tops_of_trees(evidence)
    yield from _baseline(evidence)
    yield from _conclusion()


# ---- what follows from the paper's own counts ------------------------------------------------------------------------


def confusion_command(*confusions: tuple[int, int, int, int]) -> str:
    """The command that gives the measures of confusion matrices."""
    return "; ".join(
        f"printf ',YES,NO\\nYES,{right},{missed}\\nNO,{wrong},{rest}\\n' | karat measures --confusion - --json"
        for right, wrong, missed, rest in confusions
    )


def _measures(confusion: tuple[int, int, int, int]) -> ClassMeasures:
    from karat.measures.class_measures import confusion_measures

    right, wrong, missed, rest = confusion
    return confusion_measures({"YES": {"YES": right, "NO": missed}, "NO": {"YES": wrong, "NO": rest}})


def _edges(confusion: tuple[int, int, int, int]) -> ClassScore:
    return _measures(confusion)["YES"]


def _gain_in_f1() -> float:
    return _edges(prints.CONFUSION["all"]).f1 - _edges(BASELINE_CONFUSION).f1


def _abstract() -> Iterator[PublishedNumber]:
    confusions = prints.CONFUSION["all"], prints.CONFUSION["wordnet"]
    every, part = (_edges(one) for one in confusions)
    of_all, of_both = confusion_command(confusions[0]), confusion_command(*confusions)
    why = "2674/(2674 + 1781) = 60.0 % by the counts of Table 1, which has 0.60"
    row = partial(PublishedNumber, "Abstract")
    precision, recall, further = prints.ABSTRACT
    yield row("precision, %", precision, ours=100 * every.precision, why="by the counts of Table 1", command=of_all)
    yield row("recall, %", recall, "misprint", 100 * every.recall, why, of_all)
    more, why = 100 * (part.recall - every.recall), "by the counts of Table 1: 65.7 − 60.0"
    yield row("further recall on words of the wordnet, points", further, ours=more, why=why, command=of_both)


def _table_1(evidence: PaperEvidence, part: str) -> Iterator[PublishedNumber]:
    confusion, about = prints.CONFUSION[part], prints.ABOUT[part]
    for name, count in zip(_COUNTS, confusion, strict=True):
        of = f"pairs {name}, {about}"
        yield _again("Table 1", of, str(count), ours=evidence.number("Table 1", of))
    edges, command = _edges(confusion), confusion_command(confusion)
    for (field, ratio), printed in zip(_RATIOS.items(), prints.TABLE_1_RATIOS[part], strict=True):
        of, own = f"{ratio}, {about}", getattr(edges, field)
        yield PublishedNumber("Table 1", of, printed, ours=own, why="by the counts of the table", command=command)
        yield _again("Table 1", f"{of}, run again", printed, ours=evidence.number("Table 1", of))


def _baseline(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    row = partial(PublishedNumber, "Section 3")
    for ratio, value in zip(_RATIOS.values(), prints.BASELINE, strict=True):
        of, printed = f"{ratio}, baseline", f"{value:.2f}"
        if ratio == "F1":
            own, command = _edges(BASELINE_CONFUSION).f1, confusion_command(BASELINE_CONFUSION)
            yield row(of, printed, ours=own, why="by the printed precision and recall", command=command)
        yield _again("Section 3", f"{of}, run again", printed, ours=evidence.number("Section 3", of))
    why = "true of a tree; the paper's algorithm does not use it, karat's “one parent” does"
    yield row("parents of a node, at most", "one", "given", why=why, worked="1")
    of, printed = "gain over the baseline", f"{prints.GAIN:.2f}"
    command = confusion_command(prints.CONFUSION["all"], BASELINE_CONFUSION)
    yield row(of, printed, ours=_gain_in_f1(), why=_GAIN, command=command)
    for way in ("pair by pair", "one parent"):
        ours = evidence.number("Section 3", f"{of}, {way}")
        yield _again("Section 3", f"{of}, {way}, run again", printed, ours=ours)


def _tops_of_trees(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    printed = ("most frequently", "the second one")
    for rank, (name, text) in enumerate(zip(prints.NEAR_TOPS, printed, strict=True), start=1):
        of = f"rank near the tops of trees, {name}"
        ours, command = evidence.number("Section 3", of), "karat reproduce slaski-2012 --data DIR --details"
        yield _again("Section 3", of, text, ours=ours, command=command, worked=f"{rank}")


def _conclusion() -> Iterator[PublishedNumber]:
    signals, sentences = f"less than {prints.MOST_SIGNALS}", f"less than {prints.MOST_SENTENCES}"
    why = "distance, order, 6 measures of 14 features, and the rules"
    row = partial(PublishedNumber, "Section 5")
    yield row("signals", signals, ours=_n_signals(), why=why, relation="below", command=_EVALUATE)
    why = "the 963 of section 3"
    yield row(
        "sentences of the treebank", sentences, ours=prints.SENTENCES, why=why, relation="below", command=_EVALUATE
    )
    why = f"{_GAIN}; .126 to .137, as the baseline is rounded"
    command = confusion_command(prints.CONFUSION["all"], BASELINE_CONFUSION)
    printed = f"over {prints.GAIN:.2f}"
    yield row("gain over the baseline", printed, ours=_gain_in_f1(), why=why, relation="above", command=command)


# ---- what follows from definitions -----------------------------------------------------------------------------------


# Two sentences in which a verb has an object with the same preposition and case, but another noun
VALENCE = (
    (("czeka", "czekać", "fin:sg:ter:imperf"), ("na", "na", "prep:acc"), ("syna", "syn", "subst:sg:acc:m1")),
    (("czeka", "czekać", "fin:sg:ter:imperf"), ("na", "na", "prep:acc"), ("żonę", "żona", "subst:sg:acc:f")),
)


def _valence() -> Iterator[PublishedNumber]:
    """The example of section 2.1 in Polish: the lemma of the possible parent, preposition and case of the other."""
    from karat.corpus import corpus_from_source, source_from_bytes
    from karat.systems.attachment.feature_values import feature_values
    from karat.systems.attachment.features import FEATURES
    from karat.systems.attachment.object_columns import columns_of_objects
    from karat.systems.groups.found_groups import find_groups

    lines = [
        "\t".join([f"{number}", form, lemma, "_", tag, *"_" * 5]) if form else ""
        for sentence in VALENCE
        for number, (form, lemma, tag) in enumerate((*sentence, ("", "", "")), start=1)
    ]
    corpus = corpus_from_source(source_from_bytes("\n".join([*lines, ""]).encode()), tag="xpos", trees=False)
    columns = columns_of_objects(find_groups(corpus, tagset="nkjp", limit=1).objects)
    (valence,) = (one for one in FEATURES if one.name == "valence")
    quoted = " ".join(f"'{one}'" for one in lines).replace("\t", r"\t")
    command = rf"karat attach stats <(printf '%b\n' {quoted}) --tagset nkjp -o valence.stats --json"
    text = "in “czeka na syna” and “czeka na żonę”, objects"
    for of, printed, worked, reads, why in (
        ("left", "CARE", "3", valence.left, "the lemmas of semantic heads, czekać, syn, żona; of syntactic ones, 2"),
        ("right", "⟨FOR, obj⟩", "2", valence.right, "⟨na, acc⟩ in both, and a verb without case; with the noun, 3"),
    ):
        ours, what = feature_values(reads, columns, columns).n, f"{of} values of the valence feature"
        why = f"{text} have {worked}: {why}"
        yield PublishedNumber("Section 2.1", what, printed, ours=ours, why=why, command=command, worked=worked)


def _features(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    from karat.systems.attachment.association import ASSOCIATION_MEASURES
    from karat.systems.attachment.features import CATEGORIES, FEATURES

    kinds = Counter(one.kind for one in FEATURES)
    combined = [one for one in FEATURES if {*one.name.split("+")} <= {*CATEGORIES}]
    why = "all combinations of three categories"
    yield _defined("Section 2.1", "features of case, gender, number", str(prints.COMBINED), ours=len(combined), why=why)
    why = "karat has the features that sections 2.1 and 2.2 define"
    of_wordnet = "lexico-semantic features (also 2.3, 2.4)"
    yield _defined("Section 2.2", of_wordnet, str(prints.OF_WORDNET), ours=kinds["wordnet"], why=why)
    words = evidence.found("the statistics of Polish text", lambda folder: _words_counted(evidence, folder))
    yield PublishedNumber(
        "Section 2.2",
        "words of the statistics (also 3)",
        "1-million-word",
        "other data",
        words,
        "UD_Polish-PDB, PUD and LFG have a tenth of that",
        _STATS,
        "data",
        worked=f"{prints.WORDS:,}",
    )
    why = "for a million words; karat has 30 per million"
    yield _defined("Section 2.2", "threshold of co-occurrences, T", str(prints.THRESHOLD), "given", why=why)
    why = "karat has the features that sections 2.1 and 2.2 define"
    yield _defined("Section 2.3", "features", str(prints.FEATURES), ours=len(FEATURES), why=why)
    of, n = "morphosyntactic features (also 2.4)", kinds["morphosyntactic"]
    yield _defined("Section 2.3", of, str(prints.MORPHOSYNTACTIC), ours=n, why=why)
    of, n, why = "association measures (also 2.4)", len(ASSOCIATION_MEASURES), "karat has those that section 2.3 names"
    yield _defined("Section 2.3", of, str(prints.MEASURES), ours=n, why=why)


def _n_signals() -> int:
    """All signals of a pair: its place, those of co-occurrence, and that of the rules."""
    from karat.systems.attachment.features import FEATURES
    from karat.systems.attachment.signals import signal_names

    return len(signal_names(FEATURES)) + 1


def _signals() -> Iterator[PublishedNumber]:
    from karat.systems.attachment.features import FEATURES
    from karat.systems.attachment.signals import PLACES, signal_names

    for kind, printed in prints.SIGNALS.items():
        features = tuple(one for one in FEATURES if one.kind == kind)
        ours = len(signal_names(features)) - len(PLACES)
        why = f"6 measures of {len(features)} feature{'s' * (len(features) != 1)}"
        yield _defined("Section 2.4", f"signals of co-occurrence, {kind}", str(printed), ours=ours, why=why)
    why = "whether any of the rules accepts the pair"
    yield PublishedNumber("Section 2.4", "signals of the rules", "a single", "given", why=why, worked="1")
    why = "the paper does not print them; karat has as many of its own"
    yield PublishedNumber("Section 2.4", "handwritten rules", str(prints.RULES), "given", why=why)


# ---- the sentences ---------------------------------------------------------------------------------------------------


def _words_counted(evidence: PaperEvidence, folder: str) -> int:
    """The words of all text that statistics are counted over."""
    from karat.corpus import read
    from karat.experiments.papers.slaski_2012_texts import polish_data

    corpora = {name: read(list(files), tag="xpos") for name, files in polish_data(folder).treebanks}
    evidence.inputs += [("statistics", name, one.source.sha256()) for name, one in corpora.items()]
    return sum(one.n_words for one in corpora.values())


def _words_and_pairs(folder: str) -> tuple[int, int]:
    """The words of the drawn sentences, and the ordered pairs of their syntactic objects."""
    import numpy as np

    from karat.experiments.papers.slaski_2012_texts import DRAWN, POLISH, Setting, evaluated_corpus, polish_data
    from karat.systems.groups.found_groups import find_groups

    corpus = evaluated_corpus(polish_data(folder), Setting(POLISH, DRAWN))
    n_objects = np.diff(find_groups(corpus, tagset="nkjp", limit=1).objects.offsets)
    return corpus.n_words, int((n_objects * (n_objects - 1)).sum())


def _sentences(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    words, pairs = evidence.found("the drawn sentences", _words_and_pairs) or (None, None)
    row = partial(PublishedNumber, "Section 3")
    yield row(
        "annotators of each sentence",
        "two",
        "given",
        why="PDB has one annotation of each sentence",
        worked=f"{prints.ANNOTATORS}",
    )
    yield row("sentences", str(prints.SENTENCES), "given", why="karat draws as many")
    yield _of_sentences("Section 3", "tokens", f"over {prints.TOKENS}", ours=words)
    printed = f"over {prints.PAIRS:,}".replace(",", " ")
    confusion, worked = prints.CONFUSION["all"], f"{prints.PAIRS}"
    why = "true, but only as an inequality: the counts of Table 1 sum to 26,024, 2,524 more than the text says"
    own, command = _measures(confusion).n_items, confusion_command(confusion)
    of = "pairs of syntactic objects: sum of Table 1"
    yield row(of, printed, ours=own, why=why, command=command, relation="above", worked=worked)
    of = "pairs of syntactic objects, run again"
    yield _of_sentences("Section 3", of, printed, ours=pairs, worked=worked)
    yield row("folds", str(prints.FOLDS), "given", why="karat has as many")
