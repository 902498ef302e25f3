"""The commands, a module for each topic. Babel reads their help texts here (tools/messages.py)."""
