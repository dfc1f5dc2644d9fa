"""Compiled code gives what numpy gives, array for array; and is used only where it pays."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat import _compiled
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.interning import Spans, interned, same_strings
from karat.corpus.readers import brackets
from karat.corpus.readers._compiled_brackets import plain_trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import Source, read_source
from karat.errors import DataError
from karat.measures.brackets.evalb import COLLINS, EvalbParameters, evalb, evalb_both_ways
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.preparation import Brackets, Preparation, nearest_kept, prepared
from realdata import data_files
from tree_corruptions import corrupted_tree

Result = TypeVar("Result")
FAR_FROM_ENOUGH, ENOUGH = -(1 << 60), 1 << 60


def both_ways(work: Callable[[], Result]) -> tuple[Result, Result]:
    """What the work gives with numpy, and what it gives with compiled code."""
    before = _compiled._n_bytes_so_far
    try:
        _compiled._n_bytes_so_far = FAR_FROM_ENOUGH
        with_numpy = work()
        _compiled._n_bytes_so_far = ENOUGH
        return with_numpy, work()
    finally:
        _compiled._n_bytes_so_far = before


def assert_same(one: object, other: object) -> None:
    """Two values are of one type and equal, field by field and, for arrays, in their types too."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    elif isinstance(one, Source):
        assert one is other
    elif isinstance(one, (Trees, Spans, Brackets)):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    else:
        assert one == other


def source(text: str) -> Source:
    return source_from_bytes(text.encode(), "t.ptb")


def read_both_ways(text: Source) -> Trees:
    """The trees, which are the same both ways and for which numpy was not asked twice; and with the thorough reader."""
    with_numpy, compiled = both_ways(lambda: brackets_from_source(text))
    assert_same(with_numpy, compiled)
    with patch("karat.corpus.readers.brackets._plain_trees", lambda *_, **__: None):
        thorough, _ = both_ways(lambda: brackets_from_source(text))
    assert_same(thorough, compiled)
    assert plain_trees(text) is not None
    return compiled


# ---- reading


@pytest.mark.parametrize("text", ["(S (NN a) (NP (NN b)))\n(())\n\n( (S\n  (NN ä)))\n", "(S(NP(NN a))(NN b))"])
def test_what_is_plainly_well_formed_is_read_in_one_go(text: str) -> None:
    assert brackets._plain_trees(source(text)) is not None


@given(st.integers(0, 10**9), st.integers(1, 200), st.booleans())
def test_trees_are_the_same_however_many_bytes_are_taken_at_once(seed: int, n_bytes: int, every_line: bool) -> None:
    gold, _ = random_pair(random.Random(seed))
    whole = brackets._plain_trees(gold.source)
    with patch("karat.corpus.readers._plain_brackets._BYTES_AT_ONCE", n_bytes):
        assert_same(brackets._plain_trees(gold.source), whole)
    with_numpy, _ = both_ways(lambda: brackets_from_source(gold.source, every_line=every_line))
    with patch("karat.corpus.readers.brackets._plain_trees", lambda *_, **__: None):
        thorough, _ = both_ways(lambda: brackets_from_source(gold.source, every_line=every_line))
    assert_same(with_numpy, thorough)


_spaces = st.sampled_from([" ", "", "  ", "\n", "\r\n", "\n\n", "\t", " \n  ", "\x0b\x0c"])
_texts = st.sampled_from(
    ["NN", "-NONE-", ".", "a", "b-c", "ä", "-LRB-", "it's", "50%", "日本語", "w" * 23, "\x01", "&'\"$"]
)


@st.composite
def trees_with_layout(draw: st.DrawFn, max_depth: int = 5) -> str:
    """A tree with any spaces wherever some may stand."""
    before, behind = draw(_spaces), draw(_spaces)
    if max_depth == 0 or draw(st.booleans()):
        between = draw(_spaces.filter(bool))
        return f"({before}{draw(_texts)}{between}{draw(_texts)}{behind})"
    children = draw(st.lists(trees_with_layout(max_depth=max_depth - 1), min_size=1, max_size=3))
    return f"({before}{draw(st.one_of(st.just(''), _texts))}{draw(_spaces).join(children)}{behind})"


