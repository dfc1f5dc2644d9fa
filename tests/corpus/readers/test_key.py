"""Key files: what their lines mean, what is wrong with them, and the same found by compiled code."""

from __future__ import annotations

import gzip
import math
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat import _compiled
from karat.corpus import Annotated, _answer_parsing, source_from_bytes
from karat.corpus._answer_parsing import numbers
from karat.corpus.interning import Spans
from karat.corpus.readers.key import Keys, key_from_source, matched, read_key
from karat.errors import DataError, Problem

NOT_ENOUGH, ENOUGH = -(1 << 40), 1 << 40


@contextmanager
def compiled(is_compiled: bool) -> Iterator[None]:
    with mock.patch.object(_compiled, "_n_bytes_so_far", ENOUGH if is_compiled else NOT_ENOUGH):
        yield


both_ways = pytest.mark.parametrize("is_compiled", [False, True], ids=["numpy", "compiled"])


def keys_in(text: str | bytes, *, lexelts: bool | None = None) -> Keys:
    data = text if isinstance(text, bytes) else text.encode()
    return key_from_source(source_from_bytes(data, "some.key"), lexelts=lexelts)


def kept(text: str) -> Keys:
    return key_from_source(source_from_bytes(text.encode(), "some.key"), bad="keep")


Line = tuple[str, str, list[tuple[str, float | None]]]


def lines_of(keys: Keys) -> list[Line]:
    """Type, name and answers of every instance, with None for no probability."""
    answers = keys.answers
    found = []
    for one in range(len(keys)):
        some = range(*answers.offsets[one : one + 2].tolist())
        given = [None if math.isnan(value) else value for value in answers.probabilities[some].tolist()]
        tags = [answers.names[number] for number in answers.tags[some].tolist()]
        found.append((keys.types[keys.type_of[one]], keys.instance_name(one), list(zip(tags, given, strict=True))))
    return found


def problems_in(text: str | bytes) -> list[Problem]:
    with pytest.raises(DataError) as caught:
        keys_in(text)
    return list(caught.value.problems)


def places_in(text: str | bytes) -> list[tuple[str, int, int]]:
    return [(problem.code, problem.line, problem.column) for problem in problems_in(text)]


# --- what lines mean ---

BANK = "bank.n bank.n.01 money/0.75 river/0.25\nbank.n bank.n.02 river\nline.n line.n.07 rope queue !! hard\n"
BANK_LINES: list[Line] = [
    ("bank.n", "bank.n.01", [("money", 0.75), ("river", 0.25)]),
    ("bank.n", "bank.n.02", [("river", None)]),
    ("line.n", "line.n.07", [("rope", None), ("queue", None)]),
]


@pytest.mark.parametrize(
    "text",
    [
        BANK,
        BANK.removesuffix("\n"),
        BANK.replace("\n", "\r\n"),
        "\ufeff" + BANK,
        BANK.replace(" ", "\t"),
        BANK.replace(" ", " \t ").replace("\n", " \n \n\t\n"),
        "\n  \n" + BANK.replace("\nline", "\n!! a line of nothing but a comment\n   line"),
    ],
    ids=["lf", "no-newline", "crlf", "byte-order-mark", "tabs", "blanks", "blank-lines"],
)
@both_ways
def test_a_line_is_a_type_an_instance_and_its_tags(text: str, is_compiled: bool) -> None:
    with compiled(is_compiled):
        keys = keys_in(text)
    assert lines_of(keys) == BANK_LINES
    assert keys.types == ("bank.n", "line.n")
    assert not keys.warnings
    assert not keys.problems
    assert not keys.bad.any()


def test_instances_are_sentences_of_one_word_and_types_documents() -> None:
    keys: Annotated = keys_in("b 1 x\na 1 y\nb 2 x\n")
    assert (keys.format, keys.path, keys.n_sentences, keys.n_words, keys.n_tokens) == ("key", "some.key", 3, 3, 3)
    assert (keys.n_documents, keys.has_documents, keys.document_names) == (2, True, ("b", "a"))
    assert keys.sentence_document.tolist() == [0, 1, 0]
    assert keys.sentence_offsets.tolist() == [0, 1, 2, 3]
    assert [(keys.sent_id(one), keys.words_of(one), keys.line_of(one)) for one in range(3)] == [
        ("1", ("b",), 1),
        ("1", ("a",), 2),
        ("2", ("b",), 3),
    ]


