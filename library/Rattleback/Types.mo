within Rattleback;
package Types "Choices"
  type ResolveInFrame = enumeration(
    world "Axes of the world",
    frame_a "Axes of frame_a",
    frame_b "Axes of frame_b",
    frame_resolve "Axes of frame_resolve") "In which axes the components of a vector are given";
  type SoftLaw = enumeration(
    springs "Molecules and springs; Poisson's ratio 1/4",
    corotated "Finite elements, Hooke's law with rotations taken out",
    neoHookean "Finite elements, rubber at large strains") "What a soft body is inside";
  type Face = enumeration(
    x_low "At the low end along x",
    x_high "At the high end along x",
    y_low "At the low end along y",
    y_high "At the high end along y",
    z_low "At the low end along z",
    z_high "At the high end along z") "A face of a body, in its own axes";
end Types;
