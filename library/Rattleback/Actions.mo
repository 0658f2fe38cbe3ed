within Rattleback;
package Actions "Changes of structure while a model runs"
  import Rattleback.Units.*;

  record ModelActions "The actions of a model, for the functions below"
  end ModelActions;

  partial function Action "Called in a when-clause; names are those of parts and joints, from where it stands or from the model"
    input ModelActions actions "Of the model";
  end Action;

  impure function attach "Attach a part to another one, where both are"
    extends Action;
    input String a "Part";
    input String b "Part it is attached to";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
    input Boolean requireRest = false "Refuse if the two move against each other; otherwise the impact is plastic";
    input Length maxDistance = 0 "Refuse if their frames are further apart; 0: any distance";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 1));
  end attach;

  impure function release "Release what was attached"
    extends Action;
    input String a "Part that is released";
    input String b = "" "What it is attached to; empty: whatever holds it";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 2));
  end release;

  impure function releaseAndAttach "A part is released from what holds it and attached to another one"
    extends Action;
    input String a "Part that is passed on";
    input String b "Part that takes it";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
    input Boolean requireRest = false "Refuse if the two move against each other; otherwise the impact is plastic";
    input Length maxDistance = 0 "Refuse if their frames are further apart; 0: any distance";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 8));
  end releaseAndAttach;

  impure function flipChain "A chain of joints holds on with its other end"
    extends Action;
    input String a "End that takes hold";
    input String b "What it holds on to";
    input String c "End that lets go";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
    input Boolean requireRest = false "Refuse if the two move against each other; otherwise the impact is plastic";
    input Length maxDistance = 0 "Refuse if their frames are further apart; 0: any distance";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 9));
  end flipChain;

  impure function delete "Take a part away, with everything that was drawn together with it"
    extends Action;
    input String a "Part";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 6));
  end delete;

  impure function add "A part that is not present appears"
    extends Action;
    input String a "Part";
    input Position r[3] = zeros(3) "Where its frame_a appears in the world";
    input Angle angles[3] = zeros(3) "Turned by these angles about x, y, z, one after the other";
    input Velocity v[3] = zeros(3);
    input AngularVelocity w[3] = zeros(3) "In the axes of the world";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 7));
  end add;

  impure function lock "Lock a joint at its present position"
    extends Action;
    input String a "Joint";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
    input Boolean requireRest = false "Refuse if the joint moves";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 3));
  end lock;

  impure function unlock "Let a locked joint move again"
    extends Action;
    input String a "Joint";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 4));
  end unlock;

  impure function replace "A joint becomes one of another kind, from its present position"
    extends Action;
    input String a "Joint";
    input JointType joint "What it becomes";
    input Real n[3] = {0, 0, 1} "Axis, in frame_a of the joint";
    input Real n2[3] = {1, 0, 0} "Second axis (Planar: first direction, Universal: in frame_b)";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 5));
  end replace;

  impure function breakJoint "A joint is no more: what hung on it alone moves freely"
    extends Action;
    input String a "Joint";
    input Boolean enableContactDetection = true "false: nothing touches until the structure changes again";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 10));
  end breakJoint;

  impure function changeMaterial "A soft body is made of another material from now on"
    extends Action;
    input String a "Soft body";
    input Real E(unit = "Pa") = -1 "Young's modulus; negative: as before";
    input Real rho(unit = "kg/m3") = -1 "Density; negative: as before";
    input Real zeta = -1 "Damping ratio; negative: as before";
    input Real mu = -1 "Friction; negative: as before";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 13));
  end changeMaterial;

  impure function cut "A soft body is cut along a plane: its springs that cross it are no more"
    extends Action;
    input String a "Soft body, of springs";
    input Position r[3] "A point of the plane, in the world";
    input Real n[3] "Its normal, in the world";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 14));
  end cut;

  impure function glue "Two soft bodies are glued together where they touch"
    extends Action;
    input String a "Soft body";
    input String b "Soft body";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 15));
  end glue;

  impure function eventAfterPeriod "The next action comes so much later, at an event"
    extends Action;
    input Time period;
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 11));
  end eventAfterPeriod;

  impure function wait "Wait for a period"
    extends Action;
    input Time period;
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 11));
  end wait;

  impure function ptpJointSpace "Move a path from point to point; the next action comes when the last one is reached"
    extends Action;
    input String a "Path";
    input Real positions[:, :] "A row for each point";
  algorithm
    annotation(__Rattleback(component = "Multibody", role = "action", kind = 12), Documentation(info = "<html><p>All axes start and stop together; one
of them is at its limit of speed or acceleration. At each point the path is at rest; a point where it is already takes no time.</p></html>"));
  end ptpJointSpace;

  model ReferencePath "References for joints, which ptpJointSpace moves"
    outer World world;
    parameter Real q_start[:] = {0} "Where it begins";
    parameter Real v_max[:] = fill(1, size(q_start, 1)) "Largest speed of each axis";
    parameter Real a_max[:] = fill(1, size(q_start, 1)) "Largest acceleration of each axis";
    Real q[size(q_start, 1)] "Positions";
    Real qd[size(q_start, 1)] "Speeds";
    Real qdd[size(q_start, 1)] "Accelerations";
    annotation(__Rattleback(component = "Multibody", role = "path", anchor = "world"),
      Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {0, 60}, {80, 60}}), Text(extent = {{-100, -90}, {100, -130}}, textString = "%name")}));
  end ReferencePath;

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
    parameter Boolean requireRest = false "Refuse if the joint moves; otherwise the impact is plastic";
    final parameter Integer kind = 3;
  end Lock;

  model LockWhen "Lock a joint when a signal becomes true"
    extends Triggered;
    parameter String a "Joint";
    parameter Boolean requireRest = false "Refuse if the joint moves; otherwise the impact is plastic";
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

  model ChangeMaterial "A soft body is made of another material from then on"
    extends Timed;
    parameter String a "Soft body";
    parameter Real E(unit = "Pa") = -1 "Young's modulus; negative: as before";
    parameter Real rho(unit = "kg/m3") = -1 "Density; negative: as before";
    parameter Real zeta = -1 "Damping ratio; negative: as before";
    parameter Real mu = -1 "Friction; negative: as before";
    final parameter Integer kind = 13;
  end ChangeMaterial;

  model Cut "A soft body is cut along a plane: its springs that cross it are no more"
    extends Timed;
    parameter String a "Soft body, of springs";
    parameter Position r[3] = zeros(3) "A point of the plane, in the world";
    parameter Real n[3] = {0, 1, 0} "Its normal, in the world";
    final parameter Integer kind = 14;
  end Cut;

  model Glue "Two soft bodies are glued together where they touch"
    extends Timed;
    parameter String a "Soft body";
    parameter String b "Soft body";
    final parameter Integer kind = 15;
  end Glue;

  model Break "A joint is no more: what hung on it alone moves freely"
    extends Timed;
    parameter String a "Joint";
    final parameter Integer kind = 10;
  end Break;

  model BreakWhen "A joint breaks when a signal becomes true"
    extends Triggered;
    parameter String a "Joint";
    final parameter Integer kind = 10;
  end BreakWhen;

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
