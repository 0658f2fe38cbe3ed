package MechanicsErrors "Mechanical models that are refused"
  import Rattleback.*;

  model NoWorld
    Parts.Body body;
  end NoWorld;

  model TwoWorlds
    inner World world;
    World other;
    Parts.Body body;
  end TwoWorlds;

  model NoMass
    inner World world;
    model Machine
      outer World world;
      Joints.Revolute hinge;
    equation
      connect(world.frame_b, hinge.frame_a);
    end Machine;
    Machine machine[2];
  end NoMass;

  model NoAxis
    inner World world;
    Joints.Revolute hinge(n = {0, 0, 0});
    Parts.Body body;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
  end NoAxis;

  model NegativeSize
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(-0.1));
  end NegativeSize;

  model NegativeMass
    inner World world;
    Parts.Body body(m = -1);
  end NegativeMass;

  model UnknownMaterial
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Stel");
  end UnknownMaterial;

  model Adrift
    inner World world;
    Parts.FixedTranslation rod(r = {1, 0, 0});
  end Adrift;

  model FlangeToFrame
    inner World world;
    Joints.Revolute hinge(useAxisFlange = true);
    Parts.Body body;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(hinge.axis, body.frame_a);
  end FlangeToFrame;

  model NoFile
    inner World world(materials = "nowhere.json");
    Parts.Body body;
  end NoFile;

  model UnknownPair
    inner World world(n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), material = "Steel", contactMaterial = "Cheese", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0, 0, 0.2});
  end UnknownPair;

  model UnknownInAction "The joint of an action"
    import Rattleback.*;
    inner World world;
    Joints.Revolute hinge;
    Parts.Body body;
    Actions.Lock lock(at = 1, a = "hing");
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
  end UnknownInAction;
end MechanicsErrors;
