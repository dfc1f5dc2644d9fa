"""With `--like evalb` each line is a sentence, as EVALB reads it; the statuses here are those that EVALB printed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import karat
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import DataError
from karat.evaluation.results import Scores

GOOD = "(TOP (S (NP (NN rain)) (VP (VBZ falls))))"


def scored(tmp_path: Path, gold: str, system: str, *, intervals: bool = False) -> Scores:
    paths = [tmp_path / "gold.ptb", tmp_path / "system.ptb"]
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    return karat.score(*paths, like="evalb", intervals=intervals)


def statuses(scores: Scores) -> list[int]:
    assert scores.systems[0].evalb is not None
    return [int(one) for one in scores.systems[0].evalb.result.status]


@pytest.mark.parametrize(
    ("system", "status"),
    [
        (GOOD, 0),
        ("(NN rain) (VBZ falls)", 0),
        ("(NN rain)(S1 (VBZ falls))", 0),
        ("(TOP (S (X) (NP (NN rain)) (VP (VBZ falls) ())))", 0),
        ("(TOP (S ( ) (NP (NN rain)) (VP (VBZ falls))))", 1),
        ("(NN rain)", 1),
        ("( )", 1),
        ("( ( ) )", 1),
        ("(NULL )", 1),
        ("( rain)", 1),
        ("(TOP )", 2),  # a word that is deleted
        ("", 2),
        ("  ", 2),
        ("()", 2),
        ("(())", 2),
        ("(TOP)", 2),
        ("(NULL)", 2),
        ("(S1 (S))", 2),
    ],
)
def test_a_line_has_evalb_s_status(tmp_path: Path, system: str, status: int) -> None:
    for end in ("", "\n"):
        scores = scored(tmp_path, f"{GOOD}\n{GOOD}{end}", f"{system}\n{GOOD}{end}")
        assert statuses(scores) == [status, 0]


def test_a_line_of_several_trees_is_one_sentence(tmp_path: Path) -> None:
    line = "(P this) (Q is) (R a)"
    evalb = scored(tmp_path, f"{line}\n{GOOD}\n", f"(S {line})\n{GOOD}\n").systems[0].evalb
    assert evalb is not None
    assert evalb.result.length.tolist() == [3, 2]
    assert evalb.result.status.tolist() == [0, 0]
    assert (evalb.result.gold.tolist(), evalb.result.test.tolist()) == ([0, 3], [1, 3])


def test_a_line_that_is_blank_on_both_sides_is_skipped_and_no_sentence_of_the_test(tmp_path: Path) -> None:
    scores = scored(tmp_path, f"{GOOD}\n\n{GOOD}\n\n", f"{GOOD}\n\n{GOOD}\n\n", intervals=True)
    evalb = scores.systems[0].evalb
    assert evalb is not None
    assert statuses(scores) == [0, 2, 0, 2]
    assert (evalb.result.summary().n_sentences, evalb.result.summary().n_skipped) == (4, 2)
    assert evalb.left_out == ()
    assert evalb.every_sentence.summary().complete_match == 100


@pytest.mark.parametrize(("gold", "system"), [("\n\n", ""), ("", "\n \n")])
def test_blank_lines_at_the_end_of_one_side_do_not_count(tmp_path: Path, gold: str, system: str) -> None:
    scores = scored(tmp_path, f"{GOOD}\n\n{GOOD}\n{gold}", f"{GOOD}\n\n{GOOD}\n{system}", intervals=True)
    assert statuses(scores) == [0, 2, 0]


def test_trees_are_paired_where_only_one_side_has_blank_lines_between_them(tmp_path: Path) -> None:
    apart, together = f"{GOOD}\n\n{GOOD}\n", f"{GOOD}\n{GOOD}\n"
    assert statuses(scored(tmp_path, together, apart)) == [0, 0]
    assert statuses(scored(tmp_path, apart, together)) == [0, 2, 0]
    over_lines = together.replace("(VP", "\n  (VP")
    assert statuses(scored(tmp_path, over_lines, together)) == [0, 0]
    assert statuses(scored(tmp_path, together, over_lines)) == [0, 0]
    with pytest.raises(DataError, match="K712 3 trees where the gold has 2"):
        scored(tmp_path, together, together + GOOD)


def test_a_system_of_blank_lines_has_no_parse_at_all(tmp_path: Path) -> None:
    assert statuses(scored(tmp_path, f"{GOOD}\n{GOOD}\n", "\n\n")) == [2, 2]
    paths = tmp_path / "gold.ptb", tmp_path / "system.ptb"
    (system,) = karat.score(*paths).systems
    assert system.brackets is not None
    assert system.brackets.n_missing == 2
    assert system["Labelled F1"].value == 0
    paths[1].write_text("\n\n\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"system\.ptb:1:1: K712 3 trees where the gold has 2"):
        karat.score(*paths)
    paths[1].write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"system\.ptb:1:1: K104"):
        karat.score(*paths)


@pytest.mark.parametrize("like", [None, "evalb"])
@pytest.mark.parametrize("stray", ["parsed by Bix", "parsed", "one line\n\nand another"])
def test_a_stray_line_before_the_first_gold_tree_is_named(tmp_path: Path, like: str | None, stray: str) -> None:
    paths = tmp_path / "gold.ptb", tmp_path / "system.ptb"
    paths[0].write_text(f"\n{stray}\n{GOOD}\n", encoding="utf-8")
    paths[1].write_text(f"{GOOD}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        karat.score(*paths, like=like)  # type: ignore[arg-type]
    assert {one.path for one in caught.value.problems} == {str(paths[0])}
    assert (caught.value.code, caught.value.line) == ("K704", 2)


# ---- against a slow reader of single lines ---------------------------------------------------------------------------

Line = tuple[list[tuple[str, str]], list[tuple[str, int, int]]]  # tags and words; labels, first words, words behind


def line_as_evalb(line: str) -> Line:
    """The words of a line, and its brackets in the order in which they open."""
    words: list[tuple[str, str]] = []
    brackets: list[tuple[str, int, int]] = []
    opened: list[int] = []
    place = 0
    while place < len(line):
        if line[place] == ")":
            label, start, _ = brackets[opened[-1]]
            brackets[opened.pop()] = label, start, len(words)
        elif line[place] == "(":
            label = text_at(line, place + 1)
            place += len(label)
            behind = line[place + 1 :]
            rest = behind.lstrip()
            word = text_at(rest, 0)
            if rest != behind and rest[len(word)] == ")":
                words.append((label, word))
                place += len(behind) - len(rest) + len(word) + 1
            else:
                opened.append(len(brackets))
                brackets.append((label, len(words), -1))
        place += 1
    return words, [one for one in brackets if one[1] < one[2]]


def text_at(line: str, place: int) -> str:
    stop = place
    while stop < len(line) and line[stop] not in " ()":
        stop += 1
    return line[place:stop]


def lines_of(trees: Trees) -> list[Line]:
    found = []
    for number in range(trees.n_trees):
        one = trees.between(number, number + 1)
        words = list(zip(one.tags.strings(), one.forms.strings(), strict=True))
        columns = one.labels.strings(), one.start.tolist(), one.stop.tolist()
        found.append((words, list(zip(*columns, strict=True))))
    return found


def random_tree(random: Random, depth: int = 0) -> str:
    space = random.choice(["", " ", "  "])
    if depth == 3 or random.random() < 0.3:
        return random.choice(["(NN a)", "(VB bc)", "()", "(X)", "( )", "(X )", "( x)", "(, ,)", "(NN   a)"])
    children = space.join(random_tree(random, depth + 1) for _ in range(random.randint(1, 3)))
    return f"({random.choice(['S', 'NP-SBJ', '', 'TOP'])}{random.choice(['', ' '])}{children})"


def random_line(random: Random) -> str:
    return random.choice(["", " "]) + " ".join(random_tree(random) for _ in range(random.choice([0, 1, 1, 1, 2, 3])))


def test_random_lines_are_read_as_a_slow_reader_reads_them() -> None:
    random = Random(18)
    for _ in range(500):
        lines = [random_line(random) for _ in range(random.randint(1, 6))]
        text = "\n".join(lines) + random.choice(["", "\n"])
        if "(" not in text:
            continue
        trees = brackets_from_source(source_from_bytes(text.encode(), "t.ptb"), as_evalb=True)
        read = text.removesuffix("\n").split("\n")
        if text.endswith("\n\n") or not lines[-1]:
            read = text.split("\n")[:-1]  # the end of the text is no line
        assert lines_of(trees) == [line_as_evalb(line) for line in read], repr(text)
