"""`karat.run_demo`: karat at work on a corpus whose truth is known, so that its conclusions can be checked."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from karat._arrays import Array, Flags
from karat.corpus import Corpus, read_conllu, read_source
from karat.corpus.lexicon import lexicon_from_source
from karat.corpus.worklist import worklist_text
from karat.evaluation.compare import compare
from karat.evaluation.comparison_results import Compared
from karat.evaluation.plain_words import winner
from karat.evaluation.results import Scores
from karat.evaluation.score import score
from karat.experiments.demo_commands import named_arguments, written_command
from karat.experiments.demo_folder import DemoFolder, emptied_folder
from karat.experiments.demo_judge import judged_by_truth
from karat.experiments.demo_results import (
    OPEN,
    DemoBetter,
    DemoInterval,
    DemoResult,
    DemoStep,
    DemoSuspects,
    DemoSystem,
)
from karat.inference.options import InferenceOptions
from karat.noise.check_results import CheckEstimate
from karat.noise.from_files import noise_bounds_from_files
from karat.noise.human_check import noise_estimate, noise_plan
from karat.noise.results import NoiseResult
from karat.result import Result, json_text
from karat.simulation.described import Simulation
from karat.simulation.folder import simulate
from karat.suspects.search import Suspects, find_suspects
from karat.systems.tagging import tag
from karat.systems.training import train

N_TOKENS = 10_000
NOISE = 0.03
TAGGERS = ("hmm", "perceptron")
MEASURE = "UPOS"
PAIR_ROWS = 200  # judged to compare the two taggers
OWN_ROWS = 400  # judged for the accuracy of each
_DIGITS = 4  # of the gold's error rates, as its documentation would have them
_SIMULATED = ("truth.conllu", "gold.conllu", "train.conllu")
_BOTH = "both"  # the check of both taggers together

StepStarted = Callable[[str], None]


def run_demo(
    folder: str | os.PathLike[str] = "karat-demo",
    *,
    seed: int = 0,
    progress: StepStarted | None = None,
    n_tokens: int = N_TOKENS,
) -> DemoResult:
    """What karat concludes about two taggers on a gold with planted errors, beside what is true.

    All files are written into the folder: new, empty, or as an earlier demo left it. The truth is used for three things
    only: the gold's error rates, which bounds need; the verdicts of a judge who never errs; and to see, at the end,
    whether the conclusions are right. `progress` is called at the beginning of each step with what it does.
    """
    run = _Run(emptied_folder(folder), seed, progress)
    simulation = _simulated(run, n_tokens)
    _train_and_tag(run)
    scores, compared = _scored(run), _compared(run)
    truth, gold = (read_conllu(run.path(name)) for name in ("truth.conllu", "gold.conllu"))
    true_tags = _tags(truth)
    is_wrong: Flags = true_tags != _tags(gold)
    bounds = _bounded(run, gold, is_wrong)
    suspects = _suspected(run)
    judged_words = _judged(run, true_tags.tolist())
    estimates = _estimated(run)
    true_scores = _truly_scored(run)
    systems = tuple(_system(name, true_scores, scores, bounds, estimates[name]) for name in TAGGERS)
    a, b = systems
    true_difference = b.true_accuracy - a.true_accuracy
    result = DemoResult(
        folder=str(run.folder.folder),
        seed=seed,
        n_tokens=n_tokens,
        n_sentences=simulation.n_sentences,
        n_documents=simulation.n_documents,
        corpus_error=float(is_wrong.mean()),
        systems=systems,
        better=_better(true_difference, compared, bounds, estimates[_BOTH]),
        true_difference=true_difference,
        difference=_difference(true_difference, estimates[_BOTH]),
        suspects=_planted(suspects, is_wrong),
        rows_judged=len(judged_words),
        words_judged=len(set(judged_words)),
        level=run.inference.level,
        steps=tuple(run.steps),
    )
    run.folder.write("demo.json", json_text(result.to_dict()).encode())
    return result


# ---- the steps, each as one would do it by hand ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """Where a demo is, and the steps that it has made."""

    folder: DemoFolder
    seed: int
    progress: StepStarted | None
    steps: list[DemoStep] = field(default_factory=list)

    @property
    def gold(self) -> str:
        return self.path("gold.conllu")

    @property
    def outputs(self) -> dict[str, str]:
        return {name: self.path(f"{name}.conllu") for name in TAGGERS}

    @property
    def checks(self) -> dict[str, tuple[str, dict[str, str]]]:
        """The checks, of both taggers and of each: the worklist's name without its ending, and who is checked."""
        each = {name: (f"check-{name}", {name: path}) for name, path in self.outputs.items()}
        return {_BOTH: ("check", self.outputs), **each}

    @property
    def inference(self) -> InferenceOptions:
        return InferenceOptions(seed=self.seed)

    def path(self, name: str) -> str:
        return self.folder.path(name)

    def keep(self, name: str, result: Result) -> None:
        """Write a result into the folder as JSON."""
        self.folder.write(f"{name}.json", json_text(result.to_dict()).encode())

    @contextmanager
    def step(self, name: str, what: str, commands: Sequence[str], results: Sequence[str] = ()) -> Iterator[None]:
        """A step that is timed, with the commands that repeat it and the results that it writes."""
        if self.progress is not None:
            self.progress(what)
        began = time.perf_counter()
        yield
        seconds = time.perf_counter() - began
        self.steps.append(DemoStep(name, what, seconds, tuple(f"{one}.json" for one in results), tuple(commands)))


