"""Lemmas as rules: what is cut from the end of a form and put there instead. Of rules there are few, of lemmas many."""

from __future__ import annotations

_LOWER = "↓"


def lemma_rule(form: str, lemma: str) -> str:
    """The rule that makes a lemma of a form: how many letters go, and what comes; with ↓ from the form in lower case.

    >>> lemma_rule("walked", "walk"), lemma_rule("Oaks", "oak"), lemma_rule("went", "go")
    ('2|', '↓1|', '4|go')
    """
    lower = form.lower()
    is_lower = lower != form and lemma == lemma.lower()
    base = lower if is_lower else form
    n_same = 0
    while n_same < min(len(base), len(lemma)) and base[n_same] == lemma[n_same]:
        n_same += 1
    return f"{_LOWER * is_lower}{len(base) - n_same}|{lemma[n_same:]}"


def lemma_from_rule(form: str, rule: str) -> str:
    """The lemma that a rule makes of a form; a form that is too short loses all it has.

    >>> lemma_from_rule("talked", "2|")
    'talk'
    """
    base = form.lower() if rule.startswith(_LOWER) else form
    n_cut, _, added = rule.removeprefix(_LOWER).partition("|")
    return base[: max(len(base) - int(n_cut), 0)] + added
