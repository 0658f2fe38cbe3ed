// plot: tyre.r[1] tyre.r[3] tyre.strain
model SoftTyre "A soft ring rolls on a table and down over its edge"
  import Rattleback.*;
  function count "Points of a square grid in a ring"
    input Integer from;
    input Integer to;
    output Integer n = 0;
  algorithm
    for x in -to:to loop
      for z in -to:to loop
        if x*x + z*z >= from*from and x*x + z*z <= to*to then
          n := n + 1;
        end if;
      end for;
    end for;
  end count;
  function ring "Molecules of a ring about the y axis, three layers wide"
    input Integer from "Radius, in distances of molecules";
    input Integer to;
    input Real a "Distance of molecules";
    input Integer n = count(from, to);
    output Real r[3*n, 3];
  protected
    Integer k = 0;
  algorithm
    for x in -to:to loop
      for y in -1:1 loop
        for z in -to:to loop
          if x*x + z*z >= from*from and x*x + z*z <= to*to then
            k := k + 1;
            r[k, :] := a*{x, y, z};
          end if;
        end for;
      end for;
    end for;
  end ring;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real v(unit = "m/s") = 0.8 "With which it rolls";
  Parts.Solid table(shape = Shapes.Box(0.5, 0.2, 0.04), material = "DryWood", r = {-0.1, 0, -0.02}, fixed = true);
  Parts.Solid ground(shape = Shapes.Box(1, 0.2, 0.04), material = "DryWood", r = {0.6, 0, -0.05}, fixed = true);
  Parts.SoftBody tyre(points = ring(3, 5, 0.01), gridSize = 0.01, moleculeRadius = 0.0065, r_start = {-0.05, 0, 0.0565},
    v_start = {v, 0, 0}, w_start = {0, v/0.0565, 0}, E = 1e5, zeta = 0.3, mu = 0.8);
  annotation(experiment(StopTime = 0.8));
end SoftTyre;
