"""Keeps the libraries that run models from reporting on their users. Importing this module turns their telemetry off.

onnxruntime reports to Microsoft from its import on, unless ORT_DISABLE_TELEMETRY is set by then (Privacy.md in its wheel).
huggingface_hub describes the machine in every request that it makes.
"""

import os
from typing import Any

os.environ.update(ORT_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_TELEMETRY="1")


def onnxruntime() -> Any:  # noqa: ANN401
    """The module onnxruntime, which records no further events where another program imported it before this module."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def download_nothing() -> None:
    """Has transformers and huggingface_hub load only what is on this machine, where neither was imported before."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
