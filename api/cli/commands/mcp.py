"""`mcp`: the tools for chatbots, over standard input and output."""

import typer

from api.cli.options import library_of


def mcp(context: typer.Context) -> None:
    """Offer the rules to a chatbot as MCP tools over standard input and output (stdio)."""
    from api.mcp.stdio import serve

    library = library_of(context)
    library.ensure()
    serve(library)
