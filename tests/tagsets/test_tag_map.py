"""Tags mapped before they are compared: files of pairs, the map of Penn tags, and what is mapped where."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import karat
from cli_runs import Run
from examples import EXAMPLES, conllu, sentence
from karat.errors import DataError, UsageError
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions
from karat.tagsets import read_tag_map, shipped_maps
from realdata import data, data_files

UPOS = set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())


def test_the_map_of_penn_tags_has_all_of_them_and_gives_upos_only() -> None:
    found = read_tag_map("penn-upos")
    penn = karat.read_tagset("penn").parts_of_speech
    assert set(penn) <= set(found.tags)
    assert set(found.tags.values()) <= UPOS
    assert [found[tag] for tag in ("NNS", "#", "MD", "VBZ", "WP$", "_", "Nonsense")] == [
        "NOUN", "SYM", "AUX", "VERB", "PRON", "_", "Nonsense",
    ]  # fmt: skip
    assert shipped_maps() == ("nkjp-older", "penn-upos")


def test_penn_tags_of_a_treebank_become_its_upos_mostly() -> None:
    """What one tag for one tag cannot know is auxiliaries, subordinators, negation and demonstratives."""
    corpus = karat.read(data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"))
    found = read_tag_map("penn-upos")
    assert not found.left(found.mapped(corpus, ["xpos"]), ["xpos"])
    pairs = list(zip(corpus.column("xpos").strings(), corpus.column("upos").strings(), strict=True))
    assert sum(found[xpos] == upos for xpos, upos in pairs) / len(pairs) > 0.88
    # each tag goes to its most frequent UPOS, or to the one the map's head says it goes to
    most = {tag: Counter(u for x, u in pairs if x == tag).most_common(1)[0][0] for tag in {x for x, _ in pairs}}
    assert {tag for tag, upos in most.items() if found[tag] != upos} <= {"VBZ", "VBP", "NFP"}


# ---- files


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "map.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_has_comments_a_default_and_the_tag_hash(tmp_path: Path) -> None:
    found = read_tag_map(written(tmp_path, "# coarse\n#also a comment\n#\tS\r\n\nNN\tN\nNNS\tN\n*\tX\n"))
    assert (found.tags, found.default) == ({"#": "S", "NN": "N", "NNS": "N"}, "X")
    assert [found[tag] for tag in ("#", "NNS", "VB", "_")] == ["S", "N", "X", "_"]
    assert re.fullmatch(r".*map\.tsv@sha256:[0-9a-f]{16}", found.signed)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("NN\n", ["1:3: K804 no tab"]),
        ("NN\tN\tM\n", ["1:6: K804 3 columns where two were expected"]),
        ("\tN\n# c\nVB\t \n", ["1:1: K804 a tag is missing", "3:4: K804 a tag is missing"]),
        ("A\tB\nNN\tN\nNN\tM\n", ["3:1: K804 'NN' is mapped twice, first on line 2"]),
        ("*\tB\n*\tB\n", ["2:1: K804 '*' is mapped twice, first on line 1"]),
        ("# nothing\n", ["1:1: K804 the file has no tags"]),
        ("", ["1:1: K804 the file has no tags"]),
    ],
)
@pytest.mark.parametrize("verb", ["score", "compare", "repeats"])
def test_what_is_no_map_is_told_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str, text: str, places: list[str]
) -> None:
    path = written(tmp_path, text)
    gold = str(EXAMPLES / "gold.conllu")
    run = Run(capsys, verb, *([gold] if verb == "repeats" else [gold] + [f"{one}={gold}" for one in "ab"]), "--map",
              str(path))  # fmt: skip
    assert (run.code, run.out) == (3, "")
    assert [line for line in run.err.splitlines() if "K804" in line and str(path) in line] == [
        line for place in places for line in run.err.splitlines() if line.startswith(f"{path}:{place}")
    ]
    assert run.err.count("K804") == len(places)


def test_other_bad_maps(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = str(EXAMPLES / "gold.conllu")
    for name, code, reason in (
        ("nope", 2, "unknown map 'nope'"),
        ("no/where.tsv", 3, "K101"),
        ("nowhere.tsv", 3, "K101"),
    ):
        run = Run(capsys, "score", gold, gold, "--map", name)
        assert (run.code, reason in run.err) == (code, True), name
    path = tmp_path / "m.tsv"
    path.write_bytes(b"a\t\xff\n")
    assert "K106" in Run(capsys, "score", gold, gold, "--map", str(path)).err


# ---- what is mapped

TAGS = st.sampled_from(["NN", "NNS", "VB", "VBZ", "JJ", "FOO", "NOUN", "_"])


def upos_score(pairs: list[tuple[str, str]], given: dict[str, str]) -> float:
    """The share of words whose tags are the same once each is looked up."""

    def looked_up(tag: str) -> str:
        return tag if tag == "_" else given.get(tag, given.get("*", tag))

    return sum(looked_up(gold) == looked_up(system) for gold, system in pairs) / len(pairs)


@given(
    st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=12),
    st.dictionaries(st.sampled_from(["NN", "NNS", "VB", "VBZ", "JJ", "*"]), st.sampled_from(["N", "V", "NN", "X"]),
                    min_size=1),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_scores_are_those_of_tags_that_were_looked_up(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]], given: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("m")
    gold, system = folder / "g.tsv", folder / "s.tsv"
    for path, side in ((gold, 0), (system, 1)):
        rows = [(f"w{number}", pair[side]) for number, pair in enumerate(pairs)]
        path.write_text("".join(f"{word}\t{tag}\n" for word, tag in [*rows, ("w", "END")]), encoding="utf-8")
    scores = karat.score(gold, system, map=given, input="tsv", intervals=False)
    assert list(scores.systems[0].measures) == ["UPOS"]
    assert scores["UPOS"].f1 == pytest.approx(upos_score([*pairs, ("END", "END")], given))
    targets = {*given.values(), "_"}
    kept = [tag for pair in [*pairs, ("END", "END")] for tag in pair if tag not in given and tag not in targets]
    told = [one for one in scores.warnings if "keep" in one]
    if "*" in given or not kept:
        assert not told
    else:
        assert len(told) == 1
        assert told[0].startswith(f"{len(kept)} words keep tags that the map given does not have (")


def test_penn_upos_makes_upos_out_of_xpos(tmp_path: Path) -> None:
    """UPOS of gold and system are wrong on purpose: XPOS is what is mapped."""
    gold = Path(conllu(tmp_path / "g.conllu", sentence("a/X", "b/X", "c/X")))
    system = Path(conllu(tmp_path / "s.conllu", sentence("a/ADJ", "b/ADV", "c/INTJ")))

    def give_xpos(path: Path, *tags: str) -> None:
        lines = path.read_text(encoding="utf-8").split("\n")
        words = [number for number, line in enumerate(lines) if line[:1].isdigit()]
        for number, tag in zip(words, tags, strict=True):
            cells = lines[number].split("\t")
            cells[4] = tag
            lines[number] = "\t".join(cells)
        path.write_text("\n".join(lines), encoding="utf-8")

    give_xpos(gold, "NN", "VBZ", "RB")
    give_xpos(system, "NNS", "VBP", "JJ")
    found = karat.score(gold, system, map="penn-upos", intervals=False)
    assert (list(found.systems[0].measures), found["UPOS"].correct) == (["UPOS"], 2)
    in_place = karat.score(gold, system, map="penn-upos", measures="XPOS", intervals=False)
    assert in_place["XPOS"].correct == 2
    column = karat.score(gold, system, map="penn-upos", column="xpos", intervals=False)
    assert column["XPOS"].correct == 2
    both = karat.score(gold, system, map="penn-upos", measures="UPOS,XPOS", intervals=False)
    assert (both["UPOS"].correct, both["XPOS"].correct) == (2, 2)
    plain = tmp_path / "g.tsv"
    plain.write_text("a\tNOUN\nb\tVERB\nc\tADV\n", encoding="utf-8")  # UPOS already, against Penn tags of a system
    mixed = karat.score(plain, system, map="penn-upos", intervals=False)
    assert (mixed["UPOS"].correct, mixed.warnings) == (2, ())
    assert "|map:penn-upos|" in found.signature
    assert karat.score(gold, system, measures="UPOS", intervals=False)["UPOS"].correct == 0


def test_other_columns_may_be_mapped(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "g.conllu", sentence("a/X/0/root", "b/X/1/iobj", "c/X/1/obl"))
    system = conllu(tmp_path / "s.conllu", sentence("a/X/0/root", "b/X/1/obj", "c/X/1/obj"))
    found = karat.score(gold, system, map={"iobj": "object", "obj": "object"}, column="deprel", intervals=False)
    assert (list(found.systems[0].measures), found["Deprels"].correct) == (["Deprels"], 2)
    with pytest.raises(UsageError, match="a map works on upos"):
        karat.score(gold, system, map={"a": "b"}, column="misc")


def test_rich_tags_and_several_tags_are_mapped_one_by_one(tmp_path: Path) -> None:
    gold, system = tmp_path / "g.tsv", tmp_path / "s.tsv"
    gold.write_text("a\tsubst:sg:nom:f\tsubst:sg:acc:f\nb\tadv:pos\n", encoding="utf-8")
    system.write_text("a\tnoun1:=0.5\tnoun2:=0.25\tsubst:sg:nom:f:=0.25\nb\tadv:pos\n", encoding="utf-8")
    given = {"noun1": "subst:sg:nom:f", "noun2": "subst:sg:acc:f"}
    found = karat.score(gold, system, measures="exact", map=given, tags=TagOptions("nkjp"), intervals=False)
    assert (found["exact"].f1, found["exact"].system) == (1.0, 3)
    # in a hierarchy, the probabilities of tags that become the same are summed: 3/4 nominative, 1/4 accusative
    tree = tmp_path / "tree.txt"
    tree.write_text("subst:sg:nom:f\nsubst:sg:acc:f\nadv:pos\n", encoding="utf-8")
    alone = tmp_path / "n.tsv"
    alone.write_text("a\tsubst:sg:nom:f\nb\tadv:pos\n", encoding="utf-8")
    options = HierarchyOptions(tree, column="xpos")
    spread = karat.score(alone, system, measures="hierarchical", map=given, hierarchy=options, intervals=False)
    assert spread["hierarchical"].value == pytest.approx((0.75 + 1) / 2)


def test_probabilities_in_columns_are_summed() -> None:
    found = read_tag_map({"a": "x", "b": "x"})
    assert found._of_several("a\t0.5\tb\t0.25\tc\t0.25", with_probabilities=True) == "x\t0.75\tc\t0.25"
    assert found._of_several("a:=0.5\tb:=0.5", with_probabilities=False) == "x:=1.0"
    assert found._of_several("a\tb\tc", with_probabilities=False) == "x\tc"
    assert found._of_several("a:=what\tb:=0.5", with_probabilities=False) == "a:=what\tb:=0.5"  # its reader refuses it
    assert found._of_several("a\t0.5\tb", with_probabilities=True) == "a\t0.5\tb"
    assert found._of_several("_", with_probabilities=False) == "_"
    assert found._in_misc("XPOSAlt=a,b,c|SpaceAfter=No", "XPOSAlt=") == "XPOSAlt=x,c|SpaceAfter=No"


def test_a_lexicon_and_splits_are_mapped_too(tmp_path: Path) -> None:
    gold, train = tmp_path / "g.tsv", tmp_path / "t.tsv"
    gold.write_text("a\tNN\nb\tVB\n", encoding="utf-8")
    train.write_text("a\tNN\na\tNNS\nb\tVB\nb\tNN\n", encoding="utf-8")
    found = karat.score(gold, gold, map="penn-upos", lexicon=train, by="upos", intervals=False).systems[0]
    assert {name: one["UPOS"].gold for name, one in found.by["lexicon"].items()} == {
        "known": 2, "unambiguous": 1, "ambiguous": 1,
    }  # fmt: skip
    assert set(found.by["upos"]) == {"NOUN", "VERB"}


# ---- repeats


def test_labels_of_repeats_are_mapped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("a\tDT\nb\tNN\nc\tVB\nx\tIN\n\na\tDT\nb\tNNS\nc\tJJ\ny\tIN\n", encoding="utf-8")
    plain = Run(capsys, "repeats", str(path), "--json").json
    assert plain["items"][0]["positions"] == [1, 2]
    run = Run(capsys, "repeats", str(path), "--map", "penn-upos", "--json")
    (item,) = run.json["items"]
    assert [way["labels"] for way in item["labellings"]] == [["DET", "NOUN", "VERB"], ["DET", "NOUN", "ADJ"]]
    assert item["positions"] == [2]
    assert "|map:penn-upos|" in run.json["signature"]
    options = karat.RepeatOptions(map="penn-upos")
    assert karat.repeats(path, options=options).to_dict() == {**run.json, "corpora": ["c.tsv"]}
    other = Run(capsys, "repeats", str(path), "--map", str(written(tmp_path, "VB\tW\nJJ\tW\n")), "--json")
    assert other.json["items"][0]["positions"] == [1]
    assert "6 words keep tags that the map " in other.err
    baseline = tmp_path / "b.json"
    baseline.write_text(run.out, encoding="utf-8")
    again = ("repeats", str(path), "--check", "--baseline", str(baseline))
    assert Run(capsys, *again, "--map", "penn-upos").code == 0
    assert "was made with other options: map penn-upos" in Run(capsys, *again).err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("repeats", "GOLD", "--map", "penn-upos", "--worklist", "w.tsv"), "cannot be used with --map"),
        (("repeats", "GOLD", "--map", "penn-upos", "--dependencies"), "cannot be used with --column or --map"),
        (("repeats", "GOLD", "--map", "penn-upos", "--tokenisation"), "--tokenisation compares characters"),
        (("repeats", "GOLD", "--map", "penn-upos", "--column", "upos+feats"), "one column only"),
        (("repeats", "GOLD", "--map", "penn-upos", "--table", "5"), "cannot be used with --table"),
        (("score", "GOLD", "GOLD", "--map", "penn-upos", "--like", "conll18"), "cannot be combined with a map"),
        (("score", "GOLD", "GOLD", "--map", "penn-upos", "--ignore-suspicious", "all", "--train", "GOLD"), "--map"),
        (("score", "GOLD", "GOLD", "--map", "penn-upos", "--column", "misc"), "a map works on upos"),
        (("score", "TREES", "TREES", "--map", "penn-upos"), "--map cannot be used with bracketed trees"),
        (("compare", "--counts", "YY=1,YN=1,NY=1,NN=1", "--map", "penn-upos"), "--map cannot be used with --counts"),
    ],
)
def test_what_does_not_go_with_a_map_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    paths = {"GOLD": str(EXAMPLES / "gold.conllu"), "TREES": str(EXAMPLES / "gold.ptb")}
    run = Run(capsys, *(paths.get(one, one) for one in arguments))
    assert (run.code, reason in run.err) == (2, True), run.err


def test_library_and_command_line_map_alike(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, ada, bix = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
    coarse = str(written(tmp_path, "NOUN\tN\nPROPN\tN\nVERB\tV\nAUX\tV\n"))
    run = Run(capsys, "compare", gold, ada, bix, "--map", coarse, "--json")
    (pair,) = json.loads(run.out)["pairs"]
    (found,) = karat.compare(gold, [ada, bix], map=coarse).pairs
    assert (pair["measure"], pair["difference"]) == ("UPOS", found.difference)
    assert run.err.count(" keep tags ") == 1
    with pytest.raises(DataError, match="K101"):
        karat.compare(gold, [ada, bix], map=tmp_path / "nowhere")


def test_folders_of_treebanks_are_mapped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, tag in (("gold", "NN"), ("sys", "NNS")):
        (tmp_path / name).mkdir()
        for number in (1, 2):
            (tmp_path / name / f"{number}.tsv").write_text(f"a\t{tag}\nb\tFOO\n", encoding="utf-8")
    folders = ("--gold-dir", str(tmp_path / "gold"), "--system-dir", str(tmp_path / "sys"))
    run = Run(capsys, "score", *folders, "--map", "penn-upos", "--json")
    assert run.json["systems"][0]["measures"]["UPOS"]["value"] == 1
    assert run.err.count("words keep tags that the map penn-upos does not have (FOO)") == 1


# ---- a part of a tag left open ---------------------------------------------------------------------------------------

OLDER = read_tag_map("nkjp-older")


def test_a_star_between_colons_is_any_value_and_the_same_value_again() -> None:
    made = read_tag_map({"a:*:x:*": "b:*:*", "a:1:x:2": "whole", "*:y": "*", "*": "*"})
    assert [made[tag] for tag in ("a:1:x:3", "a:1:x:2", "q:y", "a:1:x", "a")] == ["b:1:3", "whole", "q", "a:1:x", "a"]


def test_of_rules_the_first_that_fits_counts() -> None:
    made = read_tag_map({"a:*:*": "first:*", "a:1:*": "second"})
    assert (made["a:1:2"], made["a:*"]) == ("first:1", "a:*")


def test_a_star_within_a_part_is_a_character() -> None:
    assert read_tag_map({"PRP*:x": "p"})["PRP1:x"] == "PRP1:x"


@given(st.lists(st.sampled_from(["a", "b", "*"]), min_size=2, max_size=4), st.lists(st.sampled_from("abc"), max_size=4))
def test_rules_fit_what_a_regular_expression_fits(fits: list[str], parts: list[str]) -> None:
    rule, tag = ":".join(fits), ":".join(parts)
    if "*" not in fits or not parts:
        return
    becomes = ":".join(reversed(fits))
    pattern = re.compile(":".join("([^:]*)" if one == "*" else one for one in fits))
    match = pattern.fullmatch(tag)
    expected = tag
    if match:
        values = iter(match.groups())
        expected = ":".join(next(values) if one == "*" else one for one in reversed(fits))
    assert read_tag_map({rule: becomes})[tag] == expected


def test_more_stars_than_can_be_filled_are_refused_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "map.tsv"
    path.write_text("a\tb\na:*\tb:*:*\n", encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_tag_map(path)
    (problem,) = error.value.problems
    assert (problem.code, problem.line, problem.column) == ("K804", 2, 5)
    with pytest.raises(UsageError, match="more \\* than"):
        read_tag_map({"a:*": "*:*"})


def test_all_others_stay_with_star_to_star_and_are_not_warned_of(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", sentence("oak/NOUN", "well/ADV"))
    assert karat.score(gold, gold, map={"NOUN": "N", "*": "*"}, intervals=False).warnings == ()
    assert "1 word keeps a tag" in karat.score(gold, gold, map={"NOUN": "N"}, intervals=False).warnings[0]


@pytest.mark.parametrize(
    ("older", "today"),
    [
        ("qub", "part"),
        ("qub:nwok", "part"),
        ("subst:sg:nom:n", "subst:sg:nom:n:ncol"),
        ("subst:pl:nom:p1", "subst:pl:nom:m1:pt"),
        ("subst:pl:gen:n1", "subst:pl:gen:n:col"),
        ("num:pl:acc:m3:congr", "num:pl:acc:m3:congr:ncol"),
        ("num:pl:gen:m3:congr", "num:pl:gen:m3:congr"),
        ("adj:sg:loc:n2:pos", "adj:sg:loc:n:pos"),
        ("ppron3:sg:acc:n2:ter:akc:praep", "ppron3:sg:acc:n:ter:akc:praep"),
        ("praet:pl:p1:perf", "praet:pl:m1:perf"),
        ("subst:sg:nom:f", "subst:sg:nom:f"),
    ],
)
def test_older_tags_of_the_national_corpus_become_those_of_today(older: str, today: str) -> None:
    assert OLDER[older] == today


def test_every_tag_of_the_older_map_is_in_the_tagset() -> None:
    """With any value where a rule leaves it open: the tagset's sign for that is _."""
    made = [*OLDER.tags.values(), *(":".join(rule.becomes).replace("*", "_") for rule in OLDER.rules)]
    tags, errors = karat.read_tagset("nkjp").parsed(made)
    assert not errors
    assert None not in tags


def test_lfg_has_few_tags_left_that_pdb_does_not_have_and_pdb_does_not_change() -> None:
    pdb = {*karat.read(data_files("ud-2.18/UD_Polish-PDB/*.conllu"), trees=False).column("xpos").vocabulary}
    lfg = karat.read(data_files("ud-2.16/UD_Polish-LFG/*.conllu"), trees=False)
    assert all(OLDER[tag] == tag for tag in pdb)
    unknown = [
        sum(tag not in pdb for tag in one.column("xpos").strings()) for one in (lfg, OLDER.mapped(lfg, ["xpos"]))
    ]
    assert unknown == [3239, 23]
