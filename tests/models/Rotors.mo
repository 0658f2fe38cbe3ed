package Rotors "Rotors and housings of drives on parts that move"
  import Rattleback.*;

  model Spinner "A torque from outside through a gear whose housing the base holds"
    extends Rattleback.Examples.Spinner(base(I_11 = 0.25));
    Sensors.AbsoluteAngularVelocity turning(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(base.frame_a, turning.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Spinner;

  model Gyrostat "A rotor that spins freely in a body that turns about another axis"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Boolean exact = true;
    Parts.Body body(m = 3, I_11 = 0.1, I_22 = 0.3, I_33 = 0.3, w_0_start = {0, 0.5, 0});
    Parts.Rotor1D rotor(J = 0.05, exact = exact, phi(fixed = true), w(start = 20, fixed = true));
    Sensors.AbsoluteAngularVelocity turning(resolveInFrame = Types.ResolveInFrame.frame_a);
  equation
    connect(body.frame_a, rotor.frame_a);
    connect(body.frame_a, turning.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Gyrostat;

  model InexactGyrostat "What the bearings do to the rotor is nothing here, as they do not turn along its axis"
    extends Gyrostat(final exact = false);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end InexactGyrostat;

  model RoundTheCorner "A torque of 0.5 N.m about z through a gear of 2 : 1 to a rotor about x"
    extends Rattleback.Examples.RoundTheCorner;
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end RoundTheCorner;

  model Geared "Two wheels in one bearing, the first of which a torque turns"
    inner World world(gravityType = World.GravityType.NoGravity);
    Sensors.CutTorque held;
    Joints.GearConstraint gear(ratio = -2, r_a = {0, 0.1, 0}, r_b = {0, -0.2, 0}, actuatedRevolute_b(phi(fixed = true), w(fixed = true)));
    Parts.Body a(I_11 = 0.01, I_22 = 0.02, I_33 = 0.02), b(I_11 = 0.05, I_22 = 0.04, I_33 = 0.04);
    Forces.WorldTorque torque;
    Sensors.AbsoluteAngularVelocity w_a(resolveInFrame = Types.ResolveInFrame.world), w_b(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(world.frame_b, held.frame_a);
    connect(held.frame_b, gear.bearing);
    connect(gear.frame_a, a.frame_a);
    connect(gear.frame_b, b.frame_a);
    connect(a.frame_a, torque.frame_b);
    connect(a.frame_a, w_a.frame_a);
    connect(b.frame_a, w_b.frame_a);
    torque.torque = {0.3, 0, 0};
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Geared;

  model Pushed "A force and a torque between two free bodies"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body a(m = 2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1), b(m = 3, I_11 = 0.2, I_22 = 0.2, I_33 = 0.2, r_0(start = {1, 0, 0}));
    Forces.ForceAndTorque push(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(a.frame_a, push.frame_a);
    connect(push.frame_b, b.frame_a);
    push.force = {0.1, 0.5, 0};
    push.torque = {0, 0, 0.3};
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Pushed;
end Rotors;