@pytest.mark.parametrize(
    ("answer", "tags"),
    [
        ("", []),
        ("!! not sure", []),
        ("U", [("U", None)]),
        ("P a", [("P", None), ("a", None)]),
        ("a/94 b/87", [("a", 94.0), ("b", 87.0)]),
        ("and/or", [("and/or", None)]),
        ("and/or/0.5 b/.5", [("and/or", 0.5), ("b", 0.5)]),
        ("a/0.5/b", [("a/0.5/b", None)]),
        ("n/noun i/-ing", [("n/noun", None), ("i/-ing", None)]),
        ("a/1e-3 b/+2.E1", [("a", 0.001), ("b", 20.0)]),
        ("a/0.30000000000000004 b/1", [("a", 0.30000000000000004), ("b", 1.0)]),
        ("a!!b", [("a", None)]),
        ("a!b!", [("a!b!", None)]),
        ("a/0.5!!/0.7 b", [("a", 0.5)]),
        ("bank%1:14:00::/0.62 bank%1:17:01::/0.38", [("bank%1:14:00::", 0.62), ("bank%1:17:01::", 0.38)]),
    ],
)
@both_ways
def test_answers_are_tags_with_weights_behind_the_last_slash(
    answer: str, tags: list[tuple[str, float | None]], is_compiled: bool
) -> None:
    with compiled(is_compiled):
        keys = keys_in(f"w w.1 {answer}\n")
    assert lines_of(keys) == [("w", "w.1", tags)]
    assert keys.warnings == ()


def warnings_of(text: str) -> list[tuple[str, int]]:
    return [(warning.code, warning.line) for warning in keys_in(text).warnings]


def test_weights_on_some_tags_only_do_not_count() -> None:
    # «If any of the sense tags are missing weights, then none of the weights will be used»: a tag of weight 0 counts
    text = "w 1 a/1\nw 2 a/0 b/0.4 c\nw 3 a b/2\n"
    assert [one[2] for one in lines_of(keys_in(text))][1:] == [
        [("a", None), ("b", None), ("c", None)],
        [("a", None), ("b", None)],
    ]
    assert warnings_of(text) == [("K865", 2)]
    assert keys_in(text).warnings[0].message.startswith("2 lines with a weight on some tags only")


def test_a_tag_of_weight_0_is_not_given() -> None:
    keys = keys_in("w 1 a/0 b/1\nw 2 a/0.0 b/0e5\nw 3 c/0\n")
    assert [one[2] for one in lines_of(keys)] == [[("b", 1.0)], [], []]
    assert keys.answers.names == ("b",)
    assert [(warning.code, warning.line) for warning in keys.warnings] == [("K868", 2)]


def test_the_weights_of_a_tag_that_is_there_twice_are_added() -> None:
    text = "w 1 a/0.5 b/0.25 a/0.125\nw 2 a b b\nw 3 " + " ".join("abcdefghijka") + "\n"
    assert [one[2] for one in lines_of(keys_in(text))] == [
        [("a", 0.625), ("b", 0.25)],
        [("a", None), ("b", None)],
        [(tag, None) for tag in "abcdefghijk"],
    ]
    assert [(one.code, one.line, one.column) for one in keys_in(text).warnings] == [("K866", 1, 18)]


def test_lines_may_begin_with_the_instance() -> None:
    text = "d000.s000.t000 long%3:00:02::\nx.d001.s000.t001 man%1:18:00:: man%1:18:01::\nd000.s000.t002\nplain a\n"
    assert lines_of(keys_in(text)) == [
        ("d000", "d000.s000.t000", [("long%3:00:02::", None)]),
        ("x.d001", "x.d001.s000.t001", [("man%1:18:00::", None), ("man%1:18:01::", None)]),
        ("d000", "d000.s000.t002", []),
        ("", "plain", [("a", None)]),
    ]


@pytest.mark.parametrize(
    ("first", "has_lexelts"),
    [
        ("d000.s000.t000 long%3:00:02::/0.5", False),
        ("\n!! one\nd000.s000.t000\nd000.s000.t001 bleary%5:00:00:indistinct:00", False),
        ("d000.s000.t000 bn:00019586n", False),
        ("d000 d000.s000.t000 long%3:00:02::", True),
        ("bank.n bank.n.1", True),
        ("bank.n 50%", True),
    ],
)
def test_whether_there_are_types_shows_in_the_first_line_with_two_fields(first: str, has_lexelts: bool) -> None:
    keys = kept(first + "\n")
    assert (keys.instances.start[-1] > keys.places[-1]) == has_lexelts


