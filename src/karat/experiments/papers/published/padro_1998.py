"""Every number of Padró & Màrquez 1998: its example, its two taggers, and the intervals that noise leaves them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from karat.errors import UsageError
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.published.numbers import PaperEvidence, PaperFigure, PublishedNumber
from karat.noise.from_numbers import noise_bounds
from karat.noise.results import Ends, NoisySystem

TITLE = "Padró & Màrquez 1998, On the Evaluation and Comparison of Taggers: the Effect of Noise in Testing Corpora"

_RELEASE, _CORPUS, _COLUMN = "2.3", "UD_English-EWT", "xpos"
_T1, _T2 = prints.OBSERVED.values()
_NAMES = {"B": "T1", "TC": "T2"}
_CONSTRAINTS = {"B": "bigrams (B)", "TC": "trigrams and learnt constraints (TC)"}
_EXAMPLE = f"karat noise --observed {prints.EXAMPLE_OBSERVED} --corpus-error 0.03 --ambiguity 2.5"
_TAGGERS = f"karat noise --observed T1={_T1[0]} --observed T2={_T2[0]} --corpus-error 0.03 --ambiguity 2.5"
_EXPERIMENT = "karat reproduce padro-1998 --data DIR"
_PART = f"DIR/ud-2.3/{_CORPUS}/en_ewt-ud"
_OF_A_CORPUS = (
    f"karat noise {_PART}-test.conllu gold={_PART}-test.conllu --lexicon {_PART}-train.conllu --column {_COLUMN} "
    "--corpus-error 0.03 --json"
)
_SHARE = "if 36.3 % of the words are ambiguous, as T1's two accuracies (section 5) imply, and all others are right"
_NOT_WSJ = "the Wall Street Journal is not free; ours: XPOS of EWT"


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """The numbers in the order of the paper."""
    yield from _taggers_of_its_time()
    yield from _table_1()
    yield from _example()
    yield from _two_taggers(evidence)
    both = noise_bounds(
        {_NAMES[name]: observed for name, (observed, _) in prints.OBSERVED.items()},
        corpus_error=prints.CORPUS_ERROR,
        ambiguity=prints.AMBIGUITY,
    )
    evidence.figures.append(PaperFigure("Figure 1", "Figure 1: reasonable intervals for both taggers", both))
    yield from _intervals({one.name: one for one in both.systems})


def _taggers_of_its_time() -> Iterator[PublishedNumber]:
    reported = "accuracy reported by taggers of its time"
    for of, printed in (("taggers, from", "96 %"), ("taggers, to", "97 %"), ("Constraint Grammar", "almost 100 %")):
        yield PublishedNumber("Section 1", of, printed, "given", why=reported)


def _system(observed: float, **asked: float | list[float]) -> NoisySystem:
    """What an observed accuracy can mean, with the paper's error rate and ambiguity."""
    how = {"corpus_error": prints.CORPUS_ERROR, "ambiguity": prints.AMBIGUITY}
    return noise_bounds(observed, **how, **asked).systems[0]  # type: ignore[arg-type]


def _table_1() -> Iterator[PublishedNumber]:
    """The formulas of Table 1, each worked by hand for the example's K and C with u = 0.5 and p = 0.8."""
    u, p = 0.5, 0.8  # so that (1 − C)t = K − C(1 − u)p = 0.93 − 0.03 · 0.5 · 0.8 = 0.918
    cells = _system(prints.EXAMPLE_OBSERVED, u=u, p=p).evaluations[0].cells
    assert cells is not None
    for name, of, formula, worked in (
        ("true_positive", "both right", "(1 − C)t", "0.918"),
        ("true_negative", "tagger wrong", "(1 − C)(1 − t)", "0.052"),
        ("false_negative", "corpus wrong", "Cu", "0.015"),
        ("false_positive", "same error", "C(1 − u)p", "0.012"),
        ("both_wrong_differently", "different errors", "C(1 − u)(1 − p)", "0.003"),
    ):
        why = f"the formula gives {worked} for K = 0.93, C = 0.03, u = {u}, p = {p}"
        command = f"{_EXAMPLE} --u {u} --p {p} --json"
        yield PublishedNumber("Table 1", of, formula, ours=cells[name], why=why, command=command, worked=worked)


