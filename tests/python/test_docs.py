# SPDX-License-Identifier: MIT
"""What a user reads: doc strings, the guide page, the examples and the notebook are run."""

import ast
import contextlib
import doctest
import importlib
import importlib.util
import io
import json
import os
import re
import tempfile
import unittest

import support
import rattleback

EXAMPLES = support.ROOT / "examples" / "python"


@contextlib.contextmanager
def new_folder():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def module(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class Docs(unittest.TestCase):
    def test_doc_strings(self):
        count = 0
        for name in ("experiment", "model", "result", "run", "scene", "solid"):
            found = doctest.testmod(importlib.import_module(f"rattleback.{name}"), extraglobs={"rattleback": rattleback})
            self.assertEqual(found.failed, 0, name)
            count += found.attempted
        self.assertGreater(count, 15)

    def test_everything_public_has_a_doc_string(self):
        for file in (support.ROOT / "python" / "rattleback").glob("*.py"):
            if file.name.startswith("_"):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
                inner = isinstance(node, ast.FunctionDef) and (node.col_offset > 4 or node.col_offset == 4 and not _is_method(node))
                setter = isinstance(node, ast.FunctionDef) and any("setter" in ast.dump(d) for d in node.decorator_list)
                if public and not inner and not setter:
                    self.assertTrue(ast.get_docstring(node), f"{file.name}: {node.name} has no doc string")

    def test_guide(self):
        page = (support.ROOT / "docs" / "guide" / "python.md").read_text()
        blocks = re.findall(r"^```(python|modelica|output)\n(.*?)^```", page, re.S | re.M)
        names, printed, programs = {}, "", 0
        with new_folder():
            for language, text in blocks:
                if language == "modelica":
                    with open(re.match(r"model (\w+)", text).group(1) + ".mo", "w") as out:
                        out.write(text)
                elif language == "python":
                    with contextlib.redirect_stdout(io.StringIO()) as out:
                        exec(compile(text, "python.md", "exec"), names)
                    printed = out.getvalue()
                    programs += 1
                else:
                    self.assertEqual(printed, text)
        self.assertGreater(programs, 5)

    def test_notebook(self):
        try:
            rattleback.example("bouncing-ball").simulate(0.1).view()
        except rattleback.UsageError:
            self.skipTest("the library was built without the page")
        notebook = json.loads((EXAMPLES / "first_steps.ipynb").read_text())
        names = {}
        with new_folder(), contextlib.redirect_stdout(io.StringIO()) as out:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual(cell["outputs"], [])
                    exec(compile("".join(cell["source"]), "first_steps.ipynb", "exec"), names)
        self.assertIn("they meet at", out.getvalue())

    def test_swing_up(self):
        off, result = module("swing_up").swing_up()
        self.assertLess(abs(off), 1e-6)  # upright
        self.assertEqual(abs(result["tau"]).max(), 2.0)  # never more than a fifth of what gravity does
        text = (EXAMPLES / "swing_up.py").read_text()
        controller = re.search(r"def controller.*?(?=\n\n\n)", text, re.S).group(0) + re.search(r"def swing_up.*?(?=\n\n\n)", text, re.S).group(0)
        self.assertLessEqual(len(controller.split("\n")), 22)

    def test_fit_bounce(self):
        """bounce.csv was computed by the closed form of rigid impacts (restitution 0.78, friction 0.17), with 0.5 mm of noise."""
        try:
            import scipy  # noqa: F401
        except ImportError:
            self.skipTest("scipy is not installed")
        value, deviation = module("fit_bounce").fit()
        for got, want, sigma in zip(value, (0.78, 0.17), deviation):
            self.assertLess(sigma, 1e-3)
            self.assertLess(abs(got - want), 4 * sigma + 2e-4)  # contact lasts 0.2 ms instead of no time


def _is_method(node):
    return bool(node.args.args) and node.args.args[0].arg in ("self", "cls")


if __name__ == "__main__":
    support.main()
