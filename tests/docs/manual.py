"""manual.py SITE SOURCE PROGRAM: the manual as a site. Every link and picture leads somewhere, every page can be reached, and the
generated reference has what the program and the sources have. Uses nothing of docs/site."""
import html.parser
import json
import os
import re
import subprocess
import sys

site, source, program = sys.argv[1:4]
failures = []


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.text, self.alt = set(), [], [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            if a["id"] in self.ids:
                failures.append(f"the anchor {a['id']} stands twice")
            self.ids.add(a["id"])
        for name in ("href", "src"):
            if name in a:
                self.links.append(a[name])
        if tag == "img" and not a.get("alt"):
            failures.append(f"a picture {a.get('src')} has no text")

    def handle_data(self, data):
        self.text.append(data)


pages = {}
for folder, _, names in os.walk(site):
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(".html"):
            before = len(failures)
            pages[os.path.relpath(path, site)] = Page(path)
            failures[before:] = [f"{os.path.relpath(path, site)}: {f}" for f in failures[before:]]

# Links, from the first page on.
reached, waiting = {"index.html"}, ["index.html"]
while waiting:
    path = waiting.pop()
    for link in pages[path].links:
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(os.path.join(site, to)):
            failures.append(f"{path}: {link} leads nowhere")
        elif anchor and to in pages and anchor not in pages[to].ids:
            failures.append(f"{path}: {link}: there is no such section")
        elif to in pages and to not in reached:
            reached.add(to)
            waiting.append(to)
for path in sorted(set(pages) - reached):
    failures.append(f"{path} cannot be reached")

# The reference: classes, options, functions, materials, as the program and the sources list them.
everything = {path: "".join(p.text) for path, p in pages.items()}
info = subprocess.run([program, "info", "Rattleback"], capture_output=True, text=True, check=True).stdout
classes = re.findall(r"^  (Rattleback\.\S+)", info, re.M)
if len(classes) < 300:
    failures.append(f"the library has {len(classes)} classes only")
for name in classes:
    package, _, last = name.rpartition(".")
    page = pages.get(f"reference/{package}.html")
    if not page or last not in page.ids:
        failures.append(f"the class {name} is not in the reference")
for command in re.findall(r"^  (\S+) ", subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout, re.M):
    text = everything.get(f"reference/command-{command}.html", "")
    for option in re.findall(r"^  (--[a-z-]+)", subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout, re.M):
        if option not in text:
            failures.append(f"{command} {option} is not in the reference")
for name in os.listdir(os.path.join(source, "include/rattleback")):
    with open(os.path.join(source, "include/rattleback", name), encoding="utf-8") as file:
        functions = set(re.findall(r"RB_API[^;(]*?\b(rb_\w+)\s*\(", file.read()))
    missing = functions - pages["reference/c-" + name[:-2] + ".html"].ids if functions else set()
    if missing:
        failures.append(f"{name}: {sorted(missing)} are not in the reference")
with open(os.path.join(source, "data/materials.json"), encoding="utf-8") as file:
    palette = json.load(file)
for name in palette["solids"]:
    if name not in everything["reference/materials.html"]:
        failures.append(f"{name} is not in the table of materials")

# The search knows a section of each kind.
with open(os.path.join(site, "index-of-pages.js"), encoding="utf-8") as file:
    entries = json.loads(file.read().removeprefix("window.manual = ").rstrip().rstrip(";"))
for wanted in ("Rattleback.Parts.Solid", "--tolerance", "rb_run_open", "Structure that changes"):
    if not any(wanted in (title, heading) for _, title, heading, _ in entries):
        failures.append(f"the search does not know {wanted}")

print(f"{len(pages)} pages, {len(classes)} classes, {len(entries)} entries of the search, {len(failures)} failures")
for f in failures[:40]:
    print(f, file=sys.stderr)
sys.exit(1 if failures else 0)
