"""How bodies are sent: in small pieces, and only as long as the client reads."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from api.http import sending
from api.http.sending import PIECE_BYTES, PiecewiseSending

SCOPE: Scope = {"type": "http", "method": "GET", "path": "/"}
START: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]}


async def receive() -> Message:
    await asyncio.sleep(60)
    raise AssertionError


def response_messages(*messages: Message) -> list[Message]:
    """The messages of a response as the server gets them."""
    passed: list[Message] = []

    async def app(_: Scope, __: Receive, send: Send) -> None:
        for message in messages:
            await send(message)

    async def send(message: Message) -> None:
        passed.append(message)

    asyncio.run(PiecewiseSending(app)(SCOPE, receive, send))
    return passed


@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES, 3 * PIECE_BYTES + 5])
@pytest.mark.parametrize("more", [False, True])
def test_a_body_is_sent_in_pieces(size: int, more: bool) -> None:
    body = bytes(number % 251 for number in range(size))
    start, *pieces = response_messages(START, {"type": "http.response.body", "body": body, "more_body": more})
    assert start == START
    assert b"".join(piece["body"] for piece in pieces) == body
    assert len(pieces) == max(1, -(-size // PIECE_BYTES))
    assert all(len(piece["body"]) <= PIECE_BYTES for piece in pieces)
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [more]


def test_a_body_of_nothing_passes() -> None:
    assert response_messages(START, {"type": "http.response.body"}) == [START, {"type": "http.response.body"}]


def test_a_client_that_does_not_read_ends_the_response(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "PIECE_SECONDS", 0.05)
    passed, refused = 0, 0

    async def app(_: Scope, __: Receive, send: Send) -> None:
        nonlocal refused
        await send(START)
        await send({"type": "http.response.body", "body": b"-" * (9 * PIECE_BYTES), "more_body": True})
        try:
            await send({"type": "http.response.body", "body": b"-", "more_body": False})
        except OSError:  # as ASGI has it for a client that has left
            refused += 1
            raise

    async def send(message: Message) -> None:
        nonlocal passed
        if message["type"] == "http.response.body":
            passed += 1
            await asyncio.sleep(60 if passed == 3 else 0)

    asyncio.run(asyncio.wait_for(PiecewiseSending(app)(SCOPE, receive, send), 30))
    assert (passed, refused) == (3, 1)


def test_an_error_of_the_application_is_not_hidden() -> None:
    async def app(*_: object) -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        asyncio.run(PiecewiseSending(app)(SCOPE, receive, receive))  # type: ignore[arg-type]
