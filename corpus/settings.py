"""Every environment variable that Rulestone reads, except those of a public server (`api.http.settings`)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable, its default, and its meaning (Markdown)."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting(
        "RULESTONE_HOME",
        "`rulestone` in the platform's folder for user data (Linux: `~/.local/share`)",
        "The folder of the knowledge base, with copies of the added files; `--home` overrides it.",
    ),
    Setting(
        "RULESTONE_MODEL",
        "the shipped model and the pretrained encoder",
        "`static`: only the shipped model. Otherwise a SentenceTransformer: its folder, or the name of a downloaded one.",
    ),
    Setting("RULESTONE_DIGEST", "all", "The glosses that `build` loads: glob patterns of digest file names, separated by commas."),
    Setting(
        "RULESTONE_INDEX",
        "the arrays of the bundle",
        "The index with the terms and vectors: `milvus://HOST:PORT/COLLECTION` (`milvus+https://…` with TLS), or "
        "`milvus:///FOLDER/FILE.db` with Milvus Lite.",
    ),
    Setting("RULESTONE_INDEX_TOKEN", "none", "The token for Milvus: `user:password` or an API key."),
    Setting("RULESTONE_LLM", "none", "The base URL of an OpenAI-compatible endpoint for `ask --phrase`. No other command uses it."),
    Setting("RULESTONE_LLM_MODEL", "none", "The model that the endpoint runs."),
    Setting("RULESTONE_LLM_KEY", "none", "The key for the endpoint."),
    Setting("RULESTONE_LLM_SECONDS", "20", "Time limit of the endpoint in seconds, including one retry."),
    Setting(
        "RULESTONE_SOURCES",
        "the shipped `corpus/data/sources.toml`",
        "Your own file with the locations of the publishers' books, for `get` and `update`.",
    ),
    Setting(
        "SSL_CERT_FILE, HTTPS_PROXY, NO_PROXY",
        "the system's certificates, no proxy",
        "Certificates of authorities and a proxy, for `get` and `update`.",
    ),
    Setting("RULESTONE_DEBUG", "none", "`1`: an unexpected error prints its traceback."),
    Setting(
        "LC_ALL, LC_MESSAGES, LANG", "none", "The language of help, answers and errors on the command line; `--lang` overrides it."
    ),
)
"""In the order of docs/settings.md."""
TEST_SETTINGS = (
    Setting(
        "RULESTONE_TEXTS",
        "`../shared/rulebooks`",
        "Real rulebooks for tests and benchmarks. Without them, these tests are skipped, and `make test` counts them.",
    ),
    Setting("PYTHON, VENV, PORT", "`python3`, `.venv`, `8000`", "Variables of `make`."),
)
"""Settings of tests, benches and `make`."""
