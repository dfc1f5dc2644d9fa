"""What a result used, from its data alone: its measures, the methods that it names, its signature, its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from karat.citations import sources
from karat.citations.sources import OF_METHOD, OF_PAPER, OF_SOURCE, OF_SYSTEM, OF_TABLE, Use

if TYPE_CHECKING:
    from karat.measures.measure import Measure

_NAMES_OF_METHODS = ("method", "test")
_TAGGERS = ("train", "tag", "suspects", "grid", "grid-table", "train-parser", "parse")
_FEWEST_WITH_LETTERS = 3  # systems


@dataclass(frozen=True)
class ResultData:
    """A result as `--json` writes it."""

    data: Mapping[str, Any]

    @cached_property
    def kind(self) -> str:
        """What kind of result it is, by its schema: `score` for karat/score/1."""
        return str(self.data.get("schema", "")).removeprefix("karat/").partition("/")[0]

    @cached_property
    def settings(self) -> Mapping[str, Sequence[str]]:
        """The values of each key of the signature; none without one."""
        found: dict[str, list[str]] = {}
        for part in str(self.data.get("signature") or "").split("|"):
            key, _, value = part.partition(":")
            found.setdefault(key, []).append(value)
        return found

    def fields(self) -> Iterator[tuple[str, Any]]:
        """All fields anywhere in it, with their names."""
        return _fields(self.data)


def _fields(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, Mapping):
        yield from data.items()
    for one in data.values() if isinstance(data, Mapping) else data:
        if isinstance(one, Mapping | list):
            yield from _fields(one)


def uses_of(result: ResultData) -> Iterator[Use]:
    """What a result used but for measures; the same may come twice."""
    yield from _intervals_and_tests(result)
    if result.kind in _TAGGERS:
        yield from _systems(result)
    yield from _ALWAYS.get(result.kind, ())
    for uses in _OF_KIND.get(result.kind, ()):
        yield from uses(result)


# ---- measures --------------------------------------------------------------------------------------------------------


def measures_used(results: Sequence[ResultData]) -> Iterator[Use]:
    """The measures that have a value in any of the results, together by their source; of a list of measures, all."""
    from karat.measures.catalogue import every_measure

    names: dict[str, list[str]] = {}
    measured = [(one, set(_measured(one))) for one in results]
    for one in every_measure():
        if any(_is_used(one, result, used) for result, used in measured):
            names.setdefault(one.source, []).append(one.name)
    for source, several in names.items():
        if source in OF_SOURCE:
            yield Use(f"the measure{'s' * (len(several) > 1)} {', '.join(several)}", (OF_SOURCE[source],))


def _is_used(measure: Measure, result: ResultData, measured: Set[str]) -> bool:
    """Whether a result has a value of a measure; of agreement, what is defined for a hierarchy has its own use."""
    if result.kind == "measure-list":
        return True
    if measure.family == "agreement":
        return result.kind == "agree" and measure.name != "observed" and result.data.get(measure.name) is not None
    if measure.name == "exact":  # of rich tags, or of tags in a hierarchy
        is_of_hierarchies = measure.family == "tags in a hierarchy"
        return "exact" in measured and is_of_hierarchies == ("hierarchy" in result.settings)
    return measure.name in measured


def _measured(result: ResultData) -> Iterator[str]:
    """Names that may be those of measures with a value."""
    for name, value in result.fields():
        if name == "measure" and isinstance(value, str):
            yield value
        elif isinstance(value, Mapping) and any(key in value for key in ("value", "f1", "old")):
            yield name


# ---- methods ---------------------------------------------------------------------------------------------------------


def _intervals_and_tests(result: ResultData) -> Iterator[Use]:
    for name, value in result.fields():
        if name in _NAMES_OF_METHODS and isinstance(value, str):
            yield from (OF_METHOD[one] for one in (value.partition(",")[0], value) if one in OF_METHOD)
    if _differs_by_adjusting(result.data):
        yield sources.HOLM
    ranking = result.data.get("ranking")
    systems = {one.get("name") for one in ranking} if isinstance(ranking, list) else set()
    if len(systems) >= _FEWEST_WITH_LETTERS:
        yield sources.LETTERS
    if any(name == "equivalence" and value for name, value in result.fields()):
        yield sources.EQUIVALENCE
    for like in result.settings.get("like", ()):
        if like in sources.LIKE:
            yield sources.LIKE[like]


def _differs_by_adjusting(data: Any) -> bool:
    """Whether any p is another one once it is adjusted."""
    if isinstance(data, Mapping):
        if data.get("p_adjusted") is not None and data["p_adjusted"] != data.get("p"):
            return True
        return any(_differs_by_adjusting(one) for one in data.values() if isinstance(one, Mapping | list))
    return any(_differs_by_adjusting(one) for one in data if isinstance(one, Mapping | list))


# ---- kinds of results ------------------------------------------------------------------------------------------------


def _systems(result: ResultData) -> Iterator[Use]:
    """The taggers and parsers of karat's own that were trained or used."""
    for written in result.settings.get("system", ()):
        for one in written.split("+"):
            if (name := one.partition(":")[0]) in OF_SYSTEM:
                yield OF_SYSTEM[name]
    if "True" in result.settings.get("forest", ()):
        yield sources.FOREST
    if any(float(one) for one in result.settings.get("smoothing", ())):
        yield sources.SMOOTHING


