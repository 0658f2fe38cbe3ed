# label: full
# The bucket in the pile of Belgian blocks (4 s): it digs, the account of energy closes, and the mean force that holds it back does not depend on the
# fineness of the meshes, from two facets for a quarter of a circle on (one is a chamfer, which is another shape). Finer edges are a slightly other shape still, with
# which a block may slide off that stayed in the bucket before, and then that pile is another one: the mean over four piles is compared, and three of the four
# for themselves.
. "$(dirname "$0")/expect.sh"

# numbers FILE TIME: mean of load.force[1] and load.force[3] from 0.5 s up to a time, stones in the bucket at the end, largest residual of the energy over what was moved
numbers() {
    awk -F , -v end="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); c[$i] = i } x = c["load.force[1]"]; z = c["load.force[3]"]; next }
        $1 > end + 1e-9 { exit }
        $1 > 0.5 { d = $1 - (t > 0.5 ? t : 0.5); fx += 0.5*($x + gx)*d; fz += 0.5*($z + gz)*d }
        { t = $1; gx = $x; gz = $z; r = $c["energy.residual"]; if (r < 0) r = -r; if (r > worst) worst = r }
        END { for (i = 1; i <= 14; i++) { n = "cobble[" i "].r_0["
                if ($c[n "1]"] < $c["drive.s"] - 0.05 && $c[n "3]"] > 0.05 && $c[n "2]"]^2 < 0.16^2) inside++ }
            print fx/(t - 0.5), fz/(t - 0.5), inside + 0, worst/$c["energy.friction"] }' "$1"
}

for pile in 1 2 3 4; do
    for fine in 2 3; do
        expect 0 "" simulate "$source/examples/modelica/Digging.mo" Digging.Bucket --quiet --override pile=$pile --override fine=$fine --output-file o.csv \
            --variable-filter 'load.force.*|energy.*|cobble.*r_0.*|drive.s'
        echo "$pile $fine $(numbers o.csv 4)" >>all.txt
    done
done
cat all.txt

# At least five of 14 blocks lie in the bucket, which carries more than the weight of three; the account closes within 5e-4 of what friction took (five times the tolerance).
awk '$5 < 5 || $4 > -80 || $6 > 5e-4 { exit 1 }' all.txt || complain "it does not dig, or energy is missing: $(cat all.txt)"

# Means over the piles agree within 5 %, and those of three of the four piles within 2 %.
awk '$2 == 2 { coarse = $3; a += $3 } $2 == 3 { d = $3/coarse - 1; b += $3; n++; near += d*d < 4e-4 }
    END { printf "mean force %.2f N and %.2f N: %.2f %% apart; %d of %d piles within 2 %%\n", a/n, b/n, 100*(b/a - 1), near, n
        exit !(a/n < -40 && b/a < 1.05 && a/b < 1.05 && near >= 3) }' all.txt >result.txt || complain "$(cat result.txt)"
cat result.txt

# The same solids with other triangles: the force is the same but for what steps of other sizes make of it.
for longest in 1 0.045; do
    expect 0 "" simulate "$source/examples/modelica/Digging.mo" Digging.Bucket --quiet --override longest=$longest --stop-time 1.3 --output-interval 0.008 \
        --output-file refined.csv --variable-filter 'load.force.*|energy.*|cobble.*r_0.*|drive.s'
    [ $longest = 1 ] && cp refined.csv first.csv
done
echo "$(numbers first.csv 1.3) $(numbers refined.csv 1.3)" | tee same.txt
awk '{ x = $5/$1 - 1; z = $6/$2 - 1; exit !(x*x < 1e-4 && z*z < 1e-4) }' same.txt || complain "other triangles, another force: $(cat same.txt)"
finish
