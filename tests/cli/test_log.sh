# Every topic of --log says something, in the words of the model and with its place.
. "$(dirname "$0")/expect.sh"

cat >Ball.mo <<'END'
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 1);
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  y^3 + y = 2 + time;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
  when sample(0.25, 0.5) then
    n = pre(n) + integer(2*time);
  end when;
end Ball;
END

# said TOPIC: what the topic says, the rest of the line after its name
said() { "$program" simulate "${2:-Ball.mo}" --stop-time 0.6 --quiet --output-file out.mat --log "$1" 2>&1 | sed -n "s/^\[$1\] //p"; }

# h = 1 - 9.81/2 t^2 is 0 at t = 0.4515236... s, with v = -4.4294469 m/s
said EVENTS >events.txt
grep -q '^t = 0.25 s: sample(0.25, 0.5) is due (Ball.mo:12)$' events.txt || complain "no sample: $(cat events.txt)"
grep -q '^t = 0.45152[0-9]* s: h < 0 becomes true (Ball.mo:9)$' events.txt || complain "no impact: $(cat events.txt)"
grep -q "^t = 0.45152[0-9]* s: reinit sets 'v' to 2.2147[0-9]* (Ball.mo:10)\$" events.txt || complain "no reinit: $(cat events.txt)"
grep -q '^t = 0.5 s: floor(2\*time) becomes 1 (Ball.mo:13)$' events.txt || complain "no step: $(cat events.txt)"
grep -q '[$]' events.txt && complain "inner names: $(cat events.txt)"

is "the states at the start" "$(said INIT | tail -n 2 | tr '\n' ';')" "t = 0 s: h = 1;t = 0 s: v = 0;"
said NLS | grep -q "^t = 0 s: 1 unknowns, 'y' ... (Ball.mo:8): solved, [0-9]* iterations$" || complain "NLS: $(said NLS | head -n 3)"
said ZEROCROSSINGS | grep -q '^t = 0.45152[0-9]* s: h < 0 (Ball.mo:9) [a-z]* through 0$' || complain "ZEROCROSSINGS: $(said ZEROCROSSINGS)"
said SOLVER | grep -q '^solver: cvode, chosen automatically$' || complain "SOLVER: $(said SOLVER | head -n 3)"
said STRUCTURE | grep -q '^t = 0 s: segment 1: 2 states, ' || complain "STRUCTURE: $(said STRUCTURE)"
"$program" simulate Ball.mo --stop-time 0.6 --quiet --checkpoint-interval 0.3 --log STATS 2>&1 | grep -q '^\[STATS\] t = 0.3 s: checkpoint' || complain "STATS says nothing"

# A topic that is listed exists, and one that said nothing does not.
for topic in $("$program" simulate --help | tr ' ,;()' '\n' | grep -x '[A-Z][A-Z][A-Z]*' | grep -E 'STATS|EVENTS|INIT|SOLVER|NLS|ZEROCROSSINGS|ASSERT|CONTACT|STRUCTURE|COLLISION'); do
    expect 0 "*" simulate Ball.mo --quiet --stop-time 0.1 --log "$topic"
done
expect 2 "rattleback: error: there is no log topic 'COLLISION'; *" simulate Ball.mo --log COLLISION
expect 2 "rattleback: error: there is no log topic 'EVENT'; *did you mean 'EVENTS'? \[usage]" simulate Ball.mo --log EVENT
finish
