"""`karat train pcfg` and `karat parse` as a user calls them: what is written, what is said, and what is refused."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES

GOLD, ADA = EXAMPLES / "gold.ptb", EXAMPLES / "ada.ptb"
_OPENING = "(S (NP (PRP She)) (VP (VBD left)))"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a parser and a tagger."""
    folder = tmp_path_factory.mktemp("models")
    karat.train_parser(GOLD).save(folder / "m.karat")
    karat.train("most-frequent", EXAMPLES / "gold.conllu", column="xpos", calibrate=False).save(folder / "t.karat")
    return folder


@pytest.fixture
def run(
    models: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Run]:
    """Calls in a folder of their own, which has the models and some texts."""
    monkeypatch.chdir(tmp_path)
    for path in models.iterdir():
        Path(path.name).write_bytes(path.read_bytes())
    Path("text.ptb").write_bytes(GOLD.read_bytes())
    Path("one.ptb").write_text(f"{_OPENING}\n", encoding="utf-8")
    Path("folder").mkdir()
    return lambda arguments: Run(capsys, *arguments.split())


def files() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


# ---- what is written -------------------------------------------------------------------------------------------------


def test_trees_go_to_standard_output_and_nothing_else_does(run: Callable[[str], Run]) -> None:
    found = run("parse -m m.karat one.ptb")
    assert (found.code, found.out, found.err) == (0, "(ROOT (S (NP (PRP She)) (VP (VBD left))))\n", "")


def test_what_is_missing_or_unknown_is_said_beside_trees_on_standard_output(run: Callable[[str], Run]) -> None:
    Path("odd.ptb").write_text("(S (NP (ZZ She)) (VP (VBD left)))\n(())\n", encoding="utf-8")
    found = run("parse -m m.karat odd.ptb")
    assert found.out.splitlines()[1] == "(())"
    assert found.err.splitlines() == [
        "1 sentence without a parse, written as (()).",
        "1 sentence of these had no words.",
        "1 word had a tag that the grammar does not know: the parser went by the form.",
    ]


def test_a_text_may_be_said_to_be_a_sentence_per_line(run: Callable[[str], Run]) -> None:
    Path("odd.txt").write_text("and/or is_a choice\n(laughs) yes\n", encoding="utf-8")
    found = run("parse -m m.karat odd.txt --input text")
    assert found.code == 0
    assert [line.count(" and/or)") + line.count(" -LRB-laughs-RRB-)") for line in found.out.splitlines()] == [1, 1]


def test_a_parser_of_words_that_all_occur_twice_is_read_again(run: Callable[[str], Run]) -> None:
    Path("twice.ptb").write_text(f"{_OPENING}\n{_OPENING}\n", encoding="utf-8")
    assert run("train pcfg twice.ptb -o twice.karat").code == 0
    assert run("parse -m twice.karat twice.ptb").code == 0


def test_a_tagger_learns_from_trees(run: Callable[[str], Run]) -> None:
    assert run("train most-frequent text.ptb -o own.karat").code == 0
    assert run("train most-frequent folder -o own.karat").code == 3
    found = run("parse -m m.karat text.ptb --tagger own.karat")
    assert (found.code, len(found.out.splitlines())) == (0, 20)


def test_what_is_trained_and_parsed_is_scored_with_its_numbers_of_parses(run: Callable[[str], Run]) -> None:
    assert run("train pcfg text.ptb -o new.karat").code == 0
    assert Path("new.karat").read_bytes() == karat.train_parser("text.ptb").file
    parsed = run(f"parse -m new.karat {ADA} -o out.ptb --parses n.txt --json").json
    data = run(f"score {ADA} out.ptb --parses n.txt --json").json
    assert data["systems"][0]["measures"]["Labelled F1"]["value"] > 0.5
    assert data["parse_base"] == pytest.approx(parsed["parse_base"])
    assert len(Path("out.ptb").read_text(encoding="utf-8").splitlines()) == parsed["sentences"] == 20


def test_missing_parses_and_traces_are_scored_line_by_line(run: Callable[[str], Run]) -> None:
    text = f"(())\n{_OPENING}\n(S (NP (-NONE- *)) (VP (VBD left)))\n(S (NP (-NONE- *)))\n(XX (CC and) (CC and))\n"
    Path("odd.ptb").write_text(text, encoding="utf-8")
    parsed = run("parse -m m.karat odd.ptb -o out.ptb --parses n.txt --json").json
    lines = Path("out.ptb").read_text(encoding="utf-8").splitlines()
    assert [line == "(())" for line in lines] == [True, False, False, True, True]
    assert [line == "0" for line in Path("n.txt").read_text().splitlines()] == [True, False, False, True, True]
    scored = run("score odd.ptb out.ptb --parses n.txt --json").json
    assert scored["parse_base"] == pytest.approx(parsed["parse_base"])
    assert scored["systems"][0]["missing_parses"] == parsed["missing"] == 3


