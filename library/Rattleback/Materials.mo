within Rattleback;
package Materials "Materials and contact data that a model brings along"
  import Rattleback.Units.*;

  model Solid "A material by its name"
    parameter String name "What parts call it";
    parameter Real density(unit = "kg/m3", min = 0) = 8000;
    parameter Real youngsModulus(unit = "Pa", min = 0) = 2e11;
    parameter Real poissonsRatio(min = 0, max = 0.5) = 0.3;
    annotation(__Rattleback(component = "Multibody", role = "material", anchor = ""),
      Documentation(info = "<html><p>Adds to the materials that come with us, or takes the place of one of them.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, fillPattern = FillPattern.Solid), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Solid;

  model Pair "How two materials, or two parts, touch each other"
    parameter String a "A material, or a part: its name, from where this stands or from the model";
    parameter String b "The same";
    parameter Real restitution(min = 0, max = 1) = 1 "Coefficient of restitution";
    parameter Real slidingFriction(min = 0) = 0;
    parameter Real rollingResistance(min = 0) = 0 "Times the radius at the contact";
    parameter Real twistingFriction(min = 0) = 1 "Share of what a Hertz contact has";
    parameter Velocity smallSpeed = 0.01 "Below this friction and restitution are regularised";
    parameter AngularVelocity smallSpin = 0.01;
    parameter Real stiffness(min = 0) = 0 "Of a spring and a damper instead of Hertz' law [N/m^exponent]; 0: Hertz";
    parameter Real exponent(min = 1) = 1.5 "Of this spring";
    parameter Real damper(unit = "N.s/m", min = 0) = 0 "Beside this spring";
    annotation(__Rattleback(component = "Multibody", role = "pair", anchor = ""),
      Documentation(info = "<html><p>For parts it holds for these two alone; with all others they touch as their materials do.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-80, 40}, {0, -40}}), Ellipse(extent = {{0, 40}, {80, -40}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Pair;
end Materials;
