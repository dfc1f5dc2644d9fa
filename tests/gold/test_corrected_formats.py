"""Corrections in formats whose words have interpretations: the mark moves, or an interpretation is added."""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cli_runs import Run
from judged_lists import judged, labels_of, listed, saved
from karat.corpus import Corpus, changed_bytes, read
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.formats import analysed_from_source
from karat.corpus.readers.ccl import ccl_text
from karat.corpus.readers.dag import dag_text
from karat.corpus.readers.krnnt import krnnt_text
from karat.corpus.readers.plain import plain_text
from karat.corpus.readers.xces import xces_text
from karat.corpus.source import source_from_bytes
from karat.corpus.worklist import WorklistRow
from karat.errors import DataError
from karat.gold.corrected_files import write_corrected
from karat.gold.corrections import correct
from realdata import data

Capture = pytest.CaptureFixture[str]
Reading = tuple[str, str, bool]  # lemma, tag, whether it is chosen


def text_of(sentences: Sequence[Sequence[tuple[str, Sequence[Reading]]]]) -> AnalysedText:
    """A text of these words with their interpretations."""
    words = [word for sentence in sentences for word in sentence]
    every = [one for _, readings in words for one in readings]
    return AnalysedText(
        form=interned_strings(form for form, _ in words),
        space=np.ones(len(words), dtype=np.uint8),
        place=np.zeros(len(words), dtype=np.int32),
        interpretation_offsets=np.cumsum([0, *(len(readings) for _, readings in words)]),
        lemma=interned_strings(lemma for lemma, _, _ in every),
        tag=interned_strings(tag for _, tag, _ in every),
        chosen=np.array([is_chosen for _, _, is_chosen in every], dtype=np.bool_),
        probability=np.full(len(every), np.nan),
        sentence_offsets=np.cumsum([0, *map(len, sentences)]),
    )


def corrected(folder: Path, data: str, format_: str, verdict: str, label: str = "", with_columns: str = "") -> str:
    """A text with all rows of its worklist judged so, as it is written."""
    path = folder / f"in.{format_}"
    path.write_bytes(data.encode())
    corpus = read(path, input=format_, tag="xpos")
    judgements = saved(folder, judged(listed(corpus, of="xpos", min_words=2), lambda row: (verdict, label)))
    write_corrected(correct(path, judgements, input=format_, with_columns=with_columns), folder / "out")
    return (folder / "out").read_bytes().decode()


# ---- by hand ---------------------------------------------------------------------------------------------------------

OAK = text_of(
    [
        [("old", [("old", "adj", True)]), ("oaks", [("oak", "noun", True), ("oak", "verb", False)])],
        [("old", [("old", "adj", True)]), ("oaks", [("oak", "noun", False), ("oak", "verb", True)])],
    ]
)


def test_xces_moves_the_mark(tmp_path: Path) -> None:
    before = xces_text(OAK)
    first, second = '<lex disamb="1"><base>oak</base><ctag>noun', "<lex><base>oak</base><ctag>noun"
    assert before.count(first) == before.count(second) == 1
    after = before.replace('<lex disamb="1"><base>oak</base><ctag>verb', "<lex><base>oak</base><ctag>verb")
    assert corrected(tmp_path, before, "xces", "error-in-b") == after.replace(second, first)


def test_xces_keeps_how_the_token_writes_what_is_not_chosen(tmp_path: Path) -> None:
    before = xces_text(OAK).replace("<lex>", "<lex a='>' disamb = '0' >").replace("\n", "\r\n")
    after = corrected(tmp_path, before, "xces", "error-in-b")
    head, _, token = before.rpartition("<orth>oaks")
    token = token.replace("disamb = '0'", "disamb = '1'").replace('<lex disamb="1"', '<lex disamb="0"')
    assert after == head + "<orth>oaks" + token


