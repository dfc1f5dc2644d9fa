"""karat agree on the command line: contract, formats, mistakes."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
TREE = "A\n A.1\n  A.1a\n  A.1b\n A.2\nB\n B.1\n B.2\n B.3\n"
COEFFICIENTS = ["observed", "kappa_pooled", "kappa_cohen", "alpha"]
WHY = "Kappa and alpha differ because"


@pytest.fixture
def senses(tmp_path: Path) -> tuple[str, str, str]:
    """A hierarchy and two keys, of which the second lacks an instance."""
    tree, one, two = tmp_path / "tree.txt", tmp_path / "one.key", tmp_path / "two.key"
    tree.write_text(TREE)
    types = [f"w{n}.n" for n in range(6)]
    one.write_text("".join(f"{name} {name}.1 A\n{name} {name}.2 B.{1 + n % 3}\n" for n, name in enumerate(types)))
    two.write_text(
        "".join(f"{name} {name}.1 A\n{name} {name}.2 B.1 B.2\n" for name in types[:-1]) + "w5.n w5.n.1 A.2\n"
    )
    return str(tree), str(one), str(two)


def test_json_has_the_contract_s_fields(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "agree", f"ada={ADA}", f"bix={BIX}", "--json")
    assert run.code == 0
    found = run.json
    assert found["schema"] == "karat/agree/1"
    assert found["annotators"] == ["ada", "bix"]
    for name in COEFFICIENTS:
        interval = found["intervals"][name]
        assert interval["lower"] < found[name] < interval["upper"]
    assert (found["items"], found["all_items"], found["missing"]) == (992, 1005, {"ada": 6, "bix": 7})
    assert found["observed"] == pytest.approx(937 / 992)
    assert "|verb:agree|column:upos|" in found["signature"]


def test_key_files_over_a_hierarchy(capsys: pytest.CaptureFixture[str], senses: tuple[str, str, str]) -> None:
    tree, one, two = senses
    found = Run(capsys, "agree", one, two, "--hierarchy", tree, "--json").json
    # five times A,A 3/8; A,A.2 1/2; of the B's w0, w3 have B.1 and w1, w4 B.2 of 1/2 each, w2 B.3 of none
    assert found["observed"] == pytest.approx((5 * 3 / 8 + 1 / 2 + 4 / 2) / 11)
    assert (found["items"], found["all_items"], found["missing"]) == (11, 12, {"one.key": 0, "two.key": 1})
    assert (found["item"], found["cluster"], found["n_clusters"], found["column"]) == ("instance", "type", 6, None)
    assert found["underspecified"] is True
    assert found["intervals"]["alpha"]["lower"] < found["alpha"] < found["intervals"]["alpha"]["upper"]
    hardest = found["hardest"][0]
    assert (hardest["name"], hardest["line"], hardest["words"]) == ("w2.n.2", 6, ["w2.n"])
    assert hardest["answers"]["two.key"] == [{"tag": "B.1", "share": 0.5}, {"tag": "B.2", "share": 0.5}]
    assert {one["tag"] for one in found["per_tag"]} == {"A", "A.2", "B.1", "B.2", "B.3"}


def test_instances_can_be_resampled_by_themselves(
    capsys: pytest.CaptureFixture[str], senses: tuple[str, str, str]
) -> None:
    tree, one, two = senses
    found = Run(capsys, "agree", one, two, "--hierarchy", tree, "--cluster", "instance", "--json").json
    assert (found["cluster"], found["n_clusters"]) == ("instance", 11)


@pytest.mark.parametrize("is_twice", [True, False])
def test_the_same_file_twice_has_alpha_1(
    capsys: pytest.CaptureFixture[str], senses: tuple[str, str, str], is_twice: bool
) -> None:
    tree, _, two = senses
    run = Run(capsys, "agree", two, two if is_twice else f"again={two}", "--hierarchy", tree, "--json")
    assert run.json["alpha"] == 1
    assert run.json["kappa_pooled"] < 1
    assert run.json["annotators"] == ["two.key", "two.key (2)" if is_twice else "again"]
    assert (run.json["differing"], run.json["confusions"], run.json["hardest"]) == (0, [], [])
    assert run.json["intervals"]["alpha"]["lower"] is None
    assert run.json["intervals"]["alpha"]["note"] == "annotators agree on every item"


def test_groups_of_a_file_are_resampled_whole(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    groups = tmp_path / "groups.txt"
    groups.write_text("one\n" * 20 + "two\n" * 20 + "three\n" * 21)
    found = Run(capsys, "agree", GOLD, GOLD, "--cluster", str(groups), "--json").json
    assert (found["cluster"], found["n_clusters"]) == (str(groups), 3)
    run = Run(capsys, "agree", ADA, BIX, "--cluster", str(groups))
    assert run.code == 2
    assert "annotators split the text into different sentences" in run.err


def test_one_sentence_says_why_kappa_and_alpha_differ_where_tags_are_underspecified(
    capsys: pytest.CaptureFixture[str], senses: tuple[str, str, str]
) -> None:
    tree, one, two = senses
    assert re.sub(r"\s+", " ", Run(capsys, "agree", one, two, "--hierarchy", tree).out).count(WHY) == 1
    assert WHY not in Run(capsys, "agree", one, one).out
    assert WHY not in Run(capsys, "agree", ADA, BIX).out
    assert WHY in Run(capsys, "agree", one, two).out  # B.1 and B.2 together are several tags in a flat set, too


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--column", "las", "--top", "3"),
        ("--column", "lemma", "--resamples", "0"),
        ("--column", "feats", "--method", "bca", "--resamples", "200"),
        ("--cluster", "document", "--level", "0.9"),
        ("--method", "percentile", "--resamples", "300", "--top", "0"),
    ],
)
def test_json_of_two_and_of_three_annotators_fits_its_schema(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    two, three = (Run(capsys, "agree", *files, *options, "--json").json for files in ((ADA, BIX), (ADA, BIX, GOLD)))
    assert (len(two["pairs"]), len(three["pairs"])) == (0, 3)
    assert (two["intervals"]["alpha"]["lower"] is None) == (options[-2:] == ("--resamples", "0"))
    if "--top" in options:
        assert len(two["confusions"]) == len(two["hardest"]) == int(options[options.index("--top") + 1])


def test_text_reads_well_and_ends_in_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "agree", f"ada={ADA}", f"bix={BIX}", "--top", "2", "--details")
    assert run.out.startswith("ada and bix agree on UPOS on 94.5 % of 992 words; pooled kappa 0.938 (95 % CI")
    assert re.search(r"^observed agreement +0\.945 +0\.\d{3} … 0\.\d{3}$", run.out, re.MULTILINE)
    assert "992 of 1,005 words have at least two annotations and count. Missing: ada 6, bix 7." in " ".join(
        run.out.split()
    )
    assert re.search(r"^NOUN +VERB +10 +5 +5$", run.out, re.MULTILINE)
    assert "[after]" in run.out
    assert "Annotators differ on 55 of 992 words" in " ".join(run.out.split())
    assert run.out.rstrip().rsplit("\n", 1)[1].startswith("karat:")


def test_three_annotators_have_a_table_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "agree", f"ada={ADA}", f"bix={BIX}", f"gold={GOLD}")
    assert re.search(r"^bix +0\.938 +– +0\.963$", run.out, re.MULTILINE)


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_hold_the_same_numbers(capsys: pytest.CaptureFixture[str], format_: str) -> None:
    run = Run(capsys, "agree", f"ada={ADA}", f"bix={BIX}", "--format", format_)
    assert run.code == 0
    assert ("0.945" if format_ in ("markdown", "latex") else "0.944556") in run.out
    if format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(run.out)))
        assert [row["coefficient"] for row in rows] == COEFFICIENTS
        assert rows[0]["items"] == "992"


def test_undefined_coefficients_are_null_and_say_why(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = conllu(tmp_path / "one.conllu", sentence("one/NUM", "two/NUM"))
    found = Run(capsys, "agree", one, one, "--json").json
    assert [found[name] for name in COEFFICIENTS] == [1, None, None, None]
    assert set(found["why_undefined"]) == {"kappa_pooled", "kappa_cohen", "alpha"}
    assert (
        "Pooled kappa, Cohen's kappa and Krippendorff's alpha are undefined: all annotations are the same"
        in " ".join(Run(capsys, "agree", one, one).out.split())
    )


def test_the_same_seed_gives_the_same_result_whatever_the_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--method", "percentile", "--resamples", "2000", "--seed", "4", "--json")
    one, several = (Run(capsys, "agree", ADA, BIX, *options, "--jobs", jobs).out for jobs in ("1", "3"))
    assert one == several
    assert one != Run(capsys, "agree", ADA, BIX, *options[:-2], "5", "--json").out


def test_probabilities_that_do_not_sum_to_1_are_warned_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    one.write_text("light\tNOUN:=0.5\tADJ:=0.1\nfades\tVERB\n")
    two.write_text("light\tNOUN\nfades\tVERB\n")
    run = Run(capsys, "agree", str(one), str(two), "--json")
    assert run.json["observed"] == pytest.approx((5 / 6 + 1) / 2)
    assert "one.tsv:1: probabilities do not sum to 1 (one word)" in run.err


def test_verbose_says_what_was_read(capsys: pytest.CaptureFixture[str], senses: tuple[str, str, str]) -> None:
    run = Run(capsys, "agree", *senses[1:], "-v")
    assert "one.key: read as key" in run.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Give at least two annotators"),
        ([ADA], 2, "Give at least two annotators"),
        ([ADA, "no-such.conllu"], 3, "no-such.conllu: K101 no such file"),
        ([f"x={ADA}", f"x={BIX}"], 2, "two annotators are called 'x'"),
        ([ADA, BIX, "--column", "misc"], 2, "--column"),
        ([ADA, BIX, "--hierarchy", "no-such.txt"], 3, "no-such.txt: K101"),
        ([ADA, BIX, "--layout", "dotted"], 2, "--layout requires --hierarchy"),
        ([ADA, BIX, "--distinct"], 2, "--distinct requires --hierarchy"),
        ([ADA, BIX, "--cluster", "no-such.txt"], 3, "no-such.txt: K101"),
        ([ADA, BIX, "--cluster", "type"], 2, "clusters of one type each are for sense keys"),
        ([ADA, ADA, "--cluster", GOLD], 3, "K602"),
        ([ADA, BIX, "--level", "95"], 2, "--level"),
        (["-", "-"], 2, "can be read only once"),
    ],
)
def test_mistakes_get_an_exit_code_and_a_reason(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    run = Run(capsys, "agree", *arguments)
    assert run.code == code
    assert message in run.err
    assert "Traceback" not in run.err
    assert run.out == ""


def test_bad_files_are_named_with_their_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, senses: tuple[str, str, str]
) -> None:
    tree, one, _ = senses
    empty, odd = tmp_path / "empty.key", tmp_path / "odd.key"
    empty.write_text("")
    odd.write_text("w0.n w0.n.1 A\nw1.n w1.n.1 C\n")
    for other, message in ((str(empty), "empty.key:1:1: K1"), (str(odd), "odd.key:2:1: K847 the tag 'C' is not in")):
        run = Run(capsys, "agree", one, other, "--hierarchy", tree)
        assert run.code == 3
        assert message in run.err
    run = Run(capsys, "agree", one, ADA)
    assert (run.code, "cannot be compared with text" in run.err) == (2, True)
    for column in ("heads", "head"):
        run = Run(capsys, "agree", ADA, GOLD, "--column", column, "--hierarchy", tree)
        assert (run.code, "applies to tags, not to heads" in run.err) == (2, True)
