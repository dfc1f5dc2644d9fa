"""What a page counts and lists is what the files say, checked word by word in plain Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import karat
from examples import EXAMPLES
from karat.corpus import read_conllu
from karat.report.page.error_lists import ErrorLists
from karat.report.page.evidence import PageEvidence, gathered
from karat.report.page.sentences import SentenceViews

Row = list[str]


def rows(path: Path) -> list[list[Row]]:
    """The words of every sentence, by their columns; multiword tokens and empty nodes are left out."""
    text = path.read_text(encoding="utf-8").strip("\n")
    sentences = []
    for block in text.split("\n\n"):
        lines = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        sentences.append([line for line in lines if line[0].isdigit()])
    return sentences


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gold and two systems with the same words: tags and heads of some are changed."""
    made = tmp_path_factory.mktemp("numbers")
    gold = (EXAMPLES / "gold.conllu").read_text(encoding="utf-8")
    (made / "gold.conllu").write_text(gold, encoding="utf-8")
    for name, seed in (("one", 1), ("two", 2)):
        chance = np.random.default_rng(seed)
        lines = []
        for line in gold.split("\n"):
            columns = line.split("\t")
            if columns[0].isdigit():
                if chance.random() < 0.2:
                    columns[3] = str(chance.choice(["NOUN", "VERB", "ADJ"]))
                if chance.random() < 0.2:
                    columns[7] = str(chance.choice(["obj", "nmod", "obl"]))
            lines.append("\t".join(columns))
        (made / f"{name}.conllu").write_text("\n".join(lines), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def evidence(folder: Path) -> PageEvidence:
    systems = [(name, folder / f"{name}.conllu") for name in ("one", "two")]
    return gathered(
        folder / "gold.conllu", systems, measures=["UPOS", "LAS"], settings={}, lexicon=folder / "two.conllu"
    )


def wrong(folder: Path, name: str, column: int) -> list[tuple[int, Row, Row]]:
    """Every word that a system has wrong in a column: its sentence, the gold's row and the system's."""
    both = zip(rows(folder / "gold.conllu"), rows(folder / f"{name}.conllu"), strict=True)
    return [
        (number, ours, theirs)
        for number, (gold, system) in enumerate(both)
        for ours, theirs in zip(gold, system, strict=True)
        if ours[column].partition(":")[0] != theirs[column].partition(":")[0]
    ]


def sentences_of(lists: ErrorLists, name: str) -> tuple[int, list[int]]:
    found = lists.lists[name]
    return found.n_units, found.sentences.tolist()


def test_a_list_of_errors_has_all_of_them(folder: Path, evidence: PageEvidence) -> None:
    lists = ErrorLists(evidence)
    expected = wrong(folder, "one", 3)
    assert sentences_of(lists, lists.errors("one", "UPOS")) == (len(expected), sorted({one[0] for one in expected}))


def test_a_list_of_a_group_has_the_errors_whose_gold_label_it_is(folder: Path, evidence: PageEvidence) -> None:
    lists = ErrorLists(evidence)
    expected = [one for one in wrong(folder, "two", 3) if one[1][3] == "DET"]
    found = sentences_of(lists, lists.in_group("two", "UPOS", "upos", "DET"))
    assert found == (len(expected), sorted({one[0] for one in expected}))


def test_a_list_of_a_confusion_has_that_confusion(folder: Path, evidence: PageEvidence) -> None:
    lists = ErrorLists(evidence)
    pairs = Counter((ours[3], theirs[3]) for _, ours, theirs in wrong(folder, "one", 3))
    (gold, given), count = pairs.most_common(1)[0]
    expected = [number for number, ours, theirs in wrong(folder, "one", 3) if (ours[3], theirs[3]) == (gold, given)]
    found = sentences_of(lists, lists.confusion("one", "upos", gold, given))
    assert found == (count, sorted(set(expected)))


def test_lists_of_pairs_are_the_errors_of_one_alone(folder: Path, evidence: PageEvidence) -> None:
    lists = ErrorLists(evidence)
    ours, theirs = ({(n, row[0]) for n, row, _ in wrong(folder, name, 3)} for name in ("one", "two"))
    assert sentences_of(lists, lists.only_one_right("one", "two", "UPOS"))[0] == len(theirs - ours)
    assert sentences_of(lists, lists.only_one_right("two", "one", "UPOS"))[0] == len(ours - theirs)


@pytest.mark.parametrize("group", ["unknown", "known", "unambiguous", "ambiguous"])
def test_lists_by_lexicon_are_by_what_the_lexicon_knows(folder: Path, evidence: PageEvidence, group: str) -> None:
    tags: dict[str, set[str]] = {}
    for sentence in rows(folder / "two.conllu"):
        for row in sentence:
            tags.setdefault(row[1], set()).add(row[3])

    def is_in(form: str) -> bool:
        n = len(tags.get(form, ()))
        return {"unknown": n == 0, "known": n > 0, "unambiguous": n == 1, "ambiguous": n > 1}[group]

    expected = [one for one in wrong(folder, "one", 3) if is_in(one[1][1])]
    lists = ErrorLists(evidence)
    name = lists.in_group("one", "UPOS", "lexicon", group)
    assert (sentences_of(lists, name)[0] if name else 0) == len(expected)


def test_groups_have_the_scores_and_sizes_of_score(folder: Path, evidence: PageEvidence) -> None:
    scores = karat.score(folder / "gold.conllu", {"one": folder / "one.conllu"}, by=["upos", "length", "document"])
    for split in ("upos", "length", "document"):
        groups = [one for one in evidence.groups(split) if one.measure.name == "UPOS"]
        assert len(groups) == len(scores.systems[0].by[split])
        for group in groups:
            expected = scores.systems[0].by[split][group.name]["UPOS"]
            first = group.scores[0]
            assert first is not None
            assert (first.value, group.size) == (expected.value, expected.gold)


def test_every_list_has_some_embedded_sentence_if_there_is_room(evidence: PageEvidence) -> None:
    lists = ErrorLists(evidence)
    for system in ("one", "two"):
        lists.errors(system, "UPOS")
        for group in evidence.groups("upos"):
            lists.in_group(system, "UPOS", "upos", group.name)
    chosen = set(lists.sentences(40))
    assert len(chosen) <= 40
    assert [one.id for one in lists if not chosen & set(one.sentences.tolist())] == []
    assert len(lists.sentences(7)) == 7


def test_a_sentence_shows_exactly_the_words_that_differ(folder: Path, evidence: PageEvidence) -> None:
    views = SentenceViews(evidence)
    expected = {
        (number, int(ours[0]))
        for column in (3, 7)
        for name in ("one", "two")
        for number, ours, _ in wrong(folder, name, column)
    }
    shown = set()
    for number in range(evidence.gold.n_sentences):
        view = views.sentence(number, drawn=False)
        assert [word for word, _ in view.words] == list(read_conllu(folder / "gold.conllu").words_of(number))
        shown |= {(number, place) for place, (_, is_marked) in enumerate(view.words, 1) if is_marked}
    assert shown == expected


def test_names_of_sentences_are_their_own(evidence: PageEvidence) -> None:
    views = SentenceViews(evidence)
    names = [views.id_of(number) for number in range(evidence.gold.n_sentences)]
    assert len(set(names)) == len(names)
