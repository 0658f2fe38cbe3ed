package StateMachines "State machines: values by hand, tick by tick"
  model Levels "Two machines beside each other in a state: the second level restarts the first"
    inner Integer v(start = 0);
    Integer k(start = 0), n(start = 0);
    Work work;
    Fill fill;
    block Work
      inner Integer count(start = 0);
      inner outer output Integer v;
      Up up;
      Down down;
      Tally tally;
      Done done;
      Wait wait;
      Rest rest;
      block Up
        outer output Integer v;
      equation
        v = previous(v) + 2;
      end Up;
      block Down
        outer output Integer v;
      equation
        v = previous(v) - 1;
      end Down;
      block Tally
        outer output Integer count;
      equation
        count = previous(count) + 1;
      end Tally;
      block Done
      end Done;
      block Wait
        outer input Integer v;
        Integer i(start = 0), w;
      equation
        i = previous(i) + 1;
        w = v;
      end Wait;
      block Rest
        Integer j(start = 0);
      equation
        j = previous(j) + 1;
      end Rest;
    equation
      initialState(up);
      transition(up, down, v >= 6, immediate = false);
      transition(down, tally, v == 0, immediate = false);
      transition(tally, up, true, immediate = false, priority = 2);
      transition(tally, done, count >= 2, immediate = false);
      initialState(wait);
      transition(wait, rest, wait.i > 20, immediate = false, reset = false);
    end Work;
    block Fill
      outer output Integer v;
    equation
      v = previous(v) + 5;
    end Fill;
  equation
    initialState(work);
    transition(work, fill, activeState(work.done) and activeState(work.rest), immediate = false);
    transition(fill, work, v >= 20, immediate = false);
    when Clock(1, 10) then
      k = previous(k) + 1;
      n = previous(n) + (if activeState(fill) then 1 else 0);
      // 2 4 6, 5 ... 0, -, 2 4 6, 5 ... 0, - (done), from tick 23 filled to 20, then again from tick 27
      assert(k <> 3 or v == 6, "3: " + String(v));
      assert(k <> 9 or v == 0 and activeState(work.down), "9: " + String(v));
      assert(k <> 10 or v == 0 and work.count == 1, "10: " + String(work.count));
      assert(k <> 13 or v == 6, "13: " + String(v));
      assert(k <> 20 or work.count == 2 and activeState(work.tally), "20: " + String(work.count));
      assert(k <> 22 or activeState(work.done) and activeState(work.rest) and work.rest.j == 1 and work.wait.i == 21 and work.wait.w == 0, "22");
      assert(k <> 26 or v == 20 and n == 4 and work.rest.j == 1, "26: " + String(v));
      assert(k <> 27 or v == 22 and work.count == 0 and work.wait.i == 1 and work.rest.j == 1 and activeState(work.up), "27: " + String(v));
      assert(k <> 28 or v == 21 and activeState(work.down), "28: " + String(v));
      assert(k <> 48 or activeState(work.rest) and work.rest.j == 1 and v == 1, "48: " + String(v));
    end when;
    when terminal() then
      // down to 0 at tick 49, tally at 50, up again at 51
      assert(hold(k) == 51 and hold(work.rest.j) == 4 and hold(v) == 2 and hold(work.count) == 1, String(hold(k)) + " " + String(hold(v)));
    end when;
    annotation(experiment(StopTime = 5.05));
  end Levels;

  model Synchronized "The same exit, by machines that have reached their last state"
    Integer k(start = 0), first(start = 0);
    Both both;
    After after;
    block State
    end State;
    block Both
      State a, b, c, d;
    equation
      initialState(a);
      transition(a, b, ticksInState() >= 3, immediate = false);
      initialState(c);
      transition(c, d, ticksInState() >= 6, immediate = false);
    end Both;
    block After
    end After;
  equation
    initialState(both);
    transition(both, after, true, synchronize = true, immediate = false);
    transition(after, both, ticksInState() >= 2, priority = 1);
    when Clock(1, 10) then
      k = previous(k) + 1;
      // c for 6 ticks, d at tick 7, after at 8 and 9
      first = if activeState(after) and previous(first) == 0 then k else previous(first);
      assert(activeState(after) == (mod(k - 1, 9) >= 7), String(k));
      assert(k <> 10 or activeState(both.a) and activeState(both.c), "both machines begin anew");
    end when;
    when terminal() then
      assert(hold(first) == 8, String(hold(first)));
    end when;
    annotation(experiment(StopTime = 2.95));
  end Synchronized;

  model Waiting "Five ticks from the tick at 10 ms; a delayed and an immediate transition agree"
    block State
    end State;
    State a0, a1, a2, b0, b1, b2, c0, c1, c2;
    Real t = sample(time, Clock(1, 1000));
  equation
    initialState(a0);
    transition(a0, a1, t > 0.0095);
    transition(a1, a2, ticksInState() >= 5, immediate = false);
    initialState(b0);
    transition(b0, b1, t > 0.0095);
    transition(b1, b2, ticksInState() >= 5);
    initialState(c0);
    transition(c0, c1, t > 0.0095);
    transition(c1, c2, timeInState() >= 0.005);
    when Clock(1, 1000) then
      assert(activeState(a1) == (t > 0.0095 and t < 0.0145), "a1 at " + String(t));
      assert(activeState(b1) == activeState(a1) and activeState(c1) == activeState(a1), "b1 and c1 at " + String(t));
      assert(activeState(a0) == (t < 0.0095) and activeState(a2) == (t > 0.0145), "at " + String(t));
    end when;
    annotation(experiment(StopTime = 0.0205));
  end Waiting;

  model Again "A transition to the state itself begins it anew: its variables, ticks and time"
    block Step
      Integer ticks = ticksInState(), n(start = 0);
      Real t = timeInState();
    equation
      n = previous(n) + 1;
    end Step;
    Step s, keeps;
    Integer k(start = 0);
  equation
    initialState(s);
    transition(s, s, s.ticks == 4, immediate = false);
    initialState(keeps);
    transition(keeps, keeps, keeps.ticks == 4, immediate = false, reset = false);
    when Clock(1, 10) then
      k = previous(k) + 1;
      assert(s.ticks == mod(k - 1, 4) + 1 and s.n == s.ticks and abs(s.t - (s.ticks - 1)/10) < 1e-15, String(k));
      assert(keeps.ticks == s.ticks and keeps.n == k, String(k));
    end when;
    annotation(experiment(StopTime = 1.95));
  end Again;

  model Priorities "Of two immediate and a delayed transition the one with the lowest number fires"
    block State
    end State;
    State s, first, second, third;
    Integer k(start = 0);
  equation
    initialState(s);
    transition(s, third, mod(k, 2) == 0, priority = 3);
    transition(s, second, mod(k, 4) == 0, priority = 2);
    transition(s, first, mod(k, 8) == 3, immediate = false, priority = 1);
    transition(first, s, true);
    transition(second, s, true);
    transition(third, s, true);
    when Clock(1, 10) then
      k = previous(k) + 1;
      // a state is active for a tick at least: s at odd ticks
      assert(activeState(s) == (mod(k, 2) == 1), String(k));
      assert(activeState(first) == (mod(k, 8) == 4), String(k));
      assert(activeState(second) == (mod(k, 8) == 0), String(k));
      assert(activeState(third) == (mod(k, 4) == 2), String(k));
    end when;
    annotation(experiment(StopTime = 2.05));
  end Priorities;

  model Discretized "x rises by 1 per second in one state and falls by 2 in the other, from 0 at the start and where it is reset"
    block Rise
      Real x(start = 0);
    equation
      when Clock(Clock(1, 10), solverMethod = "ExplicitEuler") then
        der(x) = 1;
      end when;
    end Rise;
    Rise rise, again(x(start = 5));
    Integer k(start = 0);
  equation
    initialState(rise);
    transition(rise, again, ticksInState() >= 10);
    transition(again, rise, ticksInState() >= 5, reset = false);
    when Clock(1, 10) then
      k = previous(k) + 1;
      // 10 ticks: 0 ... 0.9, then it stays for 5, then goes on
      assert(k > 10 or abs(rise.x - (k - 1)/10) < 1e-12, String(k) + ": " + String(rise.x));
      assert(k <= 10 or k > 15 or abs(rise.x - 0.9) < 1e-12 and abs(again.x - (5 + (k - 11)/10)) < 1e-12, String(k) + ": " + String(rise.x));
      assert(k <> 25 or abs(rise.x - 1.9) < 1e-12 and activeState(rise), String(k) + ": " + String(rise.x));
      assert(k <> 26 or abs(again.x - 5) < 1e-12, String(k) + ": " + String(again.x));
    end when;
    annotation(experiment(StopTime = 2.65));
  end Discretized;

  model Connected "Outputs of states that are connected: the one of the active state, and its last value"
    connector Out = output Integer;
    connector In = input Integer;
    block Number
      parameter Integer step;
      Out y(start = 0);
    equation
      y = previous(y) + step;
    end Number;
    block Double
      In u;
      Out y;
    equation
      y = 2*u;
    end Double;
    block Pause
    end Pause;
    Number up(step = 1), down(step = -1);
    Pause pause;
    Double double;
    Integer k(start = 0);
  equation
    initialState(up);
    transition(up, pause, ticksInState() >= 3);
    transition(pause, down, true);
    transition(down, up, ticksInState() >= 2, reset = false);
    connect(up.y, double.u);
    connect(down.y, double.u);
    when Clock(1, 10) then
      k = previous(k) + 1;
      assert(k <> 3 or double.y == 6, String(double.y)); // 1 2 3
      assert(k <> 4 or double.y == 6 and activeState(pause), String(double.y)); // its last value
      assert(k <> 6 or double.y == -4, String(double.y)); // -1 -2
      assert(k <> 7 or double.y == 8, String(double.y)); // 4
    end when;
    annotation(experiment(StopTime = 1));
  end Connected;

  model Kinds "Variables of all types, arrays, an array of states, records, functions, a state without equations"
    type Light = enumeration(Red, Green);
    record Point
      Real x;
      Integer n;
    end Point;
    function twice
      input Real u[2];
      output Real y[2] = 2*u;
    end twice;
    block Step
      parameter Integer id;
      outer output Light light;
      outer output Real v[2];
      Boolean b(start = true);
      Point p(x(start = 1), n(start = 1));
      Real z[2](start = {1, 2});
    equation
      light = if id == 2 then Light.Green else Light.Red;
      b = not previous(b);
      v = previous(v) + {id, 1};
      p.x = 2*previous(p.x);
      p.n = previous(p.n) + id;
      z = twice(previous(z));
    end Step;
    Step s[2](id = {1, 2});
    inner Light light(start = Light.Green);
    inner Real v[2](start = {10, 20});
    Integer k(start = 0);
  equation
    initialState(s[1]);
    for i in 1:2 loop
      transition(s[i], s[3 - i], ticksInState() >= 2, reset = i == 1);
    end for;
    when Clock(1, 10) then
      k = previous(k) + 1;
      assert((light == Light.Green) == (mod(k - 1, 4) >= 2), String(k));
      assert(k <> 8 or abs(v[1] - 22) + abs(v[2] - 28) < 1e-12, String(k) + ": " + String(v[1])); // 1 1 2 2 1 1 2 2
      assert(k <> 8 or abs(s[1].p.x - 16) < 1e-12 and s[1].p.n == 5 and s[1].b and abs(s[1].z[2] - 32) < 1e-12, String(s[1].p.x));
      assert(k <> 8 or abs(s[2].p.x - 4) < 1e-12 and s[2].p.n == 5 and s[2].b and abs(s[2].z[2] - 8) < 1e-12, String(s[2].p.x));
    end when;
    annotation(experiment(StopTime = 0.75));
  end Kinds;
end StateMachines;
