"""`karat score` and `karat compare` on sense keys, and on words whose tags are in a hierarchy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runs import Run

FIGURE_1 = "A\n\tA.1\n\t\tA.1a\n\t\tA.1b\n\tA.2\nB\n\tB.1\n\tB.2\n\tB.3\n"
GOLD = """onion.n onion.n.1 A.1a
onion.n onion.n.2 B
pear.n pear.n.1 A.1 A.2
pear.n pear.n.2 A.1a B.2
plum.n plum.n.1 B.3
"""
SYSTEM = """onion.n onion.n.1 A/0.6 B.1/0.4 !! unsure
onion.n onion.n.2 A
pear.n pear.n.1 A
pear.n pear.n.2 A.1 B
pear.n pear.n.9 A.1 B
"""

Karat = Callable[..., Run]


@pytest.fixture
def karat(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Karat:
    monkeypatch.chdir(tmp_path)
    for name, text in {"h.txt": FIGURE_1, "gold.key": GOLD, "system.key": SYSTEM}.items():
        Path(name).write_text(text, encoding="utf-8")
    return lambda *arguments: Run(capsys, *arguments)


def test_scores_of_sense_keys(karat: Karat) -> None:
    data = karat("score", "gold.key", "system.key", "--hierarchy", "h.txt", "--json").json
    system = data["systems"][0]
    assert list(system["measures"]) == ["hierarchical", "exact", "hP", "hR", "hF"]
    found = system["measures"]["hierarchical"]
    each = [0.6 / 4, 0, 1, 5 / 12, 0]  # the last one has no answer
    assert found["value"] == found["recall"] == pytest.approx(sum(each) / 5)
    assert found["precision"] == pytest.approx(sum(each) / 4)
    assert found["by_type_mean"] == pytest.approx((each[0] / 2 + (1 + 5 / 12) / 2 + 0) / 3)
    # A may lead to A.1a or not, and so may A.1; B to B.2 or not
    assert (found["smallest"], found["largest"]) == pytest.approx((1 / 5, (0.6 + 1 + 1) / 5))
    assert system["instances"] == {"gold": 5, "attempted": 4, "missing": 1, "extra": 1, "untagged": 0}
    assert found["clusters"] == 3
    assert "cluster:type" in data["signature"]


def test_missing_and_extra_instances_are_told(karat: Karat) -> None:
    run = karat("score", "gold.key", "system.key", "--hierarchy", "h.txt")
    assert "1 instance has no answer and counts as wrong (precision is over the 4 attempted)" in run.err
    assert "1 answer is to an instance that the gold has not" in run.err
    assert "on 5 instances." in " ".join(run.out.split())
    assert "hierarchical is between 20.00 and 52.00 over all downward probabilities" in " ".join(run.out.split())


def test_scores_by_word_type(karat: Karat) -> None:
    data = karat("score", "gold.key", "system.key", "--hierarchy", "h.txt", "--by", "type", "--json").json
    groups = data["systems"][0]["by"]["type"]
    assert {name: one["hierarchical"]["value"] for name, one in groups.items()} == {
        "onion.n": pytest.approx(0.075),
        "pear.n": pytest.approx((1 + 5 / 12) / 2),
        "plum.n": 0,
    }
    assert "pear.n" in karat("score", "gold.key", "system.key", "--hierarchy", "h.txt", "--by", "type").out


def test_without_a_hierarchy_all_tags_are_leaves(karat: Karat) -> None:
    Path("flat.key").write_text(GOLD.replace("plum.n.1 B.3", "plum.n.1 B.3/0.25 B.1/0.75"), encoding="utf-8")
    data = karat("score", "gold.key", "flat.key", "--json").json
    measures = data["systems"][0]["measures"]
    assert measures["hierarchical"]["value"] == pytest.approx((4 + 0.25) / 5)
    assert measures["exact"]["value"] == pytest.approx(4 / 5)


def test_probabilities_that_do_not_sum_to_1(karat: Karat) -> None:
    Path("odd.key").write_text(SYSTEM.replace("B.1/0.4", "B.1/0.6"), encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt", "--json")
    assert run.json["systems"][0]["measures"]["hierarchical"]["value"] == pytest.approx((0.125 + 1 + 5 / 12) / 5)
    assert "probabilities of 1 instance do not sum to 1 and were normalised (line 1)" in run.err
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt", "--strict")
    assert run.code == 3
    assert "odd.key:1" in run.err
    assert "K869" in run.err


@pytest.mark.parametrize("weight", ["-0.5", "nan", "inf"])
def test_probabilities_that_are_none_are_refused(karat: Karat, weight: str) -> None:
    Path("odd.key").write_text(SYSTEM.replace("B.1/0.4", f"B.1/{weight}"), encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt")
    assert run.code == 3
    assert "odd.key:1:" in run.err


def test_tags_that_the_hierarchy_has_not_are_refused_with_their_line(karat: Karat) -> None:
    Path("odd.key").write_text(SYSTEM.replace("n.2 A\n", "n.2 C\n"), encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt")
    assert run.code == 3
    assert "odd.key:2:1: K847 the tag 'C' is not in the hierarchy h.txt" in run.err


def test_downward_probabilities_are_given_or_learned(karat: Karat) -> None:
    Path("down.tsv").write_text("A\tA.1\t0.9\nA\tA.2\t0.1\n", encoding="utf-8")
    base = ("score", "gold.key", "system.key", "--hierarchy", "h.txt", "--json")
    data = karat(*base, "--downward", "down.tsv").json
    value = data["systems"][0]["measures"]["hierarchical"]["value"]
    assert value == pytest.approx((0.6 * 0.45 + 1 + 5 / 12) / 5)
    assert "downward:down.tsv" in data["signature"]
    Path("train.key").write_text("w w.1 A.1a\nw w.2 A.1a\nw w.3 A.2\n", encoding="utf-8")
    data = karat(*base, "--learn-from", "train.key", "--alpha", "1").json
    a1, a1a, b2 = (2 + 1 / 2) / 4, (2 + 1 / 2) / 3, 1 / 3  # (n_c + α/k) / (n + α)
    value = data["systems"][0]["measures"]["hierarchical"]["value"]
    assert value == pytest.approx((0.6 * a1 * a1a + 1 + (a1a + b2) / 2) / 5)
    data = karat(*base, "--downward", "distinct").json
    assert data["systems"][0]["measures"]["hierarchical"]["value"] == pytest.approx((0.2 + 1 + 5 / 12) / 5)


def test_compare_of_sense_keys(karat: Karat) -> None:
    Path("other.key").write_text(GOLD, encoding="utf-8")
    base = ("compare", "gold.key", "system.key", "other.key", "--hierarchy", "h.txt")
    data = karat(*base, "--json").json
    assert [one["measure"] for one in data["pairs"]] == ["hierarchical", "exact", "hF"]
    assert data["pairs"][0]["difference"] == pytest.approx(1 - (0.15 + 1 + 5 / 12) / 5)
    by_type = karat(*base, "--measure", "hierarchical", "--statistic", "by_type_mean", "--json").json
    assert by_type["pairs"][0]["difference"] == pytest.approx(1 - (0.15 / 2 + (1 + 5 / 12) / 2) / 3)
    run = karat(*base, "--cluster", "instance")
    assert run.code == 0
    assert "5 instances" in run.out


def test_words_whose_tags_are_in_a_hierarchy(karat: Karat) -> None:
    Path("gold.tsv").write_text(
        "an\tDET\nold\tADJ\nmill\tNOUN\nturns\tVERB\n\nwe\tPRON\nwait\tVERB\n", encoding="utf-8"
    )
    said = "an\tDET\nold\tNOUN:=0.75\tADJ:=0.25\nmill\tnominal\nturns\tNOUN\n\nwe\tPRON\nwait\tVERB\tNOUN\n"
    Path("system.tsv").write_text(said, encoding="utf-8")
    Path("classes.txt").write_text("nominal\n  NOUN\n  PRON\n  ADJ\n  DET\nverbal\n  VERB\n  AUX\n", encoding="utf-8")
    data = karat("score", "gold.tsv", "system.tsv", "--hierarchy", "classes.txt", "--json").json
    measures = data["systems"][0]["measures"]
    assert measures["hierarchical"]["value"] == pytest.approx((1 + 0.25 + 0.25 + 0 + 1 + 0.5) / 6)
    assert measures["exact"]["value"] == pytest.approx(2 / 6)
    assert measures["hierarchical"]["clusters"] == 2
    # nominal may lead to NOUN always, or never
    found = measures["hierarchical"]
    assert (found["smallest"], found["largest"]) == pytest.approx(((1 + 0.25 + 1.5) / 6, (1 + 0.25 + 1 + 1.5) / 6))
    split = karat("score", "gold.tsv", "system.tsv", "--hierarchy", "classes.txt", "--by", "upos", "--json").json
    groups = split["systems"][0]["by"]["upos"]
    assert groups["VERB"]["hierarchical"]["value"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--layout", "dotted"], "--layout requires --hierarchy"),
        (["--hierarchy", "h.txt", "--alpha", "2"], "--alpha requires --learn-from"),
        (["--hierarchy", "h.txt", "--downward", "distinct", "--learn-from", "gold.key"], "choose only one"),
        (["--hierarchy", "h.txt", "--by", "length"], "no split of sense keys"),
        (["--hierarchy", "h.txt", "--confusions", "upos"], "--confusions cannot be used with sense keys"),
        (["--hierarchy", "h.txt", "--labelled"], "--labelled works only with bracketed trees"),
        (["--hierarchy", "h.txt", "--tagset", "ud"], "--tagset cannot be used with sense keys"),
    ],
)
def test_options_that_do_not_fit_are_refused(karat: Karat, arguments: list[str], message: str) -> None:
    files = ["gold.tsv", "gold.tsv"] if "--layout" in arguments else ["gold.key", "system.key"]
    Path("gold.tsv").write_text("a\tB\n", encoding="utf-8")
    run = karat("score", *files, *arguments)
    assert run.code == 2
    assert message in run.err


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["gold.key", "nothing.key"], "nothing.key"),
        (["nothing.key", "system.key"], "nothing.key"),
        (["gold.key", "words.tsv"], "words.tsv"),
        (["gold.key", "empty.key"], "empty.key"),
    ],
)
def test_files_that_are_none_are_told(karat: Karat, files: list[str], message: str) -> None:
    Path("words.tsv").write_text("x\n", encoding="utf-8")
    Path("empty.key").write_text("", encoding="utf-8")
    run = karat("score", *files, "--hierarchy", "h.txt")
    assert run.code == 3
    assert message in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    "text",
    [
        "accident 700001 A\naccident 700002 B\n",  # instances not named after their word type
        "!! made by hand\naccident.n accident.n.1 A\n",
        "accident.n\taccident.n.1\tA\n",
        "accident.n accident.n.1\naccident.n accident.n.2 B\n",  # the first has no answer
    ],
)
def test_key_files_of_all_kinds_are_known_by_their_name(karat: Karat, text: str) -> None:
    Path("g.key").write_text(text, encoding="utf-8")
    data = karat("score", "g.key", "g.key", "--hierarchy", "h.txt", "--json").json
    assert data["systems"][0]["measures"]["hierarchical"]["value"] == 1


def test_keys_without_word_types_are_known_by_their_senses(karat: Karat) -> None:
    Path("senses.txt").write_text("d000.s000.t000 long%3:00:02::\nd000.s000.t001 be%2:42:03::\n", encoding="utf-8")
    data = karat("score", "senses.txt", "senses.txt", "--json").json
    assert data["gold"]["sentences"] == 2


def test_a_comment_of_another_kind_is_no_instance(karat: Karat) -> None:
    Path("odd.key").write_text("# a comment\n" + SYSTEM, encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt")
    assert run.code == 3
    assert "odd.key:1:1: K870" in run.err


def test_a_system_without_any_gold_instance_is_refused(karat: Karat) -> None:
    Path("odd.key").write_text(SYSTEM.replace(".n ", " "), encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt")
    assert run.code == 3
    assert "K871 no instance in common with gold.key" in run.err


def test_an_instance_given_twice_is_not_one_too_many(karat: Karat) -> None:
    Path("odd.key").write_text(SYSTEM + "onion.n onion.n.1 A\n", encoding="utf-8")
    run = karat("score", "gold.key", "odd.key", "--hierarchy", "h.txt", "--skip-bad", "--json")
    assert run.json["systems"][0]["instances"]["extra"] == 1


def test_words_without_a_tag_are_counted_and_told(karat: Karat) -> None:
    Path("gold.tsv").write_text("an\tA.1\nold\t_\nmill\tB\n", encoding="utf-8")
    Path("system.tsv").write_text("an\t_\nold\tA\nmill\tB.1\n", encoding="utf-8")
    run = karat("score", "gold.tsv", "system.tsv", "--hierarchy", "h.txt", "--json")
    system = run.json["systems"][0]
    assert system["instances"] == {"gold": 2, "attempted": 1, "missing": 1, "extra": 0, "untagged": 1}
    assert system["measures"]["hierarchical"]["value"] == 0.5
    assert system["measures"]["hierarchical"]["precision"] == 1
    assert "1 gold word without a tag is not in the test" in run.err
    assert "1 word has no answer and counts as wrong" in run.err


def test_means_over_types_are_compared_by_the_measures_that_have_them(karat: Karat) -> None:
    Path("other.key").write_text(GOLD, encoding="utf-8")
    base = ("compare", "gold.key", "system.key", "other.key", "--hierarchy", "h.txt", "--statistic", "by_type_mean")
    assert [one["measure"] for one in karat(*base, "--json").json["pairs"]] == ["hierarchical", "exact"]
    run = karat(*base, "--measure", "hF")
    assert run.code == 2
    assert "only with tags in a hierarchy" in run.err


def test_units_are_counted_only_where_scores_are_0_or_1(karat: Karat) -> None:
    Path("other.key").write_text(GOLD, encoding="utf-8")
    pairs = karat("compare", "gold.key", "system.key", "other.key", "--hierarchy", "h.txt", "--json").json["pairs"]
    assert [pair["counts"] is None for pair in pairs] == [True, False, True]  # hierarchical, exact, hF


def test_a_hierarchy_alone_will_do_from_python(karat: Karat) -> None:
    import karat as library

    with_options = library.score("gold.key", "system.key", hierarchy=library.HierarchyOptions("h.txt"))
    found = library.score("gold.key", "system.key", hierarchy="h.txt")
    assert found["hierarchical"].value == with_options["hierarchical"].value


def test_words_are_split_by_their_forms(karat: Karat) -> None:
    Path("gold.tsv").write_text("mill\tA.1\nturns\tB\nmill\tB.1\n", encoding="utf-8")
    Path("system.tsv").write_text("mill\tA.1a\nturns\tB\nmill\tB\n", encoding="utf-8")
    data = karat("score", "gold.tsv", "system.tsv", "--hierarchy", "h.txt", "--by", "form", "--json").json
    groups = data["systems"][0]["by"]["form"]
    assert {form: one["hierarchical"]["value"] for form, one in groups.items()} == {
        "mill": pytest.approx((1 + 1 / 3) / 2),
        "turns": 1,
    }


# ---- what once went wrong --------------------------------------------------------------------------------------------


def test_confusions_are_in_the_text_with_a_hierarchy_too(karat: Karat) -> None:
    """They were once in the JSON alone."""
    Path("gold.tsv").write_text("mill\tA.1\nturns\tB\n", encoding="utf-8")
    Path("system.tsv").write_text("mill\tA.1a\nturns\tB\n", encoding="utf-8")
    out = karat("score", "gold.tsv", "system.tsv", "--hierarchy", "h.txt", "--confusions", "upos").out
    assert re.search(r"^A\.1 +A\.1a +1 +\[mill\] turns$", out, re.MULTILINE)


@pytest.mark.parametrize("verb", [("score", "e.key", "system.key"), ("compare", "e.key", "system.key", "gold.key")])
def test_an_empty_gold_is_told(karat: Karat, verb: tuple[str, ...]) -> None:
    Path("e.key").write_text("", encoding="utf-8")
    run = karat(*verb)
    assert (run.code, run.out) == (3, "")
    assert "e.key" in run.err
    assert "K104" in run.err


def test_a_split_says_which_measures_are_not_in_percent(karat: Karat) -> None:
    measures = ("--measure", "cross_entropy,exact")
    out = karat("score", "gold.key", "system.key", "--hierarchy", "h.txt", *measures, "--by", "type").out
    _, below = out.split("by type\n\n", 1)
    assert "All values in %, except cross_entropy (bits)" in below


def test_a_cell_of_tags_with_probabilities_is_not_taken_for_one_tag(karat: Karat) -> None:
    Path("g.tsv").write_text("a\tA.1\nb\tB.1\n\nc\tA.2\n", encoding="utf-8")
    Path("s.tsv").write_text("a\tA.1\t0.8\tB.1\t0.2\nb\tB.1\t1\n\nc\tB.2\t0.6\tA.2\t0.4\n", encoding="utf-8")
    asked = ("score", "g.tsv", "s.tsv", "--probabilities", "--hierarchy", "h.txt", "--column", "upos", "--measure")
    measures = karat(*asked, "all", "--json").json["systems"][0]["measures"]
    assert {"hierarchical", "exact", "Words"} <= set(measures)
    assert not {"UPOS", "AllTags", "ExactUPOS"} & set(measures)
    refused = karat(*asked, "upos")
    assert (refused.code, refused.err.strip().splitlines()[-1]) == (
        2, "Error: upos is of one tag a word; of tags with probabilities ask for exact"
    )  # fmt: skip
