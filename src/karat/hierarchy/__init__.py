"""Tag hierarchies: IS-A trees, forests and DAGs of tags, and how they are read [Melamed & Resnik 2000, § 3.3].

docs/hierarchies.md shows the layouts of files; `karat.hierarchy.downward` spreads tags over the leaves below them.
"""

from karat.hierarchy._building import flat_hierarchy, hierarchy_from_edges
from karat.hierarchy._hierarchy import MOST_LEVELS, Hierarchy, Layout
from karat.hierarchy._reading import hierarchy_from_source, hierarchy_from_text, read_hierarchy

__all__ = [
    "MOST_LEVELS",
    "Hierarchy",
    "Layout",
    "flat_hierarchy",
    "hierarchy_from_edges",
    "hierarchy_from_source",
    "hierarchy_from_text",
    "read_hierarchy",
]
