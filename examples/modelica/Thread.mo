package Thread "A nut on a bolt: solids made from points by a function, and by constructive geometry"
  // rattleback simulate Thread.mo Thread.NutOnBolt; plot nut.r_0[3], nut.w_0[3].
  import Rattleback.*;

  function twisted "A bar whose section is an ellipse, twisted about the z axis, from z = 0. Its facets stand out by a quarter of their width times the angle of a layer"
    input Units.Length width[2], height, pitch "In which it turns once";
    input Integer layers, corners = 24;
    output Solids.TriangleMesh mesh;
  protected
    Real points[corners*(layers + 1), 3];
    Integer faces[2*corners*(layers + 1) - 4, 3];
    Units.Angle turn, angle;
    Integer a, b, n = 0;
  algorithm
    for k in 0:layers loop
      turn := 2*pi*height*k/layers/pitch;
      for i in 1:corners loop
        angle := 2*pi*i/corners;
        points[corners*k + i, :] := {0.5*width[1]*cos(angle)*cos(turn) - 0.5*width[2]*sin(angle)*sin(turn), 0.5*width[1]*cos(angle)*sin(turn) + 0.5*width[2]*sin(angle)*cos(turn), height*k/layers};
      end for;
    end for;
    for k in 0:layers - 1 loop
      for i in 1:corners loop
        a := corners*k + i;
        b := corners*k + mod(i, corners) + 1;
        faces[n + 1, :] := {a, b, b + corners};
        faces[n + 2, :] := {a, b + corners, a + corners};
        n := n + 2;
      end for;
    end for;
    for i in 2:corners - 1 loop
      faces[n + 1, :] := {1, i + 1, i};
      faces[n + 2, :] := {corners*layers + 1, corners*layers + i, corners*layers + i + 1};
      n := n + 2;
    end for;
    mesh := Solids.TriangleMesh(points, faces);
  end twisted;

  model NutOnBolt "A nut runs down a steep thread: without friction it falls by g*m/(m + J*(2*pi/pitch)^2), and turns once in a pitch (plot nut.v_0[3], nut.w_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Units.Length pitch = 0.2;
    parameter Units.Length length = 0.08 "Of the bolt";
    parameter Integer layers = 30 "Of its mesh";
    parameter Real mu = 0 "Coefficient of friction";
    parameter Units.Length width[2] = {0.04, 0.02} "Of the bolt", play = 1e-3 "Of the nut on it";
    Materials.SurfacePair oiled(a = "bolt", b = "nut", form = Types.VolumeForm.potential, modulus = 1e9, length = 0.01, restitution = 1, slidingFriction = mu);
    Parts.Workpiece bolt(mesh = twisted(width, length, pitch, layers), fixed = true);
    Parts.Workpiece nut(mesh = Solids.translate(Solids.Cylinder(0.03, 0.015, 24), {0, 0, length - 0.02}) - twisted(width + {play, play}, length, pitch, layers));
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-5));
  end NutOnBolt;
end Thread;
