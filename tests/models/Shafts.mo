package Shafts "Two shafts with a universal joint between them: a loop in space (test_driven_loops.c)"
  import Rattleback.*;

  model Coupled "Nothing drives them: the engine alone"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Real angle(unit = "rad") = 0.6;
    Joints.Revolute input_(n = {1, 0, 0}, phi(start = 0.3, fixed = true), w(start = 10, fixed = true));
    Joints.Universal cross_(n_a = {0, 1, 0}, n_b = {0, 0, 1}, phi_b(start = angle));
    Joints.Revolute output_(n = {1, 0, 0}, phi(start = 0.36));
    Parts.Body one(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1), two(m = 1, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01);
    Parts.FixedRotation bearing(angles = {0, 0, angle});
  equation
    connect(world.frame_b, input_.frame_a);
    connect(input_.frame_b, one.frame_a);
    connect(input_.frame_b, cross_.frame_a);
    connect(cross_.frame_b, two.frame_a);
    connect(world.frame_b, bearing.frame_a);
    connect(bearing.frame_b, output_.frame_a);
    connect(cross_.frame_b, output_.frame_b);
  end Coupled;

  model Driven "A rotor and a torque behind a gear at the input"
    extends Coupled(input_(useAxisFlange = true));
    Rotational.Components.IdealGear gear(ratio = 5);
    Rotational.Components.Inertia rotor(J = 0.1);
    Rotational.Sources.ConstantTorque motor(tau_constant = 1);
  equation
    connect(input_.axis, gear.flange_b);
    connect(gear.flange_a, rotor.flange_a);
    connect(rotor.flange_b, motor.flange);
  end Driven;
end Shafts;