@pytest.mark.parametrize("extra", ["--jobs 2", "--beam 60", "--beam inf", "--seconds inf", "--threshold 0"])
def test_options_that_change_nothing_change_nothing(extra: str, run: Callable[[str], Run]) -> None:
    plain = run(f"parse -m m.karat {ADA}")
    assert run(f"parse -m m.karat {ADA} {extra}").out == plain.out


def test_compressed_trees_are_read_and_written(run: Callable[[str], Run]) -> None:
    Path("text.ptb.gz").write_bytes(gzip.compress(Path("text.ptb").read_bytes()))
    assert run("parse -m m.karat text.ptb.gz -o out.ptb.gz").code == 0
    assert gzip.decompress(Path("out.ptb.gz").read_bytes()).decode() == run("parse -m m.karat text.ptb").out


def test_the_rules_that_were_learnt_can_be_read(run: Callable[[str], Run]) -> None:
    shown = run("train pcfg text.ptb -o new.karat --show")
    assert "TOP → S  0.95" in shown.out.splitlines() or "TOP → S  1" in shown.out.splitlines()
    assert shown.out.splitlines() == karat.load_parser("new.karat").learnt()


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_other_labels_and_tags_than_in_training_are_parsed_and_counted(run: Callable[[str], Run]) -> None:
    Path("other.ptb").write_text("(FOO (BAR (XX She)) (BAZ (YY left)))\n", encoding="utf-8")
    found = run("parse -m m.karat other.ptb -o out.ptb")
    assert found.code == 0
    assert "2 words had a tag that the grammar does not know" in found.out
    assert Path("out.ptb").read_text(encoding="utf-8") == "(ROOT (S (NP (XX She)) (VP (YY left))))\n"


def test_missing_parses_are_counted_and_those_without_words_told_apart(run: Callable[[str], Run]) -> None:
    Path("odd.ptb").write_text(f"(())\n{_OPENING}\n(XX (CC and) (CC and))\n", encoding="utf-8")
    found = run("parse -m m.karat odd.ptb -o out.ptb")
    assert "2 sentences without a parse, written as (())." in found.out
    assert "1 sentence of these had no words." in found.out
    assert "took longer" not in found.out


def test_a_long_sentence_that_takes_too_long_is_missing_and_said_so(
    run: Callable[[str], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("long.ptb").write_text(f"(S {'(NN ferry) ' * 200})\n{_OPENING}\n", encoding="utf-8")
    found = run("parse -m m.karat long.ptb -o out.ptb --seconds 1e-6")
    assert found.code == 0
    assert "sentences of these took longer than 1e-06 s (--seconds)" in " ".join(found.out.split())
    assert Path("out.ptb").read_text(encoding="utf-8") == "(())\n(())\n"
    monkeypatch.setattr("karat.systems.pcfg.chart.MOST_BYTES", 8 * 100 * 101 * 38)
    found = run("parse -m m.karat long.ptb -o out.ptb")
    assert "1 sentence of these took longer than 60 s (--seconds) or had too many words" in " ".join(found.out.split())
    assert Path("out.ptb").read_text(encoding="utf-8").splitlines()[0] == "(())"


def test_two_hundred_words_are_parsed(run: Callable[[str], Run]) -> None:
    tags = "(S (NP (DT The) (NN man)) (VP (VBD left) " + "(PP (IN with) (NP (DT the) (NN kite))) " * 66 + ") (. .))"
    Path("long.ptb").write_text(f"{tags}\n", encoding="utf-8")
    found = run("parse -m m.karat long.ptb -o out.ptb --parses n.txt --threshold 0.5 --json").json
    assert (found["missing"], found["words"]) == (0, 202)
    assert len(re.findall(r"\(\S+ [^\s()]+\)", Path("out.ptb").read_text(encoding="utf-8"))) == 202
    assert re.fullmatch("[0-9]{20,}\n", Path("n.txt").read_text())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("She ( left )\n", "She -LRB- left -RRB-"),
        ("She\u00a0left\nHe left\n", "She left|He left"),
        ("Rain\n", "Rain"),
    ],
)
def test_plain_text_may_have_brackets_and_any_space(text: str, words: str, run: Callable[[str], Run]) -> None:
    Path("plain.txt").write_text(text, encoding="utf-8")
    Path("as.tsv").write_text(
        "\n".join("".join(f"{form}\t_\n" for form in line.split()) for line in words.split("|")), encoding="utf-8"
    )
    found = run("parse -m m.karat plain.txt")
    assert found.code == 0
    assert found.out == run("parse -m m.karat as.tsv").out
    for line, one in zip(found.out.splitlines(), words.split("|"), strict=True):
        assert line == "(())" or re.findall(r"\(\S+ ([^\s()]+)\)", line) == one.split()