@given(
    st.lists(st.one_of(trees_with_layout(), st.sampled_from(["()", "(())", "(S ())", "( )"])), min_size=1, max_size=5),
    st.lists(_spaces, min_size=6, max_size=6),
)
def test_trees_of_any_layout_are_the_same_both_ways(trees: list[str], between: list[str]) -> None:
    pieces = [piece for pair in zip(between, trees, strict=False) for piece in pair]
    read_both_ways(source("".join([*pieces, between[-1]])))


_lines = st.sampled_from(["(S (NN a))", "(NN b)", "", " ", "()", "(())", "(S\n(NN c))", "(NN d) (NN e)"])


@given(st.lists(_lines, min_size=1, max_size=9), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_blank_lines_are_the_same_both_ways(lines: list[str], newline: str, ends: bool) -> None:
    text = newline.join([*lines, "(S (NN z))", *([""] if ends else [])])
    read_both_ways(source(text))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "X (NN a)" + ")" * 10_000,
        "(X " * 70_000 + "(NN a)" + ")" * 70_000,
        "(S " + " ".join(f"(NN {'w' * length})" for length in [*range(1, 40), 100_000]) + ")",
        "(S(NP(NN a))(VP(VB b)))(S(NN c))",
        "(S (NN a))\n" * 3 + "\n" * 40 + "(S (NN b))\n\n\n",
        "\n\n\n(S (NN a))",
        "(S (NN a))\n\n(S (NN b))\n\n(S (NN c))\n",
    ],
    ids=["deep", "deeper than 16 bits", "long words", "tight", "many missing", "missing first", "separators"],
)
def test_odd_texts_are_the_same_both_ways(text: str) -> None:
    read_both_ways(source(text))


