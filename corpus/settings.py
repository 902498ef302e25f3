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
        "The folder of the knowledge base, with copies of the added files; `--home` overrules it.",
    ),
    Setting(
        "RULESTONE_MODEL",
        "the shipped model and the pretrained encoder",
        "`static`: the shipped model alone. Or a SentenceTransformer: its folder, or the name of one that is downloaded already.",
    ),
    Setting("RULESTONE_DIGEST", "all", "Which glosses `build` loads: glob patterns of digest file names, separated by commas."),
    Setting(
        "RULESTONE_INDEX",
        "the arrays of the bundle",
        "Who holds the terms and vectors that are searched: `milvus://HOST:PORT/COLLECTION` (`milvus+https://…` with TLS), or "
        "`milvus:///FOLDER/FILE.db` with Milvus Lite.",
    ),
    Setting("RULESTONE_INDEX_TOKEN", "none", "The token for Milvus: `user:password` or an API key."),
    Setting(
        "RULESTONE_LLM",
        "none",
        "The base URL of an OpenAI-compatible endpoint for `ask --phrase`. No other command uses it.",
    ),
    Setting("RULESTONE_LLM_MODEL", "none", "The model that the endpoint runs."),
    Setting("RULESTONE_LLM_KEY", "none", "The key for the endpoint."),
    Setting("RULESTONE_LLM_SECONDS", "20", "Seconds until the endpoint is given up, a second try included."),
    Setting(
        "RULESTONE_SOURCES",
        "the shipped `corpus/data/sources.toml`",
        "A file of your own that says where publishers offer their books; read by `get` and `update`.",
    ),
    Setting(
        "SSL_CERT_FILE, HTTPS_PROXY, NO_PROXY",
        "the system's certificates, no proxy",
        "Certificates of authorities and a proxy, for `get` and `update`.",
    ),
    Setting("RULESTONE_DEBUG", "none", "`1`: an unexpected error prints its traceback."),
    Setting(
        "LC_ALL, LC_MESSAGES, LANG", "none", "The language of help, answers and errors on the command line; `--lang` overrules it."
    ),
)
"""In the order of docs/settings.md."""

TESTING = (
    Setting(
        "RULESTONE_TEXTS",
        "`../shared/rulebooks`",
        "Real rulebooks for tests and benches. Without them such tests are skipped, and the last lines of `make test` count them.",
    ),
    Setting("PYTHON, VENV, PORT", "`python3`, `.venv`, `8000`", "Variables of `make`."),
)
"""Settings of tests, benches and `make`."""
