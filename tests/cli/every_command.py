"""Every verb of the command line on every kind of input: the calls, and the small files that they read."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from examples import EXAMPLES, conllu, sentence
from small_treebanks import small_treebank

__all__ = ["COMMANDS", "Command", "write_inputs", "write_judgements"]

GRAMMAR = Path(__file__).parents[1] / "weights"


@dataclass(frozen=True)
class Command:
    """A call, as written in a shell in the folder of inputs; `{}` stands for the format where a file is written."""

    written: str
    code: int = 0
    has_records: bool = True  # csv and tsv, as well as tables
    is_marked: bool = False  # conllu and github, too
    only_text: bool = False

    @property
    def arguments(self) -> list[str]:
        return shlex.split(self.written)

    def formats(self) -> list[str]:
        if self.only_text:
            return ["text"]
        records = ["csv", "tsv"] if self.has_records else []
        return ["text", "json", *records, "markdown", "latex", *(["conllu", "github"] if self.is_marked else [])]


def _commands(verb: str, *options: str, code: int = 0, has_records: bool = True, marked: bool = False) -> list[Command]:
    return [Command(f"{verb} {one}".strip(), code, has_records, marked) for one in options]


_FEW = "--resamples 200"
_WITH_INTERPRETATIONS = ("xml", "ccl", "plain", "krnnt", "dag", "concraft")

COMMANDS = [
    # words, one system, two and three
    *_commands(
        f"score {_FEW}",
        "gold.conllu ada.conllu",
        "gold.conllu ada=ada.conllu bix=bix.conllu",
        "gold.conllu ada=ada.conllu bix=bix.conllu gold=gold.conllu --measure UPOS,LAS,Sentences --details",
        "gold.conllu ada=ada.conllu --measure UPOS,LAS --cluster sentence",
        "gold.conllu,more.conllu ada.conllu,more.conllu --measure UPOS,LAS --cluster document",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by upos,document,length --lexicon more.conllu",
        "gold.conllu ada=ada.conllu bix=bix.conllu --lexicon more.conllu --measure UPOS --method bca --level 0.9",
        "gold.conllu ada.conllu --by distance,direction,feats",
        "gold.conllu ada=ada.conllu bix=bix.conllu cleo=gold.conllu --by distance,feats,xpos --details",
        "gold.conllu ada.conllu --measure LAS,LAS-nopunct,UAS-nopunct --by deprel",
        "gold.conllu ada.conllu --per-sentence counts.tsv --resamples 0",
        "gold.conllu ada.conllu broken=broken.conllu --skip-bad --measure UPOS,LAS",
        "gold.tsv ada.tsv",
        "gold.txt ada=ada.txt bix=bix.tsv --by upos",
        "gold.xml ada.plain --column xpos",
        "gold.plain ada=ada.dag bix=bix.xml --column xpos",
        "gold.dag ada.tagged --column xpos",
        "gold.ccl ada=ada.krnnt bix=bix.concraft --column xpos",
        "gold.concraft ada.ccl --column xpos",
        "gold.conllu ada.tsv --measure UPOS",
        "gold.conllu ada.conllu --document-from sent_id --document-pattern (.)$ --measure UPOS",
    ),
    # tags that are mapped
    *_commands(
        f"score {_FEW}",
        "gold.conllu ada=ada.conllu bix=bix.conllu --map penn-upos --by upos",
        "gold.conllu ada.conllu --map coarse.tsv --column deprel",
        "gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --map nkjp.tsv",
        "--gold-dir golds --system-dir ada=adas --map coarse.tsv",
    ),
    *_commands(f"compare {_FEW}", "gold.conllu ada=ada.conllu bix=bix.conllu --map coarse.tsv"),
    *_commands(f"compare {_FEW}", "gold.conllu ada=ada.conllu bix=bix.conllu --document-from sent_id"),
    *_commands("repeats", "gate.conllu --map coarse.tsv", marked=True),
    *_commands("score", "gold.conllu ada=ada.conllu bix=bix.conllu --like conll18"),
    *_commands(
        "score", "odd-nodes.conllu odd-numbers.conllu --like conll18", "odd-nodes.conllu cr.conllu --like conll18"
    ),
    *_commands(f"score {_FEW}", "gold.conllu ada=ada.conllu bix=bix.conllu --like conll18 --intervals"),
    *_commands(f"score {_FEW}", "gold.conllu ada.conllu --fail-under LAS=0.99", code=1),
    *_commands(
        f"score {_FEW}",
        "gold.conllu ada=ada.conllu bix=bix.conllu --confusions upos,full-deprel --by deprel",
        "gold.conllu ada=ada.conllu bix=bix.conllu --ignore-suspicious all --train more.conllu",
        "gold.conllu ada.conllu --ignore-suspicious disjoint --train more.conllu --column xpos",
        "gold.conllu ada.conllu --ignore-suspicious minsize --train more.conllu --measure UPOS --resamples 0",
        "gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --confusions categories",
        "classes.tsv ada=answers.tsv bix=classes.tsv --hierarchy classes.txt --confusions upos",
        has_records=False,
    ),
    # folders of treebanks
    *_commands(
        f"score {_FEW}",
        "--gold-dir golds --system-dir ada=adas",
        "--gold-dir golds --system-dir ada=adas --system-dir bix=bixes --measure UPOS,LAS",
        "--gold-dir golds --system-dir ada=adas --system-dir bix=bixes --like conll18 --intervals --details",
    ),
    # rich tags
    *_commands(
        f"score {_FEW}",
        "gold.tagged ada.tagged --tagset nkjp",
        "gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --by length --slots declared",
        "gold.xml ada=ada.plain bix=bix.dag --tagset nkjp",
        "gold.ccl ada=ada.ccl bix=bix.ccl --tagset nkjp --input ccl",
        "gold.krnnt ada=ada.krnnt bix=bix.krnnt --tagset nkjp --input krnnt",
        "gold.tagged ada.tagged --tagset nkjp --by category",
        "gold.conllu ada=ada.conllu bix=bix.conllu --tagset ud --by category --measure PA",
        "gold.tagged ada.tagged --tagset nkjp --weights conditional.toml --measure CWPA,WPA,PA --lexicon bix.tagged",
        "gold.conllu ada=ada.conllu bix=bix.conllu --tagset ud",
        "gold.conllu ada=ada.conllu bix=bix.conllu --tagset penn",
        "gold.conllu ada.conllu --tagset penn --measure exact",
        "gold.tagged sure.tagged --tagset nkjp --measure exact,PA",
    ),
    # hierarchies, on sense keys and on words
    *_commands(
        f"score {_FEW}",
        "gold.key ada.key",
        "gold.key ada=ada.key bix=bix.key --hierarchy senses.txt --by type",
        "gold.key ada=ada.key bix=bix.key --hierarchy senses.txt --measure all --cluster instance",
        "gold.key ada.key --hierarchy senses.txt --measure cross_entropy,brier --downward distinct",
        "gold.key ada.key --hierarchy senses.txt --measure cross_entropy,exact --learn-from bix.key",
        "classes.tsv answers.tsv --hierarchy classes.txt --by upos",
        "classes.tsv ada=answers.tsv bix=classes.tsv --hierarchy classes.txt --measure cross_entropy,hF",
    ),
    # trees
    *_commands(
        f"score {_FEW}",
        "gold.ptb ada.ptb",
        "gold.ptb ada=ada.ptb bix=bix.ptb --by label --labelled",
        "gold.ptb ada=ada.ptb bix=bix.ptb gold=gold.ptb --measure 'Average Crossing,Labelled F1,Crossing Rate'",
        "gold.ptb ada=ada.ptb bix=bix.ptb --label 'NP*' --punctuation unicode --keep-one-word --cutoff 8",
        "gold.ptb ada.ptb --judgements judged-brackets.tsv",
        "gold.ptb ada.ptb --judgements sampled-brackets.tsv",
        "gold.ptb ada=ada.ptb bix=bix.ptb --judgements sampled-both.tsv --measure all",
        "gold.ptb ada=ada.ptb bix=bix.ptb --evalb-steps --inheritance literal",
        "trees ada=ada-trees --evalb-steps --prm evalb.prm --keep-doubled --details",
        "gold.ptb ada.ptb --worklist to-judge-{}.tsv --parses parses.txt",
        "gold.ptb ada.ptb --worklist carried-brackets-{}.tsv --carry judged-brackets.tsv",
        "trees ada=ada-trees bix=bix-trees",
        "traces.ptb traces-ada.ptb",
        "gold.ptb ada=ada.ptb bix=bix.ptb --like evalb --intervals",
    ),
    *_commands(f"score {_FEW}", "odd.ptb odd-ada.ptb", "gold.ptb none.ptb"),
    *_commands(f"score {_FEW} --intervals", "odd.ptb odd-ada.ptb --like evalb", "gold.ptb none.ptb --like evalb"),
    *_commands("score", "gold.ptb ada.ptb --like evalb", "trees ada-trees --like evalb --prm evalb.prm"),
    # compare
    *_commands(
        f"compare {_FEW}",
        "--gold-dir golds --system-dir ada=adas --system-dir bix=bixes",
        "--gold-dir golds --system-dir ada=adas --system-dir bix=bixes --measure LAS --baseline ada --details",
        "gold.conllu ada=ada.conllu bix=bix.conllu gold=gold.conllu --measure LAS --baseline ada --effect 0.5pt",
        "gold.conllu ada=ada.conllu bix=bix.conllu",
        "gold.conllu ada=ada.conllu bix=bix.conllu gold=gold.conllu --measure UPOS,LAS --units",
        "gold.conllu ada=ada.conllu bix=bix.conllu --measure LAS --margin 0.01 --effect 0.01 --examples 1",
        "gold.conllu ada=ada.conllu bix=bix.conllu --measure LAS --cluster sentence --details",
        "gold.conllu ada=ada.conllu bix=bix.conllu --measure UPOS,LAS --method percentile",
        "gold.conllu ada=ada.conllu --runs two=bix.conllu,ada.conllu --measure UPOS,LAS",
        "gold.conllu ada=ada.conllu --runs three=bix.conllu,ada.conllu,bix.conllu --measure UPOS,LAS",
        "gold.conllu ada=ada.conllu bix=bix.conllu --like conll18 --statistic recall --adjust holm-all",
        "gold.txt ada=ada.tsv bix=bix.txt",
        "gold.xml ada=ada.plain bix=bix.dag --column xpos",
        "gold.tagged ada=ada.tagged bix=bix.tagged gold=gold.tagged --tagset nkjp --measure WPA,PA",
        "gold.conllu ada=ada.conllu bix=bix.conllu --tagset penn --measure exact,pos",
        "gold.key ada=ada.key bix=bix.key --hierarchy senses.txt",
        "gold.key ada=ada.key bix=bix.key gold=gold.key --hierarchy senses.txt --measure cross_entropy,exact",
        "classes.tsv ada=answers.tsv bix=classes.tsv --hierarchy classes.txt --measure hierarchical,brier",
        "gold.ptb ada=ada.ptb bix=bix.ptb",
        "gold.ptb ada=ada.ptb bix=bix.ptb gold=gold.ptb --measure 'Average Crossing,Labelled F1'",
        "trees ada=ada-trees bix=bix-trees --labelled",
        "gold.ptb ada=ada.ptb bix=bix.ptb --like evalb",
        "trees ada=ada-trees bix=bix-trees gold=trees --like evalb --prm evalb.prm --measure 'Labelled F1,No Crossing'",
        "gold.ptb ada=ada.ptb bix=bix.ptb --judgements judged-both.tsv",
        "gold.ptb ada=ada.ptb bix=bix.ptb --judgements half-judged.tsv --inheritance literal",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by upos",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by deprel,length --lexicon more.conllu --details",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by distance,direction,feats --cluster sentence",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by document --measure LAS,UPOS",
        "gold.conllu ada=ada.conllu bix=bix.conllu cleo=gold.conllu --by xpos --measure LAS --cluster sentence",
        "gold.conllu ada=ada.conllu bix=bix.conllu cleo=gold.conllu --by upos --details --adjust holm-all",
        "gold.conllu ada=ada.conllu --runs three=bix.conllu,ada.conllu,bix.conllu --measure LAS --by upos",
        "gold.conllu ada=ada.conllu bix=bix.conllu --by upos --measure LAS --statistic recall --method percentile",
        "gold.tagged ada=ada.tagged bix=bix.tagged --tagset nkjp --by category --measure PA",
        "gold.key ada=ada.key bix=bix.key --hierarchy senses.txt --by type",
        "classes.tsv ada=answers.tsv bix=classes.tsv --hierarchy classes.txt --by upos --measure hierarchical,brier",
        "gold.ptb ada=ada.ptb bix=bix.ptb --by label --measure 'Labelled F1,Crossing Rate'",
        "trees ada=ada-trees bix=bix-trees --by label,length,document",
    ),
    *_commands(
        "compare",
        "--counts YY=6516,YN=232,NY=343,NN=4309",
        "--counts YY=6516,YN=232,NY=343,NN=4310 --details --svg real-test-{}.svg",
        "--counts YY=900,YN=20,NY=45,NN=35 --margin 0.05 --effect 0.02 --sentences 50 --design-effect 1.5",
    ),
    # noise
    *_commands(
        "noise",
        "--observed 0.9135 --corpus-error 0.03 --ambiguity 2.5",
        "--observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --n 50000",
        "--observed a=0.9 --observed b=0.95 --observed c=0.93 --corpus-error 0.03 --ambiguity 2 --u 0.5 --p 0.8",
        "--observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --ambiguous-share 0.363",
        "--observed 0.9135 --corpus-error 0.03 --ambiguity 2.5 --p 1 --ambiguous-share 0.363 --other-error 0.01",
        "--observed 0.9135 --observed 0.98 --corpus-error 0.03 --ambiguity 2.5 --p 0.7 --p 1 --details --svg x-{}.svg",
        "--observed 0.9135 --observed 0.98 --corpus-error 0.03 --ambiguity 2.5 --p 0.5 --details",
        "gold.conllu ada=ada.conllu bix=bix.conllu --lexicon more.conllu --corpus-error 0.03 --p 0.9 --details",
        "gold.conllu ada.conllu --lexicon more.conllu --corpus-error 0.03",
        "gold.conllu ada=ada.conllu bix=bix.conllu --lexicon more.conllu --corpus-error 0.03 --other-error 0.01",
        "gold.txt ada=ada.tsv bix=bix.txt --lexicon gold.tsv --corpus-error 0.02",
        "plan gold.conllu ada=ada.conllu -o plan-{}.tsv --budget 20 --agreements",
        "plan gold.conllu ada=ada.conllu bix=bix.conllu -o carried-{}.tsv --budget 30 --carry judged-two.tsv",
        "plan gold.conllu ada=ada.conllu bix=bix.conllu -o plans-{}.tsv --budget 20 --column deprel",
        "estimate gold.conllu ada=ada.conllu --judgements judged-one.tsv --corpus-error 0.03",
        "plan gold.conllu ada=ada.conllu bix=bix.conllu -o judges-{}.tsv --budget 20 --judges 2 --overlap 5",
        "plan gold.conllu ada=ada.conllu bix=bix.conllu -o more-{}.tsv --budget 20 --judges 2 --overlap 5 --details",
        "plan gold.conllu ada=ada.conllu -o named-{}.tsv --budget 20 --agreements --judge ina --judge jan --overlap 20",
        "estimate gold.conllu ada=ada.conllu bix=bix.conllu --judgements judged-two.tsv",
        "estimate gold.conllu ada=ada.conllu bix=bix.conllu --judgements judged-two.tsv --judgements again-two.tsv",
        "estimate gold.conllu ada=ada.conllu --judgements judged-all.tsv --judgements again-all.tsv",
        "estimate gold.conllu ada=ada.conllu --judgements judged-all.tsv --corpus-error 0.2 --cluster sentence",
        "estimate gold.conllu ada=ada.conllu bix=bix.conllu --judgements half-two.tsv",
        "estimate gold.conllu ada=ada.conllu --judgements half-all.tsv --judgements few-all.tsv",
        "estimate gold.conllu ada=ada.conllu --judgements judged-one.tsv --corpus-error 0.03 --details",
        "estimate gold.conllu ada=ada.conllu bix=bix.conllu --judgements judged-two.tsv --details",
    ),
    # the gold
    *_commands("repeats", "gate.conllu", "--between gate.conllu gates.conllu", marked=True),
    *_commands("repeats", "gate.conllu --against gates.conllu --column upos+deprel --top 1", marked=True),
    *_commands("repeats", "gate.conllu --dependencies", "gate.conllu gates.conllu --disjoint", marked=True),
    *_commands("repeats", "gate.conllu --check", "gates.conllu --check --baseline baseline.json", code=1, marked=True),
    *_commands("repeats", "gate.conllu --check --baseline baseline.json --worklist work-{}.tsv", marked=True),
    *_commands("repeats", "gate.conllu --worklist carried-repeats-{}.tsv --carry judged-repeats.tsv", marked=True),
    *_commands("repeats", "gate.conllu --tokenisation --min-words 5", marked=True),
    *_commands("repeats", "gate.conllu --check --exceptions exceptions.tsv", marked=True),
    *_commands(
        "repeats",
        "gates.conllu --check --exceptions exceptions.tsv --write-exceptions written-{}.tsv",
        "gate.conllu --check --exceptions few-exceptions.tsv",
        "gates.conllu --check --baseline baseline.json --exceptions exceptions.tsv",
        code=1,
        marked=True,
    ),
    *_commands("repeats", "gate.conllu --marked", "gate.conllu --top 1 --worklist first-{}.tsv", marked=True),
    *_commands(
        "repeats",
        "gate.tsv",
        "gate.txt",
        "twice.xml --column xpos --min-words 2",
        "twice.plain --column xpos --min-words 2",
        "twice.dag --column xpos --min-words 2",
        "UD_One UD_Two --table 4",
        "UD_One UD_Two --table 5",
        "UD_One UD_Two --table 6",
        "UD_One UD_Two --table 8",
    ),
    *_commands(
        "correct",
        "gate.conllu --judgements judged-repeats.tsv --generalise",
        "gate.conllu --judgements judged-repeats.tsv -o corrected-{}.conllu --log corrected-{}.log",
        "--precision --judgements judged-repeats.tsv",
        "gate.conllu --judgements open-repeats.tsv",
        "gate.conllu --judgements judged-repeats.tsv --with lemma -o corrected-with-{}.conllu",
        "gate.conllu --judgements judged-heads.tsv -o corrected-heads-{}.conllu",
        *(f"twice.{name} --judgements judged-{name}.tsv -o corrected-{{}}.{name}" for name in _WITH_INTERPRETATIONS),
    ),
    *_commands(
        "diff",
        "gold.conllu newer.conllu",
        "older.conllu newer.conllu --details --top 0",
        "gold.conllu newer.conllu --column upos --column feats,head --details --top 2",
        "gold.conllu gold.conllu --check",
        "gold.conllu newer.conllu --rescore ada.conllu",
        "gold.conllu newer.conllu --rescore ada=ada.conllu bix=bix.conllu",
        "gold.conllu ada.conllu --rescore ada=ada.conllu --rescore gold=gold.conllu --level 0.9 --details",
        "gold.conllu newer.conllu --worklist changes-{}.tsv",
        "gold.conllu newer.conllu --worklist carried-changes-{}.tsv --carry judged-changes.tsv",
        "UD_One UD_Two --details",
        "gold.conllu,more.conllu newer.conllu,more.conllu",
        "gold.tsv ada.txt",
        "gold.xml ada.plain --column xpos",
        "gold.conllu bix.tsv",
    ),
    *_commands("diff", "gold.conllu newer.conllu --check", code=1),
    *_commands(
        "diverge --splits 4",
        "gold.conllu gates.conllu",
        "one=gold.conllu two=gate.conllu three=gates.conllu --features words",
        "UD_One UD_Two",
        "gold.tsv gate.txt --features labels",
        "gold.xml twice.dag --column xpos",
        "documents.conllu gold.conllu --permutations 39",
        "documents.conllu gold.conllu gates.conllu --permutations 19 --features both",
        "gold.conllu gates.conllu --preset paper",
        "UD_One UD_Two --preset paper",
    ),
    *_commands(
        "leaks",
        "more.conllu gold.conllu",
        "more.conllu gold.conllu --details --near 0.5 --min-words 9",
        "more.conllu,gate.conllu gold.conllu ada=ada.conllu --measure UPOS,LAS",
        "more.conllu gold.conllu ada=ada.conllu bix=bix.conllu --details",
        "more.conllu gold.conllu ada=ada.conllu bix=bix.conllu cleo=gold.conllu --resamples 0 --measure LAS",
        "gold.conllu gold.conllu ada=ada.conllu --min-words 1",
        "gates.conllu gate.conllu --min-words 3 --check",
        "UD_One UD_One",
        "gold.tsv gold.txt ada=ada.tsv",
        "gold.xml gold.dag --column xpos",
        "more.conllu gold.conllu -o clean-{}.conllu",
    ),
    *_commands("leaks", "more.conllu gold.conllu --check", code=1),
    *_commands(
        f"agree {_FEW}",
        "ada.conllu bix.conllu",
        "ada=ada.conllu bix=bix.conllu gold=gold.conllu --column las",
        "ada.conllu bix.conllu --column head",
        "gold.txt ada.tsv --top 0",
        "gold.xml ada.plain bix.dag --column xpos",
        "ada.key bix.key --hierarchy senses.txt",
        "gold.key ada.key bix.key --resamples 0",
        "classes.tsv answers.tsv --hierarchy classes.txt",
        "ada.key bix.key gold.key --hierarchy senses.txt --learn-from gold.key --alpha 0.5 --details",
        "classes.tsv answers.tsv --hierarchy classes.txt --downward downward.tsv --details",
        "ada.conllu bix.conllu --disagreements differ-{}.tsv --agreed same-{}.conllu --worklist decide-{}.tsv",
        "ada=ada.conllu bix=bix.conllu --worklist carried-decide-{}.tsv --carry judged-upos.tsv",
        "ada=ada.conllu bix=bix.conllu --judgements judged-upos.tsv",
        "ada=ada.conllu bix=bix.conllu gold=gold.conllu --column las --judgements judged-las.tsv "
        "--adjudicated adjudicated-{}.conllu",
        "ada=ada.key bix=bix.key --judgements judged-senses.tsv --adjudicated adjudicated-{}.key --agreed same-{}.key",
    ),
    *_commands("measures", "items.json", "few-items.json", "ada=items.json bix=few-items.json"),
    *_commands("measures", "--confusion matrix.tsv", "--confusion matrix.csv"),
    # files
    *_commands(
        "convert",
        "gold.conllu -o converted-{}.conllu --to conllu",
        "gold.conllu -o converted-{}.tsv --to tsv --column upos",
        "gold.conllu -o converted-{}.xml --to xces",
        "gold.conllu -o converted-{}.krnnt --to krnnt --column feats -v",
        "gold.ccl -o converted-{}.plain --to plain",
        "gold.concraft -o converted-{}.ccl --to ccl",
        "gold.krnnt -o converted-{}.dag --to dag --input krnnt",
        "gold.plain -o converted-{}.dag.gz --to dag",
        "sure.tagged -o sure-{}.dag --to dag",
        "gold.txt -o text-{}.conllu --to conllu --column upos",
        "gold.ptb -o words-{}.tsv --to tsv",
        "gold.ptb -o trees-{}.ptb --to brackets",
        "--check gold.conllu more.conllu gold.ptb gold.xml gold.txt",
    ),
    # karat's own taggers
    *_commands(
        "train",
        "most-frequent gold.conllu -o most-{}.karat --suffixes",
        "most-frequent gold.txt -o text-{}.karat --column xpos --no-calibration",
        "hmm gold.conllu,more.conllu -o hmm-{}.karat --order 1 --column upos+feats",
        "hmm gold.xml -o rich-{}.karat --column xpos",
        "layered-trees gold.conllu -o trees-{}.karat --forest --no-calibration",
        "relaxation gold.conllu -o relaxation-{}.karat --constraints BTC --update textbook --no-calibration",
        "perceptron gold.conllu -o perceptron-{}.karat --epochs 2 --features paper --history gold --seed 3",
        "brill gold.conllu -o brill-{}.karat --threshold 4 --column xpos",
        "perceptron gold.conllu -o candidates-{}.karat --epochs 1 --lexicon more.conllu --no-calibration",
        "perceptron gold.conllu -o categories-{}.karat --epochs 1 --tagset ud --lexicon more.conllu --no-calibration",
        "hmm gold.conllu -o lexicon-{}.karat --lexicon more.conllu --no-calibration",
        "pcfg gold.ptb -o pcfg-{}.karat",
        "pcfg trees -o pcfg-folder-{}.karat --vertical 2 --horizontal 1 --smoothing 0",
        "pcfg gold.ptb,ada.ptb -o pcfg-two-{}.karat --vertical 3 --horizontal 0",
        "pcfg gold.ptb.gz -o pcfg-gz-{}.karat -v",
        "perceptron gold.ptb -o perceptron-trees-{}.karat --epochs 2",
        "most-frequent trees -o most-frequent-trees-{}.karat -v",
    ),
    *_commands(
        "tag",
        "-m hmm.karat ada.conllu -o tagged-{}.conllu",
        "-m hmm.karat gold.txt -o tagged-{}.txt -v",
        "-m hmm.karat gold.xml -o tagged-{}.tsv",
        "-m hmm.karat ada.conllu --tags several --share 0.2 -o several-{}.tsv",
        "-m hmm.karat ada.conllu --probabilities -o sure-{}.tsv.gz",
        "--system most-frequent:suffixes=yes gold.conllu --folds 3 --fold-by sentence --probabilities -o folds-{}.tsv",
        "--system hmm gold.conllu --folds 4 --jobs 2 --seed 1 -o folds-{}.conllu",
        "--system hmm gold.conllu --folds 2 --document-from sent_id -o by-comment-{}.conllu",
        "-m hmm.karat ada.conllu --map coarse.tsv -o mapped-{}.conllu",
    ),
    *_commands(
        "parse",
        "-m pcfg.karat gold.ptb -o parsed-{}.ptb --parses parses-{}.txt",
        "-m pcfg.karat trees -o parsed-folder-{}.ptb --threshold 0.9 -v",
        "-m pcfg.karat gold.ptb,ada.ptb -o parsed-two-{}.ptb --jobs 2",
        "-m pcfg.karat gold.ptb.gz -o parsed-{}.ptb.gz --beam 5",
        "-m pcfg.karat trees.slashes -o parsed-slashes-{}.ptb",
        "-m pcfg.karat trees.tsv -o parsed-tsv-{}.ptb --seconds 30",
        "-m pcfg.karat ada.conllu -o parsed-xpos-{}.ptb --parses parses-xpos-{}.txt",
        "-m pcfg.karat upos-only.conllu -o parsed-upos-{}.ptb",
        "-m pcfg.karat trees.txt -o parsed-plain-{}.ptb",
        "-m pcfg.karat trees.txt -o parsed-tagger-{}.ptb --tagger xpos.karat",
        "-m pcfg.karat missing.ptb -o parsed-missing-{}.ptb --parses parses-missing-{}.txt",
    ),
    # suspects
    *_commands(
        "suspects",
        "gates.conllu --system most-frequent --folds 3 --fold-by sentence --taggers 1",
        "gates.conllu --rank repeats --against gate.conllu",
        "gates.conllu --rank tagger --system hmm --folds 3 --taggers 2 --top 3",
        "gates.conllu --column lemma --system most-frequent --folds 3 --taggers 1 --top 0",
        "gates.conllu --probabilities-from gates-likely.tsv --judgements judged-suspects.tsv --estimate --level 0.9",
        "gates.conllu --rank repeats --baseline known-suspects.json",
        "UD_One --system most-frequent --folds 2 --taggers 1 --worklist suspects-{}.tsv --random 5",
    ),
    *_commands("suspects", "gates.conllu --rank repeats --check", code=1),
    # experiments
    *_commands(
        "grid",
        "UD_One UD_Two -o grid-of-two --system most-frequent --seeds 2",
        "UD_One UD_Two --test gold.conllu -o grid-of-three --system most-frequent --system hmm:order=1 --seeds 1",
        "UD_One -o grid-of-sizes --system most-frequent --sizes 3,5 --seeds 1 --measure UPOS",
        "gold.conllu -o grid-of-folds --system most-frequent --folds 3 --fold-by sentence --seeds 1",
        "grid.toml -o grid-of-toml --level 0.9",
        "UD_One -o grid-of-comments --system most-frequent --folds 2 --seeds 1 --document-from sent_id "
        "--document-pattern (.)$ --without-duplicates --map coarse.tsv",
        "--from a-grid",
    ),
    *_commands(
        "grid --from a-grid --table",
        *("matrix", "matrix --details --level 0.9", "matrix --cluster sentence --svg matrix-{}.svg"),
        *("ignoring --svg ignoring-{}.svg", "ignoring --details", "correlation --details", "suspicious --details"),
        *("runs", "totals", "cost", "cost --details"),
    ),
    *_commands("grid --from a-french-grid --table", "table1", "matrix --svg french-{}.svg", "runs", "cost --details"),
    *_commands("grid --from a-curve --table", "curve --svg curve-{}.svg", "curve --details", "matrix"),
    *_commands("grid --from some-folds --table", "matrix --details"),
    Command("grid --from a-grid --table list", only_text=True),
    *_commands(
        "reproduce",
        *("", "--details", "padro-1998 melamed-2000 -o papers-{}"),
        *("wisniewski-2019 --quick --data ud-2.3", "--quick --data . --details"),
    ),
    *_commands(
        "reproduce wisniewski-2019 --seeds 2",
        "--data ud-2.3 -o reproduced-{}",
        "--data . -o again --details",
    ),
    *_commands("grid", "broken-grid.toml -o grid-broken", code=1),
    # tags
    *_commands(
        "attach groups",
        "gold.conllu",
        "gold.conllu -n 3 --details",
        "gold.conllu --groups groups.toml --tagset penn -n 0",
        "upos-only.conllu --tagset ud",
        "gold.tsv -n 0",
        "gold.txt",
        "gold.tagged --map nkjp.tsv",
        "gold.xml --tagset nkjp --groups nkjp",
        "gold.ccl",
        "ada.plain -n 1",
        "gold.krnnt",
        "gold.dag --details",
        "gold.concraft",
        "trees.tsv --map penn-upos",
    ),
    *_commands(
        "attach evaluate",
        "gold.conllu --stats words.stats --folds 2 --resamples 100 --max-words 14",
        "gold.conllu --stats words.stats --folds 2 --by document --details --resamples 0 --classifiers decision-tree",
        "gold.conllu --stats words.stats --folds 3 --classifiers decision-tree,forest --max-words 30 "
        "--sentences 20 --rules attach-rules.toml --details",
    ),
    *_commands(
        "attach train",
        "gold.conllu --stats words.stats -o attach-{}.karat --max-words 14",
        "gold.conllu --stats words.stats -o attach-short-{}.karat --max-words 12 --seed 3 --jobs 2 -v",
    ),
    *_commands(
        "attach apply",
        "-m attach.karat ada.conllu -o attached-{}.conllu",
        "-m attach.karat ada.conllu -o attached-{}.conllu.gz -v",
    ),
    *_commands(
        "attach stats",
        "gold.conllu -o one-{}.stats",
        "gold.conllu ada.conllu,more.conllu -o two-{}.stats --wordnet wordnet",
        "gold.conllu -o other-{}.stats --wordnet wordnet --lemmas lemmas.tab --groups ud",
        "gold.conllu -o penn-{}.stats --groups groups.toml --tagset penn -v",
        "gold.txt upos-only.conllu -o forms-{}.stats --tagset ud",
        "gold.tagged -o mapped-{}.stats --map nkjp.tsv",
    ),
    *_commands(
        "tagset",
        "check nkjp gold.tagged",
        "check ud gold.conllu",
        "check nkjp gold.xml",
        "check ud gold.conllu more.conllu,gold.conllu",
        "show nkjp adv:pos",
    ),
    *_commands("tagset", "show ud 'NOUN|Case=Acc|Number=Sing'", "show nkjp ger:sg:nom.acc:n:perf:aff"),
    *_commands("tagset", "check nkjp wrong.tagged", code=1),
    *_commands(
        "tagset compare",
        "nkjp subst:sg:nom:m1 subst:sg:acc:m1",
        "nkjp subst:sg:nom:n ger:sg:nom.acc:n:perf:aff --weights conditional.toml --slots declared",
        "ud 'NOUN|Case=Nom' 'NOUN|Case=Acc|Number=Sing' --ignore-category Number --missing-weight 0",
    ),
    *_commands(
        "weights",
        "ambiguity gold.tagged",
        "ambiguity gold.plain --conditional -o weights-{}.toml",
        "ambiguity gold.conllu --tagset ud --lexicon more.conllu --per word",
        "queries queries.log",
        "queries queries.log --corpus gold.tagged",
        "rules uses.jsonl",
        "rules --grammar polish.fcfg --sentences sentences.txt",
        "rules uses.jsonl --conditional --normalise",
        "show poliqarp-2010",
        "show conditional.toml",
    ),
    # to try things out
    *_commands("simulate", "-o simulated-{} --tokens 300", "-o noisy-{} --tokens 300 --kind systematic --noise 0.1"),
    *_commands("demo", "-o demo-{}"),
    *_commands(
        "report",
        "score.json compare.json -o both-{}.html",
        "score.json --baseline before.json -o since-{}.html --title 'Week 3' --sentences 5",
        "trees.json -o trees-{}.html --figures figures-{}",
    ),
]

_WORDNET = {
    "data.noun": "00000100 03 n 01 thing 0 000 | all there is  \n"
    "00000300 06 n 01 bridge 0 001 @ 00000100 n 0000 | what spans a river  \n",
    "index.noun": "bridge n 1 1 @ 1 0 00000300  \nthing n 1 1 ~ 1 0 00000100  \n",
}


# ---- the files -------------------------------------------------------------------------------------------------------

_TAGGED = {  # of each word the tags of the gold, ada and bix, then another that it might have
    "Stary": ("adj:sg:nom:m3:pos", "adj:sg:nom:m3:pos", "adj:sg:acc:m3:pos", "subst:sg:nom:m1"),
    "most": ("subst:sg:nom:m3", "subst:sg:acc:m3", "subst:sg:nom:m3", "subst:sg:acc:m3"),
    "stoi": ("fin:sg:ter:imperf", "fin:sg:ter:imperf", "fin:sg:ter:imperf", "subst:sg:nom:f"),
    "tam": ("adv", "adv", "part", "part"),
    "Rano": ("adv:pos", "adv:pos", "subst:sg:nom:n", "subst:sg:nom:n"),
    "pada": ("fin:sg:ter:imperf", "fin:sg:ter:imperf", "fin:sg:ter:imperf", "part"),
    "deszcz": ("subst:sg:nom:m3", "subst:sg:nom:m3", "subst:sg:acc:m3", "subst:sg:acc:m3"),
    "Wtedy": ("adv", "part", "adv", "part"),
    "jadą": ("fin:pl:ter:imperf", "fin:pl:ter:imperf", "fin:pl:ter:imperf", "subst:pl:nom:f"),
    "łodzie": ("subst:pl:nom:f", "subst:pl:acc:f", "subst:pl:nom:f", "subst:pl:acc:f"),
}
_LENGTHS = (4, 3, 3)
_GATE = [
    sentence("the/DET", "old/ADJ", "gate/NOUN", "creaks/VERB", sent_id="g1"),
    sentence("the/DET", "old/ADJ", "gate/NOUN", "sticks/VERB", sent_id="g2"),
    sentence("So/ADV", "the/DET/3/det", "old/NOUN", "gate/NOUN", "fell/VERB", sent_id="g3"),
    sentence("we/PRON", "may/AUX", "well/ADV", "win/VERB", sent_id="g4"),
    sentence("we/PRON", "may/AUX", "well/INTJ", "lose/VERB", sent_id="g5"),
]
_GATES = [
    sentence("near/ADP", "the/DET", "old/PROPN", "gate/NOUN", "grass/NOUN", sent_id="o1"),
    sentence("near/ADP", "the/DET", "old/PROPN", "gate/VERB", "grows/VERB", sent_id="o2"),
    sentence("rain/NOUN", "fell/VERB", "on/ADP", "us/PRON", sent_id="o3"),
    sentence("rain/NOUN", "fell/VERB", "on/ADP", "it/PRON", sent_id="o4"),
]
_TEXTS = {
    "senses.txt": "A\n\tA.1\n\t\tA.1a\n\t\tA.1b\n\tA.2\nB\n\tB.1\n\tB.2\n\tB.3\n",
    "gold.key": "onion.n onion.n.1 A.1a\nonion.n onion.n.2 B\npear.n pear.n.1 A.1 A.2\npear.n pear.n.2 A.1a B.2\n"
    "plum.n plum.n.1 B.3\nplum.n plum.n.2 A.2\n",
    "ada.key": "onion.n onion.n.1 A/0.6 B.1/0.4 !! unsure\nonion.n onion.n.2 A\npear.n pear.n.1 A\n"
    "pear.n pear.n.2 A.1 B\nplum.n plum.n.2 A.2\n",
    "bix.key": "onion.n onion.n.1 A.1a\nonion.n onion.n.2 B.1\npear.n pear.n.1 B\npear.n pear.n.2 A.1a\n"
    "plum.n plum.n.1 B.3/0.9 A/0.1\nplum.n plum.n.2 B\n",
    "classes.txt": "nominal\n  NOUN\n  PRON\n  ADJ\n  DET\nverbal\n  VERB\n  AUX\n",
    "downward.tsv": "verbal\tVERB\t0.8\nverbal\tAUX\t0.2\n",
    "classes.tsv": "an\tDET\nold\tADJ\nmill\tNOUN\nturns\tVERB\n\nwe\tPRON\nwait\tVERB\n\n"
    "it\tPRON\nis\tAUX\nold\tADJ\n",
    "probable.tsv": "an\tDET\t1\nold\tADJ\t0.75\tNOUN\t0.25\nmill\tNOUN\t1\nturns\tVERB\t1\n\nwe\tPRON\t1\n"
    "wait\tVERB\t1\n\nit\tPRON\t1\nis\tAUX\t0.5\tVERB\t0.5\nold\tADJ\t1\n",
    "answers.tsv": "an\tDET\nold\tNOUN:=0.75\tADJ:=0.25\nmill\tnominal\nturns\tNOUN\n\nwe\tPRON\nwait\tVERB\tNOUN\n\n"
    "it\tPRON\nis\tVERB\nold\tADJ\n",
    "odd.ptb": "(TOP (S (NP) (NP (NN Rain)) (VP (VBZ falls))))\n(TOP (S (NP (PRP We)) (VP (VBP wait))))\n(TOP)\n",
    "odd-ada.ptb": "(TOP (S (NP (NN Rain)) (VP (VBZ falls))))\n(S1 (S))\n(NULL)\n",
    "traces.ptb": "(S (NP (DT The) (NN mill)) (VP (VBD stood) (NP (-NONE- *))))\n(S (NP (PRP We)) (VP (VBD left)))\n",
    "traces-ada.ptb": "(S (NP (DT The) (NN mill) (VBD stood)))\n(S (NP (PRP We)) (VP (VBD left)))\n",
    "parses.txt": "".join(f"{number}\n" for number in range(1, 21)),
    "evalb.prm": "DELETE_LABEL ROOT\nDELETE_LABEL .\nLABELED 1\n",
    "items.json": json.dumps(
        {"TTB": 120, "TPB": 110, "EMA": 80, "EMR": 2, "CEA": 3, "CER": 9, "SPA": 14, "SPR": 2}
        | {"PINH": 5, "PNINH": 7, "TINH": 50, "TNINH": 32}
    ),
    "few-items.json": '{"TTB": 12, "TPB": 8, "EM": 6}',
    "wrong.tagged": "a\tsubst:sg:nom:f\nb\tsubst:sg:nomm:f\n\nc\tsubst:sg:nomm:f\nd\tnoun\n",
    "sure.tagged": "".join(
        f"{word}\t{gold}:=0.75\t{other}:=0.25\n" + "\n" * (word in ("tam", "deszcz"))
        for word, (gold, _, _, other) in _TAGGED.items()
    ),
    "queries.log": '[pos=subst & case=acc]\n[pos="sub.*" & case!=nom]\n[tag="adj:sg:.*"]\nmost\n',
    "uses.jsonl": '{"sentence": "s1", "rule": "NP -> adj subst", "terminals": [{"pos": "adj", "categories": ["case"]}, '
    '{"pos": "subst", "categories": ["pos", "case"]}]}\n'
    '{"sentence": "s2", "rule": "NP -> subst", "terminals": [{"pos": "subst", "categories": ["pos", "case"]}]}\n',
    "lemmas.tab": "# made up\n00000300-n\txx:lemma\tmorning\n00000300-a\txx:lemma\tmorning\n00000100-n\txx:exe\ta b\n",
    "attach-rules.toml": 'tagset = "ud"\n[classes]\nnoun = ["NOUN", "PRON"]\n'
    '[[rule]]\nname = "argument"\nparent = "VERB"\nchild = "noun"\n'
    '[[rule]]\nname = "number"\nparent = "NOUN"\nchild = "NUM"\nagree = ["number"]\n',
    "groups.toml": 'about = "Of Penn tags."\ntagset = "penn"\n[words]\nthe = { pos = "DT" }\nin = { pos = "IN" }\n'
    'noun = { pos = ["NN", "NNS"] }\n[[rule]]\nname = "noun"\nmakes = "nominal"\npattern = "the noun"\nhead = "noun"\n'
    '[[rule]]\nname = "in the noun"\nmakes = "prepositional"\npattern = "in noun|nominal"\nsyntactic-head = "in"\n'
    'semantic-head = "2"\n',
    "coarse.tsv": "# open and closed classes\nNOUN\topen\nVERB\topen\nADJ\topen\nnsubj\tsubj\n*\tclosed\n",
    "nkjp.tsv": "part\tadv\n",
    "exceptions.tsv": "#schema karat/exceptions/1\nkind\tcolumn\ttext\tlabels\treason\n"
    "repeat\tupos\tthe old gate\t\ta name, or not\n"
    "repeat\tupos\twe may well\tPRON AUX ADV | PRON AUX INTJ\tboth are said\n",
    "few-exceptions.tsv": "#schema karat/exceptions/1\nkind\tcolumn\ttext\tlabels\treason\n"
    "repeat\tupos\tthe old gate\t\t\n"
    "repeat\tupos\twe may well\tPRON AUX ADV | PRON AUX INTJ\tboth are said\n",
    "matrix.tsv": "\tNOUN\tVERB\tADJ\nNOUN\t80\t5\t3\nVERB\t4\t60\t0\nX\t1\t2\t0\n",
    "matrix.csv": 'gold,a,"b,c"\na,3,0\n"b,c",0,4\nd,0,0\n',
    "conditional.toml": 'schema = "karat/weights/1"\nmade = "by hand"\n[weights]\npos = 3\ncase = 2\n'
    "[conditional.subst]\npos = 2\ncase = 1.5\n[conditional.adv]\npos = 1\n",
}


def write_inputs(folder: Path) -> None:
    """All files that commands read and that no command of karat has to make."""
    for name, text in _TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for path in (*EXAMPLES.glob("*.*"), *(GRAMMAR / name for name in ("polish.fcfg", "sentences.txt"))):
        shutil.copy(path, folder)
    for name in ("gold", "ada", "bix"):
        _write_words(folder, name)
        _write_trees(folder, name)
    conllu(
        folder / "more.conllu",
        *_GATE,
        *_GATES,
        (folder / "ada.conllu").read_text(encoding="utf-8")[:6000].rpartition("\n\n")[0] + "\n\n",
    )
    (folder / "none.ptb").write_text(
        "\n" * (folder / "gold.ptb").read_text(encoding="utf-8").count("\n"), encoding="utf-8"
    )
    _write_words_of_trees(folder)
    _write_odd_words(folder)
    _write_newer(folder)
    text = (folder / "ada.conllu").read_text(encoding="utf-8")
    (folder / "broken.conllu").write_text(text.replace("\t0\troot\t", "\t99\troot\t", 1), encoding="utf-8")
    for number, name in enumerate(("gold", "ada", "bix")):
        rows = [(word, tags[number], tags[3]) for word, tags in _TAGGED.items()]
        _write_analysed(folder, name, _in_sentences(rows))
    twice = [
        [("a", "conj", "part"), ("dom", tag, "adv"), (last, "adv", "part")]
        for tag, last in (("subst:sg:nom:m3", "tu"), ("subst:sg:acc:m3", "tam"))
    ]
    _write_analysed(folder, "twice", twice)
    numbered = [sentence(f"w{i % 5}/NOUN", f"w{i % 3}/VERB", f"n{i}/X", newdoc=f"d{i}") for i in range(9)]
    conllu(folder / "documents.conllu", *numbered)
    conllu(folder / "gate.conllu", *_GATE)
    conllu(folder / "gates.conllu", *_GATES)
    _write_words(folder, "gate")
    (folder / "wordnet").mkdir()
    for name, text in _WORDNET.items():
        (folder / "wordnet" / name).write_text(text, encoding="utf-8")
    for name, train, test in (("One", _GATE, _GATES[2:]), ("Two", _GATES, _GATE[:2])):
        (folder / f"UD_{name}").mkdir()
        conllu(folder / f"UD_{name}" / f"en_{name.lower()}-ud-train.conllu", *train)
        conllu(folder / f"UD_{name}" / f"en_{name.lower()}-ud-test.conllu", *test)
    for number, name in enumerate(("English-EWT", "English-PUD", "French-Sequoia", "French-GSD")):
        parts = {"test": 20} if name.endswith("PUD") else None
        small_treebank(folder / "ud-2.3" / f"UD_{name}", number, parts=parts)
    nouns = """awk 'BEGIN { FS = OFS = "\\t" } NF == 10 { $4 = "NOUN" } { print }' "$0" > "$1"; test -e "$2" """
    commands = {
        "grid": f"""train = ["cp", "{{train}}", "{{model}}"]