def test_several_files_are_the_same_both_ways(tmp_path: Path) -> None:
    texts = [
        "(S (NN a))\n\n(S (NN b))\n(NN c)",
        "",
        "\ufeff\n(S\n (NN d))\n\n(NN e)\n",
        "\n\n",
        "(NN f)\n\n(NN g)\n",
        "\n(NN h)",
    ]
    paths = [tmp_path / f"{number}.ptb" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    trees = read_both_ways(read_source(paths))
    assert trees.missing.tolist() == [False, True, False, False, False, False, False, False, True, False]
    assert trees.document_offsets.tolist() == [0, 4, 4, 6, 6, 8, 10]


def outcome(text: Source) -> tuple[str, Trees | None]:
    """What is said of a text, and the trees that are kept of it."""
    try:
        trees = brackets_from_source(text, bad="keep")
    except DataError as error:
        return str(error), None
    try:
        brackets_from_source(text)
    except DataError as error:
        return str(error), trees
    return "", trees


@pytest.mark.parametrize(
    "text",
    [
        b"(S (NN a)",
        b"(S (NN a)))",
        b"(S (NN a b))",
        b"(S (NN a (X x)))",
        b"(S (NN a) b)",
        b"x (S (NN a))",
        b"(S (NN a)) x",
        b"(S (NN \0))",
        b"(S (NN a))\0",
        b"(\0",
        b"",
        b"\n\n",
        b"(S (NN \xff))",
        b"(S (NN \xc3\xa4)) (S (NN \xc3) (NN \xa4))",
        b"(S (NN \xe2\x82",
        b"\xa4(S (NN a))",
    ],
)
def test_what_is_wrong_is_said_in_the_same_words(text: bytes) -> None:
    damaged = source_from_bytes(text, "t.ptb")
    with_numpy, compiled = both_ways(lambda: outcome(damaged))
    assert with_numpy[0] == compiled[0]
    assert_same(with_numpy[1], compiled[1])
    assert compiled[0] or (compiled[1] is not None and compiled[1].problems)


@pytest.mark.parametrize(
    "text",
    [
        b"(S (NP) (NN b))",
        b"(S (NP))",
        b"(NP )",
        b"(S () (NN b))",
        b"(S (NN b) (()))",
        b"(S (NN a))\n(TOP)\n(NULL )\n(S1 (S))\n\n(S (NN b))\n(TOP)",
        b"(" * 100 + b"X" + b")" * 100,
    ],
)
def test_brackets_without_words_are_read_in_the_same_way(text: bytes) -> None:
    source = source_from_bytes(text, "t.ptb")
    assert_same(*both_ways(lambda: brackets_from_source(source)))
    assert_same(*both_ways(lambda: brackets_from_source(source, as_evalb=True)))


def test_failed_parses_are_read_by_compiled_code() -> None:
    trees = read_both_ways(source_from_bytes(b"(S (NN a))\n(TOP)\n(NULL )\n(S1 (S))\n\n(S (NN b))\n(TOP)"))
    assert trees.missing.tolist() == [False, True, True, True, True, False, True]


def test_an_unbalanced_file_is_not_closed_by_the_next(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.ptb", "b.ptb")]
    paths[0].write_text("(S (NN a)", encoding="utf-8")
    paths[1].write_text(")\n(S (NN c))\n", encoding="utf-8")
    assert plain_trees(read_source(paths)) is None


def test_random_damage_has_the_same_outcome_both_ways() -> None:
    rng = random.Random(7)
    good = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n" * 4
    n_good = 0
    for _ in range(600):
        letters = list(good)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice("() \nx\0")
        text = source("".join(letters))
        with_numpy, compiled = both_ways(lambda text=text: outcome(text))  # type: ignore[misc]
        assert with_numpy[0] == compiled[0]
        assert_same(with_numpy[1], compiled[1])
        n_good += not compiled[0]
    assert 60 < n_good < 540


def test_damage_leads_nowhere_outside_of_the_arrays() -> None:
    """Compiled code would not notice; as plain Python, numpy does."""
    code = "import test_compiled_brackets as t; t.test_random_damage_has_the_same_outcome_both_ways()"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-W", "ignore::RuntimeWarning", "-c", code], env=environment, check=True)


# ---- strings


def spans_of(strings: Sequence[bytes]) -> Spans:
    lengths = np.array([len(one) for one in strings], dtype=np.int32)
    stop = np.cumsum(lengths, dtype=np.int32)
    return Spans(source_from_bytes(b"".join(strings)), stop - lengths, stop)


_strings = st.lists(
    st.one_of(st.sampled_from([b"", b"a", b"12345678", b"123456789"]), st.text("ab", max_size=19).map(str.encode))
)


@given(_strings)
def test_strings_have_the_same_numbers_both_ways(strings: list[bytes]) -> None:
    with_numpy, compiled = both_ways(lambda: interned(spans_of(strings)))
    assert_same(with_numpy[0], compiled[0])
    assert_same(with_numpy[1], compiled[1])
    assert [strings[compiled[1][number]] for number in compiled[0].tolist()] == strings


def test_many_distinct_strings_have_numbers_of_their_own() -> None:
    strings = [b"%d" % (number % 30_000) * (1 + number % 3) for number in range(100_000)]
    with_numpy, compiled = both_ways(lambda: interned(spans_of(strings)))
    assert_same(with_numpy[0], compiled[0])
    assert len(compiled[1]) == len(set(strings)) > 4 * 4096


@given(
    st.lists(
        st.tuples(*[st.sampled_from([b"", b"a", b"b", b"12345678", b"123456789", b"123456780", b"1234567890"])] * 2)
    )
)
def test_strings_are_the_same_where_their_bytes_are(pairs: list[tuple[bytes, bytes]]) -> None:
    left, right = spans_of([pair[0] for pair in pairs]), spans_of([pair[1] for pair in pairs])
    with_numpy, compiled = both_ways(lambda: same_strings(left, right))
    assert with_numpy.tolist() == compiled.tolist() == [one == other for one, other in pairs]


@pytest.mark.parametrize("n_bytes", [FAR_FROM_ENOUGH, ENOUGH])
def test_as_many_strings_are_needed_on_either_side(n_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "_n_bytes_so_far", n_bytes)
    left, right = spans_of([b"a", b"b"]), spans_of([b"a"])
    with pytest.raises(ValueError, match="2 spans cannot be compared"):
        same_strings(left, right)


# ---- brackets


def random_tree(rng: random.Random, words: list[str], depth: int = 0) -> str:
    """A tree over words, with brackets around one word and doubled ones."""
    if len(words) == 1 and rng.random() < 0.6:
        return words[0]
    cuts = sorted(rng.sample(range(1, len(words)), rng.randint(0, min(2, len(words) - 1)))) if depth < 12 else []
    bounds = [0, *cuts, len(words)]
    parts = [words[begin:end] for begin, end in pairwise(bounds)]
    inner = " ".join(words) if depth >= 12 else " ".join(random_tree(rng, part, depth + 1) for part in parts)
    return f"({rng.choice(['A', 'B', 'A-X', 'TOP', 'C=1', ''])} {inner})"


def random_pair(rng: random.Random) -> tuple[Trees, Trees]:
    """Gold and test trees, over nearly the same words."""
    golds, tests = [], []
    for _ in range(6):
        tags = [rng.choice(["W", "W", "V", ",", "-NONE-"]) for _ in range(rng.randint(1, 9))]
        words = [f"({tag} {rng.choice(['w', 'longer-word-a', 'longer-word-b'])}{rng.randint(0, 3)})" for tag in tags]
        golds.append(f"(TOP {random_tree(rng, words)})")
        test_words = [word.replace("(V", "(W") if rng.random() < 0.3 else word for word in words]
        if rng.random() < 0.2:
            test_words[rng.randrange(len(words))] = "(W other)"
        if rng.random() < 0.1:
            test_words.append("(W more)")
        tests.append("()" if rng.random() < 0.1 else f"(TOP {random_tree(rng, test_words)})")
    return brackets_from_source(source("\n".join(golds))), brackets_from_source(source("\n".join(tests)))


PARAMETERS = [
    COLLINS,
    EvalbParameters(),
    EvalbParameters(labelled=False, deleted=frozenset({","})),
    EvalbParameters(same_labels=(("A", "B"), ("B", "C")), same_words=(("w1", "other"),)),
]


OTHER_DELETIONS = [  # a V of the gold may be a W of the test
    EvalbParameters(deleted=frozenset({"V"})),
    EvalbParameters(deleted=frozenset({"V", "-NONE-"}), quotes=frozenset({"V", "W"})),
]


def assert_evalb_is_the_same_both_ways(gold: Trees, test: Trees, parameters: EvalbParameters) -> None:
    with_numpy, compiled = both_ways(lambda: evalb(gold, test, parameters))
    for field in fields(with_numpy):
        assert_same(getattr(with_numpy, field.name), getattr(compiled, field.name))


@given(st.integers(0, 10**9), st.sampled_from(PARAMETERS))
def test_evalb_is_the_same_both_ways(seed: int, parameters: EvalbParameters) -> None:
    assert_evalb_is_the_same_both_ways(*random_pair(random.Random(seed)), parameters)


@given(st.integers(0, 10**9), st.sampled_from(PARAMETERS), st.integers(1, 7), st.booleans())
def test_evalb_is_the_same_however_many_trees_are_taken_at_once(
    seed: int, parameters: EvalbParameters, n_at_once: int, leave_out: bool
) -> None:
    gold, test = random_pair(random.Random(seed))
    at_once = evalb(gold, test, parameters, leave_out=leave_out)
    with patch("karat.measures.brackets.evalb._TREES_AT_ONCE", n_at_once):
        in_parts = evalb(gold, test, parameters, leave_out=leave_out)
    for field in fields(at_once):
        assert_same(getattr(at_once, field.name), getattr(in_parts, field.name))


@given(st.integers(0, 10**9), st.sampled_from([*PARAMETERS, *OTHER_DELETIONS]))
def test_evalb_both_ways_at_once_is_what_it_is_one_by_one(seed: int, parameters: EvalbParameters) -> None:
    gold, test = random_pair(random.Random(seed))
    for found, leave_out in zip(evalb_both_ways(gold, test, parameters), (True, False), strict=True):
        wanted = evalb(gold, test, parameters, leave_out=leave_out)
        for field in fields(wanted):
            assert_same(getattr(found, field.name), getattr(wanted, field.name))


def test_a_valid_sentence_in_which_the_gold_deletes_another_word_is_evaluated_a_second_time() -> None:
    # EVALB compares the W of either side, the same word under the same tag; by the gold's choice, W is beside V
    gold, test = (brackets_from_source(source(text)) for text in ("(S (V w) (W w))", "(S (W w) (V w))"))
    result, every = evalb_both_ways(gold, test, EvalbParameters(deleted=frozenset({"V"})))
    assert (result.status.tolist(), result.correct_tags.tolist()) == ([0], [1])
    assert (every.status.tolist(), every.correct_tags.tolist()) == ([0], [0])


@given(st.integers(0, 10**9), st.integers(0, 2**16))
def test_chosen_trees_are_as_if_there_were_no_others(seed: int, chosen: int) -> None:
    gold, _ = random_pair(random.Random(seed))
    numbers = [tree for tree in range(gold.n_trees) if chosen >> tree & 1]
    flags = np.zeros(gold.n_trees, dtype=np.bool_)
    flags[numbers] = True
    found = gold.only(flags)
    assert [found.words_of(number) for number in range(found.n_trees)] == [gold.words_of(tree) for tree in numbers]
    one_by_one = [gold.between(tree, tree + 1) for tree in numbers]
    first_words, first_nodes = found.word_offsets.tolist(), found.node_offsets.tolist()
    for tree, word, node in zip(one_by_one, first_words, first_nodes, strict=False):
        here = slice(node, node + tree.n_nodes)
        assert found.labels[here].strings() == tree.labels.strings()
        assert (found.start[here] - word).tolist() == tree.start.tolist()
        assert (found.stop[here] - word).tolist() == tree.stop.tolist()
        assert np.maximum(found.parents[here] - node, -1).tolist() == tree.parents.tolist()


@given(st.integers(0, 10**9), st.integers(0, 6), st.integers(0, 6))
def test_trees_between_two_are_as_if_there_were_no_others(seed: int, first: int, length: int) -> None:
    trees = random_pair(random.Random(seed))[1]
    stop = min(first + length, trees.n_trees)
    part = trees.between(first, stop)
    lines = bytes(trees.source.buffer[: trees.source.size]).decode().split("\n")[first:stop]
    if not lines:
        assert part.n_trees == part.n_words == part.n_nodes == 0
        return
    alone = brackets_from_source(source("\n".join(lines)))
    for name in ("start", "stop", "parents", "word_offsets", "node_offsets", "document_offsets"):
        assert_same(getattr(part, name), getattr(alone, name))
    for name in ("forms", "tags", "labels"):
        assert getattr(part, name).strings() == getattr(alone, name).strings()


PREPARATIONS = [
    Preparation(),
    Preparation(labelled=True),
    Preparation(merge_doubled=False, drop_one_word=False, drop_outer=False),
    Preparation(drop_empty=False, merge_doubled=False),
]


def assert_items_are_the_same_both_ways(gold: Trees, system: Trees, how: Preparation, *, labelled: bool) -> None:
    def work() -> tuple[Brackets, Brackets, BracketComparison]:
        sides = [
            prepared(trees, np.array([tag == "," for tag in trees.tags.strings()]), how) for trees in (gold, system)
        ]
        return sides[0], sides[1], BracketComparison(sides[0], sides[1], labelled)

    with_numpy, compiled = both_ways(lambda: with_flags(*work()))
    for one, other in zip(with_numpy, compiled, strict=True):
        assert_same(one, other)


def with_flags(gold: Brackets, system: Brackets, comparison: BracketComparison) -> list[object]:
    """Everything that comes of a comparison."""
    return [gold, system, comparison.found, comparison.exact, comparison.crossing, *comparison.items().values()]


@given(st.integers(0, 10**9), st.sampled_from(PREPARATIONS), st.booleans())
def test_items_are_the_same_both_ways(seed: int, how: Preparation, labelled: bool) -> None:
    rng = random.Random(seed)
    golds, systems = [], []
    for _ in range(5):
        words = [f"({rng.choice(['W', 'W', ','])} w)" for _ in range(rng.randint(1, 10))]
        golds.append(random_tree(rng, words))
        systems.append(random_tree(rng, words))
    gold, system = (brackets_from_source(source("\n".join(side))) for side in (golds, systems))
    assert_items_are_the_same_both_ways(gold, system, how, labelled=labelled)


@given(st.integers(0, 10**9))
def test_the_nearest_kept_node_above_is_the_same_both_ways(seed: int) -> None:
    rng = random.Random(seed)
    trees, _ = random_pair(rng)
    kept = np.array([rng.random() < 0.4 for _ in range(trees.n_nodes)], dtype=np.bool_)
    with_numpy, compiled = both_ways(lambda: nearest_kept(trees.parents, kept))
    assert_same(with_numpy, compiled)


def test_a_deep_tree_is_compared_at_once() -> None:
    n = 60_000  # of time that grows with the square, this would take minutes
    gold = "".join(f"({'AB'[number % 2]} (W w) " for number in range(n)) + "(W w)" + ")" * n
    system = "(A " * n + "(W w) " * (n + 1) + ")" * n
    trees = [brackets_from_source(source(text)) for text in (gold, system)]
    how = Preparation(merge_doubled=False)
    assert_items_are_the_same_both_ways(trees[0], trees[1], how, labelled=True)


# ---- real trees


@pytest.fixture(scope="module")
def gum() -> list[Path]:
    return data_files("gum-const/*.ptb")


def test_all_of_gum_is_the_same_both_ways(gum: list[Path]) -> None:
    assert read_both_ways(read_source(gum)).n_trees == 4145


def test_gum_with_seeded_errors_is_the_same_both_ways(gum: list[Path]) -> None:
    rng = random.Random(11)
    texts = [block for path in gum for block in path.read_text(encoding="utf-8").strip().split("\n\n")]
    golds = [" ".join(text.split()) for text in texts]
    systems = ["" if rng.random() < 0.02 else corrupted_tree(gold, rng) for gold in golds[:-1]] + [golds[-1]]
    gold, system = (read_both_ways(source("\n".join(side))) for side in (golds, systems))
    assert system.missing.sum() > 40
    for parameters in PARAMETERS:
        assert_evalb_is_the_same_both_ways(gold, system, parameters)
    system = read_both_ways(source("\n".join(corrupted_tree(gold, rng) for gold in golds)))
    for how in PREPARATIONS:
        assert_items_are_the_same_both_ways(gold, system, how, labelled=how.labelled)


@pytest.mark.parametrize("n_at_once", [1, 2, 3, 7, 64])
def test_bytes_that_are_not_utf8_are_seen_wherever_the_text_is_cut(n_at_once: int) -> None:
    good = "(S (NN é) (NN 日本) (NN 🂡))\n".encode()
    with patch("karat.corpus.readers._compiled_brackets._BYTES_AT_ONCE", n_at_once):
        assert plain_trees(source_from_bytes(good)) is not None
        for place in range(len(good)):
            bad = good[:place] + bytes([good[place] ^ 0x80]) + good[place + 1 :]
            with pytest.raises(UnicodeDecodeError):
                bad.decode()
            assert plain_trees(source_from_bytes(bad)) is None


# ---- when it pays


def test_compiled_code_pays_once_enough_bytes_have_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "_n_bytes_so_far", 0)
    assert not _compiled.pays(20 << 20)
    assert not _compiled.pays((4 << 20) - 1)
    assert not _compiled.pays()
    assert _compiled.pays(1)
    assert _compiled.pays()


def test_one_large_text_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "_n_bytes_so_far", 0)
    assert _compiled.pays(32 << 20)