def _training(result: ResultData) -> Iterator[Use]:
    if result.data.get("expected_calibration_error") is not None:
        yield sources.CALIBRATION


def _score(result: ResultData) -> Iterator[Use]:
    if "ignore-suspicious" in result.settings:
        yield sources.SET_ASIDE
    if any(name == "macro_intervals" and value for name, value in result.fields()):
        yield sources.STRATIFIED


def _compare(result: ResultData) -> Iterator[Use]:
    if "counts" in result.settings:
        yield sources.REAL_TEST


def _agree(result: ResultData) -> Iterator[Use]:
    if "hierarchy" in result.settings:
        yield sources.OVER_HIERARCHY
    if len(result.data.get("annotators") or ()) > 2:
        yield sources.SEVERAL_ANNOTATORS


def _noise(result: ResultData) -> Iterator[Use]:
    ends = [value for name, value in result.fields() if name == "confidence" and isinstance(value, Mapping)]
    if any(one.get("lower") is not None for one in ends):
        yield sources.NOISE_CONFIDENCE


def _noise_estimate(result: ResultData) -> Iterator[Use]:
    if result.data.get("always_valid"):
        yield sources.LOOKING_EARLY
    if result.data.get("judges"):
        yield sources.JUDGES
    if result.data.get("judge_error"):
        yield sources.JUDGE_ERRORS


def _repeats(result: ResultData) -> Iterator[Use]:
    if "dependencies" in result.settings.get("of", ()):
        yield sources.DEPENDENCY_REPEATS


def _suspects(result: ResultData) -> Iterator[Use]:
    if result.data.get("rank") != "tagger":
        yield sources.REPEATS


def _diverge(result: ResultData) -> Iterator[Use]:
    if any(one.get("lower") is not None for one in result.data.get("cells") or ()):
        yield sources.SPLITS if result.data.get("preset") == "paper" else sources.BOUNDED
    if result.data.get("telling"):
        yield sources.TELLING
    if any(name == "js_labels" and value is not None for name, value in result.fields()):
        yield sources.LABEL_DISTANCE


def _correct(result: ResultData) -> Iterator[Use]:
    if any(one.get("lower") is not None for one in result.data.get("precision") or ()):
        yield sources.PRECISION


def _without_names(result: ResultData) -> Iterator[Use]:
    """Of results that do not name the method of their intervals, which is the usual one."""
    if any(name.endswith("_lower") and value is not None for name, value in result.fields()):
        yield OF_METHOD["t"]


def _grid_table(result: ResultData) -> Iterator[Use]:
    if result.data.get("table") in OF_TABLE:
        yield OF_TABLE[str(result.data["table"])]


def _attachment(result: ResultData) -> Iterator[Use]:
    written = ",".join([*result.settings.get("classifier", ()), *result.settings.get("classifiers", ())])
    if "balanced-forest" in written.split(","):
        yield sources.BALANCED_FOREST


def _reproduce(result: ResultData) -> Iterator[Use]:
    for one in result.data.get("papers") or ():
        if one["paper"] in OF_PAPER:
            yield Use("the experiments that are run again", (OF_PAPER[one["paper"]],))


_OF_KIND: Mapping[str, Sequence[Callable[[ResultData], Iterator[Use]]]] = {
    "score": (_score,),
    "compare": (_compare,),
    "agree": (_agree,),
    "noise": (_noise,),
    "noise-estimate": (_noise_estimate,),
    "repeats": (_repeats,),
    "suspects": (_suspects,),
    "diff": (_without_names,),
    "diverge": (_diverge,),
    "correct": (_correct,),
    "train": (_training,),
    "tag": (_training,),
    "grid-table": (_grid_table,),
    "attach-evaluate": (_without_names, _attachment),
    "attach-train": (_attachment,),
    "reproduce": (_reproduce,),
}
_ALWAYS: Mapping[str, Sequence[Use]] = {
    "compare-treebanks": (sources.STRATIFIED,),
    "noise": (sources.BOUNDS,),
    "noise-plan": (sources.CHECK_PLAN,),
    "noise-estimate": (sources.GOLD_ERRORS,),
    "repeats": (sources.REPEATS,),
    "repeats-table": (sources.REPEATS,),
    "diverge": (sources.DIVERGENCE,),
    "leaks": (sources.CONTAINMENT,),
    "measures": (sources.BRACKET_ITEMS,),
    "parser-measures": (sources.BRACKET_ITEMS,),
    "measures-confusion": (sources.KAPPA,),
    "weights": (sources.WEIGHTS,),
    "attach-groups": (sources.GROUPS,),
    "attach-stats": (sources.GROUPS, sources.COOCCURRENCE),
    "attach-train": (sources.GROUPS, sources.COOCCURRENCE, sources.ONE_PARENT),
    "attach-apply": (sources.GROUPS, sources.COOCCURRENCE, sources.ONE_PARENT),
    "attach-evaluate": (sources.GROUPS, sources.COOCCURRENCE, sources.ONE_PARENT),
    "simulate": (sources.SIMULATED,),
    "demo": (
        OF_SYSTEM["perceptron"],
        OF_SYSTEM["hmm"],
        sources.JACKKNIFE,
        sources.BOUNDS,
        sources.GOLD_ERRORS,
        sources.REPEATS,
    ),
}
