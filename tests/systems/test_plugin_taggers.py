"""Taggers of other packages: trained, kept, loaded and tried in folds as karat's own; refused where they go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from installed_plugins import pretend
from karat.corpus import Corpus, corpus_from_source, source_from_bytes
from karat.errors import DataError, UsageError
from karat.plugin import Options, Tagger, Tagging, option
from karat.systems.model_file import Model
from karat.systems.options import options_for, plugin_of, settings_of, system_from_text
from karat.systems.plugin_taggers import tagger_of_options
from karat_example import Endings, EndingsOptions

TEXT = "".join(f"{word}\tNOUN\n{word}s\tVERB\n\n" for word in "oak rain wind snow storm branch leaf river hill".split())


@pytest.fixture
def corpus() -> Corpus:
    return corpus_from_source(source_from_bytes(TEXT.encode(), "a.tsv"), input="tsv")


def with_(**changes: Any) -> type[Tagger]:
    """The example with something changed."""
    return type("Changed", (Endings,), changes)


def test_a_tagger_is_trained_kept_and_loaded(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("endings", Endings, "one"))
    trained = karat.train("endings", corpus, options={"length": "1"}).save(tmp_path / "model")
    assert trained.tagger.options() == {"length": 1}
    assert "|system:endings|column:upos|length:1|seed:0|plugin:one@1.0|" in trained.signature
    loaded = karat.load_tagger(tmp_path / "model")
    assert loaded.system == "endings"
    tagged = karat.tag(loaded, corpus)
    assert tagged.agreement == 1.0
    assert tagged.signature.split("|")[2:5] == ["system:endings", "column:upos", "plugin:one@1.0"]
    assert np.array_equal(tagged.tags, karat.tag(trained, corpus).tags)
    assert loaded.calibration == trained.tagger.calibration


def test_a_model_says_which_package_to_install(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("endings", Endings, "one"))
    karat.train("endings", corpus).save(tmp_path / "model")
    pretend(monkeypatch, "system")
    with pytest.raises(DataError, match="K903 a model of an unknown system, 'endings'") as caught:
        karat.load_tagger(tmp_path / "model")
    assert caught.value.hint == "install one 1.0"


def test_folds_are_tagged_with_probabilities(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("endings", Endings, "one"))
    found = karat.tag_folds("endings:length=1", corpus, folds=3, probabilities=True)
    assert found.agreement == 1.0
    assert "|length:1|plugin:one@1.0|" not in found.signature
    assert "|length:1|folds:3|fold-by:auto|seed:0|" in found.signature
    assert "|plugin:one@1.0|" in found.signature
    by_options = karat.tag_folds(("endings", EndingsOptions(1)), corpus, folds=3, probabilities=True)
    assert np.array_equal(found.tags, by_options.tags)


def test_options_are_checked_as_karats_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("endings", Endings, "one"))
    assert system_from_text("endings:length=2") == ("endings", EndingsOptions(2))
    with pytest.raises(UsageError, match="endings:length=0: it must be at least 1"):
        system_from_text("endings:length=0")
    with pytest.raises(UsageError, match="endings has no option 'size'; it has length"):
        options_for("endings", {"size": 1})
    with pytest.raises(UsageError, match=r"no system 'other'; choose from perceptron, .*, endings"):
        options_for("other", {})
    with pytest.raises(UsageError, match="these are no options of endings"):
        karat.train("endings", "a.tsv", options=karat.HmmOptions())


def test_options_alone_tell_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("broken", ImportError("no"), "zero"), ("endings", Endings, "one"))
    assert settings_of(EndingsOptions(2)) == [("length", "2"), ("plugin", "one@1.0")]
    assert plugin_of(karat.HmmOptions()) is None
    assert tagger_of_options(EndingsOptions()).kind is Endings

    class Unknown(Options):
        pass

    with pytest.raises(UsageError, match="no system has the options"):
        tagger_of_options(Unknown())


@dataclass(frozen=True, slots=True)
class Clashing(Options):
    seed: int = option(0, "A seed.")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (42, "has no 'options_type'"),
        (with_(options_type=karat.HmmOptions), "has no 'options_type'"),
        (with_(options_type=Options), "has no 'options_type'"),
        (with_(system="other"), "calls itself 'other'"),
        (type("Half", (Tagger,), {"options_type": EndingsOptions, "system": "endings"}), "with all its methods"),
        (ImportError("no"), "K970 .*cannot be imported: ImportError: no"),
    ],
)
def test_what_is_no_tagger_is_refused(
    given: Any, message: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "system", ("endings", given, "one"))
    with pytest.raises(DataError, match=message):
        karat.train("endings", corpus)


def with_tags(tags: Any, scores: Any = None) -> type[Tagger]:
    """A tagger that gives these tags, or the log-probabilities that a function makes of n words."""

    def tagging(self: Tagger, words: Any, *, with_probabilities: bool) -> Tagging:
        right = np.zeros((len(words), len(self.labels)))
        given = right if scores is None else scores(len(words), len(self.labels))
        return Tagging(tags(len(words)), given if with_probabilities else given[:0])

    return with_(tagging=tagging)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (with_tags(lambda n: np.zeros(n + 1, dtype=int)), "K974 .*returns tags of shape"),
        (with_tags(lambda n: np.zeros(n)), "K974 .*and type float64"),
        (with_tags(lambda n: np.full(n, 7)), "K974 .*not numbers of labels"),
        (with_tags(lambda n: np.full(n, -1)), "K974 .*not numbers of labels"),
        (with_tags(lambda n: 1 / 0), "K973 .*ZeroDivisionError"),
        (with_tags(lambda n: np.zeros(n, int), lambda n, m: np.zeros((n, m + 1))), "K974 .*log-probabilities of shape"),
        (with_tags(lambda n: np.zeros(n, int), lambda n, m: np.full((n, m), np.nan)), "K974 .*NaN"),
        (with_tags(lambda n: np.zeros(n, int), lambda n, m: np.full((n, m), -np.inf)), "K974 .*-inf for all"),
        (with_(trained=classmethod(lambda cls, *_: cls("xpos", ("a",), 1, {}))), "K974 .*different column"),
        (with_(trained=classmethod(lambda cls, *_: None)), "K974 .*different column"),
    ],
)
def test_taggers_that_go_wrong_name_their_package(
    given: type[Tagger], message: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "system", ("endings", given, "one"))
    with pytest.raises(DataError, match=rf"one 1\.0: {message}"):
        karat.tag_folds("endings", corpus, folds=3, probabilities=True)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        (Model("endings", {"labels": []}, {}, {}), "K974 .*saves no Model, or one with"),
        (Model("endings", {}, {}, {"lines": ["a\nb"]}), "K974 .*line breaks"),
        (Model("endings", {"x": {1, 2}}, {}, {}), "K973 .*TypeError"),
        (None, "K974 .*saves no Model"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    kept: Any, message: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "system", ("endings", with_(parts=lambda self: kept), "one"))
    with pytest.raises(DataError, match=message):
        karat.train("endings", corpus).save(tmp_path / "model")


def test_an_option_that_signatures_have_already_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("endings", with_(options_type=Clashing), "one"))
    with pytest.raises(DataError, match=r"K971 .*has an option 'seed'"):
        options_for("endings", {})