def test_a_form_with_a_space_stays_one_word(run: Callable[[str], Run]) -> None:
    Path("space.tsv").write_text("The\u00a0man\tPRP\nleft\tVBD\n\n", encoding="utf-8")
    assert run("parse -m m.karat space.tsv").out == "(ROOT (S (NP (PRP The_man)) (VP (VBD left))))\n"


# ---- what is refused -------------------------------------------------------------------------------------------------

_TEXTS = {
    "empty": "",
    "blank": "\n \n",
    "missing": "(())\n(())\n",
    "open": f"{_OPENING}\n(S (NP (NN Rain)\n",
    "closed": f"{_OPENING}\n  (NN Rain)))\n",
    "outside": f"{_OPENING}\nRain falls\n",
    "plain": "Rain falls\n",
    "nul": "(S (NN Ra\0in))\n",
}
_REFUSED = [
    ("parse -m m.karat empty", 3, "empty:1:1: K104"),
    ("parse -m m.karat blank", 3, "blank:1:1: K104"),
    ("parse -m m.karat open", 3, "open:2:1: K702"),
    ("parse -m m.karat closed", 3, "closed:2:12: K701"),
    ("parse -m m.karat outside", 3, "outside:2:1: K704"),
    ("parse -m m.karat nul", 3, "nul:1:10: K107"),
    ("parse -m m.karat nowhere.ptb", 3, "nowhere.ptb: K101 no such file"),
    ("parse -m m.karat text.ptb,nowhere.ptb", 3, "nowhere.ptb: K101 no such file"),
    ("parse -m m.karat folder", 3, "folder"),
    ("parse -m nowhere.karat text.ptb", 3, "nowhere.karat: K101 no such file"),
    ("parse -m folder text.ptb", 3, "folder: K101 a folder, not a model"),
    ("parse -m text.ptb text.ptb", 3, "text.ptb: K903 not a model of karat"),
    ("parse -m t.karat text.ptb", 3, "t.karat: K903 this is a tagger (most-frequent), not a parser"),
    ("parse -m m.karat text.ptb --tagger m.karat", 3, "m.karat: K903 this is a parser, not a tagger"),
    ("parse -m m.karat text.ptb --tagger text.ptb", 3, "text.ptb: K903 not a model of karat"),
    ("parse -m m.karat text.ptb --tagger nowhere.karat", 3, "nowhere.karat: K101 no such file"),
    ("parse -m m.karat text.ptb -o folder", 2, "folder is a folder"),
    ("parse -m m.karat text.ptb --parses folder", 2, "folder is a folder"),
    ("parse -m m.karat text.ptb -o nowhere/out.ptb", 2, "there is no folder nowhere"),
    ("parse -m m.karat text.ptb -o text.ptb", 2, "text.ptb is an input"),
    ("parse -m m.karat text.ptb -o ./folder/../text.ptb", 2, "is an input"),
    ("parse -m m.karat text.ptb -o m.karat", 2, "m.karat is an input"),
    ("parse -m m.karat text.ptb -o t.karat --tagger t.karat", 2, "t.karat is an input"),
    ("parse -m m.karat text.ptb --parses text.ptb", 2, "text.ptb is an input"),
    ("parse -m m.karat text.ptb --parses m.karat", 2, "m.karat is an input"),
    ("parse -m m.karat text.ptb -o out --parses out", 2, "-o and --parses name the same file"),
    ("parse -m m.karat text.ptb -o out --parses ./out", 2, "-o and --parses name the same file"),
    ("parse -m m.karat text.ptb --threshold 2", 2, "--threshold 2: it must be between 0 and 1"),
    ("parse -m m.karat text.ptb --threshold -0.5", 2, "--threshold -0.5: it must be between 0 and 1"),
    ("parse -m m.karat text.ptb --threshold nan", 2, "--threshold nan"),
    ("parse -m m.karat text.ptb --beam -1", 2, "--beam -1: it must be above 0"),
    ("parse -m m.karat text.ptb --beam 0", 2, "--beam 0: it must be above 0"),
    ("parse -m m.karat text.ptb --seconds 0", 2, "--seconds 0: it must be above 0"),
    ("parse -m m.karat text.ptb --seconds -1e-7", 2, "--seconds -1e-07: it must be above 0"),
    ("parse -m m.karat text.ptb --jobs 0", 2, "--jobs"),
    ("parse -m m.karat text.ptb --jobs two", 2, "--jobs"),
    ("parse -m m.karat text.ptb --input nonsense", 2, "--input"),
    ("parse -m m.karat text.ptb --json", 2, "name a file for the trees with -o"),
    ("parse -m m.karat text.ptb --format text", 2, "name a file for the trees with -o"),
    ("parse -m m.karat text.ptb -o -", 2, "give a file name for the trees, not -"),
    ("parse -m m.karat trees -o trees/out.ptb", 2, "would be a file of the folder that is parsed"),
    ("parse -m m.karat latin-1 --input text", 3, "latin-1:1:4: K106"),
    ("parse text.ptb", 2, "-m"),
    ("parse -m m.karat", 2, "TEXT"),
    ("tag -m m.karat text.ptb", 3, "m.karat: K903 this is a parser, not a tagger"),
    ("train pcfg empty -o out", 3, "empty:1:1: K104 the file is empty"),
    ("train pcfg missing -o out", 3, "missing:1:1: K104 there are no trees to learn from"),
    ("train pcfg plain -o out", 3, "plain:1:1: K704 the file has no trees"),
    ("train pcfg open -o out", 3, "open:2:1: K702"),
    ("train pcfg outside -o out", 3, "outside:2:1: K704"),
    ("train pcfg nowhere.ptb -o out", 3, "nowhere.ptb: K101 no such file"),
    ("train pcfg folder -o out", 3, "folder"),
    ("train pcfg text.ptb -o text.ptb", 2, "text.ptb is an input"),
    ("train pcfg text.ptb -o folder", 2, "folder is a folder"),
    ("train pcfg text.ptb -o out --vertical 0", 2, "--vertical"),
    ("train pcfg text.ptb -o out --horizontal -1", 2, "--horizontal"),
    ("train pcfg text.ptb -o out --smoothing -1", 2, "--smoothing"),
    ("train pcfg text.ptb -o out --smoothing nan", 2, "--smoothing"),
    ("train pcfg text.ptb -o out --column xpos", 2, "--column is an option of taggers, not of pcfg"),
    ("train pcfg text.ptb -o out --epochs 3", 2, "--epochs"),
    ("train pcfg text.ptb -o out --input conllu", 2, "--input conllu: pcfg learns from bracketed trees"),
    ("train pcfg text.ptb -o -", 2, "give a file name for the model, not -"),
    ("train pcfg words -o out", 3, "words: K704 no files of trees in this folder"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), _REFUSED, ids=[one[0] for one in _REFUSED])
