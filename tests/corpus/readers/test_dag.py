"""The graphs of Concraft-pl and PolEval 2020."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysed_texts import analysed_texts, lines_of_words
from karat.corpus import source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings, segmented
from karat.corpus.readers.dag import dag_from_source, dag_text, read_dag, write_dag
from karat.errors import DataError, UsageError

# two sentences of one paragraph, then another paragraph, ended as Concraft-pl ends them
CONCRAFT = """0\t2\tbyłem\tbył\tsubst:sg:inst:m3\tnazwa pospolita\trzad.\t0.1000\t\t\t
0\t1\tbył\tbyć\tpraet:sg:m1:imperf\t\t\t0.9000\t\t\tdisamb
0\t1\tbył\tbyć\tpraet:sg:m2:imperf\t\t\t0.0000\t\t\t
1\t2\tem\tbyć\taglt:sg:pri:imperf:wok\t\t\t0.9000\t\t\tdisamb
2\t3\t.\t.\tinterp\t\t\t1.0000\t\teos\tdisamb
3\t4\tOj\toj\tinterj\t\t\t0.12345\tx\t\tdisamb
4\t5\t!\t!\tinterp\t\t\t1.0000\t\teos\tdisamb

0\t1\tNie\tnie\tpart\t\t\t1.0000\t\t\tdisamb

"""
POLEVAL = """#1695
0\t1\tKot\tkot\tsubst:sg:nom:m2\t\tdisamb
0\t1\tKot\tkota\tsubst:pl:gen:f\t\t
1\t2\tśpi\tspać\tfin:sg:ter:imperf\t\tdisamb_manual
2\t3\t.\t.\tinterp\tnps\tdisamb

"""
OLDER = """0\t1\tKot\tkot\tsubst:sg:nom:m2\tnazwa pospolita\t\t\t\t\t\tdisamb
1\t2\t.\t.\tinterp\t\t\t0.5000\t\teos\tnps\tdisamb_manual

"""
UNDECIDED = "0\t1\tco\tco\tsubst:sg:acc:n\t\n0\t2\tcoś\tcoś\tpart\t\n1\t2\tś\tbyć\taglt:sg:sec:imperf:nwok\tnps\n\n"
TRAINING = "0\t1\tco\tco\tcomp\t\t\t1.0000\t\teos\n1\t2\tjadł\tjeść\tpraet:sg:m1:imperf\t\t\t1.0000\t\t\n\n"
# what Concraft-pl is trained on: 1.000 marks what is chosen; Morfeusz leaves two ways through the first word
MARKED = """0\t2\tczymś\tcoś\tsubst:sg:inst:n\t\t\t0.000\t\t
0\t1\tczym\tco\tsubst:sg:inst:n\tpospolita\t\t1.000\t\t
0\t1\tczym\tco\tsubst:sg:loc:n\t\t\t0.000\t\t
1\t2\tś\tbyć\taglt:sg:sec:imperf:nwok\t\t\t1.000\t\t
2\t3\t.\t.\tinterp\t\t\t1.000\t\teos
3\t4\tNo\tno\tpart\t\t\t1.000\t\teos

