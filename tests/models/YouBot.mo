package YouBot "A robot with five axes and a gripper takes a sphere from a plate, puts it back, and takes it again (data of the public case of this name)"
  import Rattleback.*;

  model Servo "A motor with its controller; the reference is that of the load"
    parameter Real ratio = 1;
    parameter Units.Inertia J = 1;
    Blocks.Interfaces.RealInput reference(unit = "rad");
    Rotational.Interfaces.Flange_b flange;
    Rotational.Components.Inertia motor(J = J);
    Rotational.Components.IdealGear gear(ratio = ratio);
    Rotational.Sources.Torque torque;
    Real x(start = 0, fixed = true), u;
  equation
    u = 50*(ratio*reference - motor.phi) - motor.w;
    der(x) = u;
    torque.tau = 0.1*(x + u);
    connect(torque.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, flange);
  end Servo;

  model Link "Turned against the one before it, then by its joint"
    parameter Units.Angle angles[3] = zeros(3);
    parameter Units.Position r[3] = zeros(3), r_CM[3] = zeros(3);
    parameter Units.Mass m = 1;
    parameter Units.Inertia I[3] = zeros(3);
    Interfaces.Frame_a frame_a;
    Interfaces.Frame_b frame_b;
    Parts.FixedRotation turn(angles = angles);
    Joints.Revolute hinge(n = {0, 0, 1}, useAxisFlange = true, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Parts.Body body(m = m, r_CM = r_CM, I_11 = I[1], I_22 = I[2], I_33 = I[3]);
    Parts.FixedTranslation rod(r = r);
  equation
    connect(frame_a, turn.frame_a);
    connect(turn.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, frame_b);
  end Link;

  model FixSphere
    constant Real pi = 3.141592653589793;
    parameter Real d = 0.05 "Diameter of the sphere";
    parameter Real top[6] = {pi, 0, pi/2, 0, 0, d + 0.01}, above[6] = {pi, pi/4, pi/4, 0, 0, d + 0.01},
      plate[6] = {pi, pi/4, pi/4, 1.04, 0, d + 0.01}, grip[6] = {pi, pi/4, pi/4, 1.04, 0, d - 0.002},
      carry[6] = {pi, 0, pi/2, 0, 0, d - 0.002};
    inner World world(gravity = {0, 0, -9.81}, contact = false);
    Parts.Fixed foot(r = {-0.402, 0, 0.245}), table(r = {-0.759, 0, 0.1542});
    Link link1(angles = {pi, 0, 0}, r = {0.033, 0, 0}, m = 1.390, r_CM = {0.002788, -0.00346, 0.041004}, I = {2.3e-3, 2.9e-3, 3.1e-3}),
      link2(angles = {pi/2, 0, -pi/2}, r = {0.155, 0, 0}, m = 1.318, r_CM = {0.069306, 0.001379, -0.033993}, I = {8e-4, 5.2e-3, 5.1e-3}),
      link3(angles = {0, 0, -pi/2}, r = {0, 0.135, 0}, m = 0.821, r_CM = {-0.000159, 0.079078, 0.030758}, I = {2.4e-3, 4e-4, 2.4e-3}),
      link4(r = {0, 0.11316, 0}, m = 0.769, r_CM = {-0.000124, 0.041493, -0.006493}, I = {1.2e-3, 7e-4, 9.6e-4}),
      link5(angles = {-pi/2, 0, 0}, r = {0, 0, 0.05716}, m = 0.687, r_CM = {-0.000866, -0.000677, -0.022159}, I = {4.2e-4, 2.2e-4, 5e-4});
    Parts.FixedRotation wrist(angles = {0, 0, -pi});
    Parts.Body hand(m = 0.199, r_CM = {0, 0, -0.0351}, I_11 = 2e-4, I_22 = 9e-5, I_33 = 2e-4);
    Parts.FixedTranslation right(r = {0, -0.03, 0});
    Parts.Body rightFinger(m = 0.010, r_CM = {0, -0.0069, 0.0115}, I_11 = 2e-6, I_22 = 2e-6, I_33 = 4e-7),
      leftFinger(m = 0.010, r_CM = {0, 0.0069, 0.0115}, I_11 = 2e-6, I_22 = 2e-6, I_33 = 4e-7);
    Joints.Prismatic grips(n = {0, 1, 0}, useAxisFlange = true, s(start = 0, fixed = true), v(start = 0, fixed = true));
    Parts.Body sphere(m = 0.0458149, I_11 = 1.145e-5, I_22 = 1.145e-5, I_33 = 1.145e-5, r_0(start = {-0.78, 0, 0.1792}));
    Servo servo[5](ratio = {156, 156, 100, 71, 71}, J = {1.3909e-5, 1.3909e-5, 1.3571e-5, 9.321e-6, 3.571e-6});
    Translational.Components.Mass slide(m = 0.1);
    Translational.Sources.Force force;
    Real x(start = 0, fixed = true) "Of the controller of the gripper", u;
    Actions.ReferencePath path(q_start = zeros(6), v_max = {2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2}, a_max = {1.5, 1.5, 1.5, 1.5, 1.5, 0.5});
    Actions.ModelActions actions;
  equation
    connect(foot.frame_b, link1.frame_a);
    connect(link1.frame_b, link2.frame_a);
    connect(link2.frame_b, link3.frame_a);
    connect(link3.frame_b, link4.frame_a);
    connect(link4.frame_b, link5.frame_a);
    connect(link5.frame_b, wrist.frame_a);
    connect(wrist.frame_b, hand.frame_a);
    connect(wrist.frame_b, right.frame_a);
    connect(right.frame_b, rightFinger.frame_a);
    connect(right.frame_b, grips.frame_a);
    connect(grips.frame_b, leftFinger.frame_a);
    connect(servo[1].flange, link1.hinge.axis);
    connect(servo[2].flange, link2.hinge.axis);
    connect(servo[3].flange, link3.hinge.axis);
    connect(servo[4].flange, link4.hinge.axis);
    connect(servo[5].flange, link5.hinge.axis);
    for i in 1:5 loop
      servo[i].reference = path.q[i];
    end for;
    u = 50*(path.q[6] - slide.s) - slide.v;
    der(x) = u;
    force.f = 10*(x + u);
    connect(force.flange, slide.flange_a);
    connect(slide.flange_b, grips.axis);
    when initial() then
      Actions.attach(actions, "sphere", "table");
      Actions.eventAfterPeriod(actions, 1e-10);
      Actions.ptpJointSpace(actions, "path", [above; plate; grip]);
      Actions.releaseAndAttach(actions, "sphere", "rightFinger", maxDistance = 0.2);
      Actions.ptpJointSpace(actions, "path", [carry; grip; plate]);
      Actions.releaseAndAttach(actions, "sphere", "table", maxDistance = 0.2);
      Actions.ptpJointSpace(actions, "path", [top; plate; grip]);
      Actions.releaseAndAttach(actions, "sphere", "rightFinger", maxDistance = 0.2);
      Actions.ptpJointSpace(actions, "path", [carry]);
    end when;
    annotation(experiment(StopTime = 13.5, Tolerance = 1e-7));
  end FixSphere;
end YouBot;
