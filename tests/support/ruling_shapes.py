"""Invented rulings of The Game of Ferrymen, and the shapes in which files of the wild have such things."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A ruling as a file may have it."""

    id: str
    card: str
    number: str
    question: str
    answer: str
    date: str


EN = (
    Asked("101", "Long Ferry", "FR-001", "Does a goat count as one traveller on the Long Ferry?", "No. A goat counts as two travellers.", "2023-05-06"),
    Asked("102", "Long Ferry", "FR-001", "May the ferry leave while a seat is empty?", "Yes, if the ferryman says so before the bell is rung.", "2023-05-06"),
    Asked("103", "Toll Bridge", "FR-014", "If I own the bridge, do I still pay the toll?", "You do. The toll goes to the bank and not to you.", "2024-01-20"),
    Asked("104", "Night Watch", "FR-020", "Can the watch stop a raft that is already on the river?", "No, only what has not left the pier can be stopped.", "2024-01-20"),
    Asked("105", "Rope of Hemp", "FR-033", "How long does a rope stay tied after its owner leaves the pier?", "Until the end of that turn.", "2024-11-02"),
    Asked("106", "Rope of Hemp", "FR-033", "Can two ropes be tied to the same post?", "Yes. Each of them holds on its own.", "2025-03-08"),
    Asked("107", "Lantern", "FR-041", "Is a lantern lit when it is drawn from the crate?", "It is not. A lantern is lit only by paying one oil.", "2025-03-08"),
)  # fmt: skip
JA = (
    Asked("201", "長い渡し舟", "FR-001", "《長い渡し舟》で山羊は一人として数えますか？", "いいえ、山羊は旅人二人として数えます。", "2023-05-06"),
    Asked("202", "長い渡し舟", "FR-001", "空席があるまま舟を出すことはできますか？", "はい、鐘が鳴る前に渡し守が宣言すればできます。", "2023-05-06"),
    Asked("203", "料金橋", "FR-014", "自分の橋を渡るときも料金を払いますか？", "はい、払います。料金は銀行に置かれます。", "2024-01-20"),
    Asked("204", "夜番", "FR-020", "すでに川の上にある筏を止めることはできますか？", "いいえ、桟橋を離れていないものだけを止められます。", "2024-01-20"),
    Asked("205", "麻の綱", "FR-033", "持ち主が桟橋を離れたあと、綱はいつまで結ばれたままですか？", "そのターンの終わりまでです。", "2024-11-02"),
    Asked("206", "麻の綱", "FR-033", "同じ杭に綱を二本結べますか？", "はい、それぞれが別に効果を持ちます。", "2025-03-08"),
)  # fmt: skip
ZH = (
    Asked("301", "长渡船", "FR-001", "山羊在长渡船上算作一名旅客吗？", "不算，一只山羊算作两名旅客。", "2023-05-06"),
    Asked("302", "收费桥", "FR-014", "自己的桥还需要支付过桥费吗？", "需要。过桥费放入银行。", "2024-01-20"),
    Asked("303", "夜巡", "FR-020", "可以阻止已经在河上的木筏吗？", "不可以，只能阻止尚未离开码头的木筏。", "2024-01-20"),
    Asked("304", "麻绳", "FR-033", "同一根木桩可以系两根绳子吗？", "可以，两根绳子各自生效。", "2025-03-08"),
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A file with rulings: its name, its text, and what of each of them it tells."""

    name: str
    text: str
    of: tuple[Asked, ...]
    tells: frozenset[str]  # among id, card, number, question, date


def _shape(name: str, body: Any, of: tuple[Asked, ...], tells: str) -> Made:  # noqa: ANN401
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, indent=1)
    return Made(name, text, of, frozenset(tells.split()))


def by_number(of: tuple[Asked, ...], row_of: Callable[[Asked], Any]) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = {}
    for entry in of:
        rows.setdefault(entry.number, []).append(row_of(entry))
    return rows


def names_of(of: tuple[Asked, ...]) -> Mapping[str, str]:
    return {entry.number: entry.card for entry in of}


def separated(of: tuple[Asked, ...], names: Mapping[str, str], delimiter: str, *, header: bool = True) -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    if header:
        writer.writerow(names.values())
    writer.writerows([getattr(entry, name) for name in names] for entry in of)
    return file.getvalue()


FORMATS = ("json", "jsonl", "csv", "tsv", "yaml", "md")
"""The formats of files, by the ends of their names."""
Pairs = list[tuple[str, str]]
"""The fields of a record in their order; a name may stand twice."""


def file_text(records: list[Pairs], suffix: str) -> str:
    """Some records in a format; what a record lacks is left out, or in a table left empty."""
    if suffix in ("json", "jsonl"):
        objects = [f"{{{', '.join(f'{_quoted(name)}: {_quoted(value)}' for name, value in record)}}}" for record in records]
        return "\n".join(objects) if suffix == "jsonl" else f"[{', '.join(objects)}]"
    if suffix == "yaml":
        return "".join("\n  ".join(["-", *(f"{name}: {_quoted(value)}" for name, value in record)]) + "\n" for record in records)
    rows = _rows(records)
    if suffix == "md":
        return "# Desk\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])
    file = io.StringIO()
    csv.writer(file, delimiter="," if suffix == "csv" else "\t").writerows(rows)
    return file.getvalue()


def _rows(records: list[Pairs]) -> list[list[str]]:
    """A header of all names, each as often as a record has it, and a row of values for each record."""
    header = [name for name, _ in max(records, key=len)]
    rows = [header]
    for record in records:
        left = list(record)
        row = []
        for name in header:
            place = next((at for at, (other, _) in enumerate(left) if other == name), None)
            row.append(left.pop(place)[1] if place is not None else "")
        rows.append(row)
    return rows


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _dotted(day: str) -> str:
    return day.replace("-", ".")


def _han(day: str) -> str:
    year, month, day_ = day.split("-")
    return f"{year}年{int(month)}月{int(day_)}日"


def _worded(day: str) -> str:
    moment = date.fromisoformat(day)
    return f"{moment:%B} {moment.day}, {moment.year}"


_ALL = {"id": "id", "card": "card", "question": "question", "answer": "answer", "date": "date"}

SHAPES: dict[str, Made] = {
    "array": _shape("faq.json", [vars(entry) for entry in EN], EN, "id card number question date"),
    "data wrapper": _shape(
        "faq.json",
        {"meta": {"count": 7, "fetched_at": "2025-06-01"}, "data": [{"id": int(o.id), "q": o.question, "a": o.answer, "date": o.date} for o in EN]},
        EN, "id question date",
    ),
    "short names": _shape("faq.json", [{"q": o.question, "a": o.answer} for o in EN], EN, "question"),
    "by card number": _shape(
        "qa.json", by_number(JA, lambda o: {"id": o.id, "question": o.question, "answer": o.answer, "date": _dotted(o.date)}), JA, "id number question date"
    ),
    "by card number with an object": _shape(
        "qa.json",
        {
            number: {"name": names_of(JA)[number], "rarity": "R", "rulings": rows}
            for number, rows in by_number(JA, lambda o: {"質問": o.question, "回答": o.answer, "日付": _han(o.date)}).items()
        },
        JA, "card number question date",
    ),
    "cards with lists": _shape(
        "cards.json",
        [
            {"card_id": number, "card_name": names_of(EN)[number], "text": "When this card is drawn, the river rises by one.", "faq": rows}
            for number, rows in by_number(EN, lambda o: {"faq_id": o.id, "question": o.question, "answer": o.answer, "updated_at": f"{o.date}T10:00:00Z"}).items()
        ],
        EN, "id card number question date",
    ),
    "ids as names": _shape("faq.json", {o.id: {"question": o.question, "answer": o.answer, "cards": [o.card]} for o in EN}, EN, "id card question"),
    "ids under cards": _shape(
        "faq.json",
        {o.number: {"name": o.card, "qa": {p.id: {"q": p.question, "a": p.answer, "d": p.date} for p in EN if p.number == o.number}} for o in EN},
        EN, "id card question date",
    ),
    "question to answer": _shape("faq.json", {o.question: o.answer for o in EN}, EN, "question"),
    "question to answer under cards": _shape("faq.json", {c: {o.question: o.answer for o in JA if o.card == c} for c in {o.card for o in JA}}, JA, "question card"),
    "comments": _shape(
        "rulings.json",
        [{"object": "ruling", "oracle_id": f"00000000-0000-4000-8000-0000000000{o.id[-2:]}", "source": "desk", "published_at": o.date, "comment": o.answer} for o in EN],
        EN, "date",
    ),
    "comments under cards": _shape("rulings.json", {c: [o.answer for o in EN if o.card == c] for c in {o.card for o in EN}}, EN, "card"),
    "comments with dates under cards": _shape(
        "rulings.json",
        {"data": {c: {"name": c, "rulings": [{"date": o.date, "text": o.answer} for o in EN if o.card == c]} for c in {o.card for o in EN}}},
        EN, "card date",
    ),
    "names that say nothing": _shape("dump.json", [{"f1": o.id, "f2": o.question, "f3": o.answer, "f4": o.date} for o in EN], EN, "id question date"),
    "names that say nothing, the answer first": _shape("dump.json", [{"x": o.answer, "y": o.question} for o in JA], JA, "question"),
    "wrong names": _shape("dump.json", [{"title": o.card, "text": o.question, "note": o.answer} for o in EN], EN, "question"),
    "pairs": _shape("dump.json", [[o.question, o.answer] for o in ZH], ZH, "question"),
    "one text": _shape("dump.json", [{"id": o.id, "body": f"Q: {o.question}\nA: {o.answer}"} for o in EN], EN, "id question"),
    "html": _shape(
        "faq.json",
        [{"id": o.id, "question": f"<p>{o.question}</p>", "answer": f"<div><b>{o.answer.split('. ')[0]}</b>{o.answer[len(o.answer.split('. ')[0]):]}</div>"} for o in EN],
        EN, "id question",
    ),
    "chinese names": _shape("wenda.json", [{"编号": o.id, "卡名": o.card, "问题": o.question, "回答": o.answer, "日期": _han(o.date)} for o in ZH], ZH, "id card question date"),
    "full-width names": _shape("qa.json", [{"Ｑ": o.question, "Ａ": o.answer, "カード名": o.card} for o in JA], JA, "card question"),
    "nested parts": _shape(
        "qa.json",
        [{"id": o.id, "question": {"text": o.question}, "answer": {"text": o.answer, "by": "desk"}, "related_cards": [{"name": o.card, "number": o.number}]} for o in EN],
        EN, "id card question",
    ),
    "chapters": _shape("faq.json", {"sections": [{"title": "Boats", "items": [{"question": o.question, "answer": o.answer} for o in EN[:4]]},
                                                {"title": "Ropes", "items": [{"question": o.question, "answer": o.answer} for o in EN[4:]]}]}, EN, "question"),
    "json lines": _shape("faq.jsonl", "\n".join(json.dumps({"id": o.id, "q": o.question, "a": o.answer}, ensure_ascii=False) for o in JA), JA, "id question"),
    "json lines called json": _shape("faq.json", "\n".join(json.dumps({"id": o.id, "q": o.question, "a": o.answer}) for o in EN) + "\n", EN, "id question"),
    "csv": _shape("faq.csv", separated(EN, _ALL, ","), EN, "id card question date"),
    "csv of excel": _shape("faq.csv", separated(JA, {"id": "番号", "card": "カード名", "question": "質問", "answer": "回答", "date": "更新日"}, ";"), JA, "id card question date"),
    "csv without names": _shape("faq.csv", separated(EN, {"question": "", "answer": ""}, ",", header=False), EN, "question"),
    "tsv": _shape("faq.tsv", separated(ZH, _ALL, "\t"), ZH, "id card question date"),
    "yaml": _shape(
        "faq.yaml", "".join(f'- id: {o.id}\n  card: {o.card}\n  date: {o.date}\n  question: "{o.question}"\n  answer: >\n    {o.answer}\n' for o in EN), EN, "id card question date"
    ),
    "yaml by card": _shape("faq.yml", "".join(f'{o.number}:\n- q: "{o.question}"\n  a: "{o.answer}"\n' for o in EN if o.id in ("101", "103", "104", "105", "107")),
                          tuple(o for o in EN if o.id in ("101", "103", "104", "105", "107")), "number question"),
    "markdown headings": _shape("faq.md", "# Answers\n\n" + "".join(f"## {o.card}\n\nQ: {o.question}\n\nA: {o.answer}\n\n" for o in EN), EN, "card question"),
    "markdown asking headings": _shape("faq.md", "# Answers\n\n" + "".join(f"### {o.question}\n\n{o.answer}\n\n" for o in EN), EN, "question"),
    "markdown bold": _shape("faq.md", "# 質問\n\n" + "".join(f"**Q{n}. {o.question}**\n\n**A.** {o.answer}\n\n" for n, o in enumerate(JA, 1)), JA, "question"),
    "markdown table": _shape("faq.md", "# Desk\n\n| Card | Question | Answer | Date |\n|---|---|---|---|\n" + "".join(f"| {o.card} | {o.question} | {o.answer} | {_worded(o.date)} |\n" for o in EN), EN, "card question date"),
    "plain lines": _shape("faq.txt", "".join(f"質問：{o.question}\n回答：{o.answer}\n日付：{_han(o.date)}\n\n" for o in JA), JA, "question date"),
    "bullets": _shape("faq.md", "# Answers\n\n" + "".join(f"- **Q:** {o.question}\n  **A:** {o.answer}\n" for o in EN), EN, "question"),
    "seconds": _shape("faq.json", [{"id": o.id, "question": o.question, "answer": o.answer, "timestamp": 1700000000} for o in EN], EN, "id question"),
    "american dates": _shape("faq.csv", separated(EN, {"question": "Question", "answer": "Answer"}, ","), EN, "question"),
    "languages as names": _shape("faq.json", [{"id": str(n), "question_ja": j.question, "answer_ja": j.answer, "question_en": e.question, "answer_en": e.answer} for n, (j, e) in enumerate(zip(JA, EN, strict=False), 1)], JA, "question"),
    "languages inside": _shape("faq.json", [{"id": str(n), "question": {"ja": j.question, "en": e.question}, "answer": {"ja": j.answer, "en": e.answer}} for n, (j, e) in enumerate(zip(JA, EN, strict=False), 1)], JA, "question"),
    "languages around": _shape("faq.json", [{"id": str(n), "ja": {"q": j.question, "a": j.answer}, "en": {"q": e.question, "a": e.answer}} for n, (j, e) in enumerate(zip(JA, EN, strict=False), 1)], JA, "question"),
    "lists by language": _shape("faq.json", {"ja": [{"id": o.id, "q": o.question, "a": o.answer} for o in JA], "en": [{"id": o.id, "q": o.question, "a": o.answer} for o in EN]}, (*JA, *EN), "id question"),
    "several cards": _shape("faq.json", [{"id": o.id, "question": o.question, "answer": o.answer, "cards": f"{o.card}、Oar"} for o in EN], EN, "id question"),
    "an id for several cards": _shape("faq.json", {n: [vars(o) | {"number": n} for o in EN] for n in ("FR-001", "FR-002", "FR-003")}, EN, "id question date"),
    "numbers that begin anew": _shape("faq.json", {n: [{"no": k, "q": o.question, "a": o.answer} for k, o in enumerate([p for p in EN if p.number == n], 1)] for n in names_of(EN)}, EN, "number question"),
    "without answers": _shape("faq.json", [*({"id": o.id, "q": o.question, "a": o.answer} for o in EN), {"id": "999", "q": "Is the river deep?", "a": None}, {"id": "998", "q": "Why?", "a": " "}], EN, "id question"),
    "cards and answers apart": _shape(
        "dump.json",
        {
            "cards": {str(n): {"name": {"en": c}, "text": "When it is drawn, the river rises by one."} for n, c in enumerate(sorted({o.card for o in EN}))},
            "qas": {o.id: {"title": o.question[:20], "question": o.question, "answer": o.answer, "src": {"date": o.date}} for o in EN},
        },
        EN, "id question date",
    ),
    "rows under cards": _shape("dump.json", {c: [[o.question, o.answer, o.date] for o in EN if o.card == c] for c in {o.card for o in EN}}, EN, "card question date"),
    "one text under cards": _shape("dump.json", {o.card: f"Q: {o.question}\nA: {o.answer}" for o in EN if o.id in ("101", "103", "104", "105", "107")},
                                  tuple(o for o in EN if o.id in ("101", "103", "104", "105", "107")), "card question"),
    "the number of the card in its object": _shape("dump.json", {o.number: {"card_number": o.number, "rulings": [{"question": p.question, "answer": p.answer} for p in JA if p.number == o.number]} for o in JA}, JA, "number question"),
    "words in front of names": _shape("dump.json", by_number(EN, lambda o: {"faq_id": o.id, "faq_question": o.question, "faq_answer": o.answer, "relatedCards": [o.card]}), EN, "id card question"),
    "html of some": _shape("dump.json", [{"rulingId": o.id, "questionText": o.question, "answerText": o.answer, "createdAt": f"{o.date}T00:00:00.000Z"} for o in EN], EN, "id question date"),
}  # fmt: skip
"""Invented files by what is peculiar to their shape."""
