# Small texts that describe too much: translation has a budget, and its end names the class.
. "$(dirname "$0")/expect.sh"

# 2^59 inherited copies, and 2^40 components.
{
    echo 'model A0 Real x = 1; end A0;'
    for i in $(seq 1 59); do echo "model A$i extends A$((i - 1)); extends A$((i - 1)); end A$i;"; done
} >Extends.mo
{
    echo 'model B0 Real x = 1; end B0;'
    for i in $(seq 1 40); do echo "model B$i B$((i - 1)) a, b; end B$i;"; done
} >Components.mo
expect 1 "Extends.mo:60:7: error: the translation of 'A59' needs more than 0.1 GB or 600 s, which is the limit; it was busy with the class 'A59' \[model]*" \
    check Extends.mo --translation-memory 0.1
expect 1 "Components.mo:*error: the translation of 'B40' needs more than 0.1 GB or 600 s, which is the limit; it was busy with the class 'B*' \[model]*" \
    check Components.mo --translation-memory 0.1
expect 1 "*the translation of 'A59' needs more than 4 GB or 0.05 s*" check Extends.mo --translation-time 0.05
expect 2 "*option '--translation-memory' needs a positive number up to 1e9, not '-1'*" check Extends.mo --translation-memory -1

# A function of constants that doubles an array for ever ends at the largest size.
cat >Endless.mo <<'END'
function f
  input Real u;
  output Real y;
protected
  Real z[:];
algorithm
  z := {1.0};
  while true loop
    z := cat(1, z, z);
  end while;
  y := sum(z);
end f;
model M
  parameter Integer n = integer(f(1));
  Real x[n];
equation
  der(x) = fill(1, n);
end M;
END
expect 1 "*Endless.mo:*needs more than 0.3 GB*" check Endless.mo --translation-memory 0.3

# The eleventh derivative: small in memory, where what is equal exists once, but endless as text. The same of
# exp(2 t) is 2^11 exp(2 t).
cat >Derivatives.mo <<'END'
model Derivatives
  Real x[12], y[12];
equation
  x[1] = sin(time)*exp(cos(time))*sqrt(1 + time^2);
  y[1] = exp(time)*exp(time);
  for i in 2:12 loop
    x[i] = der(x[i - 1]);
    y[i] = der(y[i - 1]);
  end for;
end Derivatives;
END
expect 0 "" simulate Derivatives.mo --quiet --output-file - --output-interval 1 --variable-filter 'y\[12\]'
is "the eleventh derivative" "$(tail -n 1 stdout.txt | awk -F, '{ printf "%.6g", $2 / 2048 / exp(2) }')" 1

# Ten thousand variables on one line: the line is not repeated for every message.
{
    printf 'model Line'
    for i in $(seq 1 5000); do printf ' Real x%d;' "$i"; done
    printf ' equation'
    for i in $(seq 1 5000); do printf ' der(x%d) = 1;' "$i"; done
    printf ' end Line;\n'
} >Line.mo
expect 0 "*Line.mo:1:* note: nothing determines 'x4000' at the start; its start value is used
    ... *Real x4000;* ...
*" check Line.mo
[ "$(wc -c <stderr.txt)" -lt 5000000 ] || complain "messages about one line have $(wc -c <stderr.txt) bytes"

# One call with a thousand arguments and results: its identity is found without writing it out for each of
# them, which took 600 MB.
cat >Call.mo <<'END'
model Call
  parameter Integer n = 1000;
  function f
    input Real u[:];
    output Real y[size(u, 1)];
  algorithm
    for i in 1:size(u, 1) loop
      y[i] := u[i] + i;
    end for;
    annotation(Inline = false);
  end f;
  Real u[n](each start = 0, each fixed = true), y[n](each start = 0, each fixed = true);
algorithm
  when sample(0, 0.5) then
    for i in 1:n loop
      u[i] := pre(u[i]) + i*time;
    end for;
    y := f(u);
  end when;
end Call;
END
expect 0 "" simulate Call.mo --quiet --summary json --output-file Call.csv
bytes=$(sed -n 's/.*"peak_bytes":\([0-9]*\).*/\1/p' stdout.txt stderr.txt)
[ "$bytes" -gt 0 ] && [ "$bytes" -lt 100000000 ] || complain "a call with a thousand results takes $bytes bytes"

# 40,000 modifiers with and without dots: as many looks, not as many for each of them (16 s).
awk 'BEGIN {
    n = 40000
    print "model A"
    for (i = 0; i < n; i++) print "  parameter Real p" i " = 0;"
    print "end A; model B A a; end B;"
    print "model Dots B b("
    for (i = 0; i < n; i++) printf "a.p%d%s = %d%s", i, i % 2 ? "(min = -1)" : "", i, i < n - 1 ? "," : ");\n"
    print "  A c("
    for (i = 0; i < n; i++) printf "p%d = %d%s", i, i, i < n - 1 ? "," : ");\n"
    print "equation assert(b.a.p39999 == 39999 and b.a.p17 == 17 and b.a.p0 == 0 and c.p20000 == 20000, \"wrong\");"
    print "end Dots;"
}' </dev/null >Dots.mo
expect 0 "" simulate Dots.mo --quiet --output-file Dots.mat --translation-time 5

finish
