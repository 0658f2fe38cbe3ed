within Rattleback;
package Examples "Every class of the library in use; the comments say what must come out"
  model Filter "Low pass: v of the capacitor is 10 (1 - exp(-t/(R C)))"
    import Rattleback.Electrical.*;
    Basic.Resistor R(R = 2);
    Basic.Capacitor C(C = 0.1, v(start = 0, fixed = true));
    Sources.ConstantVoltage V(V = 10);
    Basic.Ground ground;
  equation
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Filter;

  model ResonantCircuit "Sources, conductor, inductor, sensors"
    import Rattleback.Electrical.*;
    Sources.SineVoltage sine(V = 1, f = 50);
    Sources.StepVoltage step(V = 1, startTime = 0.01);
    Basic.Inductor L(L = 1e-3, i(start = 0, fixed = true));
    Basic.Capacitor C(C = 1e-4, v(start = 0, fixed = true));
    Basic.Conductor G(G = 0.1);
    Sensors.CurrentSensor current;
    Sensors.VoltageSensor voltage;
    Sensors.PotentialSensor potential;
    Basic.Ground ground;
  equation
    connect(sine.n, ground.p);
    connect(sine.p, step.n);
    connect(step.p, current.p);
    connect(current.n, L.p);
    connect(L.n, C.p);
    connect(C.n, ground.p);
    connect(G.p, C.p);
    connect(G.n, C.n);
    connect(voltage.p, C.p);
    connect(voltage.n, C.n);
    connect(potential.p, L.p);
    annotation(experiment(StopTime = 0.1));
  end ResonantCircuit;

  model Currents "A current through a resistor that heats a body: T grows by R I^2 t / C"
    Electrical.Sources.ConstantCurrent source(I = 2);
    Electrical.Sources.SignalCurrent signal;
    Electrical.Basic.Resistor R(R = 5, useHeatPort = true);
    Electrical.Basic.Ground ground;
    HeatTransfer.Components.HeatCapacitor body(C = 100, T(start = 300, fixed = true));
    Blocks.Sources.Constant zero(k = 0);
  equation
    connect(source.n, R.p);
    connect(signal.n, R.p);
    connect(R.n, ground.p);
    connect(source.p, ground.p);
    connect(signal.p, ground.p);
    connect(zero.y, signal.i);
    connect(R.heatPort, body.port);
    annotation(experiment(StopTime = 10));
  end Currents;

  model Rectifier "Half wave with an ideal diode and switches"
    import Rattleback.Electrical.*;
    Sources.SignalVoltage source;
    Blocks.Sources.Sine sine(amplitude = 10, f = 50);
    Ideal.IdealDiode diode;
    Ideal.IdealClosingSwitch closing;
    Ideal.IdealOpeningSwitch opening;
    Blocks.Sources.BooleanStep switch(startTime = 0.05);
    Basic.Resistor load(R = 10);
    Basic.Resistor more(R = 100);
    Basic.Ground ground;
  equation
    connect(sine.y, source.v);
    connect(source.p, diode.p);
    connect(diode.n, closing.p);
    connect(diode.n, opening.p);
    connect(closing.n, load.p);
    connect(opening.n, more.p);
    connect(load.n, ground.p);
    connect(more.n, ground.p);
    connect(source.n, ground.p);
    connect(switch.y, closing.control);
    connect(switch.y, opening.control);
    annotation(experiment(StopTime = 0.1));
  end Rectifier;

  model Motor "Direct current motor that drives a load over a gear: in the end w = V / k / ratio without load torque"
    Electrical.Sources.ConstantVoltage V(V = 12);
    Electrical.Basic.Resistor R(R = 0.5);
    Electrical.Basic.Inductor L(L = 1e-3, i(start = 0, fixed = true));
    Electrical.Basic.RotationalEMF emf(k = 0.1);
    Electrical.Basic.Ground ground;
    Rotational.Inertia rotor(J = 1e-3, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Rotational.IdealGear gear(ratio = 10);
    Rotational.Inertia load(J = 0.05);
    Rotational.Sensors.SpeedSensor speed;
    Rotational.Sensors.AngleSensor angle;
    Rotational.Sensors.TorqueSensor torque;
  equation
    connect(V.p, R.p);
    connect(R.n, L.p);
    connect(L.n, emf.p);
    connect(emf.n, V.n);
    connect(V.n, ground.p);
    connect(emf.flange, rotor.flange_a);
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, torque.flange_a);
    connect(torque.flange_b, load.flange_a);
    connect(load.flange_b, speed.flange);
    connect(load.flange_b, angle.flange);
    annotation(experiment(StopTime = 5));
  end Motor;

  model TorsionPendulum "Spring and damper against a wall: damped oscillation with angular frequency sqrt(c/J - (d/(2 J))^2)"
    Rotational.Fixed wall;
    Rotational.Spring spring(c = 4);
    Rotational.Damper damper(d = 0.2);
    Rotational.Inertia inertia(J = 1, phi(start = 1, fixed = true), w(start = 0, fixed = true));
  equation
    connect(wall.flange, spring.flange_a);
    connect(wall.flange, damper.flange_a);
    connect(spring.flange_b, inertia.flange_a);
    connect(damper.flange_b, inertia.flange_a);
    annotation(experiment(StopTime = 10));
  end TorsionPendulum;

  model DrivenShaft "Prescribed motion and torques; the motions are differentiable as often as needed"
    Rotational.Sources.Position position;
    Rotational.Sources.Speed speed;
    Rotational.SpringDamper coupling(c = 10, d = 1);
    Rotational.SpringDamper second(c = 10, d = 1);
    Rotational.Inertia inertia(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Rotational.Sources.Torque torque;
    Rotational.Sources.ConstantTorque constantTorque(tau_constant = 0.1);
    Real angle = sin(time);
  equation
    position.phi_ref = angle;
    speed.w_ref = cos(time);
    torque.tau = 0.5 * sin(2 * time);
    connect(position.flange, coupling.flange_a);
    connect(coupling.flange_b, inertia.flange_a);
    connect(inertia.flange_b, second.flange_a);
    connect(second.flange_b, speed.flange);
    connect(torque.flange, inertia.flange_b);
    connect(constantTorque.flange, inertia.flange_b);
    annotation(experiment(StopTime = 10));
  end DrivenShaft;

  model StickSlip "A shaft with dry friction under a slowly growing torque: it stays at rest until the torque is 2, then slides"
    Rotational.Inertia inertia(J = 1);
    Rotational.Components.BearingFriction friction(tau_slide = 1, peak = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Rotational.Torque torque;
    Blocks.Sources.Ramp ramp(height = 4, duration = 4);
  equation
    connect(ramp.y, torque.tau);
    connect(torque.flange, friction.flange_a);
    connect(friction.flange_b, inertia.flange_a);
    annotation(experiment(StopTime = 4));
  end StickSlip;

  model Oscillator "Mass on a spring: s = s0 cos(sqrt(c/m) t)"
    Translational.Fixed wall;
    Translational.Spring spring(c = 9);
    Translational.Mass mass(m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true));
    Translational.Sensors.PositionSensor position;
    Translational.Sensors.SpeedSensor speed;
    Translational.Sensors.ForceSensor force;
  equation
    connect(wall.flange, force.flange_a);
    connect(force.flange_b, spring.flange_a);
    connect(spring.flange_b, mass.flange_a);
    connect(mass.flange_b, position.flange);
    connect(mass.flange_b, speed.flange);
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end Oscillator;

  model Pushed "Forces, dampers, a stop, prescribed motion"
    Translational.Mass mass(m = 1, L = 0.1, s(start = 0, fixed = true), v(start = 1, fixed = true));
    Translational.Mass other(m = 2, s(start = 2, fixed = true), v(start = 0, fixed = true));
    Translational.Components.ElastoGap stop(c = 1000, d = 10);
    Translational.Damper damper(d = 0.5);
    Translational.SpringDamper link(c = 20, d = 1);
    Translational.Fixed ground;
    Translational.Force force;
    Translational.Sources.ConstantForce push(f_constant = 0.1);
    Translational.Position moved;
    Translational.Sources.Speed driven;
    Translational.SpringDamper last(c = 5, d = 1);
  equation
    force.f = sin(time);
    moved.s_ref = 2 + 0.1 * sin(time);
    driven.v_ref = 0.1 * cos(time);
    connect(mass.flange_b, stop.flange_a);
    connect(stop.flange_b, other.flange_a);
    connect(mass.flange_a, damper.flange_a);
    connect(damper.flange_b, ground.flange);
    connect(force.flange, mass.flange_a);
    connect(push.flange, other.flange_b);
    connect(other.flange_b, link.flange_a);
    connect(link.flange_b, moved.flange);
    connect(other.flange_b, last.flange_a);
    connect(last.flange_b, driven.flange);
    annotation(experiment(StopTime = 5));
  end Pushed;

  model SlidingMass "A mass slides on a dry guide and stops: after v0/mu time units, at v0^2 m / (2 f)"
    Translational.Mass mass(m = 2);
    Translational.Components.SupportFriction friction(f_slide = 1, s(start = 0, fixed = true), v(start = 1, fixed = true), mode(start = 2));
  equation
    connect(friction.flange_b, mass.flange_a);
    annotation(experiment(StopTime = 4));
  end SlidingMass;

  model HeatedRod "Rod between a hot and a cold end"
    parameter Integer n = 5;
    HeatTransfer.Components.Rod rod(n = n);
    HeatTransfer.Sources.FixedTemperature hot(T = 493.15);
    HeatTransfer.Components.ThermalResistor contact(R = 0.1);
    HeatTransfer.Sources.FixedHeatFlow cold(Q_flow = -1);
  equation
    connect(hot.port, contact.port_a);
    connect(contact.port_b, rod.port_a);
    connect(rod.port_b, cold.port);
    annotation(experiment(StopTime = 1000));
  end HeatedRod;

  model TwoMasses "Two bodies come to the mean of their temperatures"
    HeatTransfer.Components.HeatCapacitor first(C = 15, T(start = 373.15, fixed = true));
    HeatTransfer.Components.HeatCapacitor second(C = 15, T(start = 273.15, fixed = true));
    HeatTransfer.Components.ThermalConductor conductor(G = 10);
    HeatTransfer.Sensors.TemperatureSensor temperature;
    HeatTransfer.Sensors.HeatFlowSensor flow_;
  equation
    connect(first.port, conductor.port_a);
    connect(conductor.port_b, flow_.port_a);
    connect(flow_.port_b, second.port);
    connect(second.port, temperature.port);
    annotation(experiment(StopTime = 1));
  end TwoMasses;

  model Cooling "Heat from a signal, convection to air of a given temperature"
    HeatTransfer.Components.HeatCapacitor body(C = 10, T(start = 300, fixed = true));
    HeatTransfer.Components.Convection convection;
    HeatTransfer.Sources.PrescribedTemperature air;
    HeatTransfer.Sources.PrescribedHeatFlow heat;
    Blocks.Sources.Constant conductance(k = 2);
    Blocks.Sources.Constant ambient(k = 290);
    Blocks.Sources.Pulse power(amplitude = 50, period = 10, width = 20);
  equation
    connect(heat.port, body.port);
    connect(body.port, convection.solid);
    connect(convection.fluid, air.port);
    connect(conductance.y, convection.Gc);
    connect(ambient.y, air.T);
    connect(power.y, heat.Q_flow);
    annotation(experiment(StopTime = 30));
  end Cooling;

  model ControlLoop "PI controller, limiter, first-order plant: the plant follows the reference"
    import Rattleback.Blocks.*;
    Sources.Step reference(height = 2, startTime = 1);
    Math.Feedback feedback;
    Continuous.PI controller(k = 2, T = 0.5, initType = Types.Init.InitialState);
    Nonlinear.Limiter limiter(uMax = 5);
    Continuous.FirstOrder plant(k = 1, T = 1, initType = Types.Init.InitialState);
  equation
    connect(reference.y, feedback.u1);
    connect(plant.y, feedback.u2);
    connect(feedback.y, controller.u);
    connect(controller.y, limiter.u);
    connect(limiter.y, plant.u);
    annotation(experiment(StopTime = 10));
  end ControlLoop;

  model Signals "All other blocks"
    import Rattleback.Blocks.*;
    Sources.ContinuousClock clock;
    Sources.Sine sine(f = 1);
    Sources.BooleanConstant yes;
    Sources.CombiTimeTable course(table = [0, 0, 1; 1, 2, 1; 2, 2, 0]);
    Math.Gain gain(k = 2);
    Math.Add add(k2 = -1);
    Math.Product product;
    Math.Sum sum_(nin = 3, k = {1, 2, 3});
    Math.Abs abs_;
    Continuous.Integrator integrator(y_start = 1);
    Continuous.SecondOrder second(w = 2, D = 0.5, initType = Types.Init.InitialState);
    Continuous.Derivative derivative(initType = Types.Init.InitialState);
    Nonlinear.DeadZone deadZone(uMax = 0.5);
    Logical.GreaterThreshold positive;
    Logical.Hysteresis hysteresis(uLow = -0.5, uHigh = 0.5);
    Logical.Switch switch;
    Logical.Switch other;
    Tables.CombiTable1Ds square(table = [0, 0; 1, 1; 2, 4]);
    Tables.CombiTable1Dv bends(table = [0, 0, 2; 1, 1, 0; 2, 4, 1], smoothness = Types.Smoothness.ContinuousDerivative);
    Tables.CombiTable2Ds surface(table = [0, 0, 1; 0, 0, 1; 1, 1, 2]);
  equation
    connect(sine.y, gain.u);
    connect(gain.y, add.u1);
    connect(clock.y, add.u2);
    connect(sine.y, product.u1);
    connect(clock.y, product.u2);
    connect(sine.y, sum_.u[1]);
    connect(course.y, sum_.u[2:3]);
    connect(sine.y, abs_.u);
    connect(sine.y, integrator.u);
    connect(sine.y, second.u);
    connect(sine.y, derivative.u);
    connect(sine.y, deadZone.u);
    connect(sine.y, positive.u);
    connect(sine.y, hysteresis.u);
    connect(sine.y, switch.u1);
    connect(positive.y, switch.u2);
    connect(clock.y, switch.u3);
    connect(sine.y, other.u1);
    connect(yes.y, other.u2);
    connect(clock.y, other.u3);
    connect(clock.y, square.u);
    connect(clock.y, bends.u[1]);
    connect(sine.y, bends.u[2]);
    connect(clock.y, surface.u1);
    connect(abs_.y, surface.u2);
    annotation(experiment(StopTime = 2));
  end Signals;

  model PendulumOverTable "A swinging beam knocks a ball off a table (plot hinge.phi, ball.r_0[1], ball.r_0[3])"
    inner World world(gravity = {0, 0, -9.81});
    Joints.Revolute hinge(canCollide = true, n = {0, 1, 0}, phi(start = 1.2, fixed = true), w(fixed = true), useAxisFlange = true);
    Parts.Solid beam(shape = Shapes.Beam(1.0, 0.2, 0.2), material = "Steel", r_shape = {0.5, 0, 0});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.05), r = {0, 0, -1.145}, material = "DryWood", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(diameter = 0.2), r = {-0.3, 0, -1.02}, material = "Steel");
    Rotational.Components.Damper damper(d = 0.2);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, beam.frame_a);
    connect(hinge.axis, damper.flange_b);
    connect(hinge.support, damper.flange_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end PendulumOverTable;

  model AllJoints "One body on each joint, hung on a frame of its own (plot all coordinates)"
    inner World world(g = 9.81);
    Parts.Fixed hook[6](r = {{i, 0, 0} for i in 1:6}, each angles = {0, 0, 0.1});
    Joints.Prismatic prismatic(n = {1, 1, 0}, v(start = 0.5), useAxisFlange = true);
    Joints.Cylindrical cylindrical(n = {1, 0, 0}, w(start = 1));
    Joints.Universal universal(phi_a(start = 0.2), w_b(start = 1));
    Joints.Planar planar(v_x(start = 1), w(start = 2));
    Joints.Spherical spherical(angles_start = {0, 0, 0.3}, w_rel_a_start = {0, 1, 0});
    Joints.FreeMotion free(r_rel_a(start = {0, 1, 0}), v_rel_a(start = {0, 1, 0}), w_rel_a_start = {1, 0, 1});
    Translational.Components.Fixed anchor;
    Translational.Components.Spring spring(c = 200);
    Parts.FixedTranslation rod(r = {0, -1, 0});
    Parts.FixedRotation turned(r = {0, 0, 0.2}, angles = {0.5, 0, 0});
    Parts.PointMass point(m = 0.5);
    Parts.Body body[6](each m = 1, each r_CM = {0.1, -0.2, 0}, each I_11 = 0.01, each I_22 = 0.02, each I_33 = 0.025);
  equation
    connect(hook[1].frame_b, prismatic.frame_a);
    connect(hook[2].frame_b, cylindrical.frame_a);
    connect(hook[3].frame_b, universal.frame_a);
    connect(hook[4].frame_b, planar.frame_a);
    connect(hook[5].frame_b, spherical.frame_a);
    connect(hook[6].frame_b, free.frame_a);
    connect(prismatic.frame_b, body[1].frame_a);
    connect(cylindrical.frame_b, body[2].frame_a);
    connect(universal.frame_b, turned.frame_a);
    connect(turned.frame_b, body[3].frame_a);
    connect(planar.frame_b, body[4].frame_a);
    connect(spherical.frame_b, rod.frame_a);
    connect(rod.frame_b, body[5].frame_a);
    connect(rod.frame_b, point.frame_a);
    connect(free.frame_b, body[6].frame_a);
    connect(anchor.flange, spring.flange_a);
    connect(spring.flange_b, prismatic.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end AllJoints;

  model AllForces "Every force on a body that floats (plot body.r_0[1], body.angles_0[3])"
    inner World world(g = 9.81);
    Parts.Fixed hook(r = {0, 1, 0});
    Parts.Body body(m = 1, r_0(start = {0.2, 0, 0}));
    Parts.Body other(m = 1, r_0(start = {1, 0, 0}));
    Forces.Spring spring(c = 50, s_unstretched = 0.5);
    Forces.Damper damper(d = 1, useHeatPort = true);
    Forces.SpringDamperParallel both(c = 20, s_unstretched = 1, d = 0.5, useHeatPort = true);
    HeatTransfer.Components.HeatCapacitor oil(C = 100, T(start = 293.15, fixed = true)) "Gets what the dampers lose: energy.dampers, too";
    Forces.WorldForce worldForce;
    Forces.WorldTorque worldTorque;
    Forces.WorldForceAndTorque worldBoth;
    Forces.Force force;
    Forces.Torque torque;
    Forces.SpringDamperSeries maxwell(c = 10, d = 1, s_unstretched = 1, useHeatPort = true);
    Forces.Bushing bushing(c = {1, 1, 1}, d = {0.1, 0.1, 0.1}, c_angular = {1e-3, 1e-3, 1e-3});
    function hardening "A spring that gets stiffer"
      extends Forces.BushingForce;
      input Real c(unit = "N/m3") = 1;
    algorithm
      f := c*(r*r)*r;
    end hardening;
    Forces.FunctionBushing rubber(redeclare function force = hardening(c = 5));
    Parts.Body weight(m = 0.2, I_11 = 1e-3, I_22 = 1e-3, I_33 = 1e-3, r_0(start = {-1, 0, 0}));
    Forces.LineForceWithMass cord(m = 0.05);
    Translational.Components.SpringDamper yarn(c = 30, d = 0.1, s_rel0 = 1);
    Parts.Body load(m = 0.5, I_11 = 1e-3, I_22 = 1e-3, I_33 = 1e-3, r_0(start = {-2, 0, 0}));
    Forces.LineForceWithTwoMasses jack(m_a = 0.2, m_b = 0.1, L_a = 0.2, L_b = 0.2);
    Translational.Components.SpringDamper gas(c = 30, d = 2, s_rel0 = 2);
  equation
    connect(world.frame_b, rubber.frame_a);
    connect(rubber.frame_b, weight.frame_a);
    connect(hook.frame_b, cord.frame_a);
    connect(cord.frame_b, weight.frame_a);
    connect(cord.flange_a, yarn.flange_a);
    connect(cord.flange_b, yarn.flange_b);
    connect(hook.frame_b, jack.frame_a);
    connect(jack.frame_b, load.frame_a);
    connect(jack.flange_a, gas.flange_a);
    connect(jack.flange_b, gas.flange_b);
    connect(damper.heatPort, oil.port);
    connect(both.heatPort, oil.port);
    connect(maxwell.heatPort, oil.port);
    connect(hook.frame_b, maxwell.frame_a);
    connect(maxwell.frame_b, other.frame_a);
    connect(hook.frame_b, bushing.frame_a);
    connect(bushing.frame_b, other.frame_a);
    connect(hook.frame_b, spring.frame_a);
    connect(spring.frame_b, body.frame_a);
    connect(hook.frame_b, damper.frame_a);
    connect(damper.frame_b, body.frame_a);
    connect(body.frame_a, both.frame_a);
    connect(both.frame_b, other.frame_a);
    connect(worldForce.frame_b, body.frame_a);
    connect(worldTorque.frame_b, body.frame_a);
    connect(worldBoth.frame_b, other.frame_a);
    connect(force.frame_a, body.frame_a);
    connect(force.frame_b, other.frame_a);
    connect(torque.frame_a, body.frame_a);
    connect(torque.frame_b, other.frame_a);
    worldForce.force = {0.1*sin(time), 9.81, 0};
    worldTorque.torque = {0, 0, 1e-4};
    worldBoth.force = {0, 9.81, 0};
    worldBoth.torque = {1e-4, 0, 0};
    force.force = {0.01, 0, 0};
    torque.torque = {0, 1e-4, 0};
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end AllForces;

  model AllSensors "Every sensor, on the tip of a double pendulum (all are results)"
    inner World world(g = 9.81);
    Joints.Revolute first(phi(start = 1), useAxisFlange = false);
    Joints.Revolute second(phi(start = 0.5));
    Parts.FixedTranslation rod(r = {1, 0, 0});
    Parts.Body body1(m = 1, r_CM = {0.5, 0, 0}), body2(m = 1, r_CM = {0.5, 0, 0});
    Sensors.AbsolutePosition r(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteVelocity v(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteAcceleration a(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteAngles angles;
    Sensors.AbsoluteAngularVelocity w(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteAngularAcceleration z(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.RelativePosition r_rel;
    Sensors.RelativeVelocity v_rel;
    Sensors.RelativeAcceleration a_rel;
    Sensors.RelativeAngles angles_rel;
    Sensors.RelativeAngularVelocity w_rel;
    Sensors.RelativeAngularAcceleration z_rel;
    Sensors.Distance distance;
    Sensors.DistanceRate rate;
  equation
    connect(world.frame_b, first.frame_a);
    connect(first.frame_b, body1.frame_a);
    connect(first.frame_b, rod.frame_a);
    connect(rod.frame_b, second.frame_a);
    connect(second.frame_b, body2.frame_a);
    connect(body2.frame_a, r.frame_a);
    connect(body2.frame_a, v.frame_a);
    connect(body2.frame_a, a.frame_a);
    connect(body2.frame_a, angles.frame_a);
    connect(body2.frame_a, w.frame_a);
    connect(body2.frame_a, z.frame_a);
    connect(body1.frame_a, r_rel.frame_a);
    connect(body2.frame_a, r_rel.frame_b);
    connect(body1.frame_a, v_rel.frame_a);
    connect(body2.frame_a, v_rel.frame_b);
    connect(body1.frame_a, a_rel.frame_a);
    connect(body2.frame_a, a_rel.frame_b);
    connect(body1.frame_a, angles_rel.frame_a);
    connect(body2.frame_a, angles_rel.frame_b);
    connect(body1.frame_a, w_rel.frame_a);
    connect(body2.frame_a, w_rel.frame_b);
    connect(body1.frame_a, z_rel.frame_a);
    connect(body2.frame_a, z_rel.frame_b);
    connect(world.frame_b, distance.frame_a);
    connect(body2.frame_a, distance.frame_b);
    connect(world.frame_b, rate.frame_a);
    connect(body2.frame_a, rate.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end AllSensors;

  model Stages "Parts that are attached, released, locked, taken away and added at given times"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81}, contact = false);
    Parts.Body lower(m = 200, I_11 = 300, I_22 = 300, I_33 = 50);
    Parts.Body upper(m = 50, I_11 = 60, I_22 = 60, I_33 = 10, r_0(start = {0, 0, 8}));
    Parts.Solid probe(shape = Shapes.Sphere(diameter = 0.2), present = false);
    Joints.Revolute hinge(n = {0, 1, 0}, phi(start = 0.5));
    Parts.Body mast(m = 2, r_CM = {0, 0, 1}, I_11 = 0.7, I_22 = 0.7, I_33 = 0.01);
    Actions.Attach stack(at = 0, a = "lower", b = "upper");
    Actions.Release separate(at = 1, a = "lower", b = "upper");
    Actions.Remove burnt(at = 2, a = "lower");
    Actions.Add launched(at = 2, a = "probe", r = {0, 0, 20}, v = {1, 0, 0});
    Actions.Lock hold(at = 0.3, a = "hinge");
    Actions.Unlock letGo(at = 1.5, a = "hinge");
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, mast.frame_a);
    annotation(experiment(StopTime = 3));
  end Stages;

  model Catch "Parts that are attached, released and locked when a condition becomes true"
    import Rattleback.*;
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Parts.Body station(m = 3, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {1, -1, 0}), v_0(start = {-1, 0, 0}));
    Parts.Body probe(m = 1, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {-1, 1, 0}), v_0(start = {1, 0, 0}));
    Joints.Revolute hinge(n = {0, 0, 1}, w(start = 1));
    Parts.Body rotor(m = 1, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3);
    Sensors.RelativePosition sensor;
    Actions.AttachWhen dock(a = "station", b = "probe");
    Actions.ReleaseWhen leave(a = "station", b = "probe");
    Actions.LockWhen stop(a = "hinge");
    Actions.UnlockWhen start(a = "hinge");
  equation
    connect(sensor.frame_a, station.frame_a);
    connect(sensor.frame_b, probe.frame_a);
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rotor.frame_a);
    dock.trigger = sensor.r_rel[1] > 0;
    leave.trigger = time > 2;
    stop.trigger = time > 1;
    start.trigger = time > 2.5;
    annotation(experiment(StopTime = 3));
  end Catch;

  model WalkingArm "An arm of two links that walks, passes a ball on, and has its joint replaced"
    import Rattleback.*;
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Parts.Fixed left, right(r = {0.5, 0, 0});
    Parts.Body blue(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
    Parts.Body green(m = 1, r_CM = {0.1, 0, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
    Parts.Body ball(m = 0.5, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, r_0(start = {0.2, 0, 0}));
    Joints.Universal elbow(w_a(start = 1), w_b(start = 0.3));
    Actions.Attach stand(a = "blue", b = "left");
    Actions.Attach grip(at = 0.2, a = "blue", b = "ball");
    Actions.ReleaseAndAttach pass(at = 0.5, a = "ball", b = "green");
    Actions.FlipChain step(at = 1, a = "green", b = "right", c = "blue", enableContactDetection = false);
    Actions.Replace slide(at = 2, a = "elbow", joint = Actions.JointType.Prismatic, n = {0, 0, 1});
    Actions.FlipChainWhen stepBack(a = "blue", b = "left", c = "green");
    Actions.ReleaseAndAttachWhen passBack(a = "ball", b = "blue");
    Actions.ReplaceWhen turn(a = "elbow", joint = Actions.JointType.Spherical);
    Actions.RemoveWhen drop(a = "ball");
    Actions.Break tear(at = 2.8, a = "elbow");
    Actions.BreakWhen never(a = "elbow");
    Sensors.Presence there "of the ball";
  equation
    connect(ball.frame_a, there.frame_a);
    connect(blue.frame_a, elbow.frame_a);
    connect(elbow.frame_b, green.frame_a);
    stepBack.trigger = time > 1.5;
    passBack.trigger = time > 1.7;
    turn.trigger = time > 2.5;
    drop.trigger = time > 2.7;
    never.trigger = time > 4;
    annotation(experiment(StopTime = 3));
  end WalkingArm;

  model Spinner "A motor on a floating base turns a rotor, and the base turns back"
    import Rattleback.*;
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body base(m = 3, I_11 = 0.2, I_22 = 0.3, I_33 = 0.4);
    Parts.Rotor1D rotor(J = 0.05, phi(fixed = true), w(fixed = true));
    Parts.Mounting1D housing;
    Rotational.Components.IdealGear gear(ratio = 3, useSupport = true);
    Rotational.Sources.ConstantTorque motor(tau_constant = 0.5);
  equation
    connect(base.frame_a, rotor.frame_a);
    connect(base.frame_a, housing.frame_a);
    connect(motor.flange, gear.flange_a);
    connect(gear.flange_b, rotor.flange_a);
    connect(gear.support, housing.flange_b);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Spinner;

  model RoundTheCorner "A motor in the world turns a rotor across its shaft; the base is held, and feels both torques (plot held.torque)"
    import Rattleback.*;
    inner World world(gravityType = World.GravityType.NoGravity);
    Sensors.CutTorque held;
    Parts.Body base(m = 3);
    Parts.BevelGear1D gear(ratio = 2, n_a = {0, 0, 1}, n_b = {1, 0, 0});
    Parts.Rotor1D rotor(J = 0.05, phi(fixed = true), w(fixed = true));
    Rotational.Sources.ConstantTorque motor(tau_constant = 0.5);
  equation
    connect(world.frame_b, held.frame_a);
    connect(held.frame_b, base.frame_a);
    connect(base.frame_a, gear.frame_a);
    connect(base.frame_a, rotor.frame_a);
    connect(motor.flange, gear.flange_a);
    connect(gear.flange_b, rotor.flange_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end RoundTheCorner;

  model Gears "Two wheels that a gear couples in a carrier that is free, and a push between two bodies"
    import Rattleback.*;
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.GearConstraint wheels(ratio = -2, r_a = {0, 0.1, 0}, r_b = {0, -0.2, 0}, actuatedRevolute_b(phi(fixed = true), w(start = 3, fixed = true)));
    Parts.Body carrier(I_11 = 0.2, I_22 = 0.2, I_33 = 0.2), a(I_11 = 0.01, I_22 = 0.02, I_33 = 0.02), b(I_11 = 0.05, I_22 = 0.04, I_33 = 0.04);
    Forces.ForceAndTorque push;
    Parts.Body other(r_0(start = {1, 0, 0}));
  equation
    connect(carrier.frame_a, wheels.bearing);
    connect(wheels.frame_a, a.frame_a);
    connect(wheels.frame_b, b.frame_a);
    connect(carrier.frame_a, push.frame_a);
    connect(push.frame_b, other.frame_a);
    push.force = {0.1, 0, 0};
    push.torque = {0, 0, 0.01};
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Gears;

  model AsInTheStandardLibrary "Parts that stand for those of Modelica.Mechanics.MultiBody"
    import Rattleback.*;
    inner MultiBody.World world;
    MultiBody.Joints.RevolutePlanarLoopConstraint hinge(phi(start = 1));
    MultiBody.Parts.FixedRotation bend(r = {0.2, 0, 0}, angle = 30, n = {0, 0, 1});
    MultiBody.Parts.BodyBox box(r = {0.3, 0, 0});
    Joints.FreeMotion free(r_rel_a(start = {1, 0, 0}));
    MultiBody.Parts.Body flying(I_11 = 0.2, I_22 = 0.2, I_33 = 0.2);
    MultiBody.Joints.FreeMotionScalarInit thrown(use_r = true, use_v = true, r_rel_a_1(start = 2, fixed = true), v_rel_a_2(start = 3, fixed = true));
    MultiBody.Parts.Body stone;
    MultiBody.Joints.RevolutePlanarLoopConstraint shaft(n = {0, 0, 1}, w(start = 5));
    MultiBody.Parts.BodyBox crank(r = {0.1, 0, 0});
    MultiBody.Joints.Assemblies.JointRRP planar(n_a = {0, 0, 1}, rRod1_ia = {0.3, 0, 0}, n_b = {1, 0, 0}, rRod2_ib = {-0.05, 0, 0}, s_guess = 0.4);
    MultiBody.Joints.Assemblies.JointUSP spatial(n1_a = {0, 0, 1}, rRod1_ia = {0, 0.3, 0}, n_b = {0, 1, 0}, rRod2_ib = {0, -0.05, 0}, s_guess = 0.3);
    MultiBody.Joints.Assemblies.JointSSP balls(rod1Length = 0.4, n_b = {0, 0, 1}, rRod2_ib = {0, 0, -0.05}, s_guess = 0.4);
    MultiBody.Parts.Body piston[3](each m = 0.2);
    MultiBody.Visualizers.FixedShape a;
    MultiBody.Visualizers.FixedShape2 b;
    MultiBody.Visualizers.FixedFrame c;
    MultiBody.Visualizers.FixedArrow d;
    MultiBody.Parts.Rotor1D rotor(J = 0.1, phi(fixed = true), w(start = 5, fixed = true));
    MultiBody.Parts.Mounting1D mounting;
    MultiBody.Parts.BevelGear1D bevel(ratio = 2);
    Rotational.Components.SpringDamper brake(c = 10, d = 0.1);
    MultiBody.Sensors.AbsoluteSensor there(get_v = true, get_a = true, get_w = true, get_z = true, get_angles = true);
    MultiBody.Sensors.RelativeSensor apart(get_v_rel = true, get_a_rel = true, get_w_rel = true, get_z_rel = true, get_angles = true);
    MultiBody.Sensors.AbsolutePosition place;
    MultiBody.Sensors.AbsoluteVelocity speed;
    MultiBody.Sensors.AbsoluteAngularVelocity spin;
    MultiBody.Sensors.RelativeVelocity approach(resolveInFrame = Types.ResolveInFrame.frame_b);
  equation
    connect(flying.frame_a, rotor.frame_a);
    connect(flying.frame_a, mounting.frame_a);
    connect(mounting.flange_b, brake.flange_a);
    connect(brake.flange_b, bevel.flange_a);
    connect(bevel.flange_b, rotor.flange_a);
    connect(flying.frame_a, bevel.frame_a);
    connect(box.frame_b, there.frame_a);
    connect(box.frame_b, place.frame_a);
    connect(box.frame_b, speed.frame_a);
    connect(box.frame_b, spin.frame_a);
    connect(box.frame_b, apart.frame_a);
    connect(apart.frame_b, flying.frame_a);
    connect(box.frame_b, approach.frame_a);
    connect(approach.frame_b, flying.frame_a);
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, bend.frame_a);
    connect(bend.frame_b, box.frame_a);
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, flying.frame_a);
    connect(world.frame_b, thrown.frame_a);
    connect(thrown.frame_b, stone.frame_a);
    connect(world.frame_b, shaft.frame_a);
    connect(shaft.frame_b, crank.frame_a);
    connect(crank.frame_b, planar.frame_a);
    connect(crank.frame_b, spatial.frame_a);
    connect(crank.frame_b, balls.frame_a);
    connect(world.frame_b, planar.frame_b);
    connect(world.frame_b, spatial.frame_b);
    connect(world.frame_b, balls.frame_b);
    connect(planar.frame_ib, piston[1].frame_a);
    connect(spatial.frame_ib, piston[2].frame_a);
    connect(balls.frame_ib, piston[3].frame_a);
    connect(box.frame_b, a.frame_a);
    connect(box.frame_b, b.frame_a);
    connect(b.frame_b, c.frame_a);
    connect(box.frame_a, d.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end AsInTheStandardLibrary;

  model Scales "What a hinge carries, what flows through it, and how a ball hits a plate on an arm"
    import Rattleback.*;
    inner World world(g = 9.81);
    Joints.Revolute hinge(canCollide = true, d = 0.5);
    Sensors.CutForce force;
    Sensors.CutTorque torque;
    Sensors.CutForceAndTorque both;
    Sensors.Power power;
    Parts.Solid arm(shape = Shapes.Box(1, 0.05, 0.2), r_shape = {0.5, 0, 0});
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0.8, -0.2, 0});
    Sensors.Contact blow(a = "ball", b = "arm"), any(a = "arm");
  equation
    connect(world.frame_b, force.frame_a);
    connect(force.frame_b, torque.frame_a);
    connect(torque.frame_b, both.frame_a);
    connect(both.frame_b, power.frame_a);
    connect(power.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
  end Scales;

  model Shaker "A ball on a plate that is shaken by equations (plot ball.r_0[3])"
    import Rattleback.*;
    inner World world(g = 9.81, n = {0, 0, -1});
    Contact.Moved drive;
    Contact.CollisionBody plate(shape = Shapes.Box(0.5, 0.5, 0.05));
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Rubber", r = {0, 0, 0.1});
    Materials.Solid rubber(name = "Rubber", density = 1100, youngsModulus = 5e7, poissonsRatio = 0.48);
    Materials.Pair bounce(a = "ball", b = "plate", restitution = 0.8, slidingFriction = 0.9);
  equation
    drive.r = {0, 0, 0.005*sin(2*pi*10*time)};
    connect(drive.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Shaker;

  model ShakenTray "A ball on a tray that equations shake; its drive feels the mass of the tray and the blows of the ball (plot ball.r_0[1], tray.p.m)"
    inner World world(g = 9.81, n = {0, 0, -1});
    Contact.Moved drive;
    Contact.MeshBody tray(mesh = Solids.difference(Solids.Box({0.4, 0.4, 0.06}), Solids.translate(Solids.Box({0.36, 0.36, 0.06}), {0.02, 0.02, 0.02})), density = 1000,
      gravity = {0, 0, -9.81});
    Parts.Solid ball(shape = Shapes.Sphere(0.05), r = {0.2, 0.2, 0.05});
  equation
    drive.r = {0.02*sin(2*pi*time), 0, 0};
    connect(drive.frame_b, tray.frame_a);
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-6));
  end ShakenTray;

  model PickAndPlace "An arm follows a path, takes a ball and drops it: a program of actions"
    import Rattleback.*;
    inner World world(gravity = {0, -9.81, 0}, contact = false);
    Joints.Revolute shoulder(n = {0, 0, 1}, useAxisFlange = true);
    Parts.BodyShape arm(r = {1, 0, 0}, shape = Shapes.Capsule(0.05, 1), r_shape = {0.5, 0, 0});
    Parts.Body ball(m = 0.5, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, r_0(start = {1, 0, 0}));
    Parts.Fixed table(r = {1, 0, 0});
    Rotational.Sources.Position drive;
    Actions.ReferencePath path(q_start = {1}, v_max = {1}, a_max = {2});
    Actions.ModelActions actions;
  equation
    connect(world.frame_b, shoulder.frame_a);
    connect(shoulder.frame_b, arm.frame_a);
    connect(drive.flange, shoulder.axis);
    drive.phi_ref = path.q[1];
    when initial() then
      Actions.attach(actions, "ball", "table");
      Actions.ptpJointSpace(actions, "path", [0]);
      Actions.releaseAndAttach(actions, "ball", "arm.frame_b");
      Actions.ptpJointSpace(actions, "path", [1; 0.5]);
      Actions.wait(actions, 0.2);
      Actions.release(actions, "ball");
    end when;
    annotation(experiment(StopTime = 5));
  end PickAndPlace;

  model AllParts "Every part, on a wheel that turns (plot wheel.phi)"
    inner World world(g = 9.81);
    Joints.Revolute wheel(d = 0.1, c_stop = 100, d_stop = 0.1, phi_min = -2, phi_max = 2, w(start = 1));
    Parts.BodyBox box(r = {0.3, 0, 0}, density = 1000);
    Parts.BodyCylinder cylinder(r = {0, 0.3, 0}, density = 1000);
    Parts.BodyShape shape(r = {0, 0, 0.3}, shape = Shapes.Capsule(0.05, 0.2), r_shape = {0, 0, 0.15});
    Parts.PointMass point(m = 0.1);
    Parts.FixedRotation bracket(r = {-0.3, 0, 0}, angles = {0, 0, 1});
    Parts.Solid solid(shape = Shapes.Sphere(0.1));
    Parts.Visual axes(shape = Shapes.CoordinateSystem(0.3)), gear(shape = Shapes.GearWheel(0.1, 0.02)), spring(shape = Shapes.Spring(0.3)), label(shape = Shapes.Text(), text = "box");
    Parts.Visual grid(shape = Shapes.Grid());
    parameter String file = "" "Of a mesh (.stl, .obj), if there is one" annotation(Evaluate = true);
    Parts.Mesh mesh(fileName = file, collidable = false) if file <> "";
  equation
    connect(world.frame_b, grid.frame_a);
    connect(world.frame_b, wheel.frame_a);
    connect(wheel.frame_b, box.frame_a);
    connect(wheel.frame_b, cylinder.frame_a);
    connect(wheel.frame_b, shape.frame_a);
    connect(wheel.frame_b, bracket.frame_a);
    connect(cylinder.frame_b, point.frame_a);
    connect(bracket.frame_b, solid.frame_a);
    connect(wheel.frame_b, mesh.frame_a);
    connect(wheel.frame_b, axes.frame_a);
    connect(shape.frame_b, gear.frame_a);
    connect(box.frame_a, spring.frame_a);
    connect(box.frame_b, label.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end AllParts;

  model Drawn "Equations that can be seen: a ball on a spring, the force as an arrow, a sheet that waves (rattleback view)"
    Real z(start = 0.3, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s"), f(unit = "N");
    parameter Real c(unit = "N/m") = 40 "Of the spring", m(unit = "kg") = 1;
    Visualizers.Shape ball(shapeType = "sphere", length = 0.2, r = {-0.1, 0, z}, color = {200, 30, 30});
    Visualizers.Shape spring(shapeType = "spring", r = {0, 0, z}, lengthDirection = {0, 0, 1}, widthDirection = {1, 0, 0}, length = 1.5 - z, width = 0.15, height = 0.01, extra = 8);
    Visualizers.Vector force(r = {0.2, 0, z}, coordinates = {0, 0, 0.02*f});
    Visualizers.Mesh sheet(r = {0, 0, -0.7}, triangles = [1, 2, 3; 1, 3, 4], color = {40, 90, 200},
      vertices = [-0.5, -0.5, 0.1*sin(3*time); 0.5, -0.5, 0.1*sin(3*time + 1); 0.5, 0.5, 0.1*sin(3*time + 2); -0.5, 0.5, 0.1*sin(3*time + 1)]);
  equation
    der(z) = v;
    m*der(v) = f;
    f = -c*z;
    annotation(experiment(StopTime = 3));
  end Drawn;
  model Ripples "Surfaces that functions compute: water behind a thrown stone, and a rim around it (rattleback view)"
    function ripple "Rings that run outwards and fade, coloured by their height"
      extends Visualizers.SurfaceFunction;
      input Real t "Age of the rings [s]";
    protected
      Real r "Distance from the middle";
    algorithm
      for i in 1:nu loop
        for j in 1:nv loop
          X[i, j] := -1 + 2*(i - 1)/(nu - 1);
          Y[i, j] := -1 + 2*(j - 1)/(nv - 1);
          r := sqrt(X[i, j]^2 + Y[i, j]^2);
          Z[i, j] := 0.1*cos(8*r - 5*t)/(1 + 3*r);
          C[i, j, :] := {40 + 600*abs(Z[i, j]), 110 + 500*Z[i, j], 200};
        end for;
      end for;
    end ripple;
    function ring "A cylinder without ends"
      extends Visualizers.SurfaceFunction(final multiColoredSurface = false, final C = zeros(0, 0, 3));
      input Real R = 1 "Radius [m]", h = 0.1 "Height [m]";
    protected
      Real angle;
    algorithm
      for i in 1:nu loop
        angle := 2*acos(-1)*(i - 1)/(nu - 1);
        X[i, :] := fill(R*cos(angle), nv);
        Y[i, :] := fill(R*sin(angle), nv);
        Z[i, :] := linspace(-h/2, h/2, nv);
      end for;
    end ring;
    Real phase(start = 0, fixed = true, unit = "s") "Age of the rings";
    Visualizers.Surface water(redeclare function surfaceCharacteristic = ripple(t = phase), nu = 31, nv = 31, multiColoredSurface = true);
    Visualizers.Surface rim(redeclare function surfaceCharacteristic = ring(R = 1.5, h = 0.3), nu = 49, nv = 2, color = {120, 120, 120}, transparency = 0.8);
  equation
    der(phase) = 1;
    annotation(experiment(StopTime = 3));
  end Ripples;
  model TunnelThroughAPlanet "A shuttle falls through a planet, to the other side and back (plot shuttle.r_0[1]): R cos(sqrt(g/R) t)"
    function planet "Gravity inside and outside of a ball of one density"
      extends Interfaces.partialGravityAcceleration;
      input Units.Length R = 6.371e6 "Radius";
      input Units.Acceleration g = 9.82 "At the surface";
    protected
      Units.Length distance = sqrt(r*r);
    algorithm
      gravity := if distance < R then -g/R*r else -g*R^2/distance^3*r;
    end planet;
    parameter Units.Length R = 6.371e6;
    inner World world(redeclare function gravityAcceleration = planet(R = R));
    Parts.Body shuttle(m = 1000, I_11 = 500, I_22 = 500, I_33 = 500, r_0(start = {R, 0, 0}));
    annotation(experiment(StopTime = 5060, Tolerance = 1e-8));
  end TunnelThroughAPlanet;

  model SpringyFloor "A ball on a floor whose force is a function: the same depth for twice the weight is twice the force (plot ball[1].r_0[2], ball[2].r_0[2])"
    function linear "A spring with damping that vanishes at the start of a contact"
      extends Materials.NormalForce;
      input Units.TranslationalSpringConstant c = 1e4;
      input Real d(unit = "s/m") = 0.5;
    algorithm
      f := c*depth*(1 + d*rate);
    end linear;
    inner World world(g = 9.81);
    Parts.Solid floor(shape = Shapes.Box(2, 0.1, 2), r = {0, -0.05, 0}, fixed = true);
    Parts.Solid ball[2](each shape = Shapes.Sphere(0.1), mass = {1, 2}, r = {{-0.5, 0.2, 0}, {0.5, 0.2, 0}});
    Materials.FunctionPair law(a = "Steel", b = "Steel", slidingFriction = 0.5, redeclare function normalForce = linear(c = 2e4));
    annotation(experiment(StopTime = 1, Tolerance = 1e-7));
  end SpringyFloor;

  model Grains "Beads in a box, and others that rain onto a seesaw"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid seesaw(shape = Shapes.Box(0.2, 0.06, 0.01));
    Parts.Fixed bearing(r = {0, 0, 0.04});
    Joints.Revolute hinge(n = {0, 1, 0}, canCollide = true);
    Particles.Rain beads(n = 20, rate = 300, spread = 0.2, low = {0.02, -0.03, 0.06}, high = {0.1, 0.03, 0.12}, mu_r = 0.02);
    Particles.Grid row(n = 10, low = {-0.1, 0.1, 0}, high = {0.1, 0.11, 0.02});
    Particles.Random loose(n = 30, spread = 0.3, seed = 7, low = {-0.3, -0.1, 0}, high = {-0.2, 0.1, 0.1}, v = {0.5, 0, 0});
    Particles.Random stones(n = 10, low = {0.2, -0.1, 0}, high = {0.3, 0.1, 0.1}, clump = Particles.Clump(spheres = [0, 0, 0, 0.005; 0.005, 0.001, 0, 0.004; 0.001, 0.005, 0, 0.004]));
    Particles.Grid dice(n = 4, low = {0.2, 0.15, 0}, high = {0.24, 0.19, 0.02}, polyhedron = Particles.Polyhedron(box = {0.01, 0.01, 0.01}));
    parameter String file = "" "More particles: rows of x, y, z, radius";
    Particles.File more(fileName = file) if file <> "";
    Particles.Medium air;
    Particles.BoxSensor above(low = {-0.1, -0.03, 0.04}, high = {0.1, 0.03, 0.2});
    Particles.FlowSensor gate(r = {0, 0, 0.05});
    Particles.PartSensor scale(part = "ground");
    Particles.Belt belt(part = "ground", v_surface = {0.1, 0, 0}, startTime = 0.05);
    Particles.Sink beside(low = {-0.4, -0.6, -0.1}, high = {0.4, -0.4, 0.3});
  equation
    connect(bearing.frame_b, hinge.frame_a);
    connect(hinge.frame_b, seesaw.frame_a);
    annotation(experiment(StopTime = 0.1));
  end Grains;

  model Chute "Beads flow down a rough slope that has no end: gravity is inclined, and they come in again where they leave (plot gate.massFlow, slope.stress[5])"
    parameter Real angle(unit = "deg") = 28 "Of the slope";
    inner World world(g = 9.81, n = {sin(angle*Rattleback.pi/180), 0, -cos(angle*Rattleback.pi/180)});
    Parts.Solid ground(shape = Shapes.Box(0.3, 0.3, 0.02), r = {0.04, 0.04, -0.01}, fixed = true);
    Parts.Solid bump[4, 4](each shape = Shapes.Sphere(0.012), r = {{{0.02*i - 0.01, 0.02*j - 0.01, 0} for j in 1:4} for i in 1:4}, each fixed = true);
    Particles.Periodic cell(low = {0, 0, 0}, high = {0.08, 0.08, 1});
    Particles.Random beads(n = 300, low = {0, 0, 0.01}, high = {0.08, 0.08, 0.12}, spread = 0.1, E = 1e6);
    Particles.FlowSensor gate(r = {0.04, 0, 0}, n = {1, 0, 0});
    Particles.BoxSensor slope(low = {0, 0, 0.01}, high = {0.08, 0.08, 0.03});
    annotation(experiment(StopTime = 0.2));
  end Chute;

  model SoftLanding "A ball of rubber, a block of gel that gets softer, and a rigid box that hangs on a strap"
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.Solid ground(shape = Shapes.Box(0.6, 0.04, 0.3), r = {0, -0.02, 0}, fixed = true);
    Parts.SoftBody gel(shape = Shapes.Box(0.06, 0.04, 0.06), gridSize = 0.02, r_start = {0, 0.05, 0}, E = 5e4, zeta = 0.5);
    Parts.SoftBody ball(shape = Shapes.Sphere(0.06), gridSize = 0.015, moleculeRadius = 0.006, r_start = {-0.15, 0.08, 0}, E = 1e5, nu = 0.45,
      law = Types.SoftLaw.neoHookean, color = {200, 60, 60});
    Parts.Fixed hook(r = {0.15, 0.2, 0});
    Parts.SoftBody strap(shape = Shapes.Box(0.02, 0.08, 0.02), gridSize = 0.01, moleculeRadius = 0.004, face_a = Types.Face.y_high, r_start = {0, -0.04, 0},
      face_b = Types.Face.y_low, E = 2e5, zeta = 0.5, color = {90, 160, 60});
    Parts.Solid load(shape = Shapes.Box(0.04, 0.04, 0.04), mass = 0.02, r = {0.15, 0.1, 0});
    Parts.FixedTranslation top(r = {0, 0.02, 0});
    Actions.ChangeMaterial soften(at = 0.3, a = "gel", E = 2e4);
  equation
    connect(hook.frame_b, strap.frame_a);
    connect(load.frame_a, top.frame_a);
    connect(top.frame_b, strap.frame_b);
    annotation(experiment(StopTime = 0.5));
  end SoftLanding;

  model SoftSurgery "A piece is thrown against a strap and glued to it; then the strap is cut, and both fall"
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.Solid ground(shape = Shapes.Box(0.4, 0.04, 0.3), r = {0, -0.32, 0}, fixed = true);
    Parts.SoftBody strap(shape = Shapes.Box(0.06, 0.1, 0.06), gridSize = 0.02, face_a = Types.Face.y_high, r_start = {0, -0.05, 0}, E = 2e5, zeta = 0.5);
    Parts.SoftBody piece(shape = Shapes.Box(0.06, 0.04, 0.06), gridSize = 0.02, r_start = {0, -0.155, 0}, v_start = {0, 0.6, 0}, E = 1e5, zeta = 0.5,
      color = {200, 60, 60});
    Actions.Glue glue(at = 0.02, a = "piece", b = "strap");
    Actions.Cut cut(at = 0.25, a = "strap", r = {0, -0.03, 0}, n = {0, 1, 0});
  equation
    connect(world.frame_b, strap.frame_a);
    annotation(experiment(StopTime = 0.6));
  end SoftSurgery;

  model AllSolids "Every way to make a solid, on a shelf; a ball falls on a gear wheel (plot ball.r_0[3])"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    parameter Integer teeth = 12 "Of the gear wheel";
    parameter Solids.TriangleMesh cube = Solids.TriangleMesh(vertices = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}},
      triangles = {{1, 4, 2}, {1, 3, 4}, {1, 5, 7}, {1, 7, 3}, {5, 8, 7}, {5, 6, 8}, {2, 4, 8}, {2, 8, 6}, {4, 3, 8}, {3, 7, 8}, {1, 6, 5}, {1, 2, 6}});
    parameter Solids.Polygon bow = Solids.join(Solids.Arc(0.2, 0, 3), Solids.Arc(0.1, 3, 0));
    parameter Solids.Polygon rack = Solids.join(Solids.alongLine(Solids.Polygon({{0, 0}, {0.02, 0.05}, {0.04, 0}}), 5, {0.05, 0}), Solids.Polygon({{0.24, -0.05}, {0, -0.05}}));
    Parts.Workpiece gear(mesh = Solids.GearWheel(0.05, teeth, 0.1), fixed = true);
    Parts.Workpiece stand(mesh = Solids.scale(cube, {0.3, 0.2, 0.1}) + Solids.translate(Solids.Cone(0.1, 0.05, 0.1), {0.15, 0.1, 0.1}), r = {1, 0, 0}, fixed = true);
    Parts.Workpiece lens(mesh = Solids.intersection(Solids.Sphere(0.2), Solids.translate(Solids.Sphere(0.2), {0, 0, 0.2})), r = {2, 0, 0}, fixed = true);
    Parts.Workpiece vase(mesh = Solids.lathe(Solids.Polygon({{0.1, 0}, {0.15, 0.2}, {0.13, 0.2}, {0.08, 0.02}, {0, 0.02}, {0, 0}}), 24), r = {3, 0, 0}, fixed = true);
    Parts.Workpiece hook(mesh = Solids.sweep(Solids.Circle(0.02, segments = 12), {{0.2*cos(0.3*i), 0.2*sin(0.3*i), 0.02*i} for i in 0:10}), r = {4, 0, 0}, fixed = true);
    Parts.Workpiece bracket(mesh = Solids.extrude(Solids.mapPolygon(bow, {{0, -1}, {1, 0}}, {0.1, 0}), 0.05), r = {5, 0, 0}, fixed = true);
    Parts.Workpiece plate(mesh = Solids.refine(Solids.extrude(Solids.withHole(Solids.Circle(0.3), Solids.Circle(0.1, {0.1, 0})), 0.02), 0.2), r = {6, 0, 0}, fixed = true);
    Parts.Workpiece ring(mesh = Solids.Torus(0.2, 0.05, 24), r = {7, 0, 0}, fixed = true);
    Parts.Workpiece wheels(mesh = Solids.union(Solids.GenevaWheel(nSlots = 4), Solids.translate(Solids.GenevaDrive(nSlots = 4), {3, 0, 0})), r = {9, 0, 0}, fixed = true);
    Parts.Workpiece row(mesh = Solids.extrude(rack, 0.1), r = {12, 0, 0}, fixed = true);
    parameter String file = "" "Of a closed surface (.stl, .obj, .ply, .dxf), if there is one" annotation(Evaluate = true);
    Parts.Workpiece part(mesh = Solids.File(file), r = {13, 0, 0}, fixed = true) if file <> "";
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0.1, 0, 0.2});
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-6));
  end AllSolids;

  model GenevaMechanism "A drive with a pin turns a wheel with slots, step by step (plot driven.phi)"
    import Rattleback.*;
    parameter Integer nSlots(min = 3) = 6;
    final parameter Units.Length distance = 1/cos(pi/nSlots);
    inner World world(gravityType = World.GravityType.NoGravity);
    Materials.Solid polymer(name = "Polymer", density = 1000, youngsModulus = 2e8);
    Materials.Pair dry(a = "Polymer", b = "Polymer", restitution = 0.3, slidingFriction = 0.05);
    Parts.Fixed bearing(r = {distance, 0, 0});
    Joints.Revolute driven(n = {0, 1, 0}, d = 2);
    Joints.Revolute crank(n = {0, 1, 0}, useAxisFlange = true);
    Parts.Workpiece wheel(mesh = Solids.GenevaWheel(nSlots = nSlots), material = "Polymer");
    Parts.Workpiece drive(mesh = Solids.GenevaDrive(nSlots = nSlots), material = "Polymer");
    Rotational.Components.Damper grip(d = 2e4);
    Rotational.Sources.Speed motor;
    Blocks.Sources.Constant speed(k = pi);
  equation
    connect(world.frame_b, driven.frame_a);
    connect(driven.frame_b, wheel.frame_a);
    connect(bearing.frame_b, crank.frame_a);
    connect(crank.frame_b, drive.frame_a);
    connect(speed.y, motor.w_ref);
    connect(motor.flange, grip.flange_a);
    connect(grip.flange_b, crank.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-5));
  end GenevaMechanism;

  model SurfaceLaws "A block on a soft table, one on a layer of rubber, a ball in a trough of convex pieces, a turntable (plot brick[1].r_0[3], ball.r_0[2])"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Materials.SurfacePair soft(a = "table", b = "brick[1]", form = Types.VolumeForm.potential, modulus = 1e7, length = 0.05, restitution = 0, slidingFriction = 0.4);
    Materials.LayerPair rubber(a = "table", b = "brick[2]", youngsModulus = {1e6, 0}, depth = {0.01, 0}, base = Types.Base.b, compressionDamping = 1e6, slidingFriction = 0.4);
    Parts.Workpiece table(mesh = Solids.Box({1, 1, 0.1}), r = {-0.5, -0.5, -0.1}, fixed = true);
    Parts.Workpiece brick[2](each mesh = Solids.Box({0.1, 0.1, 0.1}), r = {{-0.3, 0, 0}, {0.2, 0, 0}});
    Parts.Pieces trough(pieces = {Solids.Hull({{0, 0, 0}, {0.5, 0, 0}, {0, s*0.1, 0.05}, {0.5, s*0.1, 0.05}, {0, s*0.1, 0}, {0.5, s*0.1, 0}}) for s in {-1, 1}}, r = {0, 1, 0}, fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.05), r = {0.25, 1.02, 0.06});
    Parts.Fixed bearing(r = {0, -1, 0});
    Joints.Revolute axle(useAxisFlange = true);
    Parts.CollisionBody cover(shape = Shapes.Sphere(0.1), r_shape = {0, 0, -0.2});
    Parts.BodyWorkpiece turntable(mesh = Solids.Cylinder(0.2, 0.02, 24), m = 2, I_11 = 0.025, I_22 = 0.025, I_33 = 0.05);
    Rotational.Sources.ConstantSpeed motor(w_fixed = 3.5);
  equation
    connect(bearing.frame_b, axle.frame_a);
    connect(axle.frame_b, turntable.frame_a);
    connect(motor.flange, axle.axis);
    connect(cover.frame_a, bearing.frame_b);
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-6));
  end SurfaceLaws;

  model GearPair "Two involute gears as solids: the wheel turns at the ratio of the teeth (plot wheel.w, pinion.w)"
    import Rattleback.*;
    parameter Integer z1 = 12, z2 = 18 "Teeth";
    parameter Units.Length m = 0.01 "Module";
    inner World world(gravityType = World.GravityType.NoGravity);
    Materials.Solid polymer(name = "Polymer", density = 1000, youngsModulus = 1e8);
    Materials.Pair dry(a = "Polymer", b = "Polymer", restitution = 0.3);
    Parts.Fixed bearing(r = {m*(z1 + z2)/2 + 0.002*m*z1, 0, 0});
    Joints.Revolute pinion(n = {0, 0, 1}, w(start = 5));
    Joints.Revolute wheel(n = {0, 0, 1}, d = 1e-3, phi(start = pi + pi/z2));
    Parts.Workpiece one(mesh = Solids.GearWheel(m, z1, 0.02, points = 4), material = "Polymer");
    Parts.Workpiece two(mesh = Solids.translate(Solids.GearWheel(m, z2, 0.015, points = 4), {0, 0, 0.0025}), material = "Polymer");
    Forces.WorldTorque push;
  equation
    connect(world.frame_b, pinion.frame_a);
    connect(pinion.frame_b, one.frame_a);
    connect(bearing.frame_b, wheel.frame_a);
    connect(wheel.frame_b, two.frame_a);
    connect(push.frame_b, one.frame_a);
    push.torque = {0, 0, 0.05};
    annotation(experiment(StopTime = 0.05, Tolerance = 1e-6));
  end GearPair;

  model TracedLever "The pallet lever of a watch that lies on its side, traced in the icon of this model: it falls until its fork meets a pin (plot staff.phi)"
    import Rattleback.*;
    parameter Units.Length unit = 1e-4 "Of the icon";
    parameter Units.Length height = 5e-4 "Of the lever";
    inner World world(gravity = {-9.81, 0, 0});
    Joints.Revolute staff(n = {0, 0, 1}, canCollide = true);
    Parts.Workpiece lever(mesh = Solids.extrude(Solids.IconPolygon(scale = unit), height));
    Parts.Workpiece pin(mesh = Solids.translate(Solids.Cylinder(4*unit, 2*height, 192), {0, 70*unit, -height/2}), fixed = true);
  equation
    connect(world.frame_b, staff.frame_a);
    connect(staff.frame_b, lever.frame_a);
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-6),
      Icon(graphics = {Polygon(points = {{-14, 80}, {-6, 80}, {-6, 55}, {6, 55}, {6, 80}, {14, 80}, {14, 50}, {5, 45}, {5, 10}, {60, 10}, {66, -30}, {58, -34}, {50, -4}, {-50, -4}, {-58, -34}, {-66, -30}, {-60, 10}, {-5, 10}, {-5, 45}, {-14, 50}, {-14, 80}},
        fillPattern = FillPattern.Solid)}));
  end TracedLever;

  model BallThroughPipe "A ball rolls through a pipe that is bent (plot ball.r_0[1], ball.r_0[3])"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    parameter Units.Length radius = 0.06 "Of the pipe, inside";
    Parts.Workpiece pipe(mesh = Solids.sweep(Solids.withHole(Solids.Circle(radius + 0.01, segments = 24), Solids.Circle(radius, segments = 24)),
      {{0.6*sin(0.1*i), 0, 0.6*(1 - cos(0.1*i))} for i in -9:9}), material = "DryWood", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.08), material = "DryWood", r = {0.58*sin(-0.7), 0, 0.6 - 0.58*cos(0.7)});
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
  end BallThroughPipe;

  model Rods "A crank that moves a slider by a rod with a mass, and a ball that hangs on another rod (plot crank.phi, slide.s, rod.f_rod, string.f_rod)"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Joints.Revolute crank(n = {0, 1, 0}, w(start = 8, fixed = true), phi(fixed = true));
    Parts.Body disc(m = 3, r_CM = {0, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.05);
    Parts.FixedTranslation pin(r = {0.2, 0, 0});
    Joints.UniversalSpherical rod(n1_a = {0, 1, 0}, rRod_ia = {0.5, 0, 0});
    Parts.Body shaft(m = 0.4, r_CM = {0.25, 0, 0}, I_11 = 1e-4, I_22 = 0.01, I_33 = 0.01);
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.7));
    Parts.Body slider(m = 1);
    Joints.SphericalSpherical string(computeRodLength = true) "As long as from the slider to where the ball starts";
    Parts.Body ball(m = 0.5, r_0(start = {0.7, 0, -0.4}));
    Joints.SphericalSpherical bar(rodLength = 0.3, m = 0.2) "With a mass of its own";
    Parts.Body bob(m = 0.5, r_0(start = {-0.2, 0, -0.3}));
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, disc.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_ia, shaft.frame_a);
    connect(rod.frame_b, slider.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    connect(slider.frame_a, string.frame_a);
    connect(string.frame_b, ball.frame_a);
    connect(world.frame_b, bar.frame_a);
    connect(bar.frame_b, bob.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Rods;

  model Constrained "Bodies that are thrown, and held by constraints: a plate on a plane, one on an axis, one on a point, one on two axes (plot each body's r_0)"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Parts.Fixed there(r = {1, 0, 0}), yonder(r = {2, 0, 0}), far(r = {3, 0, 0});
    Parts.Body sliding(m = 1, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, v_0(start = {1, 0.5, 0}));
    Joints.Constraints.Prismatic plane(x_locked = false, y_locked = false) "Only z is locked, and all angles";
    Parts.Body turning(m = 1, r_CM = {0.2, 0, 0}, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, r_0(start = {1, 0, 0}), w_0_start = {0, 1, 0});
    Joints.Constraints.Revolute axis(n = {0, 1, 0});
    Parts.Body swinging(m = 1, r_CM = {0.2, 0, 0}, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, r_0(start = {2, 0, 0}), w_0_start = {0, 0, 2});
    Joints.Constraints.Spherical point;
    Parts.Body leaning(m = 1, r_CM = {0.2, 0, 0.1}, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01, r_0(start = {3, 0, 0}));
    Joints.Constraints.Universal cross(n_a = {1, 0, 0}, n_b = {0, 1, 0});
  equation
    connect(world.frame_b, plane.frame_a);
    connect(plane.frame_b, sliding.frame_a);
    connect(there.frame_b, axis.frame_a);
    connect(axis.frame_b, turning.frame_a);
    connect(yonder.frame_b, point.frame_a);
    connect(point.frame_b, swinging.frame_a);
    connect(far.frame_b, cross.frame_a);
    connect(cross.frame_b, leaning.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Constrained;

  model Wheels "A wheel that is thrown, and a driven pair of wheels that pulls a cart (plot wheel.x, wheel.y, pair.x, pair.y)"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, der_angles(start = {0.2, 8, 0.1}));
    Parts.RollingWheelSet pair(R_wheel = 0.1, m_wheel = 0.5, I_wheelAxis = 0.0025, I_wheelLong = 0.00125, track = 0.4, y(start = 1));
    Parts.Body cart(m = 3, r_CM = {0.1, 0, 0}, I_11 = 0.05, I_22 = 0.05, I_33 = 0.1);
    Rotational.Sources.ConstantTorque left(tau_constant = 0.3), right(tau_constant = 0.2);
  equation
    connect(pair.frameMiddle, cart.frame_a);
    connect(left.flange, pair.axis1);
    connect(right.flange, pair.axis2);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Wheels;

  model SpinningBeam "A flexible beam on a hub is brought to 6 rad/s in 15 s: it bends back, stiffens and swings about its new shape (plot tip.r_rel[2])"
    parameter Real w(unit = "rad/s") = 6 "Speed that is reached";
    parameter Real T(unit = "s") = 15 "Time until then";
    constant Real pi = Rattleback.pi;
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hub(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FlexibleBeam beam(length = 10, width = 0.07746, height = 0.005164, density = 3000, E = 7e10, nu = 0);
    Rotational.Sources.Position drive;
    Sensors.RelativePosition tip "Of the tip in the axes of the hub";
  equation
    drive.phi_ref = if time < T then w/T*(time^2/2 + (T/(2*pi))^2*(cos(2*pi*time/T) - 1)) else w*(time - T/2);
    connect(drive.flange, hub.axis);
    connect(world.frame_b, hub.frame_a);
    connect(hub.frame_b, beam.frame_a);
    connect(hub.frame_b, tip.frame_a);
    connect(beam.frame_b, tip.frame_b);
    annotation(experiment(StopTime = 20));
  end SpinningBeam;

  model FlexibleSliderCrank "The connecting rod of a crank bends, 300 turns in a minute (plot rod.maxStress)"
    parameter Units.Length L = 0.4 "From eye to eye";
    constant Real pi = Rattleback.pi;
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute crank(n = {0, 0, 1}, useAxisFlange = true);
    Parts.BodyShape arm(r = {0.1, 0, 0}, m = 0.5, shape = Shapes.Beam(0.1, 0.04, 0.01, axis = 1), r_shape = {0.05, 0, -0.02});
    Joints.Revolute pin(n = {0, 0, 1}, w(start = -39));
    Parts.FlexiblePlate rod(polygon = Solids.withHole(Solids.withHole(Solids.join(Solids.Arc(0.022, 0.37, 2*pi - 0.37), Solids.Arc(0.022, pi + 0.37, 3*pi - 0.37, {L, 0})),
        Solids.Circle(0.012, segments = 24)), Solids.Circle(0.012, {L, 0}, segments = 24)), thickness = 0.01, material = "Aluminium", modes = 8, beta = 2e-5,
      interfaces = {Parts.Interface(where = Types.InterfaceKind.cylinder, r = {0, 0, 0.005}, n = {0, 0, 1}, radius = 0.012),
        Parts.Interface(where = Types.InterfaceKind.cylinder, r = {L, 0, 0.005}, n = {0, 0, 1}, radius = 0.012)}) "Its frames stand in the bores";
    Joints.Revolute wrist(n = {0, 0, 1});
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.5));
    Parts.BodyShape slider(m = 0.5, shape = Shapes.Box(0.08, 0.06, 0.04));
    Rotational.Sources.Position drive;
  equation
    drive.phi_ref = 10*pi*time;
    connect(drive.flange, crank.axis);
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, arm.frame_a);
    connect(arm.frame_b, pin.frame_a);
    connect(pin.frame_b, rod.frames[1]);
    connect(rod.frames[2], wrist.frame_a);
    connect(wrist.frame_b, slider.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    annotation(experiment(StopTime = 0.4, Interval = 0.001));
  end FlexibleSliderCrank;

  model LeafGripper "Two steel leaves bend, grip a ball and lift it (plot leaf[1].maxStress)"
    inner World world;
    Parts.Solid ground(shape = Shapes.Box(0.3, 0.02, 0.3), fixed = true, r = {0, -0.01, 0});
    Parts.Solid ball(shape = Shapes.Sphere(0.04), r = {0, 0.02, 0});
    Joints.Prismatic lift(n = {0, 1, 0}, useAxisFlange = true);
    Parts.BodyShape carriage(r = {0, 0.12, 0}, m = 0.5, shape = Shapes.Box(0.08, 0.01, 0.03), r_shape = {0, 0.125, 0});
    Parts.FixedTranslation left(r = {-0.03, 0, 0}), right(r = {0.03, 0, 0});
    Parts.FlexibleBody leaf[2](each shape = Shapes.Box(0.0008, 0.1, 0.02), each modes = 4, each beta = 1e-4,
      each interfaces = {Parts.Interface(r = {0, 0.05, 0}, n = {0, 1, 0}), Parts.Interface(r = {0, -0.05, 0}, n = {0, 1, 0})});
    Parts.Solid pad[2](each shape = Shapes.Box(0.006, 0.02, 0.02), each material = "Aluminium", r_shape = {{0.002, 0, 0}, {-0.002, 0, 0}}) "They touch for the leaves";
    Forces.WorldForce squeeze[2];
    Translational.Sources.Position drive;
    Real grip(unit = "N") = 15*max(0, min(1, (time - 0.05)/0.2)) "On each leaf";
  equation
    drive.s_ref = 0.05*(if time < 0.3 then 0 elseif time < 0.8 then (1 - cos(2*Rattleback.pi*(time - 0.3)))/2 else 1);
    connect(world.frame_b, lift.frame_a);
    connect(drive.flange, lift.axis);
    connect(lift.frame_b, carriage.frame_a);
    connect(carriage.frame_b, left.frame_a);
    connect(carriage.frame_b, right.frame_a);
    connect(left.frame_b, leaf[1].frames[1]);
    connect(right.frame_b, leaf[2].frames[1]);
    for k in 1:2 loop
      connect(leaf[k].frames[2], pad[k].frame_a);
      connect(squeeze[k].frame_b, leaf[k].frames[2]);
    end for;
    squeeze[1].force = {grip, 0, 0};
    squeeze[2].force = {-grip, 0, 0};
    annotation(experiment(StopTime = 1, Interval = 0.004));
  end LeafGripper;

  model BellCrank "A lever with two arms is loaded and rests on its other arm: stresses at the inner corner (plot lever.maxStress)"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hinge(n = {0, 0, 1});
    Parts.FlexiblePlate lever(polygon = Solids.withHole(Solids.Polygon({{-0.01, -0.01}, {0.08, -0.005}, {0.08, 0.005}, {0.01, 0.01}, {0.006, 0.06}, {-0.006, 0.06}}), Solids.Circle(0.005, segments = 24)),
      thickness = 0.004, beta = 1e-5, modes = 6, deformationScale = 10,
      interfaces = {Parts.Interface(where = Types.InterfaceKind.cylinder, r = {0, 0, 0.002}, n = {0, 0, 1}, radius = 0.005), Parts.Interface(r = {0.08, 0, 0}), Parts.Interface(r = {0, 0.06, 0}, n = {0, 1, 0})});
    Parts.FixedTranslation stop(r = {-0.02, 0.06, 0.002});
    Forces.Spring support(c = 1e6, s_unstretched = 0.02) "Of the stop";
    Forces.WorldForce push;
  equation
    push.force = {0, -200*sin(10*Rattleback.pi*time)^2, 0};
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, lever.frames[1]);
    connect(push.frame_b, lever.frames[2]);
    connect(world.frame_b, stop.frame_a);
    connect(stop.frame_b, support.frame_a);
    connect(support.frame_b, lever.frames[3]);
    annotation(experiment(StopTime = 0.2, Interval = 0.001));
  end BellCrank;

  model FlexibleRobot "The upper arm of a robot is a thin tube that bends as it swings a load (plot deviation)"
    parameter Units.Length L = 0.5 "Of the tube";
    constant Real pi = Rattleback.pi;
    inner World world;
    Joints.Revolute shoulder(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FlexibleWorkpiece arm(mesh = Solids.translate(Solids.Box({L, 0.06, 0.06}), {0, -0.03, -0.03}) - Solids.translate(Solids.Box({2*L, 0.05, 0.05}), {-L/2, -0.025, -0.025}),
      gridSize = {0.05, 0.005, 0.005}, material = "Aluminium", modes = 6, beta = 2e-4, deformationScale = 10,
      interfaces = {Parts.Interface(), Parts.Interface(r = {L, 0, 0})});
    Joints.Revolute elbow(n = {0, 0, 1}, useAxisFlange = true);
    Parts.BodyShape forearm(r = {0.4, 0, 0}, r_CM = {0.2, 0, 0}, m = 2, I_22 = 0.03, I_33 = 0.03, shape = Shapes.Cylinder(0.05, 0.4, axis = 1), r_shape = {0.2, 0, 0});
    Parts.BodyShape load(m = 10, shape = Shapes.Sphere(0.1), r_CM = zeros(3));
    Rotational.Sources.Position drive[2];
    Sensors.RelativePosition tip "Of the elbow as the shoulder sees it";
    Real deviation(unit = "m") = tip.r_rel[2] "Of the elbow from where a rigid arm has it";
  protected
    Real s = if time < 0.6 then time/0.6 else 1 "Of the way";
  equation
    drive[1].phi_ref = -pi/4 + pi/2*(s - sin(2*pi*s)/(2*pi));
    drive[2].phi_ref = -pi/3*(s - sin(2*pi*s)/(2*pi));
    connect(world.frame_b, shoulder.frame_a);
    connect(drive[1].flange, shoulder.axis);
    connect(shoulder.frame_b, arm.frames[1]);
    connect(arm.frames[2], elbow.frame_a);
    connect(drive[2].flange, elbow.axis);
    connect(elbow.frame_b, forearm.frame_a);
    connect(forearm.frame_b, load.frame_a);
    connect(shoulder.frame_b, tip.frame_a);
    connect(arm.frames[2], tip.frame_b);
    annotation(experiment(StopTime = 1, Interval = 0.002));
  end FlexibleRobot;
end Examples;
