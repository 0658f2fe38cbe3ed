within Rattleback;
package Actions "Changes of structure while a model runs"
  import Rattleback.Units.*;

  partial model Timed "An action that comes at a time"
    outer World world;
    parameter Time at = 0 "When";
    annotation(__Rattleback(component = "Multibody", role = "action", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-80, 80}, {80, -80}}), Line(points = {{0, 0}, {0, 60}}), Text(extent = {{-100, -90}, {100, -130}}, textString = "%name")}));
  end Timed;

  partial model Triggered "An action that comes when a signal becomes true"
    outer World world;
    Blocks.Interfaces.BooleanInput trigger "The action is carried out when this becomes true";
    Real signal = if trigger then 1 else 0;
    annotation(__Rattleback(component = "Multibody", role = "action", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-80, 80}, {80, -80}}), Line(points = {{-100, 0}, {-40, 0}}), Text(extent = {{-100, -90}, {100, -130}}, textString = "%name")}));
  end Triggered;

  partial model Pair "Two parts"
    parameter String a "Part that holds: its name, from where the action stands or from the model";
    parameter String b "Part that is held";
    parameter Boolean requireRest = false "Refuse if the two move against each other; otherwise the impact is plastic";
    parameter Length maxDistance(min = 0) = 0 "Refuse if their frames are further apart; 0: any distance";
  end Pair;

  model Attach "Attach a part to another one, where both are"
    extends Timed;
    extends Pair;
    final parameter Integer kind = 1;
    annotation(Documentation(info = "<html><p>The assembly of <code>b</code> becomes a rigid part of that of <code>a</code>, at their present
pose. Speeds follow from the balance of momentum of the whole tree; the energy lost is in <code>energy.impacts</code>.</p></html>"));
  end Attach;

  model AttachWhen "Attach when a signal becomes true"
    extends Triggered;
    extends Pair;
    final parameter Integer kind = 1;
  end AttachWhen;

  model Release "Release what was attached"
    extends Timed;
    parameter String a "Part that holds";
    parameter String b "Part that is held";
    final parameter Integer kind = 2;
    annotation(Documentation(info = "<html><p>What hangs on nothing else afterwards moves freely, with the velocity it has.</p></html>"));
  end Release;

  model ReleaseWhen "Release when a signal becomes true"
    extends Triggered;
    parameter String a "Part that holds";
    parameter String b "Part that is held";
    final parameter Integer kind = 2;
  end ReleaseWhen;

  model Lock "Lock a joint at its present position"
    extends Timed;
    parameter String a "Joint";
    final parameter Integer kind = 3;
  end Lock;

  model LockWhen "Lock a joint when a signal becomes true"
    extends Triggered;
    parameter String a "Joint";
    final parameter Integer kind = 3;
  end LockWhen;

  model Unlock "Let a locked joint move again"
    extends Timed;
    parameter String a "Joint";
    final parameter Integer kind = 4;
  end Unlock;

  model UnlockWhen "Let a locked joint move again when a signal becomes true"
    extends Triggered;
    parameter String a "Joint";
    final parameter Integer kind = 4;
  end UnlockWhen;

  model Remove "Take the assembly of a part away"
    extends Timed;
    parameter String a "Part";
    final parameter Integer kind = 6;
  end Remove;

  model Add "The assembly of a part that is not present appears"
    extends Timed;
    parameter String a "Part";
    parameter Position r[3] = zeros(3) "Where its frame_a appears in the world";
    parameter Angle angles[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    parameter Velocity v[3] = zeros(3);
    parameter AngularVelocity w[3] = zeros(3) "In the axes of the world";
    final parameter Integer kind = 7;
  end Add;
end Actions;
