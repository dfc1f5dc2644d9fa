"""Rules used in parses with NLTK's feature grammars: by hand, beside NLTK's own trees, with names of many kinds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Run
from karat.errors import DataError, UsageError
from karat.tagsets import read_tagset
from karat.weights.nltk_grammar import GrammarNames, grammar_from_text, grammar_names, read_grammar
from karat.weights.nltk_rules import GrammarUses, Sentence, UnparsedSentence, read_sentences, rule_uses_from_grammar
from karat.weights.rule_uses import rule_uses_lines
from karat.weights.rules import parse_weights, rule_counts

nltk: Any = pytest.importorskip("nltk")
HERE = Path(__file__).parent
NKJP = read_tagset("nkjp")


@pytest.fixture(scope="module")
def polish() -> Any:
    return read_grammar(HERE / "polish.fcfg")


@pytest.fixture(scope="module")
def names() -> GrammarNames:
    return grammar_names(NKJP, features={"Acm": "accommodability", "FORM": ()})


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(f"s{number}", tuple(text.split())) for number, text in enumerate(texts, start=1)]


def parsed(grammar: str, *texts: str, names: GrammarNames | None = None, **options: Any) -> GrammarUses:
    return rule_uses_from_grammar(grammar_from_text(grammar), sentences(*texts), names=names, **options)


def tagged(name: str, text: str) -> Sentence:
    """A sentence from `word/tag word/tag`."""
    pairs = [piece.rsplit("/", 1) for piece in text.split()]
    return Sentence(name, tuple(word for word, _ in pairs), tuple(tag for _, tag in pairs))


def test_three_sentences_counted_by_hand(polish: Any, names: GrammarNames) -> None:
    given = sentences("chłopiec śpi .", "co noc siostra pływa .", "siostra widzi dwie łódki .")
    found = rule_uses_from_grammar(polish, given, names=names)
    assert found.left_out == ()
    assert found.n_parses == {"s1": 1, "s2": 1, "s3": 1}
    counts = rule_counts(found.uses)
    # Rules with words, and what they refer to:
    # s1: S -> ZD interp                         interp: pos
    #     N -> subst[CASE NUM GEND]              subst: pos case number gender
    #     V -> fin[NUM PERS VAL]                 fin: pos number person
    # s2: S, N and V as in s1, and
    #     PP -> 'co' [CASE NUM]                  subst (noc): case number, but not pos
    # s3: S, N and V as in s1, and
    #     NP -> num[CASE GEND ACM] subst[CASE NUM GEND]
    #                                            num: pos case gender accommodability; subst: pos case number gender
    assert counts.counts == {
        "pos": 3 + 3 + 5,
        "case": 1 + 2 + 3,
        "number": 2 + 3 + 3,
        "gender": 1 + 1 + 3,
        "person": 1 + 1 + 1,
        "accommodability": 1,
    }
    assert counts.conditional == {
        "fin": {"pos": 3, "number": 3, "person": 3},
        "interp": {"pos": 3},
        "num": {"pos": 1, "case": 1, "gender": 1, "accommodability": 1},
        "subst": {"pos": 4, "case": 5, "number": 5, "gender": 4},
    }
    assert found.unmapped == {"VAL": 3}


def test_all_own_sentences_but_one_have_parses(polish: Any, names: GrammarNames) -> None:
    given = read_sentences(HERE / "sentences.txt")
    assert len(given) >= 30
    assert sum(not isinstance(each.rhs()[0], str) or len(each.rhs()) > 1 for each in polish.productions()) >= 40
    found = rule_uses_from_grammar(polish, given, names=names)
    (left_out,) = found.left_out
    assert left_out == UnparsedSentence("29", "no parse")  # what is painted is missing
    assert len(found.n_parses) == len(given) - 1
    assert {name for name, n_parses in found.n_parses.items() if n_parses > 1} == {"18", "25", "35", "37"}
    used = {rule for rule in found.uses.rules if "'" not in rule.partition("->")[2] or "[" in rule.partition("->")[2]}
    assert len(used) >= 40


def test_parses_are_those_of_nltk_in_its_order(polish: Any, names: GrammarNames) -> None:
    given = [sentence for sentence in read_sentences(HERE / "sentences.txt") if "co" not in sentence.words]
    uses = rule_uses_from_grammar(polish, given, names=names).uses
    ours: dict[str, dict[int, list[str]]] = {}
    for parse, rule in zip(uses.parse.tolist(), uses.rule.tolist(), strict=True):
        of_sentence = ours.setdefault(uses.sentences[uses.parse_sentence[parse]], {})
        of_sentence.setdefault(parse, []).append(uses.rules[rule].partition("[")[0])
    parser = nltk.parse.FeatureChartParser(polish)
    symbol = nltk.featstruct.TYPE
    for sentence in given:
        trees = [[str(tree.label()[symbol]) for tree in one.subtrees()] for one in parser.parse(sentence.words)]
        assert list(ours[sentence.id].values()) == trees


AMBIGUOUS = """
NP[CASE=?c] -> adj[CASE=?c] subst[CASE=?c, NUM=?n]
NP -> subst subst[CASE=gen]
adj[CASE=nom] -> 'młody'
subst[CASE=nom, NUM=sg] -> 'młody' | 'dom'
subst[CASE=gen, NUM=sg] -> 'pana' | 'dom'
"""


def test_best_all_and_em_of_an_ambiguous_sentence_by_hand() -> None:
    found = parsed(AMBIGUOUS, "młody dom", "dom pana", names=grammar_names(NKJP))
    assert found.n_parses == {"s1": 2, "s2": 2}  # dom pana: dom is nominative or genitive, and no rule cares
    # adj + subst: pos 2, case 2, number 1; subst + subst: pos 2, case 1
    every = rule_counts(found.uses, parses="all").counts
    assert every == {"pos": 4, "case": 0.5 * 2 + 0.5 * 1 + 1, "number": 0.5}
    # EM counts lexical productions too. At first every parse weighs 1/2, so the first step has
    #   NP: adj + subst 1/2, subst + subst 1/2 + 1, hence 1/4 and 3/4; adj: młody 1/2, hence 1
    #   subst: młody 1/2, nominative dom 1/2 + 1/2, genitive dom 1/2 + 1/2, pana 1, hence 1/7, 2/7, 2/7, 2/7
    # s1 is adj + subst with 1/4 · 1 · 2/7 = 7/98, subst + subst with 3/4 · 1/7 · 2/7 = 3/98: 0.7 and 0.3.
    step = parse_weights(found.uses, parses="em", max_steps=1).weights[:2]
    assert sorted(step) == pytest.approx([0.3, 0.7])
    # This goes on: the more adj + subst, the fewer nouns młody. At last s1 is adj + subst.
    end = rule_counts(found.uses, parses="em")
    assert end.em_converged
    assert end.counts == pytest.approx({"pos": 4, "case": 3, "number": 1}, abs=1e-6)
    assert rule_counts(found.uses, parses="em-best").counts == {"pos": 4, "case": 3, "number": 1}
    # Without probabilities the best is the one that NLTK has first.
    tree = next(nltk.parse.FeatureChartParser(grammar_from_text(AMBIGUOUS)).parse(["młody", "dom"]))
    by_hand = {"adj": {"pos": 4, "case": 3, "number": 1}, "subst": {"pos": 4, "case": 2}}
    assert rule_counts(found.uses).counts == by_hand[str(tree[0].label()[nltk.featstruct.TYPE])]


def test_the_production_used_is_the_one_counted_where_two_make_the_same_tree() -> None:
    grammar = "NP -> subst[CASE=?c]\nNP -> subst\nNP -> subst[CASE=nom, NUM=sg]\nsubst[CASE=nom, NUM=sg] -> 'dom'"
    found = parsed(grammar, "dom")
    assert found.n_parses == {"s1": 3}
    assert rule_counts(found.uses, parses="all").counts == pytest.approx({"pos": 1, "case": 2 / 3, "number": 1 / 3})


@pytest.mark.parametrize(
    ("rule", "categories"),
    [
        ("PP -> prep[Case=?c] subst[cAsE=?c]", {"prep": "pos case", "subst": "pos case"}),
        ("PP -> prep subst", {"prep": "pos", "subst": "pos"}),
        ("PP -> [CASE=?c] [CASE=?c]", {"prep": "case", "subst": "case"}),
        ("PP -> prep [-HUMAN, GND=f]", {"prep": "pos", "subst": "gender"}),
        ("PP -> 'do' subst[AGR=[NUM=sg]]", {"subst": "pos number"}),
        ("PP -> prep subst[AGR=?a]", {"prep": "pos", "subst": "pos number person"}),
        ("PP -> X X\nX -> prep | subst[AGR=[PERS=?p]]", {"prep": "pos", "subst": "pos person"}),
    ],
)
def test_what_a_rule_refers_to_in_its_words(rule: str, categories: dict[str, str]) -> None:
    words = "\nprep[CASE=gen] -> 'do'\nsubst[CASE=gen, GND=f, AGR=[NUM=sg, PERS=3], -HUMAN] -> 'rzeki'"
    words = words.replace("CASE", "Case" if "Case" in rule else "CASE", 1)
    words = words.replace("subst[CASE", "subst[cAsE" if "cAsE" in rule else "subst[CASE")
    found = rule_counts(parsed(rule + words, "do rzeki", names=grammar_names(NKJP)).uses).conditional
    assert {pos: " ".join(of_pos) for pos, of_pos in found.items()} == {
        pos: " ".join(sorted(several.split(), key=lambda name: (name != "pos", name)))
        for pos, several in categories.items()
    }
    assert all(count == 1 for of_pos in found.values() for count in of_pos.values())


def test_a_word_symbol_says_nothing_of_the_part_of_speech() -> None:
    grammar = "PP -> W[POS=prep, CASE=?c] W[CASE=?c]\nW[POS=prep, CASE=gen] -> 'do'\nW[POS=subst, CASE=gen] -> 'rzeki'"
    with_it = rule_counts(parsed(grammar, "do rzeki", names=grammar_names(NKJP, word_symbols={"W"})).uses)
    assert with_it.conditional == {"prep": {"pos": 1, "case": 1}, "subst": {"case": 1}}
    without = rule_counts(parsed(grammar, "do rzeki", names=grammar_names(NKJP)).uses)
    assert without.counts == {"pos": 2, "case": 2}


def test_symbols_and_features_may_be_mapped() -> None:
    grammar = "S -> N[AGR=?x, SEM=?s] V[AGR=?x]\nN[AGR=a] -> 'kot'\nV[AGR=a] -> 'śpi'"
    names = grammar_names(NKJP, features={"agr": ("number", "person"), "sem": ""}, parts_of_speech={"N": "subst"})
    found = parsed(grammar, "kot śpi", names=names)
    assert found.unmapped == {}
    assert rule_counts(found.uses).conditional == {
        "V": {"pos": 1, "number": 1, "person": 1},
        "subst": {"pos": 1, "number": 1, "person": 1},
    }
    assert parsed(grammar, "kot śpi").unmapped == {"AGR": 2, "SEM": 1}


def test_mappings_to_what_the_tagset_does_not_have_are_refused() -> None:
    with pytest.raises(UsageError, match="feature F is mapped to 'colour'"):
        grammar_names(NKJP, features={"F": "colour"})
    with pytest.raises(UsageError, match="symbol N is mapped to 'noun'"):
        grammar_names(NKJP, parts_of_speech={"N": ["subst", "noun"]})


# ---- tagged sentences

TAGGED = (
    "młoda/adj:sg:nom:f:pos kotka/subst:sg:nom:f śpi/fin:sg:ter:imperf ./interp",
    "stary/adj:sg:nom:m3:pos zegar/subst:sg:nom.acc:m3 śpi/fin:sg:ter:imperf ./interp",
    "co/qub noc/subst:sg:acc:f kotka/subst:sg:nom:f śpi/fin:sg:ter:imperf",
)


def test_tagged_words_need_no_lexicon(polish: Any, names: GrammarNames) -> None:
    given = [tagged(f"s{number}", text) for number, text in enumerate(TAGGED)]
    found = rule_uses_from_grammar(polish, given, names=names)
    assert found.left_out == ()
    assert found.n_parses == {"s0": 1, "s1": 1, "s2": 1}
    assert rule_counts(found.uses).conditional == {
        "adj": {"pos": 2, "case": 2, "gender": 2, "number": 2},
        "fin": {"pos": 3, "number": 3, "person": 3},
        "interp": {"pos": 2},
        "subst": {"pos": 3, "case": 4, "gender": 3, "number": 4},
    }
    lexical = "subst[ACM='-', ASP='-', CASE='nom', DEG='-', GEND='f', NEG='-', NUM='sg', PERS='-'] -> 'kotka'"
    assert lexical in found.uses.rules


def test_a_word_without_case_is_no_word_with_any_case(polish: Any, names: GrammarNames) -> None:
    wrong = TAGGED[2].replace("noc/subst:sg:acc:f", "noc/adv:pos")
    found = rule_uses_from_grammar(polish, [tagged("s1", wrong)], names=names)
    assert found.left_out == (UnparsedSentence("s1", "no parse"),)


def test_a_form_with_two_tags_in_a_sentence_is_two_words() -> None:
    grammar = grammar_from_text("S -> subst[CASE=nom] fin subst[CASE=acc]")
    given = tagged("s1", "list/subst:sg:nom:m3 list/fin:sg:ter:imperf list/subst:sg:acc:m3")
    found = rule_uses_from_grammar(grammar, [given], names=grammar_names(NKJP))
    assert found.n_parses == {"s1": 1}
    assert rule_counts(found.uses).counts == {"pos": 3, "case": 2}


def test_one_symbol_may_be_several_parts_of_speech_and_features_may_lie_deep() -> None:
    grammar = grammar_from_text("S -> N[AGR=[CASE=nom, NUM=?n]] V[AGR=[NUM=?n, PERS=ter]]")
    names = grammar_names(NKJP, parts_of_speech={"N": ["subst", "ger"], "V": "fin"})
    given = [
        tagged("s1", "pływanie/ger:sg:nom:n:imperf:aff męczy/fin:sg:ter:imperf"),
        tagged("s2", "pływania/ger:pl:nom:n:imperf:aff męczy/fin:sg:ter:imperf"),
    ]
    found = rule_uses_from_grammar(grammar, given, names=names)
    assert found.left_out == (UnparsedSentence("s2", "no parse"),)
    assert list(rule_counts(found.uses).conditional) == ["fin", "ger"]


def test_tags_that_cannot_be_used_leave_the_sentence_out(polish: Any, names: GrammarNames) -> None:
    given = [tagged("s1", "kot/noun śpi/fin:sg:ter:imperf"), tagged("s2", "oj/interj śpi/fin:sg:ter:imperf")]
    plain = grammar_from_text("S -> subst fin")
    found = rule_uses_from_grammar(plain, given, names=names)
    assert [one.sentence for one in found.left_out] == ["s1", "s2"]
    assert "no part of speech 'noun'" in found.left_out[0].reason
    assert found.left_out[1].reason == "not in the grammar: oj"
    assert rule_counts(found.uses).counts == {}
    with pytest.raises(UsageError, match="need a tagset"):
        rule_uses_from_grammar(plain, given)
    with pytest.raises(UsageError, match="2 words, 1 tags"):
        rule_uses_from_grammar(plain, [Sentence("s1", ("a", "b"), ("interp",))], names=names)


# ---- limits and errors


@pytest.mark.parametrize("n_words", [1, 2, 5, 14])
def test_parses_are_counted_but_not_all_made(n_words: int) -> None:
    found = parsed("S -> S S\nS -> subst\nsubst -> 'a'", "a " * n_words, max_parses=7)
    catalan = comb(2 * n_words - 2, n_words - 1) // n_words  # 742,900 for 14 words
    assert found.n_parses == {"s1": catalan}
    assert len(found.uses.parse_name) == min(catalan, 7)
    assert found.cut == (("s1",) if catalan > 7 else ())
    assert rule_counts(found.uses, parses="all").counts == pytest.approx({"pos": n_words})


def test_first_parses_stay_the_same_when_more_are_taken(polish: Any) -> None:
    few, many = (
        list(rule_uses_lines(parsed("S -> S S\nS -> subst\nsubst -> 'a'", "a a a a a", max_parses=n).uses))
        for n in (4, 14)
    )
    assert many[: len(few)] == few


def test_a_grammar_with_a_cycle_comes_to_an_end() -> None:
    found = parsed("S -> A\nA -> S\nA -> subst\nsubst -> 'a'", "a")
    assert found.left_out == ()
    assert rule_counts(found.uses, parses="all").counts == pytest.approx({"pos": 1})


def test_open_features_do_not_double_a_parse() -> None:
    grammar = "S -> NP[CASE=?c] VP[CASE=?d]\nNP[CASE=?c] -> subst[CASE=?c]\nVP[CASE=?c] -> fin subst[CASE=?c]\n"
    found = parsed(grammar + "subst[CASE=?c] -> 'a'\nfin -> 'b'", "a b a")
    assert found.n_parses == {"s1": 1}


def test_sentences_that_take_too_long_are_left_out() -> None:
    found = parsed("S -> S S\nS -> 'a'", "a " * 30, "a", seconds=1e-3)
    assert found.left_out[0] == UnparsedSentence("s1", "took longer than 0.001 s")


def test_the_command_line_says_how_long_a_sentence_may_take(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "g.fcfg").write_text("S -> S S\nS -> subst\nsubst -> 'a'\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("a " * 30 + "\na\n", encoding="utf-8")
    call = ["weights", "rules", "--grammar", str(tmp_path / "g.fcfg"), "--sentences", str(tmp_path / "s.txt")]
    run = Run(capsys, *call, "--seconds", "0.001")
    assert "took longer than 0.001 s" in run.out + run.err
    assert Run(capsys, *call, "--seconds", "nan").code == 2


def test_words_that_the_grammar_does_not_have_are_named(polish: Any) -> None:
    found = rule_uses_from_grammar(polish, [*sentences("kot śpi na kocie"), Sentence("s2", ())])
    assert found.left_out == (
        UnparsedSentence("s1", "not in the grammar: kot, kocie"),
        UnparsedSentence("s2", "it has no words"),
    )


def test_sentences_of_the_same_name_and_senseless_limits_are_refused(polish: Any) -> None:
    twice: Sequence[Sentence] = sentences("chłopiec śpi") * 2
    with pytest.raises(UsageError, match="two sentences"):
        rule_uses_from_grammar(polish, twice)
    for options in ({"max_parses": 0}, {"seconds": 0}):
        with pytest.raises(UsageError, match="max_parses must be at least 1"):
            rule_uses_from_grammar(polish, [], **options)  # type: ignore[arg-type]


def test_a_rule_whose_left_side_has_no_name_is_refused() -> None:
    with pytest.raises(DataError, match=r"a rule whose left side has no name: \[CASE=\?c\] -> n\[CASE=\?c\]") as error:
        grammar_from_text("S -> NP\n[CASE=?c] -> n[CASE=?c]", "g.fcfg")
    assert (error.value.code, error.value.path) == ("K823", "g.fcfg")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("S -> NP\nNP -> [CASE", 2, 12, "Expected comma"),
        ("S => NP", 1, 1, "Expected an arrow"),
        ("# nothing", 1, 1, "No productions"),
    ],
)
def test_a_grammar_that_cannot_be_read_says_where(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(DataError, match="not a feature grammar") as error:
        grammar_from_text(text, "g.fcfg")
    assert (error.value.code, error.value.path) == ("K823", "g.fcfg")
    assert (error.value.line, error.value.column) == (line, column)
    assert message in error.value.message


def test_without_nltk_the_user_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.grammar", None)
    with pytest.raises(UsageError, match=r"pip install karat\[rules\]"):
        grammar_from_text("S -> 'a'")


def test_importing_the_module_does_not_load_nltk() -> None:
    code = "import sys, karat.weights.nltk_rules; sys.exit('nltk' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
