"""Options that are fields of dataclasses: the library's and the command line's are the same."""

from __future__ import annotations

from dataclasses import fields

import click
import pytest

from cli_runs import Run
from karat.cli.compare import command as compare
from karat.cli.repeats import command as repeats
from karat.cli.score import command as score
from karat.gold.repeats.options import RepeatOptions
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions
from karat.options import options_of

PAIRS = [
    (verb, options)
    for verb in (score, compare)
    for options in (InferenceOptions, BracketOptions, HierarchyOptions, TagOptions)
] + [(repeats, RepeatOptions)]


@pytest.mark.parametrize(("verb", "options"), PAIRS)
def test_a_command_has_every_option_of_the_dataclass_with_its_default(verb: click.Command, options: type) -> None:
    by_name = {one.name: one for one in verb.params if isinstance(one, click.Option)}
    for one in options_of(options):
        found = by_name[one.name]
        assert one.flag in found.opts
        assert found.help == one.help
        if not one.is_repeatable:
            assert found.get_default(click.Context(verb)) == one.default


@pytest.mark.parametrize("options", [InferenceOptions, BracketOptions, HierarchyOptions, TagOptions, RepeatOptions])
def test_every_help_text_is_a_full_phrase(options: type) -> None:
    for one in options_of(options):
        assert one.help.endswith((".", ")."))
        assert one.help[0].isupper()


def test_fields_without_a_help_text_are_no_options() -> None:
    assert {one.name for one in fields(HierarchyOptions)} - {one.name for one in options_of(HierarchyOptions)} == {
        "column",
        "probabilities",
    }


@pytest.mark.parametrize("number", ["9007199254740993", "-9007199254740993", "9" * 400])
def test_whole_numbers_that_not_everything_can_hold_are_refused(
    capsys: pytest.CaptureFixture[str], number: str
) -> None:
    run = Run(capsys, "repeats", "no.conllu", "--min-words", number)
    assert run.code == 2
    assert "Invalid value for '--min-words'" in run.err
    assert len(run.err) < 300
    assert Run(capsys, "repeats", "no.conllu", "--min-words", "9007199254740992").code == 3
