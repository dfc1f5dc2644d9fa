"""Layered decision trees for rich tags, after TaKIPI."""

from karat.systems.layered_trees.tagger import LayeredTrees as LayeredTrees
