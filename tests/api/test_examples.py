"""The examples of docs/examples, run as they stand there."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import anyio
import pytest
from mcp import Client

from api.mcp.server import server as mcp_server
from corpus.store.home import Home
from rulestone import Library
from tests.support.servers import HANG_SECONDS, serving

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / name), run_name="example")


@pytest.fixture
def server(digest_home: Home) -> Iterator[str]:
    """A server on a free port, after its first answer, which takes longer than the example waits where other tests run too."""
    with serving(digest_home.path) as running:
        address = f"http://127.0.0.1:{running.port}"
        urlopen(f"{address}/v1/answers?q=graveyard", timeout=HANG_SECONDS).close()
        yield address


def test_the_retrieval_function(server: str) -> None:
    retrieve = example("retrieval.py")["retrieve"]
    documents = retrieve(server, "order of cards in the graveyard", "ygo")
    assert documents
    assert all(document["page_content"] == document["metadata"]["quote"]["text"] for document in documents)
    assert retrieve(server, "pokemon prize cards") == []


class Chat:
    """A gateway with some messages, and the replies to them."""

    def __init__(self, bot: dict[str, Any], *texts: str) -> None:
        self.replies: list[str] = []
        self.messages = [bot["Message"](text, self.replies.append) for text in texts]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.messages)


def test_the_bot_answers_in_glosses_that_it_calls_so(digest_home: Home) -> None:
    bot = example("bot.py")
    chat = Chat(bot, "hello", "!rule order of cards in the graveyard ygo", "!rule pokemon", "!rule ")
    with Library.open(digest_home.path, create=False) as library:
        bot["run"](library, chat)
    assert len(chat.replies) == 3
    assert chat.replies[0].startswith("> ")
    assert "ygo/rulebook:undated:places/1.1.3~3 (our own words, unofficial" in chat.replies[0]
    assert "pokemon" in chat.replies[1]
    assert "the query is empty" in chat.replies[2]


def test_the_bot_sends_verified_words_alone(ferry_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, question = example("bot.py"), "!rule how many tokens does a ferry hold"
    honest, false, strange = (Chat(bot, question) for _ in range(3))
    with Library.open(ferry_home, create=False) as library:
        bot["run"](library, honest)
        body = library.ask(question.removeprefix("!rule "))
        claim = next(claim for claim in body["claims"] if claim["source"] == "rule")
        monkeypatch.setattr(library, "ask", lambda _: body | {"claims": [claim | {"text": claim["text"].replace("six", "ninety")}]})
        bot["run"](library, false)
        monkeypatch.setattr(library, "ask", lambda _: body | {"claims": [claim | {"ref": "ferry/cr:2021-05-03:999.9"}]})
        bot["run"](library, strange)
    assert "six" in claim["text"]
    assert f"> {claim['text']}\n{claim['ref']}" in honest.replies[0]
    assert [*false.replies, *strange.replies] == ["I found no words that I can prove."] * 2


QUESTION = "How many tokens does a ferry hold?"
READ = [{"tool": "search_rules", "arguments": {"query": QUESTION, "game": "ferry"}}]
PROVEN = {"answer": "Six: “A ferry holds at most six tokens.” (rule 101.1)"}
MISQUOTED = {"answer": "Nine: “A ferry holds at most nine tokens.” (rule 101.1)"}
UNQUOTED = {"answer": "Six, by rule 101.1."}
UNREAD = {"answer": "“Geese cross free of charge.” (rule 201.2)"}
ASKED = {"ask": "What does the card say?"}
ENDLESS = [{"tool": "get_rule", "arguments": {"ref": f"ferry:999.{nth}"}} for nth in range(50)]


@pytest.mark.parametrize(
    ("script", "reply"),
    [
        ([*READ, PROVEN], PROVEN["answer"]),
        ([*READ, MISQUOTED, PROVEN], PROVEN["answer"]),
        ([*READ, *[MISQUOTED] * 9], None),
        ([*READ, *[UNQUOTED] * 9], None),
        ([*[PROVEN] * 9], None),
        ([*READ, *[UNREAD] * 9], None),
        ([*READ, *[{"answer": "Surely six."}] * 9], None),
        ([ASKED], ASKED["ask"]),
        (ENDLESS, None),
    ],
)
def test_the_bot_over_mcp_shows_only_rules_it_has_read(ferry_home: Path, script: list[dict[str, Any]], reply: str | None) -> None:
    bot, turns, conversations = example("mcp_bot.py"), iter(script), list[dict[str, Any]]()

    def model(conversation: dict[str, Any]) -> dict[str, Any]:
        conversations.append(conversation)
        return next(turns)

    async def ask() -> str:
        async with Client(mcp_server(library)) as client:
            answer: str = await bot["reply"](client, model, QUESTION, "ferry")
            return answer

    with Library.open(ferry_home, create=False) as library:
        assert anyio.run(ask) == (reply or bot["ABSTENTION"])
    assert len(conversations) <= bot["MAX_CALLS"]
    assert QUESTION in conversations[0]["messages"][0]["content"]
    assert "search_rules" in [tool["name"] for tool in conversations[0]["tools"]]


@pytest.mark.parametrize("name", ["bot.py", "mcp_bot.py"])
def test_the_bots_are_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text("utf-8").splitlines()) <= 60
