"""Media types of SPARQL results."""

RESULTS_JSON, RESULTS_XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE, NTRIPLES = "text/turtle", "application/n-triples"
TABLES = (RESULTS_JSON, RESULTS_XML, CSV, TSV)
"""For the results of SELECT and ASK (SPARQL 1.1 Query Results)."""
GRAPHS = (TURTLE, NTRIPLES)
"""For the results of CONSTRUCT and DESCRIBE."""
ANSWERS = {"json": RESULTS_JSON, "xml": RESULTS_XML, "csv": CSV, "tsv": TSV, "turtle": TURTLE, "ntriples": NTRIPLES}
"""Short name → media type."""
