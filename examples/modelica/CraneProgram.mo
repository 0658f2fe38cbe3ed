// plot: box.r_0[1] box.r_0[3] x z
model CraneProgram "The program of a crane is a state machine: its states take a box, carry it and put it down"
  import Rattleback.*;

  partial block Motion "Goes on until a place is reached"
    outer output Boolean there "The place is reached";
    constant Real step(unit = "m") = 0.016 "From tick to tick: 0.8 m/s";
    function towards "From a place to another one, by a step at most"
      input Real from(unit = "m"), to(unit = "m");
      output Real x(unit = "m") = from + min(step, max(-step, to - from));
    end towards;
  end Motion;

  block Lift "Up or down"
    extends Motion;
    parameter Real to(unit = "m");
    outer output Real z;
  equation
    z = towards(previous(z), to);
    there = abs(z - to) < 1e-9;
  end Lift;

  block Carry "To the side"
    extends Motion;
    parameter Real to(unit = "m");
    outer output Real x;
  equation
    x = towards(previous(x), to);
    there = abs(x - to) < 1e-9;
  end Carry;

  block Take "When the hand rests it takes the box"
    outer Actions.ModelActions actions;
  equation
    when ticksInState() == 20 then
      Actions.attach(actions, "box", "hand");
    end when;
  end Take;

  block Put "When the hand rests it lets the box go"
    outer Actions.ModelActions actions;
    outer output Integer boxes;
  equation
    boxes = previous(boxes) + (if ticksInState() == 20 then 1 else 0);
    when ticksInState() == 20 then
      Actions.release(actions, "box");
    end when;
  end Put;

  block Cycle "Down, take, up, to the side, down, put, up"
    parameter Real side(unit = "m");
    inner outer output Integer boxes;
    Lift down(to = 0.215), up(to = 0.8), low(to = 0.215), high(to = 0.8);
    Carry carry(to = side);
    Take take;
    Put put;
    outer input Boolean there;
  equation
    initialState(down);
    transition(down, take, there, immediate = false);
    transition(take, up, timeInState() >= 0.6);
    transition(up, carry, there, immediate = false);
    transition(carry, low, there, immediate = false);
    transition(low, put, there, immediate = false);
    transition(put, high, timeInState() >= 0.6);
  end Cycle;

  inner World world(g = 9.81, n = {0, 0, -1});
  inner Actions.ModelActions actions;
  Parts.Solid table(shape = Shapes.Box(2, 0.6, 0.02), material = "DryWood", r = {0, 0, -0.01}, fixed = true);
  Parts.Solid box(shape = Shapes.Box(0.2, 0.2, 0.2), material = "DryWood", r = {-0.5, 0, 0.1});
  Joints.Prismatic across(n = {1, 0, 0}, useAxisFlange = true), lift(n = {0, 0, 1}, useAxisFlange = true);
  Parts.FixedTranslation rail(r = {0, 0, height});
  parameter Real height(unit = "m") = 1.2;
  Parts.Body beam(m = 2);
  Parts.Solid hand(shape = Shapes.Box(0.1, 0.1, 0.02));
  Translational.Sources.Position driveX, driveZ;
  Blocks.Continuous.SecondOrder smoothX(w = 30, D = 1, y_start = -0.5, initType = Blocks.Types.Init.InitialState);
  Blocks.Continuous.SecondOrder smoothZ(w = 30, D = 1, y_start = 0.8, initType = Blocks.Types.Init.InitialState);
  // The program, at 50 Hz
  Cycle toRight(side = 0.5), toLeft(side = -0.5);
  inner Real x(start = -0.5, unit = "m"), z(start = 0.8, unit = "m") "Set points";
  inner Integer boxes(start = 0) "Put down so far";
  inner Boolean there;
  Boolean moves;
equation
  when Clock(1, 50) then
    moves = not there;
  end when;
  initialState(toRight);
  transition(toRight, toLeft, activeState(toRight.high) and z > 0.79, immediate = false);
  transition(toLeft, toRight, activeState(toLeft.high) and z > 0.79, immediate = false);
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, across.frame_a);
  connect(across.frame_b, beam.frame_a);
  connect(beam.frame_a, lift.frame_a);
  connect(lift.frame_b, hand.frame_a);
  smoothX.u = hold(x);
  smoothZ.u = hold(z);
  connect(smoothX.y, driveX.s_ref);
  driveZ.s_ref = smoothZ.y - height;
  connect(driveX.flange, across.axis);
  connect(driveZ.flange, lift.axis);
  annotation(experiment(StopTime = 10.5));
end CraneProgram;