tag = ["sh", "-c", {json.dumps(nouns)}, "{{input}}", "{{output}}", "{{model}}"]""",
        "broken-grid": 'command = ["false", "{train}", "{input}", "{output}"]',
    }
    for name, command in commands.items():
        systems = f'[[systems]]\nname = "mine"\n{command}\n[[systems]]\nname = "most-frequent"\n'
        (folder / f"{name}.toml").write_text(f'corpora = ["UD_One"]\ntests = ["UD_Two"]\nseeds = 1\n{systems}')


def write_judgements(karat: Callable[..., str], folder: Path) -> None:
    """Worklists that `karat` itself writes in that folder, with verdicts, a baseline, a model and grids."""
    karat(*"train hmm gold.conllu -o hmm.karat".split())
    karat(*"train hmm trees.tsv -o xpos.karat --column xpos".split())
    karat(*"train pcfg gold.ptb -o pcfg.karat".split())
    karat(*"attach stats gold.conllu ada.conllu -o words.stats".split())
    karat(*"attach train gold.conllu --stats words.stats -o attach.karat".split())
    karat(*"tag --system hmm gates.conllu --folds 3 --probabilities -o gates-likely.tsv".split())
    for name, call in (
        ("score.json", "score gold.conllu ada=ada.conllu bix=bix.conllu"),
        ("before.json", "score gold.conllu ada=bix.conllu"),
        ("compare.json", "compare gold.conllu ada=ada.conllu bix=bix.conllu"),
        ("trees.json", "compare gold.ptb ada=ada.ptb bix=bix.ptb"),
    ):
        (folder / name).write_text(karat(*call.split(), "--json"))
    (folder / "known-suspects.json").write_text(karat(*"suspects gates.conllu --rank repeats --json".split()))
    for grid in (
        "UD_One UD_Two -o a-grid --system most-frequent --seeds 2",
        "ud-2.3/UD_French-Sequoia ud-2.3/UD_French-GSD -o a-french-grid --system most-frequent --system hmm --seeds 1",
        "ud-2.3/UD_English-EWT -o a-curve --system most-frequent --sizes 20,60 --seeds 3",
        "ud-2.3/UD_English-EWT -o some-folds --system most-frequent --folds 3 --seeds 2",
    ):
        karat("grid", *grid.split())
    suspects = "suspects gates.conllu --probabilities-from gates-likely.tsv --random 10 --worklist"
    for call, path, verdicts in (
        (suspects, "judged-suspects.tsv", ("error",)),  # a word may be in both parts of the list
        ("score gold.ptb ada.ptb --include-exact --worklist", "judged-brackets.tsv", ("accept", "reject", "accept")),
        ("score gold.ptb ada.ptb --include-exact --sample 20 --worklist", "sampled-brackets.tsv", ("accept", "reject")),
        (
            "score gold.ptb ada=ada.ptb bix=bix.ptb --include-exact --sample 30 --worklist",
            "sampled-both.tsv",
            ("accept", "reject"),
        ),
        ("score gold.ptb ada=ada.ptb bix=bix.ptb --worklist", "judged-both.tsv", ("accept", "reject")),
        ("score gold.ptb ada=ada.ptb bix=bix.ptb --same-style --worklist", "half-judged.tsv", ("accept", "")),
        ("noise plan gold.conllu ada=ada.conllu --budget 30 -o", "judged-one.tsv", ("a", "a", "none")),
        ("noise plan gold.conllu ada=ada.conllu bix=bix.conllu --budget 30 -o", "judged-two.tsv", ("a", "none")),
        ("noise plan gold.conllu ada=ada.conllu bix=bix.conllu --budget 30 -o", "again-two.tsv", ("a", "none", "a")),
        ("noise plan gold.conllu ada=ada.conllu --agreements --budget 40 -o", "judged-all.tsv", ("a",)),
        ("noise plan gold.conllu ada=ada.conllu --agreements --budget 40 -o", "again-all.tsv", ("a",) * 9 + ("none",)),
        (
            "noise plan gold.conllu ada=ada.conllu bix=bix.conllu --budget 30 -o",
            "half-two.tsv",
            (*("a", "none") * 10, *[""] * 10),
        ),
        ("noise plan gold.conllu ada=ada.conllu --agreements --budget 40 -o", "half-all.tsv", (*"a" * 20, *[""] * 20)),
        ("noise plan gold.conllu ada=ada.conllu --agreements --budget 40 -o", "few-all.tsv", ("none", *[""] * 39)),
        ("repeats gate.conllu --worklist", "judged-repeats.tsv", ("error-in-b", "ambiguity")),
        ("agree ada=ada.conllu bix=bix.conllu --worklist", "judged-upos.tsv", ("ada", "bix", "")),
        (
            "agree ada=ada.conllu bix=bix.conllu gold=gold.conllu --column las --worklist",
            "judged-las.tsv",
            ("gold", "bix", "gold", "ada"),
        ),
        ("agree ada=ada.key bix=bix.key --worklist", "judged-senses.tsv", ("bix",)),
        ("repeats gate.conllu --worklist", "open-repeats.tsv", ("",)),
        ("diff gold.conllu newer.conllu --worklist", "judged-changes.tsv", ("new", "old", "ambiguity", "")),
        ("repeats gate.conllu --dependencies --worklist", "judged-heads.tsv", ("error-in-a", "error-in-b")),
        *(
            (f"repeats twice.{name} --column xpos --min-words 2 --worklist", f"judged-{name}.tsv", ("error-in-b",))
            for name in _WITH_INTERPRETATIONS
        ),
    ):
        karat(*call.split(), path)
        lines = (folder / path).read_text(encoding="utf-8").splitlines()
        head = next(number for number, line in enumerate(lines) if line.startswith("id\t"))
        at = lines[head].split("\t").index("verdict")
        for number, line in enumerate(lines[head + 1 :]):
            cells = line.split("\t")
            cells[at] = verdicts[number % len(verdicts)]
            lines[head + 1 + number] = "\t".join(cells)
        (folder / path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "baseline.json").write_text(karat("repeats", "gate.conllu", "--json"), encoding="utf-8")


def _words(path: Path) -> list[list[list[str]]]:
    blocks = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    rows = [[line.split("\t") for line in block.split("\n") if line.split("\t")[0].isdigit()] for block in blocks]
    return [[row for row in block if " " not in row[1]] for block in rows]


def _write_words(folder: Path, name: str) -> None:
    """A text of CoNLL-U as form TAB tag and as word/TAG; of gold, ada and bix also in folders of treebanks."""
    sentences = _words(folder / f"{name}.conllu")
    tsv = "\n".join("".join(f"{row[1]}\t{row[3]}\n" for row in rows) for rows in sentences)
    slash = "".join(" ".join(f"{row[1]}/{row[3]}" for row in rows) + "\n" for rows in sentences)
    (folder / f"{name}.tsv").write_text(tsv, encoding="utf-8")
    (folder / f"{name}.txt").write_text(slash, encoding="utf-8")
    if name != "gate":
        several = folder / (f"{name}es" if name == "bix" else f"{name}s")
        several.mkdir()
        blocks = (folder / f"{name}.conllu").read_text(encoding="utf-8").split("\n\n")
        (several / "first.conllu").write_text("\n\n".join(blocks), encoding="utf-8")
        (several / "second.conllu").write_text(blocks[0] + "\n\n", encoding="utf-8")


def _write_newer(folder: Path) -> None:
    """A later version of the gold: with conventions, fixes, other words, and sentences that come, go and change."""
    blocks = (
        (folder / "gold.conllu").read_text(encoding="utf-8").replace("newdoc id = ", "newdoc id = the-").split("\n\n")
    )
    blocks = [block.replace("\tADV\t", "\tPART\t").replace("Definite=Def|", "") for block in blocks]
    blocks[2] = blocks[2].replace("\tNOUN\t", "\tPROPN\t", 1)
    blocks[5], blocks[6] = blocks[6], blocks[5]
    blocks[9] = sentence("Dear/ADJ/2/amod", "neighbours/NOUN/0/root", sent_id="a-new-one").strip("\n")
    forms = [line.split("\t")[1] for line in blocks[12].split("\n") if line[0].isdigit()]
    blocks[12] = blocks[12].replace(f"\t{forms[0]}\t", f"\tAt{forms[0]}\t", 1)
    blocks.insert(
        14, sentence("ton/NOUN/0/root", "night/NOUN/1/flat", "?/PUNCT/1/punct", sent_id="retokenised").strip("\n")
    )
    gold = [*(folder / "gold.conllu").read_text(encoding="utf-8").split("\n\n")]
    gold.insert(14, sentence("tonnight/NOUN/0/root", "?/PUNCT/1/punct", sent_id="retokenised").strip("\n"))
    (folder / "older.conllu").write_text("\n\n".join(gold), encoding="utf-8")
    (folder / "newer.conllu").write_text("\n\n".join(blocks), encoding="utf-8")


def _write_odd_words(folder: Path) -> None:
    """Misplaced empty nodes, numbers as the CoNLL 2018 evaluator reads them, lines that end in CR."""
    first, second = "1\tRain\train\tNOUN\tNN\t_\t{}\tnsubj\t_\t_\n", "{}\tfalls\tfall\tVERB\tVBZ\t_\t{}\troot\t_\t_\n"
    node = "2.7\t_\t_\tX\t_\t_\t_\t_\t_\t_\n"
    name = "# sent_id = rain\n"
    plain = name + first.format(2) + second.format(2, 0) + "\n"
    (folder / "odd-nodes.conllu").write_text(plain.replace("2\tfalls", f"{node}2\tfalls"), encoding="utf-8")
    numbers = name + first.format("2\u00a0") + second.format("02", 0) + "\n"
    (folder / "odd-numbers.conllu").write_text(numbers, encoding="utf-8")
    (folder / "cr.conllu").write_bytes(plain.replace("\n", "\r").encode())


def _write_trees(folder: Path, name: str) -> None:
    """Bracketed trees in a folder of two files."""
    several = folder / ("trees" if name == "gold" else f"{name}-trees")
    several.mkdir()
    lines = (folder / f"{name}.ptb").read_text(encoding="utf-8").splitlines(keepends=True)
    for number in (0, 1):
        (several / f"{number}.ptb").write_text("".join(lines[10 * number : 10 * number + 10]), encoding="utf-8")


def _write_words_of_trees(folder: Path) -> None:
    """What gold.ptb has, otherwise: compressed, word/tag, form TAB tag, plain sentences; CoNLL-U with UPOS only."""
    text = (folder / "gold.ptb").read_text(encoding="utf-8")
    (folder / "gold.ptb.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    words = [re.findall(r"\(([^\s()]+) ([^\s()]+)\)", line) for line in text.splitlines()]
    for name, written in (
        ("slashes", [" ".join(f"{form}/{tag}" for tag, form in one) for one in words]),
        ("tsv", ["".join(f"{form}\t{tag}\n" for tag, form in one) for one in words]),
        ("txt", [" ".join(form for _, form in one) for one in words]),
    ):
        (folder / f"trees.{name}").write_text("\n".join([*written, ""]), encoding="utf-8")
    (folder / "missing.ptb").write_text("(())\n(S (NN Rain))\n(())\n", encoding="utf-8")
    rows = [line.split("\t") for line in (folder / "ada.conllu").read_text(encoding="utf-8").splitlines()]
    without = ["\t".join([*row[:4], "_", *row[5:]]) if len(row) == 10 else row[0] for row in rows]
    (folder / "upos-only.conllu").write_text("\n".join([*without, ""]), encoding="utf-8")


_Row = tuple[str, str, str]


def _in_sentences(rows: list[_Row]) -> list[list[_Row]]:
    ends = [sum(_LENGTHS[:number]) for number in range(len(_LENGTHS) + 1)]
    return [rows[start:stop] for start, stop in pairwise(ends)]


def _write_analysed(folder: Path, name: str, sentences: Iterable[list[_Row]]) -> None:
    """A text with a chosen tag and another one for each word: form TAB tag, XCES, CCL, plain, KRNNT's and two DAGs."""
    tagged, plain, dag, xces, krnnt = [], [], [], [], []
    for rows in sentences:
        tagged.append("".join(f"{word}\t{tag}\n" for word, tag, _ in rows))
        plain.append("".join(f"{w}\tspace\n\t{w}\t{tag}\tdisamb\n\t{w}\t{other}\n" for w, tag, other in rows))
        krnnt.append("".join(f"{w}\t{w}\t1\t{tag}\t\t\n" for w, tag, _ in rows))
        dag.append("")
        xces.append("")
        for at, (word, tag, other) in enumerate(rows):
            for one, chosen in ((tag, "disamb"), (other, "")):
                dag[-1] += "\t".join([str(at), str(at + 1), word, word, one, "", "", "1.0", "", "", chosen]) + "\n"
            lexes = f'<lex disamb="1"><base>{word}</base><ctag>{tag}</ctag></lex>'
            lexes += f"<lex><base>{word}</base><ctag>{other}</ctag></lex>"
            xces[-1] += f"<tok><orth>{word}</orth>{lexes}</tok>\n"
    chunks = "".join(f'<chunk type="s">\n{one}</chunk>\n' for one in xces)
    whole = f'<?xml version="1.0" encoding="UTF-8"?>\n<cesAna><chunkList><chunk type="p">\n{chunks}</chunk></chunkList>'
    marks = {"disamb": "1.000", "": "0.000"}
    rows_of_dag = [[row.split("\t") for row in one.splitlines()] for one in dag]
    concraft = ["".join("\t".join([*row[:7], marks[row[10]], "", ""]) + "\n" for row in one) for one in rows_of_dag]
    sentences_of_ccl = "".join(f"<sentence>\n{one}</sentence>\n" for one in xces)
    for ending, text in (
        ("concraft", "\n".join(concraft) + "\n"),
        ("krnnt", "\n".join(krnnt) + "\n"),
        ("ccl", f'<chunkList><chunk type="p">\n{sentences_of_ccl}</chunk></chunkList>\n'),
        ("tagged", "\n".join(tagged)),
        ("plain", "\n".join(plain) + "\n"),
        ("dag", "\n".join(dag) + "\n"),
        ("xml", whole + "</cesAna>\n"),
    ):
        (folder / f"{name}.{ending}").write_text(text, encoding="utf-8")
