"""Every number of Padró & Màrquez 1998: its example, its two taggers, and the intervals that noise leaves them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from karat.errors import UsageError
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.published.numbers import PaperEvidence, PaperFigure, PublishedNumber
from karat.experiments.papers.published.padro_1998_equations import (
    EXAMPLE,
    equations,
    noisy_system,
    reasonable_bounds,
    table_1,
)
from karat.noise.from_numbers import noise_bounds
from karat.noise.results import Ends, NoiseResult

TITLE = "Padró & Màrquez 1998, On the Evaluation and Comparison of Taggers: the Effect of Noise in Testing Corpora"

_RELEASE, _CORPUS, _COLUMN = "2.3", "UD_English-EWT", "xpos"
_T1, _T2 = prints.OBSERVED.values()
_NAMES = {"B": "T1", "TC": "T2"}
_CONSTRAINTS = {"B": "bigrams (B)", "TC": "trigrams and learnt constraints (TC)"}
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
    yield from table_1()
    yield from equations()
    yield from _example()
    yield from _two_taggers(evidence)
    both = _bounds_at(prints.CORPUS_ERROR)
    evidence.figures.append(PaperFigure("Figure 1", "Figure 1: reasonable intervals for both taggers", both))
    yield from _intervals(both)


def _taggers_of_its_time() -> Iterator[PublishedNumber]:
    reported = "accuracy reported by taggers of its time"
    for of, printed in (
        ("from, first number", "96"),
        ("from, second number", "97 %"),
        ("to (Constraint Grammar)", "almost 100 %"),
    ):
        yield PublishedNumber("Section 1", of, printed, "given", why=reported)


def _example() -> Iterator[PublishedNumber]:
    """A tagger that is right on 93 % by a gold that is wrong on 3 %."""
    for of, printed in (("K", "over 90 %"), ("C", "below 10 %")):
        yield PublishedNumber("Footnote 2", of, printed, "given", why="the cases that the paper is interested in")
    for of, printed in (("C, example", "0.03"), ("K, example", "0.93")):
        why = f"what the example supposes (also {100 * float(printed):g} %, and in section 4)"
        yield PublishedNumber("Section 3", of, printed, "given", why=why)
    found = noisy_system(prints.EXAMPLE_OBSERVED, p=list(prints.EXAMPLE_RANGES))
    command = f"{EXAMPLE} --p 0 --p 1 --json"
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
        command=f"{EXAMPLE} --ambiguous-share {prints.AMBIGUOUS_SHARE} --json",
        relation="about",
        tolerance=0.5,
    )
    for of, text, ours in _ends(found.t, [f"{end:.3f}" for end in prints.EXAMPLE_T]):
        yield PublishedNumber("Section 4", f"t {of}", text, ours=ours, command=f"{EXAMPLE} --json")
    yield from reasonable_bounds()


def _ends(ends: Ends | None, printed: list[str]) -> Iterator[tuple[str, str, float | None]]:
    """Both ends of an interval, as printed and ours."""
    ours = (None, None) if ends is None else (ends.lower, ends.upper)
    yield from zip(("low", "high"), printed, ours, strict=True)


def _on_all_words(observed: float) -> float | None:
    """The accuracy on all words in %, if ambiguous ones have the share that T1's two accuracies imply."""
    whole = noisy_system(observed, ambiguous_share=prints.AMBIGUOUS_SHARE).whole
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
    why = "estimated for the Wall Street Journal, over all words (footnote 5)"
    yield PublishedNumber("Section 5", "C of both", f"{prints.CORPUS_ERROR}", "given", why=why)
    yield from _higher_corpus_error()
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


def _bounds_at(corpus_error: float) -> NoiseResult:
    """What both taggers can be worth with another error rate."""
    observed = {_NAMES[name]: one for name, (one, _) in prints.OBSERVED.items()}
    return noise_bounds(observed, corpus_error=corpus_error, ambiguity=prints.AMBIGUITY)


def _width(corpus_error: float) -> float:
    """How wide T1's interval is, in points."""
    bounds = _bounds_at(corpus_error).systems[0].bounds
    assert bounds is not None
    return 100 * (bounds.upper - bounds.lower)


def _overlap(both: NoiseResult) -> float:
    """What the intervals of both taggers share, in points."""
    found = both.pairs[0].overlap
    assert found is not None
    return 100 * found


