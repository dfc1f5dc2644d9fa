"""Suspicious repeats that are acknowledged exceptions, and exceptions that are about nothing any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import karat
from cli_runs import Run
from examples import conllu, sentence
from karat.gold.exceptions import AcknowledgedException, Exceptions, exceptions_text, read_exceptions
from karat.gold.repeats.acknowledged import exceptions_from
from karat.gold.repeats.audit import AuditItem

Ways = frozenset[tuple[str, ...]]
WAYS: Ways = frozenset([("DET", "ADJ", "NOUN"), ("DET", "NOUN", "NOUN")])
WORDS = ("the", "old", "gate")
SENTENCES = (
    sentence("the/DET", "old/ADJ", "gate/NOUN", "creaks/VERB", sent_id="g1"),
    sentence("the/DET", "old/ADJ", "gate/NOUN", "sticks/VERB", sent_id="g2"),
    sentence("So/ADV", "the/DET", "old/NOUN", "gate/NOUN", "fell/VERB", sent_id="g3"),
)
WELL = (
    sentence("we/PRON", "may/AUX", "well/ADV", "win/VERB", sent_id="g4"),
    sentence("we/PRON", "may/AUX", "well/INTJ", "lose/VERB", sent_id="g5"),
)


def about(
    words: tuple[str, ...] = WORDS,
    ways: Ways = WAYS,
    sent_id: str = "",
    token: int | None = None,
    reason: str = "both are said",
    judge: str = "",
) -> AcknowledgedException:
    return AcknowledgedException("repeat", "upos", words, ways, sent_id, token, reason, judge)


def found(
    tmp_path: Path, *entries: AcknowledgedException, more: tuple[str, ...] = (), max_words: int | None = None
) -> karat.Audit:
    corpus = conllu(tmp_path / "gate.conllu", *SENTENCES, *more)
    path = tmp_path / "exceptions.tsv"
    path.write_text(exceptions_text(entries))
    return karat.repeats(corpus, options=karat.RepeatOptions(max_words=max_words), exceptions=path)


def words_of(audit: karat.Audit) -> list[str]:
    return [" ".join(item.words) for item in audit.items()]


def test_what_an_exception_names_is_no_finding(tmp_path: Path) -> None:
    audit = found(tmp_path, about(), more=WELL)
    assert words_of(audit) == ["we may well"]
    assert (audit.n_suspicious, audit.n_acknowledged, audit.stale) == (2, 1, ())
    assert audit.to_dict()["acknowledged"] == 1


def test_another_label_makes_it_a_finding_again(tmp_path: Path) -> None:
    new = sentence("near/ADP", "the/DET", "old/PROPN", "gate/NOUN", sent_id="g6")
    audit = found(tmp_path, about(), more=(new,))
    assert (words_of(audit), audit.n_acknowledged, audit.stale) == (["the old gate"], 0, ())


def test_a_further_place_with_a_label_that_is_named_does_not(tmp_path: Path) -> None:
    new = sentence("near/ADP", "the/DET", "old/NOUN", "gate/NOUN", sent_id="g6")
    assert words_of(found(tmp_path, about(), more=(new,))) == []


def test_an_exception_without_labels_is_about_any(tmp_path: Path) -> None:
    new = sentence("near/ADP", "the/DET", "old/PROPN", "gate/NOUN", sent_id="g6")
    audit = found(tmp_path, about(ways=frozenset()), more=(new,))
    assert (words_of(audit), audit.stale) == ([], ())


def test_labels_of_several_exceptions_are_taken_together(tmp_path: Path) -> None:
    new = sentence("near/ADP", "the/DET", "old/PROPN", "gate/NOUN", sent_id="g6")
    other = about(ways=frozenset([("DET", "ADJ", "NOUN"), ("DET", "PROPN", "NOUN")]))
    audit = found(tmp_path, about(), other, more=(new,))
    assert (words_of(audit), audit.stale) == ([], ())


def test_an_exception_about_more_words_is_not_about_a_part_of_them(tmp_path: Path) -> None:
    longer = about((*WORDS, "creaks"), frozenset([("DET", "ADJ", "NOUN", "VERB"), ("DET", "NOUN", "NOUN", "VERB")]))
    audit = found(tmp_path, longer)
    assert words_of(audit) == ["the old gate"]
    assert [one.line for one in audit.stale] == [5]


@pytest.mark.parametrize(
    ("entry", "is_acknowledged"),
    [
        (about(ways=frozenset(), sent_id="g3"), True),
        (about(ways=frozenset(), sent_id="g3", token=2), True),
        (about(ways=frozenset([("DET", "NOUN", "NOUN")]), sent_id="g3", token=2), True),
        (about(ways=frozenset([("DET", "ADJ", "NOUN")]), sent_id="g3", token=2), False),
        (about(ways=frozenset(), sent_id="g3", token=3), False),
        (about(ways=frozenset(), sent_id="g4"), False),
    ],
)
def test_an_exception_about_a_place_takes_it_out(
    tmp_path: Path, entry: AcknowledgedException, is_acknowledged: bool
) -> None:
    audit = found(tmp_path, entry)
    assert (len(audit) == 0) == is_acknowledged
    assert (len(audit.stale) == 0) == is_acknowledged


def test_a_place_that_is_one_of_several_is_not_enough(tmp_path: Path) -> None:
    audit = found(tmp_path, about(ways=frozenset(), sent_id="g1"))
    assert (words_of(audit), audit.stale) == (["the old gate"], ())
    both = [about(ways=frozenset(), sent_id=name) for name in ("g1", "g2")]
    assert words_of(found(tmp_path, *both)) == []


def test_an_exception_without_a_reason_does_not_count(tmp_path: Path) -> None:
    audit = found(tmp_path, about(reason=""), about(("a", "b", "c"), frozenset(), reason=""))
    assert (words_of(audit), audit.n_acknowledged, audit.stale) == (["the old gate"], 0, ())
    path = tmp_path / "exceptions.tsv"
    assert f"{path}: 2 exceptions have no reason and do not count (lines 5, 6)" in audit.warnings


def test_exceptions_that_are_about_nothing_any_more_are_listed_with_their_lines(tmp_path: Path) -> None:
    gone = about(("a", "new", "gate"), frozenset())
    changed = about(ways=frozenset([("DET", "ADJ", "NOUN"), ("DET", "X", "NOUN")]))
    audit = found(tmp_path, about(), gone, changed)
    path = tmp_path / "exceptions.tsv"
    assert [str(one) for one in audit.stale] == [
        f"{path}:6:1: K944 stale: no such finding any more: a new gate",
        f"{path}:7:1: K944 stale: no such finding any more: the old gate",
    ]
    assert [one["line"] for one in audit.to_dict()["stale_exceptions"]] == [6, 7]


def test_what_is_not_looked_for_is_not_stale(tmp_path: Path) -> None:
    entries = [
        replace(about(("a", "b", "c"), frozenset()), column="xpos"),
        replace(about(("a",), frozenset([("X",)]), "s", 1), kind="suspect"),
        about(("a", "b"), frozenset()),
        about(("a", "b", "c", "d", "e"), frozenset()),
    ]
    assert found(tmp_path, *entries, max_words=4).stale == ()


def test_exceptions_and_a_baseline_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = conllu(tmp_path / "old.conllu", *WELL)
    baseline = tmp_path / "baseline.json"
    baseline.write_text(Run(capsys, "repeats", corpus, "--json").out)
    new = (
        sentence("it/PRON", "was/AUX", "like/ADP", "this/PRON"),
        sentence("it/PRON", "was/AUX", "like/VERB", "that/PRON"),
    )
    path = conllu(tmp_path / "new.conllu", *WELL, *SENTENCES, *new)
    (tmp_path / "x.tsv").write_text(exceptions_text([about()]))
    run = Run(capsys, "repeats", path, "--check", "--baseline", str(baseline), "--exceptions", str(tmp_path / "x.tsv"))
    assert run.code == 1
    assert "1 new, 1 as in the baseline, 0 of the baseline no longer there. 1 acknowledged" in run.out.replace(
        "\n", " "
    )
    assert "it was [like]" in run.out


def test_a_result_with_exceptions_is_a_baseline_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = conllu(tmp_path / "gate.conllu", *SENTENCES, *WELL)
    (tmp_path / "x.tsv").write_text(exceptions_text([about()]))
    (tmp_path / "b.json").write_text(
        Run(capsys, "repeats", corpus, "--json", "--exceptions", str(tmp_path / "x.tsv")).out
    )
    run = Run(capsys, "repeats", corpus, "--check", "--baseline", str(tmp_path / "b.json"), "--json")
    assert [item["words"] for item in run.json["items"]] == [list(WORDS)]


# ---- from findings to exceptions -------------------------------------------------------------------------------------


def filled(text: str, reason: str = "so it is") -> str:
    """A file of exceptions with a reason in every row."""
    *head, header = text.splitlines()[:4]
    at = header.split("\t").index("reason")
    rows = []
    for line in text.splitlines()[4:]:
        cells = line.split("\t")
        cells[at] = cells[at] or reason
        rows.append("\t".join(cells))
    return "\n".join([*head, header, *rows]) + "\n"


def test_findings_written_as_exceptions_and_given_reasons_are_findings_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = conllu(tmp_path / "gate.conllu", *SENTENCES, *WELL)
    path = tmp_path / "x.tsv"
    run = Run(capsys, "repeats", corpus, "--write-exceptions", str(path))
    assert run.err == f"{path}: 2 findings to give a reason for\n"
    check = ("repeats", corpus, "--check", "--exceptions", str(path))
    assert Run(capsys, *check).code == 1
    path.write_text(filled(path.read_text()))
    run = Run(capsys, *check)
    assert run.code == 0
    assert run.err == ""
    assert "2 acknowledged exceptions are not listed. All suspicious repeats are acknowledged." in " ".join(
        run.out.split()
    )


def test_exceptions_are_renewed_with_their_reasons_and_without_stale_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = conllu(tmp_path / "gate.conllu", *SENTENCES, *WELL)
    old, new = tmp_path / "old.tsv", tmp_path / "new.tsv"
    suspect = AcknowledgedException("suspect", "upos", ("a",), frozenset([("X",)]), "s", 1, "so")
    empty = about(("we", "may", "well"), frozenset([("PRON", "AUX", "ADV"), ("PRON", "AUX", "INTJ")]), reason="")
    old.write_text(exceptions_text([about(("a", "b", "c"), frozenset()), about(judge="ina"), suspect, empty]))
    run = Run(capsys, "repeats", corpus, "--exceptions", str(old), "--write-exceptions", str(new))
    assert f"{new}: 1 finding to give a reason for, 2 with their reasons" in run.err
    assert list(read_exceptions(new).entries) == [about(judge="ina"), suspect, empty]


def test_neither_inputs_nor_reasons_are_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = conllu(tmp_path / "gate.conllu", *SENTENCES)
    path = tmp_path / "x.tsv"
    path.write_text(exceptions_text([about()]))
    before = path.read_bytes()
    for more in ((), ("--exceptions", str(path))):
        assert Run(capsys, "repeats", corpus, *more, "--write-exceptions", str(path)).code == 2
    assert path.read_bytes() == before
    assert Run(capsys, "repeats", corpus, "--write-exceptions", "-").code == 2


@settings(max_examples=40)
@given(st.data())
def test_exceptions_written_for_some_findings_leave_the_others(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Also of dependencies and of tokenisation, whose labels have bars, and nothing, in them."""
    folder = tmp_path_factory.mktemp("acknowledged")
    word = st.tuples(st.sampled_from(["a", "b", "|", "c d"]), st.sampled_from(["X", "Y", "|"]))
    texts = data.draw(st.lists(st.lists(word, min_size=2, max_size=6), min_size=2, max_size=8))
    corpus = conllu(folder / "x.conllu", *(sentence(*(f"{form}/{tag}" for form, tag in one)) for one in texts))
    options = data.draw(
        st.sampled_from(
            [
                karat.RepeatOptions(min_words=2),
                karat.RepeatOptions(min_words=2, dependencies=True),
                karat.RepeatOptions(min_words=2, tokenisation=True),
                karat.RepeatOptions(min_words=2, column="upos+deprel"),
            ]
        )
    )
    audit = karat.repeats(corpus, options=options)
    entries = exceptions_from(audit)
    chosen = [data.draw(st.booleans()) for _ in entries]
    named = [replace(one, reason="so it is") for one, is_chosen in zip(entries, chosen, strict=True) if is_chosen]
    (folder / "x.tsv").write_text(exceptions_text(named))
    left = karat.repeats(corpus, options=options, exceptions=folder / "x.tsv")
    expected = [key(item) for item, is_chosen in zip(audit.items(), chosen, strict=True) if not is_chosen]
    assert sorted(map(key, left.items())) == sorted(expected)
    assert (left.n_acknowledged, left.stale) == (sum(chosen), ())
    assert karat.repeats(corpus, options=options, exceptions=Exceptions(tuple(named))).n_acknowledged == sum(chosen)


def key(item: AuditItem) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    return item.words, sorted(way.labels for way in item.labellings)
