"""The commands, a module for each topic. Babel reads the help texts from the docstrings (tools/messages.py)."""
