"""Media types of SPARQL results."""

RESULTS_JSON, RESULTS_XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE, NTRIPLES = "text/turtle", "application/n-triples"
TABLE_MEDIA = (RESULTS_JSON, RESULTS_XML, CSV, TSV)
"""For the results of SELECT and ASK (SPARQL 1.1 Query Results)."""
GRAPH_MEDIA = (TURTLE, NTRIPLES)
"""For the results of CONSTRUCT and DESCRIBE."""
MEDIA_BY_FORMAT = {"json": RESULTS_JSON, "xml": RESULTS_XML, "csv": CSV, "tsv": TSV, "turtle": TURTLE, "ntriples": NTRIPLES}
"""Short name → media type."""