def _simulated(run: _Run, n_tokens: int) -> Simulation:
    again = f"{run.folder.folder}-simulated"
    command = written_command("simulate", o=again, tokens=n_tokens, noise=NOISE, seed=run.seed)
    with run.step("simulate", "making a corpus whose truth is known", [command], ["simulate"]):
        with tempfile.TemporaryDirectory() as elsewhere:  # its other files are not needed here
            found = simulate(elsewhere, tokens=n_tokens, noise=NOISE, seed=run.seed)
            for name in _SIMULATED:
                run.folder.write(name, Path(elsewhere, name).read_bytes())
        run.keep("simulate", found)
    return found


def _train_and_tag(run: _Run) -> None:
    text = run.path("train.conllu")
    models = {name: run.path(f"{name}.karat") for name in TAGGERS}
    commands = [written_command("train", name, text, o=model, seed=run.seed) for name, model in models.items()]
    with run.step("train", f"training two taggers, {TAGGERS[0]} and {TAGGERS[1]}", commands):
        for name in TAGGERS:
            run.folder.write(f"{name}.karat", train(name, text, seed=run.seed).file)
    commands = [written_command("tag", run.gold, m=models[name], o=path) for name, path in run.outputs.items()]
    with run.step("tag", "tagging the text", commands):
        for name, model in models.items():
            run.folder.write(f"{name}.conllu", b"".join(tag(model, run.gold).files))


def _scored(run: _Run) -> Scores:
    command = written_command("score", run.gold, *named_arguments(run.outputs), measure=MEASURE, seed=run.seed)
    with run.step("score", "scoring both on the gold with errors", [command], ["score"]):
        found = score(run.gold, run.outputs, measures=[MEASURE], inference=run.inference)
        run.keep("score", found)
    return found


def _compared(run: _Run) -> Compared:
    command = written_command("compare", run.gold, *named_arguments(run.outputs), measure=MEASURE, seed=run.seed)
    with run.step("compare", "comparing them", [command], ["compare"]):
        found = compare(run.gold, run.outputs, measures=[MEASURE], inference=run.inference)
        run.keep("compare", found)
    return found


def _bounded(run: _Run, gold: Corpus, is_wrong: Flags) -> NoiseResult:
    """What the accuracies can be, given the error rates of the gold's ambiguous words and of the others."""
    lexicon = run.path("train.conllu")
    is_ambiguous = lexicon_from_source(read_source(lexicon), column="upos").ambiguities(gold) >= 2
    error, other_error = (round(float(is_wrong[these].mean()), _DIGITS) for these in (is_ambiguous, ~is_ambiguous))
    command = written_command(
        "noise", run.gold, *named_arguments(run.outputs), lexicon=lexicon, corpus_error=error, other_error=other_error,
        seed=run.seed,
    )  # fmt: skip
    with run.step("noise", "bounding what the gold's errors hide", [command], ["noise"]):
        found = noise_bounds_from_files(
            run.gold, run.outputs, lexicon=lexicon, corpus_error=error, other_error=other_error,
            inference=run.inference,
        )  # fmt: skip
        run.keep("noise", found)
    return found


def _suspected(run: _Run) -> Suspects:
    command = written_command("suspects", run.gold, seed=run.seed)
    with run.step("suspects", "looking for errors in the gold", [command], ["suspects"]):
        found = find_suspects(run.gold, seed=run.seed)
        run.keep("suspects", found)
    return found


