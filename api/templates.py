"""The templates of pages."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def template_environment(folder: Path, *, lstrip_blocks: bool = False, keep_trailing_newline: bool = False) -> Environment:
    """The templates of a folder, escaped automatically. A variable that a page did not receive is an error."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=lstrip_blocks,
        keep_trailing_newline=keep_trailing_newline,
        auto_reload=False,
    )
