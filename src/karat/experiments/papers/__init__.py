"""The papers' experiments, run again on what data is there: one module a paper, its prints in a module beside it."""