"""
MARKED_11 = "".join(f"{line}\tsegment\n" for line in MARKED.splitlines() if line) + "\n"
SEGMENT = "0\t1\tco\tco\tcomp\t\t\t1.0000\t\t\tcoś o segmencie\n\n"


def read(text: str) -> AnalysedText:
    return dag_from_source(source_from_bytes(text.encode(), "plik"))


def read_or_code(text: str) -> AnalysedText | str:
    """The text, or the code of the error that it is."""
    try:
        return read(text)
    except DataError as error:
        return error.code


def test_edges_nodes_and_interpretations_are_read() -> None:
    text = read(CONCRAFT)
    assert text.form.values() == ["byłem", "był", "em", ".", "Oj", "!", "Nie"]
    assert text.nodes is not None
    assert text.nodes.tolist() == [[0, 0, 1, 2, 3, 4, 0], [2, 1, 2, 3, 4, 5, 1]]
    assert text.interpretation_offsets.tolist() == [0, 1, 3, 4, 5, 6, 7, 8]
    assert text.probability.tolist() == [0.1, 0.9, 0.0, 0.9, 1.0, 0.12345, 1.0, 1.0]
    assert lines_of_words(text, source_from_bytes(CONCRAFT.encode())) == [1, 2, 4, 5, 6, 7, 9]
    assert text.space is None
    commonness = text.extra_column("commonness")
    assert commonness is not None
    assert commonness[0] == "nazwa pospolita"


def test_sentences_end_at_eos_and_paragraphs_at_blank_lines() -> None:
    text = read(CONCRAFT)
    assert text.sentence_offsets.tolist() == [0, 4, 6, 7]
    assert text.paragraph_offsets is not None
    assert text.paragraph_offsets.tolist() == [0, 2, 3]


def test_where_nothing_is_chosen_any_eos_ends_a_sentence() -> None:
    assert read(TRAINING).sentence_offsets.tolist() == [0, 1, 2]


def test_where_something_is_chosen_the_eos_of_other_interpretations_ends_no_sentence() -> None:
    rows = [
        "0\t1\tco\tco\tcomp\t\t\t0.0000\t\teos\t",
        "0\t1\tco\tco\tsubst:sg:acc:n\t\t\t1.0000\t\t\tdisamb",
        "1\t2\tjadł\tjeść\tpraet:sg:m1:imperf\t\t\t1.0000\t\t\tdisamb",
    ]
    assert read("\n".join(rows)).sentence_offsets.tolist() == [0, 2]


def test_the_columns_of_poleval_are_read() -> None:
    text = read(POLEVAL)
    assert text.space_before is not None
    assert text.space_before.tolist() == [True, True, False]
    assert text.chosen.tolist() == [True, False, True, True]
    assert text.paragraph_names == ("1695",)
    assert lines_of_words(text, source_from_bytes(POLEVAL.encode())) == [2, 4, 5]
    mark = text.extra_column("mark")
    assert mark is not None
    assert mark[2] == "disamb_manual"


@pytest.mark.parametrize("text", [CONCRAFT, POLEVAL, OLDER, UNDECIDED, TRAINING, SEGMENT, MARKED, MARKED_11])
def test_what_the_tools_write_is_written_back_byte_for_byte(text: str) -> None:
    assert dag_text(read(text)) == text


@pytest.mark.parametrize("text", [CONCRAFT, POLEVAL])
def test_other_line_ends_and_blank_lines_around_the_text_make_no_difference(text: str) -> None:
    for other in (text.rstrip("\n"), text.replace("\n", "\r\n"), "\n" + text + "\n\n"):
        assert read(other).same_as(read(text))


def test_comments_of_a_paragraph_are_its_name_and_one_at_the_end_is_of_the_last() -> None:
    row = "0\t1\ta\ta\tconj\t\t\n"
    text = read(f"#1\n\n#2\n{row}#3\n\n{row}\n#4\n")
    assert text.paragraph_names == ("1\n2\n3", "4")
    assert dag_text(text) == f"#1\n#2\n#3\n{row}\n#4\n{row}\n"


@given(analysed_texts(has_probabilities=True, fewest_interpretations=1, one_sentence=True, space_codes=2))
def test_a_text_that_is_no_graph_becomes_a_chain_that_is_read_again(text: AnalysedText) -> None:
    chosen = text.chosen.copy()
    chosen[text.interpretation_offsets[:-1]] = True
    text = replace(text, chosen=chosen)
    found = read(dag_text(text, columns=12))
    assert segmented(found).same_as(text)
    assert read(dag_text(found)).same_as(found)


def _graph_rows(draw: st.DrawFn) -> list[str]:
    """The rows of a paragraph: a chosen path of one to four edges, and edges beside it."""
    length = draw(st.integers(1, 4))
    inner = [n for n in range(1, length * 2) if draw(st.booleans())]
    nodes = [0, *inner, length * 2]
    rows = []
    for start, end in pairwise(nodes):
        eos = "eos" if draw(st.booleans()) else ""
        tags = draw(st.lists(st.sampled_from(["a", "b:c", "ign"]), min_size=1, max_size=3))
        chosen = draw(st.integers(0, len(tags) - 1))
        for number, tag in enumerate(tags):
            end_of_row = f"{eos}\tdisamb" if number == chosen else "\t"
            rows.append(f"{start}\t{end}\tx{start}\tl\t{tag}\t\tq\t0.2500\t\t{end_of_row}\n")
        if draw(st.booleans()):
            rows.append(f"{start}\t{length * 2}\ty\tl\tign\t\t\t0.0000\t\t\t\n")
    return rows


@st.composite
def graph_files(draw: st.DrawFn) -> str:
    paragraphs = ["".join(_graph_rows(draw)) for _ in range(draw(st.integers(1, 3)))]
    return "".join(f"{paragraph}\n" for paragraph in paragraphs)


@given(graph_files())
def test_a_file_of_graphs_is_read_and_written_back_byte_for_byte(file: str) -> None:
    text = read(file)
    assert dag_text(text) == file
    path = [line.split("\t")[2] for line in file.split("\n") if line.endswith("disamb")]
    assert segmented(text).form.values() == path


@given(graph_files())
def test_sentences_of_the_segmentation_end_with_its_eos(file: str) -> None:
    expected: list[list[str]] = []
    is_new = True
    for line in file.split("\n"):
        if not line:
            is_new = True
        elif line.endswith("disamb"):
            if is_new:
                expected.append([])
            expected[-1].append(line.split("\t")[2])
            is_new = "\teos\t" in line
    text = segmented(read(file))
    bounds = text.sentence_offsets.tolist()
    found = [text.form.values()[first:stop] for first, stop in pairwise(bounds)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        ("0\t1\ta\ta\tconj\n", "1:1", "K832", "5 columns where 6, 7, 10, 11, 12"),
        ("0\t1\ta\ta\tconj\t\t\n\n0\t1\ta\ta\tconj\t\n", "3:1", "K832", "6 columns where 7"),
        ("a\t1\ta\ta\tconj\t\t\n", "1:1", "K833", "'a' is not the number of a node"),
        ("0\t-1\ta\ta\tconj\t\t\n", "1:3", "K833", "'-1' is not the number"),
        ("0\t9999999999\ta\ta\tconj\t\t\n", "1:3", "K833", "not the number"),
        ("2\t1\ta\ta\tconj\t\t\n", "1:1", "K832", "from node 2 to node 1"),
        ("1\t1\ta\ta\tconj\t\t\n", "1:1", "K832", "from node 1 to node 1"),
        ("0\t1\t \ta\tconj\t\t\n", "1:5", "K832", "the form is empty"),
        ("0\t1\ta\ta\t\t\t\n", "1:9", "K832", "the tag is empty"),
        ("0\t1\ta\ta\tconj\tx\t\n", "1:14", "K832", "'x' where nps or nothing"),
        ("0\t1\ta\ta\tconj\t\tx\n", "1:15", "K832", "'x' where disamb or disamb_manual or nothing"),
        ("0\t1\ta\ta\tconj\t\t\tx\t\t\t\n", "1:16", "K833", "'x' is not a probability"),
        ("0\t1\ta\ta\tconj\t\t\tnan\t\t\t\n", "1:16", "K833", "not a probability"),
        ("0\t1\ta\ta\tconj\t\t\t1\t\tx\t\n", "1:19", "K832", "'x' where eos"),
        ("# tylko\n", "1:1", "K104", "no sentence"),
        ("0\t1\ta\ta\tconj\t\t\n1\t2\tb\tb\tconj\t\tdisamb\n", "2:1", "K834", "begins at node 0"),
        (
            "0\t1\ta\ta\tconj\t\tdisamb\n1\t2\tb\tb\tconj\t\t\n",
            "1:3",
            "K834",
            "ends at node 1, the paragraph at node 2",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, place: str, code: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read(text)
    assert str(raised.value).startswith(f"plik:{place}: {code} ")


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (2, 3)],  # a gap
        [(0, 2), (1, 3)],  # an overlap
        [(0, 1), (0, 3), (1, 3)],  # two ways at once
        [(0, 3), (0, 3)],  # the same edge twice, with different forms
    ],
)
def test_chosen_edges_that_are_no_path_are_refused(edges: list[tuple[int, int]]) -> None:
    rows = [f"{start}\t{end}\tx{number}\tx\tign\t\tdisamb" for number, (start, end) in enumerate(edges)]
    good = "0\t1\ta\ta\tconj\t\tdisamb\n\n"
    with pytest.raises(DataError, match="chosen edge") as raised:
        read(good + "\n".join(rows) + "\n")
    assert {problem.code for problem in raised.value.problems} == {"K834"}


def test_several_chosen_interpretations_of_an_edge_are_still_one_step() -> None:
    text = read("0\t1\ta\ta\tconj\t\tdisamb\n0\t1\ta\ta\tqub\t\tdisamb\n")
    assert text.n_words == 1
    assert text.chosen_tags(0) == ("conj", "qub")


@given(
    st.text("01\t\n #anpsdisamb", max_size=40)
    | st.lists(st.sampled_from(["0", "1", "2", "a", "", "nps", "disamb", "\n", "\n\n"]), max_size=40).map("\t".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_or_code(text)
    if isinstance(found, AnalysedText):
        assert read(dag_text(found)).same_as(found)
    else:
        assert found in {"K832", "K833", "K834", "K104"}


def test_another_choice_is_written_in_place_of_the_old_marks() -> None:
    text = read(POLEVAL)
    chosen = np.array([False, True, True, True])
    assert dag_text(replace(text, chosen=chosen)) == POLEVAL.replace("m2\t\tdisamb", "m2\t\t").replace(
        "gen:f\t\t", "gen:f\t\tdisamb"
    )


def test_files_are_written_and_read(tmp_path: Path) -> None:
    write_dag(tmp_path / "a.dag.xz", read(POLEVAL))
    assert read_dag(tmp_path / "a.dag.xz").same_as(read(POLEVAL))


def test_what_the_columns_cannot_hold_is_refused() -> None:
    text = read(POLEVAL)
    concraft = read(CONCRAFT)
    for columns, what in ((6, "the columns mark"), (11, "spaces between"), (8, "columns, not 8")):
        with pytest.raises(UsageError, match=what):
            dag_text(text, columns=columns)
    with pytest.raises(UsageError, match="the columns commonness, qualifiers, meta, eos"):
        dag_text(concraft, columns=7)
    with pytest.raises(UsageError, match="probabilities"):
        dag_text(segmented(concraft), columns=7)
    with pytest.raises(UsageError, match="sentences of a paragraph"):
        dag_text(segmented(concraft, probabilities=False), columns=7)
    with pytest.raises(UsageError, match="would become one"):
        dag_text(replace(text, nodes=np.array([[0, 0, 0], [1, 1, 1]]), form=interned_strings("aaa")))
    with pytest.raises(UsageError, match="goes backwards"):
        dag_text(replace(text, nodes=np.array([[0, 1, 2], [1, 1, 3]])))
    with pytest.raises(UsageError, match="without interpretations"):
        dag_text(replace(text, interpretation_offsets=np.array([0, 0, 2, 4])))
    with pytest.raises(UsageError, match="needs a column eos"):
        dag_text(replace(concraft, extra=()))


@pytest.mark.parametrize("file", [MARKED, MARKED_11, MARKED.replace("1.000", "1").replace("0.000", "0")])
def test_where_every_probability_is_1_or_0_it_marks_what_is_chosen(file: str) -> None:
    text = read(file)
    assert text.chosen.tolist() == [False, True, False, True, True, True]
    assert np.isnan(text.probability).all()
    assert segmented(text).form.values() == ["czym", "ś", ".", "No"]
    assert segmented(text).sentence_offsets.tolist() == [0, 3, 4]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\t0.000\t", "\t0.001\t"),  # probabilities, no marks
        ("\t0.000\t", "\t\t"),  # one is missing
        ("\t1.000\t", "\t0.000\t"),  # nothing is chosen
    ],
)
def test_other_probabilities_choose_nothing(old: str, new: str) -> None:
    text = read(MARKED.replace(old, new))
    assert not text.chosen.any()
    assert not np.isnan(text.probability).all()


def test_where_something_is_marked_disamb_a_probability_of_1_is_no_mark() -> None:
    text = read("0\t1\ta\ta\tconj\t\t\t0\t\t\tdisamb\n0\t1\ta\ta\tpart\t\t\t1\t\t\t\n")
    assert text.chosen.tolist() == [True, False]
    assert text.probability.tolist() == [0, 1]


def test_marked_edges_that_are_no_path_are_refused() -> None:
    with pytest.raises(DataError, match="starts at node 1, but the paragraph begins at node 0") as raised:
        read(MARKED.replace("m\tco\tsubst:sg:inst:n\tpospolita\t\t1", "m\tco\tsubst:sg:inst:n\tpospolita\t\t0"))
    assert raised.value.code == "K834"


def test_another_choice_is_written_as_another_number() -> None:
    text = read(MARKED)
    found = dag_text(replace(text, chosen=np.array([False, False, True, True, True, True])))
    assert "inst:n\tpospolita\t\t0.000\t" in found
    assert "loc:n\t\t\t1.000\t" in found


@given(analysed_texts(fewest_interpretations=1, one_sentence=True, space_codes=1))
def test_ten_columns_hold_a_choice_but_no_probabilities_beside_it(text: AnalysedText) -> None:
    chosen = text.chosen.copy()
    chosen[text.interpretation_offsets[:-1]] = True
    text = replace(text, chosen=chosen, space=None)
    assert segmented(read(dag_text(text, columns=10))).same_as(text)
    with pytest.raises(UsageError, match="what is chosen"):
        dag_text(replace(text, probability=np.full(text.n_interpretations, 0.5)), columns=10)


def test_sentences_of_a_chain_get_eos_and_come_back() -> None:
    text = segmented(read(CONCRAFT))
    found = read(dag_text(text))
    assert found.sentence_offsets.tolist() == text.sentence_offsets.tolist()
    assert segmented(found).same_as(text)
