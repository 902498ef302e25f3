"""`rulestone mcp`: the protocol over standard input and output, which carry nothing else."""

import anyio
from mcp.server.stdio import stdio_server

from api.mcp.server import server
from rulestone import Library


def serve(library: Library) -> None:
    """Answers until standard input ends."""
    anyio.run(_serve, library)


async def _serve(library: Library) -> None:
    made = server(library)
    async with stdio_server() as (source, sink):
        await made.run(source, sink, made.create_initialization_options())
