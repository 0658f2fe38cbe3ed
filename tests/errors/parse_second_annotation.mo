model A
  Real x = 1;
  annotation(experiment(StopTime = 1));
  annotation(experiment(StopTime = 2));
end A;
