"""A bot over MCP: a language model calls the tools, and its answer is shown only if it quotes rules that it has read.

python docs/examples/mcp_bot.py "MODEL COMMAND" "QUESTION" [GAME]

The command stands for your model: it reads a conversation as JSON (`tools`, `messages`) and prints what to do next, as JSON:
{"tool": NAME, "arguments": {…}}, {"answer": TEXT}, or {"ask": TEXT}, a question to the player.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

MAX_CALLS = 6  # for one question; the last one is kept for the check
ABSTENTION = "The rules that I have read do not settle this; please ask a head judge."


async def reply(client: Client, model: Callable[[dict[str, Any]], dict[str, Any]], question: str, game: str | None = None) -> str:
    """The model's answer if each of its citations is proven, its question to the player, or an abstention."""
    prompt: Any = await client.get_prompt("judge_answer_en", {"query": question} | ({"game": game} if game else {}))
    tools = [tool.model_dump(include={"name", "description", "input_schema"}) for tool in (await client.list_tools()).tools]
    messages, read = [{"role": "user", "content": prompt.messages[0].content.text}], list[str]()
    for calls_left in range(MAX_CALLS, 0, -1):
        said = model({"tools": tools, "messages": messages})
        if "ask" in said:
            return str(said["ask"])
        if "answer" not in said and calls_left == 1:
            break
        check = {"text": said.get("answer"), "game": game, "allowed": read[-200:]}
        name, given = ("verify_citations", check) if "answer" in said else (said["tool"], said["arguments"])
        result = await client.call_tool(name, given)
        told: dict[str, Any] = result.structured_content or {}
        found = told.get("citations", [])
        if "answer" in said and found and all(one["status"] == "verified" and one["read"] for one in found):
            return str(said["answer"])
        rules = [*told.get("hits", []), *told.get("rules", [])]
        read += [rule["ref"] for rule in rules if rule.keys() & {"text", "gloss", "texts"}]
        messages += [{"role": "assistant", "content": json.dumps(said)}, {"role": "user", "content": json.dumps(told)}]
    return ABSTENTION


async def main(command: str, question: str, game: str | None = None) -> None:
    """Starts the server, and prints the reply."""

    def model(conversation: dict[str, Any]) -> dict[str, Any]:
        return dict(json.loads(subprocess.check_output(shlex.split(command), input=json.dumps(conversation), text=True)))

    async with Client(stdio_client(StdioServerParameters(command="rulestone", args=["mcp"], env=dict(os.environ)))) as client:
        sys.stdout.write(f"{await reply(client, model, question, game)}\n")


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
