"""Reading CoNLL-U that is right: whatever is legal, however it is written, gives the same columns."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from karat.corpus import Corpus, changed_bytes, conllu_from_source, read_conllu, source_from_bytes

LF = (
    "# sent_id = tea-1\n"
    "# text = Tea cools.\n"
    "1\tTea\ttea\tNOUN\tNN\tNumber=Sing\t2\tnsubj\t2:nsubj\t_\n"
    "2\tcools\tcool\tVERB\tVBZ\tMood=Ind|Tense=Pres\t0\troot\t0:root\tSpaceAfter=No\n"
    "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_\n"
    "\n"
    "# sent_id = tea-2\n"
    "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t0:root\t_\n"
    "\n"
)


def line(number: str, form: str = "w", head: str = "0", *, deps: str = "_", end: str = "\n") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t{deps}\t_{end}"


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str | bytes], Corpus]:
    """Reads a text from a file of its own."""

    def read_text(text: str | bytes) -> Corpus:
        path = tmp_path / "some.conllu"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_conllu(path)

    return read_text


Read = Callable[[str | bytes], Corpus]


def forms(corpus: Corpus) -> list[str]:
    return corpus.column("form").strings()


def assert_is_tea(corpus: Corpus) -> None:
    """All that the text LF says, written out."""
    assert corpus.column("id").strings() == ["1", "2", "3", "1"]
    assert forms(corpus) == ["Tea", "cools", ".", "Yes"]
    assert corpus.column("lemma").strings() == ["tea", "cool", ".", "yes"]
    assert corpus.column("upos").strings() == ["NOUN", "VERB", "PUNCT", "INTJ"]
    assert corpus.column("xpos").strings() == ["NN", "VBZ", ".", "UH"]
    assert corpus.column("feats").strings() == ["Number=Sing", "Mood=Ind|Tense=Pres", "_", "_"]
    assert corpus.column("head").strings() == ["2", "0", "2", "0"]
    assert corpus.column("deprel").strings() == ["nsubj", "root", "punct", "root"]
    assert corpus.column("deps").strings() == ["2:nsubj", "0:root", "2:punct", "0:root"]
    assert corpus.column("misc").strings() == ["_", "SpaceAfter=No", "_", "_"]
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [2, 0, 2, 0]
    assert corpus.sentence_offsets.tolist() == [0, 3, 4]
    assert corpus.words_sentence.tolist() == [0, 0, 0, 1]
    assert (corpus.n_words, corpus.n_sentences, corpus.n_tokens, len(corpus)) == (4, 2, 4, 2)
    assert [corpus.sent_id(0), corpus.sent_id(1)] == ["tea-1", "tea-2"]
    assert (len(corpus.multiword), len(corpus.empty_nodes)) == (0, 0)
    assert (corpus.problems, corpus.warnings, corpus.bad.tolist()) == ((), (), [False, False])
    assert corpus.format == "conllu"


# --- line ends, blank lines, byte order marks ---


def test_a_plain_file_is_read_column_by_column(read: Read) -> None:
    assert_is_tea(read(LF))


def test_crlf_files_read_like_lf_files(read: Read) -> None:
    assert_is_tea(read(LF.replace("\n", "\r\n")))


def test_lines_may_end_in_cr_alone_and_are_counted_and_written_so() -> None:
    data = LF.replace("\n", "\r").encode()
    for bom in (b"", b"\xef\xbb\xbf"):
        source = source_from_bytes(bom + data, "old.conllu")
        corpus = conllu_from_source(source)
        assert_is_tea(corpus)
        assert corpus.line_of_word(0) == conllu_from_source(source_from_bytes(LF.encode())).line_of_word(0)
        assert changed_bytes(corpus) == bom + data
        assert changed_bytes(corpus, {(0, "upos"): "X"}).count(b"\n") == 0
        assert source.sha256() == sha256(bom + data).hexdigest()


def test_mixed_line_ends_read_like_lf_files(read: Read) -> None:
    lines = LF.split("\n")
    assert_is_tea(read("\n".join(text + "\r" * (number % 2) for number, text in enumerate(lines))))


def test_a_byte_order_mark_is_no_part_of_the_text(read: Read) -> None:
    assert_is_tea(read(b"\xef\xbb\xbf" + LF.encode()))


def test_a_byte_order_mark_before_a_word_is_no_part_of_its_id(read: Read) -> None:
    assert forms(read(b"\xef\xbb\xbf" + line("1", "Tea").encode())) == ["Tea"]


def test_a_file_may_end_without_a_blank_line(read: Read) -> None:
    assert_is_tea(read(LF.removesuffix("\n")))


def test_a_file_may_end_without_a_newline(read: Read) -> None:
    assert_is_tea(read(LF.removesuffix("\n\n")))


def test_a_file_may_end_in_a_lone_carriage_return(read: Read) -> None:
    assert_is_tea(read(LF.removesuffix("\n\n") + "\r"))


def test_doubled_blank_lines_make_no_empty_sentences(read: Read) -> None:
    assert_is_tea(read(LF.replace("\n\n", "\n\n\n\n")))


def test_leading_blank_lines_are_passed_over(read: Read) -> None:
    assert_is_tea(read("\n\r\n\n" + LF))


@pytest.mark.parametrize("blank", [" ", "   ", " \r"], ids=["space", "spaces", "space-and-cr"])
def test_a_line_of_spaces_is_blank(read: Read, blank: str) -> None:
    assert_is_tea(read(LF.replace("\n\n", f"\n{blank}\n")))


def test_comments_after_the_last_sentence_belong_to_nothing(read: Read) -> None:
    assert_is_tea(read(LF + "# sent_id = tea-3\n# the end\n"))


def test_a_last_comment_may_have_no_line_end(read: Read) -> None:
    assert_is_tea(read(LF + "# the end"))


def test_comments_between_blank_lines_belong_to_no_sentence(read: Read) -> None:
    assert_is_tea(read("# sent_id = lost\n\n" + LF))


def test_a_comment_inside_a_sentence_does_not_end_it(read: Read) -> None:
    assert_is_tea(read(LF.replace("\n2\t", "\n# here it comes\n2\t")))


def test_a_text_longer_than_one_stretch_is_read_like_a_short_one(read: Read) -> None:
    # some 800 kB, read in stretches of 256 kB that end anywhere in a line
    corpus = read(LF * 2500)
    assert corpus.n_sentences == 5000
    assert corpus.sentence_offsets[-3:].tolist() == [9996, 9999, 10000]
    assert forms(corpus) == ["Tea", "cools", ".", "Yes"] * 2500
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [2, 0, 2, 0] * 2500


def test_one_line_longer_than_a_stretch_is_read_whole(read: Read) -> None:
    long = "ha" * 140_000
    assert forms(read(line("1", "a", "2") + line("2", long))) == ["a", long]


# --- forms ---


@pytest.mark.parametrize(
    "form",
    [
        '"',
        "'",
        "#",
        "# text",
        "nan",
        "NULL",
        "_",
        "-",
        "1.5",
        "a b",
        " a",
        "a\u00a0b",
        "a\u2028b",
        "\u0085",
        "\x0b",
        "\x1c",
        "\ufeff",
        "ẞ",
        "🍵",
        "e\u0301",
        "a\rb",
    ],
    ids=ascii,
)
def test_odd_forms_are_kept_as_they_are(read: Read, form: str) -> None:
    corpus = read(line("1", form, "2") + line("2", "w") + "\n" + line("1", form))
    assert forms(corpus) == [form, "w", form]
    assert corpus.column("form").ids.tolist() == [0, 1, 0]


def test_forms_that_differ_in_their_last_byte_only_are_different(read: Read) -> None:
    found = ["abcdefgh", "abcdefgi", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnoq", "abcdefg"]
    text = "".join(line(str(number), form, str(number - 1)) for number, form in enumerate(found * 2, start=1))
    corpus = read(text)
    assert forms(corpus) == found * 2
    assert corpus.column("form").ids.tolist() == [*range(6), *range(6)]
    assert list(corpus.column("form").vocabulary) == found


# --- heads ---


def test_a_file_whose_heads_are_all_missing_has_no_heads(read: Read) -> None:
    corpus = read(line("1", "a", "_") + line("2", "b", "_") + "\n" + line("1", "c", "_"))
    assert corpus.heads is None
    assert not corpus.has("head")
    assert corpus.column("head").strings() == ["_", "_", "_"]
    assert corpus.sentence_offsets.tolist() == [0, 2, 3]


def test_trees_need_not_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "loops.conllu"
    path.write_text(line("1", "a", "2") + line("2", "b", "1") + line("3", "c", "9"))
    corpus = read_conllu(path, trees=False)
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [2, 1, 9]
    assert corpus.problems == ()


@pytest.mark.parametrize("upwards", [True, False], ids=["left", "right"])
def test_a_chain_of_ten_thousand_words_is_a_tree(read: Read, upwards: bool) -> None:
    n = 10_000
    heads = list(range(n)) if upwards else [*range(2, n + 1), 0]
    corpus = read("".join(line(str(number), "w", str(head)) for number, head in enumerate(heads, start=1)))
    assert corpus.heads is not None
    assert corpus.heads.tolist() == heads


# --- multiword tokens and empty nodes ---


def test_multiword_tokens_cover_their_words(read: Read) -> None:
    corpus = read(
        line("1-2", "dunno", "_") + line("1", "do") + line("2", "not", "1") + line("3", "know", "1")
        + "\n"
        + line("1", "we") + line("2-4", "oughtn'ta", "_") + line("2", "ought", "1") + line("3", "not", "1")
        + line("4", "to", "1")
    )  # fmt: skip
    assert forms(corpus) == ["do", "not", "know", "we", "ought", "not", "to"]
    assert corpus.sentence_offsets.tolist() == [0, 3, 7]
    assert corpus.multiword.start.tolist() == [0, 4]
    assert corpus.multiword.stop.tolist() == [2, 7]
    assert corpus.spans("form", corpus.multiword.rows).strings() == ["dunno", "oughtn'ta"]
    assert (corpus.n_words, corpus.n_tokens) == (7, 4)
    assert [corpus.sentence_text(0), corpus.sentence_text(1)] == ["dunno know", "we oughtn'ta"]


def test_multiword_tokens_may_follow_each_other_and_be_of_one_word(read: Read) -> None:
    corpus = read(
        line("1-1", "A", "_") + line("1", "a") + line("2-3", "BC", "_") + line("2", "b", "1") + line("3", "c", "1")
    )
    assert corpus.multiword.start.tolist() == [0, 1]
    assert corpus.multiword.stop.tolist() == [1, 3]
    assert corpus.sentence_text(0) == "A BC"


def test_empty_nodes_may_stand_anywhere(read: Read) -> None:
    corpus = read(
        line("1", "w")
        + "\n"
        + line("0.1", "e", "_")
        + line("0.2", "e", "_")
        + line("1-2", "ab", "_")
        + line("1", "a")
        + line("1.1", "e", "_")  # inside a multiword token
        + line("2", "b", "1")
        + line("2.1", "e", "_")
        + line("3-3", "C", "_")  # an empty node may be followed by a range
        + line("3", "c", "1")
        + line("3.1", "e", "_")
        + line("3.2", "e", "_")
    )
    assert forms(corpus) == ["w", "a", "b", "c"]
    assert corpus.empty_nodes.sentence.tolist() == [1] * 6
    assert corpus.empty_nodes.major.tolist() == [0, 0, 1, 2, 3, 3]
    assert corpus.empty_nodes.minor.tolist() == [1, 2, 1, 1, 1, 2]
    assert corpus.spans("form", corpus.empty_nodes.rows).strings() == ["e"] * 6
    assert corpus.multiword.start.tolist() == [1, 3]
    assert corpus.multiword.stop.tolist() == [3, 4]
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [0, 0, 1, 1]


def test_the_tenth_empty_node_is_not_the_first(read: Read) -> None:
    corpus = read(line("1") + "".join(line(f"1.{minor}", "e", "_") for minor in range(1, 12)))
    assert corpus.empty_nodes.minor.tolist() == [*range(1, 12)]


def test_words_know_their_lines(read: Read) -> None:
    corpus = read(LF)
    assert [corpus.line_of_word(word) for word in range(4)] == [3, 4, 5, 8]


# --- where the bytes come from ---


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".GZ", gzip.compress)],
    ids=["gz", "bz2", "xz", "upper-case"],
)
def test_compressed_files_read_like_plain_ones(tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"tea.conllu{suffix}"
    path.write_bytes(compress(b"\xef\xbb\xbf" + LF.encode()))
    assert_is_tea(read_conllu(path))


def test_a_minus_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LF.encode()), encoding="ascii"))
    corpus = read_conllu("-")
    assert_is_tea(corpus)
    assert corpus.path == "<stdin>"


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    (tmp_path / "tea.conllu").write_text(LF)
    corpus = read_conllu(str(tmp_path / "tea.conllu"))
    assert_is_tea(corpus)
    assert corpus.path == str(tmp_path / "tea.conllu")


FIRST, SECOND = LF.split("\n\n")[:2]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (FIRST + "\n\n", SECOND + "\n\n"),
        (FIRST + "\n", SECOND + "\n"),
        (FIRST, SECOND),
        (FIRST + "\r", SECOND),
        ("\ufeff" + FIRST, "\ufeff" + SECOND),
        (FIRST + "\n\n# a last comment", "\n\n" + SECOND),
    ],
    ids=["whole", "no-blank-line", "no-newline", "lone-cr", "byte-order-marks", "comment-at-the-end"],
)
def test_several_files_are_read_as_one_corpus(tmp_path: Path, first: str, second: str) -> None:
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    paths[0].write_bytes(first.encode())
    paths[1].write_bytes(second.encode())
    corpus = read_conllu(paths)
    assert_is_tea(corpus)
    assert corpus.path == f"{paths[0]},{paths[1]}"


def test_a_word_of_a_second_file_has_the_line_it_has_there(tmp_path: Path) -> None:
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    paths[0].write_text(FIRST)
    paths[1].write_text("\ufeff\n" + SECOND, encoding="utf-8")
    corpus = read_conllu(paths)
    assert corpus.line_of_word(3) == 3
    row = corpus.word_rows[3]
    assert corpus.source.place(int(corpus.edges[1, row]) + 1) == (str(paths[1]), 3, 3)


def test_one_of_several_files_may_have_no_sentence(tmp_path: Path) -> None:
    paths = [tmp_path / "none.conllu", tmp_path / "a.conllu"]
    paths[0].write_text("# nothing here\n")
    paths[1].write_text(LF)
    assert_is_tea(read_conllu(paths))


# --- names of sentences and documents ---


@pytest.mark.parametrize(
    ("comment", "name"),
    [
        ("# sent_id = x", "x"),
        ("# sent_id = x ", "x"),
        ("# sent_id = x y", "x y"),
        ("# sent_id =  x", "x"),
        ("#sent_id=x", "x"),
        ("#  sent_id  =  x", "x"),
        ("#\tsent_id\t=\tx\t", "x"),
        ("#" + " " * 20 + "sent_id = x", "x"),
        ("# sent_id = a=b", "a=b"),
        ("# sent_id = é", "é"),
        ("# sent_id = ", None),
        ("# sent_id =", None),
        ("# sent_id", None),
        ("# sent_id x", None),
        ("# sent_ids = x", None),
        ("## sent_id = x", None),
        ("# my sent_id = x", None),
        ("# SENT_ID = x", None),
        ("#", None),
    ],
    ids=repr,
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_sentence_names_are_found_in_any_spacing(read: Read, comment: str, name: str | None, end: str) -> None:
    corpus = read(f"# a comment{end}{comment}{end}" + line("1", end=end))
    assert corpus.sent_id(0) == name


def test_of_two_names_of_a_sentence_the_first_counts(read: Read) -> None:
    assert read("# sent_id = a\n# sent_id = b\n" + line("1")).sent_id(0) == "a"


def test_missing_sentence_names_are_one_warning(read: Read) -> None:
    corpus = read("# sent_id = a\n" + line("1") + "\n# text = w\n" + line("1") + "\n" + line("1"))
    (warning,) = corpus.warnings
    assert (warning.code, warning.line, warning.column) == ("W101", 5, 1)
    assert "2 of 3" in warning.message
    assert [corpus.sent_id(number) for number in range(3)] == ["a", None, None]


def test_repeated_sentence_names_are_one_warning(read: Read) -> None:
    text = "".join(f"# sent_id = {name}\n{line('1')}\n" for name in ["a", "b", "b", "a", "c", "b"])
    (warning,) = read(text).warnings
    # the third sentence, on line 7, is the first whose name was there before
    assert (warning.code, warning.line, warning.column) == ("W102", 7, 13)
    assert "3 sentences" in warning.message
    assert "'b'" in warning.message


def test_names_are_the_same_only_as_a_whole(read: Read) -> None:
    assert read(f"# sent_id = a\n{line('1')}\n# sent_id = ab\n{line('1')}").warnings == ()


def sentences(*comments: str) -> str:
    return "".join(f"{comment}\n{line('1')}\n" for comment in comments)


def test_documents_begin_at_newdoc(read: Read) -> None:
    corpus = read(sentences("# newdoc id = d1\n# sent_id = 1", "# sent_id = 2", "#newdoc id=d2 ", "# newdoc", "# x"))
    assert corpus.has_documents
    assert corpus.document_offsets.tolist() == [0, 2, 3, 5]
    assert corpus.document_names == ("d1", "d2", None)
    assert corpus.sentence_document.tolist() == [0, 0, 1, 2, 2]
    assert corpus.n_documents == 3


def test_what_comes_before_the_first_newdoc_is_a_document_without_a_name(read: Read) -> None:
    corpus = read(sentences("# x", "# newdoc id = d"))
    assert corpus.document_offsets.tolist() == [0, 1, 2]
    assert corpus.document_names == (None, "d")


def test_a_text_without_newdoc_has_no_documents(read: Read) -> None:
    corpus = read(sentences("# newdocument id = x", "# newpar", "# text = # newdoc"))
    assert not corpus.has_documents
    assert corpus.document_names == ()
    assert corpus.document_offsets.tolist() == [0, 3]
    assert corpus.n_documents == 1


def test_newdoc_in_a_block_of_its_own_begins_with_the_next_sentence(read: Read) -> None:
    corpus = read(sentences("# x") + "# newdoc id = d\n\n" + sentences("# y") + "# newdoc id = nothing\n")
    assert corpus.document_offsets.tolist() == [0, 1, 2]
    assert corpus.document_names == (None, "d")


def test_a_document_does_not_go_on_into_the_next_file(tmp_path: Path) -> None:
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    paths[0].write_text(sentences("# newdoc id = d1", "# x"))
    paths[1].write_text(sentences("# y", "# newdoc id = d2"))
    corpus = read_conllu(paths)
    assert corpus.document_offsets.tolist() == [0, 2, 3, 4]
    assert corpus.document_names == ("d1", None, "d2")


# --- columns ---


def test_a_column_knows_whether_it_has_values(read: Read) -> None:
    corpus = read(LF.replace("SpaceAfter=No", "_"))
    assert corpus.has("upos")
    assert not corpus.has("misc")
    assert not corpus.has("colour")


def test_a_column_is_numbers_into_its_vocabulary(read: Read) -> None:
    column = read(LF).column("deprel")
    assert column.ids.dtype == np.int32
    assert column.ids.tolist() == [0, 1, 2, 1]
    assert list(column.vocabulary) == ["nsubj", "root", "punct"]
    assert len(column) == 4