def _judged(run: _Run, true_tags: Sequence[str]) -> list[str]:
    """Write the worklists of all checks, empty and judged; the ids of the words in their rows come back."""
    asked = {name: _asked(name) for name in run.checks}
    commands = [
        written_command(
            "noise plan", run.gold, *named_arguments(systems), **asked[name], o=run.path(f"{stem}.tsv"), seed=run.seed
        )
        for name, (stem, systems) in run.checks.items()
    ]
    words: list[str] = []
    with run.step("check", "choosing words to judge, and judging them by the truth", commands):
        for name, (stem, systems) in run.checks.items():
            plan = noise_plan(
                run.gold, systems, budget=asked[name]["budget"], agreements="agreements" in asked[name],
                inference=run.inference,
            )  # fmt: skip
            (worklist,) = plan.worklists.values()
            run.folder.write(f"{stem}.tsv", worklist_text(worklist).encode())
            run.folder.write(f"{stem}-judged.tsv", worklist_text(judged_by_truth(worklist, true_tags)).encode())
            words += worklist.column("id")
    return words


def _asked(check: str) -> dict[str, int]:
    """How many rows a check has; that of one tagger also has words on which it agrees with the gold."""
    return {"budget": PAIR_ROWS} if check == _BOTH else {"budget": OWN_ROWS, "agreements": True}


def _estimated(run: _Run) -> dict[str, CheckEstimate]:
    names = {name: "estimate" if name == _BOTH else f"estimate-{name}" for name in run.checks}
    judged = {name: run.path(f"{stem}-judged.tsv") for name, (stem, _) in run.checks.items()}
    commands = [
        written_command(
            "noise estimate", run.gold, *named_arguments(systems), judgements=judged[name], seed=run.seed
        )
        for name, (_, systems) in run.checks.items()
    ]  # fmt: skip
    found = {}
    with run.step("estimate", "estimating what is true from the verdicts", commands, list(names.values())):
        for name, (_, systems) in run.checks.items():
            found[name] = noise_estimate(run.gold, systems, judged[name], inference=run.inference)
            run.keep(names[name], found[name])
    return found


def _truly_scored(run: _Run) -> Scores:
    truth = run.path("truth.conllu")
    command = written_command("score", truth, *named_arguments(run.outputs), measure=MEASURE, seed=run.seed)
    with run.step("truth", "scoring both on the truth", [command], ["truth"]):
        found = score(truth, run.outputs, measures=[MEASURE], inference=run.inference)
        run.keep("truth", found)
    return found


# ---- what they say, beside the truth ---------------------------------------------------------------------------------


def _tags(corpus: Corpus) -> Array:
    """The tag of every word, as text: numbers of tags differ between corpora."""
    column = corpus.column("upos")
    return np.array(column.vocabulary.strings, dtype=object)[column.ids]


def _interval(value: float | None, lower: float | None, upper: float | None, true_value: float) -> DemoInterval:
    assert lower is not None
    assert upper is not None
    return DemoInterval(value, lower, upper, lower <= true_value <= upper)


def _system(name: str, true_scores: Scores, scores: Scores, bounds: NoiseResult, estimate: CheckEstimate) -> DemoSystem:
    true_accuracy = true_scores.system(name)[MEASURE].value
    observed = scores.system(name)[MEASURE]
    bounded = next(one.whole for one in bounds.systems if one.name == name)
    assert observed.interval is not None
    assert bounded is not None
    assert estimate.one is not None
    checked = estimate.one.accuracy
    assert checked is not None
    ends = bounded.whole_confidence or bounded.bounds
    return DemoSystem(
        name,
        true_accuracy,
        _interval(observed.value, observed.interval.lower, observed.interval.upper, true_accuracy),
        _interval(None, ends.lower, ends.upper, true_accuracy),
        _interval(checked.value, checked.lower, checked.upper, true_accuracy),
    )


def _difference(true_difference: float, estimate: CheckEstimate) -> DemoInterval:
    assert estimate.pair is not None
    found = estimate.pair.difference
    return _interval(found.value, found.lower, found.upper, true_difference)


def _better(true_difference: float, compared: Compared, bounds: NoiseResult, estimate: CheckEstimate) -> DemoBetter:
    assert estimate.pair is not None
    a, b = TAGGERS
    truth = OPEN if true_difference == 0 else b if true_difference > 0 else a
    (pair,), (bounded,) = compared.pairs, bounds.pairs
    checked: Mapping[str, str] = {"A": a, "B": b, "open": OPEN}
    return DemoBetter(
        truth,
        winner(pair, compared.level) or OPEN,
        bounded.better_overall or OPEN,
        checked[estimate.pair.verdict],
    )


def _planted(found: Suspects, is_wrong: Flags) -> DemoSuspects:
    """How many of the first suspects are errors that were planted."""
    planted = is_wrong[found.words]
    return DemoSuspects(int(is_wrong.sum()), len(found), int(planted[:10].sum()), int(planted[:50].sum()))
