"""Models as files, calibration, folds and tagging: what is kept, refused, and independent of how the work is done."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from examples import EXAMPLES
from karat._arrays import Array
from karat.corpus.whole_columns import bytes_with_columns
from karat.systems.calibration import Calibration, calibration_from, expected_calibration_error
from karat.systems.folds import folds_of
from karat.systems.model_file import Model, model_bytes, model_from_bytes
from karat.systems.options import system_from_text
from karat.systems.words import words_of

GOLD = EXAMPLES / "gold.conllu"
SYSTEMS: list[tuple[str, dict[str, Any]]] = [
    ("perceptron", {"epochs": 2}),
    ("perceptron", {"epochs": 2, "lexicon": str(EXAMPLES / "bix.conllu")}),
    ("perceptron", {"epochs": 2, "tagset": "ud"}),
    ("hmm", {"order": 1}),
    ("hmm", {"lexicon": str(EXAMPLES / "bix.conllu")}),
    ("hmm", {}),
    ("brill", {"threshold": 2}),
    ("relaxation", {"constraints": "B"}),
    ("relaxation", {"constraints": "BTC", "update": "textbook"}),
    ("relaxation", {}),
    ("layered-trees", {}),
    ("layered-trees", {"forest": True}),
    ("most-frequent", {}),
    ("most-frequent", {"suffixes": True}),
]


@pytest.fixture(params=SYSTEMS, ids=str)
def trained(request: pytest.FixtureRequest) -> karat.Trained:
    system, options = request.param
    return karat.train(system, GOLD, options=options)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_model_tags_as_before_it_was_kept(trained: karat.Trained, tmp_path: Path) -> None:
    path = trained.save(tmp_path / "m.karat").written
    assert path is not None
    kept = karat.load_tagger(path)
    words = words_of(karat.read_conllu(EXAMPLES / "bix.conllu"))
    ours, theirs = (one.tagging(words, with_probabilities=True) for one in (trained.tagger, kept))
    assert np.array_equal(ours.tags, theirs.tags)
    assert np.array_equal(ours.log_probabilities, theirs.log_probabilities)
    assert (kept.calibration, kept.labels, kept.column) == (trained.tagger.calibration, trained.tagger.labels, "upos")
    assert dict(kept.options()) == dict(trained.tagger.options())


def test_a_model_that_was_cut_or_changed_anywhere_is_refused(trained: karat.Trained, tmp_path: Path) -> None:
    data, path = trained.file, tmp_path / "m.karat"
    rng = np.random.default_rng(1)
    for _ in range(30):
        place = int(rng.integers(len(data)))
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        for bad in (data[:place], bytes(changed)):
            path.write_bytes(bad)
            with pytest.raises(karat.DataError, match=r"not a model|damaged|newer"):
                karat.load_tagger(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a model of karat"),
        (b"1\tThe\tthe\n", "not a model of karat"),
        (b"\x80\x04\x95cposix\nsystem\n", "not a model of karat"),
        (b"karat/model/99 00\n", "newer karat"),
        (b"karat/model/1 00\n{}\n", "damaged"),
    ],
)
def test_what_is_no_model_is_refused_with_the_reason(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.karat"
    path.write_bytes(data)
    with pytest.raises(karat.DataError, match=message) as caught:
        karat.load_tagger(path)
    assert caught.value.problems[0].hint


def test_numbers_out_of_range_are_refused_though_the_digest_is_right(trained: karat.Trained, tmp_path: Path) -> None:
    """What kernels read without looking must not lead outside of their arrays."""
    model = model_from_bytes(trained.file)
    path = tmp_path / "m.karat"
    changes: list[Callable[[Array], Array]] = [
        lambda one: one + one.dtype.type(1 << 20),
        lambda one: one - one.dtype.type(2 if one.dtype.kind == "i" else 1e9),
        lambda one: one[:-1],
        lambda one: np.zeros(0, dtype=one.dtype),
    ]
    n_refused = 0
    for name, array in model.arrays.items():
        for change in changes:
            is_as_long = len(change(array)) == len(array)
            if name in ("values", "shares", "of unknown") and array.dtype.kind == "f" and is_as_long:
                continue  # other weights are other weights
            changed = Model(model.system, header_of(model), {**model.arrays, name: change(array)}, model.texts)
            path.write_bytes(model_bytes(changed))
            try:
                tagger = karat.load_tagger(path)
            except karat.DataError:
                n_refused += 1
            else:  # then it must be harmless
                tagger.tag(words_of(karat.read_conllu(GOLD)))
    assert n_refused > len(model.arrays)


def header_of(model: Model) -> dict[str, Any]:
    return {name: value for name, value in model.header.items() if name not in ("system", "arrays", "texts")}


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=3), st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists)
    )
)
def test_any_header_is_refused_or_read(header: dict[str, Any]) -> None:
    body = json.dumps(header).encode() + b"\n"
    import hashlib

    digest = hashlib.blake2b(body, digest_size=16).hexdigest().encode()
    with pytest.raises(karat.DataError, match="description of itself"):
        model_from_bytes(b"karat/model/1 " + digest + b"\n" + body)


# ---- calibration -----------------------------------------------------------------------------------------------------


def test_the_temperature_makes_held_out_labels_likeliest() -> None:
    """Labels drawn from probabilities to the power of 1/3: the temperature is 3, and the error next to 0."""
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 6, (20_000, 5))
    true = Calibration(3.0).probabilities(scores)
    right = (rng.random((20_000, 1)) > true.cumsum(axis=1)).sum(axis=1).astype(np.int32)
    found = calibration_from(scores, right)
    assert found.temperature == pytest.approx(3, rel=0.03)
    assert found.others == 0

    def error(how: Calibration) -> float:
        p = how.probabilities(scores)
        return expected_calibration_error(p.max(axis=1), p.argmax(axis=1) == right)

    assert error(found) < 0.01 < 0.1 < error(Calibration())


def test_labels_that_are_not_considered_have_the_probability_they_had_in_held_out_text() -> None:
    scores = np.array([[np.log(0.5), np.log(0.5), -np.inf, -np.inf]] * 99)
    scores[-1, 2:] = np.log(0.1)
    right = np.array([0, 1] * 48 + [2, 2, 2], dtype=np.int32)
    found = calibration_from(scores, right)
    assert found.others == pytest.approx(2 / 99)  # of 98 words with others, 2 have one; and one word more
    p = found.probabilities(scores)
    assert p.sum(axis=1) == pytest.approx(1)
    assert p[0, 2:] == pytest.approx(found.others / 2)


def test_the_expected_calibration_error_by_its_definition() -> None:
    rng = np.random.default_rng(4)
    confidence, is_right = rng.random(500), rng.random(500) < 0.6
    expected = 0.0
    for low in range(10):
        inside = [i for i in range(500) if low / 10 <= confidence[i] < (low + 1) / 10]
        if inside:
            gap = abs(np.mean([is_right[i] for i in inside]) - np.mean([confidence[i] for i in inside]))
            expected += len(inside) / 500 * gap
    assert expected_calibration_error(confidence, is_right) == pytest.approx(expected)
    assert expected_calibration_error(np.zeros(0), np.zeros(0, dtype=np.bool_)) == 0


# ---- tagging ---------------------------------------------------------------------------------------------------------


def test_tags_do_not_depend_on_what_else_is_tagged(trained: karat.Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of(karat.read_conllu(EXAMPLES / "ada.conllu"))
    every = trained.tagger.probabilities(words)
    alone = [trained.tagger.tag(words.chosen(np.array([number]))[0]) for number in range(words.n_sentences)]
    assert np.array_equal(trained.tagger.tag(words), np.concatenate(alone))
    monkeypatch.setattr("karat.systems.words._BLOCK", 5)
    again = trained.tagger.probabilities(words)
    assert np.array_equal(every.values, again.values)
    assert every.weights == pytest.approx(again.weights)
    sums = np.add.reduceat(every.weights, every.offsets[:-1])
    assert sums == pytest.approx(1)


def test_folds_do_not_depend_on_the_number_of_jobs_and_no_tagger_has_seen_what_it_tags() -> None:
    one, two = (karat.tag_folds("hmm", GOLD, folds=4, probabilities=True, jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one.tags, two.tags)
    assert one.several is not None
    assert two.several is not None
    assert one.several.weighted_row(3) == two.several.weighted_row(3)
    assert np.array_equal(one.several.values, two.several.values)
    corpus = karat.read_conllu(GOLD)
    fold = folds_of(corpus, 4, None, 0)
    assert len({*fold[corpus.sentence_document == 0].tolist()}) == 1  # whole documents
    seen = karat.train("hmm", corpus).tagger.tag(words_of(corpus))
    labels = corpus.column("upos").ids
    assert (one.tags == labels).mean() < (seen == labels).mean()


@pytest.mark.parametrize("by", ["sentence", "document"])
def test_folds_are_of_about_the_same_size(by: Any) -> None:
    corpus = karat.read_conllu(GOLD)
    sizes = np.bincount(folds_of(corpus, 3, by, 7), weights=np.diff(corpus.sentence_offsets))
    assert sizes.min() > 0.7 * sizes.max()
    with pytest.raises(karat.UsageError, match="too few for 100 folds"):
        folds_of(corpus, 100, by, 7)


def test_only_the_column_changes(tmp_path: Path) -> None:
    tagger = karat.train("most-frequent", GOLD, column="upos+feats", calibrate=False).tagger
    found = karat.tag(tagger, EXAMPLES / "bix.conllu").write(tmp_path / "out.conllu")
    before, after = ((EXAMPLES / "bix.conllu").read_text("utf-8"), (tmp_path / "out.conllu").read_text("utf-8"))
    words = iter(found.tags.tolist())
    expected = []
    for line in before.split("\n"):
        fields = line.split("\t")
        if len(fields) == 10 and re.fullmatch("[0-9]+", fields[0]):
            fields[3], fields[5] = tagger.labels[next(words)].split(" ")
        expected.append("\t".join(fields))
    assert after == "\n".join(expected)


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_several_files_with_marks_and_line_ends_are_written_as_they_were(ending: str, tmp_path: Path) -> None:
    text = (EXAMPLES / "gold.conllu").read_text("utf-8").replace("\n", ending)
    (tmp_path / "a.conllu").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (tmp_path / "b.conllu").write_bytes(text.encode())
    corpus = karat.read([tmp_path / "a.conllu", tmp_path / "b.conllu"])
    column = corpus.column("upos")
    files = bytes_with_columns(corpus, {"upos": (column.ids, column.vocabulary.strings)})
    assert files == [(tmp_path / name).read_bytes() for name in ("a.conllu", "b.conllu")]


def test_text_without_tags_is_tagged(tmp_path: Path) -> None:
    tagger = karat.train("hmm", GOLD).tagger
    lines, running = tmp_path / "lines.txt", tmp_path / "running.txt"
    lines.write_text("The\nold\ngate\n\nWe\nrow\n", encoding="utf-8")
    running.write_text("The old gate\n\nWe row\n", encoding="utf-8")
    one, other = (karat.tag(tagger, path) for path in (lines, running))
    assert one.files == other.files
    assert one.files[0].decode().split("\n\n")[1].startswith("We\tPRON\nrow\t")
    assert one.agreement is None


def test_no_input_is_written_over(tmp_path: Path) -> None:
    text, link, model = tmp_path / "t.conllu", tmp_path / "link", tmp_path / "m.karat"
    text.write_bytes(GOLD.read_bytes())
    link.symlink_to(text)
    lexicon = tmp_path / "lexicon.conllu"
    lexicon.write_bytes(GOLD.read_bytes())
    trained = karat.train("perceptron", text, options={"epochs": 1, "lexicon": str(lexicon)})
    for path in (text, link, lexicon):
        with pytest.raises(karat.UsageError, match="is an input"):
            trained.save(path)
    trained.save(model)
    with pytest.raises(karat.UsageError, match="is an input"):
        karat.tag(model, text).write(model)
    assert text.read_bytes() == GOLD.read_bytes()


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    trained = karat.train("most-frequent", GOLD).save(pipe)
    reader.join(20)
    assert found == [trained.file]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("labels", ["A\tB\nC"], "labels are no strings"),
        ("labels", [""], "labels are no strings"),
        ("column", "head", "a column that cannot be tagged"),
        ("column", "upos+feats", "labels do not fit the columns"),
        ("temperature", -1, "no calibration"),
        ("temperature", "hot", "temperature is missing or of another kind"),
    ],
)
def test_a_header_that_would_do_harm_is_refused(name: str, value: Any, message: str, tmp_path: Path) -> None:
    model = model_from_bytes(karat.train("most-frequent", GOLD).file)
    if name == "labels":
        value = [*value, *model.header["labels"][1:]]
    path = tmp_path / "m.karat"
    path.write_bytes(model_bytes(Model(model.system, {**header_of(model), name: value}, model.arrays, model.texts)))
    with pytest.raises(karat.DataError, match=message):
        karat.load_tagger(path)


def test_an_hmm_of_too_many_labels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.systems.hmm._MOST_LABELS", 50)
    with pytest.raises(karat.UsageError, match="too many for an hmm"):
        karat.train("hmm", GOLD, column="lemma")


def test_probabilities_are_read_by_score(tmp_path: Path) -> None:
    tagger = karat.train("hmm", GOLD).tagger
    path = tmp_path / "out.tsv"
    found = karat.tag(tagger, GOLD, probabilities=True).write(path)
    assert found.format == "tsv"
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line]
    assert all(sum(map(float, line[2::2])) == pytest.approx(1, abs=1e-4) for line in lines)
    assert [line[0] for line in lines] == karat.read_conllu(GOLD).column("form").strings()
    hierarchy = tmp_path / "tags.txt"
    hierarchy.write_text("".join(f"root\t{label}\n" for label in tagger.labels), encoding="utf-8")
    scores = karat.score(GOLD, path, hierarchy=karat.HierarchyOptions(hierarchy, probabilities=True))
    assert scores["hierarchical"].value > 0.9
    assert scores["exact"].value > 0.9


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tnt", "no system 'tnt'"),
        ("hmm:order=3", "choose from 1, 2"),
        ("hmm:epochs=3", "hmm has no option 'epochs'"),
        ("hmm:order", "write NAME:option=value"),
        ("perceptron:epochs=many", "a whole number was expected"),
        ("perceptron:epochs=0", "at least 1"),
        ("most-frequent:suffixes=perhaps", "yes or no"),
    ],
)
def test_systems_and_options_that_there_are_not(text: str, message: str) -> None:
    with pytest.raises(karat.UsageError, match=message):
        system_from_text(text)


@pytest.mark.parametrize(
    ("column", "message"),
    [("form", "cannot tag the column 'form'"), ("upos+upos", "each once"), ("upos+lemma", "cannot tag the column")],
)
def test_columns_that_cannot_be_learnt(column: str, message: str) -> None:
    with pytest.raises(karat.UsageError, match=message):
        karat.train("hmm", GOLD, column=column)


def test_a_corpus_without_the_column_and_one_of_a_single_sentence(tmp_path: Path) -> None:
    path = tmp_path / "one.conllu"
    path.write_text("1\tWe\twe\tPRON\t_\t_\t0\troot\t_\t_\n2\trow\trow\tVERB\t_\t_\t1\tdep\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(karat.DataError, match="there is no XPOS to learn from"):
        karat.train("perceptron", path, column="xpos")
    for system in ("perceptron", "hmm", "relaxation", "layered-trees", "most-frequent"):
        found = karat.train(system, path)
        assert (found.accuracy, found.calibration_error, found.tagger.calibration) == (None, None, Calibration())
        assert found.tagger.tag(words_of(karat.read_conllu(path))).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 NOUN <- [-1 DET", "1 VERB <- [-1 DET]"], "a stated constraint is none: ] was expected"),
        (["1 NOPE <- [-1 DET]", "1 VERB <- [-1 DET]"], "NOPE is no tag"),
        (["1 NOUN <- [-1 DET]"], "stated constraints do not fit together"),
        (["1 NOUN|VERB <- [-1 DET]", "1 VERB <- [-1 DET]"], "stated constraints do not fit together"),
        (['1 NOUN <- [0 "elk"]', "1 VERB <- [-1 DET]"], "a class or a form that there is not"),
        (["1 NOUN <- [0 {NOUN|DET}]", "1 VERB <- [-1 DET]"], "a class or a form that there is not"),
    ],
)
def test_stated_constraints_that_were_changed_in_a_model_are_refused(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    stated, path = tmp_path / "constraints.txt", tmp_path / "m.karat"
    stated.write_text("9 NOUN <- [-1 DET]\n9 VERB <- [-1 DET]\n", encoding="utf-8")
    trained = karat.train("relaxation", GOLD, options={"constraints": "B", "constraints_file": str(stated)})
    model = model_from_bytes(trained.file)
    assert len(model.texts["stated"]) == 2
    changed = Model(model.system, header_of(model), model.arrays, {**model.texts, "stated": lines})
    path.write_bytes(model_bytes(changed))
    with pytest.raises(karat.DataError, match=re.escape(message)):
        karat.load_tagger(path)
