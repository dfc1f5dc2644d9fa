"""`karat score` and `karat compare` on bracketed trees, as a user calls them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from realdata import data
from tree_corruptions import corrupted_tree

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.ptb") for name in ("gold", "ada", "bix"))
ITEMS = "TTB TPB EM CE SP PINH PNINH TINH TNINH".split()
TABLE_3 = (
    "Generation Rate, Recall-hard, Recall-soft, Precision-hard, Precision-soft, Spuriousness, Spurious Reject, "
    "False Error, Test Noise, Problem Rate, P-inheritance, T-inheritance"
).split(", ")
NEED_VERDICTS = ["Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate"]

# the paper's worked example (§3)
TREEBANK = """(S (X (T He)) (X (T walks) (T to) (X (T the) (T house))))
(S (X (T The) (T president)) (X (T gave) (X (T a) (T long) (T speech))))
"""
PARSER = """(S (X (T He)) (X (T walks) (X (T to) (X (T the) (T house)))))
(S (X (T The)) (X (X (T president) (T gave)) (X (T a) (X (T long) (T speech)))))
"""


def written(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def worked(tmp_path: Path) -> tuple[str, str]:
    return written(tmp_path / "gold.ptb", TREEBANK), written(tmp_path / "parser.ptb", PARSER)


def test_the_worked_example_is_the_paper_s(capsys: pytest.CaptureFixture[str], worked: tuple[str, str]) -> None:
    system = Run(capsys, "score", *worked, "--json").json["systems"][0]
    wanted = {"TTB": 7, "TPB": 9, "EM": 5, "CE": 2, "SP": 2, "PINH": 1, "PNINH": 1, "TINH": 1, "TNINH": 4}
    assert {item: system["items"][item] for item in wanted} == wanted
    assert (system["items"]["EMA"], system["items"]["EMR"]) == (5, 0)
    assert system["crossings"] == {"0": 1, "1": 0, "2": 1, "more": 0}
    values = {name: one and one["value"] for name, one in system["measures"].items()}
    assert {name: values[name] for name in ("Generation Rate", "Recall-hard", "Precision-hard", "Spuriousness")} == {
        "Generation Rate": pytest.approx(9 / 7),
        "Recall-hard": pytest.approx(5 / 7),
        "Precision-hard": pytest.approx(5 / 9),
        "Spuriousness": pytest.approx(2 / 9),
    }
    assert values["Bracketing Accuracy"] == pytest.approx(7 / 9)  # (5 + 2)/9
    assert values["Sentence Accuracy"] == values["No Crossing"] == 0.5
    assert values["Average Crossing"] == 1.0


def test_measures_have_the_paper_s_names_and_are_null_without_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    system = Run(capsys, "score", GOLD, ADA, "--json").json["systems"][0]
    assert set(TABLE_3) <= set(system["measures"])
    assert [name for name in TABLE_3 if system["measures"][name] is None] == NEED_VERDICTS
    assert [item for item in system["items"] if item not in ("EMA", "EMR")] == ITEMS
    labelled = system["measures"]["Labelled F1"]
    assert labelled["value"] == labelled["f1"] == 2 * labelled["correct"] / (labelled["gold"] + labelled["system"])
    assert labelled["lower"] < labelled["value"] < labelled["upper"]
    assert system["up_to_cutoff"]["cutoff"] == 40
    assert system["up_to_cutoff"]["sentences"] == 20
    assert system["not_measured"]["False Error"] == ["CEA", "CER"]


def test_signature_names_every_step_of_preparation(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Run(capsys, "score", GOLD, ADA, "--json").json["signature"]
    assert "|brackets:unlabelled|punctuation:penn|empty:dropped|doubled:merged|one-word:dropped|cutoff:40|" in plain
    chosen = ["--labelled", "--punctuation", "unicode", "--keep-empty", "--keep-doubled", "--keep-one-word"]
    other = Run(capsys, "score", GOLD, ADA, *chosen, "--cutoff", "20", "--json").json["signature"]
    assert "|brackets:labelled|punctuation:unicode|empty:kept|doubled:kept|one-word:kept|cutoff:20|" in other
    assert "|label:PP,NP*|" in Run(capsys, "score", GOLD, ADA, "--label", "PP,NP*", "--json").json["signature"]


def test_text_shows_measures_items_and_crossings(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "score", GOLD, f"ada={ADA}", f"bix={BIX}", "--by", "label", "--details")
    assert run.code == 0
    for part in ("Labelled F1", "TTB    brackets of the treebank", "sentences by their crossing brackets"):
        assert part in run.out
    assert "bix by label" in run.out
    assert "bix: 1 missing parse counts as producing nothing" in run.err


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_are_written(capsys: pytest.CaptureFixture[str], format_: str) -> None:
    run = Run(capsys, "score", GOLD, ADA, BIX, "--format", format_)
    assert run.code == 0
    assert "Labelled F1" in run.out


def test_label_pattern_restricts_the_items(capsys: pytest.CaptureFixture[str]) -> None:
    by = Run(capsys, "score", GOLD, ADA, "--by", "label", "--json").json["systems"][0]["items_by"]["label"]
    only = Run(capsys, "score", GOLD, ADA, "--label", "PP,NP", "--json").json["systems"][0]
    assert only["items"]["TTB"] == by["PP"]["TTB"] + by["NP"]["TTB"]
    assert only["items"]["EM"] == by["PP"]["EM"] + by["NP"]["EM"]
    assert "Complete Match" not in only["measures"]


def test_per_sentence_has_the_items_of_every_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    items = Run(capsys, "score", GOLD, ADA, "--per-sentence", str(path), "--json").json["systems"][0]["items"]
    head, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 20
    for item in ITEMS:
        assert sum(int(row[head.index(item)]) for row in rows) == items[item]


def test_trees_are_known_by_content_and_by_option(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd = written(tmp_path / "gold.txt", Path(GOLD).read_text(encoding="utf-8"))
    assert "read as brackets" in Run(capsys, "score", odd, ADA, "-v").err
    assert Run(capsys, "score", odd, ADA, "--input", "brackets", "--json").json["systems"]
    spread = Path(GOLD).read_text(encoding="utf-8").replace(" (VP", "\n\t(VP")
    over_lines = written(tmp_path / "lines", spread)
    assert (
        Run(capsys, "score", over_lines, GOLD, "--json").json["systems"][0]["measures"]["Complete Match"]["value"] == 1
    )


def test_a_missing_parse_counts_as_producing_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    whole = Run(capsys, "score", GOLD, GOLD, "--json").json["systems"][0]
    for number, nothing in enumerate(["", "()", "(())", "  "]):
        path = written(tmp_path / f"{number}.ptb", "\n".join([lines[0], nothing, *lines[2:]]) + "\n")
        system = Run(capsys, "score", GOLD, path, "--json").json["systems"][0]
        assert system["items"]["TTB"] == whole["items"]["TTB"]
        assert system["items"]["TPB"] == system["items"]["EM"] < whole["items"]["TPB"]
        assert system["missing_parses"] == 1
        assert system["measures"]["Complete Match"]["value"] == system["measures"]["No Crossing"]["value"] == 19 / 20


def test_other_words_are_an_error_that_names_the_first_difference(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = Path(ADA).read_text(encoding="utf-8").replace("kite", "dragon")
    path = written(tmp_path / "s.ptb", text)
    run = Run(capsys, "score", GOLD, path)
    assert run.code == 3
    assert f"{path}:2:" in run.err
    assert "K713 sentence 2: word 8 is 'dragon' where the gold has 'kite'" in run.err
    skipped = Run(capsys, "score", GOLD, path, "--skip-bad", "--json").json
    assert skipped["skipped"]["systems"] == {"s.ptb": 1}
    plain = Run(capsys, "score", GOLD, ADA, "--json").json
    assert skipped["systems"][0]["items"]["TTB"] == plain["systems"][0]["items"]["TTB"]


def test_folders_pair_by_relative_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    for number in range(4):
        part = "\n".join(lines[5 * number : 5 * number + 5]) + "\n"
        written(tmp_path / "gold" / f"part{number % 2}" / f"{number}.ptb", part)
        if number != 3:
            written(tmp_path / "ada" / f"part{number % 2}" / f"{number}.ptb", part)
    written(tmp_path / "ada" / "other.ptb", lines[0])
    run = Run(capsys, "score", str(tmp_path / "gold"), str(tmp_path / "ada"), "--json")
    assert run.json["gold"]["documents"] == 4
    assert run.json["systems"][0]["missing_parses"] == 5
    assert "other.ptb: no gold file of this name; not scored" in run.err
    assert run.json["gold"]["path"] == str(tmp_path / "gold")


def test_sparse_bracketing_brings_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sparse = "\n".join("(S" + line[8:] for line in _flat(Path(GOLD).read_text(encoding="utf-8")))
    run = Run(capsys, "score", GOLD, written(tmp_path / "s.ptb", sparse + "\n"))
    assert "sparse bracketing flatters" in run.err
    assert "sparse" not in Run(capsys, "score", GOLD, ADA).err


def _flat(text: str) -> list[str]:
    """Each tree with one bracket around all its words."""
    return ["(ROOT (S " + " ".join(re.findall(r"\([^\s()]+ [^\s()]+\)", line)) + ")" for line in text.splitlines()]


def test_parse_base_is_given_where_the_number_of_parses_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = written(tmp_path / "g.ptb", "(S (A a) (A b))\n(S (A a) (A b) (A c) (A d))\n")
    parses = written(tmp_path / "parses", "4\n81\n")
    # the square root of 4 is 2, the fourth root of 81 is 3; their geometric mean is the square root of 6
    assert Run(capsys, "score", gold, gold, "--parses", parses, "--json").json["parse_base"] == pytest.approx(6**0.5)
    bad = written(tmp_path / "bad", "4\nmany\n")
    run = Run(capsys, "score", gold, gold, "--parses", bad)
    assert (run.code, f"{bad}:2:1: K714" in run.err) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["score", GOLD, ADA, "--confusions", "upos"], "--confusions cannot be used with bracketed trees"),
        (["score", GOLD, ADA, "--like", "conll18"], "--like conll18 cannot be used with bracketed trees"),
        (["score", GOLD, ADA, "--by", "upos"], "no split of trees by 'upos'"),
        (["score", GOLD, ADA, "--measure", "LAS"], "unknown measure 'LAS'"),
        (["score", GOLD, ADA, "--sample", "3"], "--sample requires --worklist"),
        (["score", GOLD, ADA, "--prm", "x"], "--prm requires --like evalb"),
        (["score", GOLD, ADA, "--like", "evalb", "--evalb-steps"], "--evalb-steps cannot be used with --like evalb"),
        (["score", GOLD, ADA, "--evalb-steps", "--label", "NP"], "EVALB has no figure for some labels"),
        (["score", GOLD, ADA, "--inheritance", "other"], "'other' is not one of"),
        (["compare", GOLD, ADA, BIX, "--prm", "x"], "--prm requires --like evalb"),
        (["compare", GOLD, ADA, BIX, "--like", "evalb", "--labelled"], "--labelled cannot be used with --like evalb"),
        (["compare", GOLD, ADA, BIX, "--like", "evalb", "--measure", "CE"], "unknown measure 'CE'"),
        (["compare", GOLD, ADA, BIX, "--like", "evalb", "--measure", "Recall-hard"], "EVALB has no"),
        (["compare", GOLD, ADA, BIX, "--like", "evalb", "--judgements", "x"], "--judgements cannot be used with"),
        (
            ["compare", "--counts", "YY=1,YN=1,NY=1,NN=1", "--judgements", "x"],
            "--judgements cannot be used with --counts",
        ),
        (["compare", "--counts", "YY=1,YN=2,NY=2,NN=1", "--svg", "x.svg"], "no curve of M1 and M2"),
        (["score", GOLD, ADA, "--like", "evalb", "--labelled"], "--labelled cannot be used with --like evalb"),
        (["score", GOLD, ADA, "--punctuation", "some"], "write penn, unicode, none, or a file"),
        (
            ["score", str(EXAMPLES / "gold.conllu"), str(EXAMPLES / "ada.conllu"), "--labelled"],
            "only with bracketed trees",
        ),
        (
            ["score", str(EXAMPLES / "gold.conllu"), str(EXAMPLES / "ada.conllu"), "--like", "evalb"],
            "with bracketed trees",
        ),
        (["compare", GOLD, ADA, BIX, "--like", "conll18"], "--like conll18 cannot be used with bracketed trees"),
        (["compare", GOLD, ADA, BIX, "--measure", "Crossing Rate", "--statistic", "recall"], "Crossing Rate"),
        (["compare", GOLD, ADA, BIX, "--measure", "False Error"], "verdicts"),
    ],
)
def test_what_cannot_be_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    run = Run(capsys, *arguments)
    assert run.code == 2
    assert reason in run.err


@pytest.mark.parametrize(
    ("gold", "system", "code"),
    [
        (GOLD, str(EXAMPLES / "ada.conllu"), "K704"),
        (str(EXAMPLES / "gold.conllu"), ADA, "K108"),
        (GOLD, "nowhere.ptb", "K101"),
        ("nowhere.ptb", ADA, "K101"),
        (GOLD, str(EXAMPLES), "K102"),
    ],
)
def test_wrong_files_are_told_in_words(capsys: pytest.CaptureFixture[str], gold: str, system: str, code: str) -> None:
    run = Run(capsys, "score", gold, system)
    assert run.code == 3
    assert code in run.err
    assert "Traceback" not in run.err


def test_fail_under_knows_measures_of_trees(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "score", GOLD, ADA, "--fail-under", "labelled f1=0.9").code == 0
    assert Run(capsys, "score", GOLD, ADA, "--fail-under", "Complete Match=0.9").code == 1


def test_compare_has_its_measures_units_and_labels(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--json").json
    assert [pair["measure"] for pair in data["pairs"]] == [
        "Labelled F1",
        "Recall-hard",
        "Precision-hard",
        "Crossing Rate",
        "Labelled Precision",
        "Labelled Recall",
        "Complete Match",
        "Average Crossing",
    ]
    recall = data["pairs"][1]
    assert recall["test"] == "exact permutation"
    assert sum(recall["counts"].values()) == 163
    assert recall["design_effect"] > 1
    assert recall["real_test"]["size"] > 0
    assert [one["flips"] for one in recall["labels"]] == sorted(
        (one["flips"] for one in recall["labels"]), reverse=True
    )
    assert sum(one["ny"] for one in recall["labels"]) == recall["counts"]["NY"]
    assert data["statistic"] == "value"
    assert data["pairs"][3]["lower_is_better"]


# ---- EVALB -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["gum", "errors", "edge", "gum-unlabelled"])
def test_like_evalb_is_what_evalb_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path, case: str) -> None:
    gold, test, prm, printed = (str(data(f"evalb/{case}.{suffix}")) for suffix in ("gld", "tst", "prm", "out"))
    out = tmp_path / "evalb.txt"
    run = Run(capsys, "score", gold, test, "--like", "evalb", "--prm", prm, "--per-sentence", str(out))
    expected = Path(printed).read_text(encoding="utf-8")
    assert out.read_text(encoding="utf-8") == expected
    summary = expected.split("=== Summary ===\n\n")[1]
    assert run.out.startswith(summary)


def test_what_evalb_leaves_out_is_named_beside_the_honest_figure(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    retagged = [lines[0].replace("(. .)", "(NN .)"), *lines[1:]]  # sentence 1: EVALB deletes the stop on one side only
    retagged[1] = "(())"
    retagged[2] = retagged[2].replace("quay", "kay")
    path = written(tmp_path / "s.ptb", "\n".join(retagged) + "\n")
    system = Run(capsys, "score", GOLD, path, "--like", "evalb", "--json").json["systems"][0]
    assert system["measures"]["Labelled F1"]["value"] == 1
    assert [(one["sentence"], one["status"], one["why"]) for one in system["evalb"]["left_out"]] == [
        (1, 1, "other words deleted"),
        (2, 2, "no parse, or no word left in it"),
        (3, 1, "other words"),
    ]
    # sentence 2 has ROOT S NP VP NP NP PP NP, sentence 3 has ROOT S PP NP NP NP PP NP VP VP PP NP
    n_brackets = [len(re.findall(r"\(\S+ (?=\()", line)) for line in lines]
    assert n_brackets[1:3] == [8, 12]
    right = sum(n_brackets) - 8 - 12
    every = system["evalb"]["every_sentence"]["all"]
    assert every["recall"] == pytest.approx(100 * right / sum(n_brackets))
    assert every["precision"] == pytest.approx(100 * right / (sum(n_brackets) - 8))  # the parse of sentence 3 counts
    text = Run(capsys, "score", GOLD, path, "--like", "evalb").out
    assert "EVALB leaves out 1 of 20 sentences: other words deleted (1)." in text


def test_evalb_s_figure_and_its_steps_stand_beside_karat_s(capsys: pytest.CaptureFixture[str]) -> None:
    figure = Run(capsys, "score", GOLD, BIX, "--like", "evalb", "--json").json["systems"][0]["evalb"]["all"][
        "f_measure"
    ]
    run = Run(capsys, "score", GOLD, BIX)
    text = " ".join(run.out.split())
    assert f"EVALB (COLLINS.prm) would give Labelled F1 {figure:.2f}: it leaves out 1 of 20 sentences" in text
    assert "counts ROOT, brackets around one word and doubled brackets (--evalb-steps)" in text
    asked = Run(capsys, "score", GOLD, BIX, "--evalb-steps")
    lines = asked.out[asked.out.index("step ") :].split("\n\n")[0].splitlines()[2:]
    changes, values = zip(*((one[31:].split()[0], float(one[31:].split()[1])) for one in lines), strict=True)
    assert values[-1] == values[-2] == pytest.approx(figure, abs=5e-3)
    moved = [float(one.replace("−", "-")) for one in changes[1:]]
    assert sum(moved[:-1]) == pytest.approx(moved[-1], abs=1e-9)  # as they are shown
    data = Run(capsys, "score", GOLD, BIX, "--evalb-steps", "--json").json["systems"][0]
    assert data["beside_evalb"]["value"] == pytest.approx(figure / 100)
    assert data["beside_evalb"]["steps"][0]["f1"] == pytest.approx(data["measures"]["Labelled F1"]["value"])
    assert data["beside_evalb"]["steps"][-1]["f1"] == pytest.approx(figure / 100)


def test_compare_like_evalb_has_the_figures_of_scoring_like_it(capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"ada={ADA}", f"bix={BIX}"]
    run = Run(capsys, "compare", GOLD, *systems, "--like", "evalb", "--json")
    scores = Run(capsys, "score", GOLD, *systems, "--like", "evalb", "--json").json
    for pair in run.json["pairs"]:
        for side, system in zip("ab", scores["systems"], strict=True):
            assert pair[f"value_{side}"] == system["measures"][pair["measure"]]["value"]
    assert run.json["left_out"] == {"ada": 0, "bix": 1}
    assert "leaves out different sentences for each system (ada 0, bix 1)" in run.err
    text = " ".join(Run(capsys, "compare", GOLD, *systems, "--like", "evalb").out.split())
    assert "sentences without a parse or with other words: 0 of ada and 1 of bix" in text
    assert "bad system sentence" not in text


def test_the_reading_of_inheritance_can_be_chosen_and_is_named(
    capsys: pytest.CaptureFixture[str], worked: tuple[str, str]
) -> None:
    found = {}
    for reading in ("example", "literal"):
        run = Run(capsys, "score", *worked, "--keep-one-word", "--inheritance", reading, "--json")
        items = run.json["systems"][0]["items"]
        found[reading] = items["TINH"], items["TNINH"]
        assert ("inheritance:literal" in run.json["signature"]) == (reading == "literal")
    assert found["literal"][0] > found["example"][0]
    assert sum(found["literal"]) == sum(found["example"])
    text = " ".join(Run(capsys, "score", *worked, "--details").out.split())
    assert "PINH, TINH: the bracket around the whole sentence is not a parent, as in the paper's worked example" in text
    text = " ".join(Run(capsys, "score", *worked, "--details", "--inheritance", "literal").out.split())
    assert "is a parent like others, as the paper defines it (literal)" in text


def test_verdicts_bring_soft_measures_into_comparisons(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    systems, path = [f"ada={ADA}", f"bix={BIX}"], tmp_path / "check.tsv"
    assert Run(capsys, "score", GOLD, *systems, "--worklist", str(path)).code == 0
    head, *rows = path.read_text(encoding="utf-8").split("\nid\t")[1].splitlines()
    at = ["id", *head.split("\t")].index("verdict")
    comments = path.read_text(encoding="utf-8").split("\nid\t")[0]
    for n_blank in (0, 1):
        cells = [row.split("\t") for row in rows]
        for number, row in enumerate(cells):
            row[at] = "" if number < n_blank else "accept"
        lines = [comments, f"id\t{head}", *("\t".join(row) for row in cells)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        run = Run(capsys, "compare", GOLD, *systems, "--judgements", str(path), "--json")
        measures = [pair["measure"] for pair in run.json["pairs"]]
        assert ("Recall-soft" in measures) == (not n_blank)
        assert ("undecided" in run.json) == bool(n_blank)
    text = " ".join(Run(capsys, "compare", GOLD, *systems, "--judgements", str(path)).out.split())
    assert "Not compared, as verdicts are missing: Recall-soft (" in text


def test_what_a_sample_says_of_all_brackets_is_rounded_and_on_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of several systems, whose cells hold a value and an interval; the page has the same table."""
    systems, path, page = [f"ada={ADA}", f"bix={BIX}"], tmp_path / "check.tsv", tmp_path / "page.html"
    assert Run(capsys, "score", GOLD, *systems, "--worklist", str(path), "--sample", "4").code == 0
    head, _, rows = path.read_text(encoding="utf-8").partition("\nid\t")
    names, *lines = rows.splitlines()
    at, judged = ["id", *names.split("\t")].index("verdict"), []
    for number, line in enumerate(lines):
        cells = line.split("\t")
        cells[at] = "accept" if number % 3 == 0 else "reject"
        judged.append("\t".join(cells))
    path.write_text("\n".join([head, f"id\t{names}", *judged]) + "\n", encoding="utf-8")
    judgements = ["--judgements", str(path)]
    found = Run(capsys, "score", GOLD, *systems, *judgements, "--json").json
    shown = {}
    for name in ("Recall-soft", "False Error"):
        every = [one["measures"][name] for one in found["systems"]]
        ends = [(100 * one["value"], 100 * one["whole_check_lower"], 100 * one["whole_check_upper"]) for one in every]
        shown[name] = [f"{value:.2f} ({lower:.2f}–{upper:.2f})" for value, lower, upper in ends]
    run = Run(capsys, "score", GOLD, *systems, *judgements, "--report", str(page))
    for name, cells in shown.items():
        assert re.search(rf"^{name} +{'  +'.join(map(re.escape, cells))} *$", run.out, re.MULTILINE)
    text = re.sub(r"<[^>]*>|\s+", " ", page.read_text(encoding="utf-8"))
    text = re.sub(" +", " ", text)
    assert "What the check of all brackets would say" in text
    assert "Only a sample was judged: these measures are estimated from it." in text
    for name, cells in shown.items():
        assert f"{name} {' '.join(cells).replace('(', '').replace(')', '')}" in text
    assert "Judge the brackets that this lists" not in text