def test_a_tag_that_the_word_does_not_have_is_added_with_the_lemma_it_had(tmp_path: Path) -> None:
    before = xces_text(OAK)
    after = corrected(tmp_path, before, "xces", "error-in-b", "adj & more")
    new = "<lex><base>oak</base><ctag>verb</ctag></lex>\n"
    level = re.search(r"\n( *)<lex", before)
    assert level is not None
    for tag in ("adj", "&amp;", "more"):
        new += f'{level[1]}<lex disamb="1"><base>oak</base><ctag>{tag}</ctag></lex>\n'
    assert after == before.replace('<lex disamb="1"><base>oak</base><ctag>verb</ctag></lex>\n', new)


def test_ccl_keeps_annotations_and_comments_beside_the_interpretations(tmp_path: Path) -> None:
    before = ccl_text(OAK).replace("</tok>", '<!-- <lex disamb="1"> --><ann chan="nam">0</ann></tok>')
    after = corrected(tmp_path, before, "ccl", "error-in-a")
    changed = [pair for pair in zip(before.split("\n"), after.split("\n"), strict=True) if pair[0] != pair[1]]
    assert [(old.strip(), new.strip()) for old, new in changed] == [
        (f'<lex disamb="1"><base>oak</base><ctag>{tag}</ctag></lex>'.replace(' disamb="1"', mark), new)
        for tag, mark, new in (
            ("noun", ' disamb="1"', "<lex><base>oak</base><ctag>noun</ctag></lex>"),
            ("verb", "", '<lex disamb="1"><base>oak</base><ctag>verb</ctag></lex>'),
        )
    ]


def test_plain_moves_the_mark_and_adds_a_line(tmp_path: Path) -> None:
    before = plain_text(OAK)
    after = before.replace("\toak\tverb\tdisamb", "\toak\tverb").replace("\toak\tnoun\n", "\toak\tnoun\tdisamb\n")
    assert corrected(tmp_path, before, "plain", "error-in-b") == after
    added = before.replace("\toak\tverb\tdisamb\n", "\toak\tverb\n\toak\tger\tdisamb\n")
    assert corrected(tmp_path, before, "plain", "error-in-b", "ger") == added
    cut = before.rstrip("\n")
    assert corrected(tmp_path, cut, "plain", "error-in-b", "ger") == added.rstrip("\n")
    windows = before.replace("\n", "\r\n")
    assert corrected(tmp_path, windows, "plain", "error-in-b", "ger") == added.replace("\n", "\r\n")


def test_plain_leaves_probabilities_where_they_are(tmp_path: Path) -> None:
    before = plain_text(OAK).replace("\tnoun\n", "\tnoun\t\t0.25\n").replace("verb\tdisamb\n", "verb\tdisamb\t0.75\n")
    after = before.replace("\tnoun\t\t0.25\n", "\tnoun\tdisamb\t0.25\n").replace("verb\tdisamb\t0.75", "verb\t\t0.75")
    assert corrected(tmp_path, before, "plain", "error-in-b") == after


def one_each(text: AnalysedText) -> AnalysedText:
    """The text with nothing but what is chosen."""
    words = [
        (text.form[word], [one[:3] for one in text.interpretations(word) if one.is_chosen])
        for word in range(text.n_words)
    ]
    return text_of([words[start:stop] for start, stop in pairwise(text.sentence_offsets.tolist())])


def test_krnnt_changes_the_tag(tmp_path: Path) -> None:
    before = krnnt_text(one_each(OAK))
    assert corrected(tmp_path, before, "krnnt", "error-in-b") == before.replace("\tverb\t", "\tnoun\t")
    assert corrected(tmp_path, before, "krnnt", "error-in-b", "_") == before.replace("\tverb\t", "\t_\t")


def test_what_a_format_cannot_hold_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"K742 'oaks' .* cannot become 'ger noun' in the format krnnt") as caught:
        corrected(tmp_path, krnnt_text(one_each(OAK)), "krnnt", "error-in-b", "noun ger")
    assert caught.value.hint == "give one right tag"
    with pytest.raises(DataError, match=r"K742 .* would not be on the path"):
        corrected(tmp_path, dag_text(OAK), "dag", "error-in-b", "_")
    told = dag_text(OAK, columns=11).replace("noun\t\t\t\t\t\t\n", "noun\t\t\t\t\t\tsegment 4\n")
    with pytest.raises(DataError, match=r"K742 .* 'segment 4' where the mark"):
        corrected(tmp_path, told, "dag", "error-in-b")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("mark", ["disamb", "disamb_manual"])
