package RattlebackContact "Contact for models of Modelica.Mechanics.MultiBody, in any Modelica tool"
  class UsersGuide "What is collided with what"
    annotation(Documentation(info = "<html>
<p>A finished model of <code>Modelica.Mechanics.MultiBody</code> gets contact in three steps:</p>
<ol>
<li>Add an <code>inner RattlebackContact.CollisionWorld collisionWorld(bodies = 2)</code>.</li>
<li>Connect collision bodies, <code>Sphere ball(id = 1, diameter = 0.1)</code>, to the frames of the parts that touch. Their ids are 1, 2, ...</li>
<li>Set <code>fixed = true</code> for those that do not move, such as a floor on <code>world.frame_b</code>.</li>
</ol>
<p>Collision bodies have no mass in the model: the bodies that they are connected to have. Their parameter <code>m</code> is the mass that the damping of a contact is
calculated for, and follows from shape and material if it is not given.</p>
<p>Contacts are continuous forces that start and end at events. Bodies that are so fast or thin that they pass through each other within one step of the integrator need a
largest step. Contacts are stiff: choose a tolerance of 1e-6 or less.</p>
</html>"));
  end UsersGuide;

  model CollisionWorld "What all collision bodies have in common; put it at the top of the model as inner collisionWorld"
    parameter Integer bodies(min = 0) = 0 "Number of collision bodies, which have the ids 1, 2, ..., bodies";
    parameter Law laws[:] = fill(Law(), 0) "For pairs whose materials do not say enough, or something else; of several the last one counts";
    parameter Integer ignore[:, 2] = fill(0, 0, 2) "Ids of two collision bodies that do not touch each other";
    parameter Boolean animation = true "Show the shapes";
    output Real indicator "Positive; an event where it falls below zero: a contact starts or ends";
    output Modelica.Units.SI.Energy elasticEnergy "Stored in contacts";
    discrete output Integer events(start = 0, fixed = true) "How often contacts have started or ended";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame[bodies] "Of the collision bodies, which connect themselves";
    Internal.Count count "Of the collision bodies that are there";
    parameter Internal.World world = Internal.World(bodies, cat(1, Internal.lawNumbers(laws), Internal.ignoredNumbers(ignore))) "For the collision bodies";
  protected
    Real ready = count.total "Orders calls: after all bodies have said what they are";
    Real r[bodies, 3] = {frame[i].r_0 for i in 1:bodies};
    Real T[bodies, 3, 3] = {frame[i].R.T for i in 1:bodies};
    Real v[bodies, 3];
    Real w[bodies, 3] = {transpose(frame[i].R.T)*frame[i].R.w for i in 1:bodies};
    Real f[bodies, 3] "On the frames, in the axes of the world";
    Real t[bodies, 3];
  equation
    v = der(r);
    indicator = Internal.indicator(world, ready, pre(events), r, T, v, w);
    when {initial(), indicator < 0} then
      events = Internal.meet(world, ready, pre(events), r, T, v, w);
    end when;
    (f, t, elasticEnergy) = Internal.forces(world, ready, events, r, T, v, w);
    for i in 1:bodies loop
      frame[i].f = -frame[i].R.T*f[i, :];
      frame[i].t = -frame[i].R.T*t[i, :];
    end for;
    annotation(defaultComponentName = "collisionWorld", defaultComponentPrefixes = "inner",
      missingInnerMessage = "Add an inner RattlebackContact.CollisionWorld with the name collisionWorld to the model",
      Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid), Ellipse(extent = {{-60, 60}, {0, 0}}), Rectangle(extent = {{-60, 0}, {60, -30}}), Text(extent = {{-150, 150}, {150, 110}}, textString = "%name"), Text(extent = {{-100, -50}, {100, -80}}, textString = "bodies = %bodies")}),
      Documentation(info = "<html><p>Laws of contacts are those of the materials, in which friction slides (nothing sticks). An entry of <code>laws</code> changes what it says for the pairs that it
names: <code>Law(a = 1, b = 2, restitution = 0.5)</code>; <code>Law(mu_k = 0.1)</code> holds for all.</p></html>"));
  end CollisionWorld;

  record Law "How two collision bodies press and rub; what is negative is as the materials say"
    parameter Integer a = 0 "Id of one body; 0: any";
    parameter Integer b = 0 "Id of the other one; 0: any";
    parameter Types.Normal normal = Types.Normal.Materials;
    parameter Types.Friction friction = Types.Friction.Materials;
    parameter Real restitution = -1 "0 ... 1";
    parameter Real mu_k = -1 "Sliding friction";
    parameter Real mu_s = -1 "Static friction (Static, Curve)";
    parameter Real mu_r = -1 "Rolling resistance, times the contact radius";
    parameter Real v_small = -1 "Speed below which friction and restitution are smooth [m/s]";
    parameter Real w_small = -1 "Angular speed below which rolling resistance is smooth [rad/s]";
    parameter Real v_static = -1 "Transition from static to sliding friction [m/s]";
    parameter Real stiffness = -1 "Spring-damper: K of K*depth^n [N/m^n]";
    parameter Real exponent = -1 "Spring-damper: n";
    parameter Real damper = -1 "Spring-damper [N.s/m]; the force of the damper is at most that of the spring";
    parameter Real max_friction = -1 "Largest friction force (Static) [N]";
    parameter Real modulus = -1 "Of surfaces: 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2) [Pa]";
  end Law;

  model Sphere "Collision body: a ball"
    parameter Modelica.Units.SI.Length diameter = 0.1;
    extends Internal.Body(final shape = Types.Shape.Sphere, final size = {diameter, diameter, diameter}, final shapeType = "sphere", final visible = {diameter, diameter, diameter}, final offset = {-diameter/2, 0, 0});
  end Sphere;

  model Ellipsoid "Collision body: an ellipsoid"
    parameter Modelica.Units.SI.Length lengths[3] = {0.1, 0.1, 0.1} "Along x, y, z";
    extends Internal.Body(final shape = Types.Shape.Ellipsoid, final size = lengths, final shapeType = "sphere", final visible = lengths, final offset = {-lengths[1]/2, 0, 0});
  end Ellipsoid;

  model Box "Collision body: a box about its frame"
    parameter Modelica.Units.SI.Length lengths[3] = {0.1, 0.1, 0.1} "Along x, y, z";
    extends Internal.Body(final shape = Types.Shape.Box, final size = lengths, final shapeType = "box", final visible = lengths, final offset = {-lengths[1]/2, 0, 0});
  end Box;

  model Cylinder "Collision body: a cylinder about its frame"
    parameter Modelica.Units.SI.Length diameter = 0.1;
    parameter Modelica.Units.SI.Length length = 0.1;
    extends Internal.Body(final shape = Types.Shape.Cylinder, final size = {diameter, length, 0}, final shapeType = "cylinder", final visible = {length, diameter, diameter}, final offset = -length/2*along);
  end Cylinder;

  model Cone "Collision body: a cone or a frustum; the frame is at the centre of its base"
    parameter Modelica.Units.SI.Length diameter = 0.1;
    parameter Modelica.Units.SI.Length length = 0.1;
    parameter Modelica.Units.SI.Length topDiameter = 0;
    extends Internal.Body(final shape = Types.Shape.Cone, final size = {diameter, length, topDiameter}, final shapeType = "cone", final visible = {length, diameter, diameter}, final extra = topDiameter/diameter);
  end Cone;

  model Capsule "Collision body: a cylinder with round ends about its frame"
    parameter Modelica.Units.SI.Length diameter = 0.1;
    parameter Modelica.Units.SI.Length length = 0.1 "Of the cylindrical part";
    extends Internal.Body(final shape = Types.Shape.Capsule, final size = {diameter, length, 0}, final shapeType = "cylinder", final visible = {length + diameter, diameter, diameter}, final offset = -(length + diameter)/2*along);
  end Capsule;

  model Beam "Collision body: a bar with round ends about its frame"
    parameter Modelica.Units.SI.Length length = 0.1 "Between the centres of the ends";
    parameter Modelica.Units.SI.Length width = 0.02 "Across, also the diameter of the ends";
    parameter Modelica.Units.SI.Length thickness = 0.02;
    extends Internal.Body(final shape = Types.Shape.Beam, final size = {length, width, thickness}, final shapeType = "beam", final visible = {length, width, thickness}, final offset = -length/2*along);
  end Beam;

  model HalfSpace "Collision body: all that is below z = 0 of its frame"
    parameter Modelica.Units.SI.Length shown = 1 "Edge of the square that is shown";
    extends Internal.Body(final fixed = true, final shape = Types.Shape.HalfSpace, final size = zeros(3), final shapeType = "box", final visible = {shown, shown, shown/100}, final offset = {-shown/2, 0, -shown/200});
  end HalfSpace;

  model Mesh "Collision body: from a file"
    parameter String fileName "A file .stl, .obj, .ply or .dxf; a folder with a file for each convex part" annotation(Dialog(loadSelector(filter = "Meshes (*.stl;*.obj;*.ply;*.dxf)", caption = "Mesh of a collision body")));
    parameter Real scale(unit = "m") = 1 "Metres per unit of the file";
    parameter Types.MeshContact contact = Types.MeshContact.Hull "What of it touches";
    extends Internal.Body(final shape = if contact == Types.MeshContact.Hull then Types.Shape.Hull else if contact == Types.MeshContact.Parts then Types.Shape.Parts else Types.Shape.Surface, final size = zeros(3), final file = Modelica.Utilities.Files.loadResource(fileName), final fileScale = scale, final shapeType = "file://" + file, final visible = {scale, scale, scale}, final extra = 1);
  end Mesh;

  package Types "Choices"
    type Shape = enumeration(Sphere, Ellipsoid, Box, Cylinder, Cone, Capsule, Beam, HalfSpace, Hull, Parts, Surface) "ORDER rattleback_contact.h";
    type Normal = enumeration(Materials "By the constants of the materials, with a typed restitution", SpringDamper "K*depth^n and a damper", None "No contact");
    type Friction = enumeration(Materials "As the materials say, without sticking", Sliding "Coulomb, smooth at rest", Static "Static friction below v_static", Curve "Smooth, largest near v_static");
    type MeshContact = enumeration(Hull "The convex hull of its points", Parts "Convex parts: objects of the file, or files of the folder", Surface "The mesh itself, which may be concave; against spheres, ellipsoids, boxes, cylinders, cones and meshes");
  end Types;

  package Internal "What the components above are made of"
    constant Integer lawSize = 16 "ORDER rattleback_contact.h";

    connector CountPin "Sums over all collision bodies"
      Real unused;
      flow Real number;
    end CountPin;

    model Count "The sum"
      CountPin pin;
      Real total = pin.number;
    equation
      pin.unused = 0;
    end Count;

    partial model Body "A shape on a frame"
      Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
      parameter Integer id(min = 1) "Its number in the collision world: 1, 2, ..." annotation(Evaluate = true);
      parameter Boolean fixed = false "The frame does not move";
      parameter Integer partOf = 0 "Id of a collision body on the same rigid body, if there is one; 0: none";
      parameter Modelica.Units.SI.Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
      parameter Modelica.Units.SI.Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a, about x, y, z one after the other";
      parameter Integer axis(min = 1, max = 3) = 3 "Of cylinders, cones, capsules and beams: along x, y or z";
      parameter Modelica.Units.SI.Length smoothing = 0.001 "Radius of edges";
      parameter String material = "Steel" "Of the palette of Rattleback";
      parameter Modelica.Units.SI.Mass m(min = 0) = 0 "Mass that damping is calculated for; 0: of the shape";
      parameter Real color[3] = {150, 150, 160} annotation(Dialog(colorSelector = true));
      parameter Types.Shape shape annotation(Dialog(enable = false));
      parameter Real size[3] annotation(Dialog(enable = false));
      parameter String file = "" annotation(Dialog(enable = false));
      parameter Real fileScale = 1 annotation(Dialog(enable = false));
    protected
      outer CollisionWorld collisionWorld;
      parameter String shapeType;
      parameter Real visible[3] "Length, width, height";
      parameter Real offset[3] = zeros(3) "Of the visible shape in its frame";
      parameter Real extra = 0;
      final parameter Real along[3] = if shape == Types.Shape.Cylinder or shape == Types.Shape.Cone or shape == Types.Shape.Capsule or shape == Types.Shape.Beam then {if axis == k then 1 else 0 for k in 1:3} else {1, 0, 0};
      final parameter Real across[3] = {along[3], along[1], along[2]};
      final parameter Modelica.Mechanics.MultiBody.Frames.Orientation R_shape = Modelica.Mechanics.MultiBody.Frames.axesRotations({1, 2, 3}, angles_shape, zeros(3));
      parameter Real known = declare(collisionWorld.world, id, getInstanceName(), Integer(shape), size, axis, smoothing, file, fileScale, r_shape, angles_shape, material, m, fixed, partOf);
      Single single(number = known);
      Modelica.Mechanics.MultiBody.Visualizers.Advanced.Shape visual(shapeType = shapeType, R = frame_a.R, r = frame_a.r_0, r_shape = r_shape + Modelica.Mechanics.MultiBody.Frames.resolve1(R_shape, offset), lengthDirection = Modelica.Mechanics.MultiBody.Frames.resolve1(R_shape, along), widthDirection = Modelica.Mechanics.MultiBody.Frames.resolve1(R_shape, across), length = visible[1], width = visible[2], height = visible[3], extra = extra, color = color) if collisionWorld.animation;
    equation
      connect(frame_a, collisionWorld.frame[id]);
      connect(single.pin, collisionWorld.count.pin);
      annotation(Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, pattern = LinePattern.Dash), Line(points = {{-100, 0}, {-80, 0}}), Text(extent = {{-150, 110}, {150, 70}}, textString = "%name"), Text(extent = {{-80, 20}, {80, -20}}, textString = "%id")}));
    end Body;

    model Single "One of them"
      CountPin pin;
      input Real number;
    equation
      pin.number = -number;
    end Single;

    class World "Rattleback's scene of collision bodies"
      extends ExternalObject;
      function constructor
        input Integer bodies;
        input Real laws[:, :];
        output World world;
        external "C" world = rattleback_modelica_open(bodies, laws, size(laws, 1))
          annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
      end constructor;
      function destructor
        input World world;
        external "C" rattleback_modelica_close(world)
          annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
      end destructor;
    end World;

    function declare "What a collision body is; the same again changes nothing"
      input World world;
      input Integer id;
      input String name;
      input Integer shape;
      input Real size[3];
      input Integer axis;
      input Real smoothing;
      input String file;
      input Real scale;
      input Real r_shape[3];
      input Real angles[3];
      input String material;
      input Real m;
      input Boolean fixed;
      input Integer partOf;
      output Real one "1";
      external "C" one = rattleback_modelica_body(world, id, name, shape, size, axis, smoothing, file, scale, r_shape, angles, material, m, fixed, partOf)
        annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
    end declare;

    function forces "A function of the poses, between two events"
      input World world;
      input Real ready;
      input Integer events;
      input Real r[:, 3];
      input Real T[:, 3, 3];
      input Real v[:, 3];
      input Real w[:, 3];
      output Real f[size(r, 1), 3];
      output Real t[size(r, 1), 3];
      output Real elastic;
      external "C" rattleback_modelica_forces(world, events, r, T, v, w, f, t, elastic)
        annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
    end forces;

    function indicator "Negative where a contact starts or ends"
      input World world;
      input Real ready;
      input Integer events;
      input Real r[:, 3];
      input Real T[:, 3, 3];
      input Real v[:, 3];
      input Real w[:, 3];
      output Real z;
      external "C" rattleback_modelica_indicator(world, events, r, T, v, w, z)
        annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
    end indicator;

    impure function meet "Decides anew who touches whom"
      input World world;
      input Real ready;
      input Integer before;
      input Real r[:, 3];
      input Real T[:, 3, 3];
      input Real v[:, 3];
      input Real w[:, 3];
      output Integer events;
      external "C" events = rattleback_modelica_meet(world, before, r, T, v, w)
        annotation(Include = "#include \"RattlebackContact.h\"", Library = "rattleback_contact");
    end meet;

    function lawNumbers
      input Law laws[:];
      output Real numbers[size(laws, 1), lawSize];
    algorithm
      for i in 1:size(laws, 1) loop
        numbers[i, :] := {laws[i].a, laws[i].b, Integer(laws[i].normal), Integer(laws[i].friction), laws[i].restitution, laws[i].mu_k, laws[i].mu_s, laws[i].mu_r, laws[i].v_small, laws[i].w_small, laws[i].v_static, laws[i].stiffness, laws[i].exponent, laws[i].damper, laws[i].max_friction, laws[i].modulus};
      end for;
    end lawNumbers;

    function ignoredNumbers "Laws without contact"
      input Integer pairs[:, 2];
      output Real numbers[size(pairs, 1), lawSize];
    algorithm
      for i in 1:size(pairs, 1) loop
        numbers[i, :] := cat(1, {pairs[i, 1], pairs[i, 2], Integer(Types.Normal.None), Integer(Types.Friction.Materials)}, fill(-1.0, lawSize - 4));
      end for;
    end ignoredNumbers;
  end Internal;
  annotation(version = "0.1.0", uses(Modelica(version = "4.0.0")));
end RattlebackContact;
