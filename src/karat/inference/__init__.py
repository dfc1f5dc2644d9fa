"""How sure we are, from arrays of counts alone: resampling, intervals, permutation tests, pairs, planning, ranks."""
