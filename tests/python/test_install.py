# SPDX-License-Identifier: MIT
"""The package is installed as a stranger would: by pip in a new environment without an index, and by cmake --install."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import support

USE = "import rattleback; print(rattleback.__file__, rattleback._library.find()); rattleback.example('bouncing-ball').simulate(1)"
CLEAN = {k: v for k, v in os.environ.items() if k not in ("RATTLEBACK_LIBRARY", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **{"env": CLEAN, **options})
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Installation(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_pip(self):
        try:
            run(sys.executable, "-c", "import pip, ensurepip")
        except AssertionError:
            self.skipTest("pip or venv is not installed (python3-pip, python3-venv)")
        source = self.folder / "source" / "python"  # nothing of the source tree is around it
        shutil.copytree(support.ROOT / "python", source, ignore=shutil.ignore_patterns("__pycache__"))
        env = self.folder / "env"
        run(sys.executable, "-m", "venv", "--system-site-packages", env)
        python = env / "bin" / "python"
        with_library = {**CLEAN, "RATTLEBACK_LIBRARY": os.environ["RATTLEBACK_LIBRARY"], "PIP_NO_INDEX": "1"}
        for options in ([], ["--no-build-isolation", "--no-index", "--force-reinstall", "--no-deps"]):
            run(python, "-m", "pip", "install", "--disable-pip-version-check", *options, source, env=with_library)
            module, library = run(python, "-c", USE, cwd=self.folder).split()
            self.assertTrue(module.startswith(str(env)), module)
            self.assertEqual(pathlib.Path(library).parent, pathlib.Path(module).parent)  # its own copy
        self.assertIn("Version: 0.1.0", run(python, "-m", "pip", "show", "rattleback"))
        run(python, "-m", "pip", "uninstall", "--yes", "rattleback")
        self.assertFalse(list(env.rglob("librattleback*")))

    def test_cmake(self):
        prefix = self.folder / "usr"
        run("cmake", "--install", os.environ["RB_BINARY_DIR"], "--prefix", prefix)
        moved = prefix.rename(self.folder / "moved")
        (place,) = (p.parent for p in moved.rglob("rattleback/__init__.py") if (p.parent / "_abi.py").exists())
        out = run(sys.executable, "-c", USE, cwd=self.folder, env={**CLEAN, "PYTHONPATH": str(place.parent), "PYTHONDONTWRITEBYTECODE": "1"})
        module, library = out.split()
        self.assertTrue(module.startswith(str(moved)) and library.startswith(str(moved)), out)

    def test_a_library_that_is_missing(self):
        package = self.folder / "a" / "b" / "c" / "d" / "e" / "rattleback"
        shutil.copytree(support.ROOT / "python" / "rattleback", package, ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
        def message(**env):
            done = subprocess.run([sys.executable, "-c", "import rattleback"], capture_output=True, text=True, cwd=self.folder,
                                  env={**CLEAN, "PYTHONPATH": str(package.parent), **env})  # fmt: skip
            return done.stderr if done.returncode else self.skipTest("the library is installed on this machine")
        self.assertIn("set RATTLEBACK_LIBRARY", message())
        self.assertIn("is no file", message(RATTLEBACK_LIBRARY="/nowhere.so"))
        self.assertIn("cannot be loaded", message(RATTLEBACK_LIBRARY=__file__))


if __name__ == "__main__":
    support.main()
