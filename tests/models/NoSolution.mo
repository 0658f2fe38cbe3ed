package NoSolution "Equations without a solution from some time on, or with jumps (tests/unit/translate/test_no_solution.c)"
  model Root "No solution behind 0.5 s: the residual is 0.3 there, while Newton's steps become as small as y"
    Real y(start = 1), x(start = 0, fixed = true);
  equation
    sqrt(y) + y = 0.5 - time;
    der(x) = y;
  end Root;

  model RootAside "The same where no derivative needs it"
    Real y(start = 1);
  equation
    sqrt(y) = 0.5 - time;
  end RootAside;

  model Roots "Two unknowns"
    Real y(start = 1), z(start = 1);
  equation
    sqrt(y) + 2*sqrt(z) = 0.5 - time;
    y - z = 0;
  end Roots;

  model Jump "f jumps from -1 to 1 at y = 0: no solution between 0.25 s and 0.75 s"
    Real y(start = 1);
  equation
    noEvent(if y > 0 then y + 1 else y - 1) = 2 - 4*time;
  end Jump;

  model Choices "Slopes do not depend on the unknowns, and yet nothing is linear"
    Real a "a + floor(a) = 2.5";
    Real b, c;
    Real d, e;
    Real f "f + sign(f) = -1.5";
  equation
    a + noEvent(floor(a)) = 2.5;
    b + noEvent(floor(b)) = c;
    c + 0.1*b = 2.7;
    d + noEvent(if e > 1 then 1 else 0) = 3;
    e - d = 0.5;
    f + noEvent(sign(f)) = -1.5;
  end Choices;

  model Rounded "Digits are lost in two equations: in one beside terms of 1e9, in the other where no term shows it"
    Real x, y, z;
    Real s(start = 0, fixed = true);
  equation
    (1e9 + sin(s)*y) - 1e9 + cos(s)*x = 1.1 + 0.1*time;
    cos(s)*x - (1 + s)*y = 0.3 + z;
    (2 + s)*(cos(s)*z + ((1e6 + y) - 1e6) - y) = 0;
    der(s) = 1;
    annotation(experiment(StopTime = 1));
  end Rounded;

  model Refined "From zero the solution is seen through numbers of 1e11, from nearby through small ones"
    parameter Real K = 1e11;
    Real x, y, c = (1 + time)/3;
    Real s(start = 1, fixed = true);
  equation
    (2 + s)*((K + 1)*(y - c) - K*(y - c)) + s*(x - y) = 0;
    (1 + s)*x = (1 + s)*y;
    der(s) = 1;
    annotation(experiment(StopTime = 1));
  end Refined;

  model Triple "A threefold root at 0.5 s is a solution"
    Real y(start = 1);
  equation
    y^3 = 0.5 - time;
  end Triple;
end NoSolution;
