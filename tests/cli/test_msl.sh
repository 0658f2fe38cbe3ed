# label: full
# Models of the Modelica Standard Library against their published results. Neither is part of this repository: RATTLEBACK_MSL names
# the folder with the packages Modelica and ModelicaServices, RATTLEBACK_MSL_REFERENCE that of the results; otherwise nothing is tested.
. "$(dirname "$0")/expect.sh"

# What the report says without them.
"$source/tools/msl-report" --msl "$folder" --reference "$folder" 2>stderr.txt
is "exit code without library" $? 77
is "message without library" "$(cat stderr.txt)" "no Modelica Standard Library in $folder"

if [ ! -d "${RATTLEBACK_MSL:-/nowhere}/Modelica" ] || [ ! -d "${RATTLEBACK_MSL_REFERENCE:-/nowhere}/Modelica" ]; then
    echo "RATTLEBACK_MSL and RATTLEBACK_MSL_REFERENCE do not name the library and its results: not tested" >&2
    finish
fi
"$source/tools/msl-report" --program "$program" --msl "$RATTLEBACK_MSL" --reference "$RATTLEBACK_MSL_REFERENCE" --limit 10 \
    --keep "$folder/report" >table.txt 2>/dev/null
tail -n 1 table.txt
matched=$(sed -n 's/.*, \([0-9]*\) matched;.*/\1/p' table.txt)
[ "${matched:-0}" -ge 105 ] || complain "only ${matched:-0} models match: $(cat table.txt)"
finish
