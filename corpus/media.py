"""Media types of the answers to queries of the graph."""

RESULTS_JSON, RESULTS_XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE, NTRIPLES = "text/turtle", "application/n-triples"
TABLES = (RESULTS_JSON, RESULTS_XML, CSV, TSV)
"""Of solutions, and of `true` or `false` (SPARQL 1.1 Query Results)."""
GRAPHS = (TURTLE, NTRIPLES)
"""Of triples."""
ANSWERS = {"json": RESULTS_JSON, "xml": RESULTS_XML, "csv": CSV, "tsv": TSV, "turtle": TURTLE, "ntriples": NTRIPLES}
"""Each of them by a short name."""
