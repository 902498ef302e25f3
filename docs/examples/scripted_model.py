"""A stand-in for a language model, to try mcp_bot.py: it searches, reads the first section, and quotes the first rule in it."""

import json
import re
import sys
from typing import Any


def turn(messages: list[dict[str, str]]) -> dict[str, Any]:
    """What to do next in a conversation."""
    if len(messages) == 1:
        prompt = messages[0]["content"]
        game = re.search(r"\(game: (\S+)\)", prompt)
        return {"tool": "search_rules", "arguments": {"query": prompt.split("\n\n")[1], "game": game and game[1]}}
    told = json.loads(messages[-1]["content"])
    if told.get("sections"):
        return {"tool": "read_section", "arguments": {"ref": told["sections"][0]["ref"]}}
    if told.get("rules"):
        rule = next((rule for rule in told["rules"] if "text" in rule), told["rules"][0])
        return {"answer": f"{rule['ref']}: “{rule.get('text') or rule['gloss']}”"}
    return {"ask": told["reason"]} if told.get("reason") else {"answer": "I do not know."}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(turn(json.load(sys.stdin)["messages"])))
