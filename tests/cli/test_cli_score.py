"""`karat score` as a user calls it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))


def test_json_has_the_contract_s_fields(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "score", GOLD, f"ada={ADA}", BIX, "--json").json
    assert data["schema"] == "karat/score/1"
    assert [system["name"] for system in data["systems"]] == ["ada", "bix.conllu"]
    las = data["systems"][0]["measures"]["LAS"]
    assert list(las) == [
        "value",
        "precision",
        "recall",
        "f1",
        "aligned_accuracy",
        "gold",
        "system",
        "correct",
        "aligned",
        "lower",
        "upper",
        "method",
        "clusters",
        "resamples",
        "level",
        "note",
        "effective_clusters",
    ]
    assert las["value"] == las["f1"] == 2 * las["correct"] / (las["gold"] + las["system"])
    for name in ("Tokens", "Sentences", "Words"):
        assert data["systems"][0]["measures"][name]["aligned_accuracy"] is None


@pytest.mark.parametrize(
    "options",
    [
        ("--like", "conll18"),
        ("--by", "upos", "--by", "document", "--confusions", "upos", "--confusions", "full-deprel"),
        ("--measure", "las,upos", "--measure", "Lemmas", "--lexicon", GOLD),
    ],
)
def test_json_fits_its_schema(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    assert Run(capsys, "score", GOLD, ADA, "--json", *options).json["systems"]


@pytest.mark.parametrize(
    ("options", "has"),
    [
        ((), True),
        (("--resamples", "0"), False),
        (("--like", "conll18"), False),
        (("--like", "conll18", "--intervals"), True),
    ],
)
def test_intervals_are_null_where_they_are_off(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], has: bool
) -> None:
    las = Run(capsys, "score", GOLD, ADA, *options, "--json").json["systems"][0]["measures"]["LAS"]
    for name in ("lower", "upper", "method", "clusters", "resamples", "level"):
        assert (las[name] is not None) == has, name
    if has:
        assert las["lower"] < las["value"] < las["upper"]
        assert (las["method"], las["clusters"], las["level"]) == ("t-logit", 12, 0.95)


def test_measures_are_chosen_by_name_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "score", GOLD, ADA, "--json", "--measure", "las,Upos", "--measure", "BLEX").json
    assert list(data["systems"][0]["measures"]) == ["LAS", "UPOS", "BLEX"]


def test_an_unknown_measure_is_a_usage_error_that_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "score", GOLD, ADA, "--measure", "LASS")
    assert run.code == 2
    assert "unknown measure 'LASS'" in run.err
    assert "FullLAS" in run.err


def test_text_shows_every_system_and_the_signature_last(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "score", GOLD, f"ada={ADA}", f"bix={BIX}")
    assert run.code == 0
    assert re.search(r"^measure +ada +95 % CI +bix +95 % CI$", run.out, re.MULTILINE)
    assert re.search(r"^LAS +86\.73 +[0-9.–]+ +87\.88\* ", run.out, re.MULTILINE)
    assert run.out.splitlines()[-1].startswith("karat:")
    assert run.out.startswith("LAS: bix 87.9 (95 % CI 84.2 to 90.8), ada 86.7 (83.5 to 89.4) on 998 words.\n")
    assert re.fullmatch("warning: only 12 documents: reliable CIs need 20 or more\n", run.err)


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_hold_the_same_numbers(capsys: pytest.CaptureFixture[str], format_: str) -> None:
    run = Run(capsys, "score", GOLD, ADA, "--measure", "LAS", "--format", format_)
    assert run.code == 0
    assert ("0.8673" if format_ in ("csv", "tsv") else "86.73") in run.out


def test_fail_under_is_a_gate(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "score", GOLD, ADA, "--fail-under", "LAS=0.85").code == 0
    run = Run(capsys, "score", GOLD, ADA, BIX, "--fail-under", "las=0.87")
    assert run.code == 1
    assert "ada.conllu: LAS 0.8673 is below 0.87" in run.err
    assert "bix" not in run.err


@pytest.mark.parametrize("gate", ["LAS", "LAS=high", "LAS=88", "LASS=0.5", "LAS=nan"])
def test_a_gate_that_makes_no_sense_is_a_usage_error(capsys: pytest.CaptureFixture[str], gate: str) -> None:
    assert Run(capsys, "score", GOLD, ADA, "--fail-under", gate).code == 2


def test_per_sentence_counts_add_up_to_the_totals(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    data = Run(capsys, "score", GOLD, ADA, BIX, "--per-sentence", str(path), "--json").json
    header, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    assert header[:4] == ["system", "sentence", "sent_id", "document"]
    column = header.index("LAS.correct")
    for system in data["systems"]:
        counts = [int(row[column]) for row in rows if row[0] == system["name"]]
        assert len(counts) == data["gold"]["sentences"]
        assert sum(counts) == system["measures"]["LAS"]["correct"]


def test_problems_are_listed_with_places_and_nothing_is_scored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold = conllu(tmp_path / "gold.conllu", *(sentence("one/NUM", "two/NUM") for _ in range(30)))
    bad = conllu(tmp_path / "bad.conllu", *(sentence("one/NUM/7", "two/NUM") for _ in range(30)))
    run = Run(capsys, "score", gold, bad)
    assert (run.code, run.out) == (3, "")
    places = re.findall(r"^.*bad\.conllu:(\d+):(\d+): K208 HEAD 7 is out of range", run.err, re.MULTILINE)
    assert places == [(str(1 + 3 * number), "19") for number in range(20)]
    assert "… and 10 more problems (--max-errors 0 shows all)" in run.err
    assert run.err.count("hint:") <= 1
    assert Run(capsys, "score", gold, bad, "--max-errors", "0").err.count("K208") == 30
    assert Run(capsys, "score", gold, bad, "--max-errors", "1").err.count("K208") == 1


def test_skip_bad_counts_what_it_skips_in_table_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad = sentence("one/NUM", "two/NUM", sent_id="g"), sentence("three/NUM/9", sent_id="b")
    mended = sentence("three/NUM", sent_id="b")
    gold = conllu(tmp_path / "gold.conllu", good, mended)
    path = conllu(tmp_path / "bad.conllu", good, bad)
    data = Run(capsys, "score", gold, path, "--skip-bad", "--json").json
    assert data["skipped"] == {"gold": 0, "systems": {"bad.conllu": 1}}
    assert data["systems"][0]["skipped"]["system"] == 1
    assert data["systems"][0]["measures"]["UPOS"]["correct"] == 2
    run = Run(capsys, "score", gold, path, "--skip-bad")
    assert "1 bad system sentence scored as 0" in run.out
    assert "skipped: " in run.err
    data = Run(capsys, "score", path, gold, "--skip-bad", "--json").json
    assert data["skipped"] == {"gold": 1, "systems": {"gold.conllu": 0}}
    assert data["systems"][0]["measures"]["UPOS"]["gold"] == 2
    said = " ".join(Run(capsys, "score", path, gold, "--skip-bad").out.split())
    assert re.match(r"gold\.conllu: .* on 2 words\.", said)
    assert "1 sentence, 2 words" in Run(capsys, "score", path, gold, "--skip-bad", "--format", "latex").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score", "no-such.conllu", ADA], 3, "no-such.conllu: K101 no such file"),
        (["score", GOLD.replace("gold", "gould"), ADA], 3, "did you mean"),
        (["score", str(EXAMPLES.parent / "inference"), ADA], 3, "K102 this is a directory"),
        (["score", os.devnull, ADA], 3, "K104 the file has no sentences"),
        (["score", GOLD], 2, "Give the gold and at least one system"),
        (["score"], 2, "Give the gold and at least one system"),
        (["score", "-", "-"], 2, "only once"),
        (["score", GOLD, f"x={ADA}", f"x={BIX}"], 2, "two systems are called 'x'"),
        (["score", GOLD, ADA, "--system-dir", "x"], 2, "--system-dir requires --gold-dir"),
        (["score", "--gold-dir", "nowhere", "--system-dir", "x"], 3, "nowhere: K101 no such folder"),
        (["score", "--gold-dir", str(EXAMPLES), ADA], 2, "Give folders only"),
        (["score", GOLD, ADA, "--by", "colour"], 2, "no split by 'colour'"),
        (["score", GOLD, ADA, "--input", "tsv"], 3, "K301 10 columns where 2 were expected"),
        (["score", GOLD, ADA, "--per-sentence", "/no/such/folder/x.tsv"], 2, "cannot be written"),
        (["score", GOLD, ADA, "--per-sentence", ADA], 2, "would overwrite an input"),
        (["score", GOLD, ADA, "--lexicon", BIX, "--per-sentence", BIX], 2, "would overwrite an input"),
        (["score", GOLD, ADA, "--confusions", "upos", "--format", "csv"], 2, "--confusions cannot be written as csv"),
        (["score", GOLD, ADA, "--measure", "UPOS", "--fail-under", "LAS=0.5"], 2, "LAS is not among the measures"),
        (["score", GOLD, ADA, "--by", "upos", "--measure", "Tokens"], 2, "needs a measure of words"),
        (["scoer", GOLD, ADA], 2, "Did you mean 'score'?"),
    ],
)
def test_mistakes_get_an_exit_code_and_a_reason(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    run = Run(capsys, *arguments)
    assert (run.code, run.out) == (code, "")
    assert message in run.err
    assert "Traceback" not in run.err


def test_verbose_names_the_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("Hello\tINTJ\nworld\tNOUN\n", encoding="utf-8")
    (tmp_path / "system.txt").write_text("Hello/INTJ world/VERB\n", encoding="utf-8")
    run = Run(capsys, "score", str(tmp_path / "gold.tsv"), str(tmp_path / "system.txt"), "-v", "--json")
    assert "gold.tsv: read as tsv" in run.err
    assert "system.txt: read as slash" in run.err
    measures = run.json["systems"][0]["measures"]
    assert measures["UPOS"]["value"] == 0.5
    assert "LAS" not in measures


def test_plain_tags_can_be_xpos(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "system.txt").write_text("Hello/UH world/NN\n", encoding="utf-8")
    gold = conllu(
        tmp_path / "gold.conllu", "1\tHello\t_\tINTJ\tUH\t_\t_\t_\t_\t_\n2\tworld\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n"
    )
    data = Run(capsys, "score", gold, str(tmp_path / "system.txt"), "--column", "xpos", "--json").json
    assert data["systems"][0]["measures"]["XPOS"]["value"] == 1
    assert "UPOS" not in data["systems"][0]["measures"]


def test_several_files_are_one_corpus_with_commas(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "score", f"{GOLD},{GOLD}", f"twice={GOLD},{GOLD}", "--json").json
    assert data["gold"]["sentences"] == 2 * 61
    assert data["systems"][0]["measures"]["LAS"]["value"] == 1


def test_repeated_sent_ids_are_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = conllu(tmp_path / "twice.conllu", sentence("a", sent_id="s"), sentence("b", sent_id="s"), sentence("c"))
    run = Run(capsys, "score", path, path)
    assert run.code == 0
    assert "W102 1 sentences repeat a sent_id; the first is 's'" in run.err
    assert "W101 1 of 3 sentences have no sent_id" in run.err


def test_folders_are_scored_treebank_by_treebank(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("gold", "ada"):
        (tmp_path / name).mkdir()
        for treebank in ("en_x", "en_y"):
            (tmp_path / name / f"{treebank}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    (tmp_path / "ada" / "en_y.conllu").unlink()
    (tmp_path / "ada" / "en_z.conllu").write_bytes((EXAMPLES / "ada.conllu").read_bytes())
    folders = ["--gold-dir", str(tmp_path / "gold"), "--system-dir", str(tmp_path / "ada")]
    run = Run(capsys, "score", *folders, "--json")
    system = run.json["systems"][0]
    assert (system["name"], system["absent"]) == ("ada", ["en_y.conllu"])
    assert system["macro"]["LAS"] == system["treebanks"][0]["measures"]["LAS"]["value"] / 2
    assert system["measures"]["LAS"]["recall"] == system["treebanks"][0]["measures"]["LAS"]["recall"] / 2
    assert "en_z.conllu: no gold file of this name" in run.err
    text = Run(capsys, "score", *folders).out
    assert re.search(r"^micro ", text, re.MULTILINE)
    assert "Missing, scored as 0: en_y.conllu" in text
    assert Run(capsys, "score", *folders, "--format", "csv").out.startswith("name,treebank,measure,value")


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_a_broken_file_in_a_folder_is_scored_as_0_with_a_note(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str
) -> None:
    for name in ("gold", "ada", "bix"):
        (tmp_path / name).mkdir()
        for treebank in ("en_x", "en_y"):
            (tmp_path / name / f"{treebank}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    with (tmp_path / "ada" / "en_y.conllu").open("a", encoding="utf-8") as file:
        file.write("1\tbroken\n\n")
    folders = ["--gold-dir", str(tmp_path / "gold")]
    folders += [part for name in ("ada", "bix") for part in ("--system-dir", str(tmp_path / name))]
    run = Run(capsys, verb, *folders)
    assert run.code == 0
    assert "scored as 0: ada (1 broken file)." in " ".join(run.out.split())
    assert "Broken, scored as 0: ada (en_y.conllu)." in " ".join(run.out.split())
    assert "en_y.conllu:1221:1: K201 2 columns where 10 were expected" in run.err
    assert run.err.endswith("hint: --skip-bad scores the sentences of a broken file that are good\n")
    kept = Run(capsys, verb, *folders, "--skip-bad")
    assert "Broken" not in kept.out
    assert "hint" not in kept.err


def test_folders_have_intervals_in_the_text_and_a_hash_each_in_the_signature(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("gold", "ada"):
        (tmp_path / name).mkdir()
        for number in range(9):
            (tmp_path / name / f"{number}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    folders = ["--gold-dir", str(tmp_path / "gold"), "--system-dir", str(tmp_path / "ada"), "--measure", "LAS"]
    micro = Run(capsys, "score", *folders, "--json").json["systems"][0]["measures"]["LAS"]
    out = Run(capsys, "score", *folders, "--details").out
    assert re.search(rf"^micro +{100 * micro['lower']:.2f}–{100 * micro['upper']:.2f}$", out, re.MULTILINE)
    *_, gold, system = out.splitlines()[-1].split("|")
    assert re.fullmatch(rf"gold:{tmp_path}/gold@sha256:[0-9a-f]{{16}}", gold)
    assert re.fullmatch(rf"system:{tmp_path}/ada@sha256:[0-9a-f]{{16}}", system)


def test_a_split_counts_the_units_of_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "score", GOLD, ADA, "--by", "document", "--json").json
    words = data["systems"][0]["by"]["document"]["news-footbridge"]["UPOS"]["gold"]
    out = Run(capsys, "score", GOLD, ADA, "--by", "document").out
    assert re.search(r"^document +gold +UPOS +LAS$", out, re.MULTILINE)
    assert re.search(rf"^news-footbridge +{words} ", out, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "none.x", ADA],
        ["score", GOLD, "none.x"],
        ["score", GOLD, ADA, "--lexicon", "none.x"],
        ["score", GOLD, ADA, "--cluster", "none.x"],
        ["score", GOLD, ADA, "--train", "none.x", "--ignore-suspicious", "all"],
        ["score", GOLD, ADA, "--hierarchy", "none.x"],
        ["compare", GOLD, ADA, "none.x"],
        ["noise", "estimate", GOLD, ADA, "--judgements", "none.x"],
        ["repeats", "none.x"],
        ["repeats", GOLD, "--check", "--baseline", "none.x"],
        ["diverge", GOLD, "none.x"],
        ["agree", GOLD, "none.x"],
        ["measures", "none.x"],
        ["tagset", "check", "ud", "none.x"],
        ["weights", "queries", "none.x"],
        ["weights", "rules", "none.x"],
        ["correct", GOLD, "--judgements", "none.x"],
    ],
    ids=lambda arguments: " ".join(os.path.basename(part) for part in arguments),
)
def test_a_missing_file_has_no_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    run = Run(capsys, *arguments)
    assert run.code == 3
    assert re.search(r"^none\.x: K101 no such file$", run.err, re.MULTILINE)
    assert "none.x:1" not in run.err


def test_control_characters_in_input_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold = conllu(tmp_path / "gold.conllu", sentence("a/\x1b[31mRED"))
    system = conllu(tmp_path / "system.conllu", sentence("a/X"))
    run = Run(capsys, "score", gold, system, "--by", "upos", "--confusions", "upos")
    assert "\x1b" not in run.out
    assert "\\x1b[31mRED" in run.out


def _process(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "karat", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def _interruptible(*arguments: str) -> subprocess.Popen[bytes]:
    """A process that obeys interrupts, even if tests run in the background of a shell, which has them ignored."""
    import signal

    return _process(*arguments, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def test_standard_input_can_be_the_system() -> None:
    process = _process("score", GOLD, "-", "--json", stdin=subprocess.PIPE)
    out, _ = process.communicate(Path(ADA).read_bytes())
    assert process.returncode == 0
    assert json.loads(out)["systems"][0]["path"] == "<stdin>"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--per-sentence", os.devnull, "--json", "--by", "document"], 0, b""),
        (["--fail-under", "LAS=0.9"], 1, b"ada.conllu: LAS 0.8673 is below 0.9\n"),
    ],
    ids=["result", "gate"],
)
def test_a_reader_that_has_seen_enough_changes_no_exit_code(arguments: list[str], code: int, message: bytes) -> None:
    process = _process("score", GOLD, ADA, "--resamples", "0", *arguments)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == message
    assert process.wait() == code


def test_a_closed_standard_output_is_no_error() -> None:
    command = [sys.executable, "-m", "karat", "score", GOLD, ADA, "--resamples", "0"]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_an_error_without_a_traceback() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "karat", "score", GOLD, ADA, "--resamples", "0"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"Error: the result cannot be written: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("verb", [[], ["score"]], ids=["karat", "score"])
def test_help_on_a_full_disk_is_an_error_without_a_traceback(verb: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "karat", *verb, "--help"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"Error: the result cannot be written: No space left on device\n")


def test_an_output_that_has_no_rules_gets_plainer_ones() -> None:
    process = _process("score", GOLD, ADA, "--resamples", "0", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert b"-------" in out


def test_a_file_name_that_is_not_utf8_makes_valid_json(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/bad\xff.conllu"
    with open(name, "wb") as file:
        file.write(Path(ADA).read_bytes())
    process = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"karat", b"score", os.fsencode(GOLD), name, b"--json"],
        capture_output=True,
        check=True,
    )
    assert json.loads(process.stdout.decode())["systems"][0]["name"] == "bad\udcff.conllu"


def test_compressed_standard_input_is_recognised() -> None:
    process = _process("score", GOLD, "-", "--json", stdin=subprocess.PIPE)
    out, _ = process.communicate(gzip.compress(Path(ADA).read_bytes()))
    assert process.returncode == 0
    assert json.loads(out)["systems"][0]["sha256"] == hashlib.sha256(Path(ADA).read_bytes()).hexdigest()


def test_skipped_sentences_are_listed_up_to_max_errors(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", *(sentence("one/NUM") for _ in range(9)))
    bad = conllu(tmp_path / "bad.conllu", *(sentence("one/NUM/7") for _ in range(9)))
    run = Run(capsys, "score", gold, bad, "--skip-bad", "--max-errors", "3")
    assert run.err.count("skipped: ") == 3
    assert "… and 6 more problems" in run.err


def test_splits_may_be_given_with_commas(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "score", GOLD, ADA, "--json", "--by", "upos,length", "--confusions", "upos,deprel").json
    assert list(data["systems"][0]["by"]) == ["upos", "length"]
    assert list(data["systems"][0]["confusions"]) == ["upos", "deprel"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_an_interruption_is_exit_code_130(tmp_path: Path) -> None:
    import signal
    import time

    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    process = _interruptible("score", str(fifo), ADA)
    while process.poll() is None:
        try:
            writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)  # works once karat has opened it and waits for bytes
            break
        except OSError:
            time.sleep(0.01)
    deadline = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < deadline:
        process.send_signal(signal.SIGINT)  # again, if Python was just about to wait: it would not notice the first
        time.sleep(0.5)
    _, err = process.communicate(timeout=20)
    os.close(writer)
    assert err == b"interrupted\n"
    assert process.returncode in (130, -signal.SIGINT)  # a second signal, on a busy machine, may meet Python at its end


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_an_interruption_while_karat_is_loaded_has_no_traceback() -> None:
    """Before karat's code runs at all, Python may show one of its own."""
    import signal
    import time

    n_interrupted = 0
    for seconds in (0.03, 0.04, 0.05, 0.07, 0.1):
        process = _interruptible("score", GOLD, ADA)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if process.returncode == 0:  # it was quicker than that
            continue
        if b"Traceback" in err or b"Fatal Python error" in err or not err:
            assert b"__main__.py" not in err
            assert b"cli" not in err
        else:
            assert err.endswith(b"interrupted\n")
            # Python itself ends by the signal where it interrupted an exec() of a string; shells call both 130
            assert process.returncode in (130, -signal.SIGINT)
            n_interrupted += 1
    assert n_interrupted


