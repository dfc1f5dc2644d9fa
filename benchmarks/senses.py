"""Tags in a hierarchy: a million sense-tagged instances scored, and WordNet's nouns read.

The instances are of 1,000 word types with 5 to 20 senses in two levels; one system answer in four has two tags with
probabilities, one in twenty is not a leaf. The peer is a loop over instances in Python that spreads each answer over
the leaves below it, as Senseval's scorer does. Where numba finds scipy it takes it in too, which karat does not ask for
and its command is kept from here.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from _measuring import cold, comparison_table, growth_table, measured, time_line, warm

N_INSTANCES = 1_000_000
N_TYPES = 1_000
PART = 10  # the loop runs over a tenth
WORDNET = Path("/usr/share/wordnet")
_ALONE = "import sys; sys.modules['scipy'] = None; from karat.cli import main; sys.exit(main())"


def sense_loop(hierarchy: str, gold: str, system: str) -> object:
    """The mean probability of right leaves, instance by instance [Melamed & Resnik 2000, eq. 2]."""
    children: dict[str, list[str]] = {}
    above: list[str] = []
    with open(hierarchy, encoding="utf-8") as lines:
        for line in lines:
            depth = len(line) - len(line.lstrip())
            above[depth:] = [line.strip()]
            children[line.strip()] = []
            if depth:
                children[above[depth - 1]].append(line.strip())

    def spread(tag: str, mass: float, found: dict[str, float]) -> dict[str, float]:
        for child in children[tag]:
            spread(child, mass / len(children[tag]), found)
        if not children[tag]:
            found[tag] = found.get(tag, 0.0) + mass
        return found

    def answers(path: str) -> dict[tuple[str, str], list[tuple[str, float]]]:
        read = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                lexelt, instance, *tags = line.partition("!!")[0].split()
                pairs = [tag.rpartition("/") for tag in tags]
                weighed = [(tag or rest, float(rest) if tag else 1.0) for tag, _, rest in pairs]
                total = sum(weight for _, weight in weighed)
                read[lexelt, instance] = [(tag, weight / total) for tag, weight in weighed]
        return read

    total = 0.0
    ours, theirs = answers(gold), answers(system)
    for key, tags in ours.items():
        right = {leaf for tag, _ in tags for leaf in spread(tag, 1.0, {})}
        given: dict[str, float] = {}
        for tag, weight in theirs.get(key, []):
            spread(tag, weight, given)
        total += sum(mass for leaf, mass in given.items() if leaf in right)
    return total / len(ours)


def karat_senses(hierarchy: str, gold: str, system: str) -> object:
    from karat import HierarchyOptions, score

    found = score(gold, system, measures="hierarchical", hierarchy=HierarchyOptions(hierarchy), intervals=False)
    return found["hierarchical"].value


TASKS = (sense_loop, karat_senses)


def tables(folder: Path) -> list[str]:
    several = {n: made_files(folder, n) for n in (N_INSTANCES // 4, N_INSTANCES, 4 * N_INSTANCES)}
    hierarchy, gold, system = several[N_INSTANCES]
    command = cold("karat", sys.executable, "-c", _ALONE, "score", gold, system, "--hierarchy", hierarchy)
    scoring = [
        warm("karat", karat_senses, 4, *several[N_INSTANCES]),
        warm("a loop in Python", sense_loop, 1, *made_files(folder, N_INSTANCES // PART), times=PART),
    ]
    growing = [warm(f"{n:,} instances", karat_senses, 3, *files) for n, files in several.items()]
    title = f"`karat score --hierarchy`, {N_INSTANCES:,} instances of {N_TYPES:,} word types, five measures, intervals"
    return [
        *comparison_table(f"Hierarchical score of {N_INSTANCES:,} instances, warm", measured(scoring, 4)),
        *time_line(title, measured([command], 4)[0], 3.0),
        *growth_table("Growth: hierarchical score, warm", "input", measured(growing, 2)),
        *wordnet_lines(),
    ]


def wordnet_lines() -> list[str]:
    """How long WordNet's nouns take with process start, where Debian's wordnet-base is installed."""
    title = "WordNet's nouns read, 82,115 synsets"
    if not (WORDNET / "data.noun").exists():
        return [f"## {title}", "", f"Not measured: there is no {WORDNET} (apt-get install wordnet-base).", ""]
    code = f"from karat.hierarchy import read_hierarchy as read; assert len(read('{WORDNET}/data.noun')) > 82_000"
    return time_line(title, measured([cold("karat", sys.executable, "-c", code)], 4)[0], 2.0)


def made_files(folder: Path, n: int) -> tuple[Path, Path, Path]:
    """The files of `sense_files`, made in a process of their own: the tasks' processes start with the size of this."""
    code = f"import senses; from pathlib import Path; senses.sense_files(Path({str(folder)!r}), {n})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
    return folder / "senses.txt", folder / f"gold-{n}.key", folder / f"system-{n}.key"


def sense_files(folder: Path, n_instances: int, seed: int = 2026) -> None:
    """A hierarchy, a gold and a system of so many instances."""
    rng = random.Random(seed)
    indented, groups = [], []
    for number in range(N_TYPES):
        lexelt = f"word{number}.n"
        here = [
            (f"{lexelt}%{g}", [f"{lexelt}%{g}:{leaf:02d}" for leaf in range(rng.randint(2, 5))])
            for g in range(rng.randint(2, 4))
        ]
        indented += [lexelt, *(line for name, leaves in here for line in (f" {name}", *(f"  {one}" for one in leaves)))]
        groups.append((lexelt, here, [leaf for _, leaves in here for leaf in leaves]))
    ours, theirs = [], []
    for number in range(n_instances):
        lexelt, here, leaves = groups[number * N_TYPES // n_instances]
        name = f"{lexelt} {lexelt}.{number:07d}"
        right, other = rng.sample(leaves, 2)
        ours.append(f"{name} {right}")
        said = right if rng.random() < 0.7 else other
        kind = rng.random()
        if kind < 0.25:
            share = rng.randint(1, 99) / 100
            second = other if said == right else right
            theirs.append(f"{name} {said}/{share:.2f} {second}/{1 - share:.2f}")
        else:
            theirs.append(f"{name} {rng.choice(here)[0] if kind < 0.3 else said}")
    (folder / "senses.txt").write_text("\n".join(indented) + "\n", encoding="utf-8")
    (folder / f"gold-{n_instances}.key").write_text("\n".join(ours) + "\n", encoding="utf-8")
    (folder / f"system-{n_instances}.key").write_text("\n".join(theirs) + "\n", encoding="utf-8")
