// plot: ball.r_0[3] net.low[3] net.strain
model CatchingNet "A ball falls into a net that hangs by its border"
  import Rattleback.*;
  function threads "Molecules along the lines of a net: n by n places, a line every m of them"
    input Integer n;
    input Integer m;
    input Real a "Distance of molecules";
    input Integer lines = div(n - 1, m) + 1;
    output Real r[(2*n - lines)*lines, 3];
  protected
    Integer k = 0;
  algorithm
    for i in 0:n - 1 loop
      for j in 0:n - 1 loop
        if mod(i, m) == 0 or mod(j, m) == 0 then
          k := k + 1;
          r[k, :] := a*{i - (n - 1)/2, j - (n - 1)/2, 0};
        end if;
      end for;
    end for;
  end threads;
  function border "Numbers of the molecules at the border"
    input Integer n;
    input Integer m;
    output Integer number[4*(n - 1)];
  protected
    Integer k = 0;
    Integer found = 0;
  algorithm
    for i in 0:n - 1 loop
      for j in 0:n - 1 loop
        if mod(i, m) == 0 or mod(j, m) == 0 then
          k := k + 1;
          if i == 0 or j == 0 or i == n - 1 or j == n - 1 then
            found := found + 1;
            number[found] := k;
          end if;
        end if;
      end for;
    end for;
  end border;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.SoftBody net(points = threads(13, 3, 0.02), fixedPoints = border(13, 3), gridSize = 0.02, moleculeRadius = 0.008, E = 2e5, zeta = 0.5, mu = 0.5);
  Parts.Solid ball(shape = Shapes.Sphere(0.08), material = "DryWood", mass = 0.05, r = {0.004, 0.002, 0.12});
  annotation(experiment(StopTime = 2));
end CatchingNet;
