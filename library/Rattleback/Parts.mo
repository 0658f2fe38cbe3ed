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
    annotation(__Rattleback(component = "Multibody", role = "solid", anchor = "world"),
      Documentation(info = "<html><p>Mass, centre of mass and inertia follow from shape and density. A solid that is connected to nothing
moves freely from <code>r</code>, or stays there if <code>fixed</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Solid;

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
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start, if it moves freely";
    parameter AngularVelocity w_0_start[3] = zeros(3) "Angular velocity at the start, in the axes of the world";
    annotation(__Rattleback(component = "Multibody", role = "body", anchor = "world"),
      Documentation(info = "<html><p>No shape: it touches nothing.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, 30}, {-3, -30}}), Ellipse(extent = {{-20, 60}, {100, -60}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Body;

  model PointMass "A body without inertia, for forces between points"
    extends Body(final I_11 = 1e-10, final I_22 = 1e-10, final I_33 = 1e-10);
    annotation(Icon(graphics = {Ellipse(extent = {{-50, 50}, {50, -50}}, fillPattern = FillPattern.Sphere)}));
  end PointMass;
end Parts;
