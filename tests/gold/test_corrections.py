"""Corrections: worklists of repeats, what verdicts change and what they leave, and how precise heuristics were."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from judged_lists import judged, labels_of, listed, saved
from karat.corpus import Corpus, changed_bytes, conllu_from_source, read, source_from_bytes
from karat.corpus.worklist import WorklistRow, worklist_text
from karat.errors import DataError, UsageError
from karat.gold.corrected_files import write_corrected
from karat.gold.corrections import correct
from karat.gold.repeats.judged_repeats import repeat_worklist
from karat.gold.repeats.labels import column_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.ranking import ranked
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from karat.inference.wilson import wilson
from random_words import corpora_at_random, corpus_of, plain
from realdata import data
from repeat_reference import Word

HARBOUR = plain(
    "the/DET old/ADJ harbour/NOUN wall/NOUN leans/VERB",
    "we/PRON saw/VERB the/DET old/ADJ harbour/PROPN wall/NOUN",
    "an/DET old/ADJ tug/NOUN sank/VERB",
    "near/ADP the/DET old/ADJ harbour/NOUN wall/NOUN",
)


# ---- the list --------------------------------------------------------------------------------------------------------


def test_a_row_shows_both_sides_and_side_a_is_the_first_in_the_text() -> None:
    (row,) = listed(corpus_of(HARBOUR)).rows
    assert row.kind == "repeat"
    assert (row.sent_id, row.start, row.end) == ("s0", 1, 4)
    assert row.text == "the old [harbour] wall leans"
    assert row.shown == "harbour  A) NOUN, 2 places  B) PROPN, 1 place  B in s1: we saw the old [harbour] wall"
    assert (row.verdict, row.label, row.judge) == ("", "", "")


def test_every_other_label_is_set_against_the_commonest() -> None:
    corpus = corpus_of(plain("x/A y/A", "x/B y/A", "x/B y/B", "x/C y/A"))
    rows = listed(corpus, min_words=2).rows
    assert sorted(labels_of(row) for row in rows) == [("A", "B"), ("A", "B"), ("B", "C")]
    assert [row.shown.count("place") for row in rows] == [2, 2, 2]
    assert len({row.id for row in rows}) == 3


def test_a_list_of_nothing_is_a_list() -> None:
    corpus = corpus_of(plain("x/A y/A", "x/A y/A"))
    assert listed(corpus, min_words=1).rows == ()


def test_verdicts_on_tokenisation_are_counted_and_not_applied(tmp_path: Path) -> None:
    rows = [[("we", "_"), ("can", "SpaceAfter=No"), ("not", "_"), ("go", "_")]]
    rows += [[("we", "_"), ("cannot", "_"), ("go", "_")]]
    lines = [
        "".join(f"{at}\t{form}{chr(9)}_" + "\t_" * 6 + f"\t{misc}\n" for at, (form, misc) in enumerate(sentence, 1))
        + "\n"
        for sentence in rows
    ]
    corpus = conllu_from_source(source_from_bytes("".join(lines).encode()), trees=False)
    text, labels = characters([corpus])
    found = repeat_worklist(suspicious_repeats(maximal_repeats(text, min_words=2), labels))
    assert "does not apply them" in found.head[2]
    path = saved(tmp_path, judged(found, lambda row: ("error-in-a", "")))
    with pytest.raises(DataError, match="K745 verdicts on tokenisation cannot be applied"):
        correct(corpus, path)
    assert correct(None, path).precision[0].errors > 0


# ---- what verdicts change --------------------------------------------------------------------------------------------


def changed_by(tmp_path: Path, corpus: Corpus, verdict: str, label: str = "") -> list[tuple[str, int, str, str]]:
    path = saved(tmp_path, judged(listed(corpus), lambda row: (verdict, label)))
    return [(one.sent_id, one.token, one.old, one.new) for one in correct(corpus, path).changes]


@pytest.mark.parametrize(
    ("verdict", "label", "expected"),
    [
        ("error-in-a", "", [("s0", 3, "NOUN", "PROPN"), ("s3", 4, "NOUN", "PROPN")]),
        ("error-in-b", "", [("s1", 5, "PROPN", "NOUN")]),
        ("error-in-b", "ADJ", [("s1", 5, "PROPN", "ADJ")]),
        ("error-in-both", "X", [("s0", 3, "NOUN", "X"), ("s1", 5, "PROPN", "X"), ("s3", 4, "NOUN", "X")]),
        ("ambiguity", "", []),
        ("mixed", "", []),
        ("", "", []),
    ],
)
def test_a_verdict_changes_all_places_of_its_side(
    tmp_path: Path, verdict: str, label: str, expected: list[tuple[str, int, str, str]]
) -> None:
    assert changed_by(tmp_path, corpus_of(HARBOUR), verdict, label) == expected


@pytest.mark.parametrize(
    ("verdict", "label", "message"),
    [
        ("error-in-both", "", "the right one is not given"),
        ("error-in-a", "NOUN", "'NOUN' is judged both wrong and right"),
        ("ambiguity", "NOUN", "with the verdict ambiguity"),
        ("", "NOUN", "without a verdict"),
        ("error-in-a", "NO UN", "cannot be a label here"),
    ],
)
def test_right_labels_that_cannot_be_are_refused(tmp_path: Path, verdict: str, label: str, message: str) -> None:
    with pytest.raises(DataError, match="K742") as caught:
        changed_by(tmp_path, corpus_of(HARBOUR), verdict, label)
    assert message in str(caught.value)
    assert caught.value.line == 6  # schema, two lines of text, signature, header


def test_each_of_two_corpora_is_corrected_on_its_own(tmp_path: Path) -> None:
    one = corpus_of(plain("the/DET old/ADJ pier/NOUN", "no/DET pier/NOUN"))
    other = corpus_of(plain("see/VERB the/DET old/ADJ pier/PROPN"))
    path = saved(tmp_path, judged(listed(one, other), lambda row: ("error-in-both", "ADJ")))
    assert [(change.sent_id, change.token) for change in correct(one, path).changes] == [("s0", 3)]
    assert [(change.sent_id, change.token) for change in correct(other, path).changes] == [("s0", 4)]


def test_several_columns_are_corrected_where_they_differ(tmp_path: Path) -> None:
    words = [Word("a", "N", "x"), Word("b", "N", "x"), Word("c", "N", "x")]
    corpus = corpus_of([words, [words[0], Word("b", "N", "y"), words[2]]])
    path = saved(tmp_path, judged(listed(corpus, of=["upos", "xpos"]), lambda row: ("error-in-b", "")))
    assert [(one.column, one.old, one.new) for one in correct(corpus, path).changes] == [("xpos", "y", "x")]


def test_folded_case_and_dropped_punctuation_are_found_again(tmp_path: Path) -> None:
    corpus = corpus_of(plain("The/D old/A ,/P pier/N", "the/D Old/A pier/V"))
    worklist = listed(corpus, fold_case=True, punctuation=False)
    path = saved(tmp_path, judged(worklist, lambda row: ("error-in-a", "")))
    assert [(one.sent_id, one.token, one.new) for one in correct(corpus, path).changes] == [("s0", 4, "V")]


def test_two_judgements_that_want_different_labels_are_refused_with_both_lines(tmp_path: Path) -> None:
    corpus = corpus_of(plain("a/X b/N c/X d/X", "a/X b/V c/X d/X", "z/X a/X b/N c/X", "a/X b/N c/X"))
    worklist = listed(corpus)
    labels = iter(["A", "B"])
    path = saved(tmp_path, judged(worklist, lambda row: ("error-in-both", next(labels))))
    with pytest.raises(DataError) as caught:
        correct(corpus, path)
    assert {problem.code for problem in caught.value.problems} == {"K744"}
    assert {problem.line for problem in caught.value.problems} == {6, 7}
    assert "judged.tsv:7" in caught.value.problems[0].message


def test_two_judgements_that_want_different_labels_in_different_columns_are_refused(tmp_path: Path) -> None:
    """Merged, they would be a pair of labels that nobody wants."""
    words = [Word("a", "X", "x"), Word("b", "N", "x"), Word("c", "X", "x"), Word("d", "X", "x")]
    other = [Word("z", "X", "x"), *words[:1], Word("b", "V", "y"), *words[2:]]
    corpus = corpus_of([words, other, [*words[:1], Word("b", "V", "y"), *words[2:3]]])
    worklist = listed(corpus, of=["upos", "xpos"])
    assert len(worklist.rows) == 2
    labels = iter(["V x", "N y"])
    path = saved(tmp_path, judged(worklist, lambda row: ("error-in-a", next(labels))))
    with pytest.raises(DataError, match="K744"):
        correct(corpus, path)


def test_most_judges_decide_and_a_tie_stays_open(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    verdicts = ["error-in-b", "ambiguity", "error-in-b"]
    paths = [
        saved(tmp_path, judged(listed(corpus), lambda row, verdict=verdict: (verdict, "")), f"{n}.tsv")  # type: ignore[misc]
        for n, verdict in enumerate(verdicts)
    ]
    assert len(correct(corpus, paths).changes) == 1
    tied = correct(corpus, paths[:2])
    assert (tied.changes, tied.n_ties, tied.n_judged) == ((), 1, 0)
    with pytest.raises(UsageError, match="given twice"):
        correct(corpus, [paths[0], paths[0]])


def test_a_list_made_from_other_files_is_refused(tmp_path: Path) -> None:
    worklist = listed(corpus_of(HARBOUR))
    path = saved(tmp_path, worklist)
    with pytest.raises(DataError, match="K740"):
        correct(corpus_of(HARBOUR[:3]), path)
    with pytest.raises(DataError, match="K740 the first lines"):
        correct(corpus_of(HARBOUR), saved(tmp_path, replace(worklist, head=worklist.head[:2]), "headless.tsv"))


@pytest.mark.parametrize("change", [{"id": "r12"}, {"shown": "harbour  A) ADJ, 2 places  B) PROPN, 1 place"}])
def test_rows_that_were_tampered_with_are_refused(tmp_path: Path, change: dict[str, str]) -> None:
    worklist = listed(corpus_of(HARBOUR))
    rows = tuple(replace(row, **change) for row in worklist.rows)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="K741") as caught:
        correct(corpus_of(HARBOUR), saved(tmp_path, replace(worklist, rows=rows)))
    assert caught.value.line == 6


# ---- byte for byte ---------------------------------------------------------------------------------------------------


def edited(corpus: Corpus, changes: dict[tuple[int, int], str]) -> bytes:
    """The text with the UPOS of words (sentence, place) replaced, line by line."""
    sentence, lines = -1, []
    for line in corpus.source.text(0, corpus.source.size).split("\n"):
        if line.startswith("# sent_id"):
            sentence += 1
        fields = line.split("\t")
        if len(fields) == 10 and (key := (sentence, int(fields[0]) - 1)) in changes:
            fields[3] = changes[key]
        lines.append("\t".join(fields))
    return "\n".join(lines).encode()


def expected_changes(sentences: list[list[Word]], rows: Sequence[WorklistRow]) -> dict[tuple[int, int], set[str]]:
    """What verdicts say of every word, by trying each place of the text."""
    found: dict[tuple[int, int], set[str]] = {}
    for row in rows:
        a, b = labels_of(row)
        forms = [word.form for word in sentences[int(row.sent_id[1:])][row.start - 1 : row.end]]
        position = int(row.id.split(".")[2].rstrip("di")) - 1
        wrong = {"error-in-a": {a: row.label or b}, "error-in-b": {b: row.label or a}}.get(row.verdict, {})
        if row.verdict == "error-in-both":
            wrong = {a: row.label, b: row.label}
        for number, sentence in enumerate(sentences):
            for at in range(len(sentence) - len(forms) + 1):
                word = sentence[at + position]
                if [one.form for one in sentence[at : at + len(forms)]] == forms and word.upos in wrong:
                    found.setdefault((number, at + position), set()).add(wrong[word.upos])
    return found


@given(corpora_at_random(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_exactly_what_was_judged_changes(corpora: list[list[list[Word]]], min_words: int, random: Random) -> None:
    sentences = corpora[0]
    corpus = corpus_of(sentences)
    choices = [("", ""), ("ambiguity", ""), ("error-in-a", ""), ("error-in-b", ""), ("error-in-a", "ADJ")]
    choices += [("error-in-b", "ADJ"), ("error-in-both", "ADJ"), ("error-in-both", "ADV"), ("mixed", "")]
    worklist = judged(listed(corpus, min_words=min_words), lambda row: random.choice(choices))
    expected = expected_changes(sentences, worklist.rows)
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), worklist)
        if any(len(values) > 1 for values in expected.values()):
            with pytest.raises(DataError, match="K744"):
                correct(corpus, path)
            return
        result = correct(corpus, path)
        write_corrected(result, Path(folder) / "out.conllu")
        written = (Path(folder) / "out.conllu").read_bytes()
    only = {key: values.pop() for key, values in expected.items()}
    assert written == edited(corpus, only)
    assert len(result.changes) == len(only)


def tagged_text(sentences: Sequence[Sequence[tuple[str, str]]], format_: str) -> bytes:
    """Words and tags as tagged text."""
    mark, gap, end = ("\t", "\n", "\n\n") if format_ == "tsv" else ("/", "  ", "\n")
    return "".join(gap.join(f"{form}{mark}{tag}" for form, tag in one) + end for one in sentences).encode()


@pytest.mark.parametrize("format_", ["tsv", "slash"])
@given(corpora=corpora_at_random(), random=st.randoms(use_true_random=False))
def test_exactly_what_was_judged_changes_in_tagged_text(
    format_: str, corpora: list[list[list[Word]]], random: Random
) -> None:
    words = [[(word.form, word.upos) for word in sentence] for sentence in corpora[0]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in"
        path.write_bytes(tagged_text(words, format_))
        choices = ["", "ambiguity", "error-in-a", "error-in-b"]
        worklist = judged(listed(read(path, input=format_), min_words=2), lambda row: (random.choice(choices), ""))
        rows = [replace(row, sent_id=f"s{int(row.sent_id.split()[1]) - 1}") for row in worklist.rows]
        expected = expected_changes(corpora[0], rows)
        judgements = saved(Path(folder), worklist)
        if any(len(values) > 1 for values in expected.values()):
            with pytest.raises(DataError, match="K744"):
                correct(path, judgements, input=format_)
            return
        write_corrected(correct(path, judgements, input=format_), Path(folder) / "out")
        written = (Path(folder) / "out").read_bytes()
    for (number, at), values in expected.items():
        words[number][at] = words[number][at][0], values.pop()
    assert written == tagged_text(words, format_)


@given(corpora_at_random())
def test_an_unjudged_list_changes_nothing(corpora: list[list[list[Word]]]) -> None:
    corpus = corpus_of(corpora[0])
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), listed(corpus, min_words=1))
        write_corrected(correct(corpus, path), Path(folder) / "out")
        assert (Path(folder) / "out").read_bytes() == corpus.source.part_bytes(corpus.source.parts[0])


def test_odd_bytes_stay_as_they_are(tmp_path: Path) -> None:
    def line(number: int, form: str, upos: str, misc: str = "_") -> str:
        return "\t".join([str(number), form, "_", upos, "_", "_", "0", "dep", "_", misc])

    text = "\ufeff# a comment \r\n# sent_id = é\r\n"
    text += "\r\n".join([line(1, "a", "N", "x=\u00a0"), line(2, "b", "N"), "3-4\tcd" + "\t_" * 8, line(3, "c", "N")])
    text += "\r\n" + "\r\n".join([line(4, "d", "N"), "4.1\te" + "\t_" * 6 + "\t0:x\t_", "", line(1, "a", "N")])
    text += "\r\n" + "\r\n".join([line(2, "b", "LONGER"), line(3, "c", "N"), "", ""])
    (tmp_path / "in.conllu").write_bytes(text.encode())
    corpus = read(tmp_path / "in.conllu", trees=False)
    path = saved(tmp_path, judged(listed(corpus), lambda row: ("error-in-a", "")))
    (written,) = write_corrected(correct(tmp_path / "in.conllu", path), tmp_path / "out.conllu").written
    assert Path(written).read_bytes() == text.replace("2\tb\t_\tN\t", "2\tb\t_\tLONGER\t").encode()


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    source = tmp_path / "in.conllu"
    source.write_bytes(changed_bytes(corpus))
    path = saved(tmp_path, judged(listed(read(source, trees=False)), lambda row: ("error-in-a", "")))
    result = correct(source, path)
    (tmp_path / "link").symlink_to(source)
    for target in (source, path, tmp_path / "link"):
        with pytest.raises(UsageError, match="is an input"):
            write_corrected(result, target)
    with pytest.raises(UsageError, match="is a folder"):
        write_corrected(result, tmp_path)
    with pytest.raises(UsageError, match=r"nowhere/out cannot be written"):
        write_corrected(result, tmp_path / "nowhere" / "out")
    with pytest.raises(UsageError, match=r"nowhere/log cannot be written"):  # and then no corpus is
        write_corrected(result, tmp_path / "out", log=tmp_path / "nowhere" / "log")
    assert source.read_bytes() == changed_bytes(corpus)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in.conllu", "judged.tsv", "link"]


def test_a_corpus_of_several_files_is_written_into_a_folder(tmp_path: Path) -> None:
    for number, sentence in enumerate(HARBOUR):
        (tmp_path / f"{number}.conllu").write_bytes(changed_bytes(corpus_of([sentence])))
    files = sorted(tmp_path.glob("*.conllu"))
    path = saved(tmp_path, judged(listed(read(files, trees=False)), lambda row: ("error-in-b", "")))
    written = write_corrected(correct(files, path), tmp_path / "out").written
    same = [Path(new).read_bytes() == old.read_bytes() for new, old in zip(written, files, strict=True)]
    assert same == [True, False, True, True]
    assert Path(written[1]).read_bytes() == files[1].read_bytes().replace(b"PROPN", b"NOUN")


def test_tagged_text_is_corrected_and_a_tag_it_cannot_hold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("the/D old/A pier/N\nsee/V the/D old/A pier/V\n", encoding="utf-8")
    corpus = read(tmp_path / "in.txt")
    assert corpus.format == "slash"
    worklist = listed(corpus)
    judgements = saved(tmp_path, judged(worklist, lambda row: ("error-in-b", "")))
    (written,) = write_corrected(correct(corpus, judgements), tmp_path / "out.txt").written
    assert Path(written).read_text(encoding="utf-8") == "the/D old/A pier/N\nsee/V the/D old/A pier/N\n"
    odd = saved(tmp_path, judged(worklist, lambda row: ("error-in-b", "N/V")), "odd.tsv")
    with pytest.raises(DataError, match="K742"):
        write_corrected(correct(corpus, odd), tmp_path / "odd.txt")
    assert not (tmp_path / "odd.txt").exists()


def test_a_list_that_a_spreadsheet_has_rewritten_says_the_same(tmp_path: Path) -> None:
    corpus = corpus_of(plain('=a/X "b"/N -c/X', 'z/X =a/X "b"/=V -c/X'))
    worklist = judged(listed(corpus), lambda row: ("error-in-a", ""))
    before = correct(corpus, saved(tmp_path, worklist)).changes
    cells = [line.split("\t") for line in worklist_text(worklist).splitlines()]
    header, rows = cells[4], list(csv.reader(io.StringIO(worklist_text(worklist)), delimiter="\t"))[5:]
    order = list(range(len(header)))[::-1]
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    for head in cells[:4]:
        writer.writerow([*head, *[""] * 12])
    writer.writerow([header[at] for at in order])
    for row in rows:
        row[9] = f" {row[9].upper()} "
        writer.writerow([row[at] for at in order])
    mangled = tmp_path / "mangled.tsv"
    mangled.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    after = correct(corpus, mangled).changes
    assert len(before) == 1
    assert [(one.word, one.old, one.new, one.row.id) for one in after] == [
        (one.word, one.old, one.new, one.row.id) for one in before
    ]


# ---- generalising ----------------------------------------------------------------------------------------------------

PIERS = plain(
    "the/D pier/N is/V",
    "the/D pier/P is/V",
    "a/D pier/N for/A",
    "a/D pier/P for/A",
    "one/D pier/P sank/V",
    "one/D pier/N sank/V",
)


def general(tmp_path: Path, verdicts: Sequence[str]) -> list[tuple[str, str, str]]:
    corpus = corpus_of(PIERS)
    left = iter(verdicts)
    path = saved(tmp_path, judged(listed(corpus), lambda row: (next(left), "")))
    assert all(not one.is_general for one in correct(corpus, path).changes)
    return [(one.sent_id, one.old, one.new) for one in correct(corpus, path, generalise=True).changes]


def test_a_judged_pattern_decides_rows_that_nobody_judged_whichever_side_it_is(tmp_path: Path) -> None:
    assert general(tmp_path, ["error-in-b", "", ""]) == [("s1", "P", "N"), ("s3", "P", "N"), ("s4", "P", "N")]


def test_what_was_judged_another_way_is_not_generalised(tmp_path: Path) -> None:
    assert general(tmp_path, ["error-in-b", "ambiguity", ""]) == [("s1", "P", "N")]
    assert general(tmp_path, ["error-in-b", "error-in-a", ""]) == [("s1", "P", "N"), ("s2", "N", "P")]
    assert general(tmp_path, ["ambiguity", "", ""]) == []


def test_patterns_say_what_they_change(tmp_path: Path) -> None:
    corpus = corpus_of(PIERS)
    verdicts = iter(["error-in-b", "", ""])
    path = saved(tmp_path, judged(listed(corpus), lambda row: (next(verdicts), "")))
    (pattern,) = correct(corpus, path, generalise=True).patterns
    assert (pattern.word, pattern.labels, pattern.right) == ("pier", ("N", "P"), (("P", "N"),))
    assert (pattern.n_judged, pattern.n_others, pattern.n_changes) == (1, 2, 2)


# ---- precision -------------------------------------------------------------------------------------------------------


def test_precision_counts_repeats_and_not_rows(tmp_path: Path) -> None:
    corpus = corpus_of(
        plain("a/X b/N c/N d/X", "a/X b/V c/V d/X", "e/X f/N g/X", "e/X f/V g/X", "h/N i/X j/X", "h/V i/X j/X")
    )
    verdicts = {"b": "error-in-a", "c": "ambiguity", "f": "ambiguity"}
    path = saved(tmp_path, judged(listed(corpus), lambda row: (verdicts.get(row.shown.split("  ")[0], ""), "")))
    found = {one.heuristic: one for one in correct(None, path).precision}
    counts = {name: (one.suspicious, one.judged, one.errors) for name, one in found.items()}
    assert counts == {
        "none": (3, 2, 1),
        "disjoint": (0, 0, 0),
        "non-fringe": (2, 2, 1),
        "size 3": (3, 2, 1),
        "size 4": (1, 1, 1),
    }
    assert found["none"].precision == 0.5
    assert (found["none"].lower, found["none"].upper) == wilson(0.5, 2)
    assert found["disjoint"].precision is found["disjoint"].lower is None
    assert found["none"].paper is None


def test_a_row_about_the_same_places_needs_no_verdict_of_its_own(tmp_path: Path) -> None:
    corpus = corpus_of(plain("a/X b/N c/X d/X", "a/X b/V c/X d/X", "z/X a/X b/N c/X"))
    worklist = listed(corpus)
    assert len(worklist.rows) == 2  # the longer repeat has V once and N once, the shorter V once and N twice
    verdicts = iter(["error-in-b", ""])
    precision = correct(None, saved(tmp_path, judged(worklist, lambda row: (next(verdicts), "")))).precision[0]
    assert (precision.suspicious, precision.judged, precision.errors) == (2, 2, 2)


def test_verdicts_that_go_together_are_less_evidence(tmp_path: Path) -> None:
    def piers(words: Sequence[str]) -> Corpus:
        return corpus_of(plain(*(f"{n}/X {word}/{tag} z{n}/X" for n, word in enumerate(words) for tag in "NV")))

    def interval(words: Sequence[str]) -> tuple[float, float, float]:
        corpus = piers(words)
        number = {f"{n}": n for n in range(len(words))}
        folder = tempfile.mkdtemp(dir=tmp_path)
        path = saved(
            Path(folder),
            judged(listed(corpus), lambda row: ("error-in-a" if number[row.text.split()[0]] < 10 else "ambiguity", "")),
        )
        one = correct(None, path).precision[0]
        assert (one.judged, one.errors) == (20, 10)
        assert one.lower is not None
        assert one.upper is not None
        return one.lower, one.upper, one.n_independent

    apart = interval([f"w{n}" for n in range(20)])
    together = interval(["w"] * 10 + [f"w{n}" for n in range(10)])
    assert apart == (*wilson(0.5, 20), 20)
    # residuals: 10 · 0.5 once, -0.5 ten times: (25 + 2.5) · 11/10 / 400 against 0.25 / 19
    assert together[2] == pytest.approx(20 / (27.5 * 1.1 / 400 / (0.25 / 19)))
    assert together[0] < apart[0] < apart[1] < together[1]


@pytest.mark.parametrize(("errors", "n"), [(22, 28), (153, 214), (407, 580)])
def test_wilson_solves_its_equation(errors: int, n: int) -> None:
    share = errors / n
    for bound in wilson(share, n):
        assert abs(share - bound) == pytest.approx(1.959964 * (bound * (1 - bound) / n) ** 0.5, rel=1e-6)


def test_the_paper_stands_beside_lists_of_its_corpora(tmp_path: Path) -> None:
    train, test = (
        read(data(f"ud-2.3/UD_English-{name}"), trees=False)
        for name in ("EWT/en_ewt-ud-train.conllu", "PUD/en_pud-ud-test.conllu")
    )
    text = running_text([train, test])
    repeats = maximal_repeats(text, min_words=1, two_sentences=False, between=True)
    found = suspicious_repeats(repeats, column_labels(text, "upos"))
    worklist = repeat_worklist(found, settings=[("min-words", "1")])
    rows = {one.heuristic: one for one in correct(None, saved(tmp_path, worklist)).precision}
    assert [rows[name].suspicious for name in ("none", "disjoint", "size 3", "size 4")] == [2471, 581, 215, 29]
    printed = [rows[name].paper for name in ("none", "disjoint", "size 3", "size 4")]
    assert [one and (one.suspicious, one.inconsistencies) for one in printed] == [
        (2507, None),
        (580, 407),
        (214, 153),
        (28, 22),
    ]
    assert rows["size 5"].paper is None


# ---- a real treebank with known errors -------------------------------------------------------------------------------


def test_planted_errors_of_a_treebank_are_mended_and_nothing_else_changes(tmp_path: Path) -> None:
    path = data("ud-2.3/UD_English-EWT/en_ewt-ud-dev.conllu")
    true = read(path, trees=False)
    truth = true.column("upos").strings()
    text = running_text([true])
    repeats = maximal_repeats(text, min_words=4)
    random = Random(8)
    chosen = random.sample(range(len(repeats)), 50)
    wrong = {}
    for repeat in chosen:
        word = int(text.words_at(repeats.places(repeat)[:1])[0]) + random.randrange(int(repeats.length[repeat]))
        wrong[word] = random.choice([tag for tag in ("NOUN", "VERB", "ADJ", "ADV", "PROPN") if tag != truth[word]])
    planted = tmp_path / "planted.conllu"
    planted.write_bytes(changed_bytes(true, {(word, "upos"): tag for word, tag in wrong.items()}))
    corpus = read(planted, trees=False)
    with_planted = running_text([corpus])
    found = suspicious_repeats(maximal_repeats(with_planted), column_labels(with_planted, "upos"))
    worklist = repeat_worklist(ranked(found).found)
    by_forms: dict[tuple[str, ...], list[int]] = {}
    forms = corpus.column("form").strings()
    lengths = {row.end - row.start + 1 for row in worklist.rows}
    for first, stop in pairwise(corpus.sentence_offsets.tolist()):
        for length in lengths:
            for at in range(first, stop - length + 1):
                by_forms.setdefault(tuple(forms[at : at + length]), []).append(at)
    numbers = {corpus.sent_id(one): one for one in range(corpus.n_sentences)}
    tags = corpus.column("upos").strings()

    def verdict(row: WorklistRow) -> tuple[str, str]:
        """What somebody says who knows the truth; where a side is right here and wrong there, that it is mixed."""
        at = int(corpus.sentence_offsets[numbers[row.sent_id]]) + row.start - 1
        position = int(row.id.split(".")[2].rstrip("di")) - 1
        places = [place + position for place in by_forms[tuple(forms[at : at + row.end - row.start + 1])]]
        sides = [[place for place in places if tags[place] == label] for label in labels_of(row)]
        wrongs = [{truth[place] for place in side} - {label} for side, label in zip(sides, labels_of(row), strict=True)]
        rights = [any(truth[place] == tags[place] for place in side) for side in sides]
        if not any(wrongs):
            return "ambiguity", ""
        if any(bad and (good or len(bad) > 1) for bad, good in zip(wrongs, rights, strict=True)) or all(wrongs):
            return "mixed", ""
        return ("error-in-a", wrongs[0].pop()) if wrongs[0] else ("error-in-b", wrongs[1].pop())

    decided = judged(worklist, verdict)
    result = correct(planted, saved(tmp_path, decided))
    write_corrected(result, tmp_path / "corrected.conllu")
    mended = {change.word for change in result.changes}
    assert mended <= set(wrong)
    assert len(mended) >= 45
    left = {(word, "upos"): tag for word, tag in wrong.items() if word not in mended}
    assert (tmp_path / "corrected.conllu").read_bytes() == changed_bytes(true, left)
