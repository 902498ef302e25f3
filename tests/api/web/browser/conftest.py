"""A real browser: Debian's chromium through Playwright, one for a module, and one server for all of them."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from api.http.app import create_app
from rulestone import Library

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

CHROMIUM = which("chromium") or which("chromium-browser")
try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    sync_playwright = None  # type: ignore[assignment]
LACKING = (
    "no chromium here: apt-get install chromium"
    if CHROMIUM is None
    else "no playwright here: pip install --group browser"
    if sync_playwright is None
    else None
)
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PATIENCE = 120_000
"""Milliseconds that a busy machine may take for what is waited for."""
_WATCH = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips all of them where there is no browser, with one line that says what is lacking."""
    for item in items:
        if LACKING and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=LACKING))


@pytest.fixture(scope="session")
def origin(home: Path) -> Iterator[str]:
    """A server over the invented books, and its address. It listens before it answers: nobody has to wait for it."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(Library.open(home, create=False))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    expect.set_options(timeout=PATIENCE)  # else 5 s, whatever the time limit of the context
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: "Browser", origin: str) -> Iterator[Opened]:
    """Opens a page as somebody would; afterwards nothing may have been asked of another host, forbidden, or gone wrong."""
    contexts: list[BrowserContext] = []
    urls: list[str] = []
    problems: list[str] = []

    def dismissed(dialog: "Dialog") -> None:
        problems.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def open_page(path: str, *, lang: str = "en-GB", size: dict[str, Any] = PHONE, **options: Any) -> "Page":  # noqa: ANN401
        context = browser.new_context(base_url=origin, locale=lang, reduced_motion="reduce", **size, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(_WATCH)
        context.on("request", lambda request: urls.append(request.url))
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", dismissed)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in urls if not url.startswith((f"{origin}/", "blob:", "data:"))] == []
    prefix = "Failed to load resource: "
    expected = (f"{prefix}the server responded with a status of 4", f"{prefix}net::ERR_INTERNET_DISCONNECTED")
    assert [line for line in problems if not line.startswith(expected)] == []
