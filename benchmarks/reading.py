"""Reading a treebank: karat beside the readers of CoNLL-U."""

from __future__ import annotations

from pathlib import Path

from _measuring import EWT, comparison_table, measured, warm

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


def karat_read(gold: str) -> object:
    import karat

    return karat.read_conllu(gold)


def karat_read_all_columns(gold: str) -> object:
    import karat

    corpus = karat.read_conllu(gold)
    return [corpus.column(name) for name in COLUMNS]


def udtools_read(gold: str) -> object:
    from udtools.udeval import load_conllu_file

    return load_conllu_file(gold, {})


def udapi_read(gold: str) -> object:
    from udapi.core.document import Document

    return Document(gold)


def conllu_read(gold: str) -> object:
    import conllu

    return conllu.parse(Path(gold).read_text(encoding="utf-8"))


def pyconll_read(gold: str) -> object:
    from pyconll.load import load_from_file

    return load_from_file(gold)


TASKS = (karat_read, karat_read_all_columns, udtools_read, udapi_read, conllu_read, pyconll_read)


def tables(_folder: Path) -> list[str]:
    train = EWT / "en_ewt-ud-train.conllu"
    tasks = [
        warm("karat", karat_read, 10, train),
        warm("udtools", udtools_read, 1, train, goal=50),
        warm("karat, all columns encoded", karat_read_all_columns, 10, train),
        warm("udapi", udapi_read, 2, train),
        warm("conllu", conllu_read, 1, train),
        warm("pyconll", pyconll_read, 1, train),
    ]
    return comparison_table("Read EWT train (13.3 MB), warm", measured(tasks, 4))
