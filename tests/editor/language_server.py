"""A client of the language server protocol: what an editor says to `rattleback lsp`, and what must come back.

Expected places are counted in the text below by hand, columns in UTF-16 units from 0."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

TEXT = """model Drive "A motor turns a load"
  // é and 𝛚 before names on a line: UTF-16 counts 𝛚 twice
  parameter Real k(unit = "N.m/A") = 0.5 "Constant /* 𝛚 */ of the motor"; Real free_k = k;
  Rattleback.Rotational.Inertia load(J = 0.2, phi(fixed = true, start = 0), w(fixed = true, start = 0));
  Rattleback.Blocks.Sources.Constant u(k = 2);
  Real power;
equation
  power = load.w*k*u.y;
end Drive;
"""


class Client:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.published = {}

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the server has ended")
            if line == b"\r\n":
                break
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def show(self, uri, text):
        known = uri in self.published
        self.published.pop(uri, None)
        if known:
            self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [{"text": text}]})
        else:
            document = {"uri": uri, "languageId": "modelica", "version": 1, "text": text}
            self.notify("textDocument/didOpen", {"textDocument": document})
        while uri not in self.published:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        return self.published[uri]

    def ask(self, what, uri, line, character):
        params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.request("textDocument/" + what, params)["result"]

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=10)


def place(needle, offset=0, text=TEXT):
    before = text[: text.index(needle) + offset]
    line = before.count("\n")
    start = before.rsplit("\n", 1)[-1]
    return line, len(start.encode("utf-16-le")) // 2


def check_answers(client, uri):
    assert client.show(uri, TEXT) == [], client.published[uri]
    hover = client.ask("hover", uri, *place("k*u.y"))["contents"]["value"]
    assert "parameter Real" in hover and "N.m/A" in hover and "0.5" in hover and "of the motor" in hover, hover
    hover = client.ask("hover", uri, *place("Inertia load", 2))["contents"]["value"]
    assert "Rattleback.Rotational.Inertia" in hover, hover
    hover = client.ask("hover", uri, *place("J = 0.2"))["contents"]["value"]
    assert "parameter" in hover and "J" in hover and "kg.m2" in hover, hover
    assert client.ask("hover", uri, *place("equation", 2)) is None
    found = client.ask("definition", uri, *place("k*u.y"))
    line, character = place('k(unit')
    assert found["uri"] == uri and found["range"]["start"] == {"line": line, "character": character}, found
    found = client.ask("definition", uri, *place("free_k = k", 1))
    line, character = place("free_k")
    assert found["range"]["start"] == {"line": line, "character": character}, found
    tree = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
    assert [s["name"] for s in tree] == ["Drive"] and [s["name"] for s in tree[0]["children"]] == ["k", "free_k", "load", "u", "power"], tree
    assert tree[0]["range"]["end"]["line"] == TEXT[: TEXT.index("end Drive")].count("\n") + 1, tree[0]


def check_typing(client, uri):
    wrong = TEXT.replace("k*u.y", "kk*u.y")
    found = client.show(uri, wrong)
    line, character = place("kk*u.y", text=wrong)
    assert len(found) == 1 and found[0]["severity"] == 1 and "'kk' is unknown" in found[0]["message"], found
    assert found[0]["range"] == {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + 2}}, found
    typing = TEXT.replace("= load.w*k*u.y;", "= load.")
    assert client.show(uri, typing), "an unfinished line is no error"
    names = {i["label"]: i for i in client.ask("completion", uri, *place("load.\n", 5, typing))}
    assert "flange_a" in names and "J" in names and "Drive" not in names, sorted(names)
    assert names["J"]["detail"] == "Real" or "Inertia" in names["J"]["detail"], names["J"]
    typing = TEXT.replace("Constant u(k = 2)", "Constant u(")
    client.show(uri, typing)
    names = {i["label"] for i in client.ask("completion", uri, *place("Constant u(", 11, typing))}
    assert {"k", "y", "load", "Drive", "Rattleback"} <= names, sorted(names)


SHADOWS = """package P
  model Wheel
    parameter Real r = 0.3;
    Real a[3] = {r*i for i in 1:3};
    Real i = 2, s = sum(i*r for i in 1:3) + i;
  equation
    for r in 1:2 loop
      assert(r > 0, "r");
    end for;
  end Wheel;
  model Cart
    Wheel left(r = 0.2), right(r = 2*left.r);
    Real r = left.r; // r
  end Cart;
