package Structure "Structure that changes: programs of actions and actions in when-clauses (tests/unit/scene/test_programs.c)"
  import Rattleback.*;

  model RocketStage
    parameter Real L;
    parameter Real r_init[3];
    Parts.Body body(m = 100, I_11 = 1, I_22 = 1, I_33 = 1, r_0(start = r_init));
    Parts.FixedTranslation bottom(r = {0, -L / 2, 0}), top(r = {0, L / 2, 0});
    Forces.WorldForce thrust;
  equation
    connect(body.frame_a, bottom.frame_a);
    connect(body.frame_a, top.frame_a);
    connect(thrust.frame_b, bottom.frame_b);
  end RocketStage;

  model Rocket "Two stages: attached at the start, separated after 5 s, the first one deleted after 10 s"
    inner World world(gravity = {0, -9.81, 0}, contact = false);
    RocketStage stage1(L = 2, r_init = {0, 1, 0}), stage2(L = 1, r_init = {0, 2.5, 0});
    Actions.ModelActions actions;
  equation
    stage1.thrust.force = {0, if time < 5 then 1e4 * (1 - time / 5) else 0, 0};
    stage2.thrust.force = {0, if time >= 5 and time < 15 then 2000 * (15 - time) / 10 else 0, 0};
    when initial() then
      Actions.attach(actions, "stage1.top", "stage2.bottom");
      Actions.eventAfterPeriod(actions, 5);
      Actions.release(actions, "stage1.top");
      Actions.eventAfterPeriod(actions, 5);
      Actions.delete(actions, "stage1.top");
    end when;
    annotation(experiment(StopTime = 15, Tolerance = 1e-12));
  end Rocket;

  partial model Meeting "Two bodies pass each other at t = 1, 2 m apart; a rotor turns"
    inner World world(gravityType = World.GravityType.NoGravity, contact = false);
    Parts.Body station(m = 3, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {1, -1, 0}), v_0(start = {-1, 0, 0}));
    Parts.Body probe(m = 1, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {-1, 1, 0}), v_0(start = {1, 0, 0}));
    Joints.Revolute hinge(w(start = 1));
    Parts.Body rotor(m = 1, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3);
    Sensors.RelativePosition sensor;
    Actions.ModelActions actions;
    parameter String who = "probe";
    Real d = sensor.r_rel[1];
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rotor.frame_a);
    connect(sensor.frame_a, station.frame_a);
    connect(sensor.frame_b, probe.frame_a);
  end Meeting;

  model Caught "By an equation; one branch after the other"
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station", who);
    elsewhen time > 2 then
      Actions.release(actions, b = "station", a = who);
      Actions.lock(actions, "hinge");
    end when;
  end Caught;

  model Chosen "By an algorithm: what happens depends on the motion"
    extends Meeting;
  algorithm
    when d > 0 then
      if probe.v_0[1] > 0.5 then
        Actions.attach(actions, "station", who);
      else
        Actions.lock(actions, "hinge");
      end if;
    end when;
  end Chosen;

  model Robot "An arm with two driven joints takes a ball from a table and lets it fall"
    inner World world(gravity = {0, -9.81, 0}, contact = false);
    Joints.Revolute j1(n = {0, 0, 1}, useAxisFlange = true), j2(n = {0, 0, 1}, useAxisFlange = true);
    Parts.BodyShape l1(r = {1, 0, 0}, shape = Shapes.Capsule(0.05, 1), r_shape = {0.5, 0, 0}),
      l2(r = {1, 0, 0}, shape = Shapes.Capsule(0.05, 1), r_shape = {0.5, 0, 0});
    Parts.Body ball(m = 0.5, r_0(start = {2, 0, 0}), I_11 = 0.01, I_22 = 0.01, I_33 = 0.01);
    Parts.Fixed table(r = {2, 0, 0});
    Rotational.Sources.Position p1, p2;
    Actions.ReferencePath path(q_start = {0, 0}, v_max = {1, 2}, a_max = {2, 2});
    Actions.ModelActions actions;
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, l1.frame_a);
    connect(l1.frame_b, j2.frame_a);
    connect(j2.frame_b, l2.frame_a);
    connect(p1.flange, j1.axis);
    connect(p2.flange, j2.axis);
    p1.phi_ref = path.q[1];
    p2.phi_ref = path.q[2];
  algorithm
    when initial() then
      Actions.attach(actions, "ball", "table");
      Actions.ptpJointSpace(actions, "path", [0.5, 0.2; 0.5, 0.2; 0, 0]);
      Actions.releaseAndAttach(actions, "ball", "l2.frame_b", maxDistance = 1e-3);
      for i in 1:2 loop
        Actions.ptpJointSpace(actions, "path", [0.5 * i, 0.2; 0, 0]);
      end for;
      Actions.wait(actions, 0.5);
      Actions.release(actions, "ball");
    end when;
    annotation(experiment(StopTime = 8, Tolerance = 1e-10));
  end Robot;

  model Kicked "A program that starts again and again"
    extends Meeting;
  equation
    when sample(0.1, 0.4) then
      Actions.lock(actions, "hinge");
      Actions.wait(actions, 0.2);
      Actions.unlock(actions, "hinge");
    end when;
  end Kicked;

  // What is refused. The line of the call is in test_programs.c.

  model Unknown
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "statio", who);
    end when;
  end Unknown;

  model Nameless
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station", "");
    end when;
  end Nameless;

  model NoFrame
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "hinge", who);
    end when;
  end NoFrame;

  model NoWhen
    extends Meeting;
  equation
    Actions.attach(actions, "station", who);
  end NoWhen;

  model Missing
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station");
    end when;
  end Missing;

  model Varies
    extends Meeting;
  equation
    when d > 0 then
      Actions.wait(actions, d);
    end when;
  end Varies;

  model WrongType
    extends Meeting;
  equation
    when d > 0 then
      Actions.wait(actions, "d");
    end when;
  end WrongType;

  model NoPath
    extends Meeting;
    Actions.ReferencePath way;
  equation
    when d > 0 then
      Actions.ptpJointSpace(actions, "wy", [0]);
    end when;
  end NoPath;

  model WrongPoints
    extends Meeting;
    Actions.ReferencePath way(q_start = {0, 0});
  equation
    when d > 0 then
      Actions.ptpJointSpace(actions, "way", [0, 1, 2]);
    end when;
  end WrongPoints;

  model NegativeWait
    extends Meeting;
  equation
    when d > 0 then
      Actions.wait(actions, -1);
    end when;
  end NegativeWait;

  model OpenBranch
    extends Meeting;
  equation
    when d > 0 then
      if probe.v_0[1] > 0 then
        Actions.lock(actions, "hinge");
      end if;
    end when;
  end OpenBranch;

  model TooFar
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station", who, maxDistance = 0.1);
    end when;
  end TooFar;

  model Moving
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station", who, requireRest = true);
    end when;
  end Moving;

  model MovingJoint
    extends Meeting;
  equation
    when d > 0 then
      Actions.lock(actions, "hinge", requireRest = true);
    end when;
  end MovingJoint;

  model Contradiction
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, "station", who);
      Actions.release(actions, "station", who);
    end when;
  end Contradiction;

  model ToItself
    extends Meeting;
  equation
    when d > 0 then
      Actions.attach(actions, who, who);
    end when;
  end ToItself;

  model IsFree
    extends Meeting;
  equation
    when d > 0 then
      Actions.release(actions, who);
    end when;
  end IsFree;

  model Needed
    extends Meeting;
  equation
    when d > 0 then
      Actions.delete(actions, "rotor");
    end when;
  end Needed;

  model NoChain
    extends Meeting;
  equation
    when d > 0 then
      Actions.flipChain(actions, "probe", "world", "station");
    end when;
  end NoChain;

  model Again
    extends Meeting;
  equation
    when sample(0, 0.4) then
      Actions.wait(actions, 1);
      Actions.lock(actions, "hinge");
    end when;
  end Again;

  model Unsuitable "Replace of a joint that equations see"
    extends Meeting;
    Real angle = hinge.phi;
  equation
    when d > 0 then
      Actions.replace(actions, "hinge", Actions.JointType.Prismatic);
    end when;
  end Unsuitable;

  model Sprung "Replace of a joint with a spring in it"
    extends Meeting(hinge(c = 4));
  equation
    when d > 0 then
      Actions.replace(actions, "hinge", Actions.JointType.Prismatic);
    end when;
  end Sprung;
end Structure;
