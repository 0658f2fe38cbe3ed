package LockedLoop "A joint of a kinematic loop is locked; the numbers are in test_locked_loop.c"
  import Rattleback.*;

  partial model FourBar "One degree of freedom; one of the joints is locked for a while"
    parameter String locked;
    inner World world(g = 9.81, contact = false);
    Joints.Revolute a(phi(start = 1.0, fixed = true), w(start = 1, fixed = true));
    Joints.Revolute b(phi(start = -0.6)), c(phi(start = -1)), d(phi(start = 1.2));
    Parts.BodyShape crank(m = 1, r = {0.4, 0, 0}, r_CM = {0.2, 0, 0}, I_33 = 0.02, I_22 = 0.02, I_11 = 0.01);
    Parts.BodyShape rod(m = 1.5, r = {0.9, 0, 0}, r_CM = {0.4, 0, 0}, I_33 = 0.1, I_22 = 0.1, I_11 = 0.01);
    Parts.BodyShape rocker(m = 1, r = {0.6, 0, 0}, r_CM = {0.3, 0, 0}, I_33 = 0.03, I_22 = 0.03, I_11 = 0.01);
    Parts.FixedTranslation ground(r = {0.8, 0, 0});
    Sensors.AbsoluteVelocity elbow(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsolutePosition tip(resolveInFrame = Types.ResolveInFrame.world);
    Actions.Lock lock(at = 0.4, a = locked);
    Actions.Unlock unlock(at = 0.6, a = locked);
  equation
    connect(world.frame_b, a.frame_a);
    connect(a.frame_b, crank.frame_a);
    connect(crank.frame_b, b.frame_a);
    connect(b.frame_b, rod.frame_a);
    connect(world.frame_b, ground.frame_a);
    connect(ground.frame_b, d.frame_a);
    connect(d.frame_b, rocker.frame_a);
    connect(rocker.frame_b, c.frame_a);
    connect(c.frame_b, rod.frame_b);
    connect(elbow.frame_a, rod.frame_a);
    connect(tip.frame_a, rod.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end FourBar;

  model A
    extends FourBar(locked = "a");
  end A;

  model B
    extends FourBar(locked = "b");
  end B;

  model C
    extends FourBar(locked = "c");
  end C;

  model D
    extends FourBar(locked = "d");
  end D;
end LockedLoop;
