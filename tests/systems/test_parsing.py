"""`karat.parse`: texts in every format, one line per sentence, numbers of parses, and what is written."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import karat
from examples import EXAMPLES
from karat.systems.parsing import number_from_log
from karat.systems.pcfg import _compiled_chart as compiled

GOLD, ADA = EXAMPLES / "gold.ptb", EXAMPLES / "ada.ptb"
WORDS = re.findall(r"\(([^\s()]+) ([^\s()]+)\)|(\n)", GOLD.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def trained() -> karat.TrainedParser:
    return karat.train_parser(GOLD)


def sentences() -> list[list[tuple[str, str]]]:
    """Tag and form of the words of the example's trees."""
    found: list[list[tuple[str, str]]] = [[]]
    for tag, form, newline in WORDS:
        if newline:
            found.append([])
        else:
            found[-1].append((tag, form))
    return [one for one in found if one]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def words_of(line: str) -> list[tuple[str, str]]:
    return re.findall(r"\(([^\s()]+) ([^\s()]+)\)", line)


def lines_of(parsed: karat.Parsed) -> list[str]:
    lines = parsed.trees.decode().split("\n")
    assert lines.pop() == ""
    return lines


# ---- formats ---------------------------------------------------------------------------------------------------------


def test_trees_are_parsed_by_their_tags_one_line_a_sentence(trained: karat.TrainedParser) -> None:
    found = karat.parse(trained, GOLD)
    assert (found.tags_from, found.column) == ("text", None)
    assert [words_of(line) for line in lines_of(found)] == sentences()
    assert found.n_missing == 0
    assert found.n_words == tuple(map(len, sentences()))


@pytest.mark.parametrize("name", ["slashes", "tsv", "conllu"])
def test_tagged_text_is_parsed_as_trees_with_the_same_tags_are(
    name: str, trained: karat.TrainedParser, tmp_path: Path
) -> None:
    texts = {
        "slashes": "".join(" ".join(f"{form}/{tag}" for tag, form in one) + "\n" for one in sentences()),
        "tsv": "".join("".join(f"{form}\t{tag}\n" for tag, form in one) + "\n" for one in sentences()),
        "conllu": conllu([[(tag, "X", form) for tag, form in one] for one in sentences()]),
    }
    found = karat.parse(trained, write(tmp_path / f"text.{name}", texts[name]), count=True)
    assert found.tags_from == "text"
    assert found.parses == karat.parse(trained, GOLD, count=True).parses


def conllu(rows: list[list[tuple[str, str, str]]]) -> str:
    """Sentences of words as XPOS, UPOS and form."""
    return "".join(
        "".join(f"{n}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_\n" for n, (xpos, upos, form) in enumerate(one, start=1))
        + "\n"
        for one in rows
    )


def test_of_conllu_the_column_is_used_that_the_grammar_knows_better(
    trained: karat.TrainedParser, tmp_path: Path
) -> None:
    rows = [[(tag, "X", form) for tag, form in one] for one in sentences()]
    as_xpos = karat.parse(trained, write(tmp_path / "a.conllu", conllu(rows)))
    as_upos = karat.parse(
        trained, write(tmp_path / "b.conllu", conllu([[("ZZ", tag, form) for tag, _, form in one] for one in rows]))
    )
    assert (as_xpos.column, as_upos.column) == ("xpos", "upos")
    assert as_xpos.parses == as_upos.parses
    neither = karat.parse(
        trained, write(tmp_path / "c.conllu", conllu([[("ZZ", "YY", form) for _, _, form in one] for one in rows]))
    )
    n_words = sum(len(one) for one in rows)
    assert (neither.tags_from, neither.column, neither.n_unknown_tags) == ("text", "xpos", n_words)
    assert neither.trees.count(b"(ZZ ") == n_words


