package DrivenLoops "Drives inside kinematic loops"
  import Rattleback.*;

  partial model SliderCrank "Only the slider has a mass worth mentioning"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Real r(unit = "m") = 0.2, l(unit = "m") = 0.5, m(unit = "kg") = 3;
    Joints.Revolute crank(useAxisFlange = true, phi(start = 0.4, fixed = true), w(start = 5, fixed = true));
    Joints.Revolute wrist, pin;
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.7));
    Parts.FixedTranslation web(r = {r, 0, 0}), rod(r = {l, 0, 0});
    Parts.Body a(m = 1e-9, I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9), b(m = 1e-9, I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9);
    Parts.Body piston(m = m);
    Real x(unit = "m") = r*cos(crank.phi) + sqrt(l^2 - (r*sin(crank.phi))^2) "Where the slider must be";
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, web.frame_a);
    connect(web.frame_b, wrist.frame_a);
    connect(wrist.frame_b, rod.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, piston.frame_a);
    connect(rod.frame_b, pin.frame_a);
    connect(piston.frame_a, pin.frame_b);
    connect(crank.frame_b, a.frame_a);
    connect(wrist.frame_b, b.frame_a);
  end SliderCrank;

  model Motor "A motor over a gear: m x'^2/2 + J (i w)^2/2 grows by the work of its torque"
    extends SliderCrank;
    parameter Real J(unit = "kg.m2") = 1e-3, i = 10, tau(unit = "N.m") = 0.5;
    Rotational.Components.Inertia motor(J = J);
    Rotational.Components.IdealGear gear(ratio = i);
    Rotational.Sources.ConstantTorque torque(tau_constant = tau);
    Sensors.AbsoluteVelocity speed(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(torque.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, crank.axis);
    connect(speed.frame_a, piston.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Motor;

  model Prescribed "The torque that constant speed needs: virtual work"
    extends SliderCrank(crank(phi(start = 0.4, fixed = false), w(start = 5, fixed = false)));
    parameter Real w(unit = "rad/s") = 5;
    Rotational.Sources.Position position;
  equation
    position.phi_ref = 0.4 + w*time;
    connect(position.flange, crank.axis);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Prescribed;

  model Elsewhere "Equations put the crank where the loop was not closed"
    extends SliderCrank(crank(phi(start = 0.4, fixed = false), w(start = 5, fixed = false)));
    parameter Real w(unit = "rad/s") = 5;
    Rotational.Sources.Position position;
  equation
    position.phi_ref = 1 + w*time;
    connect(position.flange, crank.axis);
  end Elsewhere;

  model Both "Two drives, one freedom: a motor at the crank, a spring at the slider, which starts somewhere else"
    extends SliderCrank(slide(useAxisFlange = true, s(start = 0.6)));
    Rotational.Components.Inertia motor(J = 0.1);
    Rotational.Sources.ConstantTorque torque(tau_constant = 5);
    Translational.Components.Spring spring(c = 2000, s_rel0 = -0.5);
    Translational.Components.Fixed wall;
    Sensors.AbsoluteVelocity speed(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(torque.flange, motor.flange_a);
    connect(motor.flange_b, crank.axis);
    connect(slide.axis, spring.flange_a);
    connect(spring.flange_b, wall.flange);
    connect(speed.frame_a, piston.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Both;

  model Stroke "What a gas force asks of its piston: the ends of the stroke are met to rounding, and seen as turning points"
    extends SliderCrank(slide(useAxisFlange = true));
    Rotational.Components.Inertia motor(J = 0.1);
    Translational.Sources.Force gas;
  equation
    gas.f = if slide.v < 0 then -60 else -20;
    assert(slide.s <= l + r + 1e-12, "the slider is beyond its upper end");
    assert(slide.s >= l - r - 1e-12, "the slider is beyond its lower end");
    connect(motor.flange_b, crank.axis);
    connect(gas.flange, slide.axis);
    annotation(experiment(StopTime = 4, Tolerance = 1e-4));
  end Stroke;

  model Settled "A filter that starts at rest needs the torque at the start, which the closed loop has"
    extends SliderCrank(slide(useAxisFlange = true, s(start = 0.1)));
    Rotational.Components.Inertia motor(J = 0.1);
    Rotational.Sensors.TorqueSensor sensor;
    Translational.Sources.ConstantForce push(f_constant = 40);
    Real y(unit = "N.m");
  initial equation
    der(y) = 0;
  equation
    0.01*der(y) = sensor.tau - y;
    assert(slide.s > 0.25, "the equations see a slider that is not where the loop puts it");
    connect(motor.flange_b, sensor.flange_a);
    connect(sensor.flange_b, crank.axis);
    connect(push.flange, slide.axis);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end Settled;

  model Slider "The slider is fixed at the start, the crank that is driven is not"
    extends SliderCrank(crank(phi(start = 0, fixed = false), w(start = 0, fixed = false)), slide(s(start = 0.6, fixed = true), v(start = -0.3, fixed = true)));
    Rotational.Components.Inertia motor(J = 0.1);
  equation
    connect(motor.flange_b, crank.axis);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end Slider;

  model Massless "Crank and rod have no mass at all: the slider goes on at its speed until the crank is in line with the rod"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Real r(unit = "m") = 0.2, l(unit = "m") = 0.5, m(unit = "kg") = 3;
    Joints.Revolute crank(phi(start = 0.4, fixed = true), w(start = 5, fixed = true));
    Joints.Revolute wrist, pin;
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.7));
    Parts.FixedTranslation web(r = {r, 0, 0}), rod(r = {l, 0, 0});
    Parts.Body piston(m = m);
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, web.frame_a);
    connect(web.frame_b, wrist.frame_a);
    connect(wrist.frame_b, rod.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, piston.frame_a);
    connect(rod.frame_b, pin.frame_a);
    connect(piston.frame_a, pin.frame_b);
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-9));
  end Massless;
end DrivenLoops;