end P;
"""


def places(found, uri):
    assert all(f["uri"] == uri for f in found), found
    return sorted((f["range"]["start"]["line"], f["range"]["start"]["character"]) for f in found)


def changed(text, edits):
    """The text after the edits of a client."""
    lines = text.split("\n")
    for e in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        start, end = e["range"]["start"], e["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]].encode("utf-16-le")
        before, after = line[: 2*start["character"]], line[2*end["character"]:]
        lines[start["line"]] = (before + e["newText"].encode("utf-16-le") + after).decode("utf-16-le")
    return "\n".join(lines)


def rename(client, uri, where, name):
    params = {"textDocument": {"uri": uri}, "position": {"line": where[0], "character": where[1]}, "newName": name}
    return client.request("textDocument/rename", params)


def check_references(client, uri):
    client.show(uri, TEXT)
    found = client.ask("references", uri, *place("k*u.y"))
    assert places(found, uri) == sorted([place("k(unit"), place("= k;", 2), place("k*u.y")]), found
    found = client.ask("references", uri, *place("Drive;"))
    assert places(found, uri) == sorted([place('Drive "'), place("Drive;")]), found
    client.show(uri, SHADOWS)
    here = lambda needle, offset=0: place(needle, offset, SHADOWS)
    found = client.ask("references", uri, *here("r = 0.3"))
    wanted = [here("r = 0.3"), here("r*i"), here("*r for", 1), here("r = 0.2"), here("r = 2*"), here("left.r)", 5), here("left.r;", 5)]
    assert places(found, uri) == sorted(wanted), found
    found = client.ask("references", uri, *here("i*r"))  # of the iterator, not the variable
    assert places(found, uri) == sorted([here("i*r"), here("r for i", 6)]), found
    found = client.ask("references", uri, *here("r > 0"))
    assert places(found, uri) == sorted([here("for r", 4), here("r > 0")]), found
    found = client.ask("documentHighlight", uri, *here("Real r = left", 5))
    assert len(found) == 1, found


def check_renaming(client, uri):
    client.show(uri, SHADOWS)
    here = lambda needle, offset=0: place(needle, offset, SHADOWS)
    edits = rename(client, uri, here("r = 0.3"), "radius")["result"]["changes"][uri]
    text = changed(SHADOWS, edits)
    assert "parameter Real radius = 0.3" in text and "left(radius = 0.2)" in text and "for r in 1:2" in text, text
    assert client.show(uri, text) == [], client.published[uri]
    back = rename(client, uri, place("radius = 0.3", 0, text), "r")["result"]["changes"][uri]
    assert changed(text, back) == SHADOWS
    client.show(uri, SHADOWS)
    assert "already the name" in rename(client, uri, here("r = 0.3"), "a")["error"]["message"]
    assert "is no name" in rename(client, uri, here("r = 0.3"), "end")["error"]["message"]
    client.show(uri, TEXT)
    refused = rename(client, uri, place("J = 0.2"), "inertia")
    assert "not a part of the text" in refused["error"]["message"], refused


def check_formatting(client, uri):
    client.show(uri, "model A\nReal x=1;\n end A;\n")
    edits = client.request("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})["result"]
    assert [e["newText"] for e in edits] == ["model A\n  Real x = 1;\nend A;\n"], edits
    client.show(uri, edits[0]["newText"])
    assert client.request("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})["result"] == []


def check_package(client, folder):
    """A package in a folder: names are found and changed in all of its files."""
    root = pathlib.Path(folder, "Q")
    root.mkdir()
    root.joinpath("package.mo").write_text("package Q\n  constant Real c = 2;\nend Q;\n")
    root.joinpath("M.mo").write_text("within Q;\nmodel M\n  Real x = c;\nend M;\n")
    root.joinpath("N.mo").write_text("within Q;\nmodel N\n  M m;\n  Real y = m.x + Q.c;\nend N;\n")
    uri = root.joinpath("M.mo").as_uri()
    client.show(uri, root.joinpath("M.mo").read_text())
    found = client.ask("references", uri, 2, 11)
    seen = sorted((f["uri"].rsplit("/", 1)[-1], f["range"]["start"]["line"]) for f in found)
    assert seen == [("M.mo", 2), ("N.mo", 3), ("package.mo", 1)], found
    changes = rename(client, uri, (2, 7), "z")["result"]["changes"]
    assert len(changes) == 2 and len(changes[uri]) == 1, changes


def check_random_edits(client, uri, count):
    """A server that edits break would end; a Python program stands for the editor."""
    dice = random.Random(1)
    text = TEXT
    pieces = ["(", ")", "{", ";", "end ", "model A", '"', "equation", "x.y", "=", "/*", "\n", "𝛚", "Rattleback.", "1e"]
    for i in range(count):
        start = dice.randrange(len(text) + 1)
        text = text[:start] + dice.choice(pieces + [""]) + text[start + dice.randrange(6):]
        if i % 20 == 19:
            text = TEXT
        client.show(uri, text)
        line = dice.randrange(text.count("\n") + 3)
        position = {"line": line, "character": dice.randrange(60)}
        method = dice.choice(["hover", "completion", "definition", "references", "rename", "formatting"])
        client.request("textDocument/" + method, {"textDocument": {"uri": uri}, "position": position, "newName": "q"})


def check_wrong_calls(client):
    assert client.request("textDocument/codeLens", {})["error"]["code"] == -32601
    assert client.request("textDocument/rename", {})["result"] is None
    assert client.request("textDocument/references", {"textDocument": 1})["result"] == []
    assert client.request("textDocument/hover", {})["result"] is None
    assert client.request("textDocument/completion", {"textDocument": {"uri": 3}, "position": "x"})["result"] == []
    assert client.request("textDocument/documentSymbol", None)["result"] == []


def check_speed(client, uri):
    model = "model Large\n" + "".join(f"  Real x{i}(start = 1, fixed = true);\n" for i in range(2500))
    model += "equation\n" + "".join(f"  der(x{i}) = -x{i};\n" for i in range(2498)) + "end Large;\n"
    client.show(uri, model)
    start = time.perf_counter()
    for i in range(10):
        client.ask("hover", uri, 2600 + i, 3)
    print("a hover in 5,000 lines takes %.1f ms" % (100*(time.perf_counter() - start)))


def main():
    program, edits = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        uri = pathlib.Path(folder, "a model.mo").as_uri()
        client = Client(program)
        known = client.request("initialize", {"capabilities": {}})["result"]
        assert known["capabilities"]["hoverProvider"] and known["capabilities"]["positionEncoding"] == "utf-16"
        client.notify("initialized", {})
        check_answers(client, uri)
        check_typing(client, uri)
        check_references(client, uri)
        check_renaming(client, uri)
        check_formatting(client, uri)
        check_package(client, folder)
        check_wrong_calls(client)
        check_random_edits(client, uri, edits)
        check_answers(client, uri)
        check_speed(client, uri + "2")
        assert client.leave() == 0
    print("all answers are right")


main()
