# label: normal
# sanitizers: full (it waits most of the time; what it reads, io/test_journal reads)
# kill -9 at 100 moments spread over a run: the journal always opens. And Ctrl-C, which ends the run properly.
. "$(dirname "$0")/expect.sh"

# A run of about two seconds that writes all the time.
start() {
    "$program" simulate refined-rod --output-file "$1" --override rod.n=40 --output-interval 2e-3 --stop-time 100000 \
        --override rod.refine_time=60000 --quiet 2>stderr.txt &
    pid=$!
}

moment=0
while [ $moment -lt 100 ]; do
    rm -f k.rbj
    start k.rbj
    # Every other time not before the journal is there, so that a slow machine is no excuse.
    tries=0
    while [ $((moment % 2)) -eq 0 ] && [ ! -s k.rbj ] && [ $tries -lt 500 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    # 0 to 0.3 s, in an irregular order.
    sleep "0.$(printf '%03d' $(((moment * 37) % 300)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    if [ -s k.rbj ]; then
        "$program" info k.rbj >stdout.txt 2>stderr.txt || complain "moment $moment: $(cat stderr.txt)"
        grep -q '^incomplete: \|^complete' stdout.txt || complain "moment $moment: no word about completeness"
        opened=$((${opened:-0} + 1))
    fi
    moment=$((moment + 1))
done
[ "${opened:-0}" -ge 50 ] || complain "only ${opened:-0} journals were there to open"

start i.mat
sleep 0.3
kill -INT $pid
wait $pid
is "exit code after an interrupt" $? 130
grep -q 'interrupted at t = .* s; the result up to there is kept \[interrupted]' stderr.txt || complain "said: $(cat stderr.txt)"
[ -f i.mat.rbj ] && [ -f i.mat ] || complain "the result was not kept"
"$program" info i.mat.rbj >stdout.txt 2>&1
grep -q '^incomplete: interrupted' stdout.txt || complain "not marked as incomplete: $(head -3 stdout.txt)"
finish
