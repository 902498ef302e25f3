"""Turns claims into prose: a model gets the question and the claims, and only its proven sentences are shown."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.messages import Message, message
from rulestone.phrasing.endpoint import Endpoint, EndpointFault, complete_chat
from rulestone.phrasing.sentence import CLAIM_TAG, split_sentences, unproven_reason

if TYPE_CHECKING:
    from corpus.contract import AnswerClaim, Ask, Dropped, Phrased, PhrasedSentence, Verify

PROMPT_FILE = Path(__file__).parent / "data" / "prompt.txt"
MAX_SENTENCES = 5
_LANGUAGES = {"ja": "Japanese", "zh-Hans": "simplified Chinese", "zh-Hant": "traditional Chinese", "en": "English"}
_PROVING_STATUSES = {"rule": ("exists", "verified"), "digest": ("exists", "verified", "unchecked")}
"""Accepted statuses of a citation; words of our gloss, marked as such in the claim, cannot verify a quotation of the book."""
Verifying = Callable[[str], "Verify"]


def phrase_answer(body: "Ask", endpoint: Endpoint, verify: Verifying) -> "Phrased":
    """The prose for an answer: the proven sentences, and the dropped ones with the reason; none after a fault."""
    claims, lang = body["claims"], body["lang"]
    proven_sentences: list[PhrasedSentence] = []
    refusals: list[Dropped] = []
    fault: EndpointFault | None = None
    try:
        sentences = split_sentences(complete_chat(endpoint, _chat_messages(body))) if claims else []
    except EndpointFault as error:
        sentences, fault = [], error
    for text in sentences:
        rendered = _render_references(text, claims)
        reason = unproven_reason(text, claims, body["query"], lang) or _refusal_reason(text, rendered, claims, verify)
        if reason or len(proven_sentences) == MAX_SENTENCES:
            refusals.append({"text": text, "why": (reason or message("there are enough sentences already")).in_language(lang)})
        else:
            proven_sentences.append({"text": rendered, "rules": [claims[int(tag) - 1]["rule"] for tag in CLAIM_TAG.findall(text)]})
    prose = ("" if lang != "en" else " ").join(sentence["text"] for sentence in proven_sentences)
    return {
        "model": endpoint.model,
        "text": prose,
        "sentences": proven_sentences,
        "dropped": refusals,
        "fault": fault.in_language(lang) if fault else None,
    }


def _chat_messages(body: "Ask") -> list[dict[str, str]]:
    """The prompt: instructions, the question, and the claims as data."""
    order = PROMPT_FILE.read_text(encoding="utf-8").format(language=_LANGUAGES[body["lang"]], most=MAX_SENTENCES)
    claims = [{"tag": f"[{place}]", "lang": claim["lang"], "words": claim["text"]} for place, claim in enumerate(body["claims"], 1)]
    data = json.dumps({"question": body["query"], "claims": claims}, ensure_ascii=False)
    return [{"role": "system", "content": order}, {"role": "user", "content": data}]


def _render_references(text: str, claims: "Sequence[AnswerClaim]") -> str:
    """A sentence whose tags are replaced by references for `verify`."""

    def rule_reference(tag: str) -> str:
        return f"({claims[int(tag) - 1]['ref']})" if 1 <= int(tag) <= len(claims) else f"[{tag}]"

    return CLAIM_TAG.sub(lambda match: rule_reference(match[1]), text)


def _refusal_reason(text: str, rendered: str, claims: "Sequence[AnswerClaim]", verify: Verifying) -> Message | None:
    """The reason for refusing a sentence: every citation in it must be verified and belong to a claim that it names."""
    sources_by_rule = {claims[int(tag) - 1]["rule"]: claims[int(tag) - 1]["source"] for tag in CLAIM_TAG.findall(text)}
    citations = verify(rendered)["citations"]
    for citation in citations:
        rule = citation["rule"] or ""
        if rule not in sources_by_rule or citation["status"] not in _PROVING_STATUSES[sources_by_rule[rule]]:
            return message("{surface} is {status}", surface=citation["surface"][:60], status=citation["status"])
    return None if citations else message("it names no claim, or one that does not exist")