def test_a_graph_moves_its_mark(tmp_path: Path, mark: str) -> None:
    before = dag_text(OAK, columns=12).replace("verb\t\t\t\t\t\t\tdisamb", f"verb\t\t\t\t\t\t\t{mark}")
    after = before.replace(f"verb\t\t\t\t\t\t\t{mark}", "verb\t\t\t\t\t\t\t")
    head, _, last = after.rpartition("noun\t\t\t\t\t\t\t")
    assert corrected(tmp_path, before, "dag", "error-in-b") == f"{head}noun\t\t\t\t\t\t\t{mark}{last}"


def test_a_graph_marked_by_numbers_gets_other_numbers(tmp_path: Path) -> None:
    before = dag_text(OAK, columns=10)
    lines = before.split("\n")
    assert (lines[4].split("\t")[4:8:3], lines[5].split("\t")[4:8:3]) == (["noun", "0.0000"], ["verb", "1.0000"])
    after = "\n".join(
        [*lines[:4], lines[4].replace("0.0000", "1.0000"), lines[5].replace("1.0000", "0.0000"), *lines[6:]]
    )
    assert corrected(tmp_path, before, "dag", "error-in-b") == after


def test_the_end_of_a_sentence_goes_with_the_mark(tmp_path: Path) -> None:
    """karat and Concraft-pl take the end of a sentence from what is chosen: a mark alone would join two sentences."""
    before = dag_text(OAK, columns=11)
    assert before.count("\teos\t") == 1
    after = corrected(tmp_path, before, "dag", "error-in-a")
    assert "noun\t\t\t\t\t\t\n" in after
    assert "verb\t\t\t\t\teos\tdisamb\n" in after
    assert len(analysed_from_source(source_from_bytes(after.encode()), "dag")) == 2


def test_the_lemma_of_the_other_side_may_come_along(tmp_path: Path) -> None:
    saws = [("saw", "noun", False), ("see", "verb", False), ("saw", "verb", False)]
    first, second, third = ([(*one[:2], at == n) for at, one in enumerate(saws)] for n in (0, 2, 2))
    text = text_of([[("we", [("we", "pron", True)]), ("saw", readings)] for readings in (first, second, third)])
    before = plain_text(text)
    assert corrected(tmp_path, before, "plain", "error-in-a").count("\tsaw\tverb\tdisamb") == 3  # it keeps its lemma
    seen = [(lemma, tag, n == 1) for n, (lemma, tag, _) in enumerate(saws)]
    others = text_of([[("we", [("we", "pron", True)]), ("saw", readings)] for readings in (first, seen)])
    before = plain_text(others)
    assert corrected(tmp_path, before, "plain", "error-in-a").count("\tsaw\tverb\tdisamb") == 1
    assert corrected(tmp_path, before, "plain", "error-in-a", with_columns="lemma").count("\tsee\tverb\tdisamb") == 2


def test_an_untouched_list_of_words_with_several_tags_is_read(tmp_path: Path, capsys: Capture) -> None:
    both = [("oak", "verb", True), ("oak", "noun", True)]
    old = ("old", [("old", "adj", True)])
    text = text_of([[old, ("oaks", both)], [old, ("oaks", [("oak", "noun", True)])], [old, ("oaks", both[::-1])]])
    path, judgements = tmp_path / "in.xml", tmp_path / "check.tsv"
    path.write_text(xces_text(text), encoding="utf-8")
    arguments = [str(path), "--column", "xpos", "--min-words", "2", "--worklist", str(judgements)]
    assert Run(capsys, "repeats", *arguments).code == 0
    assert "A) noun verb, 2 places  B) noun, 1 place" in judgements.read_text(encoding="utf-8")
    out = tmp_path / "out.xml"
    run = Run(capsys, "correct", str(path), "--judgements", str(judgements), "-o", str(out))
    assert run.code == 0
    assert run.out.startswith("Nothing is judged yet")
    assert out.read_bytes() == path.read_bytes()
    lines = judgements.read_text(encoding="utf-8").splitlines()
    judgements.write_text(
        "\n".join([*lines[:-1], lines[-1].replace("\t\t\t\t", "\terror-in-b\t\t\t")]), encoding="utf-8"
    )
    data = Run(capsys, "correct", str(path), "--judgements", str(judgements), "-o", str(out), "--json").json
    assert [(one["old"], one["new"]) for one in data["changes"]] == [("noun", "noun verb")]
    assert read(out, tag="xpos").column("xpos").strings()[3] == "noun\tverb"


