"""Scores with and without leaks: those of files from which the leaks were taken."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from cli_runs import Run
from corruptions import ANNOTATION, corrupted
from examples import EXAMPLES, conllu, sentence
from karat._arrays import Flags
from karat.corpus.sentence_bytes import kept_sentences
from karat.evaluation.words import COMPARED_WORDS
from karat.report.leaks import leaks_report


@pytest.fixture
def train(tmp_path: Path) -> str:
    """Every third sentence of the gold."""
    text = (EXAMPLES / "gold.conllu").read_text(encoding="utf-8")
    chosen = text.strip("\n").split("\n\n")[::3]
    return conllu(tmp_path / "train.conllu", *(f"{one}\n\n" for one in chosen))


GOLD = str(EXAMPLES / "gold.conllu")
NAMES = ("ada", "bix")
MEASURED = ("value", "precision", "recall", "gold", "system", "correct", "lower", "upper", "method", "clusters")


@pytest.fixture
def systems(tmp_path: Path) -> dict[str, str]:
    """Two systems that have the sentences of the gold."""
    text = (EXAMPLES / "gold.conllu").read_text(encoding="utf-8")
    found = {}
    for number, name in enumerate(NAMES):
        (tmp_path / name).write_text(corrupted(text, number, ANNOTATION), encoding="utf-8")
        found[name] = str(tmp_path / name)
    return found


def files_with(folder: Path, systems: dict[str, str], keep: Flags) -> tuple[str, dict[str, str]]:
    """The gold and the systems with some of their sentences."""
    found = {}
    for name, path in {"gold": GOLD, **systems}.items():
        corpus = karat.read_conllu(path)
        assert corpus.n_sentences == len(keep)
        part = folder / f"{name}-{int(keep.sum())}.conllu"
        part.write_bytes(kept_sentences(corpus, keep))
        found[name] = str(part)
    return found.pop("gold"), found


def test_scores_with_and_without_leaks_are_those_of_files_without_them(
    train: str, systems: dict[str, str], tmp_path: Path
) -> None:
    leaks = karat.leaks(train, GOLD, systems)
    is_leaked = leaks.leaked.is_leaked
    assert 0 < is_leaked.sum() < len(is_leaked)
    for part, keep in (("all", is_leaked | True), ("without", ~is_leaked), ("only", is_leaked)):
        expected = karat.score(*files_with(tmp_path, systems, keep))
        for system in leaks.scores.systems:
            scores = getattr(system, part)
            assert set(scores) <= set(expected.system(system.name).measures)
            assert {"UPOS", "LAS", "CLAS", "Sentences"} <= set(scores)
            for name, score in scores.items():
                data, known = score.to_dict(), expected.system(system.name)[name].to_dict()
                assert [data[key] for key in MEASURED] == pytest.approx([known[key] for key in MEASURED]), (part, name)


def test_pairs_are_compared_as_karat_compare_does_on_files_without_leaks(
    train: str, systems: dict[str, str], tmp_path: Path
) -> None:
    leaks = karat.leaks(train, GOLD, systems)
    without = files_with(tmp_path, systems, ~leaks.leaked.is_leaked)
    known = karat.compare(GOLD, systems), karat.compare(*without)
    data = leaks.to_dict()["pairs"]
    assert [pair["measure"] for pair in data] == list(COMPARED_WORDS)
    for pair in data:
        for part, compared in zip(("all", "without"), known, strict=True):
            (other,) = [one for one in compared.to_dict()["pairs"] if one["measure"] == pair["measure"]]
            assert pair[part]["verdict"] == other["verdict"]
            names = ("value_a", "value_b", "difference", "lower", "upper", "p", "p_adjusted")
            assert [pair[part][name] for name in names] == pytest.approx([other[name] for name in names])


def test_measures_that_were_named_are_those_that_are_scored_and_compared(train: str, systems: dict[str, str]) -> None:
    leaks = karat.leaks(train, GOLD, systems, measures="Sentences,LAS")
    assert [list(one.all) for one in leaks.scores.systems] == [["Sentences", "LAS"]] * 2
    assert [one.all.measure for one in leaks.scores.pairs] == ["Sentences", "LAS"]
    assert "measures:Sentences,LAS" in leaks.signature


def test_a_measure_without_units_in_a_part_is_not_scored_there(tmp_path: Path) -> None:
    """Nothing but punctuation has no content words: CLAS has nothing to divide by."""
    dots = sentence("./PUNCT/0/root", *["./PUNCT/1/punct"] * 5)
    words = sentence("the/DET/3/det", "old/ADJ/3/amod", "mill/NOUN/4/nsubj", "turns/VERB/0/root", "on/ADV/4/advmod")
    test = conllu(tmp_path / "test", dots.replace("root", "punct"), words)
    leaks = karat.leaks(conllu(tmp_path / "train", dots), test, {"it": test})
    (system,) = leaks.scores.systems
    assert [one.sentence for one in leaks.sentences] == [1]
    assert "LAS" in system.only
    assert "CLAS" not in system.only
    assert system.without["CLAS"].value == 1


def many(folder: Path) -> tuple[str, str, dict[str, str]]:
    """Two systems that differ on leaks only: on every word of them one is right."""
    words = [[f"w{number}{letter}/X" for letter in "abcdef"] for number in range(40)]
    leaked, others = words[:20], words[20:]
    wrong = [[word.replace("/X", "/Y") for word in one] for one in leaked]
    every = {"test": [*leaked, *others], "ada": [*leaked, *others], "bix": [*wrong, *others], "train": leaked}
    paths = {name: conllu(folder / name, *(sentence(*one) for one in several)) for name, several in every.items()}
    return paths["train"], paths["test"], {"ada": paths["ada"], "bix": paths["bix"]}


def test_a_verdict_that_rests_on_leaks_is_said_to_change(tmp_path: Path) -> None:
    train, test, systems = many(tmp_path)
    leaks = karat.leaks(train, test, systems, measures="UPOS")
    (pair,) = leaks.scores.pairs
    assert (pair.better, pair.changes) == (("ada", ""), True)
    verdict = leaks_report(leaks).verdict
    assert verdict == [
        "20 of 40 test sentences (50.0 %) are in the training text.",
        "Without the leaks, UPOS is 100.0 as before for ada and 100.0 instead of 50.0 for bix.",
        "Without the leaks, ada is no longer better than bix on UPOS.",
    ]
    others = karat.leaks(train, test, {"bix": systems["bix"]}, measures="UPOS")
    assert leaks_report(others).verdict[1:] == ["Without the leaks, bix's UPOS is 100.0 instead of 50.0."]


def test_a_verdict_that_leaks_hide_is_said_to_change(tmp_path: Path) -> None:
    """On the leaks bix is right and ada wrong, elsewhere the other way round."""
    words = [[f"w{number}{letter}/X" for letter in "abcdef"] for number in range(40)]
    wrong = [[word.replace("/X", "/Y") for word in one] for one in words]
    paths = {
        name: conllu(tmp_path / name, *(sentence(*one) for one in several))
        for name, several in {
            "test": words,
            "train": words[:20],
            "ada": wrong[:20] + words[20:],
            "bix": words[:20] + wrong[20:],
        }.items()
    }
    systems = {name: paths[name] for name in ("ada", "bix")}
    leaks = karat.leaks(paths["train"], paths["test"], systems, measures="UPOS")
    assert leaks_report(leaks).verdict[-1] == (
        "Without the leaks, ada is better than bix on UPOS, which is not clear with them."
    )


@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        (["a b c d e", "f g h i j"], "1 of 2 test sentences (50.0 %) is in the training text."),
        (["x a b c d e f g h i y"], "1 of 1 test sentence is nearly in the training text; none is exactly there."),
        (
            ["a b c d e", "x a b c d e f g h i y"],
            "1 of 2 test sentences (50.0 %) is in the training text, 1 more nearly so.",
        ),
        (["k l m n o"], "None of 1 test sentence is in the training text, or nearly so."),
    ],
)
def test_the_verdict_says_how_many_are_there(tmp_path: Path, test: list[str], verdict: str) -> None:
    train = [sentence(*one.split()) for one in ("a b c d e", "q a b c d e f g h i")]
    paths = conllu(tmp_path / "train", *train), conllu(tmp_path / "test", *(sentence(*one.split()) for one in test))
    assert leaks_report(karat.leaks(*paths, near=0.7)).verdict == [verdict]


# ---- the text without leaks ------------------------------------------------------------------------------------------


def test_the_text_without_leaks_has_all_other_bytes(tmp_path: Path, train: str) -> None:
    leaks = karat.leaks(train, GOLD)
    written = karat.write_without_leaks(leaks, tmp_path / "clean.conllu")
    assert written == (str(tmp_path / "clean.conllu"),)
    corpus = karat.read_conllu(GOLD)
    text = (tmp_path / "clean.conllu").read_bytes()
    assert text == kept_sentences(corpus, ~leaks.leaked.is_leaked)
    again = karat.leaks(train, tmp_path / "clean.conllu")
    assert (len(again), again.test.n_sentences) == (0, corpus.n_sentences - len(leaks))
    assert len(again.short) == len(leaks.short)


def test_nothing_is_written_if_every_sentence_is_a_leak(tmp_path: Path) -> None:
    text = conllu(tmp_path / "text", sentence(*"abcdef"))
    with pytest.raises(karat.DataError, match="K930 every sentence is in the training text") as error:
        karat.write_without_leaks(karat.leaks(text, text), tmp_path / "clean")
    assert error.value.code == "K930"
    assert not (tmp_path / "clean").exists()


def test_several_files_are_written_into_a_folder(tmp_path: Path) -> None:
    leaked, other = sentence(*"abcdef"), sentence(*"uvwxyz")
    (tmp_path / "in").mkdir()
    files = [conllu(tmp_path / "in" / name, leaked, other) for name in ("x", "y")]
    karat.write_without_leaks(karat.leaks(conllu(tmp_path / "train", leaked), files), tmp_path / "out")
    assert [(tmp_path / "out" / name).read_text() for name in ("x", "y")] == [other, other]


def test_no_input_is_written_over(train: str, systems: dict[str, str]) -> None:
    leaks = karat.leaks(train, GOLD, systems)
    for path in (train, GOLD, systems["ada"]):
        before = Path(path).read_bytes()
        with pytest.raises(karat.UsageError, match="is an input"):
            karat.write_without_leaks(leaks, path)
        assert Path(path).read_bytes() == before


# ---- inputs ----------------------------------------------------------------------------------------------------------


def treebank(folder: Path) -> str:
    folder.mkdir()
    conllu(folder / "x-ud-train.conllu", sentence(*"abcdef", sent_id="t1"), sentence(*"ghijkl", sent_id="t2"))
    conllu(folder / "x-ud-dev.conllu", sentence(*"uvwxyz", sent_id="d1"))
    conllu(folder / "x-ud-test.conllu", sentence(*"ghijkl", sent_id="s1"), sentence(*"uvwxyz", sent_id="s2"))
    return str(folder)


def test_a_folder_is_its_training_part_and_its_test_part(tmp_path: Path) -> None:
    folder = treebank(tmp_path / "UD_X")
    leaks = karat.leaks(folder, folder)
    assert [(one.sent_id, one.train_sent_id) for one in leaks.sentences] == [("s1", "t2")]


def test_problems_of_all_inputs_are_said_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = conllu(tmp_path / "bad", sentence(*"abcdef").replace("\t", " ", 1))
    good = conllu(tmp_path / "good", sentence(*"abcdef"))
    run = Run(capsys, "leaks", bad, good, f"ada={bad}", "nowhere.conllu")
    assert run.code == 3
    assert [line.split(" ")[1] for line in run.err.splitlines() if "hint" not in line] == ["K201", "K101"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--near", "0"], "near 0.0: it must be above 0"),
        (["--near", "1.5"], "near 1.5: it must be above 0 and at most 1"),
        (["--measure", "LAS"], "--measure requires a system"),
        (["--level", "0.9"], "--level requires a system"),
        (["-o", "-"], "-o needs a file name"),
        (["ada=x", "--measure", ","], "--measure needs a name"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    path = conllu(tmp_path / "text", sentence(*"abcdef"))
    run = Run(capsys, "leaks", path, path, *arguments)
    assert run.code == 2
    assert message in run.err


def test_a_check_fails_on_leaks_but_not_on_short_sentences(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    short = conllu(tmp_path / "short", sentence("Thanks", "!"))
    long = conllu(tmp_path / "long", sentence(*"abcdef"))
    assert Run(capsys, "leaks", short, short, "--check").code == 0
    assert Run(capsys, "leaks", long, long, "--check").code == 1
    assert Run(capsys, "leaks", long, long).code == 0
    assert Run(capsys, "leaks", long, short, "--check").code == 0


def test_the_training_text_as_test_is_warned_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = conllu(tmp_path / "text", sentence(*"abcdef"))
    assert f"warning: {path} is the training text itself" in Run(capsys, "leaks", path, path).err


def test_values_in_a_sentence_have_as_many_digits_each(tmp_path: Path) -> None:
    """Of 2,000 words, 10 of them leaked, ada has 3 wrong elsewhere: 99.85 % with them and 99.849 % without."""
    words = [[f"w{number}{letter}/X" for letter in "abcdefghij"] for number in range(200)]
    wrong = [
        [word.replace("/X", "/Y") if number in (5, 6, 7) and word.endswith("a/X") else word for word in one]
        for number, one in enumerate(words)
    ]
    bad = [
        [word.replace("/X", "/Y") if number in (0, 1) and word.endswith("a/X") else word for word in one]
        for number, one in enumerate(words)
    ]
    every = {"test": words, "ada": wrong, "bix": bad, "train": words[:1]}
    paths = {name: conllu(tmp_path / name, *(sentence(*one) for one in several)) for name, several in every.items()}
    leaks = karat.leaks(paths["train"], paths["test"], {one: paths[one] for one in ("ada", "bix")}, measures="UPOS")
    said = leaks_report(leaks).verdict[1]
    assert said == "Without the leaks, UPOS is 99.85 as before for ada and 99.95 instead of 99.90 for bix."
