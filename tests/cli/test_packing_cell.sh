# label: normal
# The example that ./run shows: three parts are taken from a conveyor and put into a box on a soft mat, and grains are tipped over them.
# sanitizers: full
. "$(dirname "$0")/expect.sh"

cell=$source/examples/modelica/PackingCell.mo
expect 0 "" simulate "$cell" --initial-step 3e-4 --quiet --output-file o.rbj
# shellcheck disable=SC2046 # a list
expect 0 "" plot o.rbj $(sed -n 's,^// plot: *,,p' "$cell") --output-file o.svg
expect 0 "" convert o.rbj o.csv
"$program" info o.rbj >info.txt

# Each part is attached once and released once.
for change in "attach 'part\[[123]\]' and 'wrist'" "release 'part\[[123]\]'"; do
    count=$(grep -c "$change" info.txt)
    [ "$count" = 3 ] || complain "$count times: $change"
done

# A page that can be sent by mail; a program that was built without pages says so.
if "$program" view o.rbj --no-open --output-file o.html >/dev/null 2>&1; then
    [ "$(wc -c <o.html)" -lt 3000000 ] || complain "the page has $(wc -c <o.html) bytes"
fi

awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); c[$i] = i } next }
    { r = $c["energy.residual"]; if (r < 0) r = -r; if (r > worst) worst = r
      # Friction takes the parts along: while the belt runs they do not slide more than 2 mm.
      slip = $c["part[3].r_0[1]"] + 0.9 - $c["slide.s"]; if ($1 < 4 && (slip > 0.002 || slip < -0.002)) print "part 3 slides by " slip " m"
    }
    END { for (i = 1; i <= 3; i++) { n = "part[" i "].r_0["; x = $c[n "1]"] - 0.65; y = $c[n "2]"]; z = $c[n "3]"] - $c["box.side[1].r_0[3]"]
            if (x*x > 0.12^2 || y*y > 0.16^2 || z < 0.03 || z > 0.1) print "part " i " is not in the box: " x, y, z }
        if (worst > 1e-3) print "the account of energy lacks " worst " J"
        if ($c["inBox.count"] < 110) print "only " $c["inBox.count"] " of 120 grains are in the box" }' o.csv >complaints.txt
[ ! -s complaints.txt ] || complain "$(cat complaints.txt)"
