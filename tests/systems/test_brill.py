"""The transformation-based tagger as a whole: what it learns, keeps and prints, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES
from karat._ragged import Ragged
from karat.systems.brill import Brill, Coarse, best_threshold, likely_candidates, rules_with_used_values
from karat.systems.lexical import likeliest
from karat.systems.model_file import Model, model_bytes, model_from_bytes
from karat.systems.options import BrillOptions
from karat.systems.transformation_presets import FEATURES, PLAIN, feature_columns, feature_values, rich_notation
from karat.systems.transformations import LabelParts, Notation, Rules, keys_of
from karat.systems.words import WordSequence, labelled_words, words_of

GOLD = EXAMPLES / "gold.conllu"
RICH = """w\tprep:loc:nwok
nowej\tadj:sg:loc:f:pos
szkole\tsubst:sg:loc:f

bez\tprep:gen:nwok
nowej\tadj:sg:gen:f:pos
szkoły\tsubst:sg:gen:f

o\tprep:loc
nowej\tadj:sg:loc:f:pos
mapie\tsubst:sg:loc:f

koło\tprep:gen
starej\tadj:sg:gen:f:pos
mapy\tsubst:sg:gen:f

przy\tprep:loc
starej\tadj:sg:loc:f:pos
drodze\tsubst:sg:loc:f

koło\tsubst:sg:nom:n
stoi\tfin:sg:ter:imperf

"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Run]:
    monkeypatch.chdir(tmp_path)
    Path("rich.tsv").write_text(RICH * 12, encoding="utf-8")
    return lambda arguments: Run(capsys, *arguments.split())


def test_rules_are_printed_in_their_order_with_what_they_gain(run: Callable[[str], Run]) -> None:
    shown = run(f"train brill {GOLD} -o m.karat --threshold 3 --show")
    assert shown.code == 0
    lines = shown.out.splitlines()
    tagger = karat.load_tagger("m.karat")
    assert isinstance(tagger, Brill)
    (phase,) = tagger.phases
    assert lines == tagger.learnt()
    assert len(lines) == len(phase.rules) > 5
    assert ((phase.rules.good - phase.rules.bad) >= 3).all()
    assert " -> " in lines[0]
    assert lines[0].endswith(f"# +{phase.rules.good[0]} \N{MINUS SIGN}{phase.rules.bad[0]}")


@pytest.mark.parametrize("phases", ["one", "two"])
def test_an_adjective_takes_its_case_from_the_noun_behind_it(run: Callable[[str], Run], phases: str) -> None:
    trained = run(
        f"train brill rich.tsv -o m.karat --column xpos --tagset nkjp --phases {phases} --no-calibration --show"
    )
    assert trained.code == 0
    assert any(
        line.startswith("adj: ") and "case := " in line and "case+1" in line for line in trained.out.splitlines()
    )
    assert run("tag -m m.karat rich.tsv -o tagged.tsv").code == 0
    assert Path("tagged.tsv").read_text(encoding="utf-8") == RICH * 12
    if phases == "two":
        assert trained.out.startswith("# phase 1: parts of speech\n")


def test_a_rule_only_gives_tags_that_the_form_can_have(run: Callable[[str], Run]) -> None:
    Path("forms.tsv").write_text("nowej\tadj:sg:loc:f:pos\n\nnowej\tadj:sg:gen:f:pos\n\n", encoding="utf-8")
    trained = karat.train(
        "brill", "rich.tsv", column="xpos", options={"tagset": "nkjp", "lexicon": "forms.tsv"}, calibrate=False
    )
    assert isinstance(trained.tagger, Brill)
    words = words_of(karat.read("rich.tsv", tag="xpos"))
    several = trained.tagger.lexical.of(words.forms).taken(words.ids.astype(np.intp))
    for number, tag in enumerate(trained.tagger.tag(words).tolist()):
        assert tag in several.row(number)


