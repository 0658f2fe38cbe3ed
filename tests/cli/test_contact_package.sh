# label: full
# RattlebackContact on bodies and joints of Modelica.Mechanics.MultiBody, against our own collision bodies on the same models.
# RATTLEBACK_MSL names the folder with the packages Modelica and ModelicaServices; without it nothing is tested.
. "$(dirname "$0")/expect.sh"

if [ ! -d "${RATTLEBACK_MSL:-/nowhere}/Modelica" ]; then
    echo "RATTLEBACK_MSL does not name the library: not tested" >&2
    finish
fi
packages=$(dirname "$program")/library
cat >Foreign.mo <<'MODEL'
package Foreign
  import MB = Modelica.Mechanics.MultiBody;
  partial model Flight
    inner MB.World world(g = 9.81, enableAnimation = false);
    parameter Real m = 4, I = 2/5*m*0.05^2;
    MB.Parts.Body body[2](each m = m, each r_CM = zeros(3), each I_11 = I, each I_22 = I, each I_33 = I, r_0(start = {{0, 0.3, 0}, {0.02, 0.45, 0}}, each fixed = true), v_0(start = {{0.5, 0, 0}, {0.5, -1, 0}}, each fixed = true), each w_0_fixed = true, each w_0_start(each displayUnit = "rad/s") = {1, 2, 3}, each angles_fixed = true, each animation = false);
  end Flight;
  model Package
    extends Flight;
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 3);
    RattlebackContact.Sphere ball[2](id = 1:2, each diameter = 0.1, each m = m);
    RattlebackContact.Box floor(id = 3, lengths = {4, 0.1, 4}, r_shape = {0, -0.05, 0}, fixed = true);
  equation
    connect(body.frame_a, ball.frame_a);
    connect(world.frame_b, floor.frame_a);
  end Package;
  model Own
    extends Flight;
    Rattleback.Contact.CollisionBody ball[2](each shape = Rattleback.Shapes.Sphere(0.1)), floor(shape = Rattleback.Shapes.Box(4, 0.1, 4), r_shape = {0, -0.05, 0});
  equation
    connect(body.frame_a, ball.frame_a);
    connect(world.frame_b, floor.frame_a);
  end Own;
  partial model Hammer "A pendulum of springs and joints of the standard library"
    inner MB.World world(g = 9.81, enableAnimation = false);
    MB.Joints.Revolute hinge(phi(start = 0.8, fixed = true), w(fixed = true), animation = false);
    MB.Parts.FixedTranslation rod(r = {0.5, 0, 0}, animation = false);
    MB.Parts.Body body(m = 4, r_CM = zeros(3), I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9, animation = false);
    MB.Parts.Fixed base(r = {0.5, -0.07, 0}, animation = false);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, body.frame_a);
  end Hammer;
  model PackageHammer
    extends Hammer;
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 2);
    RattlebackContact.Sphere head(id = 1, diameter = 0.1, m = 4/(1 - 0.02^2)) "What a vertical force on its centre feels: the contact starts at sin(phi) = -0.02";
    RattlebackContact.Box plate(id = 2, lengths = {0.3, 0.02, 0.3}, fixed = true);
  equation
    connect(rod.frame_b, head.frame_a);
    connect(base.frame_b, plate.frame_a);
  end PackageHammer;
  model OwnHammer
    extends Hammer;
    Rattleback.Contact.CollisionBody head(shape = Rattleback.Shapes.Sphere(0.1)), plate(shape = Rattleback.Shapes.Box(0.3, 0.02, 0.3));
  equation
    connect(rod.frame_b, head.frame_a);
    connect(base.frame_b, plate.frame_a);
  end OwnHammer;
end Foreign;
MODEL

# last FILE VARIABLE
last() {
    awk -F , -v name="\"$2\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print column ? $column : "none" }' "$1"
}
# same TOLERANCE MODEL OTHER VARIABLE...
same() {
    tolerance=$1 model=$2 other=$3
    shift 3
    filter='.*(phi|w|r_0\[.\]|v_0\[.\])' # no name with a comma
    expect 0 "" simulate Foreign.mo "Foreign.$model" --library "$RATTLEBACK_MSL" --library "$packages" --output-file a.csv --tolerance 1e-11 --stop-time 0.6 --variable-filter "$filter" --quiet
    expect 0 "" simulate Foreign.mo "Foreign.$other" --library "$RATTLEBACK_MSL" --output-file b.csv --tolerance 1e-11 --stop-time 0.6 --variable-filter "$filter" --quiet
    for variable in "$@"; do
        a=$(last a.csv "$variable") b=$(last b.csv "$variable")
        awk -v a="$a" -v b="$b" -v tolerance="$tolerance" 'BEGIN { d = a - b; exit !(a != "none" && b != "none" && d < tolerance && d > -tolerance) }' ||
            complain "$model: $variable ends at $a, with our own collision bodies at $b"
    done
}
same 1e-7 Package Own 'body[1].r_0[1]' 'body[1].r_0[2]' 'body[2].r_0[1]' 'body[2].r_0[2]' 'body[1].v_0[1]' 'body[2].v_0[2]'
same 1e-7 PackageHammer OwnHammer hinge.phi hinge.w
finish
