"""The MCP server: tools, resources and prompts over a library, for HTTP and for stdio (https://modelcontextprotocol.io)."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import mcp_types as types
from anyio.to_thread import run_sync
from mcp import MCPError
from mcp.server.lowlevel import Server

from api.encoding import encode
from api.mcp.tools import TOKEN_LIMITS, tools, truncate_body
from corpus.address import iri_of
from corpus.contract import EditionSummary
from corpus.errors import BusyError, InputError, NotFoundError, RulestoneError
from rulestone import Library
from rulestone.version import version

JSON = "application/json"
_RESOURCE_NOT_FOUND = -32002
"""The code of MCP for a missing resource."""
_NEXT_STEP: Mapping[type[RulestoneError], str] = {
    NotFoundError: "Search with search_rules, or read rule://editions to see what is loaded. Do not answer from memory.",
    BusyError: "Wait, then call the tool again.",
    RulestoneError: "Correct the arguments and call the tool again.",
}
"""Advice to the model about an error, by its kind."""
_FOLDER = Path(__file__).parent / "data"
_SCHEME = "rule://"
_EDITIONS_URI = f"{_SCHEME}editions"
_RULE_URI_TEMPLATE = f"{_SCHEME}{{game}}/{{book}}/{{edition}}/{{locator}}"
_ARGUMENTS = {"query": True, "game": False}
"""The arguments of a prompt, and whether each is required."""
_GAME_ARGUMENT = {"en": " (game: {game})", "ja": "（ゲーム：{game}）", "zh": "（游戏：{game}）"}
T = TypeVar("T")


def server(library: Library, costly_slot: Callable[[], AbstractAsyncContextManager[None]] = nullcontext) -> Server[Any]:
    """The server for a library. A costly tool runs inside `costly_slot()`, which may raise BusyError."""
    handlers = _Handlers(library, costly_slot)
    return Server(
        "rulestone",
        version=version(),
        title="Rulestone",
        description="Rules of trading card games with numbers, editions and words that can be checked",
        instructions=_read_data_file("instructions.txt"),
        website_url="https://w3id.org/rulestone/",
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        get_tool_input_schema=lambda name: tools()[name].input_schema if name in tools() else None,
    )


class _Handlers:
    """Answers the requests of the protocol. The library runs in threads, so that a slow question does not block others."""

    def __init__(self, library: Library, costly_slot: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        self._library = library
        self._costly_slot = costly_slot

    async def list_tools(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Every tool with its schemas."""
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
        """The answer of a tool; an error is text with a remedy."""
        tool = tools().get(params.name)
        if tool is None:
            return _error_result(
                NotFoundError("there is no tool {name}; expected one of {known}", name=params.name[:40], known=", ".join(tools()))
            )
        try:
            async with self._costly_slot() if tool.is_costly else nullcontext():
                body = await run_sync(tool.answer, self._library, params.arguments or {})
        except RulestoneError as error:
            return _error_result(error)
        return types.CallToolResult(content=[_text_content(encode(body).decode())], structured_content=body)

    async def list_resources(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Every edition, and the list of them."""
        editions = (await _run_in_thread(self._library.editions))["editions"]
        every = types.Resource(uri=_EDITIONS_URI, name="editions", title="Editions", mime_type=JSON)
        return types.ListResourcesResult(
            resources=[
                every,
                *(
                    types.Resource(
                        uri=_resource_uri(edition),
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
        """The URI template of rules."""
        about = "A rule by game, book, edition and number: rule://mtg/cr/2024-06-07/400.7"
        template = types.ResourceTemplate(
            uri_template=_RULE_URI_TEMPLATE, name="rule", title="Rule", description=about, mime_type=JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, _: object, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """A rule or an edition as JSON, shortened like a tool's answer."""
        uri = str(params.uri)
        body = await _run_in_thread(lambda: _read_resource(self._library, uri))
        short = truncate_body(body, "rules", TOKEN_LIMITS.usual).body if "rules" in body and "ref" in body else dict(body)
        contents = types.TextResourceContents(uri=uri, mime_type=JSON, text=encode(short).decode())
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: object, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """The prompts for a judge's answer, one for each language."""
        arguments = [types.PromptArgument(name=name, required=is_required) for name, is_required in _ARGUMENTS.items()]
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(name=prompt.name, title=prompt.title, description=prompt.about, arguments=arguments)
                for prompt in _prompts().values()
            ]
        )

    async def get_prompt(self, _: object, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One prompt with the question."""
        prompt = await _run_in_thread(lambda: _find_prompt(params.name))
        text = await _run_in_thread(lambda: prompt.with_question(params.arguments or {}))
        return types.GetPromptResult(
            description=prompt.about, messages=[types.PromptMessage(role="user", content=_text_content(text))]
        )


async def _run_in_thread(function: Callable[[], T]) -> T:
    """Runs a function in a thread and converts errors to protocol errors."""
    try:
        return await run_sync(function)
    except NotFoundError as error:
        raise MCPError(_RESOURCE_NOT_FOUND, error.message.in_language()) from error
    except RulestoneError as error:
        raise MCPError(types.INVALID_PARAMS, error.message.in_language()) from error


def _error_result(error: RulestoneError) -> types.CallToolResult:
    """An error as text for a model, and as the `error` of the tool's output schema for a program."""
    what = next(words for kind, words in _NEXT_STEP.items() if isinstance(error, kind))
    detail = error.message.in_language()
    body = {"error": {"status": error.status, "detail": detail, "next_step": what}}
    return types.CallToolResult(content=[_text_content(f"{detail}. {what}")], structured_content=body, is_error=True)


def _text_content(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def _resource_uri(edition: EditionSummary) -> str:
    """The address of an edition: `rule://mtg/cr/2024-06-07`."""
    return f"{_SCHEME}{edition['game']}/{edition['book']}/{edition['edition']}"


def _read_resource(library: Library, uri: str) -> Mapping[str, Any]:
    """The rule, the edition, or all editions at an address. Raises NotFoundError."""
    if not uri.startswith(_SCHEME):
        raise NotFoundError("there is no resource {uri}; expected {template} or {editions}", **_expected_uri(uri))
    if uri == _EDITIONS_URI:
        return library.editions()
    path = unquote(uri.removeprefix(_SCHEME))
    edition = next((summary for summary in library.editions()["editions"] if _resource_uri(summary) == f"{_SCHEME}{path}"), None)
    if edition is not None:
        return edition
    if path.count("/") < 3:
        raise NotFoundError("there is no resource {uri}; expected {template} or {editions}", **_expected_uri(uri))
    return library.rules(iri_of(path))


def _expected_uri(uri: str) -> dict[str, str]:
    return {"uri": uri[:100], "template": _RULE_URI_TEMPLATE, "editions": _EDITIONS_URI}


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt in one language: steps for answering like a judge, with the tools."""

    name: str
    lang: str
    title: str
    about: str
    text: str

    def with_question(self, arguments: Mapping[str, str]) -> str:
        """The prompt with a question. Raises InputError without one, and for unknown arguments."""
        if unknown := [name for name in arguments if name not in _ARGUMENTS]:
            raise InputError(
                "{tool} has no parameter {unknown}; known parameters: {known}",
                tool=self.name,
                known="query, game",
                unknown=unknown[0][:40],
            )
        if not arguments.get("query"):
            raise InputError("{tool} needs {names}", tool=self.name, names="query")
        game = arguments.get("game")
        return self.text.format(query=arguments["query"], of_game=_GAME_ARGUMENT[self.lang].format(game=game) if game else "")


@cache
def _prompts() -> Mapping[str, _Prompt]:
    """Every prompt by name."""
    return {prompt.name: prompt for prompt in map(_read_prompt, _GAME_ARGUMENT)}


def _find_prompt(name: str) -> _Prompt:
    """A prompt. Raises NotFoundError."""
    if name not in _prompts():
        raise NotFoundError("there is no prompt {name}; expected one of {known}", name=name[:40], known=", ".join(_prompts()))
    return _prompts()[name]


def _read_prompt(lang: str) -> _Prompt:
    title, about, text = _read_data_file(f"judge_answer.{lang}.txt").split("\n", 2)
    return _Prompt(f"judge_answer_{lang}", lang, title, about, text)


def _read_data_file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
