package Rotors "Rotors and housings of drives on parts that move"
  import Rattleback.*;

  model Spinner "A torque from outside through a gear whose housing the base holds"
    extends Rattleback.Examples.Spinner(base(I_11 = 0.25));
    Sensors.AbsoluteAngularVelocity turning;
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
end Rotors;
