within Rattleback;
package Actions "Changes of structure while a model runs"
  import Rattleback.Units.*;

  partial model Timed "An action that comes at a time"
    outer World world;
    parameter Time at = 0 "When";
    parameter Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
    annotation(__Rattleback(component = "Multibody", role = "action", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-80, 80}, {80, -80}}), Line(points = {{0, 0}, {0, 60}}), Text(extent = {{-100, -90}, {100, -130}}, textString = "%name")}));
  end Timed;

  partial model Triggered "An action that comes when a signal becomes true"
    outer World world;
    Blocks.Interfaces.BooleanInput trigger "The action is carried out when this becomes true";
    parameter Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
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
    parameter String a "Part that is released";
    parameter String b = "" "What it is attached to; empty: whatever holds it";
    final parameter Integer kind = 2;
    annotation(Documentation(info = "<html><p>What hangs on nothing else afterwards moves freely, with the velocity it has.</p></html>"));
  end Release;

  model ReleaseWhen "Release when a signal becomes true"
    extends Triggered;
    parameter String a "Part that is released";
    parameter String b = "" "What it is attached to; empty: whatever holds it";
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

  model ReleaseAndAttach "A part is released from what holds it and attached to another one"
    extends Timed;
    extends Pair(a "Part that is passed on", b "Part that takes it");
    final parameter Integer kind = 8;
  end ReleaseAndAttach;

  model ReleaseAndAttachWhen "Pass a part on when a signal becomes true"
    extends Triggered;
    extends Pair(a "Part that is passed on", b "Part that takes it");
    final parameter Integer kind = 8;
  end ReleaseAndAttachWhen;

  model FlipChain "A chain of joints holds on with its other end"
    extends Timed;
    extends Pair(a "End that takes hold", b = "" "What it holds on to; empty: the chain moves freely, and a carries its motion");
    parameter String c "End that lets go";
    final parameter Integer kind = 9;
    annotation(Documentation(info = "<html><p>For every kind of joint. The chain is then described from its other end; its motion goes on as it was.</p></html>"));
  end FlipChain;

  model FlipChainWhen "A chain of joints holds on with its other end when a signal becomes true"
    extends Triggered;
    extends Pair(a "End that takes hold", b = "" "What it holds on to; empty: the chain moves freely, and a carries its motion");
    parameter String c "End that lets go";
    final parameter Integer kind = 9;
  end FlipChainWhen;

  type JointType = enumeration(Revolute "Turns about n", Prismatic "Slides along n", Cylindrical "Both", Planar "Slides across n and turns about it", Universal "Turns about n and about n2", Spherical "Turns in all directions") "What a joint may be replaced by";

  partial model Replacement "Another joint"
    parameter String a "Joint";
    parameter JointType joint "What it becomes";
    parameter Real n[3] = {0, 0, 1} "Axis, in frame_a of the joint";
    parameter Real n2[3] = {1, 0, 0} "Second axis (Planar: first direction, Universal: in frame_b)";
    final parameter Integer kind = 5;
  end Replacement;

  model Replace "A joint becomes one of another kind, from its present position"
    extends Timed;
    extends Replacement;
  end Replace;

  model ReplaceWhen "A joint becomes one of another kind when a signal becomes true"
    extends Triggered;
    extends Replacement;
  end ReplaceWhen;

  model RemoveWhen "Take the assembly of a part away when a signal becomes true"
    extends Triggered;
    parameter String a "Part";
    final parameter Integer kind = 6;
  end RemoveWhen;

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
