"""How pages of the site are made from the code: docstrings, signatures, help, schemas, the navigation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import karat
from console_examples import ROOT
from installed_plugins import pretend
from karat.plugin import Comparison, Outcome, WordMeasure

pytest.importorskip("sphinx", reason="the site needs the extra `docs`")
sys.path.insert(0, str(ROOT / "tools"))

from karat_site.docstrings import first_sentence, shown
from karat_site.generated import write_pages
from karat_site.mathml import mathml
from karat_site.measures import pages as measure_pages
from karat_site.names import definition
from karat_site.navigation import OVERVIEWS, entries, with_navigation
from karat_site.outside import relinked
from karat_site.schemas import schema_page, type_of
from karat_site.signatures import Types
from karat_site.verbs import help_of, with_options

DOCS = ROOT / "docs"
NAMES = frozenset({"karat.score", "karat.Scores"})


def test_every_page_of_the_docs_is_in_a_list_of_an_overview() -> None:
    """One that is not would be an orphan, which the build refuses."""
    texts = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in OVERVIEWS}
    listed = {page for name, text in texts.items() for _, _, page in entries(text, name)}
    written = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")}
    assert written - listed == {"index"}


def test_every_page_of_a_list_exists() -> None:
    """Pages outside of docs/ and generated ones apart."""
    for name in OVERVIEWS:
        for _, _, page in entries((DOCS / f"{name}.md").read_text(encoding="utf-8"), name):
            assert page.startswith(("..", "reference/")) or (DOCS / f"{page}.md").is_file(), page


def test_pages_have_no_directives_which_a_forge_would_not_show() -> None:
    assert [path for path in DOCS.rglob("*.md") if "```{" in path.read_text(encoding="utf-8")] == []


def test_a_list_of_links_is_the_navigation() -> None:
    text = "# T\n\n[not](a.md) in a list\n\n## One\n\n- [B](b.md): x\n\n## Two\n\n- [C](c.md)\n"
    text += "<!-- on the site:\n- [D](d.myst)\n-->\n"
    made = with_navigation(text, "index")
    assert "- [D](d.myst)\n" in made
    assert "-->" not in made
    assert made.endswith(
        "```{toctree}\n:hidden:\n:caption: One\n\nB </b>\n```\n\n\n"
        "```{toctree}\n:hidden:\n:caption: Two\n\nC </c>\nD </d>\n```\n"
    )
    assert with_navigation("- [B](b.md)", "tutorial") == "- [B](b.md)"


def test_a_page_that_another_overview_lists_is_not_listed_twice() -> None:
    assert "</methods/intervals>" not in with_navigation("- [x](methods/intervals.md)\n- [y](errors.md)\n", "index")


def test_links_lead_to_where_files_outside_of_the_docs_are_on_the_site() -> None:
    page = DOCS / "methods" / "x.md"
    assert relinked("[a](../../CHANGELOG.md#b) [c](../noise.md)", page, DOCS) == (
        "[a](../changelog.myst#b) [c](../noise.md)"
    )
    readme = "[a](docs/noise.md) [b](README.md)"
    assert relinked(readme, ROOT / "CHANGELOG.md", DOCS, at=DOCS / "changelog.myst") == "[a](noise.md) [b](index.md)"


def test_generated_pages_are_renewed_only_where_they_change(tmp_path: Path) -> None:
    write_pages(tmp_path, {"a": "1", "b/c": "2"})
    (tmp_path / "a.myst").touch()
    before = (tmp_path / "a.myst").stat().st_mtime_ns
    write_pages(tmp_path, {"a": "1", "d": "3"})
    assert (tmp_path / "a.myst").stat().st_mtime_ns == before
    assert sorted(path.name for path in tmp_path.rglob("*.myst")) == ["a.myst", "d.myst"]


# ---- docstrings and signatures ---------------------------------------------------------------------------------------


def test_code_in_a_docstring_that_names_something_public_is_a_link() -> None:
    assert shown("As `karat.score` and `Scores`, with `score`.", NAMES) == (
        "As {py:obj}`karat.score <karat.score>` and {py:obj}`Scores <karat.Scores>`, with `score`.\n"
    )


def test_examples_in_a_docstring_are_code() -> None:
    text = "What comes back.\n\n>>> 1 + 1\n2\n\nMore text.\n\n    indented | code"
    assert shown(text, NAMES) == (
        "What comes back.\n\n```python\n>>> 1 + 1\n2\n```\n\n\nMore text.\n\n```text\nindented | code\n```\n\n"
    )


def test_text_of_a_docstring_is_shown_as_it_is() -> None:
    assert shown("a < b, [sentences × fields], $x$, *rows*, _one", NAMES) == (
        "a \\< b, \\[sentences × fields\\], \\$x\\$, *rows*, \\_one\n"
    )


def test_pages_that_a_docstring_names_are_links() -> None:
    assert shown("see docs/methods/intervals.md for it", NAMES) == "see {doc}`/methods/intervals` for it\n"


def test_the_first_sentence_of_a_docstring_is_the_whole_sentence() -> None:
    assert first_sentence("All of it,\nover lines. And more.\n\nB.", NAMES) == "All of it, over lines."


def test_names_in_signatures_are_found_where_they_are_defined() -> None:
    found = definition("Readable", "karat.evaluation.score")
    assert found is not None
    assert found.full_name == "karat.corpus.formats.Readable"
    assert found.value.startswith("Corpus | Trees")
    assert definition("Iterable", "karat.evaluation.score") is None


def test_types_in_signatures_have_their_full_names() -> None:
    types = Types({"karat.evaluation.results.Scores": "karat.Scores"})
    text = types.signature(karat.score)
    assert text.startswith("(gold: karat.corpus.formats.Readable, systems: ")
    assert ", *, measures: str | Iterable[str] | None = None, " in text
    assert text.endswith(") -> karat.Scores")
    assert "karat.corpus.formats.Readable" in types.used


def test_a_method_shows_no_self_and_a_default_without_source_is_cut() -> None:
    class One:
        def act(self, *values: int, flag: bool = False, what: object = karat) -> str:
            """Do it."""
            return ""

    assert (
        Types({}).signature(One.act, is_method=True) == "(*values: int, flag: bool = False, what: object = ...) -> str"
    )


# ---- verbs, schemas, equations ---------------------------------------------------------------------------------------


def test_help_is_what_click_writes() -> None:
    found = help_of("noise", "plan")
    assert found.usage.startswith("karat noise plan [OPTIONS]")
    assert found.text.startswith("Which tokens should people judge")
    assert list(found.lists)[-2:] == ["Input", "Output"]
    assert ("-h, --help", "Show this message and exit.") in found.lists["Output"]


def test_options_in_help_are_code_and_all_else_is_escaped() -> None:
    assert with_options("with --by upos, -v or *_x* non-empty") == "with `--by` upos, `-v` or \\*\\_x\\* non-empty"


def test_the_type_of_a_field_is_in_words() -> None:
    assert type_of({"type": ["number", "null"], "minimum": 0}) == "number ≥ 0 or null"
    assert type_of({"oneOf": [{"type": "integer"}, {"type": "null"}]}) == "integer or null"
    assert type_of({"enum": ["a", None]}) == '`"a"`, `null`'
    assert type_of({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}) == "list of 2: text"
    assert type_of({"$ref": "#/$defs/systemScore"}) == "[`systemScore`](#systemscore)"
    assert type_of({"$ref": "../score/1#/$defs/corpus"}) == "[`corpus`](score.myst#corpus)"
    assert type_of({"$ref": "../diverge/1"}) == "[`diverge/1`](diverge.myst)"


def test_fields_of_objects_in_lists_have_their_paths() -> None:
    pair = {"type": "object", "required": ["p"], "properties": {"p": {"type": "number", "description": "a|b"}}}
    text = schema_page("x", {"$id": "karat/x/1", "title": "X", "properties": {"all": {"type": "array", "items": pair}}})
    assert "| `all` | list: object | not always there |\n| `all[].p` | number | a\\|b |\n" in text


def test_functions_in_equations_stand_apart_from_their_argument() -> None:
    assert "<mi>log</mi><mspace" in mathml(r"\log\theta", is_block=False)
    assert "<mi>log</mi><mspace" not in mathml(r"\log(\theta)", is_block=False)
    assert 'display="block"' in mathml("x", is_block=True)


# ---- plug-ins --------------------------------------------------------------------------------------------------------


class VerbTags(WordMeasure):
    """UPOS of what the gold calls verbs."""

    name = "VerbTags"
    what = "tags of verbs"
    source = "nobody's paper"
    needs = ("upos",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("upos"))


def test_a_measure_of_another_package_has_a_row_on_the_page_of_all_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    (page,) = measure_pages().values()
    assert "VerbTags" not in page
    pretend(monkeypatch, "measure", ("VerbTags", VerbTags, "verbs-for-karat"))
    (page,) = measure_pages().values()
    assert "| `VerbTags` | tags of verbs | % | higher | nobody's paper |" in page