def test_too_little_memory_is_one_line_and_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object, **__: object) -> None:
        np.empty(1 << 60, dtype=np.int8)

    monkeypatch.setattr("karat.evaluation.score.score", too_large)
    run = Run(capsys, "score", GOLD, ADA)
    assert (run.code, run.out) == (3, "")
    assert run.err == "Error: not enough memory: give karat less at once, or a machine that has more\n"


@pytest.mark.parametrize(
    "content", [b"", "1\ta\n".encode("utf-16"), b"(S (NP (DT the) (NN oak)))\n"], ids=["empty", "utf-16", "trees"]
)
def test_skip_bad_is_no_hint_for_files_without_a_good_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    for name in ("gold", "ada"):
        (tmp_path / name).mkdir()
        for treebank in ("en_x", "en_y"):
            (tmp_path / name / f"{treebank}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    (tmp_path / "ada" / "en_y.conllu").write_bytes(content)
    run = Run(capsys, "score", "--gold-dir", str(tmp_path / "gold"), "--system-dir", str(tmp_path / "ada"))
    assert run.code == 0
    assert "en_y.conllu" in run.err
    assert "--skip-bad" not in run.err


@pytest.mark.parametrize(("verb", "others"), [("suspects", ()), ("leaks", (GOLD,))], ids=["suspects", "leaks"])
def test_the_hint_at_trees_fits_verbs_that_score_nothing(
    capsys: pytest.CaptureFixture[str], verb: str, others: tuple[str, ...]
) -> None:
    run = Run(capsys, verb, *others, str(EXAMPLES / "gold.ptb"))
    assert run.code in (2, 3)
    assert "hint: give a file of words and tags; bracketed trees can only be used with other bracketed" in run.err
    assert "scored" not in run.err


def test_a_file_in_place_of_a_folder_of_figures_is_told_before_any_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "s.conllu"
    path.write_text("mine", encoding="utf-8")
    run = Run(capsys, "score", GOLD, "no-such-file", "--figures", str(path))
    assert (run.code, run.out) == (2, "")
    assert run.err == f"Error: {path} is a file; name a folder for the drawings\n"
