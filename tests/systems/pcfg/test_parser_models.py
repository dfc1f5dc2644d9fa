"""Parsers as files: what is kept, and that nothing in a file leads to anything but a parser or a `DataError`."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import karat
from examples import EXAMPLES
from karat._arrays import Array
from karat.systems.model_file import Model, model_bytes, model_from_bytes
from karat.systems.pcfg.parser import ParseOptions, Pcfg

GOLD = EXAMPLES / "gold.ptb"
OPTIONS: list[dict[str, Any]] = [
    {},
    {"vertical": 2, "horizontal": 1},
    {"vertical": 3, "horizontal": 0, "smoothing": 0},
    {"horizontal": 3, "smoothing": 2.5},
]


@pytest.fixture(scope="module")
def trained() -> karat.TrainedParser:
    return karat.train_parser(GOLD)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_parser_parses_as_before_it_was_kept(options: dict[str, Any], tmp_path: Path) -> None:
    trained = karat.train_parser(GOLD, options=options)
    path = trained.save(tmp_path / "m.karat").written
    assert path is not None
    kept = karat.load_parser(path)
    one, other = (karat.parse(ours, EXAMPLES / "ada.ptb", count=True, threshold=0.3) for ours in (trained, kept))
    assert one.parses == other.parses
    assert dict(kept.options()) == dict(trained.parser.options())
    assert kept.learnt() == trained.learnt()
    assert kept.outer == trained.parser.outer == "ROOT"
    assert karat.parse(path, EXAMPLES / "ada.ptb", count=True, threshold=0.3).parses == one.parses


def test_the_same_trees_make_the_same_file(trained: karat.TrainedParser) -> None:
    assert karat.train_parser(GOLD).file == trained.file


def test_a_parser_that_was_cut_or_changed_anywhere_is_refused(trained: karat.TrainedParser, tmp_path: Path) -> None:
    data, path = trained.file, tmp_path / "m.karat"
    random = Random(1)
    for _ in range(60):
        place = random.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= 1 << random.randrange(8)
        for bad in (data[:place], bytes(changed)):
            path.write_bytes(bad)
            with pytest.raises(karat.DataError, match=r"not a model|damaged|newer"):
                karat.load_parser(path)


@pytest.mark.parametrize("data", [b"", b"(S (NP (NN Rain)))\n", b"karat/model/1 00\n{}\n", b"karat/model/99 00\n"])
def test_what_is_no_model_is_refused_with_a_hint(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.karat"
    path.write_bytes(data)
    with pytest.raises(karat.DataError) as caught:
        karat.load_parser(path)
    assert caught.value.problems[0].hint


def test_a_tagger_is_no_parser_and_a_parser_no_tagger(trained: karat.TrainedParser, tmp_path: Path) -> None:
    tagger, parser = tmp_path / "t.karat", tmp_path / "p.karat"
    karat.train("most-frequent", EXAMPLES / "gold.conllu").save(tagger)
    trained.save(parser)
    with pytest.raises(karat.DataError, match=r"this is a tagger \(most-frequent\), not a parser"):
        karat.load_parser(tagger)
    with pytest.raises(karat.DataError, match="this is a parser, not a tagger"):
        karat.load_tagger(parser)


# ---- files with a right digest that may be meant to do harm ----------------------------------------------------------


def header_of(model: Model) -> dict[str, Any]:
    return {name: value for name, value in model.header.items() if name not in ("system", "arrays", "texts")}


def changed_array(array: Array, random: Random) -> Array:
    found = array.copy()
    what = random.randrange(5)
    if what == 0:
        return found[: random.randrange(len(found) + 1)]
    if what == 1:
        return np.concatenate([found, found[:1]])
    if what == 2:
        return found.ravel()
    if what == 3 and len(found):
        random.shuffle(rows := list(range(len(found))))
        return found[rows]
    for _ in range(random.randint(1, 3)):
        place = random.randrange(max(found.size, 1))
        if found.size:
            found.flat[place] = random.choice(_FLOATS if found.dtype.kind == "f" else _WHOLE)
    return found


_FLOATS = [float("nan"), float("inf"), -float("inf"), 0.0, 1.0, -1e-9, -0.1, -599.0, -601.0, -1e300]
_WHOLE = [-1, 0, 1, 2, 5, 24, 25, 26, 30, 36, 37, 38, 50, 51, 52, 1000, 2**31 - 1, -(2**31)]
_VALUES: list[Any] = [None, -1, 0, 1, 24, 26, 37, 51, 2**40, 1.5, "x", "", [], {}, True, {"vertical": 1}]


def mutated(model: Model, random: Random) -> Model:
    header, arrays, texts = copy.deepcopy(header_of(model)), dict(model.arrays), dict(model.texts)
    for _ in range(random.randint(1, 2)):
        where = random.choice(["arrays", "arrays", "header", "texts"])
        if where == "arrays":
            name = random.choice(sorted(arrays))
            arrays[name] = changed_array(arrays[name], random)
        elif where == "header":
            name = random.choice(sorted(header))
            if name == "options" and isinstance(header[name], dict) and header[name] and random.random() < 0.7:
                header[name][random.choice(sorted(header[name]))] = random.choice(_VALUES)
            else:
                header[name] = random.choice(_VALUES)
        else:
            name = random.choice(sorted(texts))
            lines = list(texts[name])
            place = random.randrange(len(lines))
            lines[place : place + 1] = random.choice([[], [""], ["("], ["a b"], ["x", "y"], ["\ud800"], lines[:1]])
            texts[name] = lines
    return Model(model.system, header, arrays, texts)


def test_a_changed_file_is_refused_or_a_parser_that_works(trained: karat.TrainedParser) -> None:
    model, random = model_from_bytes(trained.file), Random(2)
    n_refused = n_parsed = 0
    for _ in range(400):
        changed = model_from_bytes(model_bytes(mutated(model, random)))
        try:
            parser = Pcfg.from_model(changed)
        except karat.DataError:
            n_refused += 1
            continue
        for tags in (["DT", "NN", "VBD"], None, ["XX"] * 3):
            found = parser.parse(["The", "ferry", "left"], tags, ParseOptions(threshold=0.4, count=True))
            assert found.log_n_parses is not None
            n_parsed += not found.is_missing
        assert parser.learnt()
    assert n_refused > 100
    assert n_parsed > 50


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("unary_scores", lambda one: np.where(np.arange(len(one)) == 0, np.nan, one), "no rules of a grammar"),
        ("binary_scores", lambda one: np.zeros_like(one), "the probabilities of its rules are none"),
        ("binary_scores", lambda one: one - 1000, "no rules of a grammar"),
        ("unary", lambda one: one[:, ::-1].copy(), "symbols where they cannot be"),
        ("binary", lambda one: one + 1000, "out of range"),
        ("priors", lambda one: one[1:], "no rules of a grammar"),
        ("label_of", lambda one: one - 1, "out of range"),
        ("tag_counts", lambda one: one * 0, "out of range"),
        ("words", lambda one: one[:, :2].copy(), "words is no part of a lexicon"),
    ],
)
def test_numbers_that_mean_nothing_are_refused_with_the_reason(
    trained: karat.TrainedParser, name: str, change: Any, message: str
) -> None:
    model = model_from_bytes(trained.file)
    changed = Model(model.system, header_of(model), {**model.arrays, name: change(model.arrays[name])}, model.texts)
    with pytest.raises(karat.DataError, match=message):
        Pcfg.from_model(model_from_bytes(model_bytes(changed)))


def test_a_grammar_of_unary_rules_without_end_is_refused(trained: karat.TrainedParser) -> None:
    """A → B and B → A with probability 1 would be chains that never end."""
    model = model_from_bytes(trained.file)
    n_tags = model.header["n_tags"]
    arrays = {
        **model.arrays,
        "unary": np.array([[n_tags, n_tags + 1], [n_tags + 1, n_tags]], dtype=np.int32),
        "unary_scores": np.zeros(2),
        "binary": np.zeros((0, 3), dtype=np.int32),
        "binary_scores": np.zeros(0),
    }
    with pytest.raises(karat.DataError, match="the probabilities of its rules are none"):
        Pcfg.from_model(model_from_bytes(model_bytes(Model(model.system, header_of(model), arrays, model.texts))))


def test_no_input_is_written_over(tmp_path: Path) -> None:
    treebank, link = tmp_path / "t.ptb", tmp_path / "link"
    treebank.write_bytes(GOLD.read_bytes())
    link.symlink_to(treebank)
    trained = karat.train_parser(treebank)
    for path in (treebank, link):
        with pytest.raises(karat.UsageError, match="is an input"):
            trained.save(path)
    assert treebank.read_bytes() == GOLD.read_bytes()
