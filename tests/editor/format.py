"""`rattleback format` over all Modelica files of this repository, and of a library if RATTLEBACK_MSL names its folder.

The scanner here shares nothing with the program: it knows strings and comments, so that it can say that nothing but white space
has changed. Formatting twice must be formatting once, and indentation that was there before must not matter."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile


def pieces(text):
    """Strings and comments as they are, everything else character by character; white space as itself."""
    i = 0
    while i < len(text):
        start = i
        if text[i] in "\"'":
            quote = text[i]
            i += 1
            while text[i] != quote:
                i += 2 if text[i] == "\\" else 1
            i += 1
        elif text.startswith("//", i):
            end = text.find("\n", i)
            i = len(text) if end < 0 else end
            yield text[start:i].rstrip()
            continue
        elif text.startswith("/*", i):
            i = text.index("*/", i + 2) + 2
        else:
            i += 1
        yield text[start:i]


def meaning(text):
    return [p for p in pieces(text) if not p.isspace() and p]


def turned(text, dice):
    """Other indentation, and spaces at the ends of lines."""
    out, fresh = [], True
    for p in pieces(text):
        if p == "\n":
            out.append(" " * dice.randrange(3) + p)
            fresh = True
        elif p in " \t" and fresh:
            continue
        else:
            if fresh:
                out.append(" " * dice.randrange(7))
            out.append(p)
            fresh = False
    return "".join(out)


def run(program, files, *options):
    done = subprocess.run([program, "format", *options, *map(str, files)], capture_output=True, text=True)
    return done


def check_files(program, sources):
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        texts, first, other = [], [], []
        for source in sources:
            text = source.read_bytes().decode("utf-8-sig")
            a, b = pathlib.Path(folder, f"a{len(texts)}.mo"), pathlib.Path(folder, f"b{len(texts)}.mo")
            a.write_bytes(text.encode())
            b.write_bytes(turned(text, dice).encode())
            texts.append(text), first.append(a), other.append(b)
        for k in range(0, len(texts), 200):
            done = run(program, first[k:k + 200] + other[k:k + 200])
            refused = done.stderr.count("error:")
            again = run(program, first[k:k + 200], "--check")
            assert again.returncode == 0 or refused, again.stderr
        for source, text, a, b in zip(sources, texts, first, other):
            formatted = a.read_bytes().decode()
            assert meaning(formatted) == meaning(text), f"{source}: more than white space has changed"
            assert b.read_bytes().decode() == formatted, f"{source}: indentation matters"
    print(f"{len(sources)} files keep their meaning")


def check_by_hand(program):
    """A text that says what the rules are."""
    text = """model A "a"
Real x(start=1)   =2 ;   // two
 parameter Real k[2] ={1,2};


// before the equations
equation
if x>1 then
// inside
der(x)= if x>2 then -x
else f(x,
1);
elseif x<0 then
for i in 1:3 loop
connect(a[i],
b[i]);
end for;
end if;
annotation(Icon(graphics={Line(
points={{0,1},{2,3}})}));
end A;
"""
    wanted = """model A "a"
  Real x(start=1) = 2;   // two
  parameter Real k[2] = {1, 2};

  // before the equations
equation
  if x>1 then
    // inside
    der(x) = if x>2 then -x
      else f(x,
      1);
  elseif x<0 then
    for i in 1:3 loop
      connect(a[i],
        b[i]);
    end for;
  end if;
  annotation(Icon(graphics={Line(
    points={{0,1},{2,3}})}));
end A;
"""
    done = subprocess.run([program, "format", "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == wanted, done.stdout + done.stderr
    broken = subprocess.run([program, "format", "-"], input="model A\n  Real;\nend A;\n", capture_output=True, text=True)
    assert broken.returncode != 0 and broken.stdout == "" and ":2:" in broken.stderr, broken.stderr


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    check_by_hand(program)
    # tests/errors has texts that cannot be parsed
    files = [f for part in ("library", "examples", "tests/models") for f in sorted((root / part).rglob("*.mo"))]
    check_files(program, files)
    library = os.environ.get("RATTLEBACK_MSL")
    if library:
        check_files(program, sorted(pathlib.Path(library).rglob("*.mo")))


main()
