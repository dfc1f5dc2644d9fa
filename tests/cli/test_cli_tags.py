"""`karat tagset`, `karat weights` and rich tags in `karat score`, as a user calls them."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from karat.errors import DataError
from karat.measures.positional.options import TagOptions
from karat.weights import read_weights
from realdata import data


@pytest.fixture(scope="module")
def pdb(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """PDB's test set, and two taggers that have some tags of other words."""
    gold = data("ud-2.18/UD_Polish-PDB/pl_pdb-ud-test.conllu")
    lines = gold.read_text(encoding="utf-8").split("\n")
    words = [number for number, line in enumerate(lines) if line.split("\t")[0].isdigit()]
    folder, rng = tmp_path_factory.mktemp("pdb"), random.Random(5)
    for name, rate in (("ada", 0.05), ("bix", 0.09)):
        changed = list(lines)
        for number in words:
            if rng.random() < rate:
                columns = changed[number].split("\t")
                columns[4] = lines[rng.choice(words)].split("\t")[4]
                changed[number] = "\t".join(columns)
        (folder / f"{name}.conllu").write_text("\n".join(changed), encoding="utf-8")
    return gold, folder / "ada.conllu", folder / "bix.conllu"


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_all_measures_are_those_that_there_are_weights_for(
    capsys: pytest.CaptureFixture[str], pdb: tuple[Path, Path, Path], tmp_path: Path, verb: str
) -> None:
    files = [str(one) for one in (pdb if verb == "compare" else pdb[:2])]
    options = ["--tagset", "nkjp", "--column", "xpos", "--resamples", "0"]
    run = Run(capsys, verb, *files, *options, "--measure", "all", "--json")
    measures = run.json["systems"][0]["measures"] if verb == "score" else {one["measure"] for one in run.json["pairs"]}
    assert {"exact", "pos", "PA", "WPA", "UPOS", "LAS"} <= set(measures)
    assert "CWPA" not in measures
    refused = Run(capsys, verb, *files, *options, "--measure", "CWPA")
    assert (refused.code, "give their file as --weights" in refused.err) == (2, True)