def test_of_sentences_per_line_the_parser_chooses_the_tags(trained: karat.TrainedParser, tmp_path: Path) -> None:
    text = "".join(" ".join(form for _, form in one) + "\n" for one in sentences())
    found = karat.parse(trained, write(tmp_path / "plain.txt", text))
    assert found.tags_from == "parser"
    assert [[form for _, form in words_of(line)] for line in lines_of(found)] == [
        [form for _, form in one] for one in sentences()
    ]
    right = sum(words_of(line) == one for line, one in zip(lines_of(found), sentences(), strict=True))
    assert right > 10  # it has seen the words


def test_the_tags_of_a_tagger_come_before_those_of_the_text(trained: karat.TrainedParser, tmp_path: Path) -> None:
    tagger = karat.train("most-frequent", EXAMPLES / "gold.conllu", column="xpos", calibrate=False).tagger
    wrong = write(tmp_path / "wrong.tsv", "The\tVBD\nferry\tVBD\nleft\tDT\n")
    found = karat.parse(trained, wrong, tagger=tagger)
    assert (found.tags_from, found.column) == ("tagger", "xpos")
    assert [tag for tag, _ in words_of(lines_of(found)[0])] == ["DT", "NN", "VBD"]
    assert (
        found.parses[0].log_probability
        == karat.parse(trained, write(tmp_path / "right.tsv", "The\tDT\nferry\tNN\nleft\tVBD\n"))
        .parses[0]
        .log_probability
    )


def test_a_folder_of_trees_and_several_files_are_parsed_in_order(trained: karat.TrainedParser, tmp_path: Path) -> None:
    lines = GOLD.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "trees").mkdir()
    first = write(tmp_path / "trees" / "a.ptb", "".join(lines[:7]))
    second = write(tmp_path / "trees" / "b.ptb", "".join(lines[7:]))
    whole = karat.parse(trained, GOLD).trees
    assert karat.parse(trained, tmp_path / "trees").trees == whole
    assert karat.parse(trained, [first, second]).trees == whole
    assert karat.parse(trained, [second, first]).trees != whole


# ---- traces, missing trees, sentences without words ------------------------------------------------------------------


def test_traces_are_not_parsed_and_sentences_without_words_keep_their_lines(
    trained: karat.TrainedParser, tmp_path: Path
) -> None:
    trees = [
        "(S (NP (-NONE- *)) (VP (VBD left)))",
        "(())",
        "( (S (NP (DT The) (NN ferry)) (VP (VBD left) (NP (-NONE- *T*-1)))))",
        "(S (NP (-NONE- *)))",
        "(S (NP (PRP She))\n   (VP (VBD left)))",
        "(())",
    ]
    found = karat.parse(trained, write(tmp_path / "t.ptb", "\n".join([*trees, ""])), count=True)
    lines = lines_of(found)
    assert [" ".join(form for _, form in words_of(line)) for line in lines] == [
        "left", "", "The ferry left", "", "She left", "",
    ]  # fmt: skip
    assert [lines[number] for number in (1, 3, 5)] == ["(())"] * 3
    assert found.n_words == (1, 0, 3, 0, 2, 0)
    assert found.n_missing == lines.count("(())")
    numbered = found.write_numbers_of_parses(tmp_path / "n.txt").parses_written
    assert numbered is not None
    numbers = Path(numbered).read_text().splitlines()
    assert [number == "0" for number in numbers] == [line == "(())" for line in lines]


def test_all_sentences_may_be_missing(trained: karat.TrainedParser, tmp_path: Path) -> None:
    found = karat.parse(trained, write(tmp_path / "t.ptb", "(())\n(())\n"), count=True)
    assert lines_of(found) == ["(())", "(())"]
    assert found.parse_base is None
    assert found.to_dict()["log_probability"] == 0


def test_a_sentence_that_takes_too_long_is_missing_and_counted(trained: karat.TrainedParser) -> None:
    found = karat.parse(trained, GOLD, seconds=1e-9, count=True)
    assert found.n_missing == found.n_too_slow == 20
    assert lines_of(found) == ["(())"] * 20