@pytest.mark.parametrize("format_", ["xces", "ccl", "plain", "krnnt", "dag"])
def test_several_files_are_corrected_each_on_its_own_with_their_bom_line_ends_and_compression(
    tmp_path: Path, format_: str
) -> None:
    whole = one_each(OAK)
    halves = [
        text_of([[(whole.form[word], [one[:3] for one in whole.interpretations(word)]) for word in words]])
        for words in ((0, 1), (2, 3))
    ]
    written = [WRITERS[format_ if format_ != "dag" else "dag 11"](half) for half in halves]
    first, second = tmp_path / "one", tmp_path / "two.gz"
    first.write_bytes(b"\xef\xbb\xbf" + written[0].replace("\n", "\r").encode())
    second.write_bytes(gzip.compress(written[1].encode()))
    corpus = read([first, second], input=format_, tag="xpos")
    judgements = saved(tmp_path, judged(listed(corpus, of="xpos", min_words=2), lambda row: ("error-in-a", "ger")))
    write_corrected(correct([first, second], judgements, input=format_), tmp_path / "out")
    new = (tmp_path / "out" / "one").read_bytes()
    assert gzip.decompress((tmp_path / "out" / "two.gz").read_bytes()).decode() == written[1]
    assert new.startswith(b"\xef\xbb\xbf")
    assert b"\n" not in new
    assert b"ger" in new
    assert read([tmp_path / "out" / "one"], input=format_, tag="xpos").column("xpos").strings() == ["adj", "ger"]


# ---- at random -------------------------------------------------------------------------------------------------------

WRITERS: dict[str, Callable[[AnalysedText], str]] = {
    "xces": xces_text,
    "ccl": ccl_text,
    "plain": plain_text,
    "krnnt": krnnt_text,
    "dag 7": lambda text: dag_text(text, columns=7),
    "dag 10": lambda text: dag_text(text, columns=10),
    "dag 11": lambda text: dag_text(text, columns=11),
    "dag 12": lambda text: dag_text(text, columns=12),
}


def text_at_random(random: Random, format_: str) -> AnalysedText:
    """Few words, so that they are repeated, with up to three interpretations, of which some are chosen."""

    def readings() -> list[Reading]:
        if format_ == "krnnt":
            return [(random.choice("xy"), random.choice("NV"), True)] * (random.random() < 0.9)
        found = [
            (random.choice("xy"), random.choice("NVA"), random.random() < 0.5) for _ in range(random.randint(0, 3))
        ]
        if format_.startswith("dag") and not any(is_chosen for *_, is_chosen in found):
            return [("x", "N", True), *found]
        return found

    n_sentences = 1 if format_ == "dag 7" else random.randint(1, 4)  # seven columns have no ends of sentences
    sizes = [random.randint(2, 12 if n_sentences == 1 else 5) for _ in range(n_sentences)]
    sentences = [[(random.choice(["a", "b&"]), readings()) for _ in range(size)] for size in sizes]
    return text_of(sentences)


def laid_out(random: Random, written: str, format_: str) -> str:
    """A file as others may write it, read as the same text."""
    if format_ in ("xces", "ccl"):
        written = written.replace("<lex>", random.choice(["<lex>", '<lex disamb="0">', "<lex disamb='0' x='>'>"]))
        written = random.choice(
            [written, re.sub(r">\s+<", "><", written), written.replace("<orth>", "<!-- <lex> --><orth>")]
        )
    if format_.startswith("dag") and random.random() < 0.3:
        written = "#2020\n" + written.replace("\n", "\n#note\n", 1)
    if format_ == "plain" or format_.startswith("dag"):
        written = random.choice([written, written.rstrip("\n")])
    return random.choice([written, written.replace("\n", "\r\n")])


