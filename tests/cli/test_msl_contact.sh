# label: full
# Contact on models of Modelica.Mechanics.MultiBody: a pendulum, an arm of three axes and a body that flies freely meet walls as the
# engine's own do. RATTLEBACK_MSL names the folder with the packages Modelica and ModelicaServices; without it nothing is tested.
. "$(dirname "$0")/expect.sh"

if [ ! -d "${RATTLEBACK_MSL:-/nowhere}/Modelica" ]; then
    echo "RATTLEBACK_MSL does not name the library: not tested" >&2
    finish
fi
cat >Walls.mo <<'MODEL'
package Walls
  import MB = Modelica.Mechanics.MultiBody;
  import Rattleback.*;
  model Pendulum
    inner MB.World world(g = 9.81, enableAnimation = false);
    MB.Joints.Revolute hinge(phi(start = 0.8, fixed = true), w(fixed = true));
    MB.Parts.FixedTranslation rod(r = {0.5, 0, 0}, animation = false);
    MB.Parts.Body body(m = 4, r_CM = zeros(3), I_11 = 0.004, I_22 = 0.004, I_33 = 0.004, animation = false);
    MB.Parts.Fixed base(r = {0.5, -0.07, 0}, animation = false);
    Contact.CollisionBody head(shape = Shapes.Sphere(0.1)), plate(shape = Shapes.Box(0.3, 0.02, 0.3));
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, body.frame_a);
    connect(rod.frame_b, head.frame_a);
    connect(base.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end Pendulum;
  model Arm
    inner MB.World world(g = 9.81, enableAnimation = false);
    MB.Joints.Revolute joint[3](n = {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}}, phi(start = {0.3, 0.9, -0.6}, each fixed = true), w(start = {-1.5, 0, 0}, each fixed = true), each animation = false);
    MB.Parts.BodyShape link[2](r = {{0.6, 0, 0}, {0.5, 0, 0}}, r_CM = {{0.6, 0, 0}, {0.5, 0, 0}}, m = {3, 2}, I_11 = {0.05, 0.02}, I_22 = {0.05, 0.02}, I_33 = {0.05, 0.02}, each animation = false);
    MB.Parts.Fixed base(r = {0.6, 0, 0.35}, animation = false);
    Contact.CollisionBody tool(shape = Shapes.Sphere(0.1)), wall(shape = Shapes.Box(2, 3, 0.1));
  equation
    connect(world.frame_b, joint[1].frame_a);
    connect(joint[1].frame_b, joint[2].frame_a);
    connect(joint[2].frame_b, link[1].frame_a);
    connect(link[1].frame_b, joint[3].frame_a);
    connect(joint[3].frame_b, link[2].frame_a);
    connect(link[2].frame_b, tool.frame_a);
    connect(base.frame_b, wall.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end Arm;
  model Flight "A capsule that spins falls on the floor"
    inner MB.World world(g = 9.81, enableAnimation = false);
    MB.Parts.Body body(m = 2, r_CM = zeros(3), I_11 = 0.02, I_22 = 0.02, I_33 = 0.005, r_0(start = {0, 0.4, 0}, each fixed = true), v_0(start = {0.5, 0, 0}, each fixed = true), w_0_fixed = true, w_0_start(each displayUnit = "rad/s") = {1, 2, 3}, angles_fixed = true, animation = false);
    Contact.CollisionBody capsule(shape = Shapes.Capsule(0.1, 0.2)), floor(shape = Shapes.Box(4, 0.1, 4), r_shape = {0, -0.05, 0});
  equation
    connect(body.frame_a, capsule.frame_a);
    connect(world.frame_b, floor.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-11));
  end Flight;
  model FlightOfParts
    inner Rattleback.World world(g = 9.81);
    Parts.BodyShape body(m = 2, I_11 = 0.02, I_22 = 0.02, I_33 = 0.005, r = zeros(3), r_0(start = {0, 0.4, 0}), v_0(start = {0.5, 0, 0}), w_0_start = {1, 2, 3}, collidable = true, shape = Shapes.Capsule(0.1, 0.2));
    Parts.Solid floor(shape = Shapes.Box(4, 0.1, 4), r = {0, -0.05, 0}, fixed = true);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-11));
  end FlightOfParts;
  model Hall "Parts of ours beside a model of equations: in a world of their own"
    inner Rattleback.World world(g = 9.81);
    Parts.Solid floor(shape = Shapes.Box(4, 0.1, 4), r = {0, -0.05, 0}, fixed = true);
  end Hall;
  model FlightInHall
    inner MB.World world(g = 9.81, enableAnimation = false);
    MB.Parts.Body body(m = 2, r_CM = zeros(3), I_11 = 0.02, I_22 = 0.02, I_33 = 0.005, r_0(start = {0, 0.4, 0}, each fixed = true), v_0(start = {0.5, 0, 0}, each fixed = true), w_0_fixed = true, w_0_start(each displayUnit = "rad/s") = {1, 2, 3}, angles_fixed = true, animation = false);
    Contact.CollisionBody capsule(shape = Shapes.Capsule(0.1, 0.2));
    Hall hall;
  equation
    connect(body.frame_a, capsule.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-11));
  end FlightInHall;
end Walls;
MODEL
cp "$source/tests/models/Collisions.mo" .

# last FILE VARIABLE
last() {
    awk -F , -v name="\"$2\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print column ? $column : "none" }' "$1"
}
# same MODEL OTHER_FILE OTHER VARIABLE...
same() {
    model=$1 file=$2 other=$3
    shift 3
    filter='.*(phi|w|r_0\[.\]|v_0\[.\]|contact_damping)' # no name with a comma
    expect 0 "" simulate Walls.mo "Walls.$model" --library "$RATTLEBACK_MSL" --output-file a.csv --variable-filter "$filter" --quiet
    expect 0 "" simulate "$file" "$other" --library "$RATTLEBACK_MSL" --output-file b.csv --variable-filter "$filter" --quiet
    for variable in "$@"; do
        a=$(last a.csv "$variable") b=$(last b.csv "$variable")
        awk -v a="$a" -v b="$b" 'BEGIN { d = a - b; exit !(a != "none" && b != "none" && d < 1e-6 && d > -1e-6) }' ||
            complain "$model: $variable ends at $a, with the engine at $b"
    done
}
same Pendulum Collisions.mo Collisions.PendulumOfParts hinge.phi hinge.w energy.contact_damping
same Arm Collisions.mo Collisions.ArmOfParts 'joint[1].phi' 'joint[2].phi' 'joint[3].phi' 'joint[1].w' 'joint[3].w'
same Flight Walls.mo Walls.FlightOfParts 'body.r_0[1]' 'body.r_0[2]' 'body.r_0[3]' 'body.v_0[1]' 'body.v_0[2]' energy.contact_damping
same FlightInHall Walls.mo Walls.FlightOfParts 'body.r_0[1]' 'body.r_0[2]' 'body.r_0[3]' 'body.v_0[1]' 'body.v_0[2]'
finish
