"""The MCP server: tools, resources and prompts over a library, whatever carries them (https://modelcontextprotocol.io)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import mcp_types as types
from anyio.to_thread import run_sync
from mcp import MCPError
from mcp.server.lowlevel import Server

from api.encoding import encode
from api.mcp import prompts, resources
from api.mcp.cut import cut
from api.mcp.tools import TOKENS, tools
from corpus.errors import BusyError, NotFoundError, RulestoneError
from rulestone import Library
from rulestone.version import version

JSON = "application/json"
_MISSING = -32002
"""The code of MCP for a resource that is not there."""
_NEXT: Mapping[type[RulestoneError], str] = {
    NotFoundError: "Search with search_rules, or read rule://editions to see what is loaded. Do not answer from memory.",
    BusyError: "Wait, then ask once more.",
    RulestoneError: "Correct the arguments and call the tool once more.",
}
"""What a model is to do about an error, by its kind."""
T = TypeVar("T")


def server(library: Library) -> Server[Any]:
    """The server over a library."""
    desk = _Desk(library)
    return Server(
        "rulestone",
        version=version(),
        title="Rulestone",
        description="Rules of trading card games with numbers, editions and words that can be checked",
        instructions=prompts.instructions(),
        website_url="https://w3id.org/rulestone/",
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_list_resource_templates=desk.list_templates,
        on_read_resource=desk.read_resource,
        on_list_prompts=desk.list_prompts,
        on_get_prompt=desk.get_prompt,
        get_tool_input_schema=lambda name: tools()[name].input_schema if name in tools() else None,
    )


class _Desk:
    """Answers the requests of the protocol. The library works in threads: a slow question holds up no other."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def list_tools(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Every tool with what it takes and gives."""
        read_only = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.about,
                    input_schema=tool.input_schema,
                    output_schema=tool.output_schema,
                    annotations=read_only,
                )
                for tool in tools().values()
            ]
        )

    async def call_tool(self, _: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool answers; an error as words that say what to do."""
        tool = tools().get(params.name)
        if tool is None:
            return _failed(
                NotFoundError("there is no tool {name}; there are {known}", name=params.name[:40], known=", ".join(tools()))
            )
        try:
            body = await run_sync(tool.answer, self._library, params.arguments or {})
        except RulestoneError as error:
            return _failed(error)
        return types.CallToolResult(content=[_text(encode(body).decode())], structured_content=body)

    async def list_resources(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Every edition, and the list of them."""
        editions = (await _asked(self._library.editions))["editions"]
        every = types.Resource(uri=resources.EDITIONS, name="editions", title="Editions", mime_type=JSON)
        return types.ListResourcesResult(
            resources=[
                every,
                *(
                    types.Resource(
                        uri=resources.address(edition),
                        name=f"{edition['game']}/{edition['book']}/{edition['edition']}",
                        title=f"{edition['title']} {edition['edition']}",
                        description="current" if edition["current"] else "not current",
                        mime_type=JSON,
                    )
                    for edition in editions
                ),
            ]
        )

    async def list_templates(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        """How rules are addressed."""
        about = "A rule by game, book, edition and number: rule://mtg/cr/2024-06-07/400.7"
        template = types.ResourceTemplate(
            uri_template=resources.TEMPLATE, name="rule", title="Rule", description=about, mime_type=JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, _: object, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """A rule or an edition as JSON, cut as an answer of a tool is."""
        uri = str(params.uri)
        body = await _asked(lambda: resources.read(self._library, uri))
        short = cut(body, "rules", TOKENS.usual).body if "rules" in body and "ref" in body else dict(body)
        contents = types.TextResourceContents(uri=uri, mime_type=JSON, text=encode(short).decode())
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """How a judge's answer is made, in each language."""
        arguments = [types.PromptArgument(name=name, required=needed) for name, needed in prompts.ARGUMENTS.items()]
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(name=prompt.name, title=prompt.title, description=prompt.about, arguments=arguments)
                for prompt in prompts.prompts().values()
            ]
        )

    async def get_prompt(self, _: object, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One of them with the question."""
        prompt = await _asked(lambda: prompts.prompt(params.name))
        text = await _asked(lambda: prompt.filled(params.arguments or {}))
        return types.GetPromptResult(description=prompt.about, messages=[types.PromptMessage(role="user", content=_text(text))])


async def _asked(work: Callable[[], T]) -> T:
    """What some work gives; an error as the protocol has it."""
    try:
        return await run_sync(work)
    except NotFoundError as error:
        raise MCPError(_MISSING, str(error)) from error
    except RulestoneError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error


def _failed(error: RulestoneError) -> types.CallToolResult:
    what = next(words for kind, words in _NEXT.items() if isinstance(error, kind))
    return types.CallToolResult(content=[_text(f"{error}. {what}")], is_error=True)


def _text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)
