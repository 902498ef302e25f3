"""The graph and the index on servers of their own."""
