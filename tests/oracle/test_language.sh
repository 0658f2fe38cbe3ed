#!/bin/sh
# Random expressions and random events, whose values Python knows.   test_language.sh PROGRAM SOURCE-FOLDER WORK-FOLDER SEEDS
program=$1 source=$2 work=$3 seeds=$4 bad=0
command -v python3 >/dev/null 2>&1 || { echo "skipped: there is no python3"; exit 77; }
mkdir -p "$work" && cd "$work" || exit 1

# run MODEL OPTION ...: no error, no warning
run() {
    model=$1
    shift
    "$program" simulate "$model" --quiet --output-file result.mat "$@" >messages.txt 2>&1 && ! grep -q warning messages.txt && return
    echo "$model:"
    head -n 6 messages.txt
    bad=$((bad + 1))
}

for seed in $(seq 1 "$seeds"); do
    for mode in variable parameter constant function; do
        python3 "$source/expressions.py" "$seed" 100 $mode >"Random_${seed}_$mode.mo" || exit 1
        run "Random_${seed}_$mode.mo" --start-time 0.5 --stop-time 0.5
    done
    for part in 0 1 2 3 4; do
        python3 "$source/events.py" "$seed$part" >"Events_$seed$part.mo" || exit 1
        run "Events_$seed$part.mo"
    done
done
echo "$seeds seeds: $bad models differ"
[ "$bad" -eq 0 ] && rm -f -- *.mo
[ "$bad" -eq 0 ]
