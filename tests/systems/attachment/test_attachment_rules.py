"""Handwritten rules accept the pairs that they describe, and say what is wrong in their file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from karat.errors import DataError, UsageError
from karat.systems.attachment.decision_rules import decision_rules_from_text, read_decision_rules
from karat.systems.groups.cascade import cascade_for, groups_of
from karat.systems.groups.syntactic_objects import SyntacticObjects
from karat.systems.groups.tagged_words import tagged_words


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> SyntacticObjects:
    """Three objects: a dog (nominative), barks, and a prepositional group, in the garden."""
    path = tmp_path_factory.mktemp("text") / "text.tsv"
    path.write_text("Pies\tsubst:sg:nom:m2\nszczeka\tfin:sg:ter:imperf\nw\tprep:loc:nwok\nogrodzie\tsubst:sg:loc:m3\n")
    words = tagged_words(karat.read(path, tag="xpos"))
    found = groups_of(words, cascade_for(words))
    assert len(found) == 3
    return found


def accepted(objects: SyntacticObjects, rules: str) -> set[tuple[int, int]]:
    parents, children = (one.reshape(-1) for one in np.meshgrid(np.arange(3), np.arange(3), indexing="ij"))
    flags = decision_rules_from_text(rules, "rules.toml", "rules").accepted(objects, parents, children).any(axis=0)
    return {(int(a), int(b)) for a, b, flag in zip(parents, children, np.asarray(flags).tolist(), strict=True) if flag}


def rule(parent: str, child: str, more: str = "") -> str:
    return (
        'tagset = "nkjp"\n'
        f'[classes]\nnoun = ["subst", "depr"]\n[[rule]]\nname = "one"\nparent = "{parent}"\nchild = "{child}"\n{more}'
    )


def test_conditions_are_on_the_parents_semantic_and_the_childs_syntactic_head(objects: SyntacticObjects) -> None:
    assert accepted(objects, rule("fin", "noun case=nom")) == {(1, 0)}
    assert accepted(objects, rule("fin", "prep")) == {(1, 2)}
    assert accepted(objects, rule("fin", "noun")) == {(1, 0)}
    assert accepted(objects, rule("fin", "noun", 'child-head = "semantic"')) == {(1, 0), (1, 2)}
    assert accepted(objects, rule("noun case=loc", "fin")) == {(2, 1)}
    assert accepted(objects, rule("noun", "fin|prep case=loc")) == {(0, 2), (2, 2)}


def test_agreement_needs_the_same_value_on_both_sides(objects: SyntacticObjects) -> None:
    assert accepted(objects, rule("fin", "noun", 'agree = ["number"]')) == {(1, 0)}
    assert accepted(objects, rule("fin", "noun", 'agree = ["gender"]')) == set()  # a present verb has no gender


def test_there_are_fourteen_rules_of_polish() -> None:
    rules = read_decision_rules("nkjp")
    assert len(rules.rules) == 14
    assert len({one.name for one in rules.rules}) == 14
    assert len(read_decision_rules("ud").rules) == 11


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = [", "no TOML"),
        ("", "tagset is missing"),
        ('tagset = "nkjp"', "there is no"),
        (rule("fin", "nuon"), "neither in .classes. nor a part of speech of nkjp"),
        (rule("fin", "noun case=genn"), "case has no value 'genn' in nkjp .did you mean 'gen'"),
        (rule("fin|", "noun"), "'' is neither"),
        (rule("fin", "noun case="), "case has no value ''"),
        (rule("fin", "noun").replace("[classes]", "[classs]"), "unknown key 'classs'"),
        (
            'tagset = "nkjp"\n[classes]\nnoun = 3\n' + rule("fin", "noun").split("\n", 3)[3],
            "lists of parts of speech",
        ),
        (rule("fin", "noun", "size = 3"), "no rule has 'size'"),
        (rule("fin", "noun", "agree = 3"), "agree is of another kind"),
        (rule("fin", "noun", 'agree = ["colour"]'), "agree can have case, number, gender"),
        (rule("fin", "noun tense=past"), "is no condition such as"),
        (rule("fin", "noun", 'child-head = "left"'), "a head is syntactic or semantic"),
        ('tagset = "nkjp"\n[[rule]]\nname = "one"\nparent = "fin"\n', "one: child missing"),
    ],
)
def test_what_is_no_rule_is_refused_with_the_reason(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as error:
        read_decision_rules(path)
    assert error.value.problems[0].code == "K891"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown set of rules 'klingon'; choose from nkjp, ud"):
        read_decision_rules("klingon")