def test_the_likeliest_tag_is_the_one_that_rules_give() -> None:
    tagger = karat.train("brill", GOLD, options={"threshold": 2}).tagger
    words = words_of(karat.read_conllu(EXAMPLES / "bix.conllu"))
    found = tagger.tagging(words, with_probabilities=True)
    assert np.array_equal(found.log_probabilities.argmax(axis=1), found.tags)
    assert np.exp(found.log_probabilities).sum(axis=1) == pytest.approx(1)


def test_the_same_text_gives_the_same_model_byte_for_byte() -> None:
    one, two = (karat.train("brill", GOLD, options={"threshold": 2}).file for _ in range(2))
    assert one == two


def test_a_higher_threshold_gives_the_first_rules_of_a_lower_one() -> None:
    low, high = (
        karat.train("brill", GOLD, options={"threshold": threshold}, calibrate=False).learnt() for threshold in (2, 5)
    )
    assert 0 < len(high) < len(low)
    assert low[: len(high)] == high


def test_rules_keep_the_values_that_they_ask_for() -> None:
    """Values 2 and 0 of three, asked for in this order, are what is left, and each rule still asks for its own."""
    notation = Notation(("t -> t",), ("w0", "t-1"), ("w",))
    fields = np.array([[0, 0, 0, 1, 2, -1, -1], [1, 0, 0, 1, 0, -1, -1], [0, 0, 1, 0, 0, -1, -1]])
    ones = np.ones(3, dtype=np.int32)
    rules, values = rules_with_used_values(Rules(keys_of(fields, 1), ones, ones), notation, [["a", "b", "c"]])
    assert values == (("a", "c"),)
    assert [values[0][row[4]] for row in rules.fields(1).tolist() if row[0] == 0] == ["c", "a"]


def test_a_threshold_of_0_is_chosen_on_held_out_text() -> None:
    """As good as any other on the last tenth of the sentences, by models of the rest."""
    corpus = karat.read_conllu(GOLD)
    text = labelled_words(corpus, "upos")
    chosen = best_threshold(text, "upos", BrillOptions(threshold=0))
    assert karat.train("brill", GOLD, options={"threshold": 0}, calibrate=False).tagger.options()["threshold"] == chosen
    n = text.words.n_sentences
    rest, held_out = text.chosen(np.arange(n - n // 10)), text.chosen(np.arange(n - n // 10, n))

    def n_right(threshold: int) -> int:
        tagger = Brill.trained(rest, "upos", BrillOptions(threshold=threshold))
        return int((tagger.tag(held_out.words) == held_out.label_ids).sum())

    right = {threshold: n_right(threshold) for threshold in range(2, 11)}
    assert right[chosen] == max(right.values())
    assert chosen == max(threshold for threshold in right if right[threshold] == right[chosen])
    assert best_threshold(text.chosen(np.arange(5)), "upos", BrillOptions(threshold=0)) == 3


# ---- pieces ----------------------------------------------------------------------------------------------------------


def test_by_hand_parts_of_speech_first_then_the_likeliest_tag_of_each() -> None:
    """.4 for one verb tag, .3 + .3 for two noun tags: the word is a noun, and the first of its tags."""
    tags = LabelParts(("n:s", "n:p", "v"), ("pos",), (("n", "v"),), np.array([[0], [0], [1]], dtype=np.int16))
    coarse = Coarse(tags)
    candidates = Ragged(np.array([0, 3]), np.array([0, 1, 2]), np.array([0.3, 0.3, 0.4]))
    assert likeliest(candidates).tolist() == [2]
    assert coarse.candidates(candidates).weighted_row(0) == pytest.approx({0: 0.6, 1: 0.4})
    assert coarse.likeliest(candidates, likeliest(coarse.candidates(candidates))).tolist() == [0]


def test_by_hand_candidates_next_to_impossible_are_left_out() -> None:
    found = likely_candidates(Ragged(np.array([0, 3, 4]), np.array([0, 1, 2, 0]), np.array([0.9, 0.09999, 1e-5, 1.0])))
    assert (found.offsets.tolist(), found.values.tolist()) == ([0, 2, 3], [0, 1, 0])


def test_by_hand_features_of_words() -> None:
    words = WordSequence(["The", "the", "cats"], np.array([0, 1, 1, 2], dtype=np.int32), np.array([0, 4]))
    values = feature_values(words, ["w", "ending"], 2)
    assert values == [["the"], []]
    assert feature_columns(words, ["w"], values[:1]).tolist() == [[0, 0, 0, -1]]
    assert [FEATURES["ending"](form) for form in ("sing", "Singing")] == [None, "ing"]
    assert [FEATURES["first"](form) for form in ("Ann", "ann", "12")] == ["capital", "small", "other"]


def test_rules_of_rich_tags_are_about_the_categories_that_there_are() -> None:
    assert "pos -> Number.Case of +1" in rich_notation(("pos", "Case", "Number")).actions
    assert rich_notation(("pos",)).actions == (*PLAIN.actions, "pos => pos")


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("brill no-xpos.conllu --column xpos", 3, "there is no XPOS"),
        (f"brill {GOLD} --column upos --tagset nkjp", 3, "tags that are not in nkjp"),
        (f"brill {GOLD} --tagset no-such-tagset", 2, "no-such-tagset"),
        (f"brill {GOLD} --threshold -1", 2, "threshold"),
        (f"brill {GOLD} --phases three", 2, "phases"),
        (f"brill {GOLD} --lexicon no-such-file", 3, "no-such-file"),
        (f"hmm {GOLD} --threshold 3", 2, "threshold"),
    ],
)
def test_bad_input_is_refused_with_the_reason(
    run: Callable[[str], Run], arguments: str, code: int, message: str
) -> None:
    rows = [line.split("\t") for line in GOLD.read_text(encoding="utf-8").splitlines()]
    without = ["\t".join([*row[:4], "_", *row[5:]]) if len(row) > 4 else row[0] for row in rows]
    Path("no-xpos.conllu").write_text("\n".join([*without, ""]), encoding="utf-8")
    found = run(f"train {arguments} -o m.karat")
    assert (found.code, "Traceback" in found.err) == (code, False)
    assert message in found.err
    assert not Path("m.karat").exists()


