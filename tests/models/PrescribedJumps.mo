package PrescribedJumps "Paths that equations prescribe and that are none; the numbers are in test_prescribed_jumps.c"
  import Rattleback.*;

  partial model Arm "0.35 kg m2 about the hinge"
    inner World world;
    Joints.Revolute hinge(useAxisFlange = true);
    Parts.Body arm(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
  end Arm;

  partial model Prescribed
    extends Arm;
    Rotational.Sources.Position drive;
  equation
    connect(drive.flange, hinge.axis);
  end Prescribed;

  model Place
    extends Prescribed;
  equation
    drive.phi_ref = if time < 0.5 then 0 else 1;
  end Place;

  model Speed
    extends Prescribed(world(gravityType = World.GravityType.NoGravity));
    constant Units.AngularVelocity w = 2;
  equation
    drive.phi_ref = if time < 0.5 then 0 else w*(time - 0.5);
  end Speed;

  model Turns "By a full turn: it is where it was"
    extends Prescribed;
    constant Units.AngularVelocity w = 10;
  equation
    drive.phi_ref = mod(w*time, 2*3.141592653589793);
  end Turns;

  model SetAnew "This is said, not prescribed"
    extends Arm;
    Rotational.Components.Inertia rotor(J = 1);
  equation
    connect(rotor.flange_b, hinge.axis);
    when time >= 0.5 then
      reinit(rotor.phi, 1);
      reinit(rotor.w, 0);
    end when;
  end SetAnew;

  model Part
    inner World world(gravityType = World.GravityType.NoGravity);
    Contact.Moved path;
    Contact.CollisionBody bat(shape = Shapes.Box(0.1, 1, 1));
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.5, 0, 0});
  equation
    connect(path.frame_b, bat.frame_a);
    path.r = {if time < 0.5 then 0 else 1, 0, 0};
  end Part;
end PrescribedJumps;
