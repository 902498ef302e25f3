"""The body of a request, read no further than to its limit."""

from starlette.requests import Request

from corpus.errors import TooLargeError


async def received(request: Request, most: int, refusal: TooLargeError) -> bytes:
    """The body. Raises the refusal as soon as it has more than so many bytes."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise refusal
    return bytes(data)
