package Reach "Balls on a table, and a driven arm that has nothing to do with them"
  import Rattleback.*;

  model Balls "Four balls, one of which rolls into the others"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(4, 4, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid ball[4](each shape = Shapes.Sphere(0.1), r = {{-0.4, 0.01, 0.05}, {0, 0, 0.05}, {0.2, 0.06, 0.05}, {0.2, -0.06, 0.05}}, v = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Balls;

  model Arm "A motor holds an arm by a spring; it counts how often the arm passes the middle"
    outer World world;
    Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true, phi(start = 1, fixed = true), w(fixed = true));
    Joints.Revolute elbow(n = {0, 1, 0});
    Parts.Body load(m = 2, r_CM = {0, 0, -0.5}), forearm(m = 1, r_CM = {0.3, 0, 0});
    Rotational.Components.Inertia motor(J = 1e-3);
    Rotational.Components.IdealGear gear(ratio = 20);
    Rotational.Components.SpringDamper spring(c = 0.1, d = 1e-4);
    Rotational.Components.Fixed housing;
    Integer count(start = 0, fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, load.frame_a);
    connect(hinge.frame_b, elbow.frame_a);
    connect(elbow.frame_b, forearm.frame_a);
    connect(housing.flange, spring.flange_a);
    connect(spring.flange_b, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, hinge.axis);
    when hinge.phi < 0.5 or hinge.phi > 0.7 then
      count = pre(count) + 1;
    end when;
  end Arm;

  model Both "In one model"
    extends Balls;
    Arm arm;
  end Both;

  model Paddle "The arm has a shape, and hits a ball"
    extends Balls(ball(v = zeros(4, 3)));
    Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true, phi(start = 0.8, fixed = true), w(fixed = true));
    Parts.Solid paddle(shape = Shapes.Box(0.05, 0.2, 0.6), r_shape = {0, 0, -0.3});
    Parts.Fixed stand(r = {-0.5, 0, 0.62});
    Rotational.Components.Inertia motor(J = 0.1);
  equation
    connect(stand.frame_b, hinge.frame_a);
    connect(hinge.frame_b, paddle.frame_a);
    connect(motor.flange_b, hinge.axis);
  end Paddle;
end Reach;
