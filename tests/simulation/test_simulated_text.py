"""Simulated text: what the grammar and the lexicon promise, and that files say the same as arrays."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from karat._arrays import Array
from karat.corpus import read_conllu
from karat.corpus.readers.bracket_folders import read_brackets
from karat.errors import UsageError
from karat.simulation._language import language
from karat.simulation.grammar import grammar_from_text
from karat.simulation.noise import Kind, noisy
from karat.simulation.text import Truth, _drawn_templates, simulated
from karat.simulation.written import brackets_bytes, conllu_bytes


def written_conllu(truth: Truth, path: Path) -> Path:
    path.write_bytes(conllu_bytes(truth, truth.tags))
    return path


def test_the_grammar_has_at_least_a_hundred_rules_and_uses_every_class_of_words() -> None:
    spoken = language()
    assert spoken.n_rules == grammar_from_text().n_rules >= 100
    assert set(spoken.templates.classes.tolist()) == set(range(len(spoken.class_names)))


def test_a_rule_without_a_head_is_refused() -> None:
    with pytest.raises(ValueError, match="without a head"):
        grammar_from_text("S -> NP:nsubj VP:obj | 1")


@pytest.mark.parametrize("n_tokens", [1, 2, 3, 17, 1000, 20_001])
def test_a_text_has_exactly_as_many_tokens_as_asked(n_tokens: int) -> None:
    truth = simulated(n_tokens, 3)
    assert truth.n_tokens == len(truth.tags) == truth.sentence_offsets[-1] == n_tokens
    assert (np.diff(truth.sentence_offsets) > 0).all()
    assert truth.document_offsets[-1] == truth.n_sentences
    assert (np.diff(truth.document_offsets) > 0).all()


def test_small_texts_of_any_size_have_that_size() -> None:
    for n_tokens in range(1, 120):
        for seed in range(5):
            truth = simulated(n_tokens, seed)
            assert truth.n_tokens == len(truth.tags) == truth.sentence_offsets[-1] == n_tokens


def test_where_no_template_fits_the_rest_several_do() -> None:
    lengths = np.array([1, 4, 30])
    templates = replace(language().templates, offsets=np.concatenate([[0], np.cumsum(lengths)]))
    for seed in range(20):
        drawn = _drawn_templates(replace(language(), templates=templates), 23, np.random.default_rng(seed))
        assert lengths[drawn].sum() == 23


def test_the_same_seed_gives_the_same_text_and_another_seed_another() -> None:
    one, same, other = simulated(3000, 5), simulated(3000, np.random.default_rng(5)), simulated(3000, 6)
    assert np.array_equal(one.words, same.words)
    assert np.array_equal(one.tags, same.tags)
    assert np.array_equal(one.document_offsets, same.document_offsets)
    assert not np.array_equal(one.words, other.words)


def test_every_tag_is_among_the_candidates_of_its_word() -> None:
    truth = simulated(20_000, 1)
    assert (truth.candidates == truth.tags[:, None]).sum(axis=1).tolist() == [1] * truth.n_tokens
    assert np.array_equal((truth.candidates >= 0).sum(axis=1), truth.n_candidates)


def test_candidates_are_the_tags_that_a_word_has_in_the_lexicon() -> None:
    spoken = language()
    tags: dict[str, set[str]] = {}
    for reading in spoken.readings:
        tags.setdefault(reading.form, set()).add(reading.upos)
    assert tags["that"] == {"DET", "PRON", "SCONJ"}
    for word, candidates in zip(spoken.words, spoken.candidates.tolist(), strict=True):
        assert {spoken.tag_names[tag] for tag in candidates if tag >= 0} == tags[word]


def test_at_least_a_fifth_of_the_tokens_is_ambiguous() -> None:
    truth = simulated(50_000, 2)
    assert truth.ambiguous.mean() >= 0.2
    assert truth.ambiguous.mean() == pytest.approx(language().ambiguous_share, abs=0.02)
    assert 2 < truth.ambiguity < 3


def zipf_slope(counts: Array, first: int, last: int) -> float:
    ranks = np.arange(first, last)
    return float(np.polyfit(np.log(ranks), np.log(np.sort(counts)[::-1][ranks - 1]), 1)[0])


def test_frequencies_fall_about_as_zipf_says_over_all_words_and_over_nouns() -> None:
    truth = simulated(200_000, 4)
    assert -1.4 < zipf_slope(np.bincount(truth.words), 10, 1000) < -0.8
    noun = truth.tags == language().tag_names.index("NOUN")
    assert -1.1 < zipf_slope(np.bincount(truth.words[noun]), 10, 1000) < -0.75


def test_documents_prefer_words_of_their_own() -> None:
    truth = simulated(40_000, 7, n_documents=20)
    noun = truth.tags == language().tag_names.index("NOUN")
    counts = np.zeros((20, language().n_words))
    np.add.at(counts, (truth.token_documents[noun], truth.words[noun]), 1)
    shares = counts.sum(axis=0) / counts.sum()
    expected = counts.sum(axis=1)[:, None] * shares
    spread = ((counts - expected) ** 2).sum() / expected.sum()
    assert spread > 2  # 1 if words did not depend on documents


def test_the_number_of_documents_is_as_asked_or_one_for_400_tokens() -> None:
    assert simulated(4000, 1, n_documents=7).n_documents == 7
    assert simulated(4000, 1).n_documents == 10
    assert simulated(5, 1).n_documents == 1


def test_documents_and_sentences_of_tokens_fit_the_offsets() -> None:
    truth = simulated(4000, 9)
    assert np.array_equal(np.bincount(truth.token_sentences), np.diff(truth.sentence_offsets))
    assert np.array_equal(truth.sentence_documents[truth.token_sentences], truth.token_documents)


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1 token"):
        simulated(0, 1)
    with pytest.raises(UsageError, match="cannot be split into 50 documents"):
        simulated(50, 1, n_documents=50)
    with pytest.raises(UsageError, match="cannot be split into 0 documents"):
        simulated(50, 1, n_documents=0)


def test_files_have_the_words_tags_sentences_and_documents_of_the_arrays(tmp_path: Path) -> None:
    truth = simulated(3000, 11)
    gold = noisy(truth, 0.1, "random", 1)
    path = tmp_path / "gold.conllu"
    path.write_bytes(conllu_bytes(truth, gold))
    corpus = read_conllu(path)
    spoken = language()
    form, upos = corpus.column("form"), corpus.column("upos")
    assert [form.vocabulary.strings[i] for i in form.ids.tolist()] == [spoken.words[i] for i in truth.words.tolist()]
    assert [upos.vocabulary.strings[i] for i in upos.ids.tolist()] == [spoken.tag_names[i] for i in gold.tolist()]
    assert corpus.n_sentences == truth.n_sentences
    assert corpus.n_documents == truth.n_documents


def test_trees_have_the_words_and_xpos_of_the_conllu(tmp_path: Path) -> None:
    truth = simulated(3000, 12)
    corpus = read_conllu(written_conllu(truth, tmp_path / "truth.conllu"))
    path = tmp_path / "truth.ptb"
    path.write_bytes(brackets_bytes(truth))
    trees = read_brackets(path)
    assert path.read_bytes().count(b"\n") == trees.n_trees == truth.n_sentences
    assert np.array_equal(trees.word_offsets, truth.sentence_offsets)
    lines = [line.split("\t") for line in conllu_bytes(truth, truth.tags).decode().splitlines() if "\t" in line]
    leaves = re.findall(r"\((\S+) ([^()\s]+)\)", path.read_text(encoding="utf-8"))
    assert [(line[4], line[1]) for line in lines] == leaves
    assert np.array_equal(corpus.sentence_offsets, trees.word_offsets)


def test_dependencies_are_trees_whose_spans_fit_the_brackets() -> None:
    """Each bracket has exactly one word whose head is outside of it."""
    templates = language().templates
    for i in range(0, 3000, 7):
        here = slice(templates.offsets[i], templates.offsets[i + 1])
        heads = templates.heads[here].tolist()
        assert heads.count(0) == 1
        opened: list[int] = []
        for place, (before, after) in enumerate(zip(templates.before[here], templates.after[here], strict=True), 1):
            opened += [place] * before.count("(")
            for _ in range(after.count(")")):
                start = opened.pop()
                assert sum(not start <= head <= place for head in heads[start - 1 : place]) == 1
        assert not opened


def test_conjunctions_depend_on_the_second_of_what_they_join() -> None:
    templates = language().templates
    starts = np.repeat(templates.offsets[:-1], np.diff(templates.offsets))
    places = [i for i, relation in enumerate(templates.relations) if relation == "cc"]
    assert len(places) > 100
    for i in places:
        head = starts[i] + templates.heads[i] - 1
        assert templates.relations[head] == "conj"
        assert head > i


@pytest.mark.parametrize("level", [2, 5])
def test_the_ud_validator_has_nothing_to_say(level: int, tmp_path: Path) -> None:
    truth = simulated(2000, 13)
    path = written_conllu(truth, tmp_path / "truth.conllu")
    assert validated(path, level) == "*** PASSED ***"


@pytest.mark.parametrize("kind", ["random", "systematic"])
def test_a_noisy_gold_is_valid_too(kind: Kind, tmp_path: Path) -> None:
    truth = simulated(2000, 14)
    path = tmp_path / "gold.conllu"
    path.write_bytes(conllu_bytes(truth, noisy(truth, 0.2, kind, 1)))
    assert validated(path, 2) == "*** PASSED ***"


def validated(path: Path, level: int) -> str:
    """What udtools' validator says of a file."""
    program = Path(sys.executable).with_name("udvalidate")
    if not program.exists():
        pytest.skip("udtools has no udvalidate")
    arguments = [str(program), "--level", str(level), "--lang", "en", str(path)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return (run.stdout + run.stderr).strip()
