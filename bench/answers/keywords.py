"""Whether the answer to what a keyword is or does states its effect: `python -m bench.answers.keywords [--home DIR]`.

`keywords.tsv` has 60 keyword abilities of Magic in three languages, each with the rule that states its effect, written down before
any answer was read. Each is asked in English, Japanese and Chinese. An answer with another rule only ("X is a static ability") is
empty.
"""

import statistics
import sys
from pathlib import Path

from bench.measure import folder_or_temporary, rulebook_folder, table_rows
from bench.search.homes import home_option
from corpus.address import split_rule
from corpus.contract import Ask
from rulestone import Library

KEYWORDS_FILE = Path(__file__).with_name("keywords.tsv")
BOOKS = ("mtg/20250207_En.txt", "mtg/20250207_Zh.txt")
FORMS = {"en": ("what is {}", "what does {} do"), "ja": ("{}とは", "{}の効果は何ですか"), "zh": ("{}是什么", "{}有什么作用")}
"""Two forms of the question in each language, used by turns."""
LEAST = 0.95
MAX_CLAIMS, MAX_CHARACTERS = 3, 600


def main() -> int:
    """Prints the figures; returns 1 if too few answers state the effect, or one is too long."""
    with folder_or_temporary(home_option(__doc__)) as home, Library.open(home) as library:
        if not any(edition["game"] == "mtg" and edition["languages"] for edition in library.editions()["editions"]):
            library.add([rulebook_folder() / name for name in BOOKS], later=True)
        return int(not _measure(library, table_rows(KEYWORDS_FILE)))


def _measure(library: Library, rows: list[dict[str, str]]) -> bool:
    has_effect: list[bool] = []
    sure: list[bool] = []
    longest = most = 0
    for lang, forms in FORMS.items():
        of_lang: list[bool] = []
        for nth, row in enumerate(rows):
            question = forms[nth % len(forms)].format(row[lang])
            answer = library.ask(question, games="mtg")
            of_lang.append(_states(answer, row["rule"]))
            sure += [of_lang[-1]] if answer["state"] == "sure" else []
            if not of_lang[-1]:
                print(f"  {question}: {row['rule']} is not in {[claim['ref'] for claim in answer['claims']]}")
            elif answer["claims"][0]["role"] == "definition":
                longest = max(longest, sum(len(claim["text"]) for claim in answer["claims"]))
                most = max(most, len(answer["claims"]))
        print(f"{lang} {statistics.fmean(of_lang):.3f} of {len(of_lang)}")
        has_effect += of_lang
    print(f"the effect is stated {statistics.fmean(has_effect):.3f} of {len(has_effect)}, at least {LEAST}")
    print(f"  in sure answers {statistics.fmean(sure) if sure else 1.0:.3f} of {len(sure)}")
    print(f"definitions have at most {most} claims and {longest} characters")
    return statistics.fmean(has_effect) >= LEAST and all(sure) and most <= MAX_CLAIMS and longest <= MAX_CHARACTERS


def _states(answer: Ask, rule: str) -> bool:
    """Whether a claim is of a rule."""
    return any(split_rule(claim["rule"]).locator == rule for claim in answer["claims"])


if __name__ == "__main__":
    sys.exit(main())
