"""Untrusted SPARQL queries: checked, then run in sandboxed processes with limits."""
