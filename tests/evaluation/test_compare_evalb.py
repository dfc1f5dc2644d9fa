"""karat.compare like EVALB: its figures, on the sentences that it scores, with tests and intervals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import inference_reference
import karat
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import UsageError
from karat.measures.brackets.evalb import EvalbParameters, evalb, parameters_from_prm
from realdata import data
from tree_corruptions import corrupted_tree
from tree_score_reference import random_tree, random_words

FEW = karat.InferenceOptions(n_resamples=200)
FIGURES = {
    "Labelled Precision": "precision",
    "Labelled Recall": "recall",
    "Labelled F1": "f_measure",
    "Complete Match": "complete_match",
    "Average Crossing": "average_crossing",
    "No Crossing": "no_crossing",
    "Two or Fewer Crossing": "two_or_less_crossing",
    "Tagging Accuracy": "tagging_accuracy",
}


def read(lines: Sequence[str]) -> Trees:
    return brackets_from_source(source_from_bytes("\n".join(lines).encode(), "trees.ptb"))


def corpora(seed: int, n: int, *, missing: float = 0.0) -> tuple[list[str], dict[str, list[str]]]:
    rng = random.Random(seed)
    golds = [f"(TOP {random_tree(rng, random_words(rng))})" for _ in range(n)]
    systems = {
        name: ["(())" if rng.random() < missing else corrupted_tree(gold, rng, rate) for gold in golds]
        for name, rate in (("a", 0.2), ("b", 0.5))
    }
    return golds, systems


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_figures_are_those_of_evalb(missing: float) -> None:
    golds, systems = corpora(1, 40, missing=missing)
    inputs = {name: read(lines) for name, lines in systems.items()}
    found = karat.compare(read(golds), inputs, like="evalb", inference=FEW)
    scores = karat.score(read(golds), inputs, like="evalb")
    assert found.measures() == list(FIGURES)
    for pair in found.pairs:
        assert pair.measure is not None
        for name, value in (("a", pair.value_a), ("b", pair.value_b)):
            assert value == scores.system(name)[pair.measure].value
            summary = evalb(read(golds), inputs[name]).summary()
            assert pair.factor * value == pytest.approx(getattr(summary, FIGURES[pair.measure]), abs=1e-9), pair.measure
        assert pair.interval is not None
        assert pair.counts is None
    left_out = {name: len(one.evalb.left_out) for name in "ab" if (one := scores.system(name)).evalb is not None}
    assert dict(found.left_out) == left_out
    assert found.to_dict()["left_out"] == left_out
    assert any("leaves out different sentences" in one for one in found.warnings) == bool(missing)
    assert ("like", "evalb") in found.settings


@pytest.mark.parametrize("seed", range(4))
def test_where_the_same_sentences_are_scored_p_is_that_of_all_swaps(seed: int) -> None:
    golds, systems = corpora(seed, 10)
    golds = [gold for gold in golds if "(NN" in gold or "(DT" in gold or "(VB" in gold or "(UH" in gold]
    systems = {
        name: [corrupted_tree(gold, random.Random(seed + number), 0.5) for gold in golds]
        for number, name in enumerate("ab")
    }
    inputs = {name: read(lines) for name, lines in systems.items()}
    found = karat.compare(read(golds), inputs, like="evalb", measures="Labelled Recall,No Crossing", inference=FEW)
    results = [evalb(read(golds), inputs[name]) for name in "ab"]
    values = {
        "Labelled Recall": [one.matched for one in results],
        "No Crossing": [(one.crossing == 0) & (one.status == 0) for one in results],
    }
    for pair in found.pairs:
        assert pair.measure is not None
        a, b = (one.astype(int) for one in values[pair.measure])
        p, mid_p = inference_reference.sign_flip_p((b - a).tolist())
        assert pair.test == "exact permutation"
        assert pair.p == pytest.approx(float(p))
        assert pair.mid_p == pytest.approx(float(mid_p))


@pytest.mark.parametrize("case", ["gum", "errors", "gum-unlabelled"])
def test_on_real_trees_values_are_what_evalb_printed(case: str) -> None:
    gold, test, prm, out = (data(f"evalb/{case}.{ending}") for ending in ("gld", "tst", "prm", "out"))
    found = karat.compare(gold, {"gold": gold, "test": test}, like="evalb", prm=prm, inference=FEW)
    printed: dict[str, float] = {}
    for line in out.read_text(encoding="utf-8").split("-- len<=")[0].splitlines():
        if line.startswith(("Bracketing", "Complete", "Average", "No cross", "2 or less", "Tagging")):
            name, _, value = line.partition("=")
            printed[name.strip()] = float(value)
    kind = "Unlabelled" if case == "gum-unlabelled" else "Labelled"
    names = {
        f"{kind} Recall": "Bracketing Recall", f"{kind} Precision": "Bracketing Precision",
        f"{kind} F1": "Bracketing FMeasure", "Complete Match": "Complete match", "Average Crossing": "Average crossing",
        "No Crossing": "No crossing", "Two or Fewer Crossing": "2 or less crossing",
        "Tagging Accuracy": "Tagging accuracy",
    }  # fmt: skip
    for pair in found.pairs:
        assert pair.measure is not None
        assert f"{pair.factor * pair.value_b:.2f}" == f"{printed[names[pair.measure]]:.2f}"
    assert len(found.pairs) == len(names)
    result = evalb(read_brackets(gold), read_brackets(test), parameters_in(prm))
    assert found.left_out["test"] == int((result.status != 0).sum())


def parameters_in(prm: Path) -> EvalbParameters:
    return parameters_from_prm(prm.read_text(encoding="utf-8"))


def test_what_does_not_go_together_is_refused_in_words() -> None:
    golds, systems = corpora(1, 5)
    inputs = {name: read(lines) for name, lines in systems.items()}
    with pytest.raises(UsageError, match="EVALB has no Crossing Rate"):
        karat.compare(read(golds), inputs, like="evalb", measures="Crossing Rate")
    with pytest.raises(UsageError, match="EVALB has no Unlabelled F1 with COLLINS"):
        karat.compare(read(golds), inputs, like="evalb", measures="Unlabelled F1")
    with pytest.raises(UsageError, match='`brackets` cannot be used with `like="evalb"`'):
        karat.compare(read(golds), inputs, like="evalb", brackets=karat.BracketOptions(labelled=True))
    with pytest.raises(UsageError, match='`measures` cannot be used with `like="evalb"`'):
        karat.score(read(golds), inputs, like="evalb", measures="Labelled F1")


# ---- EVALB's figure beside karat's own -------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [False, True])
def test_beside_karat_s_f1_stands_what_evalb_would_give(steps: bool) -> None:
    golds, systems = corpora(3, 60, missing=0.1)
    inputs = {name: read(lines) for name, lines in systems.items()}
    scores = karat.score(read(golds), inputs, evalb_steps=steps, intervals=False)
    like_evalb = karat.score(read(golds), inputs, like="evalb")
    for system in scores.systems:
        theirs = like_evalb.system(system.name)
        assert system.brackets is not None
        assert theirs.evalb is not None
        beside = system.brackets.beside_evalb
        assert beside is not None
        assert (beside.value, beside.n_left_out) == (theirs["Labelled F1"].value, len(theirs.evalb.left_out))
        assert bool(beside.steps) == steps
        if steps:
            assert beside.steps[0].f1 == pytest.approx(system["Labelled F1"].value, abs=1e-15)
            assert beside.steps[-1].f1 == beside.value


def test_it_stands_beside_nothing_that_evalb_has_no_figure_for() -> None:
    golds, systems = corpora(3, 10)
    asked: list[dict[str, Any]] = [{"measures": "Complete Match"}, {"brackets": karat.BracketOptions(label="NP")}]
    for options in asked:
        scores = karat.score(read(golds), {"a": read(systems["a"])}, intervals=False, **options)
        assert scores.systems[0].brackets is not None
        assert scores.systems[0].brackets.beside_evalb is None
    with pytest.raises(UsageError, match="some labels only"):
        karat.score(read(golds), {"a": read(systems["a"])}, brackets=karat.BracketOptions(label="NP"), evalb_steps=True)
    with pytest.raises(UsageError, match="need Labelled F1, which is not among"):
        karat.score(read(golds), {"a": read(systems["a"])}, measures="Complete Match", evalb_steps=True)
