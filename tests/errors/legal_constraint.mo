model Valve
  parameter Real k = 1;
end Valve;
model Pump
  parameter Real k = 1;
  parameter Real speed = 1;
end Pump;
model Plant
  replaceable Pump pump constrainedby Pump;
end Plant;
model A
  Plant plant(redeclare Valve pump);
end A;