def test_whether_there_are_types_can_be_said() -> None:
    assert lines_of(keys_in("a b c\n", lexelts=False)) == [("", "a", [("b", None), ("c", None)])]
    assert lines_of(keys_in("a b%1:14:00:: c\n", lexelts=True)) == [("a", "b%1:14:00::", [("c", None)])]


def test_several_files_are_read_as_one(tmp_path: Path) -> None:
    paths = [tmp_path / "a.key", tmp_path / "b.key.gz"]
    paths[0].write_text("b 1 x", encoding="utf-8")
    paths[1].write_bytes(gzip.compress(b"b 2 y\n\nb 3 x\n"))
    keys = read_key(paths)
    assert [one[1] for one in lines_of(keys)] == ["1", "2", "3"]
    assert keys.line_of(2) == 3
    paths[1].write_bytes(gzip.compress(b"b 1 y\n"))
    with pytest.raises(DataError, match=re.escape(f"{paths[1]}:1:3: K864 the instance '1' is already on {paths[0]}:1")):
        read_key(paths)


# --- what is wrong ---

MISTAKES = {
    "no-instance": ("bank.n", "K860", 1),
    "sense-for-instance": ("bank.n bank%1:14:00::", "K867", 8),
    "comma": ("w 9 ä b/0,5", "K861", 9),
    "no-number": ("w 9 b/0.5x", "K861", 7),
    "two-dots": ("w 9 b/1.2.3", "K861", 7),
    "underscore": ("w 9 b/1_0", "K861", 7),
    "other-digits": ("w 9 b/1\u0662", "K861", 7),
    "nothing": ("w 9 a/0.5 b/", "K861", 13),
    "negative": ("w 9 a/0.5 b/-0.5", "K862", 13),
    "nan": ("w 9 b/NaN", "K862", 7),
    "infinite": ("w 9 b/-Infinity", "K862", 7),
    "too-large": ("w 9 b/1e400", "K862", 7),
    "no-tag": ("w 9 a/0.5 /0.5", "K863", 11),
    "repeated": ("w  1 b", "K864", 4),
}


@pytest.mark.parametrize("name", MISTAKES)
@both_ways
def test_mistakes_are_found_at_their_places(name: str, is_compiled: bool) -> None:
    line, code, column = MISTAKES[name]
    with compiled(is_compiled):
        assert places_in(f"w 1 a/0.5 b/0.5\n\n{line}\nv 1 a\n") == [(code, 3, column)]
        keys = kept(f"w 1 a/0.5 b/0.5\n\n{line}\nv 1 a\n")
    assert keys.bad.tolist() == [False, True, False]
    assert keys.answers.sizes.tolist() == [2, 0, 1]
    assert keys.answers.names == ("a", "b")
    assert keys.warnings == ()  # a weight that is none is not missing, too


@pytest.mark.parametrize("name", sorted(set(MISTAKES) - {"negative", "nan", "infinite", "too-large"}))
def test_a_mistake_comes_with_a_hint(name: str) -> None:
    assert problems_in(f"w 1 a/0.5 b/0.5\n\n{MISTAKES[name][0]}\n")[0].hint


def test_a_repeated_instance_names_the_line_that_has_it_first() -> None:
    (problem,) = problems_in("w x.1 a\nv x.1 a\nw x.1 b\n")
    assert str(problem) == "some.key:3:3: K864 the instance 'x.1' is already on line 1"


def test_all_problems_are_told_in_the_order_of_the_text() -> None:
    text = "w 1 a/x a/1x /1\nw\nw 1 b\nw 2 a/-1\n"
    assert places_in(text) == [("K861", 1, 11), ("K863", 1, 14), ("K860", 2, 1), ("K864", 3, 3), ("K862", 4, 7)]


@both_ways
def test_bytes_that_are_not_utf8_are_an_error(is_compiled: bool) -> None:
    with compiled(is_compiled):
        assert places_in(b"w 1 caf\xe9\nw 2 a !! caf\xe9\n") == [("K106", 1, 8), ("K106", 2, 13)]
        keys = key_from_source(source_from_bytes(b"w 1 caf\xe9\nw 2 a !! caf\xe9\n"), bad="keep")
    assert keys.bad.tolist() == [True, False]


@both_ways
def test_a_nul_byte_is_an_error_at_its_place(is_compiled: bool) -> None:
    with compiled(is_compiled):
        assert places_in("w 1 a\nw 2 \0\n") == [("K107", 2, 5)]
    assert "UTF-16" in problems_in("w 1 a\n".encode("utf-16-le"))[0].hint


