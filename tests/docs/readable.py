"""readable.py SOURCE-FOLDER: prose for people. Of each page that users read: words per sentence on average, the longest paragraph, and
phrases that mislead those who are no native speakers. Code, tables and headings are left out."""
import os
import re
import sys

WORDS_PER_SENTENCE = 20
LONGEST_PARAGRAPH = 120
BANNED = [  # phrase, and what to write instead
    (r"is told\b(?! by)|are told\b|was told\b", "reported, printed"), (r"turned anyhow|stand anyhow", "random"), (r"\bheld hard\b", "rigid"),
    (r"\bWhat contradicts\b", "Contradictory ..."), (r"\bone that has\b", "a ... with"), (r"that the balance misses", "error of the balance"),
    (r"who computes", "engine"), (r"on a dark ground", "dark background"), (r"\bto better than\b", "to"), (r"\bof the stops\b", "of the end stops"),
    (r"answers an `RbStatus`", "returns"), (r"\bknows nothing of\b", "is independent of"),
]
source = sys.argv[1]
failures = []


def paragraphs(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    text = re.sub(r"^\$\$.*?\$\$", "", text, flags=re.S | re.M)
    for block in re.split(r"\n\s*\n|\n(?=[*-] |\d+\. )", text):
        block = block.strip()
        if not block or re.match(r"[#|!<]|    ", block):
            continue
        block = re.sub(r"^([*-]|\d+\.) ", "", block)
        block = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)
        block = re.sub(r"`[^`]*`", "code", block)  # one word
        yield re.sub(r"\s+", " ", block)


def sentences(text):
    text = re.sub(r"\b(e\.g|i\.e|cf|Fig|eq|eqs|sect|vs|approx|No)\.", r"\1", text)
    return [s for s in re.split(r"(?<=[.!?])[\"')*]*\s+(?=[\"'(*A-Z0-9`c])", text) if re.search(r"\w", s)]


def words(text):
    return len(re.findall(r"[\w'-]*[A-Za-z][\w'-]*", text))


pages = [os.path.join(source, "README.md"), os.path.join(source, "docs/README.md")]
for folder in ("guide", "tutorials"):
    path = os.path.join(source, "docs", folder)
    pages += sorted(os.path.join(path, n) for n in os.listdir(path) if n.endswith(".md"))
for page in pages:
    name = os.path.relpath(page, source)
    count, total, longest = 0, 0, ""
    for p in paragraphs(page):
        for s in sentences(p):
            count += 1
            total += words(s)
        if words(p) > words(longest):
            longest = p
        if words(p) > LONGEST_PARAGRAPH:
            failures.append(f"{name}: a paragraph has {words(p)} words: {p[:70]}...")
        for phrase, instead in BANNED:
            for m in re.finditer(phrase, p):
                failures.append(f"{name}: '{m.group()}' in '{p[max(0, m.start() - 30):m.end() + 30]}': write {instead}")
    mean = total / max(1, count)
    if mean >= WORDS_PER_SENTENCE:
        failures.append(f"{name}: {mean:.1f} words per sentence")
    print(f"{name}: {mean:.1f} words per sentence, {words(longest)} in the longest paragraph")
for f in failures:
    print(f, file=sys.stderr)
sys.exit(1 if failures else 0)
