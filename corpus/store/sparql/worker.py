"""The process that answers untrusted queries: `python -m corpus.store.sparql.worker STORE MEMORY`.

It opens the store, confines itself, and answers queries from standard input. A query can affect only this process.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from corpus.errors import InputError, RulestoneError
from corpus.store.engine import Store
from corpus.store.sparql.confine import confine, limit_memory, limit_time, resident
from corpus.store.sparql.evaluate import evaluate
from corpus.store.sparql.question import DATA, END, FAULT, READY, Question, receive, send

NICE = 15
"""Niceness: queries have a lower priority than look-ups."""


def main(store: str, memory: str) -> None:
    """Answers until standard input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of libraries must not mix with answers
    if hasattr(os, "nice"):
        os.nice(NICE)
    by = confine()
    opened = Store(Path(store), read_only=True)
    limit_memory(int(memory))
    send(sink, READY, json.dumps({"confined": by}).encode())
    began = resident()
    while (given := receive(source)) is not None:
        seconds, _, question = given[1].partition(b"\n")
        limit_time(float(seconds))
        _answer(opened, Question.unpacked(question), sink, began)


def _answer(store: Store, question: Question, sink: BinaryIO, began: int) -> None:
    try:
        answer = asdict(evaluate(store, question, lambda piece: send(sink, DATA, piece)))
        del answer["body"]
        send(sink, END, json.dumps(answer | {"grown": resident() - began}).encode())
    except RulestoneError as error:
        values = {name: value if isinstance(value, int | float) else str(value) for name, value in error.message.values.items()}
        _fault(sink, type(error).__name__, error.message.text, values)
    except MemoryError:
        _fault(sink, "MemoryError", "", {})
    except BaseException as error:  # a panic of the engine is a BaseException
        _fault(sink, InputError.__name__, "the query failed: {fault}", {"fault": f"{error}"[:300]})


def _fault(sink: BinaryIO, kind: str, text: str, values: Mapping[str, object]) -> None:
    send(sink, FAULT, json.dumps({"kind": kind, "text": text, "values": values}).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
