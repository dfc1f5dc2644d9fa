"""The experiment of Acedański & Przepiórkowski 2010: what is scored, by what, and what is said of the claims."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from cli_runs import Run, fits_its_schema
from examples import conllu
from karat.corpus import Column, Corpus, Vocabulary, conllu_from_source, source_from_bytes
from karat.corpus.interning import spans_of_strings
from karat.errors import DataError, UsageError
from karat.experiments.further_tags import further_tags
from karat.experiments.grid import grid, read_grid
from karat.experiments.papers import acedanski_2010 as paper
from karat.experiments.papers.acedanski_2010_claims import category_errors, closer_together, more_than
from karat.experiments.papers.acedanski_2010_gold import expanded, gold_tags, with_other_genders
from karat.experiments.papers.acedanski_2010_prints import STATISTICS, TABLES
from karat.experiments.papers.acedanski_2010_scores import Scoring, SystemTags, TestText, tagged_text
from karat.experiments.papers.acedanski_2010_weights import dependency_rules, referred_to
from karat.experiments.papers.reproduction import Reproduction
from karat.experiments.systems import OwnTagger
from karat.experiments.treebanks import TextReading, corpus_of, treebanks
from karat.inference.options import InferenceOptions
from karat.measures.positional.options import TagOptions
from karat.report.reproduction import reproduction_report
from karat.report.tables import written
from karat.systems.folds import folds_of
from karat.systems.options import system_from_text
from karat.tagsets import read_tagset
from realdata import data_files

WORDS = {
    "kot": "subst:sg:nom:m2",
    "dom": "subst:sg:nom:m3 subst:sg:acc:m3",
    "duży": "adj:sg:nom:m1:pos adj:sg:nom:m2:pos adj:sg:nom:m3:pos adj:sg:acc:m3:pos",
    "stał": "praet:sg:m1:imperf praet:sg:m2:imperf praet:sg:m3:imperf",
    "się": "part",
    "w": "prep:loc:nwok prep:acc:nwok",
    "lesie": "subst:sg:loc:m3",
    "mama": "subst:sg:nom:f",
}
SYSTEMS = {"unigram": "most-frequent", "HMM": "hmm:order=1", "trees": "hmm:order=2"}
OPTIONS = InferenceOptions(n_resamples=1000)


def sentences(n: int, seed: int, *, older: bool = False) -> str:
    """Sentences of random words with random ones of their tags, from documents of about four, in random order."""
    random, lines = Random(seed), []
    for number in range(n):
        words = random.choices(list(WORDS), k=random.randint(2, 6))
        lines.append(
            f"# sent_id = {seed}-{number}\n# orig_file_sentence = Text_{random.randrange(n // 4)}_morph#{number}"
        )
        for place, word in enumerate(words, start=1):
            tag = random.choice(WORDS[word].split())
            tag = "qub" if older and tag == "part" else tag
            relation = "root" if place == 1 else random.choice(["amod", "nsubj", "case", "punct"])
            lines.append(f"{place}\t{word}\t_\tX\t{tag}\t_\t{int(place > 1)}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join([*lines, ""])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for number, (bank, parts) in enumerate(
        {
            "ud-2.18/UD_Polish-PDB": "train dev test",
            "ud-2.18/UD_Polish-PUD": "test",
            "ud-2.16/UD_Polish-LFG": "dev test",
        }.items()
    ):
        (folder / bank).mkdir(parents=True)
        for seed, part in enumerate(parts.split()):
            text = sentences(60, 10 * number + seed, older=bank.endswith("LFG"))
            conllu(folder / bank / f"pl_x-ud-{part}.conllu", text)
    return folder


@pytest.fixture(scope="module")
def result(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "SYSTEMS", SYSTEMS)
        return karat.reproduce("acedanski-2010", data, tmp_path_factory.mktemp("out"), inference=OPTIONS)


# ---- the whole experiment --------------------------------------------------------------------------------------------


def test_folds_are_of_dev_and_test_by_document_without_duplicates(result: Reproduction) -> None:
    store = read_grid(Path(result.folder) / "grid").store
    data = [store.cell(key) for key in store.finished()]
    folds = [one for one in data if one["fold"] is not None]
    assert len(folds) == 10 * len(SYSTEMS)
    assert all("train" not in path.rpartition("/")[2] for one in data for path in one["train_text"]["paths"])
    assert {one["folds"]["by"] for one in folds} == {"document"}
    assert all(one["documents"] == {"field": "orig_file_sentence", "pattern": None} for one in data)
    assert sum(one["duplicates_left_out"] for one in folds) > 0
    others = [one for one in data if one["fold"] is None]
    assert {one["test"] for one in others} == {"UD_Polish-PUD", "UD_Polish-LFG"}
    assert {one["map"]["name"] for one in others} == {"nkjp-older"}
    assert (result.n_run, result.n_failed) == (len(data), 0)


def test_started_again_it_runs_nothing_and_gives_the_same(
    result: Reproduction, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "SYSTEMS", SYSTEMS)
    again = karat.reproduce("acedanski-2010", data, result.folder, inference=OPTIONS)
    assert (again.n_run, again.n_kept) == (0, result.n_run)
    assert {**again.to_dict(), "run": 0, "kept": 0} == {**result.to_dict(), "run": 0, "kept": 0}


def test_every_part_is_there(result: Reproduction) -> None:
    assert [one.name for one in result.parts] == (
        "table-2 table-3 table-4 table-5 between errors genders closeness weights accommodability pud lfg curve tests"
    ).split()
    assert result.not_run == ()
    assert fits_its_schema(result.to_dict())
    assert len(result.verdict) == 3


def rows_of(result: Reproduction, part: str, table: int = 0) -> dict[str, dict[str, Any]]:
    (found,) = (one for one in result.parts if one.name == part)
    return {str(row["system"]): row for row in found.results[table][1].to_dict()["rows"]}


def test_tables_are_what_score_gives_on_all_folds_together(result: Reproduction, data: Path, tmp_path: Path) -> None:
    """Each system's folds put together by hand, in a file, and scored by the common road."""
    found = read_grid(Path(result.folder) / "grid")
    files = [data / f"ud-2.18/UD_Polish-PDB/pl_x-ud-{part}.conllu" for part in ("dev", "test")]
    gold = karat.read(files, trees=False)
    by_sentence = {gold.sent_id(one): one for one in range(gold.n_sentences)}
    every = [found.store.cell(key) for key in found.store.finished()]
    for system in SYSTEMS:
        lines: dict[int, str] = {}
        for cell in every:
            if cell["system"] == system and cell["fold"] is not None:
                output = karat.read(found.store.output(cell["key"]), trees=False)
                text = bytes(output.source.buffer[: output.source.size]).decode()
                for block in filter(None, text.split("\n\n")):
                    name = block.partition("# sent_id = ")[2].partition("\n")[0]
                    lines[by_sentence[name]] = block
        path = conllu(tmp_path / "system.conllu", "\n\n".join(lines[one] for one in range(gold.n_sentences)) + "\n\n")
        tags = TagOptions("nkjp")
        names = ["exact", "pos", "PA", "WPA"]
        # several tags stand in MISC: all that are kept, or for a system of one tag, none
        if system == "trees":
            text = Path(path).read_text(encoding="utf-8")
            bare = "\n".join("\t".join([*row.split("\t")[:9], "_"]) if "\t" in row else row for row in text.split("\n"))
            Path(path).write_text(bare, encoding="utf-8")
        (scores,) = karat.score(gold, path, tags=tags, measures=names, intervals=False).systems
        shown = "trees, one tag" if system == "trees" else system
        for part, name in zip(("table-2", "table-3", "table-4", "table-5"), names, strict=True):
            row, ours = rows_of(result, part)[shown], scores.measures[name].to_dict()
            assert row["F"] == pytest.approx(ours["f1"])
            assert row["SC"] == pytest.approx(ours["strong_correctness"])


