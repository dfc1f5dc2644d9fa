"""Measures of constituency trees: items, measures, the check by people, EVALB [Hogenhout & Matsumoto 1996]."""
