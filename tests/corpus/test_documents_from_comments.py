"""Documents by a comment of each sentence: which sentences belong together, and what is said of those without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from cli_runs import Run
from examples import conllu, sentence
from karat.corpus import Corpus, conllu_from_source, documents_from_comments as module, source_from_bytes
from karat.corpus.chosen_sentences import chosen_sentences
from karat.corpus.documents_from_comments import DocumentComment, document_comment, with_documents
from karat.errors import DataError, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.systems.folds import folds_of
from realdata import data_files

FROM = DocumentComment("from")


def commented(*comments: str | None, name: str = "from") -> str:
    """A sentence for each value of the comment; None has none."""
    words = ["oak/NOUN", "grows/VERB", "well/ADV"]
    return "".join(
        ("" if value is None else f"# {name} = {value}\n") + sentence(*words[: 1 + number % 3], sent_id=f"s{number}")
        for number, value in enumerate(comments)
    )


def corpus(text: str) -> Corpus:
    return conllu_from_source(source_from_bytes(text.encode()))


def test_sentences_with_the_same_value_are_a_document_wherever_they_stand() -> None:
    found = with_documents(corpus(commented("b", "a", "b", "c", "a")), FROM)
    assert found.document_names == ("b", "a", "c")
    assert found.sentence_document.tolist() == [0, 1, 0, 2, 1]
    assert (found.n_documents, found.has_documents, found.warnings) == (3, True, ())


def test_a_sentence_without_the_comment_is_a_document_of_its_own_and_is_counted() -> None:
    found = with_documents(corpus(commented("a", None, "a", None)), FROM)
    assert found.sentence_document.tolist() == [0, 1, 0, 2]
    assert found.document_names == ("a", None, None)
    (warning,) = found.warnings
    assert warning.code == "W105"
    assert warning.message.startswith("2 of 4 sentences have no comment from")
    assert warning.line == 6


def test_the_comment_takes_the_place_of_newdoc() -> None:
    text = sentence("a/X", newdoc="n") + "# from = x\n" + sentence("b/X") + "# from = x\n" + sentence("c/X", newdoc="m")
    assert with_documents(corpus(text), FROM).sentence_document.tolist() == [0, 1, 1]


@given(st.lists(st.sampled_from(["a", "b", "c d", "ż", None]), min_size=1, max_size=12))
def test_documents_are_those_that_a_dictionary_gives(values: list[str | None]) -> None:
    text = corpus(commented(*values))
    if not any(values):
        with pytest.raises(DataError, match="no sentence has the comment"):
            with_documents(text, FROM)
        assert with_documents(text, FROM, may_lack=True) is text
        return
    numbers: dict[object, int] = {}
    keys = [number if value is None else value for number, value in enumerate(values)]
    expected = [numbers.setdefault(key, len(numbers)) for key in keys]
    found = with_documents(text, FROM)
    assert found.sentence_document.tolist() == expected
    assert [found.document_names[one] for one in expected] == values


@pytest.mark.parametrize(
    "written",
    ["#from=x", "#  from\t= \tx  ", "# from = x", "# fromage = y\n# from = x\n# from = z", "# from =\n# from = x"],
)
def test_comments_may_have_other_spaces_and_the_first_of_several_counts(written: str) -> None:
    text = "# from = x\n" + sentence("a/X") + f"{written}\n" + sentence("b/X")
    assert with_documents(corpus(text), FROM).document_names == ("x",)


def test_files_read_as_one_share_documents(tmp_path: Path) -> None:
    paths = [conllu(tmp_path / f"{name}.conllu", commented("x", name)) for name in ("one", "two")]
    found = with_documents(karat.read(paths), FROM)
    assert found.sentence_document.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("value", "document"),
    [
        ("Text_7#3", "Text_7"),
        ("Text_7_A#3", "Text_7"),
        ("Text_7_B", "Text_7"),
        ("Text_7_C#1", "Text_7_C"),
        ("Text_A_7#1", "Text_A_7"),
        ("Text_morph_2-p#morph_2.3-s", "Text"),
        ("Text_A_morph_2#4", "Text"),
        ("Text_morph_A_morph#4", "Text"),
    ],
)
def test_of_orig_file_sentence_layers_and_halves_are_left_out(value: str, document: str) -> None:
    assert DocumentComment("orig_file_sentence").names([value]) == [document]


def test_pdb_has_its_documents() -> None:
    files = data_files("ud-2.18/UD_Polish-PDB/*.conllu")
    found = with_documents(karat.read(files, trees=False), DocumentComment("orig_file_sentence"))
    assert (found.n_sentences, found.n_documents, found.warnings) == (4430, 2449, ())


def test_a_pattern_has_the_document_in_its_first_group() -> None:
    text = corpus(commented("news-1", "blog-7", "news-2", "odd"))
    found = with_documents(text, DocumentComment("from", r"^(\w+)-(\d)"))
    assert found.sentence_document.tolist() == [0, 1, 0, 2]
    assert found.document_names == ("news", "blog", None)
    assert found.warnings[0].message.startswith("1 of 4")
    with pytest.raises(DataError, match="matches no comment from"):
        with_documents(text, DocumentComment("from", "(x+)y"))


def test_a_pattern_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", 1.0)
    text = corpus(commented("a" * 60))
    with pytest.raises(UsageError, match="takes more than 1 seconds: repetitions inside repetitions"):
        with_documents(text, DocumentComment("from", "^((a+)+)b"))


@pytest.mark.parametrize(
    ("comment", "pattern", "says"),
    [
        ("from", "(", "is not a regular expression"),
        ("from", "a+", "has no group"),
        ("", None, "no comment can be called"),
        ("a = b", None, "no comment can be called"),
        (None, "(a)", "needs the name of the comment"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(comment: str | None, pattern: str | None, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        document_comment(comment, pattern)


def test_only_conllu_has_such_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("oak\tNOUN\n\nash\tNOUN\n", encoding="utf-8")
    with pytest.raises(UsageError, match="only CoNLL-U has comments"):
        with_documents(karat.read(path), FROM)


@given(st.lists(st.sampled_from("abcde"), min_size=2, max_size=20), st.integers(0, 3))
def test_chosen_sentences_keep_their_documents(values: list[str], seed: int) -> None:
    whole = with_documents(corpus(commented(*values)), FROM)
    order = np.random.default_rng(seed).permutation(len(values))[: 1 + len(values) // 2]
    found = chosen_sentences(whole, order)
    names = [found.document_names[one] for one in found.sentence_document.tolist()]
    assert names == [values[one] for one in order.tolist()]
    assert found.n_documents == len({*names})


@given(st.lists(st.sampled_from("abcdef"), min_size=8, max_size=30), st.integers(0, 5))
def test_no_such_document_is_in_two_folds_and_folds_are_even(values: list[str], seed: int) -> None:
    whole = with_documents(corpus(commented(*values)), FROM)
    if whole.n_documents < 3:
        return
    fold = folds_of(whole, 3, None, seed)
    assert all(len({*fold[whole.sentence_document == one].tolist()}) == 1 for one in range(whole.n_documents))
    n_words = np.bincount(fold.take(whole.words_sentence), minlength=3)
    largest = max(np.bincount(whole.sentence_document.take(whole.words_sentence)))
    assert n_words.max() - n_words.min() <= largest


def test_folds_of_runs_are_the_same_as_of_groups() -> None:
    marked = "".join(
        sentence(*["a/X"] * (1 + n % 4), newdoc=f"d{n}") + "".join([sentence("b/X")] * (n % 3)) for n in range(12)
    )
    runs = corpus(marked)
    groups = replace(runs, document_groups=runs.sentence_document)
    assert np.array_equal(folds_of(runs, 4, "document", 5), folds_of(groups, 4, "document", 5))


# ---- on the common road ----------------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    monkeypatch.chdir(tmp_path)
    values = [f"{name}{number}" for number in range(2) for name in "abcdefgh"]
    conllu(tmp_path / "gold.conllu", commented(*(f"text-{value[0]}#{value[1]}" for value in values)))
    conllu(tmp_path / "one.conllu", commented(*[None] * len(values)).replace("ADV", "NOUN"))
    conllu(tmp_path / "two.conllu", commented(*[None] * len(values)).replace("VERB", "NOUN"))
    return lambda *arguments: Run(capsys, *arguments)


WHERE = ["--document-from", "from", "--document-pattern", "^([^#]*)#"]


def test_score_and_compare_are_over_these_documents(run: Callable[..., Run], tmp_path: Path) -> None:
    found = run("score", "gold.conllu", "one.conllu", "--measure", "UPOS", *WHERE, "--json").json
    assert found["gold"]["documents"] == 8
    assert "document-from:from|document-pattern:^([^#]*)#" in found["signature"]
    groups = "".join(f"{one}\n" for _ in range(2) for one in "abcdefgh")
    (tmp_path / "groups").write_text(groups, encoding="utf-8")
    by_file = run("score", "gold.conllu", "one.conllu", "--measure", "UPOS", "--cluster", "groups", "--json").json
    assert found["systems"][0]["measures"] == by_file["systems"][0]["measures"]
    both = ["compare", "gold.conllu", "one.conllu", "two.conllu", "--measure", "UPOS", "--json"]
    over, beside = run(*both, *WHERE).json, run(*both, "--cluster", "groups").json
    assert [one["p"] for one in over["pairs"]] == [one["p"] for one in beside["pairs"]]
    assert (over["pairs"][0]["cluster"], over["pairs"][0]["n_clusters"]) == ("document", 8)


def test_a_signature_has_no_other_bar_than_between_settings(run: Callable[..., Run]) -> None:
    where = ["--document-from", "from", "--document-pattern", "^(text-[a-d]|text)"]
    assert "^(text-[a-d]%7Ctext)|" in run("score", "gold.conllu", "one.conllu", *where, "--json").json["signature"]


def test_a_gold_without_the_comment_in_some_sentences_is_warned_of(run: Callable[..., Run], tmp_path: Path) -> None:
    conllu(tmp_path / "some.conllu", commented("a", "b", None, "a", "b"))
    found = run("score", "some.conllu", "some.conllu", "--document-from", "from")
    assert found.code == 0
    assert "W105 1 of 5 sentences have no comment from" in found.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("score gold.conllu one.conllu --document-pattern (a)", 2, "--document-pattern requires --document-from"),
        ("score gold.conllu one.conllu --document-from nix", 3, "K607 no sentence has the comment # nix"),
        ("score gold.conllu one.conllu --document-from from --document-pattern (", 2, "not a regular expression"),
        ("score --gold-dir . --system-dir . --document-from from", 2, "works with one treebank at a time"),
        ("tag gold.conllu -m model --document-from from", 2, "--document-from requires --system"),
    ],
)
def test_bad_requests_are_refused_in_plain_words(arguments: str, code: int, says: str, run: Callable[..., Run]) -> None:
    found = run(*arguments.split())
    assert (found.code, says in found.err) == (code, True), found.err


def test_tag_deals_out_these_documents(run: Callable[..., Run]) -> None:
    asked = "tag gold.conllu --system most-frequent --folds 4 --fold-by document".split()
    assert "no documents marked: too few" in run(*asked, "-o", "x.conllu").err
    assert run(*asked, *WHERE, "-o", "tagged.conllu", "--json").json["words"] > 0
    text = karat.read("gold.conllu")
    found = karat.tag_folds(
        "most-frequent", text, folds=4, document_from=WHERE[1], document_pattern=WHERE[3], column="upos"
    )
    assert found.files == [Path("tagged.conllu").read_bytes()]


def test_clusters_are_called_by_the_names_of_documents() -> None:
    found = clusters_of(with_documents(corpus(commented("b", "a", "b")), FROM))
    assert found.name_of is not None
    assert (found.kind, [found.name_of(one) for one in range(found.n)]) == ("document", ["b", "a"])