def expected_tags(corpus: Corpus, rows: Sequence[WorklistRow]) -> dict[int, set[frozenset[str]]]:
    """What verdicts say of every word, by trying each place of the text."""
    forms, tags = (
        corpus.column("form").strings(),
        [frozenset(one.split("\t")) for one in corpus.column("xpos").strings()],
    )
    names = [corpus.sent_id(one) or f"sentence {one + 1}" for one in range(corpus.n_sentences)]
    found: dict[int, set[frozenset[str]]] = {}
    for row in rows:
        a, b = (frozenset(label.split()) for label in labels_of(row))
        label = frozenset(row.label.split())
        wrong = {"error-in-a": {a: label or b}, "error-in-b": {b: label or a}}.get(row.verdict, {})
        if row.verdict == "error-in-both":
            wrong = {a: label, b: label}
        first = int(corpus.sentence_offsets[names.index(row.sent_id)])
        words = forms[first + row.start - 1 : first + row.end]
        position = int(row.id.split(".")[2].rstrip("di")) - 1
        for start, stop in pairwise(corpus.sentence_offsets.tolist()):
            for at in range(start, stop - len(words) + 1):
                if forms[at : at + len(words)] == words and tags[at + position] in wrong:
                    found.setdefault(at + position, set()).add(wrong[tags[at + position]])
    return found


def pieces(text: AnalysedText, written: bytes) -> list[bytes]:
    """The bytes before the first word, and those of every word up to the next."""
    places = text.place.tolist()
    assert places == sorted(places)
    return [written[start:stop] for start, stop in pairwise([0, *places, len(written)])]


MARK = re.compile(rb"""\s+disamb\s*=\s*["'][01]["']""")
OF_MARKS = {"plain": (3,), "krnnt": (3,), "dag 7": (6,), "dag 10": (7, 9), "dag 11": (9, 10), "dag 12": (9, 11)}


def without_marks(piece: bytes, format_: str) -> bytes:
    """The bytes of a word but for the marks of what is chosen, and of ends of sentences."""
    if format_ in ("xces", "ccl"):
        return MARK.sub(b"", piece)
    lines = [re.split(rb"\t|(?=\r)", line) for line in piece.split(b"\n")]
    if format_ == "plain":
        lines = [[field for field in line if field != b"disamb"] for line in lines]
        return b"\n".join(map(b"\t".join, lines))
    kept = [[field for at, field in enumerate(line) if at not in OF_MARKS[format_]] for line in lines]
    return b"\n".join(map(b"\t".join, kept))


def is_insertion(old: bytes, new: bytes) -> bool:
    """Whether the new text is the old one with something more at one place."""
    n_same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return new.endswith(old[n_same:])


