# label: normal
# What a person at a terminal sees: a progress bar, signals that are obeyed, man pages and completion that work.
. "$(dirname "$0")/expect.sh"

# A run of a second or so that writes all the time.
long="simulate refined-rod --override rod.n=40 --override rod.refine_time=60000 --stop-time 100000 --output-interval 2"

# --- progress
if command -v script >/dev/null; then
    script -qec "stty cols 60; $program $long --output-file bar.rbj" /dev/null >screen.txt 2>&1 </dev/null
    grep -q '\[#*\.*\] *[0-9]* %  t = ' screen.txt || complain "no bar on a terminal: $(head -c 300 screen.txt)"
    longest=$(tr '\r' '\n' <screen.txt | grep '^\[' | awk '{ if (length > n) n = length } END { print n + 0 }')
    [ "$longest" -lt 60 ] || complain "the bar is $longest wide on a terminal of 60 columns"
fi
"$program" $long --output-file quiet.rbj --quiet 2>stderr.txt
is "words without a terminal" "$(cat stderr.txt)" ""
"$program" $long --output-file json.rbj --quiet --progress json 2>stderr.txt
is "lines that are not JSON" "$(grep -cv '^{"progress":.*}$' stderr.txt)" 0
tail -n 1 stderr.txt | grep -q '^{"progress":1,' || complain "the last line does not say that all is done"

# --- signals
wait_for() { # FILE
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s "$1" ] && return 0
        sleep 0.2
    done
    complain "$1 did not appear"
}
"$program" simulate bouncing-ball --stop-time 1e9 --override ball.e=1 --output-interval 0 --output-file u.rbj --quiet 2>stderr.txt &
pid=$!
wait_for u.rbj
kill -USR1 $pid
wait_for u.rbc
kill -INT $pid
wait $pid
is "exit code after Ctrl-C" $? 130
expect 0 "" info u.rbj
grep -q '^incomplete: interrupted' stdout.txt || complain "not marked as interrupted"
"$program" simulate bouncing-ball --stop-time 1e9 --override ball.e=1 --output-interval 0 --output-file u.rbj --quiet \
    --resume u.rbc 2>stderr.txt &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid
is "exit code after SIGTERM" $? 130
grep -q 'interrupted at t = ' stderr.txt || complain "the resumed run said: $(cat stderr.txt)"

# --- man pages
mkdir -p man
"$program" --write-man-pages man || complain "no man pages"
if command -v groff >/dev/null; then
    for page in man/*.1; do
        said=$(groff -man -Tutf8 -ww "$page" 2>&1 >page.txt)
        is "$page" "$said" ""
        grep -q '130 interrupted' page.txt || complain "$page: no exit codes"
    done
fi

# --- completion
"$program" --write-completion completion || complain "no completion"
cat >try.sh <<'END'
. ./completion
COMP_WORDS=(rattleback simulate --tol) COMP_CWORD=2
_rattleback
echo "${COMPREPLY[*]}"
COMP_WORDS=(rattleback conv) COMP_CWORD=1
_rattleback
echo "${COMPREPLY[*]}"
END
is "completion" "$(bash try.sh | tr '\n' ' ')" "--tolerance convert "
finish