def _higher_corpus_error() -> Iterator[PublishedNumber]:
    """Footnote 5, which holds up to C = 1 − K: 0.0865 for T1, 0.0718 for T2."""
    row = partial(PublishedNumber, "Footnote 5", relation="above")
    command = f"{_TAGGERS.replace('error 0.03', 'error {}')} --json"
    before, limit = _width(prints.CORPUS_ERROR), 1 - _T1[0]
    yield row(
        "C = 0.04: width of T1's interval, points, above that at 0.03",
        "wider",
        ours=_width(0.04),
        why=f"it is {before:.2f} for C = 0.03 (`upper` − `lower` of `bounds` in the output)",
        command=command.format(0.04),
        worked=f"{before:.2f}",
    )
    widest = _width(limit)
    yield row(
        "C = 0.1: width of T1's interval, points, above that at 1 − K",
        "wider",
        "misprint",
        _width(0.1),
        f"only up to C = 1 − K = {limit:.4f}, where it is {widest:.2f}; for T2 up to {1 - _T2[0]:.4f}",
        command.format(0.1),
        worked=f"{widest:.2f}",
    )
    first, more = (_overlap(_bounds_at(one)) for one in (prints.CORPUS_ERROR, 0.04))
    yield row(
        "C = 0.04: overlap of both intervals, points, above that at 0.03",
        "overlap even more",
        ours=more,
        why=f"it is {first:.2f} for C = 0.03",
        command=command.format(0.04),
        worked=f"{first:.2f}",
    )


def _intervals(both: NoiseResult) -> Iterator[PublishedNumber]:
    """The intervals of section 5, the ends of Figure 1, whose curves are not printed as numbers, and what follows."""
    systems, command = {one.name: one for one in both.systems}, f"{_TAGGERS} --json"
    chance = systems["T1"].intervals[0]
    instead = (noisy_system(observed, p=prints.PRINTED_P).bounds for observed, _ in prints.OBSERVED.values())
    ends = " and ".join(f"{100 * one.lower:.2f} to {100 * one.upper:.2f}" for one in instead if one is not None)
    why = (
        "the intervals below are those of p = 1/(a − 1) = 2/3, the chance of the same error that section 4 defines; "
        f"p = {prints.PRINTED_P} would give {ends}"
    )
    of, printed = "p, first column", f"(1/a) = {prints.PRINTED_P}"
    yield PublishedNumber("Section 5", of, printed, "misprint", chance.p, why, command)
    yield PublishedNumber("Section 5", "p, second column", "1", "given", why="the largest p can be")
    for (name, p), printed_ends in prints.INTERVALS.items():
        symbol = _NAMES[name]
        at_p = next(one for one in systems[symbol].intervals if math.isclose(one.p, p))
        for end, text, ours in _ends(at_p.ends, [f"{100 * one:.2f}" for one in printed_ends]):
            of = f"x{symbol[1]} {end}, {'first column, p = (1/a) = 0.4' if p < 1 else 'second column, p = 1'}"
            why = "comes out for p = 1/(a − 1) = 2/3, not for the printed p = 0.4" if p < 1 else ""
            ours = None if ours is None else 100 * ours
            yield PublishedNumber("Section 5", of, text, ours=ours, why=why, command=command)
    yield from _figure_1(chance.p, command)
    yield from _verdict(both, command)


def _figure_1(least_p: float, command: str) -> Iterator[PublishedNumber]:
    """Where the figure begins and ends."""
    why = "as in the head of the first column; the chance of the same error is 1/(a − 1) = 2/3 (section 4)"
    printed = f"1/a = {prints.PRINTED_P}"
    yield PublishedNumber("Section 5", "p, from (Figure 1)", printed, "misprint", least_p, why, command)
    yield PublishedNumber("Section 5", "p, to (Figure 1)", "1", "given", why="the largest p can be")


def _verdict(both: NoiseResult, command: str) -> Iterator[PublishedNumber]:
    """The intervals overlap, so that the paper calls neither tagger better; without noise it would."""
    at = {p: 100 * _overlap_at(p) for p in (prints.CHANCE_P, 1.0)}
    yield PublishedNumber(
        "Section 5",
        "overlap of both, points, above 0, for all p",
        "a large overlap region",
        ours=_overlap(both),
        why=f"55 % of T1's interval; {at[prints.CHANCE_P]:.2f} points at p = 2/3, {at[1.0]:.2f} at p = 1",
        command=command,
        relation="above",
        worked="0",
    )
    why = "of intervals of what is observed"
    yield PublishedNumber("Section 5", "confidence level", "95 %", "given", why=why)
    why = (
        "on how many words is not printed; normal intervals (--n) do not overlap from 5,170 ambiguous words on, if "
        "words are independent"
    )
    of = "no overlap of the confidence intervals of what is observed"
    yield PublishedNumber("Section 5", of, "95 % … did allow us", "not runnable", why=why)


def _overlap_at(p: float) -> float:
    """How much the intervals of both have in common for one p."""
    first, second = (noisy_system(observed, p=p).bounds for observed, _ in prints.OBSERVED.values())
    assert first is not None
    assert second is not None
    return first.overlap(second)
