"""A client of an OpenAI-compatible endpoint, with one retry within a deadline; its output is untrusted.

It uses `http.client`: no redirects, proxies or cookies, and the socket is closed at the deadline. Client libraries have a timeout
for each read, which never expires if a server sends one byte per second.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from corpus.errors import EnvironmentFault, InputError
from rulestone.limits import Range, parse_int

URL, MODEL, KEY, SECONDS = "RULESTONE_LLM", "RULESTONE_LLM_MODEL", "RULESTONE_LLM_KEY", "RULESTONE_LLM_SECONDS"
TIME_LIMITS = Range(1, 120, 20)
"""Maximum number of seconds for one answer, including the retry."""
MAX_RESPONSE_BYTES = 64 << 10
"""Maximum number of bytes of an answer."""
_MAX_ATTEMPTS = 2
_MAX_TOKENS = 800


class EndpointFault(EnvironmentFault):
    """The endpoint did not answer, or its answer is unreadable."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The source of the prose."""

    url: str  # up to and without /chat/completions
    model: str
    key: str | None = None
    seconds: float = TIME_LIMITS.usual


def configured_endpoint(environment: Mapping[str, str] = os.environ) -> Endpoint:
    """The endpoint in the settings. Raises InputError if it is missing or not a URL."""
    url, model = environment.get(URL, "").strip().rstrip("/"), environment.get(MODEL, "").strip()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not model:
        raise InputError(
            "prose needs {url} (the base URL of an OpenAI-compatible endpoint, http or https) and {model} (its model's name)",
            url=URL,
            model=MODEL,
        )
    return Endpoint(url, model, environment.get(KEY) or None, parse_int(SECONDS, environment.get(SECONDS), TIME_LIMITS))


def complete_chat(endpoint: Endpoint, messages: Sequence[Mapping[str, str]]) -> str:
    """The output of the model. Raises EndpointFault after the retry or at the deadline."""
    end = time.monotonic() + endpoint.seconds
    body = {"model": endpoint.model, "messages": list(messages), "temperature": 0, "max_tokens": _MAX_TOKENS, "stream": False}
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    for last in (False, True):
        try:
            return _completion_text(_post(endpoint, data, end))
        except (OSError, HTTPException, EndpointFault) as fault:
            if time.monotonic() >= end:
                raise EndpointFault("the model did not answer within {seconds} s", seconds=int(endpoint.seconds)) from fault
            if last:
                if isinstance(fault, EndpointFault):
                    raise
                raise EndpointFault("the model cannot be reached ({fault})", fault=type(fault).__name__) from fault
    raise AssertionError(_MAX_ATTEMPTS)


def _post(endpoint: Endpoint, data: bytes, end: float) -> bytes:
    """The body of the answer to one attempt."""
    parts = urlsplit(endpoint.url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=max(end - time.monotonic(), 0.1))
    key = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    connection.connect()  # the connection no longer owns the socket of an answer
    timer = threading.Timer(max(end - time.monotonic(), 0.1), _shut_down_socket, (connection.sock,))
    timer.daemon = True
    timer.start()
    try:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close", **key}
        connection.request("POST", f"{parts.path}/chat/completions", data, headers)
        with connection.getresponse() as reply:
            if reply.status != 200:
                raise EndpointFault("the model answered with HTTP {status}", status=reply.status)
            content = reply.read(MAX_RESPONSE_BYTES + 1)
    finally:
        timer.cancel()
        connection.close()
    if len(content) > MAX_RESPONSE_BYTES:
        raise EndpointFault("the model's answer has more than {most} KiB", most=MAX_RESPONSE_BYTES >> 10)
    return content


def _shut_down_socket(connection: socket.socket | None) -> None:
    """Shuts a socket down, which ends any blocking read of it."""
    with suppress(OSError):
        if connection is not None:
            connection.shutdown(socket.SHUT_RDWR)


def _completion_text(data: bytes) -> str:
    """The text of a completion."""
    try:
        body: Any = json.loads(data)
        content = body["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str):
        raise EndpointFault("the model's answer is not a chat completion")
    return content
