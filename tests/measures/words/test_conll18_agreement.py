"""karat counts what the official evaluator counts: PyPI udtools, the CoNLL 2018 and IWPT 2020 evaluation."""

from __future__ import annotations

import io
from itertools import pairwise
from random import Random

import pytest
import udtools.udeval as udeval
from hypothesis import given, settings, strategies as st

from corruptions import ANNOTATION, TOKENISATION, Rates, corrupted
from examples import random_tree, sentence_of_tokens
from karat.align import align
from karat.corpus import conllu_from_source, source_from_bytes
from karat.measures.catalogue import CONLL18
from karat.measures.measure import aligned_accuracy, f1, precision, recall
from karat.measures.words.comparison import Comparison
from realdata import data

EWT_TEST = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
EWT_TRAIN = "ud-2.3/UD_English-EWT/en_ewt-ud-train.conllu"
SEQUOIA_TEST = "ud-2.3/UD_French-Sequoia/fr_sequoia-ud-test.conllu"
PDB_DEV = "ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu"

Counts = tuple[int, int, int, int | None]  # gold, system, correct, aligned
Values = tuple[float, float, float, float | None]  # precision, recall, F1, aligned accuracy


def karat_results(gold: str, system: str) -> tuple[dict[str, Counts], dict[str, Values]]:
    corpora = [conllu_from_source(source_from_bytes(text.encode()), as_conll18=True) for text in (gold, system)]
    comparison = Comparison(align(*corpora))
    counts: dict[str, Counts] = {}
    values: dict[str, Values] = {}
    for name, measure in CONLL18.items():
        summed = measure.counts(comparison).sum(axis=0)
        assert (summed == summed.round()).all()
        n_gold, n_system, n_correct, n_aligned = map(int, summed)
        counts[name] = n_gold, n_system, n_correct, n_aligned if measure.has_aligned else None
        accuracy = float(aligned_accuracy(summed)) if measure.has_aligned else None
        values[name] = float(precision(summed)), float(recall(summed)), float(f1(summed)), accuracy
    return counts, values


def official_results(gold: str, system: str) -> tuple[dict[str, Counts], dict[str, Values]]:
    # not udeval.load_conllu_file: it leaves the file open, and warnings are errors
    ours, theirs = (udeval.load_conllu(io.StringIO(text, newline=None), "-", {}) for text in (gold, system))
    scores = udeval.evaluate(ours, theirs)
    counts = {n: (s.gold_total, s.system_total, s.correct, s.aligned_total) for n, s in scores.items()}
    values = {n: (s.precision, s.recall, s.f1, s.aligned_accuracy) for n, s in scores.items()}
    return counts, values


def assert_agreement(gold: str, system: str) -> dict[str, Counts]:
    our_counts, our_values = karat_results(gold, system)
    their_counts, their_values = official_results(gold, system)
    assert our_counts == their_counts
    for name, theirs in their_values.items():
        for our_value, their_value in zip(our_values[name], theirs, strict=True):
            if our_value is None or their_value is None:
                assert our_value is their_value, name
            else:
                assert abs(our_value - their_value) <= 1e-12, name
    return our_counts


# --- real treebanks against corruptions of themselves ---


@pytest.mark.parametrize(
    "name",
    [EWT_TEST, SEQUOIA_TEST, PDB_DEV, pytest.param(EWT_TRAIN, marks=pytest.mark.slow)],
    ids=["ewt-test", "sequoia-test", "pdb-dev", "ewt-train"],
)
def test_changed_annotation_of_a_treebank_counts_as_in_udtools(name: str) -> None:
    gold = data(name).read_text(encoding="utf-8")
    counts = assert_agreement(gold, corrupted(gold, 17, ANNOTATION))
    for measure in ("UPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX"):
        n_gold, _, n_correct, _ = counts[measure]
        assert 0 < n_correct < n_gold, f"the corruption left {measure} as it was"


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *((name, seed) for name in (EWT_TEST, SEQUOIA_TEST, PDB_DEV) for seed in range(3)),
        pytest.param(EWT_TRAIN, 3, marks=pytest.mark.slow),
    ],
)
def test_changed_tokenisation_of_a_treebank_counts_as_in_udtools(name: str, seed: int) -> None:
    gold = data(name).read_text(encoding="utf-8")
    counts = assert_agreement(gold, corrupted(gold, seed, TOKENISATION))
    for measure in ("Tokens", "Sentences", "Words", "UPOS", "LAS", "MLAS"):
        n_gold, _, n_correct, _ = counts[measure]
        assert 0 < n_correct < n_gold, f"the corruption left {measure} as it was"


