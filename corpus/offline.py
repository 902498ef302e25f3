"""Turns off the telemetry of the libraries that run models; importing this module is enough.

onnxruntime reports to Microsoft from its import on, unless ORT_DISABLE_TELEMETRY is set before (Privacy.md in its wheel).
huggingface_hub describes the machine in every request that it makes.
"""

import os
from typing import Any

os.environ.update(ORT_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_TELEMETRY="1")


def import_onnxruntime() -> Any:  # noqa: ANN401
    """The module onnxruntime, with telemetry off even if another program imported it before this module."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def disable_downloads() -> None:
    """Makes transformers and huggingface_hub use local files only; call it before either is imported."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
