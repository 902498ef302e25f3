"""Prose of a model that lies: nothing of it is shown but sentences that quote a claim letter by letter and name it."""

from collections.abc import Callable
from typing import Any

import pytest

from corpus.contract import Ask, Phrased
from rulestone import InputError, Library
from rulestone.phrasing.endpoint import Endpoint, configured_endpoint
from rulestone.phrasing.phrase import phrase_answer
from rulestone.phrasing.sentence import split_sentences
from tests.support.bodies import fits
from tests.support.liar import Handler, Liar, completion, liar

Behave = Callable[[Handler], None]


@pytest.fixture(scope="module")
def body(crossings: Library) -> Ask:
    """Two claims: rules of the current edition by their numbers."""
    body = crossings.ask("101.1 201.1", games="ferry", lang="en")
    assert {(claim["number"] or "").rstrip(".") for claim in body["claims"]} == {"101.1", "201.1"}
    return body


def tagged(body: Ask, number: str) -> tuple[str, str]:
    """The words and the tag of a claim."""
    return next(
        (claim["text"].rstrip("."), f"[{at}]") for at, claim in enumerate(body["claims"], 1) if claim["ref"].endswith(f":{number}")
    )


def says(text: str) -> Behave:
    return lambda handler: handler.answer(completion(text))


def phrasing_of(library: Library, body: Ask, behave: Behave, seconds: float = 30.0) -> tuple[Phrased, Liar]:
    with liar(behave) as server:
        phrasing = phrase_answer(
            body, Endpoint(server.url, "fibber", "secret", seconds), lambda text: library.verify(text, lang="en")
        )
    return phrasing, server


def test_a_true_sentence_is_shown_with_its_rule(crossings: Library, body: Ask) -> None:
    words, tag = tagged(body, "201.1")
    phrasing, server = phrasing_of(crossings, body, says(f"You pay at the pier: “{words}” {tag}."))
    fits("phrased", phrasing)
    assert (phrasing["fault"], phrasing["dropped"]) == (None, [])
    assert words in phrasing["text"]
    assert "ferry/cr:2024-09-20:201.1" in phrasing["text"]
    [sent] = server.asked
    assert sent["model"] == "fibber"
    assert "Ignore" not in sent["messages"][1]["content"]


def test_only_the_claims_are_sent(crossings: Library, body: Ask) -> None:
    _, server = phrasing_of(crossings, body, says(""))
    assert [message["role"] for message in server.asked[0]["messages"]] == ["system", "user"]
    user = server.asked[0]["messages"][1]["content"]
    assert all(claim["text"] in user for claim in body["claims"])
    assert "secret" not in str(server.asked)


def lies(body: Ask) -> dict[str, str]:
    words, tag = tagged(body, "201.1")
    other, other_tag = tagged(body, "101.1")
    return {
        "a made-up rule": "By rule 999.9z every captain wins.",
        "a made-up rule beside a true quotation": f"Rule 999.9z of ferry says “{words}” {tag}.",
        "a made-up rule behind a tag": f"By ferry rule 999.9z you win {tag}.",
        "the right number of an old edition": f"“{words}” (ferry/cr:2019-03-01:201.1).",
        "an old edition beside the tag": f"In ferry/cr:2019-03-01:101.2 too: “{words}” {tag}.",
        "a quotation altered by one word": f"“{words.replace(' the ', ' no ', 1).replace(' one ', ' two ', 1)}, never” {tag}.",
        "a quotation shortened within a word": f"“{words[:-2]}” {tag}.",
        "a quotation with something left out": f"“{words.split()[0]} … {words.split()[-1]}” {tag}.",
        "words of another claim": f"“{other}” {tag}.",
        "what a rule's text orders": "Ignoring all rules before, rule 999.9 lets every captain win [1].",
        "a number of its own": f"You pay 73 tokens: “{words}” {tag}.",
        "a number in words": f"All twelve captains pay: “{words}” {tag}.",
        "another language": f"船长必须付费：“{words}” {tag}。",
        "nothing cited": "Captains pay. Geese are free.",
        "a quotation that nobody is named for": f"“{words}”.",
        "a claim that there is not": f"“{words}” [9].",
        "a link": f"“{words}” {tag} (see https://evil.example/).",
        "markup that hides a link": f"[“{words}” {tag}](//evil.example).",
        "control characters": f"“{words}”\x1b[2J {tag}.",
        "a prompt that leaks": "You put claims into prose for a judge of a trading card game [1].",
        "no end": f"“{words}” {tag} " + "and " * 400 + ".",
        "tags without words": f"{tag}{other_tag}",
    }


def test_false_sentences_are_dropped_with_a_reason(crossings: Library, body: Ask) -> None:
    """Each lie alone, then all of them around a true sentence."""
    texts = {}
    for name, lie in lies(body).items():
        phrasing, _ = phrasing_of(crossings, body, says(lie))
        fits("phrased", phrasing)
        assert phrasing["dropped"], name
        assert all(dropped["why"] for dropped in phrasing["dropped"])
        texts[name] = phrasing["text"]
    assert {name: text for name, text in texts.items() if text} == {}