def test_all_tags_of_pdb_are_of_nkjp(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    run = Run(capsys, "tagset", "check", "nkjp", str(pdb[0]), "--json")
    assert run.code == 0
    assert (run.json["tags"], run.json["tokens"], run.json["failed"]) == (589, 33616, [])
    assert (
        "All 589 tags (33,616 words) are in the tagset nkjp." in Run(capsys, "tagset", "check", "nkjp", str(pdb[0])).out
    )


def test_tags_that_fail_are_listed_with_their_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("a\tsubst:sg:nom:f\nb\tsubst:sg:nomm:f\n\nc\tsubst:sg:nomm:f\nd\tnoun\n", encoding="utf-8")
    run = Run(capsys, "tagset", "check", "nkjp", str(path), "--json")
    assert run.code == 1
    assert (run.json["tags"], run.json["tokens"]) == (3, 4)
    assert [(one["tag"], one["tokens"], one["line"], one["place"]) for one in run.json["failed"]] == [
        ("subst:sg:nomm:f", 2, 2, 9),
        ("noun", 1, 5, 0),
    ]
    text = Run(capsys, "tagset", "check", "nkjp", str(path))
    assert "2 of 3 tags (3 of 4 words) are not in the tagset nkjp." in text.out


def test_a_tag_is_shown_with_what_it_means(capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "tagset", "show", "nkjp", "ger:sg:nom.acc:n:perf:aff").out
    assert "case      nom or acc  nominative or accusative" in out
    data = Run(capsys, "tagset", "show", "nkjp", "subst:sg:nom:m1", "--json").json
    assert (data["pos"], data["values"]["gender"]) == ("subst", ["m1"])
    bad = Run(capsys, "tagset", "show", "nkjp", "subst:sg:nomm:m1")
    assert (bad.code, "<subst:sg:nomm:m1>:1:10: K802" in bad.err) == (3, True)
    assert Run(capsys, "tagset", "show", "nope", "x").code == 2
    assert Run(capsys, "tagset", "check", "nkjp", "nowhere.conllu").code == 3


def test_scores_of_rich_tags(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    run = Run(capsys, "score", str(pdb[0]), str(pdb[1]), "--tagset", "nkjp", "--column", "xpos", "--json")
    measures = run.json["systems"][0]["measures"]
    assert list(measures) == ["exact", "pos", "PA", "WPA"]
    for one in measures.values():
        assert one["value"] == one["f1"] == pytest.approx(one["precision"]) == pytest.approx(one["strong_correctness"])
        assert one["lower"] < one["value"] < one["upper"]
    assert measures["exact"]["value"] < measures["PA"]["value"] < 1
    xpos = Run(capsys, "score", str(pdb[0]), str(pdb[1]), "--measure", "XPOS", "--json").json
    assert measures["exact"]["correct"] == xpos["systems"][0]["measures"]["XPOS"]["correct"]
    assert "no weight for" in run.err


@pytest.fixture
def two_taggers(tmp_path: Path) -> tuple[str, str, str]:
    """A word with two right tags, and one with one: `one` chooses a tag per word, `all` both of the first word."""
    texts = {
        "gold": "a\tsubst:sg:nom:f\tsubst:sg:acc:f\nb\tadv:pos\n",
        "one": "a\tsubst:sg:nom:f\nb\tadv:pos\n",
        "all": "a\tsubst:sg:nom:f\tsubst:sg:acc:f\nb\tadj:sg:nom:f:pos\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    gold, one, every = (str(tmp_path / f"{name}.tsv") for name in texts)
    return gold, f"one={one}", f"all={every}"


def test_taggers_are_printed_as_in_the_paper(
    capsys: pytest.CaptureFixture[str], two_taggers: tuple[str, str, str]
) -> None:
    """[Acedański & Przepiórkowski 2010, Tables 2-5]: a table a measure, with SC, WC, P, R and F of each tagger."""
    options = ("--tagset", "nkjp", "--measure", "exact,PA", "--resamples", "0")
    out = Run(capsys, "score", *two_taggers, *options).out
    of_exact, of_pa = out.split("PA: positional accuracy")
    assert re.search(r"^system +SC +WC +P +R +F$", of_exact, re.MULTILINE)
    # one: the word a scores 1 and 3/4 on its tags: exact SC (0 + 1)/2, WC 1, P 2/2, R (1 + 0 + 1)/3, F 2PR/(P + R)
    assert re.search(r"^one +50\.00 +100\.00\* +100\.00\* +66\.67 +80\.00\*$", of_exact, re.MULTILINE)
    # all: a is right in full, b wrong in full: SC 1/2, WC 1/2, P (1 + 1 + 0)/3, R the same
    assert re.search(r"^all +50\.00 +50\.00 +66\.67 +66\.67 +66\.67$", of_exact, re.MULTILINE)
    # PA of one: SC (3/4 + 1)/2, R (1 + 3/4 + 1)/3; of all: adj for adv has degree in common: P 1/5, R 1/2, F 2/7
    assert re.search(r"^one +87\.50\* +100\.00\* +100\.00\* +91\.67\* +95\.65\*$", of_pa, re.MULTILINE)
    assert re.search(r"^all +64\.29 +64\.29 +76\.19 +76\.19 +76\.19$", of_pa, re.MULTILINE)
    alone = Run(capsys, "score", *two_taggers[:2], *options).out
    assert re.search(r"^exact +50\.00 +100\.00 +100\.00 +66\.67 +80\.00$", alone, re.MULTILINE)


def test_the_tables_of_taggers_fit_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pdb: tuple[Path, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    gold, ada, bix = map(str, pdb)
    systems = (f"a-tagger-of-a-long-name={ada}", f"bix={bix}")
    out = Run(capsys, "score", gold, *systems, "--tagset", "nkjp").out
    assert max(map(len, out.split("\nkarat:")[0].split("\n"))) <= 80
    assert "95 % CI of F" in out


@pytest.mark.parametrize(
    ("format_", "best", "title"),
    [
        ("markdown", "**91.67**", "**PA: positional accuracy**"),
        ("latex", r"\textbf{91.67}", r"\caption{PA: positional accuracy. All values in \%. Best"),
    ],
)
def test_the_table_of_a_paper_has_the_best_in_bold(
    capsys: pytest.CaptureFixture[str], two_taggers: tuple[str, str, str], format_: str, best: str, title: str
) -> None:
    out = Run(capsys, "score", *two_taggers, "--tagset", "nkjp", "--measure", "exact,PA", "--format", format_).out
    assert best in out
    assert title in out


@pytest.mark.parametrize(
    ("weight", "meaning"),
    [("1", "each counts with --missing-weight 1, the others with 4 to 37771"),
     ("0", "--missing-weight 0 leaves them out of the score")],
)  # fmt: skip
def test_missing_weights_are_told_once(
    capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...], weight: str, meaning: str
) -> None:
    paths = map(str, pdb)
    run = Run(capsys, "score", *paths, "--tagset", "nkjp", "--resamples", "0", "--missing-weight", weight)
    (told,) = [line for line in run.err.splitlines() if "no weight" in line]
    assert told.startswith("warning: no weight for ")
    assert f"(WPA): {meaning}" in told


def test_taggers_are_compared_on_wpa(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    run = Run(capsys, "compare", *map(str, pdb), "--tagset", "nkjp", "--measure", "WPA,PA", "--json")
    pairs = run.json["pairs"]
    assert [one["measure"] for one in pairs] == ["WPA", "PA"]
    for one in pairs:
        assert one["difference"] < 0
        assert one["upper"] < 0
        assert one["p"] < 0.001
    recall = Run(
        capsys, "compare", *map(str, pdb), "--tagset", "nkjp", "--measure", "WPA", "--statistic", "recall", "--json"
    )
    assert recall.json["pairs"][0]["difference"] == pytest.approx(pairs[0]["difference"])  # one tag a word


def test_known_and_unknown_words_and_splits(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    lexicon = str(pdb[0]).replace("test", "dev")
    run = Run(capsys, "score", str(pdb[0]), str(pdb[1]), "--tagset", "nkjp", "--measure", "PA", "--lexicon", lexicon,
              "--by", "upos", "--resamples", "0", "--json")  # fmt: skip
    by = run.json["systems"][0]["by"]
    groups = by["lexicon"]
    assert groups["known"]["PA"]["gold"] + groups["unknown"]["PA"]["gold"] == 33616
    assert sum(one["PA"]["gold"] for one in by["upos"].values()) == 33616
    whole = run.json["systems"][0]["measures"]["PA"]
    total = sum(one["PA"]["recall"] * one["PA"]["gold"] for one in by["upos"].values())
    assert total == pytest.approx(whole["recall"] * whole["gold"])


def test_weights_are_made_and_used(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...], tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    dev = str(pdb[0]).replace("test", "dev")
    made = Run(capsys, "weights", "ambiguity", dev, "--conditional", "-o", str(path), "--json")
    assert made.code == 0
    weights = read_weights(path)
    assert weights.conditional == made.json["conditional"]
    assert "ambiguity" in weights.made
    assert "pl_pdb-ud-dev.conllu@sha256:" in weights.made
    chosen = ("--tagset", "nkjp", "--measure", "CWPA", "--weights", str(path), "--resamples", "0", "--json")
    run = Run(capsys, "score", str(pdb[0]), str(pdb[1]), *chosen)
    assert 0.9 < run.json["systems"][0]["measures"]["CWPA"]["value"] < 1
    assert f"weights:{path}@sha256:" in run.json["signature"]
    shown = Run(capsys, "weights", "show", "poliqarp-2010").out
    assert "37,771" in shown


def test_a_name_with_a_slash_in_it_is_a_file_of_weights(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "weights"  # as the shell names what it makes on the spot: /dev/fd/63
    path.write_text('schema = "karat/weights/1"\n[weights]\npos = 3\ncase = 1\n', encoding="utf-8")
    run = Run(capsys, "weights", "show", str(path), "--json")
    assert run.json["weights"] == {"pos": 3, "case": 1}
    assert "unknown weights 'weights'" in Run(capsys, "weights", "show", "weights").err
    assert "K101" in Run(capsys, "weights", "show", str(tmp_path / "nothing")).err


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ("ger:sg:nom:n:perf:aff\tger:sg:nom:n:imperf:aff", "are equal here."),
        ("ger:sg:nom:n:perf:aff", "one tag per word."),
    ],
)
def test_why_all_five_are_equal_is_said_only_where_it_is_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tags: str, said: str
) -> None:
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("zadanie\tsubst:sg:nom:n\n", encoding="utf-8")
    system.write_text(f"zadanie\t{tags}\n", encoding="utf-8")
    run = Run(capsys, "score", str(gold), str(system), "--tagset", "nkjp", "--measure", "PA", "--resamples", "0")
    assert f"All five {said}" in " ".join(run.out.split()).replace("are equal here because both sides have one", "one")


def test_weights_from_queries_say_what_they_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    queries = [
        "[pos=subst & case=acc]",
        '[pos="sub.*" & case!=nom]',
        "[pos=subst & case=acc",
        '[tag="adj:sg:.*"]',
        "dom",
    ]
    log.write_text("\n".join([*queries, "dom"]) + "\n", encoding="utf-8")
    run = Run(capsys, "weights", "queries", str(log), "--json")
    assert run.code == 0
    asked = {name: weight for name, weight in run.json["weights"].items() if weight}
    assert asked == {"pos": 3, "number": 1, "case": 2}
    assert run.json["weights"]["gender"] == 0  # what nobody asks for is worth nothing
    assert f"{log}:3:22: K821" in run.err
    assert "1 malformed and 1 that only ask for the next page" in run.json["notes"][0]
    corpus = tmp_path / "c.tsv"
    corpus.write_text("dom\tsubst:sg:acc:m3\ndomu\tsubst:sg:gen:m3\nduży\tadj:sg:acc:m3:pos\n", encoding="utf-8")
    conditional = Run(capsys, "weights", "queries", str(log), "--corpus", str(corpus), "--json").json["conditional"]
    asked = {pos: {name: one for name, one in table.items() if one} for pos, table in conditional.items()}
    assert asked == {"subst": {"pos": 2, "case": 2}, "adj": {"pos": 1, "number": 1}}
    malformed = tmp_path / "bad.txt"
    malformed.write_text("[case=\n", encoding="utf-8")
    assert "K821" in Run(capsys, "weights", "queries", str(malformed)).err
    assert Run(capsys, "weights", "queries", str(log), "-o", "w.txt").code == 2
    assert Run(capsys, "weights", "queries", str(log), "--corpus", str(corpus), "--by", "user").code == 2


def test_weights_from_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    uses = tmp_path / "uses.jsonl"
    noun = {"pos": "subst", "categories": ["pos", "case"]}
    lines = [
        {"sentence": "s1", "rule": "NP -> adj subst", "terminals": [{"pos": "adj", "categories": ["case"]}, noun]},
        {"sentence": "s2", "rule": "NP -> subst", "terminals": [noun]},
    ]
    uses.write_text("\n".join([*map(json.dumps, lines), "{"]) + "\n", encoding="utf-8")
    run = Run(capsys, "weights", "rules", str(uses), "--json")
    assert run.json["weights"] == {"pos": 2, "case": 3}
    assert f"{uses}:3:2: K823" in run.err
    by_pos = Run(capsys, "weights", "rules", str(uses), "--conditional", "--json").json["conditional"]
    assert by_pos == {"adj": {"case": 1}, "subst": {"pos": 2, "case": 2}}
    grammar = Path(__file__).parents[1] / "weights"
    parsed = Run(capsys, "weights", "rules", "--grammar", str(grammar / "polish.fcfg"), "--sentences",
                 str(grammar / "sentences.txt"), "--normalise", "--json")  # fmt: skip
    assert sum(parsed.json["weights"].values()) == pytest.approx(1)
    assert Run(capsys, "weights", "rules").code == 2


PLAIN = "Ala\tnewline\n\tAla\tsubst:sg:nom:f\tdisamb\n"
PLAIN += "ma\tspace\n\tmieć\tfin:sg:ter:imperf\tdisamb\n\tmój\tadj:sg:nom:f:pos\n"
XCES = """<?xml version="1.0" encoding="UTF-8"?>
<cesAna><chunkList><chunk type="p"><chunk type="s">
<tok><orth>Ala</orth><lex disamb="1"><base>Ala</base><ctag>subst:sg:nom:f</ctag></lex></tok>
<tok><orth>ma</orth><lex disamb="1"><base>mieć</base><ctag>fin:sg:ter:imperf</ctag></lex>
<lex><base>mój</base><ctag>adj:sg:nom:f:pos</ctag></lex></tok>
</chunk></chunk></chunkList></cesAna>
"""


def test_analysed_text_is_scored_by_its_chosen_tags(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, plain, xces = tmp_path / "gold.tsv", tmp_path / "a.plain", tmp_path / "a.xml"
    gold.write_text("Ala\tsubst:sg:nom:f\nma\tfin:sg:ter:perf\n", encoding="utf-8")
    plain.write_text(PLAIN, encoding="utf-8")
    xces.write_text(XCES, encoding="utf-8")
    for path, input_ in ((plain, ("--input", "plain")), (xces, ())):
        checked = Run(capsys, "tagset", "check", "nkjp", str(path), *input_, "--json").json
        assert (checked["tags"], checked["tokens"], checked["failed"]) == (2, 2, [])
    scores = karat.score(gold, karat.read(xces, tag="xpos"), measures="PA", tags=TagOptions("nkjp"), intervals=False)
    assert scores["PA"].f1 == (1 + 3 / 4) / 2
    bad = tmp_path / "bad.xml"
    bad.write_text(XCES.replace("fin:sg", "fin:xx"), encoding="utf-8")
    failed = Run(capsys, "tagset", "check", "nkjp", str(bad), "--json").json["failed"]
    assert [(one["tag"], one["line"]) for one in failed] == [("fin:xx:ter:imperf", 4)]


def test_formats_are_known_by_their_content(tmp_path: Path) -> None:
    plain, dag = tmp_path / "a.plain", tmp_path / "a.dag"
    plain.write_text(PLAIN, encoding="utf-8")
    cells = ("1.0", "", "", "", "")
    edges = [
        ("0", "1", "Ala", "Ala", "subst:sg:nom:f", *cells, "disamb"),
        ("1", "2", "ma", "mieć", "conj", *cells, "disamb"),
    ]
    dag.write_text("\n".join("\t".join(edge) for edge in edges) + "\n\n", encoding="utf-8")
    assert karat.read(plain, tag="xpos").format == "plain"
    assert karat.read(dag, tag="xpos").format == "dag"
    assert karat.read(dag, tag="xpos").column("xpos").strings() == ["subst:sg:nom:f", "conj"]
    dag.write_text(dag.read_text(encoding="utf-8").replace("disamb", ""), encoding="utf-8")
    with pytest.raises(DataError, match="no interpretation of any word is chosen"):
        karat.read(dag)


def test_interpretations_are_what_makes_analysed_text_ambiguous(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "a.plain"
    path.write_text(PLAIN, encoding="utf-8")
    made = Run(capsys, "weights", "ambiguity", str(path), "--json").json
    assert made["weights"] == {"pos": 1.5, "number": 1, "case": 1, "gender": 1, "person": 1, "degree": 1, "aspect": 1}
    assert "1.50 tags per word on 2 words" in made["notes"][0]


def test_correctness_is_compared_too(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    chosen = ("--tagset", "nkjp", "--measure", "PA", "--json")
    whole = Run(capsys, "compare", *map(str, pdb), *chosen).json["pairs"][0]
    strong = Run(capsys, "compare", *map(str, pdb), *chosen, "--statistic", "strong_correctness").json["pairs"][0]
    assert strong["difference"] == pytest.approx(whole["difference"])  # one tag a word
    assert strong["p"] < 0.001
    refused = Run(capsys, "compare", *map(str, pdb), "--measure", "XPOS", "--statistic", "weak_correctness")
    assert (refused.code, "with rich tags" in refused.err) == (2, True)


def test_csv_has_a_name_for_every_value(capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...]) -> None:
    out = Run(capsys, "score", str(pdb[0]), str(pdb[1]), "--tagset", "nkjp", "--measure", "PA", "--by", "upos",
              "--resamples", "0", "--format", "csv").out  # fmt: skip
    header, *rows = csv.reader(io.StringIO(out))
    assert {len(row) for row in rows} == {len(header)}
    first = dict(zip(header, rows[0], strict=True))
    assert first["weak_correctness"] == first["value"] != ""
    assert first["lower"] == ""


def test_gold_against_itself_is_always_right(
    capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...], tmp_path: Path
) -> None:
    weights = tmp_path / "w.toml"
    weights.write_text('schema = "karat/weights/1"\n[weights]\npos = 0\ncase = 1\n', encoding="utf-8")
    for options in (("--ignore-category", "POS"), ("--weights", str(weights), "--missing-weight", "0")):
        data = Run(
            capsys, "score", str(pdb[0]), str(pdb[0]), "--tagset", "nkjp", *options, "--resamples", "0", "--json"
        ).json
        assert {one["value"] for one in data["systems"][0]["measures"].values()} == {1.0}


def test_conditional_weights_make_cwpa_the_default(
    capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...], tmp_path: Path
) -> None:
    weights = tmp_path / "w.toml"
    Run(capsys, "weights", "ambiguity", str(pdb[0]), "--conditional", "--per", "excess", "-o", str(weights))
    run = Run(
        capsys,
        "score",
        str(pdb[0]),
        str(pdb[1]),
        "--tagset",
        "nkjp",
        "--weights",
        str(weights),
        "--resamples",
        "0",
        "--json",
    )
    assert list(run.json["systems"][0]["measures"]) == ["exact", "pos", "PA", "CWPA"]


@pytest.mark.parametrize(
    ("line", "options", "message"),
    [
        ("a\tconj:=1.5", (), "K303 '1.5' is not a probability"),
        ("a\tconj:=x", (), "K303 'x' is not a probability"),
        ("a\tconj\t0.7\tpart", ("--probabilities",), "K303 3 cells"),
        ("a\tNOUN", (), "K802 none of the gold's tags is in the tagset nkjp"),
    ],
)
def test_bad_probabilities_and_tagsets_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, options: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(f"{line}\n", encoding="utf-8")
    run = Run(capsys, "score", str(path), str(path), "--tagset", "nkjp", "--input", "tsv", *options)
    assert (run.code, message in run.err) == (3, True)


def test_a_tag_of_probability_0_is_none(tmp_path: Path) -> None:
    gold, system = tmp_path / "g.tsv", tmp_path / "s.tsv"
    system.write_text("a\tconj\t1.0\tpart\t0\n", encoding="utf-8")
    chosen = TagOptions("nkjp", probabilities=True)
    for written in ("a\tconj\n", "a\tconj\t1\n"):  # a gold may have a tag and no probability
        gold.write_text(written, encoding="utf-8")
        found = karat.score(gold, system, measures="exact", tags=chosen, intervals=False)["exact"]
        assert (found.system, found.correct) == (1, 1)
    gold.write_text("a\tconj\t1\tpart\n", encoding="utf-8")
    with pytest.raises(DataError, match="K303"):
        karat.score(gold, system, measures="exact", tags=chosen, intervals=False)


def test_further_tags_may_stand_in_misc(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, system = tmp_path / "g.conllu", tmp_path / "s.conllu"
    row = "1\tdomu\tdom\tNOUN\t{}\t_\t0\troot\t_\t{}\n\n"
    gold.write_text(row.format("subst:sg:gen:m3", "XPOSAlt=subst:sg:acc:m3"), encoding="utf-8")
    system.write_text(row.format("subst:sg:acc:m3", "_"), encoding="utf-8")
    found = Run(capsys, "score", str(gold), str(system), "--tagset", "nkjp", "--measure", "exact", "--json")
    exact = found.json["systems"][0]["measures"]["exact"]
    assert (exact["precision"], exact["recall"], exact["weak_correctness"]) == (1, 0.5, 1)
    assert exact["strong_correctness"] == 0


def test_what_goes_wrong_is_shown_by_category(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, system = tmp_path / "g.tsv", tmp_path / "s.tsv"
    gold.write_text("a\tsubst:sg:nom:f\nb\tsubst:sg:acc:f\nc\tadv:pos\n\nd\tsubst:sg:acc:f\n", encoding="utf-8")
    system.write_text(
        "a\tsubst:sg:nom:f\nb\tsubst:sg:nom:f\nc\tadj:sg:nom:f:pos\n\nd\tsubst:pl:nom:f\n", encoding="utf-8"
    )
    run = Run(capsys, "score", str(gold), str(system), "--tagset", "nkjp", "--confusions", "categories", "--json")
    errors = run.json["systems"][0]["tag_errors"]
    assert [(one["pos"], one["category"], one["gold"], one["system"], one["count"]) for one in errors] == [
        ("subst", "case", "acc", "nom", 2),
        ("adv", "pos", "adv", "adj", 1),
        ("subst", "number", "sg", "pl", 1),
    ]
    assert errors[0]["weight"] == 14055
    assert errors[0]["examples"][0]["words"] == ["a", "b", "c"]
    assert Run(capsys, "score", str(gold), str(system), "--confusions", "categories").code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("--weights", "poliqarp-2010"), 2, "--weights requires --tagset"),
        (("--tagset", "nope"), 2, "unknown tagset 'nope'"),
        (("--tagset", "nkjp", "--weights", "nope"), 2, "unknown weights 'nope'"),
        (("--tagset", "nkjp", "--measure", "CWPA"), 2, "conditional"),
        (("--tagset", "nkjp", "--ignore-category", "colour"), 2, "no category 'colour'"),
        (("--tagset", "nowhere.toml"), 3, "nowhere.toml"),
        (("--tagset", "nkjp", "--like", "conll18"), 2, "cannot be combined"),
    ],
)
def test_what_cannot_be_is_told(
    capsys: pytest.CaptureFixture[str], pdb: tuple[Path, ...], arguments: tuple[str, ...], code: int, reason: str
) -> None:
    run = Run(capsys, "score", str(pdb[0]), str(pdb[1]), *arguments)
    assert (run.code, reason in run.err) == (code, True)


# ---- what once went wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["text", "markdown", "latex"])
def test_tables_of_the_default_measures_are_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, format_: str
) -> None:
    """They once ended in KeyError 'pos', while their JSON was perfect."""
    gold, system = tmp_path / "g.tsv", tmp_path / "s.tsv"
    gold.write_text("a\tsubst:sg:nom:f\nb\tadv:pos\n", encoding="utf-8")
    system.write_text("a\tsubst:sg:acc:f\nb\tadv:pos\n", encoding="utf-8")
    run = Run(capsys, "score", str(gold), str(system), "--tagset", "nkjp", "--format", format_)
    assert run.code == 0
    # of a, its part of speech, number and gender are right, its case is not: (3/4 + 1)/2
    for row in (("exact", "50.00"), ("pos", "100.00"), ("PA", "87.50")):
        assert re.search(r"^\W*{} +[|&]? *{} ".format(*row), run.out, re.MULTILINE), row


def test_exact_of_rich_tags_has_the_report_of_rich_tags(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It once had that of a hierarchy, which has a measure of the same name."""
    path = tmp_path / "g.tsv"
    path.write_text("mill\tNN\nturns\tVBZ\n", encoding="utf-8")
    out = Run(capsys, "score", str(path), str(path), "--tagset", "penn", "--measure", "exact").out
    assert re.search(r"^measure +SC +WC +P +R +F$", out, re.MULTILINE)
    assert "by type" not in out


def test_a_system_without_a_readable_sentence_is_wholly_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold, system = tmp_path / "g.tsv", tmp_path / "s.tsv"
    gold.write_text("a\tsubst:sg:nom:f\n\nb\tadv:pos\n", encoding="utf-8")
    system.write_text("a\n\nb\n", encoding="utf-8")
    options = ("--tagset", "nkjp", "--input", "tsv", "--skip-bad", "--json")
    system_ = Run(capsys, "score", str(gold), str(system), *options).json["systems"][0]
    assert {one["value"] for one in system_["measures"].values()} == {0}
    assert system_["skipped"]["system"] == 2


@pytest.mark.parametrize("verb", ["score", "repeats"])
def test_a_dag_s_probabilities_are_no_part_of_its_tags(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str
) -> None:
    dag, tagged = tmp_path / "a.dag", tmp_path / "a.tsv"
    rows = [("0", "1", "Ala", "Ala", "subst:sg:nom:f"), ("1", "2", "ma", "mieć", "fin:sg:ter:imperf")]
    blocks = ["".join("\t".join((*row, "", "", p, "", "", "disamb")) + "\n" for row in rows) for p in ("0.9", "0.8")]
    dag.write_text("\n".join(blocks) + "\n", encoding="utf-8")
    tagged.write_text("\n".join("".join(f"{row[2]}\t{row[4]}\n" for row in rows) for _ in blocks), encoding="utf-8")
    if verb == "score":
        data = Run(capsys, "score", str(tagged), str(dag), "--column", "xpos", "--json").json
        assert data["systems"][0]["measures"]["XPOS"]["value"] == 1
    else:
        assert (
            Run(capsys, "repeats", str(dag), "--column", "xpos", "--min-words", "2", "--json").json["suspicious"] == 0
        )
