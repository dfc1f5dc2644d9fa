"""Rich tags: weighted positional accuracy of a million tokens, beside a plain loop over tokens in Python.

The tokens have the 692 tags of PDB's dev and test sets as often as they occur there; the system has another word's tag
on one word in ten. One word in five has two tags, on either side: each tag has three others that it goes with. The loop
is what a script does that follows the formulas: it takes tags apart and scores them word by word.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from _measuring import DATA, KARAT, cold, comparison_table, growth_table, measured, time_line, warm

N_TOKENS = 1_000_000
PART = 10  # the loop runs over a tenth
PDB = DATA / "ud-2.18" / "UD_Polish-PDB"


def python_loop(gold: str, system: str) -> object:
    """P, R and F of WPA with several tags a word, token by token [Acedański & Przepiórkowski 2010, §3.1]."""
    from karat.tagsets import Tag, read_tagset
    from karat.weights import read_weights

    tagset, weights = read_tagset("nkjp"), read_weights("poliqarp-2010").absolute

    def weight(category: str) -> float:
        return weights.get(category, 1.0)

    def score(gold: Tag, system: Tag) -> float:
        agree = weight("pos") * (gold.pos == system.pos)
        agree += sum(weight(name) for name, value in gold.values.items() if system.values.get(name) == value)
        ours = weight("pos") + sum(map(weight, gold.values))
        theirs = weight("pos") + sum(map(weight, system.values))
        precision, recall = agree / theirs, agree / ours
        return 2 * precision * recall / (precision + recall) if agree else 0.0

    above = [0.0, 0.0]
    below = [0, 0]
    with open(gold, encoding="utf-8") as ours, open(system, encoding="utf-8") as theirs:
        for our_line, their_line in zip(ours, theirs, strict=True):
            if not our_line.strip():
                continue
            golds = [tagset.parse(text) for text in our_line.rstrip("\n").split("\t")[1:]]
            systems = [tagset.parse(text) for text in their_line.rstrip("\n").split("\t")[1:]]
            table = [[score(one, other) for other in systems] for one in golds]
            above[0] += sum(max(row[place] for row in table) for place in range(len(systems)))
            above[1] += sum(map(max, table))
            below[0] += len(systems)
            below[1] += len(golds)
    precision, recall = above[0] / below[0], above[1] / below[1]
    return 2 * precision * recall / (precision + recall)


def karat_tags(gold: str, system: str) -> object:
    from karat import TagOptions, score

    return score(gold, system, measures="WPA", tags=TagOptions("nkjp"), input="tsv", intervals=False)["WPA"].f1


TASKS = (python_loop, karat_tags)


def tables(folder: Path) -> list[str]:
    several = {n: made_files(folder, n) for n in (N_TOKENS // 4, N_TOKENS, 4 * N_TOKENS)}
    gold, system = several[N_TOKENS]
    part = made_files(folder, N_TOKENS // PART)
    options = ("--tagset", "nkjp", "--measure", "WPA", "--input", "tsv", "--resamples", "0")
    command = cold("karat", *KARAT, "score", gold, system, *options)
    scoring = [
        warm("karat", karat_tags, 4, gold, system),
        warm("a loop in Python", python_loop, 1, *part, goal=50, times=PART),
    ]
    growing = [warm(f"{n:,} tokens", karat_tags, 3, *files) for n, files in several.items()]
    return [
        *comparison_table(f"WPA of {N_TOKENS:,} tokens, several tags a word, warm", measured(scoring, 4)),
        *time_line(f"`karat score --tagset nkjp --measure WPA`, {N_TOKENS:,} tokens", measured([command], 4)[0], 2.0),
        *growth_table("Growth: WPA, warm", "input", measured(growing, 2)),
    ]


def made_files(folder: Path, n_tokens: int) -> tuple[Path, Path]:
    """The files of `tagged_files`, made in a process of their own: the tasks' processes start with the size of this."""
    code = f"import tags; from pathlib import Path; tags.tagged_files(Path({str(folder)!r}), {n_tokens})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
    return folder / f"gold-{n_tokens}.tsv", folder / f"system-{n_tokens}.tsv"


def tagged_files(folder: Path, n_tokens: int, seed: int = 2026) -> tuple[Path, Path]:
    """A gold and a system of so many tokens, in sentences of twenty."""
    paths = folder / f"gold-{n_tokens}.tsv", folder / f"system-{n_tokens}.tsv"
    tags: Counter[str] = Counter()
    for path in sorted(PDB.glob("*.conllu")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            cells = line.split("\t")
            if cells[0].isdigit():
                tags[cells[4]] += 1
    rng = random.Random(seed)
    names = list(tags)
    drawn = rng.choices(names, list(tags.values()), k=n_tokens)
    others = {tag: rng.sample([other for other in names if other != tag], 3) for tag in names}
    lines: tuple[list[str], list[str]] = ([], [])
    for number, tag in enumerate(drawn):
        of_system = tag if rng.random() < 0.9 else rng.choice(names)
        for side, one in zip(lines, (tag, of_system), strict=True):
            other = f"\t{rng.choice(others[one])}" if rng.random() < 0.2 else ""
            side.append(f"w{number % 30_000}\t{one}{other}")
            if number % 20 == 19:
                side.append("")
    for path, side in zip(paths, lines, strict=True):
        path.write_text("\n".join(side) + "\n", encoding="utf-8")
    return paths
