within Rattleback;
package Parts "Bodies, and frames that are fixed to each other"
  import Rattleback.Units.*;
  import Rattleback.Interfaces.*;

  model Solid "A part with a shape and a material, that collides"
    outer World world;
    Frame_a frame_a "Where it is held; unconnected: it moves freely, or is fixed in the world";
    parameter Shapes.Shape shape = Shapes.Box(1, 1, 1);
    parameter String material = "Steel" "Density and elasticity";
    parameter String contactMaterial = "" "Name in the table of contact pairs; empty: that of the material";
    parameter Mass mass = 0 "0: from the density of the material";
    parameter Boolean collidable = true "May touch others";
    parameter Boolean fixed = false "Fixed in the world, unless it is held by what it is connected to";
    parameter Boolean present = true "There from the start; otherwise an action adds it";
    parameter Position r[3] = zeros(3) "Position of frame_a in the world: at the start, or where it is fixed";
    parameter Angle angles[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    parameter Velocity v[3] = zeros(3) "At the start, if it moves freely";
    parameter AngularVelocity w[3] = zeros(3) "At the start, in the axes of the world, if it moves freely";
    parameter Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
    parameter Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
    annotation(__Rattleback(component = "Multibody", role = "solid", anchor = "world"),
      Documentation(info = "<html><p>Mass, centre of mass and inertia follow from shape and density. A solid that is connected to nothing
moves freely from <code>r</code>, or stays there if <code>fixed</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Solid;

  record SoftMaterial "A material of some of the points of a SoftBody; all of a body are of springs, or all of elements of one order"
    Real E(final unit = "Pa", min = 0) = 1e5 "Young's modulus";
    Real nu = 0.25 "Poisson's ratio: 1/4 with springs";
    Real rho(final unit = "kg/m3", min = 0) = 1000 "Density";
    Real zeta(min = 0) = 0.1 "Damping ratio of neighbours";
    Real rho_medium(final unit = "kg/m3", min = 0) = 0 "Density of the medium around";
    Real breakingStrain(min = 0) = 0 "Springs that are longer by this part are torn; 0: never";
    Types.SoftLaw law = Types.SoftLaw.springs;
    Integer order(min = 1, max = 2) = 1 "Of elements: 1, four nodes; 2, ten nodes";
    Integer color[3] = {220, 130, 60};
    annotation(Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, radius = 40, fillPattern = FillPattern.Sphere)}));
  end SoftMaterial;

  model FlexibleBeam "A straight beam that bends, stretches and twists a little, by its modes"
    outer World world;
    Frame_a frame_a "Left end";
    Frame_b frame_b "Right end: at {length, 0, 0} in frame_a while the beam is straight";
    parameter Length length = 1 "Along x of frame_a";
    parameter Length width = length/50 "Along y";
    parameter Length height = width "Along z";
    parameter Real density(unit = "kg/m3", min = 0) = 7700;
    parameter Real E(unit = "Pa", min = 0) = 2.1e11 "Young's modulus";
    parameter Real nu = 0.3 "Poisson's ratio: for torsion";
    parameter Real zeta(min = 0) = 0.01 "Damping ratio of each mode";
    parameter Integer modes(min = 2, max = 12) = 4 "Of bending along y, and as many along z" annotation(Evaluate = true);
    parameter Integer axialModes(min = 0, max = 12) = 1 "Of stretching" annotation(Evaluate = true);
    parameter Integer torsionModes(min = 0, max = 12) = 1 "Of twisting" annotation(Evaluate = true);
    parameter Boolean stiffening = true "The ends approach where the beam bends, so that it stiffens where it is pulled or spins" annotation(Evaluate = true);
    parameter Boolean animation = true "Eight pieces of it are seen" annotation(Evaluate = true);
    parameter Position r_start[3] = zeros(3) "Position of frame_a at the start, if nothing holds the beam";
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start, likewise";
    parameter Velocity v_start[3] = zeros(3) "Velocity of frame_a at the start, likewise";
    parameter AngularVelocity w_0_start[3] = zeros(3) "Angular velocity at the start, in the axes of the world, likewise";
    annotation(__Rattleback(component = "Multibody", role = "flexible", anchor = "world"),
      Documentation(info = "<html><p>The states are the amplitudes <code>q</code> of the modes of the free beam and their rates <code>qd</code>: those along y, along z, of stretching, of twisting.
Joints, forces and sensors at both ends feel the deformation. Bending is that of Euler and Bernoulli; angles of the ends against each other should stay below about 0.5 rad: divide a beam that bends more into several.
It touches nothing.</p></html>"),
      Icon(graphics = {Line(points = {{-100, 0}, {-40, 6}, {20, 24}, {100, 60}}, thickness = 3), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end FlexibleBeam;

  record Interface "Where a frame takes hold of a FlexibleBody"
    Types.InterfaceKind where = Types.InterfaceKind.plane;
    String nodes = "" "Name of a node set of the mesh (in gmsh: a physical surface); if it is given, where does not matter";
    Position r[3] = zeros(3) "Point of the plane, of the axis of the cylinder, or middle of the ball, in the frame of the mesh or the shape";
    Real n[3] = {1, 0, 0} "Normal of the plane, axis of the cylinder";
    Length radius = 0 "Of cylinder and ball; of a plane: nodes are not farther from r than that, 0: any distance";
    Length length = 0 "Of the cylinder, r in its middle; 0: any";
    Length tolerance = 0 "How far nodes may be off the plane (0: 1e-5 of the part's size) or the cylinder (0: 0.02 of its radius, of shapes that are filled 0.3 cells)";
    Boolean rigid = true "Holds its nodes together; otherwise the frame moves as they do in the mean";
    Boolean standsAtR = false "The frame stands at r, as those of cylinders and balls always do; otherwise in the middle of the area between its nodes";
    annotation(Icon(graphics = {Line(points = {{-80, 60}, {-80, -60}}, thickness = 3), Rectangle(extent = {{-80, 40}, {80, -40}})}));
  end Interface;

  model FlexibleBody "A part of finite elements that bends, by its modes"
    outer World world;
    parameter String fileName = "" "Mesh of tetrahedra: .msh (gmsh) or .inp (CalculiX, Abaqus), beside the model, a path, or modelica://Package/file; or with shape = Shapes.Mesh() a surface";
    parameter Real scale[3] = ones(3) "For files in other units: 0.001*ones(3) for millimetres";
    parameter Shapes.Shape shape = Shapes.None() "Without a mesh of elements: filled with elements, its frame is that of the mesh";
    parameter Length gridSize[3](each min = 0) = zeros(3) "Cells of the grid that a shape is filled with: let them divide the lengths of the shape; 0: chosen, two elements or more across each side";
    parameter Integer order(min = 1, max = 2) = 2 "Of the elements that fill a shape: 1, four nodes (much too stiff in bending); 2, ten nodes";
    parameter Interface interfaces[:] "Where others take hold of it: one frame each";
    Frame_b frames[size(interfaces, 1)] "In the axes of the mesh while the part is not deformed";
    parameter String material = "Steel" "Density, E and nu, unless these are given";
    parameter Real density(unit = "kg/m3", min = 0) = 0 "0: of the material";
    parameter Real E(unit = "Pa", min = 0) = 0 "Young's modulus; 0: of the material";
    parameter Real nu(min = -1) = -1 "Poisson's ratio; -1: of the material";
    parameter Integer modes(min = 0, max = 400) = 10 "With all interfaces held; 6 for each interface but one come on top" annotation(Evaluate = true);
    parameter Real highestFrequency(unit = "Hz", min = 0) = 0 "Instead of a number of modes: all modes with interfaces held up to here; 0: the number";
    parameter Real zeta(min = 0) = 0.01 "Damping ratio of each mode of the free part";
    parameter Real alpha(unit = "1/s", min = 0) = 0 "Rayleigh's damping on top: alpha times mass ...";
    parameter Real beta(unit = "s", min = 0) = 0 "... and beta times stiffness: zeta/(pi*f) is the ratio zeta at the frequency f, however the part is held";
    parameter Boolean stiffening = true "Points move to second order, so that the part stiffens where it is pulled or spins" annotation(Evaluate = true);
    parameter Position r_start[3] = zeros(3) "Position of the frame of the mesh at the start, if nothing holds the part";
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start, likewise";
    parameter Velocity v_start[3] = zeros(3) "Velocity of that frame at the start, likewise";
    parameter AngularVelocity w_0_start[3] = zeros(3) "Angular velocity at the start, in the axes of the world, likewise";
    parameter Real stressScale(unit = "Pa", min = 0) = 0 "Von Mises stress that is drawn in full colour (red); 0: the largest of the run";
    parameter Real deformationScale = 1 "Displacements are drawn so many times as large";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
  protected
    parameter Boolean convexParts = false annotation(HideResult = true);
    final parameter Real interfaceRows[size(interfaces, 1), 12] = {{if interfaces[i].nodes <> "" then 1 else Integer(interfaces[i].where), interfaces[i].r[1], interfaces[i].r[2], interfaces[i].r[3],
      interfaces[i].n[1], interfaces[i].n[2], interfaces[i].n[3], interfaces[i].radius, interfaces[i].length, interfaces[i].tolerance,
      if interfaces[i].rigid then 1 else 0, if interfaces[i].standsAtR then 1 else 0} for i in 1:size(interfaces, 1)} "As the component in C reads them" annotation(HideResult = true);
    final parameter String interfaceNodes = lines(interfaces.nodes) annotation(HideResult = true);
    function lines "Texts, each followed by the end of a line"
      input String texts[:];
      output String all = "";
    algorithm
      for i in 1:size(texts, 1) loop
        all := all + texts[i] + "\n";
      end for;
    end lines;
    annotation(__Rattleback(component = "Multibody", role = "flexible_body", anchor = "world"),
      Documentation(info = "<html><p>The mesh is reduced to a few modes when a run starts: static shapes for all motions of the interfaces and the lowest modes while these are held (Craig and Bampton), in the mean axes of the part.
States are their amplitudes <code>q</code> and rates <code>qd</code>. Results are <code>maxStress</code>, the largest von Mises stress at a node of the surface, and <code>r_maxStress</code>, the place of that node in the frame of the undeformed mesh.
Reductions of large meshes are kept in <code>~/.cache/rattleback</code>. <code>rattleback flexible FILE</code> shows mass and frequencies of a mesh.</p>
<p>Frames of the part should not turn against each other by more than about 0.3 rad: divide a part that bends more into several. It touches nothing; fix a rigid part to one of its frames that touches for it.</p></html>"),
      Icon(graphics = {Line(points = {{-100, 0}, {-40, 6}, {20, 24}, {100, 60}}, thickness = 3), Line(points = {{-100, -30}, {-30, -24}, {30, -6}, {100, 30}}, thickness = 3), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end FlexibleBody;

  model FlexibleWorkpiece "A flexible body whose shape is a solid of Rattleback.Solids"
    extends FlexibleBody(final shape = Shapes.Mesh());
    parameter Solids.TriangleMesh mesh "Its solid";
    annotation(Documentation(info = "<html><p>The solid is filled with elements on a cubic grid (<code>gridSize</code>); surfaces that are not along the grid are cut.</p></html>"));
  end FlexibleWorkpiece;

  model FlexiblePlate "A flexible body that is a polygon with a thickness: a lever, a leaf, a bracket"
    extends FlexibleBody(final shape = Shapes.None(), final fileName = "");
    parameter Solids.Polygon polygon "In the plane z = 0, also concave and with holes; the plate reaches up to z = thickness";
    parameter Length thickness(min = 0) = 0.01;
    parameter Length elementSize(min = 0) = 0 "Sides of elements in the plane; 0: chosen, two across an arm";
    parameter Integer layers(min = 0, max = 50) = 0 "Of elements through the thickness; 0: chosen";
    annotation(Documentation(info = "<html><p>The polygon is divided into triangles, which keep its sides and corners, and these are drawn out in layers of elements of ten nodes. A smaller <code>elementSize</code> shows whether stresses can be trusted.</p></html>"));
  end FlexiblePlate;

  model SoftBody "A body that deforms, touches and is held at its faces"
    outer World world;
    Frame_a frame_a "If connected: the body stands in it, and face_a is held by it";
    Frame_b frame_b "If connected: face_b is held by it";
    parameter Shapes.Shape shape = Shapes.Box(0.06, 0.06, 0.06);
    parameter String fileName = "" "Of a mesh";
    parameter Real scale[3] = {1, 1, 1} "Of a mesh";
    parameter Boolean convexParts = false;
    parameter Length gridSize = 0.01 "Of the cubic grid that the shape is filled with, in whole cells: let it divide the lengths of the shape";
    parameter Position points[:, 3] = zeros(0, 3) "If there are any: molecules in the frame of the body, instead of a shape";
    parameter Integer fixedPoints[:] = fill(0, 0) "Of these, those that are held by frame_a instead of face_a, or stay in the world";
    parameter Real pointForces[:, 5] = zeros(0, 5) "Forces on points, in the world: {point, time, x, y, z}, linear between the times of a point, zero outside";
    parameter SoftMaterial materials[:] = fill(SoftMaterial(), 0) "Of points that have another material than E, rho and so on say";
    parameter Integer pointMaterials[:] = fill(0, 0) "Of each point: 0, the material that E, rho and so on say; k, materials[k]. Empty: all 0";
    parameter Length moleculeRadius = 0 "With which a grid point touches others; 0: 0.75 of gridSize";
    parameter Types.Face face_a = Types.Face.y_low "Held by frame_a";
    parameter Types.Face face_b = Types.Face.y_high "Held by frame_b";
    parameter Position r_start[3] = zeros(3) "Of the frame of the shape: in frame_a, or in the world";
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    parameter Velocity v_start[3] = zeros(3) "Against frame_a, or the world";
    parameter AngularVelocity w_start[3] = zeros(3) "About the origin of the shape, likewise";
    parameter Types.SoftLaw law = Types.SoftLaw.springs;
    parameter Types.SoftPlacement placement = Types.SoftPlacement.asFound "How molecules stand; springs are as stiff as E asks for in each case";
    parameter Integer order(min = 1, max = 2) = 1 "Of elements: 1, four nodes; 2, ten nodes";
    parameter Real E(final unit = "Pa", min = 0) = 1e5 "Young's modulus";
    parameter Real nu = 0.25 "Poisson's ratio: 1/4 with springs";
    parameter Real rho(final unit = "kg/m3", min = 0) = 1000 "Density";
    parameter Real zeta(min = 0) = 0.1 "Damping ratio of neighbours";
    parameter Real mu(min = 0) = 0.3 "Friction";
    parameter Real breakingStrain(min = 0) = 0 "Springs that are longer by this part are torn; 0: never";
    parameter Real rho_medium(final unit = "kg/m3", min = 0) = 0 "Density of the medium around";
    parameter Integer neighbours = 18 "Of a molecule on a grid, in all bodies of the world: 18 or 26";
    parameter Boolean sphereMasses = false "Molecules of the bodies of the world have the masses of their spheres, not of their shares of the volume";
    parameter Boolean surfaceContact = false "Bodies of the world touch with their surfaces, not with the spheres of their molecules";
    parameter Boolean edgeContact = false "As surfaceContact, along all edges of the triangles, not only in their corners: for coarse surfaces";
    parameter Length surfaceResolution(min = 0) = 0 "Of the surfaces of all bodies of the world; 0: from their sizes";
    parameter Real contactStiffness(min = 0) = 1 "Of contacts between the bodies of the world, in units of what their materials give";
    parameter Boolean selfContact = false "Parts of it that are no neighbours touch each other";
    parameter Real color[3] = {60, 130, 220} "Red, green, blue: 0 ... 255" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
  protected
    final parameter Real materialRows[size(materials, 1), 11] = {{materials[i].E, materials[i].nu, materials[i].rho, materials[i].zeta, materials[i].rho_medium,
      materials[i].breakingStrain, Integer(materials[i].law), materials[i].order, materials[i].color[1], materials[i].color[2], materials[i].color[3]}
      for i in 1:size(materials, 1)} "As the component in C reads them" annotation(HideResult = true);
    annotation(__Rattleback(component = "Multibody", role = "soft", anchor = "world"),
      Documentation(info = "<html><p>Connected to nothing it moves freely. It touches all collidable solids and the other soft bodies, but not the
body that holds it. Elasticity, density and damping can be changed while a model runs, also by Actions.changeMaterial.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, radius = 40, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end SoftBody;

  model Fixed "A frame that is fixed in the world"
    outer World world;
    Frame_b frame_b;
    parameter Position r[3] = zeros(3) "Position in the world";
    parameter Angle angles[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    annotation(__Rattleback(component = "Multibody", role = "fixed", anchor = "world"),
      Icon(graphics = {Line(points = {{0, 80}, {0, -80}}), Line(points = {{0, 40}, {-80, 0}}), Line(points = {{0, 0}, {-80, -40}})}));
  end Fixed;

  model FixedTranslation "frame_b is shifted against frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    parameter Position r[3] = zeros(3) "From frame_a to frame_b, in the axes of frame_a";
    annotation(__Rattleback(component = "Multibody", role = "translation", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-99, 5}, {101, -5}}, fillPattern = FillPattern.Solid), Text(extent = {{-100, 60}, {100, 20}}, textString = "%name")}));
  end FixedTranslation;

  model FixedRotation "frame_b is shifted and then turned against frame_a"
    extends FixedTranslation;
    parameter Angle angles[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    annotation(Icon(graphics = {Line(points = {{-40, 40}, {0, 60}, {40, 40}})}));
  end FixedRotation;

  model Body "A rigid body with given mass and inertia"
    outer World world;
    Frame_a frame_a;
    parameter Position r_CM[3] = zeros(3) "From frame_a to the centre of mass, in the axes of frame_a";
    parameter Mass m = 1;
    parameter Inertia I_11 = 0.001 "About the centre of mass";
    parameter Inertia I_22 = 0.001;
    parameter Inertia I_33 = 0.001;
    parameter Real I_21(unit = "kg.m2") = 0;
    parameter Real I_31(unit = "kg.m2") = 0;
    parameter Real I_32(unit = "kg.m2") = 0;
    Position r_0[3](each start = 0) "Position of frame_a in the world; its start value counts if the body moves freely";
    Velocity v_0[3](each start = 0) "Velocity of frame_a";
    parameter Boolean angles_fixed = false "Loops are closed without changing angles_start" annotation(Evaluate = true);
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start, if it moves freely";
    parameter Boolean w_0_fixed = false "Loops are closed without changing w_0_start" annotation(Evaluate = true);
    parameter AngularVelocity w_0_start[3] = zeros(3) "Angular velocity at the start, in the axes of the world";
    annotation(__Rattleback(component = "Multibody", role = "body", anchor = "world"),
      Documentation(info = "<html><p>No shape: it touches nothing.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, 30}, {-3, -30}}), Ellipse(extent = {{-20, 60}, {100, -60}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Body;

  model PointMass "A body without inertia, for forces between points"
    extends Body(final I_11 = 1e-10, final I_22 = 1e-10, final I_33 = 1e-10);
    annotation(Icon(graphics = {Ellipse(extent = {{-50, 50}, {50, -50}}, fillPattern = FillPattern.Sphere)}));
  end PointMass;

  model Visual "A shape that is only seen: it has no mass and touches nothing"
    outer World world;
    Frame_a frame_a "What it is fixed to";
    parameter Shapes.Shape shape = Shapes.CoordinateSystem(0.5);
    parameter String text = "" "What Shapes.Text shows";
    parameter String fileName = "" "Of Shapes.Mesh: a file .stl or .obj";
    parameter Real scale[3] = ones(3) "Of the file, for units other than metres";
    parameter Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
    parameter Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
    annotation(__Rattleback(component = "Multibody", role = "visual", anchor = "world"),
      Documentation(info = "<html><p>Any shape, also those that nothing can have as a body: coordinate system, grid, spring, gear wheel, text.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}, pattern = LinePattern.Dash), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Visual;

  model CollisionBody "A shape that touches others, on a frame: it has no mass"
    outer World world;
    Frame_a frame_a "What it is fixed to";
    parameter Shapes.Shape shape = Shapes.Sphere(0.1);
    parameter String material = "Steel" "Elasticity";
    parameter String contactMaterial = "" "Name in the table of contact pairs; empty: that of the material";
    parameter Boolean collidable = true "May touch others";
    parameter String ignore[:] = fill("", 0) "Names of parts that it does not touch";
    parameter String fileName = "" "Of Shapes.Mesh: a file .stl, .obj or .ply, or a folder with one for each convex part";
    parameter Real scale[3] = ones(3) "Of the file, for units other than metres";
    parameter Boolean convexParts = false "Of Shapes.Mesh: each object of the file is a convex part; otherwise the hull of all touches";
    parameter Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
    parameter Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
    final parameter String ignored = Contact.joined(ignore);
    annotation(__Rattleback(component = "Multibody", role = "visual", anchor = "world"),
      Documentation(info = "<html><p>For frames of this library what <code>Contact.CollisionBody</code> is for those of <code>Modelica.Mechanics.MultiBody</code>: adds a shape to a body that has mass and inertia already.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, pattern = LinePattern.Dash), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end CollisionBody;

  model Workpiece "A part that is a solid of Rattleback.Solids, and touches by its surface, also where it is concave"
    extends Solid(final shape = Shapes.Mesh());
    parameter Solids.TriangleMesh mesh "Its solid";
    annotation(Documentation(info = "<html><p>Mass, centre of mass and inertia are those of the solid. It touches all other parts that are collidable, but for half-spaces (let a large box be the ground), by the volume they share, with
elasticity, restitution and friction of their materials. Spheres and ellipsoids stay round; cylinders, cones and beams touch it as meshes of 192 segments, other shapes of 48.</p></html>"),
      Icon(graphics = {Line(points = {{-80, -60}, {-20, -60}, {-20, 20}, {20, 20}, {20, -60}, {80, -60}})}));
  end Workpiece;

  model Pieces "A part of convex pieces: each solid touches as its convex hull"
    extends Solid(final shape = Shapes.Mesh(smoothing));
    parameter Solids.TriangleMesh pieces[:] "Its solids; they may touch each other but not overlap. Of a folder of files: Mesh";
    parameter Length smoothing = Shapes.defaultSmoothing "Radius of edges, for contact alone; faces stay where they are";
    final parameter String recipes = Solids.recipes(pieces);
    annotation(Documentation(info = "<html><p>A concave part that touches as cheaply as convex shapes do, by the laws of <code>Materials.Pair</code>. Mass, centre of mass and inertia are
those of the hulls of the pieces, added: what is in two of them counts twice, and a warning tells how much that is. A <code>Workpiece</code> touches by its true surface.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 40}, {-20, -40}}), Rectangle(extent = {{-20, -10}, {20, -40}}), Rectangle(extent = {{20, 40}, {60, -40}})}));
  end Pieces;

  model Mesh "A part whose shape is a mesh in a file"
    extends Solid(final shape = Shapes.Mesh(smoothing));
    parameter String fileName "A file .stl, .obj or .ply with lengths in metres, or a folder with such a file for each convex part: beside the model, a path, or modelica://Package/file";
    parameter Real scale[3] = ones(3) "For files in other units: 0.001 for millimetres";
    parameter Boolean convexParts = false "Each object of the file is a convex part that touches; otherwise the hull of all does";
    parameter Length smoothing = Shapes.defaultSmoothing "Radius of edges, for contact alone; faces stay where they are";
    annotation(Documentation(info = "<html><p>Mass, centre of mass and inertia are those of the closed surface in the file; contact is that of its convex hull, or of the convex parts.</p>
<p>A concave body that a program has decomposed is a folder: every file .stl, .obj and .ply in it, in the order of their names, is a convex part, and mass and contact are
those of the parts. A part that is open or not convex is refused.</p></html>"),
      Icon(graphics = {Line(points = {{-80, -60}, {0, 60}, {80, -60}, {-80, -60}})}));
  end Mesh;

  partial model PartialBodyShape "Mass and shape between two frames"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b "Fixed to frame_a";
    parameter Position r[3](start = {0.1, 0, 0}) = {0.1, 0, 0} "From frame_a to frame_b, in the axes of frame_a";
    parameter String material = if collidable then "Steel" else "" "Elasticity; it wants collidable = true";
    parameter String contactMaterial = "" "Name in the table of contact pairs; empty: that of the material";
    parameter Boolean collidable = false "May touch others; unlike a Solid it does not unless this is said";
    Position r_0[3](each start = 0) "Position of frame_a in the world; its start value counts if the body moves freely";
    Velocity v_0[3](each start = 0) "Velocity of frame_a";
    parameter Boolean angles_fixed = false "Loops are closed without changing angles_start" annotation(Evaluate = true);
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start, if it moves freely";
    parameter Boolean w_0_fixed = false "Loops are closed without changing w_0_start" annotation(Evaluate = true);
    parameter AngularVelocity w_0_start[3] = zeros(3) "Angular velocity at the start, in the axes of the world";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255; negative: as its material looks" annotation(Dialog(colorSelector = true));
    parameter Real transparency(min = 0, max = 1) = 0 "0: opaque ... 1: not seen";
    annotation(__Rattleback(component = "Multibody", role = "body", anchor = "world"),
      Icon(graphics = {Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end PartialBodyShape;

  model BodyShape "A rigid body with given mass and inertia, any shape, and two frames"
    extends PartialBodyShape;
    parameter Position r_CM[3] = zeros(3) "From frame_a to the centre of mass, in the axes of frame_a";
    parameter Mass m = 1;
    parameter Inertia I_11 = 0.001 "About the centre of mass";
    parameter Inertia I_22 = 0.001;
    parameter Inertia I_33 = 0.001;
    parameter Real I_21(unit = "kg.m2") = 0;
    parameter Real I_31(unit = "kg.m2") = 0;
    parameter Real I_32(unit = "kg.m2") = 0;
    parameter Shapes.Shape shape = Shapes.None() "What is seen, and touches";
    parameter Position r_shape[3] = zeros(3) "From frame_a to the frame of the shape";
    parameter Angle angles_shape[3] = zeros(3) "The frame of the shape against frame_a";
    annotation(Documentation(info = "<html><p>The shape adds nothing to mass and inertia. Unlike that of a <code>Solid</code> it is only seen, and touches others if <code>collidable = true</code>; a material without that is a warning.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, 30}, {100, -30}}, fillPattern = FillPattern.HorizontalCylinder), Ellipse(extent = {{-60, 60}, {60, -60}}, fillPattern = FillPattern.Sphere)}));
  end BodyShape;

  model BodyWorkpiece "A rigid body with given mass and inertia that touches by the surface of a solid"
    extends BodyShape(final shape = Shapes.Mesh(), collidable = true);
    parameter Solids.TriangleMesh mesh "Its solid";
    annotation(Documentation(info = "<html><p>As <code>Workpiece</code>, where mass and inertia are known better than from the solid.</p></html>"),
      Icon(graphics = {Line(points = {{-80, -60}, {-20, -60}, {-20, 20}, {20, 20}, {20, -60}, {80, -60}})}));
  end BodyWorkpiece;

  function directions "Angles about x, y, z that turn x along the length and y into the plane of the width"
    input Real l[3] "Direction of the length";
    input Real w[3] "Direction of the width; only what is perpendicular to the length counts";
    output Angle angles[3];
  protected
    Real e_x[3] = l/sqrt(l*l);
    Real other[3] = if abs(e_x[1]) < 0.1 then {1, 0, 0} else {0, 1, 0};
    Real z[3] = {e_x[2]*w[3] - e_x[3]*w[2], e_x[3]*w[1] - e_x[1]*w[3], e_x[1]*w[2] - e_x[2]*w[1]};
    Real y[3] = {e_x[2]*other[3] - e_x[3]*other[2], e_x[3]*other[1] - e_x[1]*other[3], e_x[1]*other[2] - e_x[2]*other[1]};
    Real along[3] = if z*z > 1e-12*(w*w) then z else y "Of z";
    Real e_z[3] = along/sqrt(along*along);
    Real e_y[3] = {e_z[2]*e_x[3] - e_z[3]*e_x[2], e_z[3]*e_x[1] - e_z[1]*e_x[3], e_z[1]*e_x[2] - e_z[2]*e_x[1]};
  algorithm
    assert(l*l > 0, "a body without length has no direction: give it lengths that are not zero, or lengthDirection");
    // Columns of the rotation are e_x, e_y, e_z; at the pole the last angle is zero.
    if abs(e_z[1]) < 1 - 1e-14 then
      angles := {atan2(-e_z[2], e_z[3]), asin(e_z[1]), atan2(-e_y[1], e_x[1])};
    else
      angles := {atan2(e_y[3], e_y[2]), if e_z[1] > 0 then pi/2 else -pi/2, 0};
    end if;
  end directions;

  function turned "Moments of inertia with the principal axes of a frame, in the axes it is turned against"
    input Angle angles[3] "About x, y, z, one after the other";
    input Real principal[3](each unit = "kg.m2");
    output Real I[3, 3](each unit = "kg.m2");
  protected
    Real c[3] = cos(angles), s[3] = sin(angles);
    Real R[3, 3] = [1, 0, 0; 0, c[1], -s[1]; 0, s[1], c[1]]*[c[2], 0, s[2]; 0, 1, 0; -s[2], 0, c[2]]*[c[3], -s[3], 0; s[3], c[3], 0; 0, 0, 1];
  algorithm
    I := R*diagonal(principal)*transpose(R);
  end turned;

  partial model PartialBodyOfDensity "A body whose mass follows from sizes and density"
    extends PartialBodyShape;
    parameter Position r_shape[3] = zeros(3) "From frame_a to the middle of the left end of the shape";
    parameter Real lengthDirection[3] = r - r_shape "Of the length; its length does not matter";
    parameter Length length = sqrt((r - r_shape)*(r - r_shape));
    parameter Real density(unit = "kg/m3", min = 0) = 7700;
    final parameter Position r_CM[3] = r_shape + lengthDirection/sqrt(lengthDirection*lengthDirection)*length/2 "From frame_a to the centre of mass";
    final parameter Position r_middle[3] = r_CM "From frame_a to the middle of the shape";
  end PartialBodyOfDensity;

  model BodyBox "A box with a rectangular hole along its length, whose mass follows from the density"
    extends PartialBodyOfDensity(r_shape = zeros(3));
    parameter Real widthDirection[3] = {0, 1, 0} "Of the width";
    parameter Length width = length/world.defaultWidthFraction;
    parameter Length height = width;
    parameter Length innerWidth = 0 "Of the hole: counts for the mass only";
    parameter Length innerHeight = innerWidth;
    final parameter Mass mo = density*length*width*height "Without the hole";
    final parameter Mass mi = density*length*innerWidth*innerHeight "Of the hole";
    final parameter Mass m = mo - mi;
    final parameter Angle angles_shape[3] = directions(lengthDirection, widthDirection);
    final parameter Real I[3, 3](each unit = "kg.m2") = turned(angles_shape, {mo*(width^2 + height^2) - mi*(innerWidth^2 + innerHeight^2), mo*(length^2 + height^2) - mi*(length^2 + innerHeight^2), mo*(length^2 + width^2) - mi*(length^2 + innerWidth^2)}/12);
    final parameter Inertia I_11 = I[1, 1], I_22 = I[2, 2], I_33 = I[3, 3];
    final parameter Real I_21(unit = "kg.m2") = I[2, 1], I_31(unit = "kg.m2") = I[3, 1], I_32(unit = "kg.m2") = I[3, 2];
    final parameter Shapes.Shape shape = Shapes.Box(length, width, height);
    annotation(Documentation(info = "<html><p>The box reaches from <code>r_shape</code> along <code>lengthDirection</code>: by default from frame_a to frame_b.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, 40}, {100, -40}}, fillPattern = FillPattern.Solid)}));
  end BodyBox;

  model BodyCylinder "A cylinder or pipe whose mass follows from the density"
    extends PartialBodyOfDensity(r_shape = zeros(3));
    parameter Length diameter = length/world.defaultWidthFraction;
    parameter Length innerDiameter = 0 "Of a pipe: counts for the mass only";
    final parameter Mass mo = density*pi*length*diameter^2/4 "Without the hole";
    final parameter Mass mi = density*pi*length*innerDiameter^2/4 "Of the hole";
    final parameter Mass m = mo - mi;
    final parameter Inertia I22 = (mo*(length^2 + 3*(diameter/2)^2) - mi*(length^2 + 3*(innerDiameter/2)^2))/12 "Across the axis";
    final parameter Angle angles_shape[3] = directions(lengthDirection, {0, 1, 0});
    final parameter Real I[3, 3](each unit = "kg.m2") = turned(angles_shape, {(mo*diameter^2 - mi*innerDiameter^2)/8, I22, I22});
    final parameter Inertia I_11 = I[1, 1], I_22 = I[2, 2], I_33 = I[3, 3];
    final parameter Real I_21(unit = "kg.m2") = I[2, 1], I_31(unit = "kg.m2") = I[3, 1], I_32(unit = "kg.m2") = I[3, 2];
    final parameter Shapes.Shape shape = Shapes.Cylinder(diameter, length, 1, innerDiameter);
    annotation(Documentation(info = "<html><p>The cylinder reaches from <code>r_shape</code> along <code>lengthDirection</code>: by default from frame_a to frame_b.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, 40}, {100, -40}}, fillPattern = FillPattern.HorizontalCylinder)}));
  end BodyCylinder;

  model Mounting1D "The housing of a one-dimensional drive, held by a frame that feels its torque"
    outer World world;
    Frame_a frame_a "What holds the housing";
    Rotational.Interfaces.Flange_b flange_b "Support of gears and motors";
    parameter Angle phi0 = 0 "Angle of the housing";
    parameter Real n[3] = {1, 0, 0} "Axis of the drive in frame_a";
    parameter Real e[3] = n/sqrt(n*n) "What the frame feels of a torque of 1 N.m";
    Forces.WorldTorque torque(resolveInFrame = Types.ResolveInFrame.frame_b);
  equation
    flange_b.phi = phi0;
    torque.torque = e*flange_b.tau;
    connect(frame_a, torque.frame_b);
    annotation(Icon(graphics = {Rectangle(extent = {{-60, -40}, {60, -60}}, fillPattern = FillPattern.Solid), Line(points = {{0, -40}, {0, 0}, {90, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Mounting1D;

  model BevelGear1D "A gear whose shafts point where you like, in a housing that a frame holds"
    outer World world;
    Frame_a frame_a "What holds the housing";
    Rotational.Interfaces.Flange_a flange_a;
    Rotational.Interfaces.Flange_b flange_b;
    parameter Real ratio = 1 "Of the angles of flange_a and flange_b";
    parameter Real n_a[3] = {1, 0, 0} "Axis of flange_a in frame_a";
    parameter Real n_b[3] = {1, 0, 0} "Axis of flange_b in frame_a";
    Forces.WorldTorque torque(resolveInFrame = Types.ResolveInFrame.frame_b);
  equation
    flange_a.phi = ratio*flange_b.phi;
    0 = ratio*flange_a.tau + flange_b.tau;
    torque.torque = n_a/sqrt(n_a*n_a)*flange_a.tau + n_b/sqrt(n_b*n_b)*flange_b.tau;
    connect(frame_a, torque.frame_b);
    annotation(Documentation(info = "<html><p>The housing feels both torques, each about its axis. Wheels have no inertia of their own: that is in <code>Rotor1D</code> beside it.</p></html>"),
      Icon(graphics = {Polygon(points = {{-80, 20}, {-20, 60}, {-20, -60}, {-80, -20}}), Polygon(points = {{-20, 60}, {20, 80}, {80, 80}, {20, 20}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end BevelGear1D;

  model Rotor1D "A rotor that a frame carries: its spin is felt as gyroscopic torque"
    outer World world;
    Frame_a frame_a "What carries its bearings";
    Rotational.Interfaces.Flange_a flange_a;
    Rotational.Interfaces.Flange_b flange_b;
    parameter Inertia J(min = 0) = 1 "About its axis; the body that carries it has mass and inertia of both, as if the rotor stood still in it";
    parameter Real n[3] = {1, 0, 0} "Axis in frame_a";
    parameter Boolean exact = true "The turning of the frame accelerates the rotor, too" annotation(Evaluate = true);
    Angle phi(start = 0) "Against frame_a";
    AngularVelocity w(start = 0);
    AngularAcceleration a(start = 0);
    Forces.WorldTorque torque(resolveInFrame = Types.ResolveInFrame.frame_b);
    Sensors.AbsoluteAngularVelocity turning(resolveInFrame = Types.ResolveInFrame.frame_a);
    Sensors.AbsoluteAngularAcceleration change(resolveInFrame = Types.ResolveInFrame.frame_a);
  protected
    final parameter Real e[3] = n/sqrt(n*n);
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    a = der(w);
    if exact then
      J*(a + e*change.z) = flange_a.tau + flange_b.tau;
    else
      J*a = flange_a.tau + flange_b.tau;
    end if;
    connect(frame_a, torque.frame_b);
    connect(frame_a, turning.frame_a);
    connect(frame_a, change.frame_a);
    torque.torque = J*(e*(e*change.z) - w*{turning.w[2]*e[3] - turning.w[3]*e[2], turning.w[3]*e[1] - turning.w[1]*e[3], turning.w[1]*e[2] - turning.w[2]*e[1]});
    annotation(Icon(graphics = {Rectangle(extent = {{-60, 50}, {60, -50}}, fillPattern = FillPattern.HorizontalCylinder), Line(points = {{-100, 0}, {-60, 0}}), Line(points = {{60, 0}, {100, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Rotor1D;

  model RollingWheel "A wheel with mass that rolls on the plane z = 0 of the world without slipping"
    extends Joints.RollingWheel;
    parameter Mass m(start = 1) "Of the wheel";
    parameter Inertia I_axis(start = 1) "About its axis";
    parameter Inertia I_long(start = 1) "Across its axis";
    parameter Length width = 0.035 "Of what is drawn";
  protected
    Visual rim(shape = Shapes.Cylinder(2*radius, width, 2));
  equation
    connect(frame_a, rim.frame_a);
    annotation(Documentation(info = "<html><p>A disc of mass m has <code>I_axis = m*radius^2/2</code> and <code>I_long = m*radius^2/4</code>. See <code>Joints.RollingWheel</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}, fillPattern = FillPattern.Solid)}));
  end RollingWheel;

  model RollingWheelSet "Two wheels on one axle that roll on the plane z = 0 of the world without slipping"
    outer World world;
    Frame_a frameMiddle "In the middle of the axle: y is along it, z points upwards";
    Frame_a frame1 "In the centre of the left wheel, turning with it";
    Frame_b frame2 "In the centre of the right wheel, turning with it";
    Rotational.Interfaces.Flange_a axis1 "Drives the left wheel";
    Rotational.Interfaces.Flange_a axis2 "Drives the right wheel";
    Rotational.Interfaces.Flange_b support "Where drives are held: on the axle";
    parameter Length R_wheel(start = 0.3) "Radius of a wheel";
    parameter Mass m_wheel(start = 1) "Of one wheel";
    parameter Inertia I_wheelAxis(start = 1) "Of one wheel about its axis";
    parameter Inertia I_wheelLong(start = 1) "Of one wheel across its axis";
    parameter Length track(start = 1) "From wheel to wheel";
    parameter Length width_wheel = 0.01 "Of what is drawn";
    Position x(start = 0, fixed = true) "Of the middle";
    Position y(start = 0, fixed = true) "Of the middle";
    Angle phi(start = 0, fixed = true) "Of the axle about z";
    Angle theta1(start = 0, fixed = true) "Of the left wheel";
    Angle theta2(start = 0, fixed = true) "Of the right wheel";
    AngularVelocity der_theta1(start = 0, fixed = true);
    AngularVelocity der_theta2(start = 0, fixed = true);
    Joints.Planar ground "On which the axle moves";
    Joints.Revolute wheel1(n = {0, 1, 0}, useAxisFlange = true);
    Joints.Revolute wheel2(n = {0, 1, 0}, useAxisFlange = true);
    Mounting1D mounting;
  protected
    Fixed height(r = {0, 0, R_wheel});
    FixedTranslation left(r = {0, track/2, 0}), right(r = {0, -track/2, 0});
    Joints.RollingConstraint rolling1(radius = R_wheel);
    Joints.RollingConstraint rolling2(radius = R_wheel, lateralSlidingConstraint = false);
    Body body1(m = m_wheel, I_11 = I_wheelLong, I_22 = I_wheelAxis, I_33 = I_wheelLong);
    Body body2(m = m_wheel, I_11 = I_wheelLong, I_22 = I_wheelAxis, I_33 = I_wheelLong);
    Visual rim1(shape = Shapes.Cylinder(2*R_wheel, width_wheel, 2)), rim2(shape = Shapes.Cylinder(2*R_wheel, width_wheel, 2));
  equation
    x = ground.s_x;
    y = ground.s_y;
    phi = ground.phi;
    theta1 = wheel1.phi;
    theta2 = wheel2.phi;
    der_theta1 = der(theta1);
    der_theta2 = der(theta2);
    connect(height.frame_b, ground.frame_a);
    connect(ground.frame_b, frameMiddle);
    connect(frameMiddle, left.frame_a);
    connect(frameMiddle, right.frame_a);
    connect(left.frame_b, wheel1.frame_a);
    connect(right.frame_b, wheel2.frame_a);
    connect(wheel1.frame_b, frame1);
    connect(wheel2.frame_b, frame2);
    connect(frame1, body1.frame_a);
    connect(frame2, body2.frame_a);
    connect(frame1, rolling1.frame_a);
    connect(frame2, rolling2.frame_a);
    connect(frame1, rim1.frame_a);
    connect(frame2, rim2.frame_a);
    connect(wheel1.axis, axis1);
    connect(wheel2.axis, axis2);
    connect(frameMiddle, mounting.frame_a);
    connect(mounting.flange_b, support);
    annotation(Documentation(info = "<html><p>The axle stays at the height of the wheels' centres: what it carries cannot tip over. Its lateral force is that of the left wheel, since nothing tells how the two would share it.
Drives are connected to <code>axis1</code>, <code>axis2</code> and <code>support</code>; gravity does not matter, but should point along -z.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, -80}, {100, -100}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{-118, 80}, {-42, -80}}), Ellipse(extent = {{42, 80}, {118, -80}}), Line(points = {{-80, 0}, {80, 0}}), Text(extent = {{-150, 140}, {150, 100}}, textString = "%name")}));
  end RollingWheelSet;
end Parts;
