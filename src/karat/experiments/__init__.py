"""Repeated trials: train × test grids that survive interruption, and the papers' experiments run again."""
