within Rattleback;
package Types "Choices"
  type ResolveInFrame = enumeration(
    world "Axes of the world",
    frame_a "Axes of frame_a",
    frame_b "Axes of frame_b",
    frame_resolve "Axes of frame_resolve") "In which axes the components of a vector are given";
end Types;
