within Rattleback;
package Contact "Contact for models that were made without it"
  import Rattleback.Units.*;

  record Orientation "How a frame is turned; fits Modelica.Mechanics.MultiBody.Frames.Orientation"
    Real T[3, 3] "From the axes of the world to those of the frame";
    AngularVelocity w[3] "In the axes of the frame";

    encapsulated function equalityConstraint "Zero if two frames are turned alike"
      import Rattleback.Contact.Orientation;
      input Orientation R1;
      input Orientation R2;
      output Real residue[3];
    protected
      Real T[3, 3] = R2.T*transpose(R1.T) "From the first frame to the second";
    algorithm
      residue := {atan2(T[2, 3], T[3, 3]), atan2(T[3, 1], T[1, 1]), atan2(T[1, 2], T[2, 2])};
    end equalityConstraint;
    annotation(Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}})}));
  end Orientation;

  connector Frame_a "Fits Modelica.Mechanics.MultiBody.Interfaces.Frame: with variables, unlike the frames of Rattleback.Interfaces"
    Position r_0[3] "Position in the world";
    Orientation R;
    flow Force f[3] "In the axes of the frame";
    flow Torque t[3] "In the axes of the frame";
    annotation(Icon(graphics = {Rectangle(extent = {{-30, 100}, {30, -100}}, fillPattern = FillPattern.Solid)}));
  end Frame_a;

  model Moved "A frame whose position is a signal; it does not turn"
    Blocks.Interfaces.RealInput r[3](each unit = "m") "Position in the world";
    Frame_a frame_b;
  equation
    Connections.root(frame_b.R);
    frame_b.r_0 = r;
    frame_b.R.T = identity(3);
    frame_b.R.w = zeros(3);
    annotation(Documentation(info = "<html><p>For collision bodies that move as a function of time: a shaker, a conveyor, a door.</p></html>"),
      Icon(graphics = {Line(points = {{-80, 0}, {80, 0}}), Line(points = {{50, 20}, {80, 0}, {50, -20}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Moved;

  function joined "Names in one text"
    input String names[:];
    output String list;
  algorithm
    list := "";
    for i in 1:size(names, 1) loop
      list := list + names[i] + ",";
    end for;
  end joined;

  partial model PartialCollision "A shape that collides, on a frame"
    Frame_a frame_a "Any frame of Modelica.Mechanics.MultiBody";
    parameter Shapes.Shape shape = Shapes.Sphere(0.1);
    parameter String material = "Steel" "Elasticity";
    parameter String contactMaterial = "" "Name in the table of contact pairs; empty: that of the material";
    parameter String ignore[:] = fill("", 0) "Names of parts that it does not touch";
    parameter String fileName = "" "Of Shapes.Mesh: a file .stl, .obj or .ply, or a folder with one for each convex part";
    parameter Real scale[3] = ones(3) "Of the file, for units other than metres";
    parameter Boolean convexParts = false "Of Shapes.Mesh: each object of the file is a convex part; otherwise the hull of all touches";
    parameter Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
    parameter Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
    Force f[3] "Of all contacts, in the axes of the world";
    Torque t[3] "Of all contacts about frame_a, in the axes of the world";
  protected
    final parameter String ignored = joined(ignore);
    Position r_0[3] = frame_a.r_0;
    Real e_x[3] = frame_a.R.T[1, :] "Axes of the frame";
    Real e_y[3] = frame_a.R.T[2, :];
    Velocity v_0[3] = der(r_0);
    AngularVelocity w[3] = frame_a.R.w;
    Acceleration a_0[3] = der(v_0);
    AngularAcceleration z[3] = der(w);
    annotation(__Rattleback(component = "Multibody", role = "collision", anchor = ""),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, pattern = LinePattern.Dash), Line(points = {{-100, 0}, {-80, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end PartialCollision;

  model CollisionBody "A shape that collides, on a frame of a model whose motion is written as equations"
    extends PartialCollision;
  equation
    frame_a.f = -frame_a.R.T*f;
    frame_a.t = -frame_a.R.T*t;
    annotation(Documentation(info = "<html><p>A finished model of <code>Modelica.Mechanics.MultiBody</code> gets contact by adding these to its frames and nothing else. Its motion
stays in its equations; all collision bodies and all parts of a <code>Rattleback.World</code> in the model touch each other, except those on one frame and those in the list
<code>ignore</code>. It has no mass: that of the model counts. A wall is a collision body on <code>world.frame_b</code>. To choose materials or the damping of contacts add
<code>inner Rattleback.World</code> under any name.</p></html>"));
  end CollisionBody;

  model MeshBody "A body whose mass and shape are those of a solid, on a frame of a model whose motion is written as equations"
    extends PartialCollision(final shape = Shapes.Mesh());
    parameter Solids.TriangleMesh mesh "Its solid, in frame_a";
    parameter Real density(unit = "kg/m3", min = 0) = 7700;
    parameter Acceleration gravity[3] = {0, -9.80665, 0} "That of the model, in the axes of the world";
    final parameter Solids.MassProperties p = Solids.massProperties(mesh, density);
    final parameter Real I[3, 3](each unit = "kg.m2") = [p.I_11, p.I_21, p.I_31; p.I_21, p.I_22, p.I_32; p.I_31, p.I_32, p.I_33] "About the centre of mass";
  protected
    Force f_body[3] = p.m*a_CM "That moves it, in the axes of frame_a";
    Acceleration a_CM[3] = frame_a.R.T*(a_0 - gravity) + cross(z, p.r_CM) + cross(w, cross(w, p.r_CM)) "Of the centre of mass, less gravity, in the axes of frame_a";
  equation
    frame_a.f = f_body - frame_a.R.T*f;
    frame_a.t = I*z + cross(w, I*w) + cross(p.r_CM, f_body) - frame_a.R.T*t;
    annotation(Documentation(info = "<html><p>Like <code>Parts.Body</code> of <code>Modelica.Mechanics.MultiBody</code> on a joint or on another body, with mass, centre of mass and inertia of the solid, and it
touches by its surface. It moves with what it is connected to: for a body that flies put it on a <code>FreeMotion</code> joint. Files of the solid are named from where the run is started.</p></html>"));
  end MeshBody;
end Contact;
