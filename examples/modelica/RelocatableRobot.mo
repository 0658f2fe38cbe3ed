// A space robot with seven joints and a hand at each end places boxes on a platform and walks: it holds on with its green hand, lets go
// with the blue one, and its chain of joints is turned round (thesis, section 12.3; shapes are primitives).
// plot: green.r_0[1] green.r_0[3] blue.r_0[1] blue.r_0[3]
model RelocatableRobot "A robot that walks and places two boxes, one from each side"
  import Rattleback.*;

  constant Real L(unit = "m") = 1.0 "Upper arm and forearm";
  constant Real d(unit = "m") = 0.3 "From a hand to the first pitch axis";
  constant Real s(unit = "m") = 0.4 "Box";

  function reach "Angles of the joints at which the green hand is at r from the blue one, both upright"
    input Real r[3](each unit = "m");
    output Real q[7](each unit = "rad");
  protected
    Real psi = atan2(r[2], r[1]), rho = sqrt(r[1]^2 + r[2]^2), gamma = atan2(r[3], rho);
    Real beta = acos(sqrt(rho^2 + r[3]^2)/(2*L)), up = gamma + beta, down = gamma - beta;
  algorithm
    q := {psi, up, 0, down - up, 0, -down, -psi};
  end reach;

  model Drive "Of a joint: an elastic gear between the reference and the flange"
    Blocks.Interfaces.RealInput reference;
    Rotational.Sources.Position motor;
    Rotational.Components.SpringDamper gear(c = 2e4, d = 2e3);
    Rotational.Interfaces.Flange_b flange;
  equation
    motor.phi_ref = reference;
    connect(motor.flange, gear.flange_a);
    connect(gear.flange_b, flange);
  end Drive;

  model Link "Half of an arm"
    extends Parts.BodyShape(r = {L/2, 0, 0}, m = 6, r_CM = {L/4, 0, 0}, I_11 = 0.01, I_22 = 0.12, I_33 = 0.12, shape = Shapes.Capsule(0.12, L/2, 1), r_shape = {L/4, 0, 0});
  end Link;

  inner World world(gravityType = World.GravityType.NoGravity, contact = false);
  // Hands, links and joints from blue to green
  Parts.BodyShape blue(r = {0, 0, d}, m = 3, r_CM = {0, 0, 0.1}, I_11 = 0.03, I_22 = 0.03, I_33 = 0.02, shape = Shapes.Cylinder(0.2, 0.2), r_shape = {0, 0, 0.1}, r_0(start = {2, 2, 0}));
  Link upper, upper2, fore, fore2;
  Parts.Body shoulder(m = 1, I_11 = 0.02, I_22 = 0.02, I_33 = 0.02), wrist(m = 1, I_11 = 0.02, I_22 = 0.02, I_33 = 0.02);
  Parts.FixedTranslation greenArm(r = {0, 0, -d});
  Parts.BodyShape green(m = 3, r_CM = {0, 0, 0.1}, I_11 = 0.03, I_22 = 0.03, I_33 = 0.02, shape = Shapes.Cylinder(0.2, 0.2), r_shape = {0, 0, 0.1});
  Joints.Revolute joint[7](n = {{0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, each useAxisFlange = true,
    phi(start = home, each fixed = true), w(each fixed = true));
  parameter Real home[7](each unit = "rad") = reach({1, 0, 0.8});
  Drive drive[7];
  // What stands on the platform
  Parts.Fixed lock[2](r = {{2, 2, 0}, {3.2, 2, 0}}), place[6](r = {{1, 1, 0}, {1, 3, 0}, {3.2, 1, 0}, {3.2, 3, 0}, {4.2, 1.2, 0}, {4.2, 2.8, 0}});
  Parts.BodyShape box[6](each r = {0, 0, s}, each m = 10, each r_CM = {0, 0, s/2}, each I_11 = 10*s^2/6, each I_22 = 10*s^2/6, each I_33 = 10*s^2/6,
    each shape = Shapes.Box(s, s, s), each r_shape = {0, 0, s/2}, r_0(start = place.r));
  Actions.ReferencePath path(q_start = home, v_max = fill(0.5, 7), a_max = fill(0.4, 7));
  Actions.ModelActions actions;
equation
  connect(blue.frame_b, joint[1].frame_a);
  connect(joint[1].frame_b, shoulder.frame_a);
  connect(shoulder.frame_a, joint[2].frame_a);
  connect(joint[2].frame_b, upper.frame_a);
  connect(upper.frame_b, joint[3].frame_a);
  connect(joint[3].frame_b, upper2.frame_a);
  connect(upper2.frame_b, joint[4].frame_a);
  connect(joint[4].frame_b, fore.frame_a);
  connect(fore.frame_b, joint[5].frame_a);
  connect(joint[5].frame_b, fore2.frame_a);
  connect(fore2.frame_b, joint[6].frame_a);
  connect(joint[6].frame_b, wrist.frame_a);
  connect(wrist.frame_a, joint[7].frame_a);
  connect(joint[7].frame_b, greenArm.frame_a);
  connect(greenArm.frame_b, green.frame_a);
  connect(drive.flange, joint.axis);
  drive.reference = path.q;
  when initial() then
    // the blue hand holds the platform, and so do the boxes
    Actions.attach(actions, "blue", "lock[1]");
    for i in 1:6 loop
      Actions.attach(actions, "box[" + String(i) + "]", "place[" + String(i) + "]");
    end for;
    // the green hand takes the first box, from above, and puts it on the third one
    Actions.ptpJointSpace(actions, "path", {reach({-1, -1, 0.8}), reach({-1, -1, s})});
    Actions.eventAfterPeriod(actions, 3);
    Actions.releaseAndAttach(actions, "box[1]", "green");
    Actions.ptpJointSpace(actions, "path", {reach({-1, -1, 1.1}), reach({1.2, -1, 1.1}), reach({1.2, -1, 2*s})});
    Actions.eventAfterPeriod(actions, 3);
    Actions.releaseAndAttach(actions, "box[1]", "box[3].frame_b");
    // it holds the platform, the blue hand lets go: the chain is turned round
    Actions.ptpJointSpace(actions, "path", {reach({1.2, -1, 1.1}), reach({1.2, 0, 0.5}), reach({1.2, 0, 0})});
    Actions.eventAfterPeriod(actions, 3);
    Actions.flipChain(actions, "green", "lock[2]", "blue", maxDistance = 0.005);
    // now the blue hand takes the fourth box and puts it on the sixth
    Actions.ptpJointSpace(actions, "path", {reach({1.2, 0, -0.6}), reach({0, -1, -0.9}), reach({0, -1, -s})});
    Actions.eventAfterPeriod(actions, 3);
    Actions.releaseAndAttach(actions, "box[4]", "blue");
    Actions.ptpJointSpace(actions, "path", {reach({0, -1, -1.2}), reach({-1, -0.8, -1.2}), reach({-1, -0.8, -2*s})});
    Actions.eventAfterPeriod(actions, 3);
    Actions.releaseAndAttach(actions, "box[4]", "box[6].frame_b");
    Actions.ptpJointSpace(actions, "path", {reach({-1, -0.8, -1.2}), reach({0, -1, -1.2})});
  end when;
  annotation(experiment(StopTime = 86, Tolerance = 1e-6));
end RelocatableRobot;
