"""One offline HTML page from results: verdict first, tables that sort, drawings, and the sentences behind the numbers."""
