"""Small corpora of our own for tests: CoNLL-U from short notation."""

from __future__ import annotations

from pathlib import Path
from random import Random

__all__ = ["EXAMPLES", "conllu", "random_tree", "sentence", "sentence_of_tokens"]

EXAMPLES = Path(__file__).resolve().parent.parent / "src" / "karat" / "examples"


def sentence(*words: str, sent_id: str | None = None, newdoc: str | None = None) -> str:
    """A sentence from words written as `form/UPOS/head/deprel`; what is left out is `_`, X, the first word's or dep.

    >>> sentence("Birds/NOUN/2/nsubj", "sing/VERB/0/root").split(chr(10))[0].split(chr(9))
    ['1', 'Birds', 'birds', 'NOUN', '_', '_', '2', 'nsubj', '2:nsubj', '_']
    """
    lines = []
    if newdoc:
        lines.append(f"# newdoc id = {newdoc}")
    if sent_id:
        lines.append(f"# sent_id = {sent_id}")
    for number, word in enumerate(words, start=1):
        form, upos, head, deprel = (word.split("/") + [""] * 4)[:4]
        head = head or ("0" if number == 1 else "1")
        deprel = deprel or ("root" if head == "0" else "dep")
        columns = [str(number), form, form.lower(), upos or "X", "_", "_", head, deprel, f"{head}:{deprel}", "_"]
        lines.append("\t".join(columns))
    return "\n".join(lines) + "\n\n"


def conllu(path: Path, *sentences: str) -> str:
    """Write a file of sentences and return its path as a string."""
    path.write_text("".join(sentences), encoding="utf-8")
    return str(path)


def sentence_of_tokens(*tokens: str) -> str:
    """A sentence whose words all hang from the first: "ab" is a word, "ab=a+b" a multiword token of two.

    `~` stands for a space in a form; a `!` in front makes a word a second root.
    """
    lines: list[str] = []
    n = 0
    for token in tokens:
        surface, _, inner = token.partition("=")
        words = inner.split("+") if inner else [surface]
        if inner:
            lines.append(f"{n + 1}-{n + len(words)}\t{surface}" + "\t_" * 8)
        for word in words:
            n += 1
            head, relation = (0, "root") if n == 1 or word.startswith("!") else (1, "dep")
            lines.append(f"{n}\t{word.lstrip('!')}\t_\tX\t_\t_\t{head}\t{relation}\t{head}:{relation}\t_")
    return "\n".join([*lines, "", ""]).replace("~", " ")


def random_tree(random: Random, n: int) -> list[int]:
    """Heads, from 1, of a tree of n words: each word hangs from one that was placed before it."""
    order = list(range(1, n + 1))
    random.shuffle(order)
    heads = [0] * n
    for place in range(1, n):
        heads[order[place] - 1] = order[random.randrange(place)]
    return heads
