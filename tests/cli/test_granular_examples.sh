# label: normal
# The machines of examples/modelica/Granular.mo: each begins to run, and has the grains that it says; the triangle keeps its energy.
. "$(dirname "$0")/expect.sh"

package=$source/examples/modelica/Granular.mo
value() { # value FILE NAME: in the last row
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == name) k = i } } END { print $k }' "$1"
}
for machine in Hopper:1500 Drum:400 Silo:1200 Mixture:610 Excavator:800 ConveyorToPile:500 Feeder:500; do
    name=${machine%:*}
    expect 0 "" simulate "$package" "Granular.$name" --quiet --stop-time 0.02 --variable-filter 'grains\..*' --output-file "$name.csv"
    is "grains of $name" "$(value "$name.csv" grains.count)" "${machine#*:}"
done
# A belt of 0.3 m/s takes 200 beads off its end. Its drive gives each m u², half of it motion and half heat (dem/test_belt), and a little for rubbing along the sides.
expect 0 "" simulate "$package" Granular.ConveyorToPile --quiet --stop-time 2.8 --override n=200 --variable-filter 'grains\..*|fallen.*|drive.*' --output-file belt.csv
is "beads that fell off the belt" "$(value belt.csv fallen.count)" 200
echo "$(value belt.csv drive.work) $(value belt.csv grains.driven) $(value belt.csv grains.mass)" |
    awk '{ need = 0.3*0.3*$3; exit !($1 > need && $1 < 1.2*need && ($1 - $2)^2 < 1e-12*need^2) }' || complain "the belt's work is $(value belt.csv drive.work) J"
sed 's/part = "belt"/part = "bolt"/' "$package" >Granular.mo
expect 1 "*'drive' is about the part 'bolt', which is none that grains can touch*" simulate Granular.mo Granular.ConveyorToPile --quiet
# 800 per second.
expect 0 "" simulate "$package" Granular.Heap --quiet --stop-time 0.1 --variable-filter 'grains\..*' --output-file heap.csv
value heap.csv grains.count | awk '{ exit !($1 >= 60 && $1 <= 82) }' || complain "the heap has $(value heap.csv grains.count) beads"
expect 0 "" simulate "$package" Granular.Settling --quiet --stop-time 0.02 --override n=3000 --variable-filter 'grains\..*' --output-file settling.csv
is "grains of Settling" "$(value settling.csv grains.count)" 3000
# What the cue brings is there all the time: m v²/2 with 2 m/s and 1700 π/6 0.04³ kg.
expect 0 "" simulate "$package" Granular.Triangle --quiet --stop-time 0.02 --variable-filter 'grains\..*' --output-file triangle.csv
is "balls of the triangle" "$(value triangle.csv grains.count)" 5051
value triangle.csv grains.balance | awk '{ exit !($1 > -1e-4*0.11394 && $1 < 1e-4*0.11394) }' || complain "the triangle has lost energy"
finish
