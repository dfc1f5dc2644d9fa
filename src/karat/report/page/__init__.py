"""One offline HTML page from results: the verdict, tables that sort, drawings, and the sentences behind numbers."""
