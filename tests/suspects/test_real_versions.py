"""Real versions: UD 2.3's GUM and what later releases changed in it."""

from __future__ import annotations

import csv
from pathlib import Path

import karat
from realdata import data, data_files

COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "deprel": 7}


def later_gum(folder: Path) -> tuple[list[Path], Path, set[tuple[str, str, int, str, str]]]:
    """The files of GUM, one file in which its words have later labels, and all changes between them."""
    with data("corrections/gum-2.3-to-newest.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    changes = {
        (row["sent_id"], column, int(row["token"]), row[column], row[f"new_{column}"])
        for row in rows
        for column in COLUMNS
        if row[column] != row[f"new_{column}"]
    }
    becomes = {(sentence, token, column): new for sentence, column, token, _, new in changes}
    files = data_files("ud-2.3/UD_English-GUM/*.conllu")
    written = []
    for path in files:
        sentence = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if line.startswith("# sent_id = "):
                sentence = line.removeprefix("# sent_id = ")
            if len(cells) == 10:
                for column, place in COLUMNS.items():
                    cells[place] = becomes.get((sentence, int(cells[0]), column), cells[place])
            written.append("\t".join(cells))
    (folder / "later.conllu").write_text("\n".join(written) + "\n", encoding="utf-8")
    return files, folder / "later.conllu", changes


def test_all_later_changes_of_gum_are_found_each_once(tmp_path: Path) -> None:
    old, new, wanted = later_gum(tmp_path)
    found = karat.diff(old, new)
    changes = [*found.explained(), *found.sporadic()]
    assert len(changes) == len(wanted)
    assert {(one.place.sent_id, one.column, one.place.token, one.old, one.new) for one in changes} == wanted
    assert [found.retokenised, found.added, found.removed, found.edited, found.moved] == [[], [], [], [], []]
    conventions = {(one.column, *one.scope.items(), one.old, one.new) for one in found.conventions}
    assert {("upos", ("lemma", "something"), "NOUN", "PRON"), ("xpos", ("lemma", "["), "-LSB-", "-LRB-")} <= conventions
