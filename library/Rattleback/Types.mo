within Rattleback;
package Types "Choices"
  type ResolveInFrame = enumeration(
    world "Axes of the world",
    frame_a "Axes of frame_a",
    frame_b "Axes of frame_b",
    frame_resolve "Axes of frame_resolve") "In which axes the components of a vector are given";
  type Response = enumeration(
    elastic "They push each other away",
    observer "They pass through each other; contacts are events",
    none "They do not see each other") "What happens where two parts touch";
  type Friction = enumeration(
    sliding "Regularised below smallSpeed",
    static_ "staticFriction below staticSpeed, slidingFriction above",
    curve "Smooth, largest near staticSpeed",
    bristle "Sticks: what rests does not creep",
    automatic "Bristle; sliding where one of the parts is a sphere or an ellipsoid") "Laws of friction";
  type Faces = enumeration(
    patch "Pressure over the patch that both share",
    point "One force at the centre of the patch") "How faces, edges and rims press";
  type VolumeForm = enumeration(
    area "Pressure from volume over the root of the area: needs a modulus alone, and has no potential",
    depth "Pressure from volume and depth (Nassauer)",
    potential "Pressure from volume over length^3: the force is the slope of an energy",
    bedding "Pressure from depth over length at each place: the slope of an energy, too, and without jumps in any pose") "Elastic force from a common volume";
  type Base = enumeration(
    both "Both in turn, each with half of the force",
    a "The first",
    b "The second") "Whose triangles carry the pressure";
  type LayerDamping = enumeration(
    noPull "Elastic and damping force together never pull",
    compression "None while the parts separate",
    full "Always") "When layers damp";
  type InterfaceKind = enumeration(
    nodes "A node set of the mesh",
    plane "Nodes of the surface in a plane",
    cylinder "Nodes of the surface on a cylinder",
    ball "Nodes of the surface in a ball") "Where an interface takes hold of a flexible body";
  type SoftLaw = enumeration(
    springs "Molecules and springs; Poisson's ratio 1/4",
    corotated "Finite elements, Hooke's law with rotations taken out",
    neoHookean "Finite elements, rubber at large strains") "What a soft body is inside";
  type SoftPlacement = enumeration(
    asFound "Whatever fits the points that are given; of a shape: cubic",
    cubic "On a cubic grid",
    bodyCentred "On a cubic grid, and in the middle of each of its cubes",
    random "Anyhow; of a shape: on a cubic grid, shaken") "How the molecules of a soft body of springs stand";
  type Face = enumeration(
    x_low "At the low end along x",
    x_high "At the high end along x",
    y_low "At the low end along y",
    y_high "At the high end along y",
    z_low "At the low end along z",
    z_high "At the high end along z") "A face of a body, in its own axes";
  type IconPrimitive = enumeration(
    polygon "Polygon",
    rectangle "Rectangle with sharp corners",
    ellipse "Ellipse that is whole",
    line "Line that ends where it begins") "Graphics of an icon that bound an area";
end Types;