@pytest.mark.parametrize("text", ["", "\n", " \r\n\t\n", "\ufeff", "!! nothing", "\n!!\n"])
@both_ways
def test_a_text_without_an_instance_is_an_error(text: str, is_compiled: bool) -> None:
    with compiled(is_compiled):
        assert places_in(text) == [("K104", 1, 1)]


def test_lines_may_end_in_cr_alone() -> None:
    assert len(keys_in("w 1 a\rw 2 b\r")) == 2
    assert len(keys_in("w 1 a\r")) == 1


# --- against a reference ---

BLANKS = st.sampled_from([" ", "\t", "  ", " \t", "\v", "\f", " \r"])
NAMES = st.text("ab.é%", min_size=1, max_size=10)
TAGS = st.one_of(st.text("abc/!%:1é\x01", min_size=1, max_size=12), st.sampled_from(["a", "b", "U", "bank%1:14:00::"]))
NUMBERS = st.one_of(
    st.floats(0, 1e90).map(repr),
    st.floats(0, 1).map(lambda value: f"{value:.3f}"),
    st.floats(0, 2).map(lambda value: f"{value:e}"),
    st.decimals(0, 1, places=20).map(str),
    st.integers(0, 10**18).map(str),
    st.sampled_from(
        ["0", "0.", ".5", "00.250", "+1", "-0", "5e-324", "0.1e1", "1E2", "-1", "nan", "1.5.", "", "inf", "n"]
    ),
)
WEIGHTS = st.one_of(st.just(""), NUMBERS.map(lambda number: f"/{number}"))
ANSWERS = st.tuples(TAGS, WEIGHTS).map("".join)
PLAIN_ANSWERS = st.tuples(st.sampled_from(["a", "b", "c/d", "é"]), st.floats(0, 1).map(lambda p: f"/{p:.3g}")).map(
    "".join
)


@st.composite
def key_lines(draw: st.DrawFn) -> str:
    answers = draw(st.lists(draw(st.sampled_from([ANSWERS, PLAIN_ANSWERS])), max_size=draw(st.sampled_from([3, 12]))))
    words = [draw(NAMES), draw(NAMES), *answers] if draw(st.integers(0, 19)) else draw(st.lists(NAMES, max_size=1))
    line = "".join(word + draw(BLANKS) for word in words)
    return draw(st.sampled_from(["", " "])) + line + draw(st.sampled_from(["", "", "!! c /0.5", "!", "!!"]))


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def reference_answer(field: str) -> tuple[str, float | None, str]:
    """Tag, weight, and the code of what is wrong with it."""
    tag, slash, text = field.rpartition("/")
    is_other = re.fullmatch(r"[+-]?(nan|inf|infinity)", text, re.IGNORECASE)
    if not slash or not (is_other or not text or re.match(r"[+-]?\.?[0-9]", text)):
        return field, None, ""
    if is_other or not NUMBER.fullmatch(text):
        return tag, None, "K862" if is_other else "K861"
    weight = float(text)
    return tag, weight, "K862" if weight < 0 or weight > 1e100 else "" if tag else "K863"


def reference(text: str) -> tuple[list[Line], set[tuple[str, int]]]:
    """The lines of a key file with lexelts, read one by one, and the codes and lines of all problems."""
    found: list[Line] = []
    problems: set[tuple[str, int]] = set()
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        words = re.findall(r"[^ \t\r\v\f]+", line.partition("!!")[0])
        if not words:
            continue
        wrong = {"K860"} if len(words) < 2 else {"K864"} if tuple(words[:2]) in seen else set()
        seen.add(tuple(words[:2]))
        answers = [reference_answer(word) for word in words[2:]]
        wrong |= {code for *_, code in answers if code}
        problems |= {(code, number) for code in wrong}
        if any(weight is None for _, weight, _ in answers):
            answers = [(tag, None, "") for tag, *_ in answers]
        merged: dict[str, float | None] = {}
        for tag, weight, _ in answers:
            before = merged.get(tag)
            if weight != 0:
                merged[tag] = weight if weight is None or before is None else before + weight
        found.append((words[0], words[1] if len(words) > 1 else "", [] if wrong else list(merged.items())))
    return found, problems


