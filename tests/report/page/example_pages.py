"""Pages to test: corpora of our own whose systems err in many ways, and the pages of what karat says of them."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from karat.cli import main

__all__ = ["Words", "corpus_text", "karat", "karat_json", "page_of", "write_corpora"]

TAGS = [f"T{number:02}" for number in range(24)]
RELATIONS = [f"rel{number:02}" for number in range(30)]
Words = list[list[str]]  # the columns of a sentence's words


def corpus_text(
    seed: int = 0,
    *,
    n_sentences: int = 120,
    n_documents: int = 12,
    lengths: Sequence[int] = (1, 50),
    changed: Callable[[Random, list[str], int], None] = lambda *_: None,
) -> str:
    """CoNLL-U at random, the same for a seed; `changed` may change the columns of a word as a system would.

    Sentences are in documents in turn as far as they go; with none, no document is marked.
    """
    random, errors = Random(seed), Random(seed + 1)
    lines = []
    for number in range(n_sentences):
        every = max(n_sentences // n_documents, 1) if n_documents else 0
        if every and number % every == 0 and number // every < n_documents:
            lines.append(f"# newdoc id = doc-{number // every}")
        lines.append(f"# sent_id = s-{number}")
        n = random.randint(*lengths)
        for at in range(1, n + 1):
            tag = min(int(random.expovariate(0.25)), len(TAGS) - 1)
            relation = RELATIONS[min(int(random.expovariate(0.2)), len(RELATIONS) - 1)]
            head = 0 if at == 1 else random.randint(1, at - 1)
            form = f"w{random.randint(0, 300)}"
            columns = [
                str(at),
                form,
                form,
                TAGS[tag],
                TAGS[tag].lower(),
                "_",
                str(head),
                relation if head else "root",
                "_",
                "_",
            ]
            changed(errors, columns, at)
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join(lines) + "\n"


def errors(tags: float, heads: float) -> Callable[[Random, list[str], int], None]:
    """A system that has so many tags wrong, and so many heads and relations."""

    def changed(random: Random, columns: list[str], at: int) -> None:
        if random.random() < tags:
            columns[3] = random.choice(TAGS)
        if random.random() < heads and at > 1:
            columns[6], columns[7] = str(random.randint(1, at - 1)), random.choice(RELATIONS)

    return changed


def write_corpora(folder: Path, seed: int = 0, **how: Any) -> None:
    """A gold and two systems: gold.conllu, ada.conllu and bix.conllu."""
    for name, wrong in (("gold", errors(0, 0)), ("ada", errors(0.1, 0.2)), ("bix", errors(0.2, 0.1))):
        (folder / f"{name}.conllu").write_text(corpus_text(seed, changed=wrong, **how), encoding="utf-8")


def karat(*arguments: str | Path, code: int = 0) -> str:
    """What a call prints, in a folder that the test has gone to."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        found = main([str(one) for one in arguments])
    assert found == code, err.getvalue()
    return out.getvalue() if code in (0, 1) else err.getvalue()


def karat_json(*arguments: str | Path) -> Any:
    return json.loads(karat(*arguments, "--json"))


def page_of(path: Path, *arguments: str | Path) -> Path:
    """The page that a call with --report writes."""
    karat(*arguments, "--report", path)
    return path
