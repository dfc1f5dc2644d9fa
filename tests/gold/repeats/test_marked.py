"""Words that are marked as wrong take part in no repeat, beside brute force over words that are equal to nothing."""

from __future__ import annotations

from hypothesis import given, strategies as st

from karat.corpus import conllu_from_source, source_from_bytes
from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.marked import without_marked
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpora_at_random
from repeat_reference import Word, found_repeats, found_suspicious, units_of

_MARKS = st.sampled_from(["", "", "", "", "feats", "misc", "typo in misc", "goeswith"])


def rows_of(sentence: list[Word], marks: list[str]) -> list[str]:
    rows = []
    for at, (word, mark) in enumerate(zip(sentence, marks, strict=True), start=1):
        feats = "Case=Nom|Typo=Yes" if mark == "feats" else "Typo=No"
        misc = {"misc": "CorrectForm=_|Gloss=x", "typo in misc": "Typo=Yes"}.get(mark, "NotCorrectForm=x")
        relation = "goeswith:x" if mark == "goeswith" else word.deprel
        rows.append("\t".join(map(str, [at, word.form, "_", word.upos, "_", feats, word.head, relation, "_", misc])))
    return [*rows, ""]


def marked_words(sentence: list[Word], marks: list[str]) -> set[int]:
    """The words, from 0, that are marked."""
    found = {at for at, mark in enumerate(marks) if mark}
    return found | {sentence[at].head - 1 for at, mark in enumerate(marks) if mark == "goeswith"}


@given(corpora_at_random(), st.data())
def test_repeats_are_those_of_a_text_in_which_marked_words_are_equal_to_nothing(
    corpora: list[list[list[Word]]], data: st.DataObject
) -> None:
    marks = [[[data.draw(_MARKS) for _ in sentence] for sentence in corpus] for corpus in corpora]
    read = []
    for corpus, of_corpus in zip(corpora, marks, strict=True):
        lines = [row for one, its in zip(corpus, of_corpus, strict=True) for row in rows_of(one, its)]
        read.append(conllu_from_source(source_from_bytes("\n".join([*lines, ""]).encode()), trees=False))
    units = units_of(corpora)
    for number, corpus in enumerate(corpora):
        for place, sentence in enumerate(corpus):
            for word in marked_words(sentence, marks[number][place]):
                if 0 <= word < len(sentence):
                    units[number][place][word] = f"{number} {place} {word}", word
    for words in (True, False):
        text = running_text(read, punctuation=words)
        broken = without_marked(text)
        assert broken.words_at is not None
        assert column_labels(broken, "upos").codes.tolist() == column_labels(text, "upos").codes.tolist()
    broken = without_marked(running_text(read))
    repeats = maximal_repeats(broken, min_words=1)
    expected = found_repeats(units, min_words=1)
    assert {repeats.words(row) for row in range(len(repeats))} == set(expected)
    labels = column_labels(broken, "upos")
    found = suspicious_repeats(repeats, labels)
    slow = found_suspicious(corpora, expected, "upos")
    assert {found.words(row) for row in range(len(found))} == set(slow)
    for row in range(len(found)):
        places = {span.words for way in found.labellings(row) for span in way.spans}
        assert places == {words for way in slow[found.words(row)].labellings.values() for _, _, words in way}
    assert len(dependency_labels(broken).codes) == len(broken.codes)


def test_one_marked_word_is_enough_for_a_multiword_token() -> None:
    rows = ["1-2\tdont\t_\t_\t_\t_\t_\t_\t_\tCorrectForm=don't", "1\tdo\t_\tX\t_\t_\t0\troot\t_\t_"]
    rows += ["2\tnt\t_\tX\t_\t_\t1\tdep\t_\t_", "3\tgo\t_\tX\t_\t_\t1\tdep\t_\t_", "", ""]
    text = running_text([conllu_from_source(source_from_bytes("\n".join(rows).encode()))])
    assert [code >= 0 for code in without_marked(text).codes.tolist()] == [False, False, True, False]
    rows[0] = rows[0].replace("CorrectForm=don't", "_")
    rows[2] = rows[2].replace("\tX\t_\t_\t", "\tX\t_\tTypo=Yes\t")
    text = running_text([conllu_from_source(source_from_bytes("\n".join(rows).encode()))])
    assert [code >= 0 for code in without_marked(text).codes.tolist()] == [False, False, True, False]
