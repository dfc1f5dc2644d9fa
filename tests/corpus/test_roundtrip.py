"""What is read is what was written: bytes come back, changes change one field, and a slow reader sees the same."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st

from karat.corpus import (
    Corpus,
    Spans,
    changed_bytes,
    conllu_from_source,
    interning as _intern,
    lines as _lines,
    read_conllu,
    source_from_bytes,
    write,
)
from karat.corpus.interning import interned
from karat.corpus.readers.conllu import COLUMNS
from karat.errors import UsageError
from realdata import conllu_files, data

BOM = b"\xef\xbb\xbf"


def corpus_of(content: bytes) -> Corpus:
    return conllu_from_source(source_from_bytes(content))


# --- a slow reader, straight from the definition of the format ---


@dataclass
class Slow:
    """What a CoNLL-U file says, as plain lists."""

    columns: list[list[str]] = field(default_factory=lambda: [[] for _ in COLUMNS])
    lengths: list[int] = field(default_factory=list)
    multiword: list[tuple[int, int, str]] = field(default_factory=list)
    empty_nodes: list[tuple[int, int, int]] = field(default_factory=list)
    sent_ids: list[str | None] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)


def slowly_read(content: bytes) -> Slow:
    found = Slow()
    in_sentence = newdoc = False
    name: str | None = None
    for line in content.decode("utf-8-sig").split("\n"):
        line = line.removesuffix("\r")
        if not line.strip(" "):
            in_sentence, name = False, None
        elif line.startswith("#"):
            if (match := re.fullmatch(r"# *sent_id *= *(.*?) *", line)) and match[1] and name is None:
                name = match[1]
                if in_sentence and found.sent_ids[-1] is None:
                    found.sent_ids[-1] = name
            newdoc = newdoc or re.fullmatch(r"# *newdoc( +id *=.*)? *", line) is not None
            if in_sentence and newdoc:  # a comment inside a sentence is about that sentence
                found.documents.append(len(found.lengths) - 1)
                newdoc = False
        else:
            if not in_sentence:
                found.lengths.append(0)
                found.sent_ids.append(name)
                if newdoc:
                    found.documents.append(len(found.lengths) - 1)
                in_sentence, newdoc = True, False
            _read_row(found, line.split("\t"))
    return found


def _read_row(found: Slow, fields: list[str]) -> None:
    n_words = len(found.columns[0])
    if "-" in fields[0]:
        first, last = map(int, fields[0].split("-"))
        found.multiword.append((n_words, n_words + last - first + 1, fields[1]))
    elif "." in fields[0]:
        major, minor = map(int, fields[0].split("."))
        found.empty_nodes.append((len(found.lengths) - 1, major, minor))
    else:
        found.lengths[-1] += 1
        for column, value in zip(found.columns, fields, strict=True):
            column.append(value)


def assert_same(corpus: Corpus, slow: Slow) -> None:
    for name, values in zip(COLUMNS, slow.columns, strict=True):
        assert corpus.column(name).strings() == values, name
    heads = slow.columns[COLUMNS.index("head")]
    if set(heads) == {"_"}:
        assert corpus.heads is None
    else:
        assert corpus.heads is not None
        assert corpus.heads.tolist() == [int(head) for head in heads]
    assert np.diff(corpus.sentence_offsets).tolist() == slow.lengths
    multiword = corpus.multiword
    surface = corpus.spans("form", multiword.rows).strings()
    found = zip(multiword.start.tolist(), multiword.stop.tolist(), surface, strict=True)
    assert list(found) == slow.multiword
    nodes = corpus.empty_nodes
    assert (
        list(zip(nodes.sentence.tolist(), nodes.major.tolist(), nodes.minor.tolist(), strict=True)) == slow.empty_nodes
    )
    assert [corpus.sent_id(number) for number in range(corpus.n_sentences)] == slow.sent_ids
    if slow.documents:
        begins = sorted({0, *slow.documents})
        assert corpus.document_offsets.tolist() == [*begins, len(slow.lengths)]
    else:
        assert not corpus.has_documents


@pytest.mark.parametrize("name", conllu_files())
def test_a_real_file_reads_as_a_slow_reader_reads_it(name: str) -> None:
    path = data(name)
    content = path.read_bytes()
    corpus = read_conllu(path)
    assert_same(corpus, slowly_read(content))
    assert changed_bytes(corpus) == content


# --- any file ---

ODD = "aAé_-.#\"'|=:0 \u00a0\u2028\u0085\x0b\x0c\x1c\ufeff🍵\r"
values = st.text(ODD, min_size=1, max_size=12).map(lambda text: text.rstrip("\r") or "_")  # a CR before LF ends a line
forms = values.filter(lambda text: text.strip(" \u00a0") != "")
ends = st.sampled_from([b"\n", b"\r\n"])
comments = st.one_of(
    st.text(ODD + "\t", max_size=8).map(lambda text: "#" + text.rstrip("\r")),
    st.sampled_from(["# sent_id = a", "#sent_id=b ", "# sent_id =", "# newdoc", "# newdoc id = d", "#newdoc  ", "#"]),
)


@st.composite
def sentences(draw: st.DrawFn, has_heads: bool) -> list[str]:
    """The lines of a sentence, comments anywhere among them."""
    n = draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, n + 1)))
    heads = ["0"] * n
    for place in range(1, n):
        heads[order[place] - 1] = str(order[draw(st.integers(0, place - 1))])
    rows: list[str] = []

    def add(number: str, head: str) -> None:
        columns = [number, draw(forms), *(draw(values) for _ in range(4)), head, *(draw(values) for _ in range(3))]
        rows.extend(draw(st.lists(comments, max_size=1)))
        rows.append("\t".join(columns))

    range_stop = 0
    for word in range(n + 1):
        if word:
            if word > range_stop and draw(st.integers(0, 3)) == 0:
                range_stop = draw(st.integers(word, n))
                add(f"{word}-{range_stop}", "_")
            add(str(word), heads[word - 1] if has_heads else "_")
        for minor in range(1, draw(st.sampled_from([0, 0, 0, 1, 2])) + 1):
            add(f"{word}.{minor}", "_")
    return rows


@st.composite
def files(draw: st.DrawFn) -> bytes:
    has_heads = draw(st.booleans())
    blank_lines = st.lists(st.sampled_from(["", "", " ", "   "]), min_size=1, max_size=3)
    lines = draw(st.lists(st.sampled_from(["", " ", "#"]), max_size=2))
    for rows in draw(st.lists(sentences(has_heads), min_size=1, max_size=4)):
        lines += [*rows, *draw(blank_lines)]
    lines += draw(st.lists(comments, max_size=1))
    content = b"".join(line.encode() + draw(ends) for line in lines)
    n_cut = draw(st.sampled_from([0, 0, 1, 2, 3]))  # the last line ends, if there are any, may be missing
    for _ in range(n_cut):
        content = content.removesuffix(b"\n").removesuffix(b"\r") if content.endswith(b"\n") else content
    assume(b"\n" in content or b"\r" not in content)  # CR alone would end the lines
    return (BOM if draw(st.booleans()) else b"") + content


# stretches so small that their ends fall everywhere
stretches = st.sampled_from([1, 5, 16, 64, 1 << 18])


@settings(max_examples=200)
@given(content=files(), n_bytes=stretches, n_rows=stretches)
def test_any_file_reads_as_a_slow_reader_reads_it(content: bytes, n_bytes: int, n_rows: int) -> None:
    with (
        mock.patch.object(_lines, "_BYTES_AT_ONCE", n_bytes),
        mock.patch.object(_lines, "_TEXT_AT_ONCE", 8 * n_bytes),  # a multiple of eight
        mock.patch.object(_intern, "_ROWS_AT_ONCE", n_rows),
    ):
        assert_same(corpus_of(content), slowly_read(content))


@settings(max_examples=100)
@given(content=files())
def test_without_changes_the_bytes_come_back(content: bytes) -> None:
    assert changed_bytes(corpus_of(content)) == content
    assert changed_bytes(corpus_of(content), {}) == content


def changed_by_hand(content: bytes, changes: dict[tuple[int, str], str]) -> bytes:
    """The file with fields replaced, by splitting lines and fields."""
    bom = BOM if content.startswith(BOM) else b""
    lines = content.removeprefix(bom).split(b"\n")
    word = -1
    for number, line in enumerate(lines):
        text = line.removesuffix(b"\r")
        fields = text.split(b"\t")
        if not fields[0].isdigit():  # blank, a comment, a multiword token, an empty node
            continue
        word += 1
        for (changed, name), value in changes.items():
            if changed == word:
                fields[COLUMNS.index(name)] = value.encode()
        lines[number] = b"\t".join(fields) + line[len(text) :]
    return bom + b"\n".join(lines)


@settings(max_examples=150)
@given(content=files(), choices=st.data())
def test_changing_a_field_changes_exactly_its_bytes(content: bytes, choices: st.DataObject) -> None:
    corpus = corpus_of(content)
    word, name = st.integers(0, corpus.n_words - 1), st.sampled_from(COLUMNS[1:])
    value = forms.filter(lambda text: "\r" not in text)
    changes = choices.draw(st.dictionaries(st.tuples(word, name), value, min_size=1, max_size=3))
    assert changed_bytes(corpus, changes) == changed_by_hand(content, changes)


@settings(max_examples=50)
@given(contents=st.lists(files(), min_size=2, max_size=3))
def test_each_of_several_files_comes_back(tmp_path_factory: pytest.TempPathFactory, contents: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("parts")
    paths = [folder / str(number) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    corpus = read_conllu(paths, trees=False, bad="keep")  # only some of the files may have heads
    assert [changed_bytes(corpus, part=number) for number in range(len(contents))] == contents


# --- changes, written out ---

THREE = (
    b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    b"2-3\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"2\tb\t_\tY\t_\t_\t1\tdep\t_\t_\r\n"
    b"3\tc\t_\tZ\t_\t_\t1\tdep\t_\tM"
)


def test_a_change_counts_words_not_lines() -> None:
    assert changed_bytes(corpus_of(THREE), {(1, "upos"): "NOUN"}) == THREE.replace(b"\tY\t", b"\tNOUN\t")


def test_the_last_field_of_a_file_without_a_newline_can_be_changed() -> None:
    assert changed_bytes(corpus_of(THREE), {(2, "misc"): "Odd=Yes"}) == THREE[:-1] + b"Odd=Yes"


def test_an_empty_last_field_can_be_filled() -> None:
    # MISC has no bytes here: it lies at the very end of the file
    content = THREE[:-1]
    assert changed_bytes(corpus_of(content), {(2, "misc"): "Odd=Yes"}) == content + b"Odd=Yes"


def test_changes_of_one_line_do_not_disturb_each_other() -> None:
    changes = {(0, "upos"): "VERB", (0, "form"): "longer", (0, "misc"): "é", (2, "lemma"): "c"}
    expected = b"1\tlonger\t_\tVERB\t_\t_\t0\troot\t_\t\xc3\xa9\n" + THREE.split(b"\n", 1)[1].replace(
        b"c\t_\tZ", b"c\tc\tZ"
    )
    assert changed_bytes(corpus_of(THREE), changes) == expected


def test_a_change_goes_into_the_file_its_word_is_in(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(BOM + THREE)
    corpus = read_conllu(paths)
    changes = {(0, "form"): "first", (3, "form"): "second"}
    assert changed_bytes(corpus, changes, part=0) == BOM + THREE.replace(b"\ta\t", b"\tfirst\t")
    assert changed_bytes(corpus, changes, part=1) == BOM + THREE.replace(b"\ta\t", b"\tsecond\t")


@pytest.mark.parametrize("value", ["", "a\tb", "a\nb", "a\r", "a\0"], ids=repr)
def test_a_value_that_would_break_the_file_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="cannot be the value"):
        changed_bytes(corpus_of(THREE), {(0, "lemma"): value})


@pytest.mark.parametrize("name", ["id", "colour"])
def test_a_column_that_cannot_be_changed_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        changed_bytes(corpus_of(THREE), {(0, name): "x"})


@pytest.mark.parametrize("word", [-1, 3])
def test_a_word_that_is_not_there_is_refused(word: int) -> None:
    with pytest.raises(UsageError, match="this corpus has 3"):
        changed_bytes(corpus_of(THREE), {(word, "form"): "x"})


@pytest.mark.parametrize(
    ("name", "opened"),
    [("t.conllu", bytes), ("t.gz", gzip.decompress), ("t.bz2", bz2.decompress), ("t.xz", lzma.decompress)],
    ids=["plain", "gz", "bz2", "xz"],
)
def test_a_written_file_reads_back_with_its_changes(
    tmp_path: Path, name: str, opened: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / name
    write(corpus_of(BOM + THREE), path, {(2, "form"): "d"})
    assert opened(path.read_bytes()) == BOM + THREE.replace(b"\tc\t", b"\td\t")
    assert read_conllu(path).column("form").strings() == ["a", "b", "d"]
    assert [other.name for other in tmp_path.iterdir()] == [name]


def test_writing_replaces_a_file_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_bytes(b"something longer than the corpus" * 100)
    write(corpus_of(THREE), path)
    assert path.read_bytes() == THREE


def test_a_corpus_can_be_written_over_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_bytes(THREE)
    corpus = read_conllu(path)
    write(corpus, path, {(0, "form"): "longer"})
    assert path.read_bytes() == THREE.replace(b"\ta\t", b"\tlonger\t")


def test_a_corpus_of_several_files_cannot_be_written_into_one(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(THREE)
    with pytest.raises(UsageError, match="several files"):
        write(read_conllu(paths), tmp_path / "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_bytes(b"old")
    with mock.patch("os.replace", side_effect=OSError("disk full")), pytest.raises(OSError, match="disk full"):
        write(corpus_of(THREE), path)
    assert path.read_bytes() == b"old"
    assert [other.name for other in tmp_path.iterdir()] == ["t.conllu"]


# --- equal bytes, equal numbers ---


def spans_of(strings: list[bytes]) -> Spans:
    """The strings one after another with a tab between, as in a line."""
    starts, stops, place = [], [], 0
    for string in strings:
        starts.append(place)
        place += len(string)
        stops.append(place)
        place += 1
    source = source_from_bytes(b"\t".join(strings))
    return Spans(source, np.array(starts, dtype=np.int32), np.array(stops, dtype=np.int32))


def assert_numbered_like_a_dict(strings: list[bytes]) -> None:
    ids, first = interned(spans_of(strings))
    seen: dict[bytes, int] = {}
    assert ids.tolist() == [seen.setdefault(string, len(seen)) for string in strings]
    assert first.tolist() == [strings.index(string) for string in seen]


tails = st.binary(max_size=12).map(lambda tail: tail.translate(None, b"\0\t\n"))
prefixes = st.sampled_from([b"", b"a", b"abcdefg", b"abcdefgh", b"abcdefghabcdefgh", b"x" * 28])
strings = st.builds(lambda prefix, tail: prefix + tail, prefixes, tails)


@settings(max_examples=300)
@given(strings=st.lists(strings, max_size=40), rows=st.sampled_from([1, 3, 1 << 13]))
@example(strings=[b"", b"", b"a", b""], rows=1)
@example(strings=[b"a" * n for n in range(41)] * 2, rows=3)
def test_strings_are_numbered_as_by_a_dict(strings: list[bytes], rows: int) -> None:
    with mock.patch.object(_intern, "_ROWS_AT_ONCE", rows):
        assert_numbered_like_a_dict(strings)


@pytest.mark.parametrize("length", [4, 8, 9, 16, 31])
def test_many_strings_are_numbered_as_by_a_dict(length: int) -> None:
    # more than fit the smallest table, so that places are contested and several rounds are needed
    random = np.random.default_rng(length)
    letters = random.choice(list(b"abcdef"), size=(30_000, length)).astype(np.uint8)
    letters[:, : length - 4] = letters[0, : length - 4]  # they differ in the last four bytes only
    ids, first = interned(spans_of([row.tobytes() for row in letters]))
    seen: dict[bytes, int] = {}
    assert ids.tolist() == [seen.setdefault(row.tobytes(), len(seen)) for row in letters]
    assert len(first) == len(seen) > 1000


def test_no_strings_have_no_numbers() -> None:
    ids, first = interned(spans_of([]))
    assert (len(ids), len(first)) == (0, 0)
