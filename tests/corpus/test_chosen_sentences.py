"""Some sentences of a corpus are as if nothing else had been in the file."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from examples import EXAMPLES
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.corpus.chosen_sentences import chosen_sentences

TEXT = (EXAMPLES / "gold.conllu").read_text(encoding="utf-8")
BLOCKS = TEXT.strip("\n").split("\n\n")
WHOLE = conllu_from_source(source_from_bytes(TEXT.encode()))


def rows(corpus: Corpus) -> list[list[str]]:
    return [corpus.column(name).strings() for name in ("form", "lemma", "upos", "feats", "deprel", "head")]


@settings(max_examples=60)
@given(st.lists(st.integers(0, len(BLOCKS) - 1), min_size=1, unique=True))
def test_chosen_sentences_are_those_of_a_file_with_their_blocks(numbers: list[int]) -> None:
    found = chosen_sentences(WHOLE, np.array(numbers))
    wanted = conllu_from_source(source_from_bytes("\n\n".join(BLOCKS[one] for one in numbers).encode() + b"\n\n"))
    assert rows(found) == rows(wanted)
    assert found.heads is not None
    assert wanted.heads is not None
    assert found.heads.tolist() == wanted.heads.tolist()
    assert found.sentence_offsets.tolist() == wanted.sentence_offsets.tolist()
    assert [found.sent_id(one) for one in range(len(numbers))] == [WHOLE.sent_id(one) for one in numbers]
    for name in ("start", "stop", "rows"):
        assert getattr(found.multiword, name).tolist() == getattr(wanted.multiword, name).tolist()
    for name in ("sentence", "major", "minor", "rows"):
        assert getattr(found.empty_nodes, name).tolist() == getattr(wanted.empty_nodes, name).tolist()
    assert [found.sentence_text(one) for one in range(len(numbers))] == [WHOLE.sentence_text(one) for one in numbers]
    documents = [WHOLE.document_names[one] for one in WHOLE.sentence_document[numbers].tolist()]
    assert [found.document_names[one] for one in found.sentence_document.tolist()] == documents
