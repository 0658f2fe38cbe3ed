model A
  Real x;
equation
  x = 1/(time - 0.5);
  annotation(experiment(StopTime = 1));
end A;
