"""The folder of a static model, as sentence-transformers reads it; nothing in it depends on the versions of libraries."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from search.encode.encoder import ROWS, TOKENS, UNKNOWN, WEIGHTS, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MODULES = "sentence_transformers.sentence_transformer.modules"
_FILES: dict[str, Any] = {
    "modules.json": [
        {"idx": 0, "name": "0", "path": "", "type": f"{_MODULES}.StaticEmbedding"},
        {"idx": 1, "name": "1", "path": "1_Normalize", "type": f"{_MODULES}.Normalize"},
    ],
    "1_Normalize/config.json": {},
    "config_sentence_transformers.json": {"model_type": "SentenceTransformer", "similarity_fn_name": "cosine"},
}


def tokenizer(tokens: Sequence[str]) -> "Tokenizer":
    """Texts come tokenized: a token is what stands between spaces. The first of the tokens is UNKNOWN."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    made = Tokenizer(WordLevel({token: place for place, token in enumerate(tokens)}, unk_token=UNKNOWN))
    made.pre_tokenizer = WhitespaceSplit()
    return made


def write(folder: Path, tokens: Sequence[str], rows: Vectors) -> None:
    """Writes a model: half the precision of a float is more than cosines need."""
    from safetensors.numpy import save

    for name, body in _FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    (folder / TOKENS).write_text(tokenizer(tokens).to_str(), encoding="utf-8")
    (folder / WEIGHTS).write_bytes(save({ROWS: rows.astype(np.float16)}))