@settings(max_examples=400, deadline=None)
@given(
    lines=st.lists(key_lines(), min_size=1, max_size=12),
    is_compiled=st.booleans(),
    at_once=st.sampled_from([4, 16, 1 << 20]),
    rows_at_once=st.sampled_from([1, 3, 1 << 14]),
)
def test_a_reader_of_one_line_after_another_finds_the_same(
    lines: list[str], is_compiled: bool, at_once: int, rows_at_once: int
) -> None:
    text = "\n".join(["first line a", *lines])
    expected, problems = reference(text)
    sizes = mock.patch.multiple(_answer_parsing, _BYTES_AT_ONCE=at_once, _ROWS_AT_ONCE=rows_at_once)
    with compiled(is_compiled), sizes:
        keys = kept(text)
    assert {(one.code, one.line) for one in keys.problems if one.code != "K867"} == problems
    assert lines_of(keys) == expected
    assert set(keys.types) == {type_ for type_, *_ in expected}


@given(st.lists(NUMBERS, max_size=40))
def test_numbers_are_those_of_python(texts: list[str]) -> None:
    data = "".join(f"{text} " for text in texts)
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int32) - np.int32(1)
    starts = ends - np.array([len(text) for text in texts], dtype=np.int32)
    expected = [float(text) if NUMBER.fullmatch(text) else math.nan for text in texts]
    values, wrong = numbers(Spans(source_from_bytes(data.encode()), starts, ends), _answer_parsing._number)
    assert values.tolist() == pytest.approx(expected, abs=0, rel=0, nan_ok=True)
    assert wrong.tolist() == [place for place, value in enumerate(expected) if math.isnan(value)]


def hard_number(draw: random.Random) -> str:
    """A number that is hard to round: with many digits, a high power of ten, or halfway between floats."""
    halfway = 2 * (draw.getrandbits(52) | 1 << 52) + 1
    kinds = [
        repr(draw.random() * 10.0 ** draw.randint(-80, 40)),
        f"{draw.getrandbits(draw.randint(1, 64))}e{draw.randint(-70, 35)}",
        f"{draw.random():.{draw.randint(1, 25)}f}",
        f"{halfway + draw.choice([-1, 0, 1])}.{draw.choice(['', '0', '1'])}",
        f"{halfway * 2 ** draw.randint(0, 9)}",
        f"{halfway * 5 ** draw.randint(1, 4)}e-{draw.randint(1, 4)}",
    ]
    return draw.choice(kinds)


def test_compiled_code_reads_hard_numbers_as_python_does() -> None:
    draw = random.Random(11)
    texts = [hard_number(draw) for _ in range(30_000)]
    with compiled(True):
        keys = keys_in("".join(f"w {number} a/{text}\n" for number, text in enumerate(texts)))
    expected = [float(text) for text in texts]
    assert keys.answers.probabilities.tolist() == [value for value in expected if value]


# --- instances of two files ---

SOME = st.lists(
    st.tuples(st.sampled_from("vw"), st.sampled_from(["1", "2", "a.longer.name.3", "4"])), min_size=1, max_size=9
)


@settings(max_examples=200, deadline=None)
@given(gold=SOME, system=SOME, is_compiled=st.booleans(), is_same=st.booleans())
def test_instances_are_matched_by_type_and_name(
    gold: list[tuple[str, str]], system: list[tuple[str, str]], is_compiled: bool, is_same: bool
) -> None:
    system = gold if is_same else system
    with compiled(is_compiled):
        left, right = (kept("".join(f"{one} {other} x\n" for one, other in some)) for some in (gold, system))
        found = matched(left, right)
    first = {one: place for place, one in reversed(list(enumerate(system)))}
    expected = [(place, first[one]) for place, one in enumerate(gold) if one in first and one not in gold[:place]]
    assert list(zip(*(places.tolist() for places in found), strict=True)) == expected


@both_ways
def test_lines_without_an_instance_match_nothing(is_compiled: bool) -> None:
    with compiled(is_compiled):
        keys = kept("w 1 a\nw\n")
        assert [places.tolist() for places in matched(keys, keys)] == [[0], [0]]


@both_ways
def test_many_instances_in_any_order_are_matched(is_compiled: bool) -> None:
    names = [f"w{number % 7} name.{number}" for number in range(20_000)]
    order = list(range(0, 20_000, 3))
    random.Random(7).shuffle(order)
    with compiled(is_compiled):
        gold = keys_in("".join(f"{name} a/0.5 b\n" for name in names))
        system = keys_in("".join(f"{names[number]} a\n" for number in order))
        left, right = matched(gold, system)
    assert left.tolist() == sorted(order)
    assert [order[place] for place in right.tolist()] == sorted(order)
