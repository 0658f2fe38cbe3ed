// A robot takes a sphere from a plate, carries it aside, and puts it down, in four ways (thesis, section 12.2): by contact alone (S1), by
// contact where it grips and lets go and rigidly attached otherwise (S2; S3 without looking for contacts meanwhile), and by actions alone (S4).
// For instance: rattleback simulate GrippingRobot.mo GrippingRobot.S2; plot sphere.r_0[3] and lift.s
package GrippingRobot
  import Rattleback.*;

  model Drive "An elastic drive of a slide that follows its reference"
    parameter Real c(unit = "N/m") = 1e5;
    parameter Real k(unit = "N.s/m") = 2e3;
    Blocks.Interfaces.RealInput reference(unit = "m");
    Translational.Sources.Position motor;
    Translational.Components.SpringDamper gear(c = c, d = k, s_rel0 = 0);
    Translational.Interfaces.Flange_b flange;
  equation
    motor.s_ref = reference;
    connect(motor.flange, gear.flange_a);
    connect(gear.flange_b, flange);
  end Drive;

  partial model Robot "A slide, a lift, and a hand with two fingers"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Real d(unit = "m") = 0.05 "Of the sphere";
    parameter Real open(unit = "m") = 0.04, close(unit = "m") = 0.02 "References of a finger: away from the sphere, and pressed on it";
    parameter Real hold(unit = "m") = 0.03 "Where a finger touches it";
    parameter Real high(unit = "m") = 0.15, aside(unit = "m") = 0.2;
    Parts.Solid plate(shape = Shapes.Box(0.8, 0.4, 0.02), material = "DryWood", r = {0, 0, -0.01}, fixed = true);
    Parts.Solid sphere(shape = Shapes.Sphere(d), material = "DryWood", r = {0, 0, d/2});
    Joints.Prismatic slide(n = {1, 0, 0}, useAxisFlange = true);
    Joints.Prismatic lift(n = {0, 0, 1}, useAxisFlange = true, s(start = high, fixed = true), v(fixed = true));
    Parts.FixedTranslation hand(r = {0, 0, d/2});
    Parts.Body carriage(m = 5, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
    Parts.Body palm(m = 0.5, r_CM = {0, 0, 0.1}, I_11 = 0.001, I_22 = 0.001, I_33 = 0.001);
    Joints.Prismatic finger[2](n = {{0, 1, 0}, {0, -1, 0}}, each useAxisFlange = true, s(each start = 0.04, each fixed = true), v(each fixed = true));
    Parts.Solid tip[2](each shape = Shapes.Box(0.03, 0.01, 0.03), each material = "DryWood");
    Drive slideDrive, liftDrive, fingerDrive[2](each c = 2000, each k = 60);
    Actions.ReferencePath path(q_start = {0, high, open}, v_max = {0.3, 0.3, 0.2}, a_max = {1, 1, 2});
    Actions.ModelActions actions;
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, carriage.frame_a);
    connect(carriage.frame_a, lift.frame_a);
    connect(lift.frame_b, hand.frame_a);
    connect(hand.frame_b, palm.frame_a);
    connect(hand.frame_b, finger[1].frame_a);
    connect(hand.frame_b, finger[2].frame_a);
    connect(finger.frame_b, tip.frame_a);
    connect(slideDrive.flange, slide.axis);
    connect(liftDrive.flange, lift.axis);
    connect(fingerDrive.flange, finger.axis);
    slideDrive.reference = path.q[1];
    liftDrive.reference = path.q[2];
    fingerDrive[1].reference = path.q[3];
    fingerDrive[2].reference = path.q[3];
  end Robot;

  model S1 "By contact alone"
    extends Robot;
  equation
    when initial() then
      Actions.ptpJointSpace(actions, "path", [0, 0, open; 0, 0, close]);
      Actions.wait(actions, 0.3);
      Actions.ptpJointSpace(actions, "path", [0, 0.03, close; 0, high, close; aside, high, close; aside, 0, close; aside, 0, open]);
      Actions.ptpJointSpace(actions, "path", [aside, high, open]);
    end when;
    annotation(experiment(StopTime = 6, Tolerance = 1e-6));
  end S1;

  model S2 "Attached while it rests and while it is carried"
    extends Robot;
    parameter Boolean look = true "For contacts while it is attached";
  equation
    when initial() then
      Actions.attach(actions, "sphere", "plate", enableContactDetection = look);
      Actions.ptpJointSpace(actions, "path", [0, 0, open]);
      Actions.release(actions, "sphere");
      Actions.ptpJointSpace(actions, "path", [0, 0, close]);
      Actions.wait(actions, 0.3);
      Actions.attach(actions, "sphere", "palm", enableContactDetection = look);
      Actions.ptpJointSpace(actions, "path", [0, 0.03, hold; 0, high, hold; aside, high, hold; aside, 0, hold]);
      Actions.release(actions, "sphere");
      Actions.ptpJointSpace(actions, "path", [aside, 0, open]);
      Actions.attach(actions, "sphere", "plate", enableContactDetection = look);
      Actions.ptpJointSpace(actions, "path", [aside, high, open]);
    end when;
    annotation(experiment(StopTime = 6, Tolerance = 1e-6));
  end S2;

  model S3 "The same without looking for contacts while it is attached"
    extends S2(look = false);
    annotation(experiment(StopTime = 6, Tolerance = 1e-6));
  end S3;

  model S4 "By actions alone"
    extends Robot(world(contact = false));
  equation
    when initial() then
      Actions.attach(actions, "sphere", "plate");
      Actions.ptpJointSpace(actions, "path", [0, 0, open; 0, 0, close]);
      Actions.wait(actions, 0.3);
      Actions.releaseAndAttach(actions, "sphere", "palm");
      Actions.ptpJointSpace(actions, "path", [0, 0.03, close; 0, high, close; aside, high, close; aside, 0, close; aside, 0, open]);
      Actions.releaseAndAttach(actions, "sphere", "plate");
      Actions.ptpJointSpace(actions, "path", [aside, high, open]);
    end when;
    annotation(experiment(StopTime = 6, Tolerance = 1e-6));
  end S4;
end GrippingRobot;
