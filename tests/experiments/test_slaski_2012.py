"""Slaski et al. 2012 run again on small treebanks: every table, in every format, what is kept, and what is refused."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.corpus import read
from karat.errors import DataError, UsageError
from karat.experiments.papers import slaski_2012 as paper, slaski_2012_plan as plan, slaski_2012_texts as texts
from karat.experiments.papers.published.numbers import PaperEvidence
from karat.experiments.papers.published.slaski_2012 import published
from karat.experiments.papers.reproduction import PaperTable, Reproduction
from karat.experiments.papers.slaski_2012_choices import accuracy_of, verb_or_noun
from karat.experiments.papers.slaski_2012_predicted import predicted_tags
from karat.experiments.papers.slaski_2012_prints import CONFUSION, ratios
from karat.experiments.papers.slaski_2012_runs import shuffled_edges
from karat.experiments.papers.slaski_2012_signals import EVERY, ONLY_MEASURES, ONLY_PLACES, WITHOUT, columns_of
from karat.experiments.papers.slaski_2012_texts import DRAWN, POLISH, SHARED, Setting, data_in, pairs_of_setting
from karat.inference.options import InferenceOptions
from karat.report.reproduction import reproduction_report
from karat.report.tables import written
from karat.systems.attachment.classifiers import BALANCED_FOREST, CLASSIFIERS
from karat.systems.attachment.object_columns import columns_of_objects

pytestmark = pytest.mark.filterwarnings("ignore:n_quantiles")  # of the SVM's scaling, on so few pairs
PAPER = "slaski-2012"
FEW = InferenceOptions(n_resamples=200)
MEN, THINGS, PLACES = (
    ("kucharz", "listonosz", "rybak", "szewc"),
    ("lampa", "kawa", "mapa", "zupa"),
    ("dom", "las", "port"),
)
NAMES = ("clerk", "pilot", "cook", "guard", "nurse", "smith", "baker", "judge")
VERBS, ADJECTIVES = ("gotuje", "kupuje", "niesie", "widzi"), ("duży", "nowy", "stary")
Row = tuple[str, str, str, int, str]  # form, lemma, tag, head, relation


def _polish(rng: random.Random, *, older: bool = False) -> list[Row]:
    """A subject, a verb, an object, and a place that belongs to either."""
    rows: list[Row] = []
    verb_at = 3 if (has_adjective := rng.random() < 0.4) else 2
    if has_adjective:
        rows.append((word := rng.choice(ADJECTIVES), word, "adj:sg:nom:m1:pos", 2, "amod"))
    rows.append((word := rng.choice(MEN), word, "subst:sg:nom:m1", verb_at, "nsubj"))
    if rng.random() < 0.3:
        rows.append(("nie", "nie", "qub" if older else "part", verb_at + 1, "advmod"))
        rows[-2] = (*rows[-2][:3], verb_at + 1, "nsubj")
        verb_at += 1
    rows.append((word := rng.choice(VERBS), word, "fin:sg:ter:imperf", 0, "root"))
    thing = rng.choice(THINGS)
    rows.append((f"{thing[:-1]}ę", thing, "subst:sg:acc:f", verb_at, "obj"))
    object_at = len(rows)
    if rng.random() < 0.5:
        rows.append((f"{(word := rng.choice(MEN))}a", word, "subst:sg:gen:m1", object_at, "nmod"))
    if rng.random() < 0.7:
        preposition = rng.choice(("w", "z"))
        head = verb_at if preposition == "w" else object_at
        rows.append((preposition, preposition, "prep:loc:nwok", len(rows) + 2, "case"))
        rows.append((f"{(word := rng.choice(PLACES))}u", word, "subst:sg:loc:m3", head, "obl"))
    return [*rows, (".", ".", "interp", verb_at, "punct")]


def _english(rng: random.Random) -> list[Row]:
    rows: list[Row] = [("the", "the", "DET|_", 2, "det")]
    rows.append((word := rng.choice(NAMES), word, "NOUN|Number=Sing", 3, "nsubj"))
    rows.append(
        (f"{(word := rng.choice(('mend', 'paint', 'see', 'sell', 'want')))}s", word, "VERB|Number=Sing", 0, "root")
    )
    rows.append(
        (
            word := rng.choice(("lamps", "boats", "maps", "stoves", "doors", "bells")),
            word[:-1],
            "NOUN|Number=Plur",
            3,
            "obj",
        )
    )
    if rng.random() < 0.7:
        preposition = rng.choice(("in", "of"))
        rows.append((preposition, preposition, "ADP|_", 6, "case"))
        place, head = rng.choice(("ports", "woods", "lakes", "towns", "hills")), 3 if preposition == "in" else 4
        rows.append((place, place[:-1], "NOUN|Number=Plur", head, "obl"))
    return [*rows, (".", ".", "PUNCT|_", 3, "punct")]


def _conllu(sentences: list[list[Row]], *, per_document: int | None = None) -> str:
    lines = []
    for number, rows in enumerate(sentences):
        if per_document is not None and number % per_document == 0:
            lines.append(f"# newdoc id = d{number // per_document}\n")
        lines.append(f"# sent_id = s{number}\n")
        for place, (form, lemma, tag, head, relation) in enumerate(rows, start=1):
            upos, bar, feats = tag.partition("|")
            cells = (upos, "_", feats) if bar else ("X", tag, "_")
            lines.append("\t".join([str(place), form, lemma, *cells, str(head), relation, "_", "_"]) + "\n")
        lines.append("\n")
    return "".join(lines)


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    rng = random.Random(26)
    polish = [_polish(rng) for _ in range(80)]
    older = [_polish(rng, older=True) for _ in range(20)]
    shared = [[(*row[:2], "qub" if row[2] == "part" else row[2], *row[3:]) for row in one] for one in polish[:25]]
    english = [_english(rng) for _ in range(60)]
    for name, text in (
        ("ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev", _conllu(polish[:40])),
        ("ud-2.18/UD_Polish-PDB/pl_pdb-ud-test", _conllu(polish[40:])),
        ("ud-2.18/UD_Polish-PUD/pl_pud-ud-test", _conllu([_polish(rng) for _ in range(20)])),
        ("ud-2.16/UD_Polish-LFG/pl_lfg-ud-dev", _conllu([*shared, *older])),
        ("ud-2.3/UD_English-EWT/en_ewt-ud-dev", _conllu(english[:30], per_document=5)),
        ("ud-2.3/UD_English-EWT/en_ewt-ud-test", _conllu(english[30:], per_document=5)),
        ("ud-2.3/UD_English-GUM/en_gum-ud-train", _conllu([_english(rng) for _ in range(30)], per_document=10)),
    ):
        path = folder / f"{name}.conllu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    forest = CLASSIFIERS[BALANCED_FOREST]
    few = replace(forest, made=lambda seed, jobs, n_trees: forest.made(seed, jobs, min(n_trees, 3)))
    tree = CLASSIFIERS["decision-tree"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CLASSIFIERS, BALANCED_FOREST, few)
        for slow in ("forest", "subsampled-forest", "gradient-boosting"):
            patch.setitem(CLASSIFIERS, slow, replace(CLASSIFIERS[slow], made=tree.made))
        patch.setattr(texts, "WORDNET", "no-such-folder")
        patch.setattr(texts, "N_DRAWN", 60)
        patch.setattr(plan, "POLISH_WORDS", (100, 200))
        patch.setattr(plan, "ENGLISH_WORDS", (50,))
        yield


@pytest.fixture(scope="module")
def result(small: None, treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return karat.reproduce(PAPER, treebanks, tmp_path_factory.mktemp("out"), inference=FEW)


def _tables(result: Reproduction) -> dict[str, PaperTable]:
    return {one.title: one for part in result.parts for _, one in part.results if isinstance(one, PaperTable)}


def test_every_part_is_there(result: Reproduction) -> None:
    assert [one.name for one in result.parts] == [
        "table-1", "polish", "rules", "classifiers", "curves", "left-out", "english", "signals", "leak", "map",
        "predicted", "choices", "cascade",
    ]  # fmt: skip
    assert [one.what for one in result.not_run] == [
        "the annotated sentences of the National Corpus of Polish", "statistics of a million words",
        "Polish: features of the wordnet", "English: features of the wordnet",
    ]  # fmt: skip
    assert result.n_run == len(plan.planned(["Polish", "English"], [0]))
    assert result.n_kept == result.n_failed == 0
    assert all(len({len(row) for row in one.rows} | {len(one.columns)}) == 1 for one in _tables(result).values())


def test_started_again_it_runs_nothing_and_gives_the_same(result: Reproduction, small: None, treebanks: Path) -> None:
    again = karat.reproduce(PAPER, treebanks, result.folder, inference=FEW)
    assert again.n_run == 0
    assert again.n_kept == result.n_run
    assert again.verdict == result.verdict
    assert {title: one.rows for title, one in _tables(again).items()} == {
        title: one.rows for title, one in _tables(result).items()
    }


def test_a_damaged_run_is_done_again(result: Reproduction, small: None, treebanks: Path) -> None:
    kept = sorted((Path(result.folder) / "runs").iterdir())
    before = kept[0].read_bytes()
    kept[0].write_bytes(before[: len(before) // 2])
    kept[1].write_bytes(b"")
    again = karat.reproduce(PAPER, treebanks, result.folder, inference=FEW)
    assert again.n_run == 2
    assert again.verdict == result.verdict


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv", "json"])
@pytest.mark.parametrize("details", [False, True])
def test_every_table_is_printed_in_every_format(result: Reproduction, form: str, details: bool) -> None:
    if form == "json":
        text = json.dumps(result.to_dict(), ensure_ascii=False)
        assert [title for title in _tables(result) if json.dumps(title, ensure_ascii=False)[1:-1] not in text] == []
    elif form in ("csv", "tsv"):
        assert len(result.records().rows) == 4 + 3 + 3 + 2 + 2  # without a wordnet
    else:
        text = written(reproduction_report(result, details=details), form)
        assert "{" not in text or form == "latex"
        assert ("Hindle" in text) == details or not details


def test_the_papers_matrix_gives_its_ratios() -> None:
    assert [round(one, 3) for one in ratios(CONFUSION["all"])] == [0.893, 0.600, 0.718]
    assert [round(one, 3) for one in ratios(CONFUSION["wordnet"])] == [0.889, 0.657, 0.756]


def test_every_published_number_that_needs_training_is_there(result: Reproduction) -> None:
    rows = [one for one in published(PaperEvidence(None, result)) if one.needs == "training"]
    assert len(rows) == 21
    assert [one.of for one in rows if one.ours is None and "wordnet" not in one.of] == []
    tops = [one.ours for one in rows if one.of.startswith("rank near the tops")]
    assert len({*tops}) == 2
    signals = _tables(result)["The 20 signals most often near the tops"].rows
    assert [signals[int(one or 0) - 1][0] for one in tops] == ["rules", "distance"]


def test_shuffled_edges_are_found_as_often_as_by_chance(result: Reproduction) -> None:
    rows = _tables(result)["No leak: edges shuffled within each sentence"].rows
    shuffled, true = rows[0], rows[2]
    assert isinstance(shuffled[5], float)
    assert isinstance(true[5], float)
    assert abs(shuffled[5] - 0.5) < 0.1  # AUC within sentences
    assert true[5] > 0.9


def test_shuffling_keeps_how_many_edges_each_sentence_has(small: None, treebanks: Path) -> None:
    data = data_in(str(treebanks), POLISH)
    assert data is not None
    pairs = pairs_of_setting(data, Setting(POLISH, DRAWN)).pairs
    shuffled = shuffled_edges(pairs, 0)
    assert (shuffled != pairs.is_edge).any()
    assert np.array_equal(
        np.bincount(pairs.sentence, weights=shuffled), np.bincount(pairs.sentence, weights=pairs.is_edge)
    )


def test_shared_sentences_are_those_with_equal_heads(small: None, treebanks: Path) -> None:
    data = data_in(str(treebanks), POLISH)
    assert data is not None
    shared = texts.evaluated_corpus(data, Setting(POLISH, SHARED))
    lfg = read(list(data.files("UD_Polish-LFG")), tag="xpos")
    every = {tuple(lfg.column("form").strings()[a:b]) for a, b in itertools.pairwise(lfg.sentence_offsets.tolist())}
    forms = shared.column("form").strings()
    assert shared.n_sentences >= 25
    assert all(tuple(forms[a:b]) in every for a, b in itertools.pairwise(shared.sentence_offsets.tolist()))


def test_drawn_statistics_have_no_copy_of_what_is_evaluated(small: None, treebanks: Path) -> None:
    data = data_in(str(treebanks), POLISH)
    assert data is not None
    whole = pairs_of_setting(data, Setting(POLISH, DRAWN))
    drawn = pairs_of_setting(data, Setting(POLISH, DRAWN, words=100))
    columns = drawn.statistics.columns
    assert 100 <= columns.n_words < 115
    hashes = columns_of_objects(whole.found.objects).hashes
    assert not np.isin(columns.hashes, hashes).any()
    assert len(columns) == int(columns.offsets[-1]) == len(columns.column("syntactic", "lemma"))


def test_predicted_tags_come_from_sentences_that_are_no_copies(small: None, treebanks: Path) -> None:
    data = data_in(str(treebanks), POLISH)
    assert data is not None
    corpus = texts.evaluated_corpus(data, Setting(POLISH, DRAWN))
    text = predicted_tags(corpus, corpus, 0).decode()
    rows = [line.split("\t") for line in text.splitlines() if line]
    assert [row[1] for row in rows] == corpus.column("form").strings()
    assert corpus.heads is not None
    assert [int(row[6]) for row in rows] == corpus.heads.tolist()
    right = [row[4] == tag for row, tag in zip(rows, corpus.column("xpos").strings(), strict=True)]
    assert np.mean(right) > 0.8


def test_a_choice_is_between_the_nearest_verb_and_noun(small: None, treebanks: Path) -> None:
    data = data_in(str(treebanks), POLISH)
    assert data is not None
    of = pairs_of_setting(data, Setting(POLISH, DRAWN))
    choices = verb_or_noun(of.found.objects, of.pairs)
    assert len(choices) > 10
    assert np.array_equal(of.pairs.child[choices[:, 0]], of.pairs.child[choices[:, 1]])
    assert np.array_equal(of.pairs.is_edge[choices[:, 1]], choices[:, 2] == 1)
    assert np.array_equal(of.pairs.is_edge[choices[:, 0]], choices[:, 2] == 0)
    assert accuracy_of(choices, of.pairs.is_edge.astype(float)) == 1.0
    assert accuracy_of(choices, np.zeros(len(of.pairs))) == 0.5


def test_signals_are_chosen_by_kind_and_by_measure() -> None:
    names = ("distance", "order", "collocation.t-score", "collocation.frequency", "valence.t-score", "rules")
    assert columns_of(EVERY, names) is None
    assert {one: columns_of(one, names) for one in (*WITHOUT, ONLY_PLACES)} == {
        "without lexical": [0, 1, 4, 5],
        "without morphosyntactic": [0, 1, 2, 3, 5],
        "without wordnet": [0, 1, 2, 3, 4, 5],
        "without rules": [0, 1, 2, 3, 4],
        "without distance and order": [2, 3, 4, 5],
        "distance, order and rules alone": [0, 1, 5],
    }
    assert [columns_of(one, names) for one in ONLY_MEASURES][2] == [0, 1, 2, 4, 5]


def test_data_that_cannot_be_used_is_refused_with_a_reason(small: None, treebanks: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        karat.reproduce(PAPER, tmp_path / "nowhere", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no UD_Polish-PDB"):
        karat.reproduce(PAPER, tmp_path / "empty", tmp_path / "out")
    with pytest.raises(UsageError, match="this machine only"):
        karat.reproduce(PAPER, treebanks, tmp_path / "out", scheduler="tcp://localhost:1")


def test_without_english_and_lfg_the_rest_is_done(small: None, treebanks: Path, tmp_path: Path) -> None:
    few = tmp_path / "few" / "UD_Polish-PDB"
    few.mkdir(parents=True)
    for part in ("dev", "test"):
        name = f"pl_pdb-ud-{part}.conllu"
        (few / name).write_text((treebanks / "ud-2.18" / "UD_Polish-PDB" / name).read_text())
    with pytest.MonkeyPatch.context() as patch:
        keep = {"Table 1", "the rules", "English", "Polish texts"}
        patch.setattr(paper, "_PARTS", {name: make for name, make in paper._PARTS.items() if name in keep})
        patch.setattr(plan, "planned", lambda languages, seeds: [plan.drawn()])
        found = karat.reproduce(PAPER, few.parent, tmp_path / "out")
    assert {"Polish texts", "English"} <= {one.what for one in found.not_run}
    assert any("UD_Polish-LFG" in one.why for one in found.not_run)
    assert [one.name for one in found.parts] == ["table-1", "rules"]
