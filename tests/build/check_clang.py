# SPDX-License-Identifier: MIT
# check_clang.py CLANG BUILD_FOLDER: clang reads every C file of a build with the flags of that build and must not warn.
# Nothing is compiled, so all files take half a minute in place of minutes.
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

GCC_ONLY = ("-fvect-cost-model", "-fno-trapping-math")


def check(entry):
    words = shlex.split(entry["command"])
    flags = [w for w in words if w[:2] in ("-D", "-I", "-W", "-f") and not w.startswith(GCC_ONLY)]
    system = [words[i + 1] for i, w in enumerate(words) if w == "-isystem"]
    command = [sys.argv[1], "-std=gnu17", "-fsyntax-only", "-Werror", "-DRB_DEBUG", *flags, *[f"-isystem{s}" for s in system]]
    done = subprocess.run([*command, entry["file"]], cwd=entry["directory"], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


with open(os.path.join(sys.argv[2], "compile_commands.json"), encoding="utf-8") as f:
    entries = [e for e in json.load(f) if e["file"].endswith(".c")]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    complaints = [text for text in pool.map(check, entries) if text]
print(*complaints, sep="\n")
print(f"{len(entries)} files, {len(complaints)} with complaints")
sys.exit(bool(complaints) or len(entries) < 500)