def test_with_one_tag_on_each_side_all_five_are_the_same_and_with_several_they_are_not(result: Reproduction) -> None:
    rows = rows_of(result, "table-2")
    assert len({round(rows["HMM"][name], 12) for name in STATISTICS}) == 1
    several = rows["trees, several tags"]
    assert several["SC"] < several["P"] < several["WC"]
    assert several["R"] == pytest.approx(several["WC"])  # the gold has one tag for each word
    assert several["WC"] > rows["trees, one tag"]["WC"]


def test_what_the_paper_prints_stands_below(result: Reproduction) -> None:
    row = rows_of(result, "table-5")["print: TaKIPI, defaults"]
    assert [row[name] for name in STATISTICS] == [0.952, 0.9662, 0.9534, 0.9656, 0.9595]
    numbers = {one.of: one for one in result.numbers if one.part == "Table 2"}
    assert numbers["WC, TaKIPI, defaults (ours: trees, several tags)"].paper == TABLES[2]["TaKIPI, defaults"]["WC"]
    assert not any(one.same_data for one in result.numbers)


def test_the_more_tags_the_more_often_the_right_one_is_among_them(result: Reproduction) -> None:
    (part,) = (one for one in result.parts if one.name == "curve")
    rows = part.results[0][1].to_dict()["rows"]
    tags, weak = [float(row["tags per word"]) for row in rows], [row["WC"] for row in rows]
    assert tags == sorted(tags)
    assert weak == sorted(weak)
    assert tags[0] == pytest.approx(1, abs=0.05)


