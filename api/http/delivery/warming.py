"""What was asked of the bundle before is asked of a new one before anybody is answered from it: the dearest first, for so long."""

import asyncio
from collections.abc import Sequence
from multiprocessing.context import ForkProcess
from typing import TYPE_CHECKING

from starlette.types import Message, Scope

from api.http.delivery.gently import give_way
from api.http.delivery.kept import Key
from api.http.delivery.shelf import Shelf
from rulestone import Library

if TYPE_CHECKING:
    from fastapi import FastAPI

SECONDS = 30.0
"""So long a new bundle waits for it at most."""


def warm(process: type[ForkProcess]) -> None:
    """Has a process work out answers and leave them on the shelf; it ends with its store, its threads and its memory."""
    shelf, bundle = Shelf.of(), Library.open(create=False).newest_bundle()
    if shelf and bundle and (keys := shelf.asked_before(bundle)):
        asking = process(target=ask, args=(keys,), daemon=True)
        asking.start()
        asking.join(SECONDS)
        asking.kill()
        asking.join()


def ask(keys: Sequence[Key]) -> None:
    """Asks an application of its own, which is as the server's but that everybody may ask it."""
    from api.http.app import create_app

    give_way()
    asyncio.run(_asked(create_app(Library.open(create=False)), keys))


async def _asked(app: "FastAPI", keys: Sequence[Key]) -> None:
    async with app.router.lifespan_context(app):
        for key in keys:
            await app(_scope(key), _nothing, _unheard)


def _scope(key: Key) -> Scope:
    """The request that a kept answer was given to."""
    headers = [(b"accept", key.accept), (b"accept-language", (key.lang or "").encode())]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": key.path,
        "raw_path": key.path.encode(),
        "query_string": key.query,
        "root_path": "",
        "headers": [header for header in headers if header[1]],
        "client": None,
        "server": None,
        "state": {},
    }


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(_: Message) -> None:
    """The answer stays where the application keeps it."""