def test_details_have_m1_against_m2_and_a_drawing_has_the_curve(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "curve.svg"
    counts = "YY=6516,YN=232,NY=343,NN=4309"
    run = Run(capsys, "compare", "--counts", counts, "--details", "--svg", str(path))
    assert run.code == 0
    assert re.search(r"most +6,234 +4,027 +1,139 +4\.67", run.out)
    drawn = path.read_text(encoding="utf-8")
    assert "M1" in drawn
    assert "smallest real test 1,139 of 11,400 units" in drawn
    assert drawn.count("<circle") == 2  # its mark and its key
    (curve, *_) = re.findall(r'<polyline points="([^"]{900,})"', drawn)
    assert len(curve.split()) == 200


def test_retagged_punctuation_costs_karat_no_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """On GUM, EVALB drops sentences and reports 100; karat keeps them all, and only the tags are wrong."""
    rng = random.Random(3)
    lines = data("evalb/gum.gld").read_text(encoding="utf-8").splitlines()
    gold = written(tmp_path / "g.ptb", "\n".join(lines) + "\n")
    retagged = [line.replace("(, ,)", "(NN ,)") if rng.random() < 0.1 else line for line in lines]
    path = written(tmp_path / "s.ptb", "\n".join(retagged) + "\n")
    evalb = Run(capsys, "score", gold, path, "--like", "evalb", "--json").json["systems"][0]
    assert evalb["evalb"]["all"]["n_error"] > 30
    assert evalb["evalb"]["all"]["f_measure"] == 100
    assert evalb["evalb"]["every_sentence"]["all"]["n_error"] == 0
    own = Run(capsys, "score", gold, path, "--resamples", "0", "--json").json["systems"][0]
    assert own["measures"]["Labelled F1"]["value"] == 1
    assert own["skipped"]["system"] == 0
    assert own["measures"]["Tagging Accuracy"]["value"] == 1  # of words that count: punctuation does not


def test_with_kept_brackets_karat_s_labelled_f1_is_evalb_s(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Preparation is all that lies between them, where EVALB leaves nothing out and no labels are the same."""
    rng = random.Random(4)
    lines = [line.replace("PRT", "ADVP") for line in Path(GOLD).read_text(encoding="utf-8").splitlines()]
    gold = written(tmp_path / "g.ptb", "\n".join(lines) + "\n")
    path = written(tmp_path / "s.ptb", "\n".join(corrupted_tree(line, rng, 0.2) for line in lines) + "\n")
    tags = written(
        tmp_path / "prm", "\n".join(f"DELETE_LABEL {tag}" for tag in ("ROOT", ",", ".", ":", "``", "''", "-NONE-"))
    )
    evalb = Run(capsys, "score", gold, path, "--like", "evalb", "--prm", tags, "--json").json["systems"][0]
    own = Run(capsys, "score", gold, path, "--keep-one-word", "--keep-doubled", "--json").json["systems"][0]
    for name in ("Labelled F1", "Labelled Recall", "Labelled Precision", "Complete Match", "Tagging Accuracy"):
        assert own["measures"][name]["value"] == evalb["measures"][name]["value"] < 1.0000001
    assert own["measures"]["Labelled F1"]["value"] < 1


def test_evalb_s_figures_have_intervals_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Run(capsys, "score", GOLD, BIX, "--like", "evalb", "--json").json["systems"][0]["measures"]
    assert {one["lower"] for one in plain.values()} == {None}
    asked = Run(capsys, "score", GOLD, BIX, "--like", "evalb", "--intervals", "--json").json
    for name in ("Labelled F1", "Complete Match", "Average Crossing"):
        one = asked["systems"][0]["measures"][name]
        assert one["lower"] < one["value"] == plain[name]["value"] < one["upper"]
    assert "|cluster:sentence|level:0.95|" in asked["signature"]
    assert "EVALB CI" in Run(capsys, "score", GOLD, BIX, "--like", "evalb", "--intervals").out
    refused = Run(capsys, "score", GOLD, BIX, "--like", "evalb", "--seed", "3")
    assert (refused.code, "--seed requires --intervals" in refused.err) == (2, True)


# ---- what a new user stumbled over -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "code"), [("0.5", 0), ("0.001", 1)])
def test_where_lower_is_better_a_gate_is_a_ceiling(capsys: pytest.CaptureFixture[str], limit: str, code: int) -> None:
    run = Run(capsys, "score", GOLD, ADA, "--fail-under", f"Crossing Rate={limit}")
    assert run.code == code
    assert ("is above 0.001" in run.err) == bool(code)
    assert Run(capsys, "score", GOLD, ADA, "--fail-under", "Average Crossing=3").code == 0


@pytest.mark.parametrize(
    "options", [["--measure", "Labelled F1"], ["--by", "label"], ["--like", "evalb"], ["--labelled"]]
)
def test_a_gold_that_is_not_there_is_told_before_options(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    empty = written(tmp_path / "empty.ptb", "\n")
    for gold, code in (("nowhere.ptb", "K101"), (empty, "K104")):
        run = Run(capsys, "score", gold, ADA, *options)
        assert (run.code, code in run.err, "K108" in run.err) == (3, True, False)


def test_a_line_of_text_among_trees_is_one_bad_parse(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    path = written(tmp_path / "s.ptb", "\n".join([lines[0], "no parse found", *lines[2:]]) + "\n")
    run = Run(capsys, "score", GOLD, path)
    assert (run.code, f"{path}:2:1: K704" in run.err) == (3, True)
    system = Run(capsys, "score", GOLD, path, "--skip-bad", "--json").json["systems"][0]
    assert system["skipped"]["system"] == 1
    assert system["measures"]["Complete Match"]["value"] == 19 / 20


def test_another_number_of_trees_says_from_where_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    path = written(tmp_path / "s.ptb", "\n".join(lines[:4] + lines[5:]) + "\n")
    for options in ([], ["--like", "evalb"]):
        run = Run(capsys, "score", GOLD, path, *options)
        assert f"{path}:5:1: K712 19 trees where the gold has 20; sentence 5 is the first with other words" in run.err


def test_what_fits_nothing_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no bracket has a label like NP-SBJ" in Run(capsys, "score", GOLD, ADA, "--label", "NP-SBJ").err
    strange = written(
        tmp_path / "s.ptb", Path(GOLD).read_text(encoding="utf-8").replace("(. ", "(PU ").replace("(, ", "(PU ")
    )
    assert "no word of the gold has a punctuation tag" in Run(capsys, "score", strange, strange).err
    assert "punctuation tag" not in Run(capsys, "score", strange, strange, "--punctuation", "unicode").err


def test_evalb_s_free_bracket_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "The bracket around each tree counts (ROOT)" in Run(capsys, "score", GOLD, ADA, "--like", "evalb").out
    top = [
        written(tmp_path / name, Path(path).read_text(encoding="utf-8").replace("(ROOT", "(TOP"))
        for name, path in (("g", GOLD), ("a", ADA))
    ]
    assert "counts as a bracket" not in Run(capsys, "score", *top, "--like", "evalb").out


def test_other_normal_forms_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = written(tmp_path / "g", "(S (N B\u00e4r) (V x))\n")
    run = Run(capsys, "score", gold, written(tmp_path / "s", "(S (N Ba\u0308r) (V x))\n"))
    assert "they differ only in Unicode normalisation" in run.err


def test_a_worklist_is_told_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    assert f"{path}: 3 brackets to judge" in Run(capsys, "score", GOLD, ADA, "--worklist", str(path)).err


def test_of_a_system_alone_in_having_nothing_to_divide_by_compare_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = Run(capsys, "compare", GOLD, ADA, f"gold={GOLD}", "--measure", "Labelled F1,P-inheritance")
    assert run.code == 0
    assert "P-inheritance is not compared: it is undefined (division by 0) for gold" in run.err
    assert Run(capsys, "compare", GOLD, ADA, GOLD, "--measure", "P-inheritance").code == 2


def test_a_ranking_has_the_values_of_the_pairs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once had Average Crossing 10.53, in percent of a bracket, where the pairs had 0.11."""
    monkeypatch.setenv("COLUMNS", "120")
    run = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", f"c={GOLD}", "--measure", "Average Crossing")
    more = Run(
        capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", f"c={GOLD}", "--measure", "Average Crossing", "--details"
    )
    assert re.search(r"^ +2 +bix +0\.11 +[0-9.]+–[0-9.]+ ", run.out, re.MULTILINE)  # 2 brackets in 19 sentences
    assert re.search(r"^Average Crossing +ada +bix +0\.15 +0\.11 +−0\.04 ", more.out, re.MULTILINE)


def test_traces_are_no_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = written(tmp_path / "g.ptb", "(S (NP (DT The) (NN mill)) (VP (VBD stood) (NP (-NONE- *)) (. .)))\n")
    assert Run(capsys, "score", gold, gold, "--json").json["gold"]["words"] == 4
    assert "on 4 words." in Run(capsys, "score", gold, gold).out


def test_traces_do_not_look_like_punctuation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = written(tmp_path / "g.ptb", "(S (NP (DT The) (NN mill)) (VP (VBD stood) (NP (-NONE- *))))\n")
    assert "punctuation" not in Run(capsys, "score", gold, gold).err
