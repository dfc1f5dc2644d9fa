"""How Sphinx builds the site: `sphinx-build -W --keep-going -n -b html docs OUT`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from karat import __version__

project = "karat"
author = "The karat contributors"
release = __version__
extensions = ["myst_parser", "karat_site"]  # tools/karat_site makes the reference and the navigation
source_suffix = {".md": "markdown", ".myst": "markdown"}

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
smartquotes = False  # they would make a dash of the two hyphens of an option

python_use_unqualified_type_names = True
python_maximum_signature_line_length = 60
toc_object_entries_show_parents = "hide"
nitpick_ignore_regex = [("py:.*", "(?!karat).*")]  # Python's and numpy's own types have no page here

html_theme = "furo"
html_title = f"karat {release}"
html_static_path = ["_static"]
html_css_files = ["karat.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # it would ask for pages, which a browser refuses to those on disk
