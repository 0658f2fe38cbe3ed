package Pile "Layers of balls that fall on each other (test_pile.c builds the same in C)"
  import Rattleback.*;

  model Poured
    inner World world(g = 9.81, n = {0, 0, -1});
    constant Integer count = 48;
    constant Real pitch = 0.05001;
    Parts.Solid floor(shape = Shapes.HalfSpace(), material = "Steel", fixed = true);
    Parts.Solid ball[count](each shape = Shapes.Sphere(0.05), each material = "Steel",
      r = {{mod(i, 4)*pitch + div(i, 16)*0.008, mod(div(i, 4), 4)*pitch + div(i, 16)*0.006, 0.0251 + div(i, 16)*0.049 + mod(7*i, 11)*0.00002} for i in 0:count - 1},
      v = {{0, 0, -0.5*div(i, 16)} for i in 0:count - 1});
  end Poured;

  model Watched "The same with a sensor on one of them"
    extends Poured;
    Sensors.Contact floor_sensor(a = "floor");
  end Watched;

  model Beside "The same beside equations that have nothing to do with it"
    extends Poured;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end Beside;
end Pile;