def _example() -> Iterator[PublishedNumber]:
    """A tagger that is right on 93 % by a gold that is wrong on 3 %."""
    for of, printed in (("K", "over 90 %"), ("C", "below 10 %")):
        yield PublishedNumber("Footnote 2", of, printed, "given", why="the cases that the paper is interested in")
    for of, printed in (("C, example", "0.03"), ("K, example", "0.93")):
        yield PublishedNumber("Section 3", of, printed, "given", why="what the example supposes; also printed in %")
    found = _system(prints.EXAMPLE_OBSERVED, p=list(prints.EXAMPLE_RANGES))
    command = f"{_EXAMPLE} --p 0 --p 1 --json"
    for (p, ends), at_p in zip(prints.EXAMPLE_RANGES.items(), found.intervals, strict=True):
        for of, text, ours in _ends(at_p.free, [f"{end:.2f}" for end in ends]):
            why = "for any u: `free` in the output"
            yield PublishedNumber("Section 3", f"x {of}, p = {p:g}", text, ours=ours, why=why, command=command)
    yield PublishedNumber(
        "Footnote 3",
        "K, all words",
        "about 97 %",
        ours=_on_all_words(prints.EXAMPLE_OBSERVED),
        why=f"from 93 % on ambiguous words, {_SHARE}",
        command=f"{_EXAMPLE} --ambiguous-share {prints.AMBIGUOUS_SHARE} --json",
        relation="about",
        tolerance=0.5,
    )
    for of, text, ours in _ends(found.t, [f"{end:.3f}" for end in prints.EXAMPLE_T]):
        yield PublishedNumber("Section 4", f"t {of}", text, ours=ours, command=f"{_EXAMPLE} --json")
    yield _least_p()


def _least_p() -> PublishedNumber:
    """The paper's lower bound of p, worked where it is too low: at K = 0.985, it is max{2/3, 1/2}."""
    possible = _system(0.985).reasonable_p
    return PublishedNumber(
        "Section 4",
        "p low, K = 0.985",
        "max{1/(a − 1), (K + C − 1)/C}",
        "misprint",
        None if possible is None else possible.lower,
        "true, but not the lowest p that is possible: the formula gives 2/3 for K = 0.985, where p is at least 5/6. It "
        "leaves out u ≥ 1/a: with that, p is at least a(K + C − 1)/(C(a − 1)), and for lower p, t would be above 1",
        "karat noise --observed 0.985 --corpus-error 0.03 --ambiguity 2.5 --json",
        worked="2/3",
    )


def _ends(ends: Ends | None, printed: list[str]) -> Iterator[tuple[str, str, float | None]]:
    """Both ends of an interval, as printed and ours."""
    ours = (None, None) if ends is None else (ends.lower, ends.upper)
    yield from zip(("low", "high"), printed, ours, strict=True)


def _on_all_words(observed: float) -> float | None:
    """The accuracy on all words in %, if ambiguous ones have the share that T1's two accuracies imply."""
    whole = _system(observed, ambiguous_share=prints.AMBIGUOUS_SHARE).whole
    return None if whole is None else 100 * whole.observed


# ---- the two taggers -------------------------------------------------------------------------------------------------


