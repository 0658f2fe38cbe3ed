# label: normal
# Every allocation of a command fails once: exit code 7 and a message, or the same result as ever. What third parties do not
# survive is counted: docs/architecture.md names it.
. "$(dirname "$0")/expect.sh"

case "$(ldd "$program")" in
    *asan*) echo "the sanitizer has an allocator of its own"; exit 0 ;;
esac
"$compiler" -shared -fPIC -O1 -o fail.so "$source/tests/cli/fail_allocation.c" -ldl || exit 1
cat >Decay.mo <<'END'
model Decay
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y^3 + y = x;
end Decay;
END

# allocations COMMAND...: how many there are
allocations() {
    FAIL_COUNT=count.txt LD_PRELOAD=./fail.so "$program" "$@" >/dev/null 2>&1
    cat count.txt
}

# The first of them happen before main: the dynamic loader, libgfortran and OpenBLAS end the process in their own ways.
before=$(allocations --version)
[ "$before" -lt 60 ] || complain "$before allocations before main"

# fails_well EXCEPTIONS RESULT COMMAND...: at most so many crashes; the result file of a run that says it succeeded is right
fails_well() {
    exceptions=$1 result=$2 crashes=0 harmless=0 reported=0
    shift 2
    "$program" "$@" >/dev/null 2>&1 || complain "rattleback $*: exit code $?"
    cp "$result" good
    total=$(allocations "$@")
    n=$((before + 1))
    while [ $n -le "$total" ]; do
        rm -f "$result"
        { FAIL_N=$n LD_PRELOAD=./fail.so "$program" "$@" >/dev/null 2>said.txt; } 2>/dev/null
        code=$?
        case $code in
            7) reported=$((reported + 1))
               grep -q '"memory"\|\[memory]\|memory' said.txt || complain "rattleback $*, allocation $n: exit code 7, but it said: $(cat said.txt)" ;;
            0) harmless=$((harmless + 1))
               cmp -s good "$result" || complain "rattleback $*, allocation $n: exit code 0, but the result differs" ;;
            139|134|136) crashes=$((crashes + 1)) ;;
            *) complain "rattleback $*, allocation $n: exit code $code: $(cat said.txt)" ;;
        esac
        n=$((n + 1))
    done
    echo "rattleback $1: $total allocations, $before of them before main: $reported reported, $harmless harmless, $crashes crashes"
    [ "$crashes" -le "$exceptions" ] || complain "rattleback $*: $crashes crashes, at most $exceptions are documented"
    [ "$reported" -gt 0 ] || complain "rattleback $*: no failure was reported"
}

"$program" simulate Decay.mo --quiet || exit 1
cp Decay.mo checked.mo
fails_well 0 checked.mo check ./Decay.mo
fails_well 6 out.mat simulate Decay.mo --quiet --output-file out.mat
fails_well 16 ball.mat simulate bouncing-ball --stop-time 0.6 --quiet --output-file ball.mat
fails_well 0 scene.mat simulate two-balls --stop-time 0.02 --quiet --output-file scene.mat
cp Decay_res.mat compared.mat
fails_well 0 compared.mat compare Decay_res.mat Decay_res.mat
fails_well 0 out.svg plot Decay_res.mat x y --output-file out.svg
fails_well 0 out.csv convert Decay_res.mat out.csv
finish
