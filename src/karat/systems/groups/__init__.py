"""Groups of a shallow parser: patterns over tags, group after group, and the edges between groups in a tree."""
