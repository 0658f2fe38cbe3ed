// A probe drifts past a station and is caught when it is alongside. Nothing is translated again: at the event the two free bodies
// become one, with the speed and spin that the balance of momentum asks for; energy.impacts is what the blow took.
// plot: station.r_0[1] station.r_0[2] probe.r_0[1] probe.r_0[2]
model Docking "A probe meets a station and holds on"
  import Rattleback.*;
  inner World world(gravityType = World.GravityType.NoGravity, contact = false);
  Parts.Body station(m = 3, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {1, -1, 0}), v_0(start = {-1, 0, 0}));
  Parts.Body probe(m = 1, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3, r_0(start = {-1, 1, 0}), v_0(start = {1, 0, 0}));
  Sensors.RelativePosition sensor;
  Actions.AttachWhen dock(a = "station", b = "probe");
equation
  connect(sensor.frame_a, station.frame_a);
  connect(sensor.frame_b, probe.frame_a);
  dock.trigger = sensor.r_rel[1] > 0;
  annotation(experiment(StopTime = 3, Tolerance = 1e-10));
end Docking;