def modules_after(code: str) -> set[str]:
    """The modules that are loaded once two trees have been evaluated; the code comes before."""
    work = """
from karat.corpus import source_from_bytes
from karat.corpus.readers.brackets import brackets_from_source
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.preparation import prepared
from karat.measures.brackets.evalb import evalb
trees = brackets_from_source(source_from_bytes(b"(TOP (S (NN a) (NN b)))"))
evalb(trees, trees)
BracketComparison(prepared(trees), prepared(trees)).items()
import sys
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code + work], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_small_job_does_not_load_numba() -> None:
    loaded = modules_after("")
    assert "numba" not in loaded
    assert "karat.corpus.readers._compiled_brackets" not in loaded


def test_a_large_job_does() -> None:
    loaded = modules_after("from karat import _compiled; _compiled._ENOUGH = 1")
    assert {"numba", "karat.corpus.readers._compiled_brackets", "karat.measures.brackets._compiled"} <= loaded


def test_bytes_are_counted_by_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "_n_bytes_so_far", 0)
    text = b"(S (NN a))\n"
    (tmp_path / "a.ptb").write_bytes(text)
    trees = read_brackets(tmp_path / "a.ptb")
    evalb(trees, trees)
    assert _compiled._n_bytes_so_far == len(text)


def test_where_nothing_can_be_kept_kernels_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])

    def one_more(number: int) -> int:
        return number + 1

    assert _compiled.kernel(one_more)(1) == 2
