"""Small corpora of our own for tests: CoNLL-U from short notation."""

from __future__ import annotations

from pathlib import Path

__all__ = ["EXAMPLES", "conllu", "sentence"]

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
