"""Errors planted in real tags: how many, where, and what taggers do there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from karat.experiments.papers.planted_errors import observed, planter
from small_treebanks import small_treebank


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> karat.Corpus:
    bank = small_treebank(tmp_path_factory.mktemp("data") / "UD_Tree-Oak", 1, parts={"train": 800})
    return karat.read_conllu(next(Path(bank).glob("*.conllu")))


def tags_by_form(corpus: karat.Corpus) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for form, tag in zip(corpus.column("form").strings(), corpus.column("upos").strings(), strict=True):
        found.setdefault(form, set()).add(tag)
    return found


@pytest.mark.parametrize("kind", ["random", "systematic"])
def test_only_ambiguous_words_are_changed_and_only_to_their_own_tags(corpus: karat.Corpus, kind: str) -> None:
    plants = planter(corpus, "upos")
    text, rng = plants.text(corpus), np.random.default_rng(1)
    tags = plants.random(text, 0.2, rng) if kind == "random" else plants.systematic([text], 0.2, rng)[0]
    names, own = list(plants.tag_numbers), tags_by_form(corpus)
    forms = corpus.column("form").strings()
    wrong = np.flatnonzero(tags != text.tags)
    several = [len(own[form]) > 1 for form in forms]
    assert 0.1 < len(wrong) / sum(several) < 0.3
    for word in wrong.tolist():
        assert several[word]
        assert names[tags[word]] in own[forms[word]]


def test_systematic_errors_are_the_same_in_the_same_context(corpus: karat.Corpus) -> None:
    plants = planter(corpus, "upos")
    text = plants.text(corpus)
    (tags,) = plants.systematic([text], 0.15, np.random.default_rng(3))
    of_context: dict[tuple[int, int, int], set[int]] = {}
    for form, right, before, tag in zip(text.forms, text.tags, text.before, tags, strict=True):
        of_context.setdefault((int(form), int(right), int(before)), set()).add(int(tag))
    assert all(len(one) == 1 for one in of_context.values())


def test_what_is_written_differs_in_the_planted_tags_alone(corpus: karat.Corpus, tmp_path: Path) -> None:
    plants = planter(corpus, "upos")
    text = plants.text(corpus)
    tags = plants.random(text, 0.1, np.random.default_rng(5))
    path = tmp_path / "planted.conllu"
    path.write_bytes(plants.written(text, tags))
    again = karat.read_conllu(path)
    names = list(plants.tag_numbers)
    assert again.column("upos").strings() == [names[tag] for tag in tags]
    for column in ("form", "lemma", "feats", "deprel"):
        assert again.column(column).strings() == corpus.column(column).strings()


words = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=40)


@given(words)
def test_the_cases_of_table_1_add_up(several: list[tuple[int, int, int]]) -> None:
    """K = (1 − C) t + C (1 − u) p and x = (1 − C) t + C u [Padró & Màrquez 1998, equations 1 and 2]."""
    truth, gold, system = (np.array(one, dtype=np.int32) for one in zip(*several, strict=True))
    found = observed(truth, gold, system)
    c = found.corpus_error
    t, u, p = (one or 0.0 for one in (found.where_right, found.where_wrong, found.same_error))
    assert found.real == pytest.approx((1 - c) * t + c * u)
    assert found.observed == pytest.approx((1 - c) * t + c * (1 - u) * p)


def test_taggers_learn_systematic_errors_and_not_random_ones(tmp_path: Path) -> None:
    """Where the gold is wrong, a tagger is right less often if its training text has the same errors (u falls)."""
    bank = Path(small_treebank(tmp_path / "UD_Tree-Oak", 1, parts={"train": 1500, "test": 600}))
    train, test = (karat.read_conllu(next(bank.glob(f"*-{part}.conllu"))) for part in ("train", "test"))
    plants = planter(train, "upos")
    texts = [plants.text(train), plants.text(test)]
    several = plants.is_ambiguous(texts[1])
    rng = np.random.default_rng(2)
    noisy = {
        "systematic": plants.systematic(texts, 0.2, rng),
        "random": [plants.random(one, 0.2, rng) for one in texts],
    }
    where_wrong = {}
    for kind, tags in noisy.items():
        for place, learnt_from in enumerate((texts[0].tags, tags[0])):
            path = tmp_path / f"{kind}-{place}.conllu"
            path.write_bytes(plants.written(texts[0], learnt_from))
            tagged = karat.tag(karat.train("hmm", path, calibrate=False), test)
            number = [plants.tag_numbers[label] for label in tagged.labels]
            system = np.array(number, dtype=np.int32)[tagged.tags]
            where_wrong[kind, place] = observed(*(one[several] for one in (texts[1].tags, tags[1], system))).where_wrong
    clean, learnt = where_wrong["systematic", 0], where_wrong["systematic", 1]
    assert clean is not None
    assert learnt is not None
    assert learnt < clean - 0.2
    apart = [one or 0.0 for one in (where_wrong["random", 0], where_wrong["random", 1])]
    assert abs(apart[0] - apart[1]) < 0.1