class Clock:
    """A clock that goes on by a second whenever it is looked at, and more when it is told so."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1
        return self.now


def test_only_the_sentences_that_take_too_long_are_missing(
    trained: karat.TrainedParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is looked at at every word."""
    short, long = "(S (NP (PRP She)) (VP (VBD left)))", f"(S {'(NN ferry) ' * 200})"
    monkeypatch.setattr("karat.systems.pcfg.chart.time", Clock())
    found = karat.parse(trained, write(tmp_path / "t.ptb", "\n".join([short, long, short, ""])), seconds=100)
    assert [one.was_too_slow for one in found.parses] == [False, True, False]
    assert [one.is_missing for one in found.parses] == [False, True, False]


def test_compiling_the_loops_is_no_part_of_the_time_of_the_first_sentence(
    trained: karat.TrainedParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, slow_at_first = Clock(), {"best_column", "summed_column", "outside_column"}
    monkeypatch.setattr("karat.systems.pcfg.chart.time", clock)

    def compiled_late(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            clock.now += 1000 * (name in slow_at_first)
            slow_at_first.discard(name)
            return function(*arguments)

        return call

    for name in sorted(slow_at_first):
        monkeypatch.setattr(compiled, name, compiled_late(name, getattr(compiled, name)))
    found = karat.parse(trained, GOLD, seconds=500, threshold=0.5, count=True)
    assert not slow_at_first
    assert found.n_too_slow == 0


# ---- numbers ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**12) | st.integers(0, 12).map(lambda digits: 10**digits))
@settings(max_examples=100)
def test_numbers_up_to_a_million_million_are_exact(n: int) -> None:
    assert number_from_log(math.log(n) if n else -math.inf) == str(n)


@given(st.integers(10**12, 10**300) | st.integers(12, 400).map(lambda digits: 10**digits))
@settings(max_examples=100)
def test_larger_numbers_have_the_right_first_digits(n: int) -> None:
    found = number_from_log(math.log(n))
    assert len(found) - len(str(n)) in (0, -1)  # 99…9 for 10…0
    assert abs(int(found) - n) * 10**11 < n  # in whole numbers: n is more than a float can be
    assert len(found) < 16 or set(found[15:]) == {"0"}


def test_parse_base_is_the_geometric_mean_of_the_roots_of_the_numbers_of_parses(
    trained: karat.TrainedParser, tmp_path: Path
) -> None:
    text = write(tmp_path / "t.ptb", ADA.read_text(encoding="utf-8") + "(())\n(XX (UH Oh) (UH oh) (UH oh) (UH oh))\n")
    found = karat.parse(trained, text, count=True)
    path = found.write_numbers_of_parses(tmp_path / "n.txt").parses_written
    assert path is not None
    numbers = [int(line) for line in Path(path).read_text().splitlines()]
    roots = [n ** (1 / words) for n, words in zip(numbers, found.n_words, strict=True) if n]
    assert 1 < len(roots) < len(numbers)
    assert found.parse_base == pytest.approx(math.prod(roots) ** (1 / len(roots)))
    assert karat.parse(trained, text).parse_base is None


def test_several_jobs_give_what_one_gives(trained: karat.TrainedParser) -> None:
    one, two, five = (karat.parse(trained, ADA, jobs=jobs, count=True, threshold=0.5) for jobs in (1, 2, 5))
    assert one.parses == two.parses == five.parses
    assert one.signature == two.signature


def test_progress_goes_up_to_one(trained: karat.TrainedParser) -> None:
    for jobs in (1, 2):
        shares: list[float] = []
        karat.parse(trained, GOLD, jobs=jobs, progress=shares.append)
        assert len(shares) == 20
        assert shares == sorted(shares)
        assert shares[-1] == pytest.approx(1)


def test_a_threshold_leaves_doubtful_brackets_out_and_says_how_many(trained: karat.TrainedParser) -> None:
    every = karat.parse(trained, ADA)
    some = karat.parse(trained, ADA, threshold=0.9)
    assert every.n_left_out == 0 < some.n_left_out
    assert every.trees.count(b"(") - some.trees.count(b"(") == some.n_left_out


@pytest.mark.parametrize(
    ("threshold", "line"),
    [
        (0.0, "(S (N a) (X (N a) (N a)))"),
        (0.6, "(S (N a) (X (N a) (N a)))"),
        (0.61, "(S (N a) (N a) (N a))"),
        (1.0, "(S (N a) (N a) (N a))"),
    ],
)
def test_a_bracket_stays_whose_probability_reaches_the_threshold(threshold: float, line: str, tmp_path: Path) -> None:
    """S → N X has 3 of 5, and S → X N 2 of 5: X has 0.6 around the last two words, and S has 1."""
    three, two = "(S (N a) (X (N a) (N a)))\n", "(S (X (N a) (N a)) (N a))\n"
    trees = write(tmp_path / "t.ptb", three * 3 + two * 2)
    found = karat.parse(karat.train_parser(trees), write(tmp_path / "one.ptb", two), threshold=threshold, count=True)
    assert lines_of(found) == [line]
    assert found.parses[0].log_n_parses == pytest.approx(math.log(2))
    assert found.parses[0].log_probability == pytest.approx(math.log(0.6))


# ---- files and arguments ---------------------------------------------------------------------------------------------


def test_inputs_are_not_written_over(tmp_path: Path) -> None:
    text, link = write(tmp_path / "t.ptb", GOLD.read_text(encoding="utf-8")), tmp_path / "link"
    link.symlink_to(text)
    model, tagger = tmp_path / "m.karat", tmp_path / "g.karat"
    karat.train_parser(GOLD).save(model)
    karat.train("most-frequent", EXAMPLES / "gold.conllu", column="xpos", calibrate=False).save(tagger)
    before = [path.read_bytes() for path in (text, model, tagger)]
    found = karat.parse(model, text, tagger=tagger, count=True)
    for path in (text, link, model, tagger):
        with pytest.raises(karat.UsageError, match="is an input and will not be overwritten"):
            found.write(path)
        with pytest.raises(karat.UsageError, match="is an input and will not be overwritten"):
            found.write_numbers_of_parses(path)
    assert [path.read_bytes() for path in (text, model, tagger)] == before


def test_trees_are_compressed_by_their_name_and_read_again(trained: karat.TrainedParser, tmp_path: Path) -> None:
    found = karat.parse(trained, GOLD)
    for name in ("t.ptb", "t.ptb.gz", "t.ptb.bz2", "t.ptb.xz"):
        assert found.write(tmp_path / name).written == str(tmp_path / name)
        again = karat.parse(trained, tmp_path / name)
        assert again.trees == found.trees
    assert (tmp_path / "t.ptb").read_bytes() == found.trees


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": -0.1}, "threshold=-0.1"),
        ({"threshold": 1.1}, "between 0 and 1"),
        ({"threshold": math.nan}, "between 0 and 1"),
        ({"beam": 0}, "above 0"),
        ({"beam": math.nan}, "above 0"),
        ({"seconds": 0}, "above 0"),
        ({"seconds": -1}, "seconds=-1"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(
    arguments: dict[str, Any], message: str, trained: karat.TrainedParser
) -> None:
    with pytest.raises(karat.UsageError, match=message):
        karat.parse(trained, GOLD, **arguments)


def test_the_signature_names_what_was_done_and_to_what(trained: karat.TrainedParser, tmp_path: Path) -> None:
    model = trained.save(tmp_path / "m.karat").written
    assert model is not None
    found = karat.parse(model, GOLD, threshold=0.5, beam=8, seconds=30)
    for part in ("system:pcfg", "vertical:1", "tags:text", "threshold:0.5", "beam:8", "seconds:30", "m.karat@sha256:"):
        assert part in found.signature
    assert "beam" not in karat.parse(model, GOLD).signature
