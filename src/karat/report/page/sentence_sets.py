"""The sentences behind results: one set for each gold, with all systems that any result scored against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from karat.corpus.formats import Readable
from karat.errors import KaratError, visible
from karat.report.page.error_lists import ErrorLists
from karat.report.page.evidence import PageEvidence, gathered
from karat.report.page.measure_facts import facts_of
from karat.report.page.named_files import NamedFile, files_of, read_again, settings_of
from karat.report.page.sentences import SentenceViews
from karat.report.page.treebank_results import averaged_systems, is_over_treebanks
from karat.report.shown import headlines

MOST_SYSTEMS = 6  # whose sentences are shown beside each other
BEFORE = " (before)"  # behind the name of a system as an earlier result has it


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """What a result scored: a gold, systems by name, and by which measures."""

    gold: NamedFile
    systems: Mapping[str, NamedFile]
    measures: Sequence[str]
    settings: Mapping[str, str]
    level: float
    lexicon: NamedFile | None = None
    first_annotator: str = ""  # whose file stands in the gold's place, where there is no gold


@dataclass(frozen=True, slots=True)
class SentenceSet:
    """The sentences of one gold, and the lists of them that numbers lead to.

    Where annotators are compared there is no gold: `first_annotator` is the one whose file stands in its place.
    """

    title: str
    first_annotator: str
    prefix: str
    evidence: PageEvidence
    lists: ErrorLists
    sentences: SentenceViews


@dataclass(slots=True)
class SentenceSets:
    """All sets, by the digest of their gold; `missing` says what could not be read and why."""

    sets: dict[str, SentenceSet] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def of(self, result: Mapping[str, Any]) -> list[SentenceSet | None]:
        """The sets of the golds or corpora that a result is about, in its order."""
        return [self.sets.get(one.gold.digest) for one in wanted_by(result)]


def wanted_by(result: Mapping[str, Any]) -> list[ScoredFiles]:
    """What a result scored, or the corpora that it is about; nothing for results that are about neither.

    Nor for those over several treebanks, of which a page has no sentences.
    """
    if is_over_treebanks(result):
        return []
    kind = str(result.get("schema", "")).rpartition("/")[0]
    if kind in ("karat/suspects", "karat/repeats"):
        corpora = [one for one in files_of(result) if one.role == "corpus"]
        return [ScoredFiles(one, {}, [], settings_of(result), 0.95) for one in corpora]
    scored = _scored(kind, result) if kind in _OF_KIND else None
    return [scored] if scored else []


def _scored(kind: str, result: Mapping[str, Any]) -> ScoredFiles | None:
    files, settings = files_of(result), settings_of(result)
    names, measures, level = _OF_KIND[kind](result)
    gold = next((one for one in files if one.role in ("gold", "annotator")), None)
    outputs = [one for one in files if one.role in ("system", "annotator") or one.role.startswith("run of ")]
    outputs = [one for one in outputs if one is not gold]
    runs = {one.role.removeprefix("run of "): one for one in reversed(outputs) if one.role.startswith("run of ")}
    plain = [one for one in outputs if one.role in ("system", "annotator")]
    if gold is None or len(plain) + len(runs) != len(names):
        return None
    left = iter(plain)
    systems = {name: runs[name] if name in runs else next(left) for name in names}
    systems = {name: systems[name] for name in sorted(systems, key=_best_first(kind, result))}
    lexicon = next((one for one in files if one.role == "lexicon"), None)
    first = str(result["annotators"][0]) if kind == "karat/agree" else ""
    return ScoredFiles(gold, systems, measures, settings, level, lexicon, first)


def _of_score(result: Mapping[str, Any]) -> tuple[list[str], list[str], float]:
    measures = dict.fromkeys(name for one in result["systems"] for name in one["measures"])
    levels = [one.get("level") for system in result["systems"] for one in system["measures"].values() if one]
    names = [one["name"] for one in result["systems"]]
    return names, list(measures), next(filter(None, levels), 0.95)


def _of_compare(result: Mapping[str, Any]) -> tuple[list[str], list[str], float]:
    names = dict.fromkeys(name for one in result["pairs"] for name in (one["a"], one["b"]))
    measures = dict.fromkeys(one["measure"] for one in result["pairs"] if one["measure"])
    return list(names), list(measures), result["level"]


def _of_agree(result: Mapping[str, Any]) -> tuple[list[str], list[str], float]:
    column = str(result.get("column", "upos"))
    measure = {"upos": "UPOS", "xpos": "XPOS", "feats": "Feats", "lemma": "Lemmas", "deprel": "Deprels", "head": "UAS"}
    return list(result["annotators"])[1:], [measure.get(column, "UPOS")], result.get("level") or 0.95


def _of_noise(result: Mapping[str, Any]) -> tuple[list[str], list[str], float]:
    every = [one["name"] if isinstance(one, Mapping) else str(one) for one in result["systems"]]
    return every, ["UPOS"], result.get("level") or 0.95


def _best_first(kind: str, result: Mapping[str, Any]) -> Callable[[str], float]:
    """What sorts systems, the best by the measure that people look at first before the others; as given if few."""
    values = values_by_measure(result) if kind in ("karat/score", "karat/compare") else {}
    names = list(dict.fromkeys(name for _, name in values))
    if len({system for system, _ in values}) <= MOST_SYSTEMS or not names:
        return lambda _: 0.0
    first = headlines(names)[0]
    sign = 1 if facts_of(first).lower_is_better else -1
    return lambda name: sign * values.get((name, first), 0.0)


def values_by_measure(result: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """The value of every system and measure in a result of `score` or `compare`; over treebanks, the macro average."""
    found = {}
    systems = averaged_systems(result) if is_over_treebanks(result) else result.get("systems")
    for system in systems or ():
        measures = system.get("measures") if isinstance(system, Mapping) else None
        for name, one in (measures or {}).items():
            if one and one.get("value") is not None:
                found[system["name"], name] = one["value"]
    for pair in result.get("pairs") or ():
        for side in ("a", "b"):
            if pair.get("measure") and pair.get(f"value_{side}") is not None:
                found[pair[side], pair["measure"]] = pair[f"value_{side}"]
    return found


_OF_KIND = {
    "karat/score": _of_score,
    "karat/compare": _of_compare,
    "karat/agree": _of_agree,
    "karat/noise": _of_noise,
    "karat/noise-estimate": _of_noise,
}


def sentence_sets(
    results: Sequence[Mapping[str, Any]], folders: Sequence[Path], before: Sequence[Mapping[str, Any]] = ()
) -> SentenceSets:
    """The sets of all golds whose files are still as they were; systems of earlier results beside those of now."""
    found = SentenceSets()
    if any(map(is_over_treebanks, results)):
        found.missing.append("No sentences: the page shows them for one treebank at a time")
    by_gold: dict[str, list[tuple[ScoredFiles, str]]] = {}
    for several, suffix in ((results, ""), (before, BEFORE)):
        for wanted in (one for result in several for one in wanted_by(result)):
            if not suffix or wanted.gold.digest in by_gold:
                by_gold.setdefault(wanted.gold.digest, []).append((wanted, suffix))
    for number, (digest, every) in enumerate(by_gold.items()):
        prefix = f"g{number + 1}-" if len(by_gold) > 1 else ""
        one = _set(every, folders, prefix, found.missing)
        if one is not None:
            found.sets[digest] = one
    found.missing = list(dict.fromkeys(found.missing))
    return found


def _set(
    every: Sequence[tuple[ScoredFiles, str]], folders: Sequence[Path], prefix: str, missing: list[str]
) -> SentenceSet | None:
    first = next((one for one, _ in every if one.systems), every[0][0])
    systems: dict[str, NamedFile] = {}
    for wanted, suffix in every:
        for name, file in wanted.systems.items():
            systems.setdefault(f"{name}{suffix}", file)
    if len(systems) > MOST_SYSTEMS:
        missing.append(f"Sentences and errors are shown for the best {MOST_SYSTEMS} of {len(systems)} systems")
    chosen = dict(list(systems.items())[:MOST_SYSTEMS])
    measures = list(dict.fromkeys(name for wanted, _ in every for name in wanted.measures))
    try:
        gold = read_again(first.gold, folders)
        outputs = _outputs(chosen, folders, missing)
        lexicon = _lexicon([wanted for wanted, _ in every], folders, missing)
        evidence = gathered(
            gold,
            outputs,
            measures=measures,
            settings=first.settings,
            lexicon=lexicon,
            level=first.level,
        )
    except LookupError as error:
        missing.append(f"No sentences: {error.args[0]}")
        return None
    except KaratError as error:
        missing.append(f"No sentences: {visible(str(error))}")
        return None
    return SentenceSet(
        visible(first.gold.path),
        first.first_annotator,
        prefix,
        evidence,
        ErrorLists(evidence, prefix),
        SentenceViews(evidence, prefix),
    )


def _outputs(
    chosen: Mapping[str, NamedFile], folders: Sequence[Path], missing: list[str]
) -> list[tuple[str, Readable]]:
    """The systems' files; an earlier one that is not as it was is left out, and that is said."""
    found: list[tuple[str, Readable]] = []
    for name, file in chosen.items():
        try:
            found.append((name, read_again(file, folders)))
        except LookupError as error:
            if not name.endswith(BEFORE):
                raise
            missing.append(f"Nothing is shown as newly right or wrong for {name.removesuffix(BEFORE)}: {error.args[0]}")
    return found


def _lexicon(every: Sequence[ScoredFiles], folders: Sequence[Path], missing: list[str]) -> Readable | None:
    """The lexicon by which words are known or not, if any result has one and it is a corpus that can be read."""
    named = next((wanted.lexicon for wanted in every if wanted.lexicon), None)
    if named is None:
        return None
    try:
        return read_again(named, folders)
    except LookupError as error:
        missing.append(f"Not split by the lexicon: {error.args[0]}")
        return None


def first_set(sets: Sequence[SentenceSet | None]) -> SentenceSet | None:
    """The set of the one gold that a result is about, if its files could be read."""
    return sets[0] if sets else None
