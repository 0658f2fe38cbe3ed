# label: normal
# sanitizers: full (it runs no code that other tests do not)
# Examples of solids in Modelica that take seconds: a nut on a bolt, a bucket that pushes stones, a house of cards.
. "$(dirname "$0")/expect.sh"

# last NAME: the last value of a variable in o.csv
last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' o.csv
}
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }

# The nut falls by g m/(m + J (2 pi/pitch)^2), J of a prism of 24 sides less one whose section is an ellipse, and turns once in
# a pitch, but for the play; nothing is lost.
expect 0 "" simulate "$source/examples/modelica/Thread.mo" Thread.NutOnBolt --quiet --output-file o.csv --variable-filter 'nut.*|energy.*'
near "way of the nut" "$(last 'nut.r_0[3]')" "$(awk 'BEGIN {
    pi = 3.14159265358979; c = (2 + cos(pi/12))/12; a = 0.0205; b = 0.0105; n = 12*sin(pi/12)
    disc = n*0.03^2; hole = n*a*b; J = (2*disc*0.03^2 - hole*(a*a + b*b))*c/(disc - hole)
    print -0.5*9.81/(1 + J*(2*pi/0.2)^2)*0.1^2 }')" 5e-4
near "turn of the nut" "$(last 'nut.angles_0[3]')" "$(last 'nut.r_0[3]' | awk '{ print 2*3.14159265358979*$1/0.2 }')" 0.06
near "energy that is missing" "$(last energy.residual)" 0 1e-5

# Two blocks of granite slide on the ground before the bucket, which is held too high to dig. Their volume: a box, six plates, twelve quarters of
# cylinders and a ball.
expect 0 "" simulate "$source/examples/modelica/Digging.mo" Digging.TwoStones --quiet --output-file o.csv --variable-filter 'load.force.*|energy.*'
near "force on the bucket" "$(last 'load.force[1]')" "$(last 'load.force[3]' | awk '{ r = 0.015; a = 0.12 - 2*r; b = 0.1 - 2*r; c = 0.09 - 2*r; pi = atan2(0, -1)
    v = a*b*c + 2*r*(a*b + b*c + c*a) + pi*r*r*(a + b + c) + 4/3*pi*r^3; print -0.5*(2*2700*v*9.81 + $1) }')" 0.2
near "energy that is missing" "$(last energy.residual)" 0 0.01

# Three stories of cards stand where they were built: the top of the house is 3 (h cos + t (1 + sin)) - t/2 above the floor.
expect 0 "" simulate "$source/examples/modelica/CardHouse.mo" --quiet --output-file o.csv --stop-time 0.1 --variable-filter 'roof.*r_0.*'
near "height of the house" "$(last 'roof[3].r_0[3]')" "$(awk 'BEGIN { print 3*(0.088*cos(0.2) + 0.002*(1 + sin(0.2))) - 0.001 }')" 2e-4
finish
