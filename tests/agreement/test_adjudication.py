"""Disagreements for people to decide, the adjudicated file, and the sentences on which all agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from examples import conllu, random_tree, sentence, sentence_of_tokens
from karat.agreement.adjudication import adjudicate, write_adjudicated
from karat.agreement.adjudication_results import Adjudication
from karat.agreement.adjudication_worklist import adjudication_question, adjudication_worklist, read_adjudications
from karat.agreement.agreed_sentences import agreed_sentences, write_agreed
from karat.agreement.agreement_results import Agreement
from karat.corpus.carried_verdicts import carried
from karat.corpus.dependency_trees import refused_heads
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import DataError, UsageError
from karat.inference.options import InferenceOptions

NO_INTERVALS = InferenceOptions(n_resamples=0)
Judge = Callable[[WorklistRow], tuple[str, str]]


def agreed(*paths: Path | str, names: Sequence[str] = ("ada", "bix", "cyd"), column: str = "upos") -> Agreement:
    return karat.agree(dict(zip(names, map(str, paths), strict=False)), column=column, inference=NO_INTERVALS)


def judged(found: Agreement, path: Path, judge: Judge) -> str:
    """A list of the disagreements in which somebody has decided; its path."""
    made = adjudication_worklist(found)
    said = [judge(row) for row in made.rows]
    rows = (
        replace(row, verdict=verdict, label=label, judge="ina")
        for row, (verdict, label) in zip(made.rows, said, strict=True)
    )
    write_worklist(path, replace(made, rows=tuple(rows)))
    return str(path)


def always(verdict: str, label: str = "") -> Judge:
    return lambda row: (verdict, label)


def problem(found: Agreement, *paths: str) -> tuple[str, int, str]:
    with pytest.raises(DataError) as caught:
        adjudicate(found, list(paths))
    return caught.value.code, caught.value.line, caught.value.message


@pytest.fixture
def three(tmp_path: Path) -> Agreement:
    """Three annotators, the first of whom has left a word without a tag."""
    texts = [("NOUN", "VERB", "DET", "_"), ("VERB", "VERB", "DET", "ADP"), ("NOUN", "NOUN", "DET", "ADV")]
    paths = []
    for name, (a, b, c, d) in zip(("ada", "bix", "cyd"), texts, strict=True):
        first = sentence(f"light/{a}", f"fades/{b}", sent_id="s1")
        paths.append(conllu(tmp_path / f"{name}.conllu", first, sentence(f"the/{c}", f"up/{d}"), sentence("rain/NOUN")))
    return agreed(*paths)


# ---- the list --------------------------------------------------------------------------------------------------------


def test_all_disagreements_are_in_the_table_with_place_and_answers(three: Agreement) -> None:
    table = three.disagreements.table()
    assert list(table.columns) == "file line sentence word_number word context ada bix cyd distance".split()
    path = three.sources[0].path
    assert [list(row) for row in table.rows] == [
        [path, 2, "s1", 1, "light", "[light] fades", "NOUN", "VERB", "NOUN", round(2 / 3, 6)],
        [path, 3, "s1", 2, "fades", "light [fades]", "VERB", "VERB", "NOUN", round(2 / 3, 6)],
        [path, 6, "sentence 2", 2, "up", "the [up]", None, "ADP", "ADV", 1.0],
    ]
    assert len(three.disagreements) == three.n_differing == 3


def test_annotators_called_like_a_column_keep_apart(tmp_path: Path) -> None:
    paths = [conllu(tmp_path / f"{tag}.conllu", sentence(f"light/{tag}")) for tag in ("NOUN", "VERB")]
    columns = agreed(*paths, names=("word", "bix")).disagreements.table().columns
    assert list(columns)[-3:] == ["word (annotator)", "bix", "distance"]


def test_rows_ask_who_is_right(three: Agreement) -> None:
    made = adjudication_worklist(three)
    assert [(row.id, row.kind, row.sent_id, row.start, row.text, row.shown) for row in made.rows] == [
        ("w1", "adjudication", "s1", 1, "[light] fades", "ada) NOUN  bix) VERB  cyd) NOUN"),
        ("w2", "adjudication", "s1", 2, "light [fades]", "ada) VERB  bix) VERB  cyd) NOUN"),
        ("w4", "adjudication", "sentence 2", 2, "the [up]", "ada) (nothing)  bix) ADP  cyd) ADV"),
    ]
    assert "ada, bix, cyd; or other, with the right tag in the column label" in made.head[0]


@pytest.mark.parametrize("names", [("ada", "Ada"), ("other", "bix"), ("a b", "a-B")])
def test_names_that_cannot_be_told_apart_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    path = conllu(tmp_path / "a.conllu", sentence("light/NOUN"))
    with pytest.raises(UsageError, match="would have two meanings"):
        adjudication_worklist(agreed(path, path, names=names))


# ---- the verdicts ----------------------------------------------------------------------------------------------------


def test_only_what_was_decided_otherwise_changes(three: Agreement, tmp_path: Path) -> None:
    said = {"w1": ("bix", ""), "w2": ("ada", ""), "w4": ("other", "PART")}
    found = adjudicate(three, judged(three, tmp_path / "j.tsv", lambda row: said[row.id]))
    assert [(one.line, one.column, one.old, one.new) for one in _changed(found)] == [
        (2, "upos", "NOUN", "VERB"),
        (6, "upos", None, "PART"),
    ]
    assert (found.n_differing, found.n_decided, found.n_changed, found.undecided) == (3, 3, 2, ())
    assert found.unknown_labels == ("PART",)
    out = write_adjudicated(found, tmp_path / "out.conllu")
    before = Path(three.sources[0].path).read_text()
    expected = before.replace("light\tlight\tNOUN", "light\tlight\tVERB").replace("up\tup\t_", "up\tup\tPART")
    assert Path(out.written[0]).read_text() == expected


class _Changed:
    def __init__(self, data: dict[str, object]) -> None:
        self.line, self.column, self.old, self.new = (data[name] for name in ("line", "column", "old", "new"))


def _changed(found: Adjudication) -> list[_Changed]:
    return [_Changed(one.to_dict()) for one in found.changes]


def test_what_nobody_decided_stays_and_is_named(three: Agreement, tmp_path: Path) -> None:
    found = adjudicate(three, judged(three, tmp_path / "j.tsv", lambda row: ("cyd" if row.id == "w2" else "", "")))
    assert (found.n_decided, [one.word for one in found.undecided]) == (1, [0, 3])


def test_the_majority_of_adjudicators_decides_and_ties_stay_open(three: Agreement, tmp_path: Path) -> None:
    one, two = (judged(three, tmp_path / f"{name}.tsv", always(name)) for name in ("bix", "cyd"))
    third = judged(three, tmp_path / "third.tsv", lambda row: ("ada" if row.id == "w2" else "", ""))
    found = adjudicate(three, [one, two, third])
    # light: VERB, NOUN; fades: VERB, NOUN and ada's VERB; up: ADP, ADV
    assert (found.n_ties, found.n_decided, len(found.undecided), found.changes) == (2, 1, 2, ())


def test_annotators_who_say_the_same_have_one_vote(three: Agreement, tmp_path: Path) -> None:
    one, two = (judged(three, tmp_path / f"{name}.tsv", _only("w1", name)) for name in ("ada", "cyd"))
    assert adjudicate(three, [one, two]).n_decided == 1


def _only(id_: str, verdict: str, label: str = "") -> Judge:
    return lambda row: (verdict, label) if row.id == id_ else ("", "")


def test_names_may_be_others_when_a_list_is_applied(three: Agreement, tmp_path: Path) -> None:
    path = judged(three, tmp_path / "j.tsv", _only("w1", "bix"))
    again = agreed(*(one.path for one in three.sources), names=("x", "y", "z"))
    assert [one.new for one in adjudicate(again, path).changes] == ["VERB"]


@pytest.mark.parametrize(
    ("row", "verdict", "label", "code", "message"),
    [
        ("w1", "other", "", "K742", "other is right, but the label is empty"),
        ("w1", "bix", "NOUN", "K742", "the label 'NOUN' with the verdict bix"),
        ("w1", "", "NOUN", "K742", "the label 'NOUN' without a verdict"),
        ("w1", "other", "NOUN VERB", "K742", "'NOUN VERB' cannot be a label here: it has a space"),
        ("w4", "ada", "", "K738", "ada has no annotation here"),
        ("w1", "dora", "", "K734", "'dora' is not a verdict for the kind adjudication"),
    ],
)
def test_verdicts_that_say_nothing_clear_are_errors(
    three: Agreement, tmp_path: Path, row: str, verdict: str, label: str, code: str, message: str
) -> None:
    path = judged(three, tmp_path / "j.tsv", _only(row, verdict, label))
    assert problem(three, path) == (code, 5 if row == "w1" else 7, message)


def test_lists_of_other_files_columns_and_orders_are_refused(three: Agreement, tmp_path: Path) -> None:
    path = judged(three, tmp_path / "j.tsv", always("bix"))
    paths = [one.path for one in three.sources]
    for other in (agreed(*reversed(paths)), agreed(*paths[:2]), agreed(*paths, column="deprel")):
        assert problem(other, path)[0] == "K740"
    with pytest.raises(UsageError, match="given twice"):
        adjudicate(three, [path, path])
    Path(paths[1]).write_text(Path(paths[1]).read_text() + "\n", encoding="utf-8")
    assert "was not made from" in problem(agreed(*paths), path)[2]


def test_rows_that_were_changed_are_refused(three: Agreement, tmp_path: Path) -> None:
    path = tmp_path / "j.tsv"
    text = Path(judged(three, path, always("bix"))).read_text()
    for old, new in (("ada) NOUN", "ada) VERB"), ("w1\t", "w3\t"), ("\ts1\t1\t1\t", "\ts1\t2\t2\t")):
        path.write_text(text.replace(old, new, 1))
        assert problem(three, str(path))[:2] == ("K741", 5)
    path.write_text("\n".join(line for line in text.split("\n") if not line.startswith("# karat:")))
    assert problem(three, str(path))[0] == "K740"


# ---- other texts -----------------------------------------------------------------------------------------------------


def test_several_tags_of_tagged_text_are_written_as_they_were(tmp_path: Path) -> None:
    ada, bix = tmp_path / "ada.tsv", tmp_path / "bix.tsv"
    ada.write_text("# by ada\nlight\tNOUN\r\nfades\tVERB\tNOUN\n\nthe\tDET\n")
    bix.write_text("light\tNOUN:=0.75\tADJ:=0.25\nfades\tVERB\n\nthe\tADV\n")
    found = agreed(ada, bix)
    said = {"w1": ("bix", ""), "w2": ("other", "ADJ NOUN"), "w3": ("ada", "")}
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", lambda row: said[row.id]))
    write_adjudicated(result, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_bytes() == (
        b"# by ada\nlight\tNOUN:=0.75\tADJ:=0.25\r\nfades\tADJ\tNOUN\n\nthe\tDET\n"
    )
    plain = conllu(tmp_path / "plain.conllu", sentence("light/VERB", "fades/VERB"), sentence("the/DET"))
    other = agreed(plain, bix)
    path = judged(other, tmp_path / "k.tsv", _only("w1", "bix"))
    assert problem(other, path)[2] == "'NOUN:=0.75 ADJ:=0.25' of bix cannot be written in the format conllu"


def test_sense_keys_keep_comments_and_blanks(tmp_path: Path) -> None:
    ada, bix, cyd = (tmp_path / f"{name}.key" for name in ("ada", "bix", "cyd"))
    ada.write_text("pear.n pear.n.1  A/0.6 B/0.4 !! unsure\npear.n pear.n.2\nplum.n plum.n.1 A\n")
    bix.write_text("plum.n plum.n.1 B\npear.n pear.n.2 A\npear.n pear.n.1 B\n")
    cyd.write_text("pear.n pear.n.2 B\n")
    found = agreed(ada, bix, cyd)
    assert [one.place.name for one in found.disagreements.rows] == ["pear.n.1", "pear.n.2", "plum.n.1"]
    said = {"w1": ("bix", ""), "w2": ("cyd", ""), "w3": ("other", "A/0.5 C/0.5")}
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", lambda row: said[row.id]))
    write_adjudicated(result, tmp_path / "out.key")
    assert (tmp_path / "out.key").read_text() == (
        "pear.n pear.n.1  B !! unsure\npear.n pear.n.2 B\nplum.n plum.n.1 A/0.5 C/0.5\n"
    )
    assert result.unknown_labels == ("C",)
    bad = adjudicate(found, judged(found, tmp_path / "k.tsv", _only("w3", "other", "A !! C")))
    with pytest.raises(DataError, match="K742 'A !! C' cannot be written in the format key"):
        write_adjudicated(bad, tmp_path / "bad.key")


def test_a_label_that_the_format_cannot_hold_is_refused_before_writing(tmp_path: Path) -> None:
    ada, bix = tmp_path / "ada.txt", tmp_path / "bix.txt"
    ada.write_text("light/NOUN fades/VERB\n")
    bix.write_text("light/ADJ fades/VERB\n")
    found = agreed(ada, bix)
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", always("other", "N/V")))
    with pytest.raises(DataError, match="cannot be written in the format slash"):
        write_adjudicated(result, tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()


def test_several_files_are_written_to_a_folder(tmp_path: Path) -> None:
    files = {}
    for name, tags in (("ada", ("NOUN", "DET")), ("bix", ("VERB", "PRON"))):
        (tmp_path / name).mkdir()
        files[name] = [conllu(tmp_path / name / f"{n}.conllu", sentence(f"w{n}/{tag}")) for n, tag in enumerate(tags)]
    found = karat.agree(files, inference=NO_INTERVALS)
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", always("bix")))
    write_adjudicated(result, tmp_path / "out")
    for n in range(2):
        assert (tmp_path / "out" / f"{n}.conllu").read_bytes() == (tmp_path / "bix" / f"{n}.conllu").read_bytes()
    for name in ("ada", "bix"):
        with pytest.raises(UsageError, match="will not be overwritten"):
            write_adjudicated(result, tmp_path / name)
        with pytest.raises(UsageError, match="will not be overwritten"):
            write_agreed(agreed_sentences(found.disagreements), tmp_path / name)


# ---- heads -----------------------------------------------------------------------------------------------------------


def test_heads_are_shown_with_their_forms_and_written_as_numbers(tmp_path: Path) -> None:
    one = conllu(tmp_path / "a.conllu", sentence("old/ADJ/2/amod", "rain/NOUN/3/nsubj", "falls/VERB/0/root"))
    two = conllu(tmp_path / "b.conllu", sentence("old/ADJ/3/advmod", "rain/NOUN/3/obj", "falls/VERB/0/root"))
    found = agreed(one, two, column="las")
    made = adjudication_worklist(found)
    assert [row.shown for row in made.rows] == [
        "ada) 2 amod (rain)  bix) 3 advmod (falls)",
        "ada) 3 nsubj (falls)  bix) 3 obj (falls)",
    ]
    said = {"w1": ("bix", ""), "w2": ("other", "1 dep (old)")}
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", lambda row: said[row.id]))
    assert [(one.column, one.old, one.new) for one in _changed(result)] == [
        ("head", "2", "3"),
        ("deprel", "amod", "advmod"),
        ("head", "3", "1"),
        ("deprel", "nsubj", "dep"),
    ]
    assert result.unknown_labels == ("dep",)
    of_heads = agreed(one, two, column="heads")
    assert [row.shown for row in adjudication_worklist(of_heads).rows] == ["ada) 2 (rain)  bix) 3 (falls)"]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("x", "'x' cannot be a label here"),
        ("1", "1 cannot be the head of word 1: a word cannot be its own head"),
        ("3", "3 cannot be the head of word 1: the sentence has 2 words"),
        ("2 nsubj", "'2 nsubj' cannot be a label here"),
    ],
)
def test_labels_that_are_no_heads_are_refused(tmp_path: Path, label: str, message: str) -> None:
    one = conllu(tmp_path / "a.conllu", sentence("rain/X/2", "falls/X/0"))
    two = conllu(tmp_path / "b.conllu", sentence("rain/X/0", "falls/X/1"))
    found = agreed(one, two, column="heads")
    assert problem(found, judged(found, tmp_path / "j.tsv", _only("w1", "other", label)))[2] == message


def test_heads_of_other_tokenisations_are_counted_as_the_first_annotator_counts(tmp_path: Path) -> None:
    # bix has cannot as one word, so that his sentence has a word less
    ada = conllu(tmp_path / "a.conllu", sentence("we/X/3", "can/X/3", "not/X/0", "go/X/3", "on/X/4"))
    bix = conllu(tmp_path / "b.conllu", sentence("we/X/2", "cannot/X/0", "go/X/2", "on/X/2"))
    found = agreed(ada, bix, column="heads")
    rows = {one.place.words[one.place.marked]: one for one in found.disagreements.rows}
    # we and on hang from cannot, which ada does not have; go of bix too
    assert {word: one.shown for word, one in rows.items()} == {
        "we": ("3 (not)", "? (cannot)"),
        "go": ("3 (not)", "? (cannot)"),
        "on": ("4 (go)", "? (cannot)"),
    }
    assert not adjudication_worklist(found).rows
    assert (found.disagreements.n_alone, len(found.disagreements)) == (2, 3)
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", always("bix")))
    assert (result.n_not_adjudicable, result.n_alone) == (3, 2)
    far = conllu(tmp_path / "c.conllu", sentence("we/X/3", "cannot/X/3", "go/X/0", "on/X/1"))
    again = agreed(ada, far, column="heads")
    shown = {row.text: row.shown for row in adjudication_worklist(again).rows}
    assert shown["[we] can not go on"] == "ada) 3 (not)  bix) 4 (go)"
    assert shown["we can not go [on]"] == "ada) 4 (go)  bix) 1 (we)"


def is_tree(heads: Sequence[int]) -> bool:
    if list(heads).count(0) != 1:
        return False
    for place in range(len(heads)):
        seen = set()
        while place >= 0 and place not in seen:
            seen.add(place)
            place = heads[place] - 1
        if place >= 0:
            return False
    return True


@given(st.integers(1, 7), st.integers(0, 10**6), st.data())
def test_heads_that_are_not_refused_make_a_tree(n: int, seed: int, data: st.DataObject) -> None:
    heads = random_tree(Random(seed), n)
    heads_of = st.integers(0, n)
    new = {place: data.draw(heads_of) for place in data.draw(st.sets(st.integers(0, n - 1)))}
    refused = refused_heads(np.array(heads, dtype=np.int32), new)
    after = [new[place] if place in new and place not in refused else head for place, head in enumerate(heads)]
    assert is_tree(after)
    assert set(refused) <= set(new)
    together = [new.get(place, head) for place, head in enumerate(heads)]
    assert bool(refused) == (not is_tree(together))


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_adjudicated_trees_have_what_was_decided_and_else_the_first_annotator_s(seed: int) -> None:
    import tempfile

    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        trees = [[random_tree(random, 5) for _ in range(4)] for _ in range(2)]
        paths = [
            conllu(
                Path(folder) / f"{n}.conllu",
                *(sentence(*(f"w{i}/X/{h}/r{h}" for i, h in enumerate(one))) for one in side),
            )
            for n, side in enumerate(trees)
        ]
        found = agreed(*paths, column="las")
        verdicts = {row.id: random.choice(["ada", "bix", ""]) for row in adjudication_worklist(found).rows}
        result = adjudicate(found, judged(found, Path(folder) / "j.tsv", lambda row: (verdicts[row.id], "")))
        write_adjudicated(result, Path(folder) / "out.conllu")
        refused = {one.row.id for one in result.refused}
        after = karat.read_conllu(Path(folder) / "out.conllu")  # and so these are trees
        assert after.heads is not None
        for word, head in enumerate(after.heads.tolist()):
            row = f"w{word + 1}"
            side = verdicts.get(row) == "bix" and row not in refused
            expected = trees[side][word // 5][word % 5]
            assert (head, after.column("deprel").strings()[word]) == (expected, f"r{expected}")
        assert result.n_decided + len(result.undecided) + len(result.refused) == len(verdicts)


# ---- carrying --------------------------------------------------------------------------------------------------------


def test_verdicts_are_carried_by_what_they_say(three: Agreement, tmp_path: Path) -> None:
    said = {"w1": ("bix", ""), "w2": ("other", "X"), "w4": ("cyd", "")}
    path = judged(three, tmp_path / "j.tsv", lambda row: said[row.id])
    paths = [Path(one.path) for one in three.sources]
    for one in paths:  # a new sentence first, and another word in the last
        one.write_text(sentence("so/ADV") + one.read_text().replace("rain", "snow"), encoding="utf-8")
    again = agreed(paths[2], paths[1], paths[0], names=("uwe", "vic", "wes"))
    ((names, old),) = read_adjudications([path])
    result = carried(adjudication_worklist(again), [old], adjudication_question([names, again.names]))
    assert (result.n_carried, result.left) == (3, ())
    # bix was right with VERB, now vic; NOUN or VERB of fades are none; cyd with ADV is uwe
    assert [(row.verdict, row.label) for row in result.worklist.rows] == [("vic", ""), ("other", "X"), ("uwe", "")]


def test_verdicts_on_what_was_edited_are_left(three: Agreement, tmp_path: Path) -> None:
    path = judged(three, tmp_path / "j.tsv", always("bix"))
    paths = [Path(one.path) for one in three.sources]
    for one in paths:
        one.write_text(one.read_text().replace("fades", "falls"), encoding="utf-8")
    ((names, old),) = read_adjudications([path])
    again = agreed(*paths)
    result = carried(adjudication_worklist(again), [old], adjudication_question([names, again.names]))
    assert (result.n_carried, [row.id for _, row in result.left]) == (1, ["w1", "w2"])


def test_an_empty_list_is_a_list(tmp_path: Path) -> None:
    path = conllu(tmp_path / "a.conllu", sentence("light/NOUN"))
    found = agreed(path, path)
    result = adjudicate(found, judged(found, tmp_path / "j.tsv", always("ada")))
    assert (result.n_differing, result.n_decided, result.changes) == (0, 0, ())
    write_adjudicated(result, tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == Path(path).read_bytes()
    assert isinstance(read_adjudications([tmp_path / "j.tsv"])[0][1], Worklist)


# ---- the sentences on which all agree --------------------------------------------------------------------------------


def test_a_sentence_is_agreed_on_if_all_have_all_its_words_and_say_the_same(tmp_path: Path) -> None:
    same = sentence("rain/NOUN", "falls/VERB", sent_id="same")
    texts = [
        (same, sentence("a/DET", sent_id="x"), sentence("b/_", sent_id="none"), sentence("c/X", sent_id="miss")),
        (same, sentence("a/ADV", sent_id="x"), sentence("b/_", sent_id="none"), sentence("c/_", sent_id="miss")),
    ]
    paths = [
        conllu(tmp_path / f"{n}.conllu", *one, sentence_of_tokens(*words))
        for n, (one, words) in enumerate(zip(texts, (["cannot"], ["can", "not"]), strict=True))
    ]
    found = agreed_sentences(agreed(*paths).disagreements)
    assert found.is_agreed.tolist() == [True, False, True, False, False]
    written = write_agreed(found, tmp_path / "same.conllu")
    assert (tmp_path / "same.conllu").read_text() == same + texts[0][2]
    assert written.to_dict() == {
        "written": [str(tmp_path / "same.conllu")],
        "sentences": 2,
        "left_out": 3,
        "words": 3,
        "all_words": 6,
    }


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(*[st.sampled_from(["NOUN", "VERB", "_"])] * 3), min_size=1, max_size=4), min_size=1))
def test_agreed_sentences_are_those_of_a_loop(words: list[list[tuple[str, str, str]]]) -> None:
    import tempfile

    if all(tags[side] == "_" for side in range(3) for one in words for tags in one):
        return
    with tempfile.TemporaryDirectory() as folder:
        texts = [
            [sentence("x/ADV"), *(sentence(*(f"w/{tags[side]}" for tags in one)) for one in words)] for side in range(3)
        ]
        found = agreed(*(conllu(Path(folder) / f"{side}.conllu", *text) for side, text in enumerate(texts)))
        kept = agreed_sentences(found.disagreements)
        expected = [True, *(all(len(set(tags)) == 1 for tags in one) for one in words)]
        assert kept.is_agreed.tolist() == expected
        write_agreed(kept, Path(folder) / "out.conllu")
        text = "".join(one for one, is_kept in zip(texts[0], expected, strict=True) if is_kept)
        assert (Path(folder) / "out.conllu").read_text() == text


def test_agreed_instances_of_sense_keys(tmp_path: Path) -> None:
    ada, bix = tmp_path / "ada.key", tmp_path / "bix.key"
    ada.write_text("pear.n pear.n.1 A !! sure\n\npear.n pear.n.2 B\nplum.n plum.n.1 A\n")
    bix.write_text("pear.n pear.n.1 A\npear.n pear.n.2 A\n")
    found = write_agreed(agreed_sentences(agreed(ada, bix).disagreements), tmp_path / "out.key")
    assert ((tmp_path / "out.key").read_text(), found.n_left_out) == ("pear.n pear.n.1 A !! sure\n", 2)


def test_a_typo_and_an_unclear_guideline_decide_nothing(three: Agreement, tmp_path: Path) -> None:
    path = judged(three, tmp_path / "j.tsv", lambda row: ("typo", "lights") if row.id == "w1" else ("unclear", ""))
    found = adjudicate(three, path)
    assert (found.n_decided, found.changes, len(found.undecided)) == (0, (), 3)
    label = judged(three, tmp_path / "label.tsv", _only("w1", "unclear", "NOUN"))
    assert problem(three, label) == ("K742", 5, "the label 'NOUN' with the verdict unclear")


def test_an_annotator_who_is_called_as_a_verdict_is_keeps_the_name(three: Agreement, tmp_path: Path) -> None:
    again = agreed(*(one.path for one in three.sources), names=("ada", "typo", "cyd"))
    path = judged(again, tmp_path / "j.tsv", _only("w1", "typo"))
    assert [one.new for one in adjudicate(again, path).changes] == ["VERB"]
