"""karat.score and karat.score_treebanks from Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from examples import EXAMPLES, conllu, sentence
from karat.errors import DataError, UsageError

GOLD = (
    sentence("Birds/NOUN/2/nsubj", "sing/VERB", "loudly/ADV/2/advmod", sent_id="a", newdoc="d1").replace(
        "2\tsing\tsing\tVERB\t_\t_\t1\tdep\t1:dep", "2\tsing\tsing\tVERB\t_\t_\t0\troot\t0:root"
    ),
    sentence("Come/VERB", "in/ADV/1/advmod", sent_id="b"),
    sentence("No/INTJ", sent_id="c", newdoc="d2"),
)


@pytest.fixture
def gold(tmp_path: Path) -> str:
    return conllu(tmp_path / "gold.conllu", *GOLD)


def system(tmp_path: Path, *sentences: str, name: str = "system.conllu") -> str:
    return conllu(tmp_path / name, *sentences)


def test_counts_are_those_of_each_sentence(gold: str, tmp_path: Path) -> None:
    wrong_tag = GOLD[1].replace("ADV", "ADP")
    scores = karat.score(gold, system(tmp_path, GOLD[0], wrong_tag, GOLD[2]))
    counts = scores.systems[0].counts["UPOS"]
    assert counts.tolist() == [[3, 3, 3, 3], [2, 2, 1, 2], [1, 1, 1, 1]]  # gold, system, correct, aligned
    assert scores["UPOS"].f1 == 5 / 6
    assert scores["LAS"].f1 == 1


def test_a_system_is_named_after_its_file_or_by_the_mapping(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, *GOLD)
    assert [one.name for one in karat.score(gold, path).systems] == ["system.conllu"]
    assert [one.name for one in karat.score(gold, {"x": path, "y": path}).systems] == ["x", "y"]


def test_corpora_and_paths_give_the_same(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, GOLD[0].replace("nsubj", "obj"), *GOLD[1:])
    by_path, by_corpus = karat.score(gold, path), karat.score(karat.read_conllu(gold), karat.read_conllu(path))
    assert by_path.systems[0].measures == by_corpus.systems[0].measures
    assert by_path.signature == by_corpus.signature


def test_the_signature_changes_with_the_bytes_of_an_input(gold: str, tmp_path: Path) -> None:
    first = karat.score(gold, system(tmp_path, *GOLD)).signature
    second = karat.score(gold, system(tmp_path, *GOLD, "# a comment\n")).signature
    assert first != second
    assert karat.__version__ in first


def test_one_measure_by_index_needs_one_system(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, *GOLD)
    with pytest.raises(KeyError, match="2 systems"):
        karat.score(gold, {"x": path, "y": path})["LAS"]


def test_measures_without_columns_are_left_out_and_named(tmp_path: Path) -> None:
    no_heads = "".join(GOLD).replace("\t0\troot", "\t_\troot").replace("\t1\tadvmod", "\t_\tadvmod")
    no_heads = no_heads.replace("\t2\tnsubj", "\t_\tnsubj").replace("\t2\tadvmod", "\t_\tadvmod")
    path = system(tmp_path, no_heads)
    scores = karat.score(path, path)
    assert "LAS" not in scores.systems[0].measures
    assert scores.systems[0].missing["LAS"] == (("gold", "head"), ("system", "head"))
    assert scores.systems[0].missing["XPOS"] == (("gold", "xpos"), ("system", "xpos"))
    assert scores["UPOS"].f1 == 1
    with pytest.raises(DataError, match="K501 LAS needs HEAD"):
        karat.score(path, path, measures=["LAS"])


def test_like_conll18_scores_empty_columns_as_the_official_evaluator_does(gold: str) -> None:
    scores = karat.score(gold, gold, like="conll18")
    assert scores["XPOS"].f1 == 1  # `_` is compared like any other value
    assert list(scores.systems[0].measures)[-2:] == ["ELAS", "EULAS"]


def test_like_conll18_without_deps_gives_zero_for_enhanced_measures(tmp_path: Path) -> None:
    import re

    path = system(tmp_path, re.sub(r"\t[0-9]+:[a-z:]+\t_\n", "\t_\t_\n", "".join(GOLD)))
    official = karat.score(path, path, like="conll18")
    assert (official["ELAS"].value, official["EULAS"].value) == (0.0, 0.0)
    assert "ELAS" not in karat.score(path, path).systems[0].measures


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["LASS"]}, "unknown measure 'LASS' .did you mean LAS.*; choose from Tokens"),
        ({"like": "conll17"}, "unknown evaluator 'conll17'"),
        ({"by": ["colour"]}, "no split by 'colour'"),
        ({"confusions": ["form"]}, "no confusions of 'form'"),
        ({"input": "word"}, "unknown input format 'word'"),
        ({"measures": []}, "no measure was named"),
        ({"measures": "ELAS", "by": "upos"}, "a split of words needs a measure of words"),
        ({"systems": {}}, "no system was given"),
    ],
)
def test_what_does_not_exist_is_a_usage_error(gold: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.score(**{"gold": gold, "systems": gold, **options})  # type: ignore[arg-type]


def test_names_of_measures_ignore_case_and_repetition(gold: str) -> None:
    assert list(karat.score(gold, gold, measures=["las", "UPOS", "LAS"]).systems[0].measures) == ["LAS", "UPOS"]


def test_tags_only_do_not_ask_for_trees(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, GOLD[0].replace("0\troot", "1\troot"), *GOLD[1:])  # no root, and a cycle
    with pytest.raises(DataError, match="K210"):
        karat.score(gold, path)
    assert karat.score(gold, path, measures=["UPOS"])["UPOS"].f1 == 1


def test_a_bad_system_sentence_counts_as_wholly_wrong(gold: str, tmp_path: Path) -> None:
    bad = GOLD[0].replace("0\troot", "1\troot")
    scores = karat.score(gold, system(tmp_path, bad, *GOLD[1:]), skip_bad=True)
    assert scores.systems[0].skipped.gold == 0
    assert scores.systems[0].skipped.system == 1
    assert [problem.code for problem in scores.systems[0].skipped.problems] == ["K210"]
    for name in ("Tokens", "Words", "UPOS", "LAS"):
        assert scores.systems[0].counts[name][:, 2].tolist() == [0, 2, 1], name
        assert scores[name].gold == 6
    assert scores["Sentences"].correct == 2


def test_a_bad_gold_sentence_leaves_the_test(tmp_path: Path) -> None:
    bad_gold = conllu(tmp_path / "gold.conllu", GOLD[0].replace("0\troot", "1\troot"), *GOLD[1:])
    scores = karat.score(bad_gold, system(tmp_path, *GOLD), skip_bad=True)
    assert scores.systems[0].skipped.gold == 1
    assert len(scores.systems[0].counts["UPOS"]) == 2
    assert (scores["UPOS"].gold, scores["UPOS"].system, scores["UPOS"].correct) == (3, 3, 3)


def test_a_line_with_a_column_too_few_spoils_its_sentence_only(gold: str, tmp_path: Path) -> None:
    broken = GOLD[1].replace("\tADV\t", "\t", 1)
    scores = karat.score(gold, system(tmp_path, GOLD[0], broken, GOLD[2]), skip_bad=True)
    assert scores.systems[0].skipped.system == 1
    assert scores["UPOS"].correct == 4
    assert scores["UPOS"].gold == 6


def test_a_sentence_with_other_text_counts_as_wrong_when_bad_ones_are_skipped(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, GOLD[0], GOLD[1].replace("Come", "Go"), GOLD[2])
    with pytest.raises(DataError, match="K401"):
        karat.score(gold, path)
    scores = karat.score(gold, path, skip_bad=True)
    assert scores.systems[0].skipped.system == 1
    assert scores["UPOS"].correct == 4
    assert scores["UPOS"].gold == 6


def test_splits_by_document_and_length_add_up(tmp_path: Path) -> None:
    scores = karat.score(EXAMPLES / "gold.conllu", EXAMPLES / "bix.conllu", by=["document", "length", "upos", "deprel"])
    for split, groups in scores.systems[0].by.items():
        for name in ("UPOS", "LAS"):
            assert sum(group[name].correct for group in groups.values()) == scores[name].correct, split
            assert sum(group[name].gold for group in groups.values()) == scores[name].gold, split
            assert sum(group[name].system for group in groups.values()) == scores[name].system, split


def test_labels_have_their_own_precision_and_recall(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, GOLD[0].replace("ADV", "NOUN"), *GOLD[1:])  # loudly: NOUN for ADV
    by = karat.score(gold, path, by=["upos"]).systems[0].by["upos"]
    assert (by["NOUN"]["UPOS"].precision, by["NOUN"]["UPOS"].recall) == (0.5, 1)
    assert (by["ADV"]["UPOS"].precision, by["ADV"]["UPOS"].recall) == (1, 0.5)
    assert by["ADV"]["LAS"].recall == 1  # LAS goes by the gold's tag: tag and head are different matters


def test_a_lexicon_splits_words_by_what_training_knew(gold: str, tmp_path: Path) -> None:
    train = conllu(tmp_path / "train.conllu", sentence("in/ADV", "in/ADP", "sing/VERB"))
    groups = karat.score(gold, gold, lexicon=train).systems[0].by["lexicon"]
    sizes = {name: group["UPOS"].gold for name, group in groups.items()}
    assert sizes == {"unknown": 4, "known": 2, "unambiguous": 1, "ambiguous": 1}


def test_confusions_count_and_show_places(gold: str, tmp_path: Path) -> None:
    path = system(tmp_path, GOLD[0].replace("ADV", "NOUN"), *GOLD[1:])
    found = karat.score(gold, path, confusions=["upos"]).systems[0].confusions["upos"]
    assert [(one.gold, one.system, one.count) for one in found.top] == [("ADV", "NOUN", 1)]
    example = found.top[0].examples[0]
    assert (example.sent_id, example.token, example.words[2]) == ("a", 3, "loudly")
    row, column = found.labels.index("ADV"), found.labels.index("NOUN")
    assert found.matrix[row, column] == 1
    assert found.matrix.sum() == 6


def test_a_list_of_systems_is_several_systems(gold: str, tmp_path: Path) -> None:
    other = system(tmp_path, *GOLD, name="other.conllu")
    scores = karat.score(gold, [gold, other, [gold]])
    assert [one.name for one in scores.systems] == ["gold.conllu", "other.conllu", "system"]
    assert scores.system("other.conllu")["LAS"].f1 == 1
    with pytest.raises(KeyError, match=r"no system 'x'; choose from gold\.conllu"):
        scores.system("x")


def test_scores_show_themselves_in_a_line(gold: str) -> None:
    shown = repr(karat.score(gold, {"x": gold}))
    assert shown == f"<Scores on {gold}: <SystemScores x: UPOS 1.0000, LAS 1.0000>>"


def test_one_name_may_stand_for_a_list_of_one(gold: str) -> None:
    scores = karat.score(gold, gold, measures="UPOS", by="upos", confusions="upos")
    assert list(scores.systems[0].measures) == ["UPOS"]
    assert set(scores.systems[0].by) == set(scores.systems[0].confusions) == {"upos"}


@pytest.mark.parametrize("readable", [None, 5, [None]], ids=repr)
def test_what_is_no_path_is_a_type_error(gold: str, readable: object) -> None:
    with pytest.raises(TypeError, match="a path or a list of paths"):
        karat.score(gold, {"x": readable})  # type: ignore[dict-item]


@pytest.mark.parametrize("column", ["foo", "UPOS"])
def test_a_column_that_is_not_there_is_a_usage_error(gold: str, column: str) -> None:
    with pytest.raises(UsageError, match="this corpus has id, form, lemma"):
        karat.read_conllu(gold).column(column)


def test_problems_of_all_inputs_are_reported_together(gold: str, tmp_path: Path) -> None:
    bad = system(tmp_path, GOLD[0].replace("0\troot", "7\troot"))
    with pytest.raises(DataError) as caught:
        karat.score(tmp_path / "no.conllu", {"a": bad, "b": tmp_path / "neither.conllu"})
    assert [problem.code for problem in caught.value.problems] == ["K101", "K208", "K101"]
    texts = [system(tmp_path, GOLD[0].replace("Birds", word), *GOLD[1:], name=word) for word in ("Cats", "Dogs")]
    with pytest.raises(DataError) as caught:
        karat.score(gold, texts)
    assert [problem.code for problem in caught.value.problems] == ["K401", "K401"]
    assert any("hint: " in note for note in caught.value.__notes__)


def test_a_gold_of_bad_sentences_only_cannot_be_scored(tmp_path: Path) -> None:
    bad = conllu(tmp_path / "gold.conllu", sentence("a/X/9"))
    with pytest.raises(DataError, match="K502"):
        karat.score(bad, system(tmp_path, sentence("a/X")), skip_bad=True)


def test_a_split_by_a_missing_column_is_an_error(gold: str) -> None:
    with pytest.raises(DataError, match="K501 a split by xpos needs XPOS"):
        karat.score(gold, gold, by="xpos")
    with pytest.raises(DataError, match="K501 a lexicon needs XPOS"):
        karat.score(gold, gold, lexicon=gold, column="xpos")


def test_choices_that_change_numbers_are_in_the_signature(gold: str) -> None:
    plain = karat.score(gold, gold).signature
    with_more = karat.score(gold, gold, confusions="upos", input="conllu", column="xpos", skip_bad=True).signature
    assert "|confusions:upos|column:xpos|input:conllu|bad:skipped|" in with_more
    assert "column" not in plain


def test_the_html_table_escapes_names(gold: str) -> None:
    html = karat.score(gold, {"<script>alert(1)</script>": gold})._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_notebook_shows_measures_that_are_not_in_percent_as_they_are(tmp_path: Path) -> None:
    """A cross-entropy of (0 + 1)/2 bits was once shown as 50.00 %."""
    gold, system = tmp_path / "g.key", tmp_path / "s.key"
    gold.write_text("pear.n pear.n.1 A\npear.n pear.n.2 A\n", encoding="utf-8")
    system.write_text("pear.n pear.n.1 A\npear.n pear.n.2 A/0.5 B/0.5\n", encoding="utf-8")
    html = karat.score(gold, {"x": system}, measures="cross_entropy")._repr_html_()
    assert "<td>cross_entropy</td><td>0.50</td>" in html
    assert "50.00" not in html
    assert "%" not in html


def test_permuting_sentences_on_both_sides_changes_no_total(tmp_path: Path) -> None:
    blocks = {
        name: (EXAMPLES / f"{name}.conllu").read_text(encoding="utf-8").split("\n\n")[:-1] for name in ("gold", "ada")
    }
    assert len(blocks["gold"]) == len(blocks["ada"])  # ada has the gold's sentences
    order = np.random.default_rng(3).permutation(len(blocks["gold"])).tolist()
    for name, parts in blocks.items():
        (tmp_path / f"{name}.conllu").write_text("".join(parts[i] + "\n\n" for i in order), encoding="utf-8")
    options = karat.InferenceOptions(cluster="sentence")  # what is in a document changes
    before = karat.score(EXAMPLES / "gold.conllu", EXAMPLES / "ada.conllu", inference=options)
    after = karat.score(tmp_path / "gold.conllu", tmp_path / "ada.conllu", inference=options)
    assert before.systems[0].measures == after.systems[0].measures


def test_like_an_evaluator_has_intervals_only_if_asked_for() -> None:
    gold, ada = EXAMPLES / "gold.conllu", EXAMPLES / "ada.conllu"
    assert karat.score(gold, ada)["LAS"].interval is not None
    assert karat.score(gold, ada, like="conll18")["LAS"].interval is None
    assert karat.score(gold, ada, like="conll18", intervals=True)["LAS"].lower is not None
    assert karat.score(gold, ada, intervals=False)["LAS"].interval is None
    assert karat.score(gold, ada, inference=karat.InferenceOptions(n_resamples=0))["LAS"].interval is None


class TestTreebanks:
    @pytest.fixture
    def folders(self, tmp_path: Path) -> tuple[Path, Path]:
        gold, ours = tmp_path / "gold", tmp_path / "ours"
        gold.mkdir()
        ours.mkdir()
        conllu(gold / "xx.conllu", *GOLD)
        conllu(gold / "yy.conllu", GOLD[1])
        conllu(ours / "xx.conllu", GOLD[0].replace("NOUN", "VERB"), *GOLD[1:])
        conllu(ours / "yy.conllu", GOLD[1].replace("ADV", "ADP"))
        return gold, ours

    def test_micro_sums_words_and_macro_averages_treebanks(self, folders: tuple[Path, Path]) -> None:
        gold, ours = folders
        found = karat.score_treebanks(gold, {"ours": ours}).systems[0]
        assert found.treebanks["xx.conllu"].measures["UPOS"].value == 5 / 6
        assert found.treebanks["yy.conllu"].measures["UPOS"].value == 1 / 2
        assert found.micro["UPOS"].value == 6 / 8
        assert found.macro["UPOS"] == pytest.approx((5 / 6 + 1 / 2) / 2, abs=1e-15)

    def test_a_missing_file_counts_as_wholly_wrong(self, folders: tuple[Path, Path]) -> None:
        gold, ours = folders
        (ours / "yy.conllu").unlink()
        found = karat.score_treebanks(gold, {"ours": ours}).systems[0]
        assert found.absent == ("yy.conllu",)
        assert found.treebanks["yy.conllu"].measures["LAS"].value == 0
        assert found.macro["LAS"] == 0.5
        assert (found.micro["LAS"].gold, found.micro["LAS"].system, found.micro["LAS"].correct) == (8, 6, 6)

    @pytest.mark.parametrize("content", ["", "1\tbroken\n\n", "\x00\x01"])
    def test_a_broken_file_is_scored_as_0_as_in_a_comparison(self, folders: tuple[Path, Path], content: str) -> None:
        gold, ours = folders
        (ours / "yy.conllu").write_text(content, encoding="utf-8")
        found = karat.score_treebanks(gold, ours).systems[0]
        assert (found.name, found.absent, found.unreadable) == ("ours", (), ("yy.conllu",))
        assert found.macro["LAS"] == 0.5
        problems = found.treebanks["yy.conllu"].skipped.problems
        assert {problem.path for problem in problems} == {str(ours / "yy.conllu")}

    def test_skipping_bad_sentences_keeps_the_others_of_a_broken_file(self, folders: tuple[Path, Path]) -> None:
        gold, ours = folders
        with (ours / "xx.conllu").open("a", encoding="utf-8") as file:
            file.write("1\tbroken\n\n")
        broken = karat.score_treebanks(gold, ours).systems[0]
        assert broken.unreadable == ("xx.conllu",)
        assert broken.treebanks["xx.conllu"].measures["UPOS"].value == 0
        found = karat.score_treebanks(gold, ours, skip_bad=True).systems[0]
        assert found.unreadable == ()
        assert found.treebanks["xx.conllu"].measures["UPOS"].value > 0

    def test_problems_of_all_gold_files_are_reported_together(self, folders: tuple[Path, Path]) -> None:
        for path in folders[0].iterdir():
            path.write_text("nonsense\n", encoding="utf-8")
        with pytest.raises(DataError) as caught:
            karat.score_treebanks(*folders)
        assert {problem.path for problem in caught.value.problems} == {str(path) for path in folders[0].iterdir()}

    def test_surplus_files_are_named(self, folders: tuple[Path, Path]) -> None:
        gold, ours = folders
        conllu(ours / "zz.conllu", GOLD[1])
        assert karat.score_treebanks(gold, {"ours": ours}).surplus == (str(ours / "zz.conllu"),)

    def test_a_compressed_file_pairs_with_a_plain_one(self, folders: tuple[Path, Path]) -> None:
        import gzip

        gold, ours = folders
        path = ours / "yy.conllu"
        (ours / "yy.conllu.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
        assert karat.score_treebanks(gold, {"ours": ours}).systems[0].absent == ()

    def test_an_empty_folder_is_bad_input(self, tmp_path: Path, folders: tuple[Path, Path]) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        with pytest.raises(DataError, match="K104"):
            karat.score_treebanks(empty, {"ours": folders[1]})