def test_a_tokenisation_changed_on_both_sides_counts_as_in_udtools() -> None:
    # the gold has many multiword tokens too then, and they overlap the system's in every way
    text = data(SEQUOIA_TEST).read_text(encoding="utf-8")
    many = Rates(split=0.1, merge=0.1, contract=0.15, contract_changed=0.15, inner=0.5, shift=0.05, join=0.1, cut=0.1)
    for seed in range(3):
        assert_agreement(corrupted(text, seed, many), corrupted(text, seed + 100, many))


# --- corruptions do what they say ---


def test_a_corruption_at_rate_zero_changes_nothing() -> None:
    text = data(SEQUOIA_TEST).read_text(encoding="utf-8")
    assert corrupted(text, 1, Rates()) == text


def test_the_same_seed_gives_the_same_corruption_and_another_seed_another() -> None:
    text = data(SEQUOIA_TEST).read_text(encoding="utf-8")
    assert corrupted(text, 1, TOKENISATION) == corrupted(text, 1, TOKENISATION)
    assert corrupted(text, 1, TOKENISATION) != corrupted(text, 2, TOKENISATION)


# --- corners, written out ---


@pytest.mark.parametrize(
    ("gold", "system", "n_words_right"),
    [
        (["ab"], ["ab"], 1),
        (["ab"], ["a", "b"], 0),
        (["ab=a+b"], ["a", "b"], 2),
        (["aB=A+b"], ["a", "B"], 2),
        (["ab=a+b", "c"], ["a", "bc=b+c"], 3),
        (["ab=x+y"], ["ab=y+x"], 1),
        (["ab=a"], ["ab"], 0),
        (["ab=ab"], ["ab"], 1),
        (["a", "bc=b+c", "d"], ["ab=x+y", "cd=z+a"], 1),
        # the evaluator leaves out one word before a multiword token, not two: the one after that is still compared
        (["abc", "de=b+e"], ["a", "b", "c", "d", "e"], 2),
        (["a", "b", "c", "d", "e"], ["abc", "de=c+e"], 2),
        # spaces are taken out of the forms of tokens, but not of the forms of words in multiword tokens
        (["ab=ab+c"], ["a b"], 1),
        (["a b"], ["ab=ab+c"], 1),
        (["ab=a b+c"], ["a b"], 0),
        (["ab=a b+c"], ["ab=a b+d"], 1),
        (["ab=a b+c"], ["ab=ab+d"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_words_are_matched_as_in_udtools(gold: list[str], system: list[str], n_words_right: int) -> None:
    assert official_results(sentence_of_tokens(*gold), sentence_of_tokens(*system))[0]["Words"][2] == n_words_right
    assert_agreement(sentence_of_tokens(*gold), sentence_of_tokens(*system))


# --- random corpora ---

LETTERS = "abABß"  # few, so that forms are often equal by chance; ß has no upper case of one letter
SPACES = " \u00a0\u3000"
TAGS = ["X", "Y"]
FEATURES = ["Case=A", "Case=B", "Number=A", "Odd=A", "Gender[psor]=A"]  # the last two are not universal
RELATIONS = ["nsubj", "nsubj:x", "nsubj:y", "det", "case", "case:x", "aux", "punct", "conj>obj", "conj:x>obj"]


def random_form(random: Random, letters: str) -> str:
    """The letters, now and then with a space between."""
    form = letters[0]
    for letter in letters[1:]:
        form += (random.choice(SPACES) if random.random() < 0.1 else "") + letter
    return form


def random_words(random: Random, text: str, start: int, stop: int) -> list[str]:
    """Forms for the words of the multiword token at text[start:stop], many of them those of its neighbours."""
    near = text[max(start - 3, 0) : stop + 3]
    words = []
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(near))
        word = near[place : place + random.randint(1, 3)]
        words.append(random_form(random, random.choice([word, word.lower(), word.upper()])))
    return words


def random_deps(random: Random, n: int, empties: list[str]) -> str:
    """Some edges from the root, from words and from empty nodes, in any order, now and then one twice."""
    heads = ["0", *map(str, range(1, n + 1)), *empties, *empties]
    edges = [f"{random.choice(heads)}:{random.choice(RELATIONS)}" for _ in range(random.randint(0, 3))]
    return "|".join(edges) or "_"


def random_sentence(random: Random, tokens: list[tuple[str, list[str] | None]]) -> str:
    n = sum(len(words or [""]) for _, words in tokens)
    n_empties = [random.choice([0, 0, 0, 0, 1, 2]) for _ in range(n + 1)]
    empties = [f"{major}.{minor}" for major in range(n + 1) for minor in range(1, n_empties[major] + 1)]
    heads = random_tree(random, n)

    def annotation(head: str) -> str:
        feats = "|".join(random.sample(FEATURES, random.choice([0, 0, 1, 1, 2, 3]))) or "_"
        fields = [random.choice(["l", "m", "_"]), random.choice(TAGS), random.choice(TAGS), feats]
        return "\t".join([*fields, head, random.choice(RELATIONS[:8]), random_deps(random, n, empties), "_"])

    def empty_nodes(major: int) -> list[str]:
        return [f"{name}\te\t" + annotation("_") for name in empties if name.startswith(f"{major}.")]

    lines = empty_nodes(0)
    number = 0
    for form, words in tokens:
        if words is not None:
            lines.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 8)
        for word in words or [form]:
            number += 1
            lines += [f"{number}\t{word}\t" + annotation(str(heads[number - 1])), *empty_nodes(number)]
    return "\n".join([*lines, "", ""])


def random_corpus(random: Random, text: str, multiword_rate: float, boundary_rate: float, sentence_rate: float) -> str:
    """The characters of a text as a corpus: tokens, words, sentences and annotation at random."""
    bounds = [0, *(place for place in range(1, len(text)) if random.random() < boundary_rate), len(text)]
    sentences: list[list[tuple[str, list[str] | None]]] = [[]]
    for start, stop in pairwise(bounds):
        is_multiword = random.random() < multiword_rate
        words = random_words(random, text, start, stop) if is_multiword else None
        if sentences[-1] and random.random() < sentence_rate:
            sentences.append([])
        sentences[-1].append((random_form(random, text[start:stop]), words))
    return "".join(random_sentence(random, tokens) for tokens in sentences)


texts = st.text(LETTERS, min_size=1, max_size=14)
rates = st.sampled_from([0.0, 0.2, 0.5, 0.8])


@settings(max_examples=300)
@given(text=texts, rates=st.tuples(*[rates] * 6), random=st.randoms(use_true_random=False))
def test_two_random_corpora_of_the_same_characters_count_as_in_udtools(
    text: str, rates: tuple[float, ...], random: Random
) -> None:
    gold = random_corpus(random, text, rates[0], rates[1], rates[2])
    system = random_corpus(random, text, rates[3], rates[4], rates[5])
    assert_agreement(gold, system)


def test_many_random_corpora_of_the_same_characters_count_as_in_udtools() -> None:
    # hypothesis looks for small examples; these are larger, and more of them
    random = Random(20180702)
    for _ in range(800):
        text = "".join(random.choices(LETTERS, k=random.randint(1, 60)))
        gold, system = (
            random_corpus(random, text, random.random(), random.random(), random.random() ** 2) for _ in range(2)
        )
        assert_agreement(gold, system)


# --- files that are odd and that udtools reads ---


def with_odd_empty_nodes(random: Random, text: str) -> str:
    """A corpus with empty nodes renamed, moved and put in anywhere, also between a range and its first word."""
    sentences = []
    for sentence in text.split("\n\n"):
        lines = [line for line in sentence.split("\n") if line]
        nodes = [line for line in lines if "." in line.split("\t")[0]]
        lines = [line for line in lines if line not in nodes]
        nodes += [f"0.1\te\t_\tX\tY\t_\t_\t_\t{random.choice(['_', '0:root', '1.1:dep'])}\t_"]
        for node in nodes if lines else ():
            name = random.choice(["0.1", "1.0", "1.1", "1.2", "2.1", "3.10", "99.1", node.split("\t")[0]])
            lines.insert(random.randint(0, len(lines)), "\t".join([name, *node.split("\t")[1:]]))
        sentences.append("\n".join(lines))
    return "\n\n".join(sentences)


def with_odd_numbers(random: Random, text: str) -> str:
    """A corpus with IDs and heads as Python's `int` reads them."""
    odd = ["0{}", "{}\u00a0", "{} ", "\u3000{}", "{}"]
    lines = [line.split("\t") for line in text.split("\n")]
    for fields in lines:
        if len(fields) == 10 and fields[0].isdigit():
            fields[0], fields[6] = (random.choice(odd).format(fields[number]) for number in (0, 6))
    return "\n".join("\t".join(fields) for fields in lines)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_many_random_corpora_with_odd_empty_nodes_and_numbers_count_as_in_udtools(end: str) -> None:
    random = Random(20260818)
    for _ in range(200):
        text = "".join(random.choices(LETTERS, k=random.randint(1, 40)))
        gold, system = (
            random_corpus(random, text, random.random(), random.random(), random.random() ** 2) for _ in range(2)
        )
        gold, system = (with_odd_empty_nodes(random, one) for one in (gold, system))
        assert_agreement(gold.replace("\n", end), with_odd_numbers(random, system).replace("\n", end))