def test_older_tags_are_mapped(result: Reproduction) -> None:
    """`się` is qub in LFG and part in PDB, and nothing else: without the map it would always be wrong."""
    assert rows_of(result, "lfg")["HMM"]["pos"] == 1.0
    (part,) = (one for one in result.parts if one.name == "lfg")
    several = {row["measure"]: row for row in part.results[1][1].to_dict()["rows"]}
    assert several["exact"]["F"] == rows_of(result, "lfg")["trees, several tags"]["exact"]


def test_it_is_printed_for_people(result: Reproduction) -> None:
    shown = written(reproduction_report(result), "text")
    assert "PA and WPA lie between exact and part of speech" in shown
    assert "Table 2: full tags" in shown
    details = written(reproduction_report(result, details=True), "markdown")
    for title in ("Errors by category", "How far precision and recall are apart", "Footnote 4"):
        assert title in details


def test_what_is_missing_is_said(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "SYSTEMS", {"unigram": "most-frequent", "oracle": "oracle:depth=3"})
    found = karat.reproduce("acedanski-2010", data / "ud-2.18/UD_Polish-PDB", tmp_path / "a", inference=OPTIONS)
    missing = {one.what: one.why for one in found.not_run}
    assert missing["UD_Polish-PUD"] == "not in the folder"
    assert missing["oracle"] == "this karat has no system oracle"
    with pytest.raises(UsageError, match="give one seed"):
        karat.reproduce("acedanski-2010", data, tmp_path / "b", seeds=2)
    with pytest.raises(DataError, match="no UD_Polish-PDB in it"):
        karat.reproduce("acedanski-2010", data / "ud-2.16", tmp_path / "b")


