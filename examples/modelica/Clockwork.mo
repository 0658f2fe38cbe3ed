package Clockwork "Mechanisms of solids that touch by their surfaces, also where these are concave: Geneva drive and lever escapement"
  // rattleback simulate Clockwork.mo Clockwork.Escapement; each model says in its description what to plot.
  import Rattleback.*;

  model Geneva "A drive with a pin turns a wheel with slots, step by step (plot output_.phi; Elmqvist et al. 2015, section 8.2)"
    parameter Integer nSlots(min = 3) = 6;
    final parameter Units.Length distance = 1/cos(pi/nSlots);
    inner World world(g = 9.81);
    Materials.Solid polymer(name = "Polymer", density = 1000);
    Materials.SurfacePair dry(a = "Polymer", b = "Polymer", form = Types.VolumeForm.potential, modulus = 1e8, length = 0.04, damping = 2, slidingFriction = 0.05,
      slipSpeed = 0.01, sticks = false);
    Parts.Fixed bearing(r = {distance, 0, 0});
    Joints.Revolute output_(n = {0, 1, 0}, d = 2);
    Joints.Revolute input_(n = {0, 1, 0}, w(start = pi), d = 2e4, w_rest = pi) "A motor that holds half a turn per second";
    Parts.Workpiece wheel(mesh = Solids.GenevaWheel(nSlots = nSlots), material = "Polymer");
    Parts.Workpiece drive(mesh = Solids.GenevaDrive(nSlots = nSlots), material = "Polymer");
  equation
    connect(world.frame_b, output_.frame_a);
    connect(output_.frame_b, wheel.frame_a);
    connect(bearing.frame_b, input_.frame_a);
    connect(input_.frame_b, drive.frame_a);
    annotation(experiment(StopTime = 10, Tolerance = 1e-5));
  end Geneva;

  model Geneva3 "The same with three slots: a third of a turn in a sixth of the time, and a pin that hits the slot"
    extends Geneva(nSlots = 3);
    annotation(experiment(StopTime = 10, Tolerance = 1e-5));
  end Geneva3;

  package Lever "The parts of a lever escapement. Lengths are in units of the radius of the escape wheel, whose axis is the origin; the wheel turns clockwise, the lever about a point above it, the balance about one above that"
    constant Units.Length unit = 0.02 "Radius of the wheel";
    constant Units.Length height = 0.002 "Of the lever";
    constant Real degree(unit = "rad") = pi/180;
    constant Integer teeth = 15;
    constant Real axis = 1/cos(pi/6) "Of the lever";
    constant Units.Angle thickness = 10.5*degree "Of a pallet, seen from the wheel: with half a pitch of 12 degrees the wheel falls by 1.5";
    constant Units.Angle lift = 8*degree "By which the lever turns during an impulse";
    constant Units.Angle lock = 1.5*degree "So deep a tooth falls on a pallet";
    constant Units.Angle bank = 6.5*degree "And so far the lever turns to both sides in all";
    constant Real tines = 1.2, reach = 0.4, pin = 0.05, play = 0.003;
    constant Real middle = tan(pi/6) "Radius of the pallets";

    function at "A point in polar coordinates"
      input Real radius;
      input Units.Angle angle;
      input Real centre = 0 "Along y";
      output Real point[2];
    algorithm
      point := {radius*cos(angle), centre + radius*sin(angle)};
    end at;

    function direction "Of a tip of the wheel that is at a distance from the axis of the lever, seen from there"
      input Real distance;
      input Integer side "-1: to the left";
      output Units.Angle angle;
    protected
      Real down = (axis^2 + distance^2 - 1)/(2*axis);
    algorithm
      angle := atan2(-down, side*sqrt(distance^2 - down^2));
    end direction;

    function wheel "Pointed teeth that lean towards the way they go, so that only their tips touch"
      output Solids.TriangleMesh mesh;
    protected
      Real points[3*teeth, 2];
    algorithm
      for k in 0:teeth - 1 loop
        points[3*k + 1, :] := unit*at(0.75, 2*pi*k/teeth + 6*degree);
        points[3*k + 2, :] := unit*at(1, 2*pi*k/teeth);
        points[3*k + 3, :] := unit*at(0.75, 2*pi*k/teeth + 16*degree);
      end for;
      mesh := Solids.translate(Solids.extrude(Solids.Polygon(points), 0.8*height), {0, 0, 0.1*height}) "No face in a plane with one of the lever";
    end wheel;

    function drawn "Where a tooth rests the pallet leans by 12 degrees, so that the tooth pulls the lever to its stop"
      input Units.Angle behind "The corner";
      output Real depth;
    algorithm
      depth := tan(12*degree)*middle*min(abs(behind), 8*degree);
    end drawn;

    function pallet "One pallet in the frame of the lever, from its slanted end to the height of the axis"
      input Integer side;
      input Integer pieces = 24;
      output Solids.TriangleMesh mesh;
    protected
      Real inner_ = middle - thickness/2, outer_ = middle + thickness/2;
      Units.Angle at_outer = direction(outer_, side) - lift/2 + (if side < 0 then lock else 0);
      Units.Angle at_inner = direction(inner_, side) + lift/2 - (if side > 0 then lock else 0);
      Units.Angle level = if side < 0 then -pi else 0;
      Units.Angle angle;
      Real points[2*pieces + 2, 2];
    algorithm
      for k in 0:pieces loop
        angle := level + (at_outer - level)*k/pieces;
        points[k + 1, :] := unit*at(outer_ - (if side < 0 then drawn(at_outer - angle) else 0), angle);
        angle := level + (at_inner - level)*k/pieces;
        points[2*pieces + 2 - k, :] := unit*at(inner_ + (if side > 0 then drawn(angle - at_inner) else 0), angle);
      end for;
      mesh := Solids.extrude(Solids.Polygon(points), height);
    end pallet;

    function bar
      input Real x[2], y[2], z[2] = {0, 1} "From and to; z in units of the height";
      output Solids.TriangleMesh mesh;
    algorithm
      mesh := Solids.translate(Solids.Box({unit*(x[2] - x[1]), unit*(y[2] - y[1]), height*(z[2] - z[1])}), {unit*x[1], unit*y[1], height*z[1]});
    end bar;

    function lever "Its fork ends where the pin of a balance that leaves passes over the corners"
      output Solids.TriangleMesh mesh;
    protected
      Real outer_ = middle + thickness/2, slot = pin + play;
    algorithm
      mesh := pallet(-1) + pallet(1) + bar({-outer_, outer_}, {-0.03, 0.06}) + bar({-0.05, 0.05}, {0, tines - 0.15}) + bar({-0.12, 0.12}, {tines - 0.2, tines - 0.0213});
      mesh := Solids.simplify(mesh - bar({-slot, slot}, {tines - 0.08, tines}, {-1, 2}), 1e-12);
    end lever;

    function balance "The pin points down to the lever; a disc above all carries it"
      output Solids.TriangleMesh mesh;
    algorithm
      mesh := Solids.translate(Solids.Cylinder(unit*pin, 1.5*height, 32), {0, -unit*reach, -0.2*height}) + Solids.translate(Solids.Cylinder(0.6*unit, 0.5*height, 48), {0, 0, 1.2*height});
    end balance;
  end Lever;

  model Escapement "A lever escapement: one tooth of the wheel for each period of the balance (plot tick.phi, escape.phi)"
    import Clockwork.Lever;
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Units.Inertia J = 1e-5 "Of the balance";
    parameter Units.Frequency f = 1 "Of the balance";
    parameter Real quality = 60 "Of the balance";
    parameter Units.Torque drive = 1e-3 "On the escape wheel";
    final parameter Units.RotationalSpringConstant c = J*(2*pi*f)^2;
    final parameter Units.Length pivot = Lever.unit*Lever.axis, staff = pivot + Lever.unit*(Lever.tines + Lever.reach);
    final parameter Real held[2] = Lever.at(Lever.middle + Lever.thickness/2, Lever.direction(Lever.middle + Lever.thickness/2, -1), Lever.axis) "Tooth on the left pallet";
    Materials.Solid light(name = "Light", density = 500), heavy(name = "Heavy", density = 1500);
    Materials.SurfacePair oiled[3](a = {"Light", "Light", "Heavy"}, b = {"Light", "Heavy", "Heavy"}, each form = Types.VolumeForm.potential, each modulus = 3e7, each length = 5e-4,
      each restitution = 0.2, each slidingFriction = 0.1, each slipSpeed = 0.005, each sticks = false);
    Parts.Fixed lever_bearing(r = {0, pivot, 0}), balance_bearing(r = {0, staff, 0});
    Joints.Revolute escape(phi(start = atan2(held[2], held[1]) + 0.2*Lever.degree), d = 1e-6, tau_0 = -drive);
    Joints.Revolute pallets(phi(start = Lever.bank - 0.1*Lever.degree), d = 2e-6, phi_min = -Lever.bank, phi_max = Lever.bank, c_stop = 1, d_stop = 0.5);
    Joints.Revolute tick(phi(start = -2.81), c = c, d = sqrt(J*c)/quality);
    Parts.Workpiece wheel(mesh = Lever.wheel(), material = "Light");
    Parts.Workpiece lever(mesh = Lever.lever(), material = "Heavy");
    Parts.BodyWorkpiece balance(mesh = Lever.balance(), m = 0.05, I_11 = J, I_22 = J, I_33 = J, material = "Heavy");
  equation
    connect(world.frame_b, escape.frame_a);
    connect(escape.frame_b, wheel.frame_a);
    connect(lever_bearing.frame_b, pallets.frame_a);
    connect(pallets.frame_b, lever.frame_a);
    connect(balance_bearing.frame_b, tick.frame_a);
    connect(tick.frame_b, balance.frame_a);
    annotation(experiment(StopTime = 60, Tolerance = 1e-5));
  end Escapement;
end Clockwork;
