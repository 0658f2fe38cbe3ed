# label: full
# The bucket in the pile of Belgian blocks (4 s): its mean force does not depend on the fineness of the meshes, and the account closes.
. "$(dirname "$0")/expect.sh"

# Mean of load.force[1] over time.
mean() {
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"load.force[1]\"") c = i; next }
        NR > 2 { sum += 0.5*($c + f)*($1 - t); } { t = $1; f = $c } END { print sum/t }' "$1"
}

for model in Bucket FineBucket; do
    expect 0 "" simulate "$source/examples/modelica/Digging.mo" Digging.$model --quiet --output-file $model.csv --variable-filter 'load.force.*|energy.*'
done
awk -v a="$(mean Bucket.csv)" -v b="$(mean FineBucket.csv)" 'BEGIN { print "mean force:", a, b; exit !(a < -100 && a/b < 1.05 && b/a < 1.05) }' ||
    complain "mean forces $(mean Bucket.csv) and $(mean FineBucket.csv) N"
finish