@pytest.mark.parametrize("row", [[-1] * 7, [0, 0, 0, -1, 0, -1, -1], [0, 0, 0, 0, -1, -1, -1], [0, 0, 0, 0, 0, 0, -1]])
def test_a_model_with_a_rule_that_is_not_like_its_template_is_refused(row: list[int], tmp_path: Path) -> None:
    model = model_from_bytes(karat.train("brill", GOLD, options={"threshold": 4}, calibrate=False).file)
    header = {one: value for one, value in model.header.items() if one not in ("system", "arrays", "texts")}
    rules = model.arrays["rules 0"].copy()
    rules[1] = row
    path = tmp_path / "m.karat"
    path.write_bytes(model_bytes(Model(model.system, header, {**model.arrays, "rules 0": rules}, model.texts)))
    with pytest.raises(karat.DataError, match="values that there are not"):
        karat.load_tagger(path)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("actions 0", "t <- t"),
        ("actions 0", "t -> mood"),
        ("templates 0", "t-9"),
        ("templates 0", "mood-1"),
        ("features 0", "__import__"),
        ("feature values 0", "colour\tred"),
        ("category values 0", "colour\tred"),
    ],
)
def test_a_model_whose_rules_are_of_an_unknown_form_is_refused(name: str, line: str, tmp_path: Path) -> None:
    model = model_from_bytes(karat.train("brill", GOLD, options={"threshold": 4}, calibrate=False).file)
    header = {one: value for one, value in model.header.items() if one not in ("system", "arrays", "texts")}
    changed = Model(model.system, header, model.arrays, {**model.texts, name: [line, *model.texts[name][1:]]})
    path = tmp_path / "m.karat"
    path.write_bytes(model_bytes(changed))
    with pytest.raises(karat.DataError, match=r"unknown|do not fit"):
        karat.load_tagger(path)