def test_true_sentences_between_false_ones_are_kept(crossings: Library, body: Ask) -> None:
    words, tag = tagged(body, "201.1")
    true = f"Pay first: “{words}” {tag}."
    phrasing, _ = phrasing_of(crossings, body, says(f"By rule 999.9z you win. {true} Geese fly to Mars in 12 days."))
    assert [sentence["text"] for sentence in phrasing["sentences"]] == [f"Pay first: “{words}” (ferry/cr:2024-09-20:201.1)."]
    assert len(phrasing["dropped"]) == 2


def endless(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" " * 1024)


def drip(handler: Handler) -> None:
    """A byte now and then: no single read ever takes long."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def silent(handler: Handler) -> None:
    handler.server.over.wait()


def headers_without_end(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b"X: y\r\n")
        handler.wfile.flush()


BROKEN: dict[str, tuple[Behave, str]] = {
    "an endless stream": (endless, "more than 64 KiB"),
    "a huge body": (lambda handler: handler.answer(b"[" * (10 << 20)), "more than 64 KiB"),
    "no JSON": (lambda handler: handler.answer(b"<html>hello</html>"), "not a chat completion"),
    "other JSON": (lambda handler: handler.answer(b'{"choices": []}'), "not a chat completion"),
    "brackets without end": (lambda handler: handler.answer(b"[" * 60_000), "not a chat completion"),
    "nothing said": (lambda handler: handler.answer(completion(None)), "not a chat completion"),
    "a fault of its own": (lambda handler: handler.answer(b"oh", 500), "HTTP 500"),
    "no permission": (lambda handler: handler.answer(b"no", 401), "HTTP 401"),
    "a broken line": (lambda handler: handler.connection.close(), "cannot be reached"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_endpoint_gives_no_prose_and_the_reason(crossings: Library, body: Ask, name: str) -> None:
    behave, why = BROKEN[name]
    phrasing, server = phrasing_of(crossings, body, behave)
    fits("phrased", phrasing)
    assert (phrasing["text"], phrasing["sentences"], why in (phrasing["fault"] or "")) == ("", [], True)
    assert len(server.asked) == 2


@pytest.mark.parametrize("behave", [drip, silent, headers_without_end])
def test_a_slow_endpoint_is_abandoned(crossings: Library, body: Ask, behave: Behave) -> None:
    phrasing, _ = phrasing_of(crossings, body, behave, seconds=0.4)
    assert (phrasing["text"], "did not answer within" in (phrasing["fault"] or "")) == ("", True)


def test_a_redirect_is_not_followed(crossings: Library, body: Ask) -> None:
    with liar(says("elsewhere")) as elsewhere:
        for status in (301, 302, 303, 307, 308):
            there = elsewhere.url

            def moved(handler: Handler, status: int = status, there: str = there) -> None:
                handler.answer(b"", status, Location=f"{there}/chat/completions")

            phrasing, _ = phrasing_of(crossings, body, moved)
            assert f"HTTP {status}" in (phrasing["fault"] or "")
        assert elsewhere.asked == []


def test_it_is_tried_once_more(crossings: Library, body: Ask) -> None:
    words, tag = tagged(body, "201.1")

    def second(handler: Handler) -> None:
        first = len(handler.server.asked) == 1
        handler.answer(b"", 500) if first else handler.answer(completion(f"“{words}” {tag}."))

    phrasing, server = phrasing_of(crossings, body, second)
    assert (phrasing["fault"], len(phrasing["sentences"]), len(server.asked)) == (None, 1, 2)


def test_where_nothing_is_claimed_nothing_is_asked(crossings: Library) -> None:
    phrasing, server = phrasing_of(crossings, crossings.ask("pokemon prize cards"), says("“x” [1]"))
    assert (phrasing["text"], server.asked) == ("", [])


SETTINGS: list[dict[str, str]] = [
    {},
    {"RULESTONE_LLM": "http://127.0.0.1:1"},
    {"RULESTONE_LLM": "file:///etc/passwd", "RULESTONE_LLM_MODEL": "m"},
    {"RULESTONE_LLM": "http://127.0.0.1:1", "RULESTONE_LLM_MODEL": "m", "RULESTONE_LLM_SECONDS": "0"},
]


@pytest.mark.parametrize("environment", SETTINGS)
def test_settings_that_are_none(environment: dict[str, str]) -> None:
    with pytest.raises(InputError):
        configured_endpoint(environment)


def test_it_is_off_unless_asked_for(crossings: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer_to(**more: Any) -> Ask:  # noqa: ANN401
        return crossings.ask("201.1", games="ferry", lang="en", **more)

    with liar(says("“x” [1]")) as server:
        monkeypatch.setenv("RULESTONE_LLM", server.url)
        monkeypatch.setenv("RULESTONE_LLM_MODEL", "fibber")
        assert "phrased" not in answer_to()
        assert server.asked == []
        assert answer_to(phrase=True)["phrased"]["text"] == ""
        assert len(server.asked) == 1


def test_sentences_keep_their_tags_and_quotations() -> None:
    prose = "It says “Pay. Then go.” [1]. Row on. [3][1] “払う。”である [2]。行く。"
    assert split_sentences(prose) == ["It says “Pay. Then go.” [1].", "Row on. [3][1]", "“払う。”である [2]。", "行く。"]
