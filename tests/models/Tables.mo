package TableCases "Table blocks against closed forms (tests/unit/translate/test_tables.c)"
  import Rattleback.Blocks.{Sources, Types, Tables};

  model Course "The integral of a course with a jump"
    Sources.CombiTimeTable course(table = [0, 0; 1, 0; 1, 1; 2, 4; 3, 9; 4, 16]);
    Real x(start = 0, fixed = true);
  equation
    der(x) = course.y[1];
    annotation(experiment(StopTime = 4, Tolerance = 1e-9));
  end Course;

  model SawTooth "A table in minutes that repeats itself, shifted and with an offset"
    Sources.CombiTimeTable saw(table = [0, 0; 0.5, 1], timeScale = 60, shiftTime = 6, startTime = 6, offset = {2},
      extrapolation = Types.Extrapolation.Periodic);
    Real x(start = 0, fixed = true);
  equation
    der(x) = saw.y[1];
    annotation(experiment(StopTime = 186, Tolerance = 1e-9));
  end SawTooth;

  model Stairs "Constant segments: events only"
    Sources.CombiTimeTable stairs(table = [0, 1, -1; 0.5, 2, 0; 1.5, 4, 3], smoothness = Types.Smoothness.ConstantSegments,
      extrapolation = Types.Extrapolation.HoldLastPoint);
    Real x[2](each start = 0, each fixed = true);
  equation
    der(x) = stairs.y;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Stairs;

  model Square "u^2 from a table, solved for the input: index reduction needs the derivative of the table"
    Tables.CombiTable1Ds square(table = [0, 0; 1, 1; 2, 4; 3, 9; 4, 16], smoothness = Types.Smoothness.ContinuousDerivative);
    Real p(start = 1, fixed = true) "position along the table";
    Real y, v;
  equation
    der(p) = 1;
    square.u = p;
    y = square.y[1];
    v = der(y);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Square;

  model Plane "Two inputs"
    Tables.CombiTable2Ds plane(table = [0, 1, 2, 3; 1, 1, 3, 5; 2, 2, 4, 6]);
    Tables.CombiTable1Dv two(table = [0, 0, 10; 1, 1, 20; 2, 4, 20]);
    Real z = plane.y;
  equation
    plane.u1 = 1 + time;
    plane.u2 = 1 + 0.5*time;
    two.u = {0.5, time};
    annotation(experiment(StopTime = 1));
  end Plane;

  model Outside "No extrapolation"
    Tables.CombiTable1Ds f(table = [0, 0; 1, 1], extrapolation = Types.Extrapolation.NoExtrapolation);
    Real x(start = 0, fixed = true);
  equation
    f.u = x;
    der(x) = 1 + 0*f.y[1];
    annotation(experiment(StopTime = 2));
  end Outside;

  model FromFile
    parameter String file = "tables.txt";
    Tables.CombiTable1Ds f(tableOnFile = true, tableName = "second", fileName = file, columns = {3});
  equation
    f.u = time;
    annotation(experiment(StopTime = 1));
  end FromFile;
end TableCases;
