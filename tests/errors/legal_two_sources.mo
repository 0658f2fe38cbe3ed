connector In = input Real;
connector Out = output Real;
block Source
  Out y = 1;
end Source;
model A
  In u;
  Source s;
equation
  connect(u, s.y);
end A;
