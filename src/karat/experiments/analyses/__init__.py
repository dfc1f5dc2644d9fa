"""What a finished grid says: one table a module, each a function from a grid to a `GridTable`."""