def test_what_is_wrong_is_refused_with_its_place_and_nothing_is_written(
    arguments: str, code: int, message: str, run: Callable[[str], Run]
) -> None:
    for name, text in _TEXTS.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("latin-1").write_bytes("Caf\xe9 noir\n".encode("latin-1"))
    Path("trees").mkdir()
    Path("trees/a.ptb").write_text(f"{_OPENING}\n", encoding="utf-8")
    Path("words").mkdir()
    Path("words/a.conllu").write_text("1\tRain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    before = files()
    found = run(arguments)
    assert (found.code, found.out) == (code, "")
    assert message in " ".join(found.err.split()), found.err
    assert "Traceback" not in found.err
    assert files() == before


def test_a_damaged_model_is_refused(run: Callable[[str], Run]) -> None:
    data = Path("m.karat").read_bytes()
    for bad in (data[:-1], data[:1000], data[:-1] + b"x"):
        Path("bad.karat").write_bytes(bad)
        found = run("parse -m bad.karat text.ptb")
        assert (found.code, found.out) == (3, "")
        assert "bad.karat: K903 the model is damaged" in found.err


def _process(*arguments: str) -> subprocess.Popen[bytes]:
    """A process that obeys interrupts, even if tests run in the background of a shell, which has them ignored."""
    return subprocess.Popen(
        [sys.executable, "-m", "karat", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_while_parsing_writes_nothing(jobs: str, models: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "fifo", tmp_path / "out.ptb"
    os.mkfifo(text)
    process = _process("parse", "-m", str(models / "m.karat"), str(text), "-o", str(out), "--jobs", jobs)
    sentence = "(S " + "(DT The) (NN man) (IN with) " * 30 + ")\n"
    with text.open("w", encoding="utf-8") as writer:  # goes on once karat reads
        writer.write(sentence * 20_000)
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert b"Traceback" not in err
    assert err.endswith(b"interrupted\n")  # perhaps after the notice that kernels are compiled
    assert process.returncode in (130, -signal.SIGINT)  # a second signal, on a busy machine, may meet Python at its end
    assert not out.exists()
