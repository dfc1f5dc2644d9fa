"""karat counts what the definitions say: it agrees with `reference.py`, and with sums written out."""

from __future__ import annotations

from hypothesis import assume, given, settings

import karat
import reference
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from small_corpora import Pair, pairs

EWT_TEST = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
SEQUOIA_TEST = "ud-2.3/UD_French-Sequoia/fr_sequoia-ud-test.conllu"
PDB_DEV = "ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu"
LABELS = ["upos", "xpos", "deprel", "full-deprel"]
SPLITS = [*LABELS, "document", "length"]


def corpus(text: str) -> Corpus:
    return conllu_from_source(source_from_bytes(text.encode()))


def scored(gold: str, system: str, lexicon: str | None = None) -> karat.SystemScores:
    scores = karat.score(
        corpus(gold), corpus(system), by=SPLITS, confusions=LABELS, lexicon=corpus(lexicon) if lexicon else None
    )
    return scores.systems[0]


def compared(gold: str, system: str) -> reference.Comparison:
    return reference.Comparison(reference.corpus_from_text(gold), reference.corpus_from_text(system))


def counts(score: karat.MeasureScore) -> reference.Counts:
    return score.gold, score.system, score.correct, score.aligned


# --- agreement with the reference ---


def assert_agreement(gold: str, system: str, lexicon: str | None = None) -> None:
    found, comparison = scored(gold, system, lexicon), compared(gold, system)
    assert comparison.is_clear
    assert_measures_agree(found, comparison)
    assert_splits_agree(found, comparison)
    assert_confusions_agree(found, comparison)
    if lexicon:
        expected = reference.counts_by_lexicon(comparison, reference.corpus_from_text(lexicon))
        assert group_counts(found, "lexicon") == expected


def assert_measures_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    expected = reference.measured(comparison)
    assert list(found.measures) == list(expected)
    for name, judged in expected.items():
        score, total = found.measures[name], reference.totals(judged)
        assert counts(score) == total, name
        rows = [[n or 0 for n in row] for row in reference.counts_by_sentence(judged, comparison)]
        assert found.counts[name].tolist() == rows, name
        assert [sum(column) for column in zip(*rows, strict=True)] == [n or 0 for n in total], name
        assert_values_follow(score)


def assert_values_follow(score: karat.MeasureScore) -> None:
    def ratio(above: int, below: int) -> float:
        return above / below if below else 0.0

    assert score.precision == ratio(score.correct, score.system)
    assert score.recall == ratio(score.correct, score.gold)
    assert score.value == score.f1 == ratio(2 * score.correct, score.gold + score.system)
    assert score.aligned_accuracy == (None if score.aligned is None else ratio(score.correct, score.aligned))


def assert_splits_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    for split in SPLITS:
        column = reference.LABELS[split][1] if split in LABELS else reference.FORM
        if not (comparison.gold.has(column) and comparison.system.has(column)):
            assert split not in found.by
            continue
        groups, expected = group_counts(found, split), reference.counts_by(split, comparison)
        if split == "document" and all(sentence.newdoc is None for sentence in comparison.gold.sentences):
            assert list(groups.values()) == list(expected.values())  # one document, which has the corpus's name
        else:
            assert groups == expected, split


def group_counts(found: karat.SystemScores, split: str) -> reference.GroupCounts:
    return {group: {name: counts(score) for name, score in scores.items()} for group, scores in found.by[split].items()}


def assert_confusions_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    for column, confusions in found.confusions.items():
        labels, matrix = confusions.labels, confusions.matrix
        cells = {(labels[i], labels[j]): int(matrix[i, j]) for i, j in zip(*matrix.nonzero(), strict=True)}
        assert cells == reference.confusions(column, comparison), column


@settings(max_examples=150)
@given(pair=pairs(other_tokens=False))
def test_other_annotation_of_a_small_corpus_counts_as_in_the_reference(pair: Pair) -> None:
    assume(compared(pair.gold, pair.system).is_clear)
    assert_agreement(pair.gold, pair.system, pair.lexicon)


@settings(max_examples=200)
@given(pair=pairs(other_tokens=True))
def test_other_tokens_of_a_small_corpus_count_as_in_the_reference(pair: Pair) -> None:
    assume(compared(pair.gold, pair.system).is_clear)
    assert_agreement(pair.gold, pair.system, pair.lexicon)
