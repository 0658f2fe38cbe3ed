# SPDX-License-Identifier: MIT
"""The mirrored structures, constants and prototypes against the headers, by a C program and by the text of the headers."""

import ctypes
import inspect
import os
import re
import subprocess
import tempfile
import unittest

import support
from rattleback import _abi

KINDS = {
    ctypes.c_int: "int", ctypes.c_double: "double", ctypes.c_bool: "bool", ctypes.c_size_t: "size_t", ctypes.c_char_p: "char*",
    ctypes.c_void_p: "pointer", None: "void",
}  # fmt: skip


def structures():
    return [c for _, c in inspect.getmembers(_abi, inspect.isclass) if issubclass(c, ctypes.Structure) and c.__name__.startswith("Rb")]


def enumerations():
    return [c for _, c in inspect.getmembers(_abi, inspect.isclass) if c.__name__.startswith("Rb") and hasattr(c, "__members__")]


def kind_of(ctype):
    if ctype in KINDS:
        return KINDS[ctype]
    return ctype.__name__ if issubclass(ctype, ctypes.Structure) else "pointer"


def declared_kind(text, functions):
    """The kind of a parameter or result as C declares it."""
    text = re.sub(r"\bconst\b|\bvolatile\b", "", text).strip()
    if re.fullmatch(r"char\s*\*\s*\w*", text):
        return "char*"
    if "*" in text or "[" in text or text.split()[0] in functions:
        return "pointer"
    word = text.split()[0]
    if word in ("int", "double", "bool", "size_t", "void"):
        return word
    return "int" if word in {c.__name__ for c in enumerations()} else word


def prototypes():
    """name -> result and parameters as text."""
    headers = "".join(p.read_text() for p in sorted((support.ROOT / "include" / "rattleback").glob("*.h")))
    headers = re.sub(r"//[^\n]*", "", headers)
    functions = set(re.findall(r"typedef [^;{]*\(\*(\w+)\)\(", headers))
    found = {}
    for result, name, parameters in re.findall(r"RB_API\s+([^;(]*?)(rb_\w+)\(([^;]*)\);", headers):
        parameters = [] if parameters.strip() == "void" else parameters.split(",")
        found[name] = tuple(declared_kind(t if "*" in t or " " in t.strip() else t + " x", functions) for t in [result, *parameters])
    return found


class Layout(unittest.TestCase):
    def test_sizes_offsets_and_constants(self):
        lines, want = [], []
        for s in structures():
            want.append((f"sizeof({s.__name__})", ctypes.sizeof(s)))
            for field in s._fields_:
                want.append((f"offsetof({s.__name__}, {field[0]})", getattr(s, field[0]).offset))
                want.append((f"sizeof((({s.__name__} *)0)->{field[0]})", getattr(s, field[0]).size))
        for e in enumerations():
            want += [(f"RB_{name}", int(value)) for name, value in e.__members__.items()]
            want.append((f"sizeof({e.__name__})", 4))
        lines = [f'printf("%ld\\n", (long)({expression}));' for expression, _ in want]
        text = '#include <rattleback/rattleback.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {' + "\n".join(lines) + "}"
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            with open(source, "w") as out:
                out.write(text)
            subprocess.run([os.environ.get("CC", "cc"), "-I", str(support.ROOT / "include"), source, "-o", program], check=True)
            got = [int(n) for n in subprocess.run([program], capture_output=True, check=True, text=True).stdout.split()]
        self.assertGreater(len(got), 400)
        self.assertEqual([(e, n) for (e, _), n in zip(want, got)], want)

    def test_fields_have_the_names_of_the_headers(self):
        """A field that is missing at the end of a structure would change no offset if padding hid it."""
        headers = "".join(p.read_text() for p in (support.ROOT / "include" / "rattleback").glob("*.h"))
        for s in structures():
            body = re.search(r"typedef struct %s \{(.*?)\n\} %s;" % (s.__name__, s.__name__), headers, re.S).group(1)
            body = re.sub(r"//[^\n]*", "", body)
            body = re.sub(r"\(\*(\w+)\)\([^;]*\)", r" \1", body)
            names = [re.search(r"(\w+)\s*(\[\s*\d+\s*\]\s*)?$", part.strip()).group(1) for d in body.split(";") if d.strip() for part in d.split(",")]
            self.assertEqual([f[0] for f in s._fields_], names, s.__name__)

    def test_prototypes(self):
        declared = prototypes()
        for name, signature in _abi.FUNCTIONS.items():
            self.assertIn(name, declared)
            self.assertEqual(tuple(kind_of(t) for t in signature), declared[name], name)


if __name__ == "__main__":
    support.main()
