"""Read replicas: a bundle is published as files named by their content, and other homes follow it."""
