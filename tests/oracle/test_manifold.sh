#!/bin/sh
# csg_pairs against manifold-3d.   test_manifold.sh PROGRAM SOURCE-FOLDER WORK-FOLDER PAIRS
program=$1 source=$2 work=$3 pairs=$4
command -v node >/dev/null 2>&1 || { echo "skipped: there is no node"; exit 77; }
mkdir -p "$work" || exit 1
[ -f "$work/package.json" ] || printf '{"private": true}\n' >"$work/package.json"
if [ ! -d "$work/node_modules/manifold-3d" ]; then
    (cd "$work" && npm install --no-audit --no-fund --ignore-scripts manifold-3d >npm.log 2>&1) || {
        echo "skipped: npm could not install manifold-3d (see $work/npm.log)"
        exit 77
    }
fi
"$program" 0 "$pairs" | node "$source/manifold.mjs" "$work"
