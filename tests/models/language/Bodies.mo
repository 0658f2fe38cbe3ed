package Bodies "Bodies in space whose motion has a closed form"
  import Rattleback.*;

  model Own "A world that extends World keeps its gravity"
    model Moon
      extends World(g = 3);
    end Moon;
    inner Moon world;
    Parts.Body ball(m = 1);
  equation
    when terminal() then
      assert(abs(ball.r_0[2] + 1.5) < 1e-6, String(ball.r_0[2]));
    end when;
  end Own;

  model Turntable "Where a fixed point goes, seen from a turntable and from the world"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute axis(n = {0, 0, 1}, w(start = 2, fixed = true));
    Parts.Body table(m = 1);
    Parts.Fixed point(r = {1, 0, 0});
    Sensors.RelativeVelocity own(resolveInFrame = Types.ResolveInFrame.frame_a), turned(resolveInFrame = Types.ResolveInFrame.world),
      none(resolveInFrame = Types.ResolveInFrame.world, seenFromAxes = true);
  equation
    connect(world.frame_b, axis.frame_a);
    connect(axis.frame_b, table.frame_a);
    connect(axis.frame_b, own.frame_a);
    connect(axis.frame_b, turned.frame_a);
    connect(axis.frame_b, none.frame_a);
    connect(point.frame_b, own.frame_b);
    connect(point.frame_b, turned.frame_b);
    connect(point.frame_b, none.frame_b);
    when terminal() then
      assert(abs(turned.v_rel*{0, 1, 0} + 2) < 1e-6 and abs(turned.v_rel*{1, 0, 0}) < 1e-6, String(turned.v_rel[2]));
      assert(abs(own.v_rel[1] + 2*sin(2)) < 1e-5 and abs(own.v_rel[2] + 2*cos(2)) < 1e-5, String(own.v_rel[1]));
      assert(none.v_rel*none.v_rel < 1e-12, String(none.v_rel[2]));
    end when;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Turntable;

  partial model Slider "A mass at the flange of a joint with a spring, a damper, a force and a stop in it"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body b(m = 1);
    Translational.Components.Mass mass(m = 1);
  end Slider;

  model Pushed "By a force in the joint, beside a body that moves alone"
    extends Slider;
    Joints.Prismatic j(n = {1, 0, 0}, useAxisFlange = true, s(start = 0, fixed = true), v(start = 0, fixed = true), f_0 = 1);
    Parts.Solid ball(r = {5, 5, 5});
  equation
    connect(world.frame_b, j.frame_a);
    connect(j.frame_b, b.frame_a);
    connect(mass.flange_a, j.axis);
    when terminal() then
      assert(abs(j.s - 0.25) < 1e-9, String(j.s));
    end when;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Pushed;

  model Sprung "By a spring in the joint, beside another joint"
    extends Slider;
    Joints.Prismatic j(n = {1, 0, 0}, useAxisFlange = true, s(start = 1, fixed = true), v(start = 0, fixed = true), c = 8);
    Joints.Revolute other(w(start = 1, fixed = true));
    Parts.Body turning(m = 1, I_11 = 1, I_22 = 1, I_33 = 1);
  equation
    connect(world.frame_b, j.frame_a);
    connect(j.frame_b, b.frame_a);
    connect(mass.flange_a, j.axis);
    connect(world.frame_b, other.frame_a);
    connect(other.frame_b, turning.frame_a);
    when terminal() then
      assert(abs(j.s - cos(2)) < 1e-6, String(j.s));
    end when;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Sprung;
end Bodies;
