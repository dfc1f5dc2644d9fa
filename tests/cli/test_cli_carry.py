"""Verdicts survive an edit of the corpus: `--carry` of every verb that writes a worklist, on real text."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from karat.agreement.adjudication_worklist import adjudication_verdicts
from karat.corpus.worklist import WorklistRow, read_worklist, write_worklist
from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS
from karat.measures.brackets.human_check import VERDICTS
from karat.noise.token_worklist import TOKEN_VERDICTS
from realdata import data

KINDS = {**REPEAT_VERDICTS, **TOKEN_VERDICTS, **VERDICTS, **adjudication_verdicts(["ada", "bix"])}
N_JUDGED, N_EDITED = 50, 5


def judged(path: Path, verdicts: Sequence[str], *, among: Sequence[str] | None = None) -> list[WorklistRow]:
    """Judge 50 rows of a list by chance, those in some sentences if they are given; the rows that were judged."""
    worklist, rng = read_worklist(path, kinds=KINDS), random.Random(1)
    rows = list(worklist.rows)
    chosen = [place for place, row in enumerate(rows) if among is None or row.sent_id in among]
    chosen = rng.sample(chosen, min(N_JUDGED, len(chosen)))
    for place in chosen:
        rows[place] = replace(rows[place], verdict=rng.choice(verdicts), judge="ina")
    write_worklist(path, replace(worklist, rows=tuple(rows)))
    return [rows[place] for place in chosen]


def edited(text: str, sentences: Sequence[str]) -> str:
    """A word of each of these sentences is another one, and a new sentence comes before all others."""
    found = []
    for one in text.rstrip("\n").split("\n\n"):
        name = re.search("# sent_id = (.*)", one)
        if name and name[1] in sentences:
            one = re.sub(r"(?m)^(1\t[^\t]*)", r"\1x", one, count=1)
        found.append(one)
    new = "# sent_id = new-1\n1\tAhoy\tahoy\tINTJ\tUH\t_\t0\troot\t_\t_"
    return "\n\n".join([new, *found]) + "\n\n"


def carried_of(err: str) -> tuple[int, int]:
    match = re.search(r"carried ([\d,]+) of ([\d,]+) verdicts", err)
    assert match, err
    return int(match[1]), int(match[2])


def test_verdicts_on_repeats_survive(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu").read_text(encoding="utf-8")
    corpus, check, again = tmp_path / "c.conllu", tmp_path / "check.tsv", tmp_path / "again.tsv"
    corpus.write_text(text, encoding="utf-8")
    Run(capsys, "repeats", str(corpus), "--min-words", "2", "--worklist", str(check))
    rows = judged(check, ["error-in-a", "error-in-b", "ambiguity"])
    shown = {row.id: row for row in rows}
    shown_in = Counter(one for row in rows for one in {row.sent_id, re.split(r"  B in |: ", row.shown)[1]})
    changed = [row.sent_id for row in rows if shown_in[row.sent_id] == 1][:N_EDITED]  # a row each
    corpus.write_text(edited(text, changed), encoding="utf-8")
    run = Run(capsys, "repeats", str(corpus), "--min-words", "2", "--worklist", str(again), "--carry", str(check))
    n, n_all = carried_of(run.err)
    assert n_all == N_JUDGED
    assert n == N_JUDGED - N_EDITED
    assert len(re.findall(rf"{re.escape(str(check))}:\d+: ", run.err)) == n_all - n
    found = [row for row in read_worklist(again, kinds=KINDS).rows if row.verdict]
    assert len(found) == n
    same = [(row, shown[row.id]) for row in found if row.id in shown]
    assert all(row.verdict == before.verdict and row.judge == "ina" for row, before in same)


def test_verdicts_on_tokens_survive(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu").read_text(encoding="utf-8")
    texts = {"gold": gold, "a": retagged(gold, 1), "b": retagged(gold, 2)}
    files = {name: tmp_path / f"{name}.conllu" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    check, again = tmp_path / "check.tsv", tmp_path / "again.tsv"
    inputs = [str(path) for path in files.values()]
    Run(capsys, "noise", "plan", *inputs, "-o", str(check), "--budget", str(N_JUDGED))
    rows = judged(check, ["a", "b"])
    for name, text in texts.items():
        files[name].write_text(edited(text, [row.sent_id for row in rows][:N_EDITED]), encoding="utf-8")
    run = Run(capsys, "noise", "plan", *inputs, "-o", str(again), "--budget", str(N_JUDGED), "--carry", str(check))
    n, n_all = carried_of(run.err)
    assert n_all == N_JUDGED
    assert n >= N_JUDGED - N_EDITED
    right = {(row.text, tag_of(row)) for row in rows}
    assert {(row.text, tag_of(row)) for row in read_worklist(again, kinds=KINDS).rows if row.verdict} <= right


def test_verdicts_on_disagreements_survive(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu").read_text(encoding="utf-8")
    texts = {"ada": retagged(text, 1), "bix": retagged(text, 2)}
    files = {name: tmp_path / f"{name}.conllu" for name in texts}
    for name, one in texts.items():
        files[name].write_text(one, encoding="utf-8")
    check, again = tmp_path / "check.tsv", tmp_path / "again.tsv"
    inputs = [f"{name}={path}" for name, path in files.items()]
    Run(capsys, "agree", *inputs, "--worklist", str(check))
    rows = judged(check, ["ada", "bix"])
    chosen = sorted({row.sent_id for row in rows})[:N_EDITED]
    for name, one in texts.items():
        files[name].write_text(edited(one, chosen), encoding="utf-8")
    run = Run(capsys, "agree", *reversed(inputs), "--worklist", str(again), "--carry", str(check))
    n, n_all = carried_of(run.err)
    assert n_all == N_JUDGED
    assert n == N_JUDGED - sum(row.sent_id in chosen for row in rows)
    right = {(row.text, tag_of(row)) for row in rows}
    assert {(row.text, tag_of(row)) for row in read_worklist(again, kinds=KINDS).rows if row.verdict} <= right


def retagged(text: str, seed: int) -> str:
    """One tag of twenty is another one."""
    rng, lines = random.Random(seed), []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdigit() and rng.random() < 0.05:
            columns[3] = rng.choice(["NOUN", "VERB", "ADJ", "PROPN"])
        lines.append("\t".join(columns))
    return "\n".join(lines)


def tag_of(row: WorklistRow) -> str:
    return dict(part.split(") ") for part in row.shown.split("  "))[row.verdict]


def test_verdicts_on_brackets_survive(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, system = ((EXAMPLES / f"{name}.ptb").read_text(encoding="utf-8") for name in ("gold", "bix"))
    check, again = tmp_path / "check.tsv", tmp_path / "again.tsv"
    files = [tmp_path / "gold.ptb", tmp_path / "bix.ptb"]
    for path, text in zip(files, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    inputs = [str(files[0]), f"bix={files[1]}"]
    Run(capsys, "score", *inputs, "--worklist", str(check), "--include-exact")
    judged(check, ["accept", "reject"])
    first = "(ROOT (S (NP (NN Tea)) (VP (VBZ cools))))\n"
    for path, text in zip(files, (gold, system), strict=True):
        path.write_text(first + text, encoding="utf-8")
    run = Run(capsys, "score", *inputs, "--worklist", str(again), "--include-exact", "--carry", str(check))
    assert carried_of(run.err) == (N_JUDGED, N_JUDGED)


def test_a_list_with_verdicts_is_not_written_over_while_it_is_carried(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold, ada, bix = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
    check = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", gold, ada, bix, "-o", str(check), "--budget", "20")
    judged(check, ["a", "b"])
    before = check.read_bytes()
    run = Run(capsys, "noise", "plan", gold, ada, bix, "-o", str(check), "--carry", str(check))
    assert (run.code, "contains verdicts or notes" in run.err) == (2, True)
    assert check.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["agree", "gold.conllu", "ada.conllu", "--carry", "x.tsv"], 2, "--carry requires --worklist"),
        (["repeats", "gold.conllu", "--carry", "x.tsv"], 2, "--carry requires --worklist"),
        (["score", "gold.conllu", "ada.conllu", "--carry", "x.tsv"], 2, "--carry"),
        (["repeats", "gold.conllu", "--worklist", "new.tsv", "--carry", "nofile.tsv"], 3, "K101"),
        (["repeats", "gold.conllu", "--worklist", "new.tsv", "--carry", "gold.conllu"], 3, "K73"),
    ],
)
def test_what_cannot_be_carried_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    for name in ("gold", "ada"):
        (tmp_path / f"{name}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, *arguments)
    assert (run.code, message in run.err) == (code, True), run.err
    assert not (tmp_path / "new.tsv").exists()