@pytest.mark.parametrize("format_", WRITERS)
@given(seed=st.integers(0, 2**32))
def test_exactly_the_judged_choices_change(format_: str, seed: int) -> None:
    random = Random(seed)
    written = laid_out(random, WRITERS[format_](text_at_random(random, format_)), format_)
    name = format_.split()[0]
    choices = ["", "", "ambiguity", "error-in-a", "error-in-b", "mixed"]
    labels = ["", "", "", "A", "Q"] if name == "krnnt" else ["", "", "", "A", "Q", "N V", "Q V"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in"
        path.write_bytes(written.encode())
        corpus = read(path, input=name, tag="xpos")

        def judge(row: WorklistRow) -> tuple[str, str]:
            verdict, label = random.choice([*choices, "error-in-both"]), random.choice(labels)
            is_error = verdict.startswith("error")
            label = label or "Q" if verdict == "error-in-both" else label * is_error
            return ("", "") if label and label in labels_of(row) else (verdict, label)

        worklist = judged(listed(corpus, of="xpos", min_words=random.randint(1, 2)), judge)
        expected = expected_tags(corpus, worklist.rows)
        judgements = saved(Path(folder), worklist)
        if any(len(values) > 1 for values in expected.values()):
            with pytest.raises(DataError, match="K744"):
                correct(path, judgements, input=name)
            return
        write_corrected(correct(path, judgements, input=name), Path(folder) / "out")
        output = (Path(folder) / "out").read_bytes()
    before, after = (analysed_from_source(source_from_bytes(one), name) for one in (written.encode(), output))
    assert before.n_words == after.n_words
    assert before.sentence_offsets.tolist() == after.sentence_offsets.tolist()
    word_of = dict(enumerate(before.segmentation.tolist()))
    wanted = {word_of[word]: values.pop() - {"_"} for word, values in expected.items()}
    old_pieces, new_pieces = pieces(before, written.encode()), pieces(after, output)
    assert old_pieces[0] == new_pieces[0]
    for word in range(before.n_words):
        old, new = old_pieces[word + 1], new_pieces[word + 1]
        if word not in wanted:
            assert old == new
            assert [one[:3] for one in before.interpretations(word)] == [one[:3] for one in after.interpretations(word)]
            continue
        assert set(after.chosen_tags(word)) == wanted[word]
        assert before.form[word] == after.form[word]
        old, new = (without_marks(one, format_) for one in (old, new))
        if name == "krnnt":
            assert old == new
            continue
        there = [one[:2] for one in before.interpretations(word)]
        now = [one[:2] for one in after.interpretations(word)]
        assert now[: len(there)] == there
        assert {tag for _, tag in now[len(there) :]} == wanted[word] - {tag for _, tag in there}
        assert is_insertion(old, new)
        assert len(now) > len(there) or old == new


# ---- a real treebank -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["xces", "ccl", "plain", "krnnt", "dag"])
def test_a_real_treebank_is_mended_in_every_format_and_a_diff_shows_those_words_alone(
    tmp_path: Path, capsys: Capture, format_: str
) -> None:
    """Wrong tags are planted and judged by the truth: corrected, no line else differs."""
    gold, path = tmp_path / f"gold.{format_}", tmp_path / f"in.{format_}"
    source = str(data("ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu"))
    assert Run(capsys, "convert", source, "-o", str(gold), "--to", format_, "--column", "xpos").code == 0
    true = read(gold, input=format_, tag="xpos")
    truth, forms = true.column("xpos").strings(), true.column("form").strings()
    tags_of: dict[str, set[str]] = {}
    for form, tag in zip(forms, truth, strict=True):
        tags_of.setdefault(form, set()).add(tag)
    sure = [at for at, form in enumerate(forms) if len(tags_of[form]) == 1]
    wrong = Random(4).sample(sure, 1500)
    path.write_bytes(changed_bytes(true, {(at, "xpos"): "wrong" for at in wrong}))
    corpus = read(path, input=format_, tag="xpos")

    def verdict(row: WorklistRow) -> tuple[str, str]:
        word = row.shown.partition("  A) ")[0]
        labels = labels_of(row)
        if "wrong" not in labels or len(tags_of[word]) > 1:
            return "", ""
        return ("error-in-a", "error-in-b")[labels.index("wrong")], ""

    result = correct(path, saved(tmp_path, judged(listed(corpus, of="xpos", min_words=2), verdict)), input=format_)
    mended = {change.word for change in result.changes}
    assert mended <= set(wrong)
    assert len(mended) > 100
    write_corrected(result, tmp_path / "out")
    left = {at: "wrong" for at in wrong if at not in mended}
    expected = [left.get(at, tag) for at, tag in enumerate(truth)]
    assert read(tmp_path / "out", input=format_, tag="xpos").column("xpos").strings() == expected
    old, new = (one.read_text(encoding="utf-8").split("\n") for one in (path, tmp_path / "out"))
    n_lines = 1 if format_ == "krnnt" else 2  # of a word: the mark is taken off one and put on the other
    assert sum(a != b for a, b in zip(old, new, strict=True)) == n_lines * len(mended)
