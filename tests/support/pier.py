"""The invented rules of a harbour, in three languages, with questions (`cases/pier.toml`)."""

import tomllib

from tests.support.texts import ROOT

PIER = tomllib.loads((ROOT / "tests" / "cases" / "pier.toml").read_text(encoding="utf-8"))
