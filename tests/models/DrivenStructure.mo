package DrivenStructure "Changes of structure in mechanisms with drives; the numbers are in test_driven_structure.c"
  import Rattleback.*;

  partial model Arm "An arm turns with 2 rad/s (0.5 kg m2), beside a load (1.1 kg m2 about the hinge)"
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Joints.Revolute hinge(n = {0, 0, 1}, useAxisFlange = true, w(start = 2, fixed = true));
    Parts.Body arm(m = 1, I_11 = 0.5, I_22 = 0.5, I_33 = 0.5);
    Parts.Body load(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {1, 0, 0}));
    Actions.ModelActions actions;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
  end Arm;

  partial model Geared "A rotor that counts as 1 kg m2, with a torque of 1.5 N.m, both at the hinge"
    extends Arm;
    parameter Real torque = 0.15;
    Rotational.Components.Inertia motor(J = 0.01);
    Rotational.Components.IdealGear gear(ratio = 10);
    Rotational.Sources.Torque drive;
  equation
    drive.tau = torque;
    connect(drive.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, hinge.axis);
  end Geared;

  model Taken
    extends Geared(torque = 0);
  equation
    when time >= 1 then
      Actions.attach(actions, "arm", "load");
    end when;
  end Taken;

  model TakenOnSpring "The rotor is behind a spring, which passes no impulse on"
    extends Arm;
    Rotational.Components.Inertia motor(J = 1, w(start = 2, fixed = true), phi(start = 0, fixed = true));
    Rotational.Components.Spring spring(c = 10);
  equation
    connect(motor.flange_b, spring.flange_a);
    connect(spring.flange_b, hinge.axis);
    when time >= 1 then
      Actions.attach(actions, "arm", "load");
    end when;
  end TakenOnSpring;

  model TakenByForce "Nothing behind the joint but a torque"
    extends Arm;
    Rotational.Sources.Torque drive;
  equation
    drive.tau = 0;
    connect(drive.flange, hinge.axis);
    when time >= 1 then
      Actions.attach(actions, "arm", "load");
    end when;
  end TakenByForce;

  partial model Prescribed
    extends Arm(hinge(w(fixed = false)));
    Rotational.Sources.Position drive;
    parameter Units.AngularVelocity speed = 2;
  equation
    drive.phi_ref = speed*time;
    connect(drive.flange, hinge.axis);
  end Prescribed;

  model TakenByPrescribed "The drive takes the impulse"
    extends Prescribed;
  equation
    when time >= 1 then
      Actions.attach(actions, "arm", "load");
    end when;
  end TakenByPrescribed;

  model Locked "For 0.5 s"
    extends Geared;
  equation
    when time >= 1 then
      Actions.lock(actions, "hinge");
      Actions.wait(actions, 0.5);
      Actions.unlock(actions, "hinge");
    end when;
  end Locked;

  model LockedAndTaken "Locked and attached at one instant, released while locked, then unlocked"
    extends Geared;
    Actions.Lock lock(at = 1, a = "hinge");
    Actions.Attach attach(at = 1, a = "arm", b = "load");
    Actions.Release release(at = 1.25, a = "load");
    Actions.Unlock unlock(at = 1.5, a = "hinge");
  end LockedAndTaken;

  model Broken
    extends Geared;
  equation
    when time >= 1 then
      Actions.breakJoint(actions, "hinge");
    end when;
  end Broken;

  model BrokenForce
    extends Arm;
    Rotational.Components.Damper damper(d = 0.5);
    Rotational.Components.Fixed ground;
  equation
    connect(ground.flange, damper.flange_a);
    connect(damper.flange_b, hinge.axis);
    when time >= 1 then
      Actions.breakJoint(actions, "hinge");
    end when;
  end BrokenForce;

  model BrokenPrescribed
    extends Prescribed;
  equation
    when time >= 1 then
      Actions.breakJoint(actions, "hinge");
    end when;
  end BrokenPrescribed;

  model Removed "A cart with a driven wheel leaves, another one stays"
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Parts.Body cart(m = 2, I_11 = 1, I_22 = 1, I_33 = 1, v_0(start = {1, 0, 0}));
    Joints.Revolute axle(n = {0, 0, 1}, useAxisFlange = true);
    Parts.Body wheel(m = 1, I_11 = 0.5, I_22 = 0.5, I_33 = 0.5);
    Rotational.Components.Inertia rotor(J = 1);
    Rotational.Sources.Torque drive;
    Joints.Revolute hinge(n = {0, 0, 1}, useAxisFlange = true, w(start = 2, fixed = true));
    Parts.Body arm(m = 1, I_11 = 0.5, I_22 = 0.5, I_33 = 0.5);
    Rotational.Components.Damper damper(d = 0.5);
    Rotational.Components.Fixed ground;
    Actions.Remove remove(at = 1, a = "cart");
  equation
    connect(cart.frame_a, axle.frame_a);
    connect(axle.frame_b, wheel.frame_a);
    drive.tau = 1;
    connect(drive.flange, rotor.flange_a);
    connect(rotor.flange_b, axle.axis);
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
    connect(ground.flange, damper.flange_a);
    connect(damper.flange_b, hinge.axis);
  end Removed;

  model Floating "A robot in space, its joints driven over gears, in turn locked, loaded, unloaded and broken"
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Parts.Body base(m = 5, I_11 = 1, I_22 = 2, I_33 = 3, v_0(start = {0.1, -0.2, 0.05}), w_0_start = {0.1, 0.2, -0.3});
    Parts.FixedTranslation side(r = {0.5, 0.2, 0}), elbow(r = {0.8, 0, 0.1});
    Joints.Revolute j1(n = {0, 0, 1}, useAxisFlange = true, w(start = 1, fixed = true)),
      j2(n = {0, 1, 0}, useAxisFlange = true, w(start = -2, fixed = true), phi(start = 0.5, fixed = true));
    Parts.Body upper(m = 1, r_CM = {0.4, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1),
      lower(m = 0.5, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.05, I_33 = 0.05);
    Parts.Body load(m = 1, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3, r_0(start = {2, 1, 0}), v_0(start = {-0.5, 0.3, 0.2}),
      w_0_start = {1, -1, 0.5});
    Rotational.Components.Inertia m1(J = 0.002), m2(J = 0.001);
    Rotational.Components.IdealGear g1(ratio = 20), g2(ratio = -30);
    Rotational.Sources.Torque t1, t2;
    Actions.ModelActions actions;
  equation
    connect(base.frame_a, side.frame_a);
    connect(side.frame_b, j1.frame_a);
    connect(j1.frame_b, upper.frame_a);
    connect(j1.frame_b, elbow.frame_a);
    connect(elbow.frame_b, j2.frame_a);
    connect(j2.frame_b, lower.frame_a);
    connect(t1.flange, m1.flange_a);
    connect(m1.flange_b, g1.flange_a);
    connect(g1.flange_b, j1.axis);
    connect(t2.flange, m2.flange_a);
    connect(m2.flange_b, g2.flange_a);
    connect(g2.flange_b, j2.axis);
    t1.tau = 0.02*sin(3*time);
    t2.tau = 0.01*cos(2*time);
    when initial() then
      Actions.wait(actions, 0.2);
      Actions.attach(actions, "load", "lower");
      Actions.wait(actions, 0.2);
      Actions.lock(actions, "j1");
      Actions.wait(actions, 0.2);
      Actions.releaseAndAttach(actions, "load", "base");
      Actions.lock(actions, "j2");
      Actions.wait(actions, 0.2);
      Actions.unlock(actions, "j1");
      Actions.wait(actions, 0.2);
      Actions.release(actions, "load");
      Actions.unlock(actions, "j2");
      Actions.wait(actions, 0.2);
      Actions.attach(actions, "load", "upper");
      Actions.lock(actions, "j2");
      Actions.wait(actions, 0.2);
      Actions.unlock(actions, "j2");
      Actions.breakJoint(actions, "j1");
    end when;
  end Floating;

  model Linkage "A four-bar linkage on a motor, locked and let go"
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Joints.Revolute j1(n = {0, 0, 1}, useAxisFlange = true, phi(start = 1, fixed = true), w(start = 1, fixed = true)),
      j2(n = {0, 0, 1}, phi(start = -1)), j3(n = {0, 0, 1}, phi(start = -1)), j4(n = {0, 0, 1});
    Parts.BodyShape crank(r = {0.3, 0, 0}, m = 1, r_CM = {0.15, 0, 0}, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01),
      rod(r = {0.9, 0, 0}, m = 2, r_CM = {0.45, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1),
      rocker(r = {0.7, 0, 0}, m = 1, r_CM = {0.35, 0, 0}, I_11 = 0.01, I_22 = 0.05, I_33 = 0.05);
    Parts.FixedTranslation ground(r = {1, 0, 0});
    Rotational.Components.Inertia motor(J = 0.5);
    Actions.Lock lock(at = 0.5, a = "j1");
    Actions.Unlock unlock(at = 0.7, a = "j1");
  equation
    connect(world.frame_b, j1.frame_a);
    connect(world.frame_b, ground.frame_a);
    connect(j1.frame_b, crank.frame_a);
    connect(crank.frame_b, j2.frame_a);
    connect(j2.frame_b, rod.frame_a);
    connect(rod.frame_b, j3.frame_a);
    connect(j3.frame_b, rocker.frame_a);
    connect(rocker.frame_b, j4.frame_a);
    connect(j4.frame_b, ground.frame_b);
    connect(motor.flange_b, j1.axis);
  end Linkage;

  model LockedPrescribed
    extends Prescribed;
  equation
    when time >= 1 then
      Actions.lock(actions, "hinge");
    end when;
  end LockedPrescribed;

  model LockedTwice
    extends Geared;
  equation
    when time >= 0.5 then
      Actions.lock(actions, "hinge");
    end when;
    when time >= 1 then
      Actions.lock(actions, "hinge");
    end when;
  end LockedTwice;

  model NotLocked
    extends Geared;
  equation
    when time >= 1 then
      Actions.unlock(actions, "hinge");
    end when;
  end NotLocked;

  model LockedWhileMoving
    extends Geared;
  equation
    when time >= 1 then
      Actions.lock(actions, "hinge", requireRest = true);
    end when;
  end LockedWhileMoving;
end DrivenStructure;