def test_the_command_writes_a_report(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(paper, "SYSTEMS", {"unigram": "most-frequent"})
    monkeypatch.chdir(tmp_path)
    found = Run(capsys, "reproduce", "acedanski-2010", "--data", str(data), "-o", "out", "--json")
    assert found.code == 0
    assert [one["paper"] for one in found.json["papers"]] == ["acedanski-2010"]
    assert "Table 4: positional accuracy" in Path("out/report.md").read_text(encoding="utf-8")


# ---- several tags of a grid's system ---------------------------------------------------------------------------------


def test_further_tags_are_those_of_tag_several(data: Path, tmp_path: Path) -> None:
    train, test = (str(data / f"ud-2.18/UD_Polish-PDB/pl_x-ud-{part}.conllu") for part in ("train", "test"))
    bank = replace(treebanks([data / "ud-2.18/UD_Polish-PDB"])[0], dev=None)
    tagger = OwnTagger("several", *system_from_text("hmm:order=1"), 0.01)
    found = grid([bank], tmp_path / "grid", systems=[tagger], seeds=1, column="xpos")
    output = karat.read(found.store.output(found.cells[0].key), trees=False)
    trained = karat.train("hmm", train, column="xpos", options={"order": 1}, calibrate=False)
    for least in (0.01, 0.2):
        expected = karat.tag(trained, test, several=True, share=least)
        assert expected.several is not None
        rows = [[expected.labels[tag] for tag in expected.several.row(word)] for word in range(output.n_words)]
        best, others = output.column("xpos").strings(), further_tags(output, "xpos", least)
        for tags, one, more in zip(rows, best, others, strict=True):
            assert {*tags} | {one} == {one, *more}


# ---- the gold with all genders ---------------------------------------------------------------------------------------

TAGSET = read_tagset("nkjp")


def test_only_tags_of_one_interpretation_that_differ_in_gender_are_added() -> None:
    every = ["adj:sg:nom.voc:m1.m2.m3:pos", "adj:sg:acc:m3:pos", "subst:sg:nom:m1"]
    assert gold_tags("adj:sg:nom:m2:pos", every, TAGSET) == [
        "adj:sg:nom:m2:pos", "adj:sg:nom:m1:pos", "adj:sg:nom:m3:pos",
    ]  # fmt: skip
    assert gold_tags("adj:sg:acc:m3:pos", every, TAGSET) == ["adj:sg:acc:m3:pos"]
    assert gold_tags("ign", every, TAGSET) == ["ign"]


def test_an_interpretation_stands_for_all_combinations() -> None:
    assert expanded("a:b.c:d:e.f") == ["a:b:d:e", "a:b:d:f", "a:c:d:e", "a:c:d:f"]


def test_genders_that_morfeusz_leaves_open_are_gold() -> None:
    pytest.importorskip("morfeusz2")
    text = "1\tstał\t_\tX\tpraet:sg:m3:imperf\t_\t0\troot\t_\t_\n2\tdom\t_\tX\tsubst:sg:nom:m3\t_\t1\tnsubj\t_\t_\n\n"
    gold = with_other_genders(conllu_from_source(source_from_bytes(text.encode())))
    first, second = gold.column("xpos").strings()
    assert first.split("\t")[0] == "praet:sg:m3:imperf"
    assert {*first.split("\t")} == {f"praet:sg:{one}:imperf" for one in ("m1", "m2", "m3")}
    assert second == "subst:sg:nom:m3"


# ---- weights by rules ------------------------------------------------------------------------------------------------


def test_weights_by_dependencies_are_counted_by_hand() -> None:
    """duży ←amod dom, dom ←nsubj stał, w and . : three rules, as punctuation is none."""
    rows = [
        ("duży", "adj:sg:nom:m3:pos", 2, "amod"),
        ("dom", "subst:sg:nom:m3", 3, "nsubj"),
        ("stał", "praet:sg:m3:imperf", 0, "root"),
        ("tam", "adv", 3, "advmod"),
        (".", "interp", 3, "punct"),
    ]
    lines = [f"{n}\t{w}\t_\tX\t{t}\t_\t{h}\t{r}\t_\t_" for n, (w, t, h, r) in enumerate(rows, start=1)]
    corpus = conllu_from_source(source_from_bytes(("\n".join(lines) + "\n\n").encode()))
    found = dependency_rules(corpus, conditional=False).absolute
    # amod: number, case, gender of both (2 each); nsubj: case, number, gender of dom, number and gender of stał
    assert {name: value for name, value in found.items() if value} == {"pos": 6, "number": 4, "case": 3, "gender": 4}
    by_pos = dependency_rules(corpus, conditional=True).conditional
    assert (by_pos["adj"]["pos"], by_pos["subst"]["case"], by_pos["praet"]["number"]) == (1, 2, 1)
    assert referred_to("nosuch") == ((), ())


# ---- claims ----------------------------------------------------------------------------------------------------------


def tagged(gold_tags: list[list[str]], system_tags: list[list[str]]) -> SystemTags:
    """Sentences of one word per tag, each a document, and a system's tags on them."""
    blocks = []
    for number, tags in enumerate(gold_tags):
        rows = [f"{n}\tw\t_\tX\t{tag}\t_\t{int(n > 1)}\tdep\t_\t_" for n, tag in enumerate(tags, start=1)]
        blocks.append("\n".join([f"# newdoc id = d{number}", *rows]))
    gold = conllu_from_source(source_from_bytes(("\n\n".join(blocks) + "\n\n").encode()))
    text = TestText("toy", gold)
    codes = {one: number for number, one in enumerate(dict.fromkeys(tag for tags in system_tags for tag in tags))}
    ids = np.array([codes[tag] for tags in system_tags for tag in tags], dtype=np.int32)
    column = Column(ids, Vocabulary(spans_of_strings(codes)))
    return SystemTags("toy", text, _with_tags(gold, column))


def _with_tags(gold: Corpus, column: Column) -> Corpus:
    return replace(gold, _columns={**gold._columns, "xpos": column})


def test_errors_of_categories_are_counted_by_hand() -> None:
    gold = [["subst:sg:nom:m3", "adj:sg:nom:m3:pos"], ["subst:pl:gen:f", "fin:sg:ter:perf"]]
    system = [["subst:sg:acc:m3", "adj:pl:nom:m1:pos"], ["subst:pl:gen:f", "subst:sg:nom:f"]]
    found = category_errors(tagged(gold, system), OPTIONS)
    assert found.counts == {"case": 1, "number": 1, "gender": 1, "pos": 1}
    assert (found.n_wrong, found.n_words) == (3, 4)
    assert not found.has_pos_before_one


def test_case_gender_and_number_are_said_to_be_common_only_where_they_are() -> None:
    random = Random(1)
    gold = [["ppas:sg:nom:f:perf:aff"] * 4 for _ in range(60)]
    wrong = ["ppas:sg:acc:f:perf:aff", "ppas:pl:nom:f:perf:aff", "ppas:sg:nom:n:perf:aff"]
    common = [[random.choice([tags[0], *wrong]) for _ in tags] for tags in gold]
    assert category_errors(tagged(gold, common), OPTIONS).ahead.is_positive is True
    rare = [[random.choice([tags[0], "ppas:sg:nom:f:imperf:aff"]) for _ in tags] for tags in gold]
    assert category_errors(tagged(gold, rare), OPTIONS).ahead.is_positive is False


def test_a_measure_is_more_than_another_where_it_always_is_and_not_where_they_are_equal() -> None:
    random = Random(2)
    gold = [["subst:sg:nom:m3", "subst:pl:gen:f"] for _ in range(30)]
    near = [[random.choice([tag, "subst:sg:acc:m3"]) for tag in tags] for tags in gold]
    every = [Scoring("exact", "exact"), Scoring("pos", "pos"), Scoring("PA", "PA")]
    one = tagged(gold, near)
    scored = one.scored(every, one.text.gold)
    found = more_than(scored, "exact", "PA", OPTIONS)
    assert found.is_positive is True
    assert found.value == pytest.approx(scored.pooled("PA")["F"] - scored.pooled("exact")["F"])
    assert more_than(scored, "pos", "exact", OPTIONS).is_positive is False
    perfect = tagged(gold, gold)
    assert more_than(perfect.scored(every, perfect.text.gold), "exact", "PA", OPTIONS).is_positive is None


@given(st.integers(0, 50))
def test_how_far_precision_and_recall_are_apart_is_as_defined(seed: int) -> None:
    random = Random(seed)
    tags = ["subst:sg:nom:m3", "subst:sg:acc:m3", "adj:sg:nom:m3:pos"]
    gold = [[random.choice(tags) for _ in range(3)] for _ in range(8)]
    several = [["\t".join(random.sample(tags, random.randint(1, 2))) for _ in one] for one in gold]
    one = tagged(gold, several)
    scored = one.scored([Scoring("exact", "exact"), Scoring("PA", "PA")], one.text.gold)
    apart = [abs(scored.pooled(name)["P"] - scored.pooled(name)["R"]) for name in ("exact", "PA")]
    assert closer_together(scored, "exact", "PA", OPTIONS).value == pytest.approx(apart[0] - apart[1])


def test_statistics_over_folds_are_those_of_each_fold() -> None:
    random = Random(3)
    tags = ["subst:sg:nom:m3", "subst:sg:acc:m3"]
    gold = [[random.choice(tags) for _ in range(3)] for _ in range(12)]
    system = [[random.choice(tags) for _ in one] for one in gold]
    one = tagged(gold, system)
    fold = folds_of(one.text.gold, 3, "document", 0)
    text = TestText("toy", one.text.gold, fold)
    scored = replace(one, text=text).scored([Scoring("exact", "exact")], text.gold)
    right = [
        np.mean([a == b for n in np.flatnonzero(fold == f) for a, b in zip(gold[n], system[n], strict=True)])
        for f in range(3)
    ]
    found = scored.over_folds("exact", "F")
    assert found is not None
    assert list(found) == pytest.approx([np.mean(right), np.std(right, ddof=1)])


def test_pdb_has_three_kinds_of_weights_that_all_know_case() -> None:
    files = data_files("ud-2.18/UD_Polish-PDB/*dev.conllu")
    found = dependency_rules(karat.read(files, trees=False), conditional=False).absolute
    assert found["pos"] > found["case"] > found["number"] > found["person"] > 0


def test_outputs_of_folds_stand_at_their_words(data: Path, tmp_path: Path) -> None:
    (bank,) = treebanks([data / "ud-2.18/UD_Polish-PDB"])
    found = grid([bank], tmp_path / "grid", systems=["most-frequent"], seeds=1, column="xpos", folds=3)
    whole = corpus_of(bank.whole(), TextReading("xpos"))
    text = TestText("UD_Polish-PDB", whole, folds_of(whole, 3, None, 0))
    made = tagged_text("most-frequent", text, found.cells, found.store, None)
    right = float(
        np.mean(
            [a == b for a, b in zip(made.corpus.column("xpos").strings(), whole.column("xpos").strings(), strict=True)]
        )
    )
    words = [one.data["words"] for one in found.cells]
    assert right == pytest.approx(np.average([one.value("XPOS") for one in found.cells], weights=words))
    assert made.tags_per_word == 1
