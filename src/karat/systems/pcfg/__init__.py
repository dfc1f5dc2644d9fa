"""Parsers: probabilistic context-free grammars that are read off a treebank, and their parses."""
