"""`karat.convert`: files of one format as files of another."""

from __future__ import annotations

import bz2
import json
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from karat.corpus import read, source_from_bytes
from karat.errors import DataError, UsageError
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

CONLLU = """# newdoc id = d1
# newpar id = p1
# sent_id = s1
# text = Idę do lasu.
# speaker = ona
1\tIdę\tiść\tVERB\tfin:sg:pri:imperf\tNumber=Sing\t0\troot\t_\t_
2\tdo\tdo\tADP\tprep:gen\t_\t3\tcase\t_\t_
3\tlasu\tlas\tNOUN\tsubst:sg:gen:m3\tNumber=Sing\t1\tobl\t_\tSpaceAfter=No|XPOSAlt=subst:sg:dat:m3
4\t.\t.\tPUNCT\tinterp\t_\t1\tpunct\t_\tGloss=kropka

# sent_id = s2
# text = Miałem.
1-2\tMiałem\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tMiał\tmieć\tVERB\tpraet:sg:m1:imperf\t_\t0\troot\t_\t_
2\tem\tbyć\tAUX\taglt:sg:pri:imperf:wok\t_\t1\taux\t_\t_
3\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return path


def test_conllu_to_conllu_is_byte_for_byte(gold: Path, tmp_path: Path) -> None:
    gold.write_bytes(b"\xef\xbb\xbf" + CONLLU.replace("\n", "\r\n").encode() + b"\n# odd\n")
    result = karat.convert(gold, tmp_path / "out.conllu", to="conllu")
    assert (tmp_path / "out.conllu").read_bytes() == gold.read_bytes()
    assert result.is_copy
    assert result.losses == ()
    karat.convert(gold, tmp_path / "out.bz2", to="conllu")
    assert bz2.decompress((tmp_path / "out.bz2").read_bytes()) == gold.read_bytes()


def test_a_copy_needs_neither_tags_nor_a_choice(gold: Path, tmp_path: Path) -> None:
    gold.write_text("1\ta\ta\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    assert karat.convert(gold, tmp_path / "out.conllu", to="conllu").n_words == 1
    graph = tmp_path / "a.dag"
    graph.write_text("0\t1\ta\ta\tconj\t\n", encoding="utf-8")
    karat.convert(graph, tmp_path / "b.dag", to="dag")
    assert (tmp_path / "b.dag").read_bytes() == graph.read_bytes()


def test_what_conllu_loses_is_counted(gold: Path, tmp_path: Path) -> None:
    result = karat.convert(gold, tmp_path / "out.xml", to="xces")
    assert dict(result.losses) == {
        "documents": 1,
        "comments other than sent_id, text and newpar": 1,
        "UPOS of words": 7,
        "FEATS of words": 2,
        "HEAD of words": 7,
        "DEPREL of words": 7,
        "MISC of words": 1,
        "multiword tokens (their words are kept)": 1,
        "lemmas of words without a tag": 1,
    }
    assert (result.n_sentences, result.n_words) == (2, 7)
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert '<chunk id="p1" type="p">' in text
    assert '<chunk id="s1" type="s">' in text
    lasu = "<orth>lasu</orth>\n    " + "\n    ".join(
        f'<lex disamb="1"><base>las</base><ctag>subst:sg:{case}:m3</ctag></lex>' for case in ("gen", "dat")
    )
    assert lasu in text
    assert text.count("<ns/>") == 2


def test_conllu_comes_back_with_all_that_was_not_announced(gold: Path, tmp_path: Path) -> None:
    karat.convert(gold, tmp_path / "out.xml", to="ccl")
    result = karat.convert(tmp_path / "out.xml", tmp_path / "back.conllu", to="conllu")
    assert result.losses == ()
    lines = (tmp_path / "back.conllu").read_text(encoding="utf-8").split("\n")
    assert lines[:6] == [
        "# newpar id = p1",
        "# sent_id = s1",
        "# text = Idę do lasu.",
        "1\tIdę\tiść\t_\tfin:sg:pri:imperf\t_\t_\t_\t_\t_",
        "2\tdo\tdo\t_\tprep:gen\t_\t_\t_\t_\t_",
        "3\tlasu\tlas\t_\tsubst:sg:gen:m3\t_\t_\t_\t_\tSpaceAfter=No|XPOSAlt=subst:sg:dat:m3",
    ]
    assert lines[-3] == "3\t.\t_\t_\t_\t_\t_\t_\t_\t_"
    assert read(tmp_path / "back.conllu").n_words == 7


def test_another_column_can_be_converted(gold: Path, tmp_path: Path) -> None:
    karat.convert(gold, tmp_path / "out.tsv", to="tsv", column="upos")
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").startswith("Idę\tVERB\ndo\tADP\n")
    karat.convert(tmp_path / "out.tsv", tmp_path / "out.conllu", to="conllu", column="upos")
    assert "1\tIdę\t_\tVERB\t_\t_\t" in (tmp_path / "out.conllu").read_text(encoding="utf-8")


def test_several_tags_with_probabilities_go_through_tsv_plain_and_dag(tmp_path: Path) -> None:
    first = tmp_path / "a.tsv"
    first.write_text("róża\tsubst:sg:nom:f:=0.75\tsubst:sg:voc:f:=0.25\nkwitnie\tfin:=1.0\n", encoding="utf-8")
    for to in ("plain", "dag"):
        assert karat.convert(first, tmp_path / f"a.{to}", to=to).losses == ()
        assert karat.convert(tmp_path / f"a.{to}", tmp_path / "back.tsv", to="tsv").losses == ()
        assert (tmp_path / "back.tsv").read_text(encoding="utf-8") == first.read_text(encoding="utf-8")


def test_concraft_s_choice_is_converted(tmp_path: Path) -> None:
    path = tmp_path / "a.dag"
    rows = [
        "0\t2\tczymś\tcoś\tsubst:sg:inst:n\tpospolita\t\t0.000\t\t",
        "0\t1\tczym\tco\tsubst:sg:inst:n\t\t\t1.000\t\t",
    ]
    path.write_text("\n".join([*rows, "1\t2\tś\tbyć\taglt:sg:sec:imperf:nwok\t\t\t1.000\t\t\n"]), encoding="utf-8")
    result = karat.convert(path, tmp_path / "a.krnnt", to="krnnt")
    expected = "czym\tco\t1\tsubst:sg:inst:n\t\t\nś\tbyć\t1\taglt:sg:sec:imperf:nwok\t\t\n\n"
    assert (tmp_path / "a.krnnt").read_text(encoding="utf-8") == expected
    assert dict(result.losses) == {"words outside the chosen segmentation": 1, "commonness of interpretations": 1}


def test_trees_become_words_without_traces_and_are_copied_as_trees(tmp_path: Path) -> None:
    path = tmp_path / "a.ptb"
    path.write_text("(S (NP (NN Rain))\n   (VP (VBD fell) (NP (-NONE- *))))\n", encoding="utf-8")
    result = karat.convert(path, tmp_path / "a.tsv", to="tsv")
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8") == "Rain\tNN\nfell\tVBD\n"
    assert dict(result.losses) == {"phrases": 4, "traces": 1}
    karat.convert(path, tmp_path / "b.ptb", to="brackets")
    assert (tmp_path / "b.ptb").read_bytes() == path.read_bytes()


def test_annotations_of_ccl_are_announced(tmp_path: Path) -> None:
    lex = '<lex disamb="1"><base>a</base><ctag>conj</ctag></lex>'
    token = f'<tok><orth>a</orth>{lex}<ann chan="x">1</ann><ann chan="y">0</ann></tok>'
    path = tmp_path / "a.xml"
    path.write_text(f"<chunkList><chunk><sentence>{token}</sentence></chunk></chunkList>", encoding="utf-8")
    assert dict(karat.convert(path, tmp_path / "b.xml", to="xces").losses) == {"elements <ann>": 2}


def test_what_cannot_be_converted_is_refused(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for path, to, column, what in (
        (out, "brackets", "xpos", "words have no phrases"),
        (out, "pdf", "xpos", "unknown format 'pdf'"),
        (out, "tsv", "misc", "no column 'misc' of tags"),
        (gold, "conllu", "xpos", "will not be overwritten"),
        ("-", "tsv", "xpos", "is written to a file"),
        (tmp_path / "no" / "x", "tsv", "xpos", "cannot be written"),
    ):
        with pytest.raises(UsageError, match=what):
            karat.convert(gold, path, to=to, column=column)
    gold.write_text("1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has anything in XPOS"):
        karat.convert(gold, out, to="tsv")
    (tmp_path / "a.key").write_text("d000.s000.t000 bank%1:14:00::\n", encoding="utf-8")
    with pytest.raises(DataError, match="sense keys where words or trees were expected"):
        karat.convert(tmp_path / "a.key", out, to="tsv")
    assert not out.exists()


def test_an_input_is_not_overwritten_by_another_name(gold: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(gold)
    with pytest.raises(UsageError, match="will not be overwritten"):
        karat.convert(gold, tmp_path / "link", to="tsv")
    assert gold.read_text(encoding="utf-8") == CONLLU


def test_the_result_is_data_and_records(gold: Path, tmp_path: Path) -> None:
    result = karat.convert(gold, tmp_path / "out.krnnt", to="krnnt")
    data = result.to_dict()
    assert data["from"] == "conllu"
    assert data["lost"] == [{"what": what, "number": n} for what, n in result.records().rows]
    assert "further tags of words" in dict(result.losses)
    assert source_from_bytes(gold.read_bytes()).sha256()[:16] in result.signature


def test_the_result_is_what_the_command_line_prints_and_its_html_is_safe(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = karat.convert(gold, tmp_path / "out.tsv", to="tsv")
    run = Run(capsys, "convert", str(gold), "-o", str(tmp_path / "out.tsv"), "--to", "tsv", "--json")
    assert_is_printed(result, json.loads(run.out))
    odd = tmp_path / f"{SCRIPT}.conllu"
    odd.write_text(CONLLU, encoding="utf-8")
    assert_is_safe(karat.convert(odd, tmp_path / "out.tsv", to="tsv"))