def _two_taggers(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """What section 5 starts from."""
    for name, (several, whole) in prints.OBSERVED.items():
        symbol = _NAMES[name]
        ours = evidence.number("Section 5", f"{name}, ambiguous words, EWT")
        why = f"{_NOT_WSJ}, by relaxation labelling with {_CONSTRAINTS[name]}"
        of = f"{symbol}, ambiguous"
        yield PublishedNumber("Section 5", of, f"{several}", "other data", ours, why, _EXPERIMENT, "training")
        of, printed = f"{symbol}, all words", f"{100 * whole:.2f} %"
        if name == "B":
            ours = evidence.number("Section 5", f"{name}, all words, EWT", times=100)
            yield PublishedNumber("Section 5", of, printed, "other data", ours, why, _EXPERIMENT, "training")
        else:
            why = f"from T2 on ambiguous words, {_SHARE}"
            command = f"{_TAGGERS} --ambiguous-share {prints.AMBIGUOUS_SHARE} --json"
            yield PublishedNumber("Section 5", of, printed, ours=_on_all_words(several), why=why, command=command)
    why = (
        "estimated for the Wall Street Journal, over all words; footnote 5: a higher C would widen the intervals "
        "(it does, up to C = 1 − K)"
    )
    yield PublishedNumber("Section 5", "C of both", f"{prints.CORPUS_ERROR}", "given", why=why)
    yield PublishedNumber(
        "Section 5",
        "ambiguity a",
        f"{prints.AMBIGUITY}",
        "other data",
        evidence.found(f"ambiguity of {_CORPUS}", lambda data: _ambiguity(data, evidence)),
        f"tags per ambiguous word; {_NOT_WSJ}'s test part, by the tags of words in its train part (`ambiguity` in the "
        "output; its bounds mean nothing, as the gold is compared with itself)",
        _OF_A_CORPUS,
        "data",
    )


def _ambiguity(data: str, evidence: PaperEvidence) -> float:
    """How many tags an ambiguous word of the test part has in the train part, on average."""
    from karat.corpus.lexicon import AMBIGUOUS, lexicon_from_corpus
    from karat.experiments.papers.ud_folders import ud_treebanks
    from karat.experiments.treebanks import TextReading, corpus_of, treebanks

    folders = [one.path for one in ud_treebanks(data, _RELEASE, ("English",)) if one.name == _CORPUS]
    parts = [(part, getattr(bank, part)) for bank in treebanks(folders) for part in ("train", "test")]
    if len(parts) != 2 or any(text is None for _, text in parts):
        raise UsageError(f"no {_CORPUS} of UD {_RELEASE} with train and test parts in {data}")
    evidence.inputs += [(part, _CORPUS, text.sha256) for part, text in parts]
    train, test = (corpus_of(text, TextReading(_COLUMN)) for _, text in parts)
    n_tags = lexicon_from_corpus(train, _COLUMN).ambiguities(test)
    several = n_tags[n_tags >= AMBIGUOUS]
    if not len(several):
        raise UsageError(f"{_CORPUS}: no word of the test part has several tags in the train part")
    return float(several.mean())


# ---- the intervals ---------------------------------------------------------------------------------------------------


def _intervals(systems: Mapping[str, NoisySystem]) -> Iterator[PublishedNumber]:
    """The intervals of section 5 and the ends of Figure 1, whose curves are not printed as numbers."""
    command = f"{_TAGGERS} --json"
    chance, most = systems["T1"].intervals[0], systems["T1"].reasonable_p
    instead = (_system(observed, p=prints.PRINTED_P).bounds for observed, _ in prints.OBSERVED.values())
    ends = " and ".join(f"{100 * one.lower:.2f} to {100 * one.upper:.2f}" for one in instead if one is not None)
    why = (
        "also where Figure 1 begins; the intervals below are those of p = 1/(a − 1) = 2/3, the chance of the same "
        f"error that section 4 defines; p = {prints.PRINTED_P} would give {ends}"
    )
    of, printed = "p, first column", f"1/a = {prints.PRINTED_P}"
    yield PublishedNumber("Section 5", of, printed, "misprint", chance.p, why, command)
    of = "p, second column"
    ours = None if most is None else most.upper
    why = "the largest p can be; also where Figure 1 ends"
    yield PublishedNumber("Section 5", of, "1", ours=ours, why=why, command=command)
    for (name, p), printed_ends in prints.INTERVALS.items():
        symbol = _NAMES[name]
        at_p = next(one for one in systems[symbol].intervals if math.isclose(one.p, p))
        for end, text, ours in _ends(at_p.ends, [f"{100 * one:.2f}" for one in printed_ends]):
            of, ours = f"x{symbol[1]} {end}, p = {'2/3' if p < 1 else '1'}", None if ours is None else 100 * ours
            why = "the first column, headed p = 1/a = 0.4" if p < 1 else ""
            yield PublishedNumber("Section 5", of, text, ours=ours, why=why, command=command)
    why = "of intervals that do not overlap; on how many words is not printed"
    yield PublishedNumber("Section 5", "confidence level", "95 %", "given", why=why)
